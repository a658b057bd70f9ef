"""Eight words for a key."""

from signers import ANNA

from sm_p2p.store.fingerprint import fingerprint
from sm_p2p.store.pgp_words import EVEN, ODD


def test_the_two_lists_hold_512_different_words() -> None:
    assert len(EVEN.split()) == len(ODD.split()) == 256
    assert len({*EVEN.split(), *ODD.split()}) == 512


def test_the_words_stand_where_the_published_example_has_them() -> None:
    lists = EVEN.split(), ODD.split()
    example = bytes.fromhex("E58294F2E9A227486E8B061B31CC528FD7FA3F19")
    words = (
        "topmost istanbul pluto vagabond treadmill pacific brackish dictator goldfish medusa "
        "afflict bravado chatter revolver dupont midsummer stopwatch whimsical cowbell bottomless"
    )
    assert " ".join(lists[place % 2][byte] for place, byte in enumerate(example)) == words


def test_a_fingerprint_takes_its_words_in_turn_from_both_lists() -> None:
    words = fingerprint(ANNA.identity)
    assert len(words) == 8
    assert set(words[::2]) <= set(EVEN.split())
    assert set(words[1::2]) <= set(ODD.split())


def test_another_key_has_other_words() -> None:
    assert len({fingerprint(bytes([number]) * 32) for number in range(100)}) == 100
