"""The vectors of the log: the codec, entries, chains and record files.

`build()` gives the content of each file; every expectation was made by the package and is read back by its tests and
by `scripts/reading/log.py`, which imports nothing of the package.
"""

from collections.abc import Iterable

from scripts.making.log_chains import chain_vectors
from scripts.making.log_codec import codec_vectors
from scripts.making.log_entries import entry_vectors
from scripts.making.log_files import journal_vectors
from scripts.making.log_forms import Vector


def build() -> dict[str, object]:
    """The four files by name."""
    return {
        "codec.json": _file(
            "decode(bytes, limit): `value` tags every number, text and byte string; a list is a list",
            {
                "valid": "the one encoding of its value",
                "long-form": "a longer form than the value needs",
                "left-out": "a type that MessagePack has and this format leaves out",
                "range": "a number, a length or a depth out of bounds",
                "cut": "bytes are missing, or left over",
                "text": "text that is no UTF-8",
                "size": "more bytes than the limit",
            },
            codec_vectors(),
        ),
        "entry.json": _file(
            "unseal(read_envelope(raw), identity): `raw` is hex, or a list of [hex, how often] to be joined; "
            "`seed` is the Ed25519 seed whose signature `raw` carries",
            {
                "valid": "an entry",
                "size": "more bytes than an entry may have",
                "form": "envelope or body is not canonical",
                "shape": "envelope or body has another shape",
                "version": "another protocol version",
                "signature": "the signature does not count",
                "strict": "lax verifiers accept this signature, or some do",
                "identity": "the identity can be nobody's",
                "order": "two things are wrong; the earlier check names the fault",
            },
            entry_vectors(),
        ),
        "chain.json": _file(
            "append: the entry at the end of the chain, `then` is the chain after it; conflict: what two entries "
            "prove against their author (identities in order of the seats); fingerprint: the words of an identity",
            {
                "valid": "it follows",
                "match": "another match",
                "gap": "another number",
                "prev": "another predecessor",
                "order": "two things are wrong; the earlier check names the fault",
                "conflict": "two entries of one author",
                "words": "fingerprints",
            },
            chain_vectors(),
        ),
        "journal.json": _file(
            "read the file: the records before the first bad place, where that is (`end`), the bytes from there (`rest`); "
            "`file` is hex, or a list of [hex, how often] to be joined",
            {
                "valid": "a whole file",
                "torn": "the last write was not finished; a writer saves the rest beside, cuts it off and goes on",
                "damaged": "something sound follows a bad place; nobody writes on this file",
                "version": "a later version of the format",
                "other": "another sort of file",
            },
            journal_vectors(),
        ),
    }


def _file(about: str, flags: dict[str, str], vectors: Iterable[Vector]) -> dict[str, object]:
    return {"protocol": 1, "about": about, "flags": flags, "vectors": list(vectors)}
