"""What the build adds to the wheel: each catalogue in the form that the standard library reads.

An editable installation needs nothing: there the program reads the catalogues as they were written.
"""

import importlib.util
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOM = Path(__file__).parent / "sm_p2p" / "ui"


class Catalogues(BuildHookInterface):  # type: ignore[type-arg]  # hatchling is there when something is built
    """Compiles `pt.po` to `pt.mo`, and so on."""

    def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:
        """Name the files that are to come into the wheel."""
        if version == "editable":
            return
        spec = importlib.util.spec_from_file_location("catalogue", ROOM / "catalogue.py")
        assert spec is not None  # noqa: S101 - the file is there
        assert spec.loader is not None  # noqa: S101 - it is a module
        catalogue = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(catalogue)
        for source in sorted((ROOM / "locale").glob("*.po")):
            binary = Path(self.directory) / source.with_suffix(".mo").name
            binary.parent.mkdir(parents=True, exist_ok=True)
            binary.write_bytes(catalogue.compiled(catalogue.read_catalogue(source.read_text(encoding="utf-8"))))
            build_data["force_include"][str(binary)] = f"sm_p2p/ui/locale/{binary.name}"

    def finalize(self, version: str, _build_data: dict[str, dict[str, str]], _artifact_path: str) -> None:
        """Take away what was only there to be packed."""
        if version != "editable":
            for source in (ROOM / "locale").glob("*.po"):
                (Path(self.directory) / source.with_suffix(".mo").name).unlink(missing_ok=True)
