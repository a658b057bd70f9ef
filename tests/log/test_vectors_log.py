"""The vectors of the codec, of entries and of chains, through the package."""

import pytest
from vector_files import Json, Vector, vectors

from sm_p2p.errors import Fault
from sm_p2p.log.chain import Chain, Conflict, conflict
from sm_p2p.log.codec import Value, decode, encode
from sm_p2p.log.entry import Draft, read_envelope, seal, unseal
from sm_p2p.store.keys import Identity


def value_of(json: Json) -> Value:
    match json:
        case list():
            return tuple(value_of(item) for item in json)
        case {"int": str() as digits}:
            return int(digits)
        case {"text": str() as text}:
            return text
        case {"bytes": str() as digits}:
            return bytes.fromhex(digits)
        case None | bool():
            return json
        case _:
            raise AssertionError(json)


def chain_of(vector: Vector) -> Chain:
    return Chain(vector.raw("match"), vector.number("seq"), vector.raw("head"))


@pytest.mark.parametrize("vector", vectors("codec.json"), ids=repr)
def test_codec(vector: Vector) -> None:
    expect = "ok"
    try:
        value = decode(vector.raw("bytes"), vector.number("limit"))
        assert repr(value) == repr(value_of(vector.json("value")))
        assert encode(value) == vector.raw("bytes")
    except Fault as fault:
        expect = fault.code
    assert expect == vector.expect


@pytest.mark.parametrize("vector", vectors("entry.json"), ids=repr)
def test_entry(vector: Vector) -> None:
    expect = "ok"
    try:
        entry = unseal(read_envelope(vector.raw("raw")), vector.raw("identity"))
    except Fault as fault:
        expect = fault.code
    else:
        if "parts" in vector:
            parts = vector.part("parts")
            data = value_of(parts.json("data"))
            assert isinstance(data, tuple)
            draft = Draft(
                match=parts.raw("match"),
                seq=parts.number("seq"),
                prev=parts.raw("prev"),
                author=parts.number("author"),
                kind=parts.number("kind"),
                time_ms=parts.number("time_ms"),
                data=data,
                digest=parts.raw("digest"),
                version=parts.number("version"),
            )
            assert seal(draft, Identity(vector.raw("seed"))) == entry
            assert entry.body == vector.raw("body")
            assert entry.id == vector.raw("entry_id")
            assert entry.signature == vector.raw("signature")
    assert expect == vector.expect


@pytest.mark.parametrize("vector", vectors("chain.json", "append"), ids=repr)
def test_append(vector: Vector) -> None:
    entry = unseal(read_envelope(vector.raw("entry")), vector.raw("identity"))
    expect = "ok"
    try:
        assert chain_of(vector.part("chain")).append(entry) == chain_of(vector.part("then"))
    except Fault as fault:
        expect = fault.code
    assert expect == vector.expect


@pytest.mark.parametrize("vector", vectors("chain.json", "conflict"), ids=repr)
def test_conflict(vector: Vector) -> None:
    identities = [bytes.fromhex(str(identity)) for identity in vector.items("identities")]
    envelopes = [read_envelope(bytes.fromhex(str(raw))) for raw in vector.items("entries")]
    one, other = (unseal(envelope, identities[envelope.author]) for envelope in envelopes)
    found = conflict(one, other)
    assert conflict(other, one) is found
    assert vector.text("conflict") == (found.name.lower() if found else "none")
    assert vector.expect == ("equivocation" if found is Conflict.EQUIVOCATION else "ok")
