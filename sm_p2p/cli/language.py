"""Which language this process speaks: flag, environment, options, and where none of them says it, the locale.

Law: with --json it is English, for programs read that. Nothing is imported for English that `--help` does not need.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from sm_p2p.cli.parser import LANGUAGES
from sm_p2p.errors import SpiteError
from sm_p2p.ui.tongue import ENGLISH, HERE, Language, mark

VARIABLE: Final = "SM_P2P_LANG"
LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that says something counts

ARGPARSE: Final = (  # what the standard library says about words, as it writes it
    mark("usage: "),
    mark("options"),
    mark("positional arguments"),
    mark("show this help message and exit"),
    mark("show program's version number and exit"),
    mark("the following arguments are required: %s"),
    mark("unrecognized arguments: %s"),
    mark("argument %(argument_name)s: %(message)s"),
    mark("invalid choice: %(value)r (choose from %(choices)s)"),
    mark("expected one argument"),
    mark("expected at least one argument"),
    mark("not allowed with argument %s"),
    mark("ambiguous option: %(option)s could match %(matches)s"),
    mark("ignored explicit argument %r"),
)


def language_of(words: Sequence[str], environ: Mapping[str, str] = os.environ) -> str:
    """The language for these words of the command line; what is wrong with them, or with the options, is told by others."""
    if "--json" in words:
        return "en"
    given = _value("--lang", words) or environ.get(VARIABLE) or ""
    if given in LANGUAGES:
        return given
    return _remembered(_value("--home", words), environ) or code_of_locale(environ)


@contextlib.contextmanager
def speaking(code: str) -> Iterator[None]:
    """This process speaks this language meanwhile, and so does what the standard library says about its words."""
    before = vars(argparse)["_"]
    with HERE.spoken(_called(code)):
        vars(argparse)["_"] = HERE.gettext
        try:
            yield
        finally:
            vars(argparse)["_"] = before


def speak_as_chosen(lang: str, environ: Mapping[str, str] = os.environ) -> None:
    """Speak the language of this option from now on; auto: that of the system."""
    HERE.speak(_called(lang if lang in LANGUAGES else code_of_locale(environ)))


def code_of_locale(environ: Mapping[str, str]) -> str:
    """The language of an environment, as gettext finds it; English where it says none that there is.

    >>> code_of_locale({"LANG": "pt_BR.UTF-8"}), code_of_locale({"LANG": "de_DE.UTF-8", "LANGUAGE": "nl:es"})
    ('pt', 'es')
    >>> code_of_locale({"LC_ALL": "C", "LANG": "id_ID.UTF-8"}), code_of_locale({})
    ('en', 'en')
    """
    locale = next((environ[name] for name in LOCALES if environ.get(name)), "") or locale_of_windows()
    if _code(locale) in {"", "c", "posix"}:
        return "en"
    wanted = [*environ.get("LANGUAGE", "").split(":"), locale]
    return next((code for code in map(_code, wanted) if code in LANGUAGES), "en")


def locale_of_windows() -> str:
    """What the user of Windows reads, whose environment does not say it; nothing elsewhere. Nobody has tried it there yet."""
    if sys.platform != "win32":
        return ""
    import ctypes  # noqa: PLC0415 - only there
    import locale  # noqa: PLC0415

    return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")


def _called(code: str) -> Language:
    if code == "en":
        return ENGLISH
    from sm_p2p.ui.catalogue import catalogue  # noqa: PLC0415 - English needs none

    return catalogue(code)


def _remembered(home: str | None, environ: Mapping[str, str]) -> str | None:
    """The language in the options, if there are any."""
    path = options_file(home, environ)
    if not os.path.lexists(path):  # which never raises, also where nobody may look
        return None
    from sm_p2p.store.options import read_options  # noqa: PLC0415 - only where there are options

    try:
        code = read_options(path).options.lang
    except SpiteError:
        return None
    return code if code in LANGUAGES else None


def options_file(home: str | None, environ: Mapping[str, str]) -> Path:
    """Where the options are, or would be: what `Places` says, without all that it is made of."""
    chosen = home or environ.get("SM_P2P_HOME")
    if chosen:
        return Path(os.path.expanduser(chosen), "config", "options.toml").absolute()  # noqa: PTH111 - never raises
    import platformdirs  # noqa: PLC0415 - only who has named no home

    return Path(platformdirs.user_config_dir("sm-p2p", appauthor=False), "options.toml")


def _value(option: str, words: Sequence[str]) -> str | None:
    """What stands behind this option, the last time that it is named."""
    found = None
    for at, word in enumerate(words):
        if word == option and at + 1 < len(words):
            found = words[at + 1]
        elif word.startswith(f"{option}="):
            found = word.removeprefix(f"{option}=")
    return found


def _code(locale: str) -> str:
    return locale.replace("-", "_").partition(".")[0].partition("@")[0].partition("_")[0].lower()
