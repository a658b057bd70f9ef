"""Where the files of this player are.

Law: with a home of one's own everything is below it. Keys and marks never lie in the directory of the matches, so that
a copy of yesterday's matches put back is noticed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from sm_p2p.store.files import make_directory

APP: Final = "sm-p2p"
HOME_VARIABLE: Final = "SM_P2P_HOME"


@dataclass(frozen=True, slots=True)
class Places:
    """Three directories: options, secrets with their marks, and matches."""

    config: Path
    keys: Path
    data: Path

    @classmethod
    def below(cls, home: Path) -> "Places":
        """All of them below one directory."""
        return cls(home / "config", home / "keys", home / "data")

    @classmethod
    def find(cls, home: str | None, environ: Mapping[str, str]) -> "Places":
        """Below `--home`, else below SM_P2P_HOME, else where this system keeps such things; makes nothing."""
        chosen = home or environ.get(HOME_VARIABLE)
        if chosen:
            return cls.below(Path(chosen).expanduser().absolute())
        config = platformdirs.user_config_path(APP, appauthor=False)
        return cls(config, config / "keys", platformdirs.user_data_path(APP, appauthor=False) / "data")

    def make(self) -> "Places":
        """The same places, all there and private; DiskTrouble if one cannot be made."""
        for place in (self.config, self.keys, self.data):
            make_directory(place)
        return self

    @property
    def computer(self) -> "Places":
        """Those of the computer that plays on this machine; it has a home of its own beside the matches."""
        return Places.below(self.data.parent / "computer")

    @property
    def options(self) -> Path:
        """The file of options."""
        return self.config / "options.toml"

    @property
    def identity(self) -> Path:
        """The secret key of this player."""
        return self.keys / "identity.key"

    @property
    def peers(self) -> Path:
        """The names and keys of those who were met."""
        return self.keys / "peers"

    def log(self, match: bytes) -> Path:
        """The log of a match."""
        return self.data / f"{match.hex()}.smlog"

    def notes(self, match: bytes) -> Path:
        """The notes beside the log of a match."""
        return self.data / f"{match.hex()}.notes"

    def way(self, match: bytes) -> Path:
        """How a match was played the last time."""
        return self.data / f"{match.hex()}.way"

    def secret(self, match: bytes) -> Path:
        """The seed of this player's shuffles in a match."""
        return self.keys / f"{match.hex()}.secret"

    def signed(self, match: bytes) -> Path:
        """The mark: how far this player has signed."""
        return self.keys / f"{match.hex()}.signed"

    def checked(self, match: bytes) -> Path:
        """The mark: how far this client has checked the proofs."""
        return self.keys / f"{match.hex()}.checked"
