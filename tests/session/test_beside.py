"""Sealed words beside the chain: what was signed is read back, anything else is refused by its name."""

import pytest
from deck.refusals import refused
from hypothesis import given
from hypothesis import strategies as st
from pair import KEYS, STRANGER
from strategies import STEADY

from sm_p2p.errors import Code, Fault
from sm_p2p.log.codec import Value, encode
from sm_p2p.log.signature import sign_labelled
from sm_p2p.session.beside import (
    MAX_SEALED,
    Abandoned,
    Chat,
    Resignation,
    number_of,
    seal_chat,
    seal_claim,
    seal_resignation,
    unseal_chat,
    unseal_claim,
    unseal_resignation,
)
from sm_p2p.session.text import NOTE_LENGTH, clean

ANA = KEYS[0]
ID = b"m" * 32
PETITION: tuple[Value, ...] = (ID, 1, 0, 1, 1, 7, ID)
NOTE: tuple[Value, ...] = (ID, 0, 1, 1, 7, "hello")
numbers = st.integers(0, 2**63 - 1)
ids = st.binary(min_size=32, max_size=32)
texts = st.text(min_size=1).map(lambda text: clean(text, NOTE_LENGTH)).filter(bool)


def signed(label: str, body: Value, signer: object = ANA) -> bytes:
    """Any body under any label, signed."""
    raw = body if isinstance(body, bytes) else encode(body)
    return encode((raw, sign_labelled(signer, label, raw)))  # type: ignore[arg-type]


@STEADY
@given(st.builds(Abandoned, ids, st.sampled_from((0, 1)), numbers, st.booleans(), numbers, ids, numbers))
def test_a_claim_says_what_was_signed(said: Abandoned) -> None:
    assert unseal_claim(seal_claim(said, ANA), ANA.identity) == said
    with refused(Code.BAD_SIGNATURE):
        unseal_claim(seal_claim(said, STRANGER), ANA.identity)


@STEADY
@given(numbers)
def test_a_note_has_its_number_also_without_a_look_at_its_signature(number: int) -> None:
    assert number_of(seal_chat(Chat(ID, 0, number, 7, "hello"), ANA)) == number


@pytest.mark.parametrize("raw", [b"", encode(()), encode((b"", b"")), encode((encode((1, 2, "3")), b"")), encode(7)])
def test_what_was_never_sealed_has_no_number(raw: bytes) -> None:
    with pytest.raises(Fault):
        number_of(raw)


@STEADY
@given(st.builds(Resignation, ids, numbers, st.sampled_from((0, 1)), numbers, numbers, ids))
def test_a_petition_is_read_back(said: Resignation) -> None:
    assert unseal_resignation(seal_resignation(said, ANA), ANA.identity) == said


@STEADY
@given(st.builds(Chat, ids, st.sampled_from((0, 1)), numbers, numbers, texts))
def test_a_note_is_read_back(said: Chat) -> None:
    assert unseal_chat(seal_chat(said, ANA), ANA.identity) == said


def test_the_longest_note_of_the_widest_characters_fits() -> None:
    said = Chat(ID, 1, 2**63 - 1, 2**63 - 1, "🂡" * NOTE_LENGTH)
    assert unseal_chat(seal_chat(said, ANA), ANA.identity) == said


def test_what_another_key_signed_or_was_signed_for_another_purpose_is_forged() -> None:
    petition, note = seal_resignation(Resignation(ID, 1, 0, 1, 7, ID), ANA), seal_chat(Chat(ID, 0, 1, 7, "hi"), ANA)
    with refused(Code.BAD_SIGNATURE):
        unseal_resignation(petition, STRANGER.identity)
    with refused(Code.BAD_SIGNATURE):
        unseal_chat(note, STRANGER.identity)
    for label in ("SM1/note", "SM1/entry", "SM1/claim"):
        with refused(Code.BAD_SIGNATURE):
            unseal_resignation(signed(label, PETITION), ANA.identity)
    with refused(Code.BAD_SIGNATURE):
        unseal_chat(signed("SM1/petition", NOTE), ANA.identity)


@pytest.mark.parametrize(
    "body",
    [
        (),
        PETITION[:-1],
        (*PETITION, 0),
        (ID[1:], *PETITION[1:]),
        (ID, "1", *PETITION[2:]),
        (ID, True, *PETITION[2:]),
        (ID, 1, 2, *PETITION[3:]),
        (ID, 1, False, *PETITION[3:]),
        (ID, 1, 0, 1, 2, 7, ID),
        (ID, 1, 0, 1, True, 7, ID),
        (ID, 1, 0, 1, 1, 7, ID[1:]),
        (ID, 1, 0, 1, 1, None, ID),
        "petition",
        7,
    ],
)
def test_a_petition_with_other_items_is_malformed(body: Value) -> None:
    with refused(Code.BAD_PETITION):
        unseal_resignation(signed("SM1/petition", encode(body)), ANA.identity)


@pytest.mark.parametrize(
    "body",
    [
        (),
        NOTE[:-1],
        (*NOTE, 0),
        (ID[1:], *NOTE[1:]),
        (ID, None, *NOTE[2:]),
        (ID, 0, True, *NOTE[3:]),
        (ID, 0, 1, 2, 7, "hello"),
        (ID, 0, 1, 1, 7, b"hello"),
        (ID, 0, 1, 1, 7, ""),
        (ID, 0, 1, 1, 7, " hello"),
        (ID, 0, 1, 1, 7, "x" * 401),
        (ID, 0, 1, 1, 7, "\x1b[2J"),
        None,
    ],
)
def test_a_note_with_other_items_is_malformed(body: Value) -> None:
    with refused(Code.BAD_FRAME):
        unseal_chat(signed("SM1/note", encode(body)), ANA.identity)


@pytest.mark.parametrize(
    "raw",
    [
        encode(()),
        encode((b"body",)),
        encode((b"body", bytes(63))),
        encode((b"", bytes(64), 0)),
        encode(("", bytes(64))),
    ],
)
def test_what_is_no_body_with_a_signature_is_malformed(raw: bytes) -> None:
    with refused(Code.BAD_PETITION):
        unseal_resignation(raw, ANA.identity)
    with refused(Code.BAD_FRAME):
        unseal_chat(raw, ANA.identity)


def test_sealed_words_have_one_encoding_and_a_largest_size() -> None:
    good = seal_chat(Chat(ID, 0, 1, 7, "hi"), ANA)
    with refused(Code.NOT_CANONICAL):
        unseal_chat(good + b"\0", ANA.identity)
    with refused(Code.NOT_CANONICAL):  # the body itself is written longer than needed
        unseal_chat(signed("SM1/note", encode(NOTE).replace(b"\x01\x01\x07", b"\x01\x01\xcc\x07")), ANA.identity)
    with refused(Code.TOO_LARGE):
        unseal_chat(bytes(MAX_SEALED + 1), ANA.identity)
    with refused(Code.TOO_LARGE):
        unseal_resignation(bytes(MAX_SEALED + 1), ANA.identity)
