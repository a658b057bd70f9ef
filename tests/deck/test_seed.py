"""All that is secret follows from the seed and the place, and from nothing else."""

import hashlib

import pytest
from deck.seats import GUEST, HOST, MATCH, place, public_deck

from sm_p2p.deck.group import Q, base
from sm_p2p.deck.seed import derive_key, game_seed, nonce_stream, public_key, shuffle_stream
from sm_p2p.deck.transcript import Context, Transcript, challenge
from sm_p2p.stream import frame

SECRET = b"s" * 32
PLACE = Context(MATCH, 1, 2, b"p" * 32, 0, 2)
ELSEWHERE = [
    PLACE._replace(match=b"n" * 32),
    PLACE._replace(game=2),
    PLACE._replace(seq=3),
    PLACE._replace(prev=b"q" * 32),
    PLACE._replace(author=1),
    PLACE._replace(kind=3),
]


def test_a_game_seed_is_shake256_of_secret_match_game_and_author() -> None:
    framed = frame(["SM1/seed", SECRET, MATCH, 1, 0])
    assert game_seed(SECRET, MATCH, 1, 0) == hashlib.shake_256(framed).digest(32)
    seeds = {game_seed(SECRET, MATCH, 1, 0), game_seed(SECRET, MATCH, 2, 0), game_seed(SECRET, MATCH, 1, 1)}
    assert len(seeds | {game_seed(SECRET, b"n" * 32, 1, 0), game_seed(b"t" * 32, MATCH, 1, 0)}) == 5


@pytest.mark.parametrize("secret", [b"", b"s" * 31, b"s" * 33])
def test_a_secret_has_32_bytes(secret: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        game_seed(secret, MATCH, 1, 0)


def test_a_key_is_64_bytes_of_the_stream_modulo_the_order() -> None:
    framed = frame(["SM1/key", HOST.seed, PLACE])
    assert derive_key(HOST.seed, PLACE) == int.from_bytes(hashlib.shake_256(framed).digest(64)) % Q
    assert public_key(HOST.x) == HOST.h == base(HOST.x)


@pytest.mark.parametrize("other", ELSEWHERE)
def test_a_fork_that_begins_before_the_key_entry_has_another_key(other: Context) -> None:
    """A key from K alone would be the same in both forks: a share given in one would open cards of the other."""
    assert derive_key(HOST.seed, PLACE) != derive_key(HOST.seed, other)


@pytest.mark.parametrize("other", ELSEWHERE)
def test_every_challenge_is_bound_to_the_whole_place(other: Context) -> None:
    assert challenge("SM1/pok", PLACE) != challenge("SM1/pok", other)


def test_another_seed_place_or_input_deck_gives_another_shuffle() -> None:
    a = [card.a for card in public_deck(3)]
    b = [card.b for card in public_deck(3)]
    streams = [
        shuffle_stream(HOST.seed, PLACE, a, b),
        shuffle_stream(GUEST.seed, PLACE, a, b),
        shuffle_stream(HOST.seed, place(0), a, b),
        shuffle_stream(HOST.seed, PLACE, a, b[::-1]),
        shuffle_stream(HOST.seed, PLACE, b, a),
    ]
    assert len({stream.take(32) for stream in streams}) == len(streams)


def test_another_statement_or_proof_gives_other_nonces() -> None:
    streams = [nonce_stream(HOST.seed, "SM1/pok", [1]), nonce_stream(HOST.seed, "SM1/dleq", [1])]
    streams += [nonce_stream(HOST.seed, "SM1/pok", [2]), nonce_stream(GUEST.seed, "SM1/pok", [1])]
    assert len({stream.take(64) for stream in streams}) == len(streams)


def test_a_transcript_hashes_the_statement_as_one_item() -> None:
    transcript = Transcript("SM1/x", PLACE, [b"a"])
    statement = ["SM1/x", PLACE, [b"a"]]
    assert transcript.challenges(2) == (challenge(statement, 1), challenge(statement, 2))
    assert transcript.challenge([b"r"], 5) == challenge(statement, [b"r"], 5)
    assert challenge("x") == int.from_bytes(hashlib.sha512(frame(["x"])).digest()) % Q
