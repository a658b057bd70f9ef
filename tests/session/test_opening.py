"""The opening and the keys: what both agree to before the first card, and which keys nobody may use."""

import hashlib
from dataclasses import replace
from typing import Final

import pytest
from deck.points import NOT_POINTS, NOT_SCALARS
from deck.refusals import refused
from pair import AUTHORS, KEYS, opened
from session.recorded import Recording, Step

from sm_p2p.deck.group import Q, Scalar, base, encode_scalar, scalar
from sm_p2p.deck.proofs import prove_key
from sm_p2p.deck.seed import GameSeed
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import Code, sure
from sm_p2p.session import events
from sm_p2p.session.events import Dealt, Event, Joined, Key, Revealed, Shuffle
from sm_p2p.session.match import context, step
from sm_p2p.session.proofs import CHECKED
from sm_p2p.session.state import Match, PlacedKey, State

ANY_SEED: Final = GameSeed(b"any seed" * 4)


def checked(at: Step, event: Event) -> Match:
    """What comes of it if this is said instead."""
    return step(at.before, event, CHECKED)


def owned_key(secret: int, place: Context) -> Key:
    """The key of a secret, with a true proof for this place."""
    x = Scalar(secret % Q)
    return Key(base(x), prove_key(ANY_SEED, place, x))


def identity_secret(number: int) -> int:
    """The secret scalar behind the identity of the seat with this signing key (RFC 8032, 5.1.5)."""
    raw = bytearray(hashlib.sha512(number.to_bytes(32)).digest()[:32])
    raw[0] &= 248
    raw[31] = raw[31] & 127 | 64
    return int.from_bytes(raw, "little")


# Entry 1


def test_the_host_opens_with_what_both_will_play(rich: Recording) -> None:
    after = checked(rich.steps[0], rich.steps[0].event)
    assert (after.state, str(after.variant), after.players[0].name) == (State.JOIN, "quick,pay_off=5", "Ana")
    assert after.players[0].identity == KEYS[0].identity


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"rules": 0}, Code.OTHER_VERSION),
        ({"rules": 2}, Code.OTHER_VERSION),
        ({"variant": ""}, Code.BAD_VARIANT),
        ({"variant": "fast"}, Code.BAD_VARIANT),
        ({"variant": "pay_off=38"}, Code.BAD_VARIANT),
        ({"variant": "quick,pay_off=10"}, Code.BAD_VARIANT),  # it is written "quick"
        ({"variant": "standard,pay_off=10,target=1"}, Code.BAD_VARIANT),
        ({"variant": "quick,pay-off=5"}, Code.BAD_VARIANT),
        ({"variant": "quick,centres=4,pay_off=5"}, Code.BAD_VARIANT),
        ({"name": ""}, Code.BAD_NAME),
        ({"name": "x" * 25}, Code.BAD_NAME),
        ({"name": "Ana\u202e"}, Code.BAD_NAME),
        ({"identity": bytes(32)}, Code.BAD_IDENTITY),
        ({"constants": bytes(32)}, Code.OTHER_CONSTANTS),
    ],
    ids=str,
)
def test_an_opening_that_cannot_be_played_is_refused(changes: dict[str, object], code: Code, rich: Recording) -> None:
    with refused(code):
        checked(rich.steps[0], replace(opened("quick"), **changes))  # type: ignore[arg-type]


def test_the_version_comes_before_the_variant_the_name_and_the_constants(rich: Recording) -> None:
    wrong: dict[str, object] = {"rules": 9, "variant": "", "name": "", "constants": bytes(32)}
    for code in (Code.OTHER_VERSION, Code.BAD_VARIANT, Code.BAD_NAME, Code.OTHER_CONSTANTS):
        with refused(code):
            checked(rich.steps[0], replace(opened("quick"), **wrong))  # type: ignore[arg-type]
        del wrong[next(iter(wrong))]


# Entry 2


def test_the_guest_sits_down_with_a_key(rich: Recording) -> None:
    at = rich.at(State.JOIN)
    after = checked(at, at.event)
    assert [player.identity for player in after.players] == [key.identity for key in KEYS]
    assert after.next_keys[0] is None
    assert sure(after.next_keys[1]).point in after.spent_keys


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": " Bruno"}, Code.BAD_NAME),
        ({"identity": bytes(32)}, Code.BAD_IDENTITY),
        ({"identity": KEYS[0].identity}, Code.SAME_IDENTITY),
    ],
    ids=["name", "identity", "same identity"],
)
def test_a_guest_who_cannot_sit_down_is_refused(changes: dict[str, object], code: Code, rich: Recording) -> None:
    at = rich.at(State.JOIN)
    assert isinstance(at.event, Joined)
    with refused(code):
        checked(at, replace(at.event, **changes))  # type: ignore[arg-type]


def keyed(at: Step, key: Key) -> Event:
    """The event of this step with another key."""
    assert isinstance(at.event, Joined | Dealt | Revealed)
    return replace(at.event, key=key)


def key_of(at: Step) -> Key:
    """The key of this step."""
    assert isinstance(at.event, Joined | Dealt | Revealed)
    return at.event.key


def place_of(at: Step) -> Context:
    """The place that a key of this step is for."""
    game = at.before.game_number + isinstance(at.event, Revealed)
    return context(at.before, events.kind_of(at.event), game)


KEY_STATES = (State.JOIN, State.DEAL, State.REVEAL, State.FOLLOW)


@pytest.mark.parametrize("state", KEY_STATES, ids=lambda state: state.name)
def test_a_key_is_a_point_whose_secret_its_author_knows(state: State, series: Recording) -> None:
    at = series.at(state)
    point, proof = key_of(at).point, key_of(at).proof
    for code, key in (
        *((Code.BAD_POINT, Key(raw, proof)) for raw in NOT_POINTS.values()),
        *((Code.BAD_SCALAR, Key(point, raw + proof[32:])) for raw in NOT_SCALARS.values()),
        *((Code.BAD_SCALAR, Key(point, proof[:32] + raw)) for raw in NOT_SCALARS.values()),
        (Code.BAD_LENGTH, Key(point[1:], proof)),
        (Code.BAD_LENGTH, Key(point, proof[1:])),
        (Code.BAD_LENGTH, Key(point, b"")),
        (Code.BAD_LENGTH, Key(b"", proof)),
        (Code.BAD_KEY_PROOF, Key(point, bytes(64))),
        (Code.BAD_KEY_PROOF, Key(base(5), proof)),
    ):
        with refused(code):
            checked(at, keyed(at, key))


@pytest.mark.parametrize("state", KEY_STATES, ids=lambda state: state.name)
def test_a_proof_of_a_key_is_worth_nothing_at_another_place(state: State, series: Recording) -> None:
    at = series.at(state)
    place = place_of(at)
    checked_key = owned_key(77, place)
    if state not in {State.DEAL, State.FOLLOW}:  # there a shuffle under the key follows
        assert checked(at, keyed(at, checked_key)).state is at.after.state
    for other in (
        place._replace(match=b"x" * 32),
        place._replace(game=place.game + 1),
        place._replace(game=place.game - 1),
        place._replace(seq=place.seq + 1),
        place._replace(prev=b"x" * 32),
        place._replace(author=1 - place.author),
        place._replace(kind=place.kind + 1),
    ):
        with refused(Code.BAD_KEY_PROOF):
            checked(at, keyed(at, owned_key(77, other)))


@pytest.mark.parametrize("state", KEY_STATES, ids=lambda state: state.name)
def test_no_identity_is_a_key(state: State, series: Recording) -> None:
    at = series.at(state)
    for number in (1, 2):
        with refused(Code.REUSED_KEY):
            checked(at, keyed(at, owned_key(identity_secret(number), place_of(at))))


def test_no_key_is_used_twice_in_a_match(series: Recording) -> None:
    first = series.at(State.SHUFFLE).before
    secrets = [AUTHORS[seat]._key(placed)[1] for seat, placed in enumerate(sure(first.game).keys)]
    for state in (State.DEAL, State.REVEAL, State.FOLLOW):
        for secret in secrets[1:] if state is State.DEAL else secrets:
            at = series.at(state)
            with refused(Code.REUSED_KEY):
                checked(at, keyed(at, owned_key(secret, place_of(at))))


def test_the_two_keys_of_a_game_do_not_cancel_each_other(series: Recording) -> None:
    for state in (State.DEAL, State.FOLLOW):
        at = series.at(state)
        theirs = sure(at.before.next_keys[1 - sure(at.before.speaker)])
        secret = AUTHORS[1 - sure(at.before.speaker)]._key(theirs)[1]
        with refused(Code.IDENTITY_KEY):
            checked(at, keyed(at, owned_key(-secret, place_of(at))))


def test_the_first_shuffle_is_looked_at_after_the_keys(rich: Recording) -> None:
    at = rich.at(State.DEAL)
    assert isinstance(at.event, Dealt)
    for code, shuffle in (
        (Code.BAD_LENGTH, Shuffle()),
        (Code.BAD_LENGTH, Shuffle(at.event.shuffle.deck[:-64], at.event.shuffle.proof)),
        (
            Code.BAD_SHUFFLE_PROOF,
            Shuffle(at.event.shuffle.deck[64:] + at.event.shuffle.deck[:64], at.event.shuffle.proof),
        ),
    ):
        with refused(code):
            checked(at, replace(at.event, shuffle=shuffle))
    with refused(Code.BAD_SHUFFLE_PROOF):  # a true shuffle, but under another key of the dealer
        checked(at, replace(at.event, key=owned_key(77, place_of(at))))
    with refused(Code.BAD_KEY_PROOF):
        checked(at, Dealt(Key(at.event.key.point, bytes(64)), Shuffle()))


# Keys that are opened


def test_the_opened_key_is_the_one_that_was_used(series: Recording) -> None:
    for state in (State.REVEAL, State.FOLLOW):
        at = series.at(state)
        assert isinstance(at.event, Revealed)
        secret = at.event.secret
        for code, wrong in (
            (Code.BAD_LENGTH, b""),
            (Code.BAD_LENGTH, secret[1:]),
            (Code.BAD_LENGTH, secret + b"\0"),
            *((Code.BAD_SCALAR, raw) for raw in NOT_SCALARS.values()),
            (Code.WRONG_KEY, bytes(32)),
            (Code.WRONG_KEY, encode_scalar(scalar(-int.from_bytes(secret, "little")))),
            (Code.WRONG_KEY, encode_scalar(AUTHORS[1 - sure(at.before.speaker)]._key(_other_key(at))[1])),
        ):
            with refused(code):
                checked(at, replace(at.event, secret=wrong))


def _other_key(at: Step) -> PlacedKey:
    return sure(at.before.game).keys[1 - sure(at.before.speaker)]


def test_with_both_keys_open_the_finished_game_holds_their_secrets(series: Recording) -> None:
    at = series.at(State.FOLLOW)
    finished = sure(at.after.finished)
    for secret, placed in zip(finished.secrets, finished.keys, strict=True):
        assert base(sure(secret)) == placed.point
    assert sure(at.after.game).secrets == (None, None)


@pytest.mark.parametrize("state", [State.REVEAL, State.FOLLOW], ids=lambda state: state.name)
def test_a_key_of_the_next_game_comes_with_the_old_one_unless_the_match_is_over(
    state: State, series: Recording
) -> None:
    at = series.at(state)
    last = [step for step in series if step.before.state is state][-1]
    assert isinstance(at.event, Revealed)
    assert isinstance(last.event, Revealed)
    deck = Shuffle(b"deck", b"proof")
    for where, event in (
        (at, replace(at.event, key=Key())),
        (at, replace(at.event, shuffle=Shuffle() if at.event.shuffle.deck else deck)),
        (last, replace(last.event, key=at.event.key)),
        (last, replace(last.event, key=Key(b"", at.event.key.proof))),
        (last, replace(last.event, shuffle=deck)),
        (last, replace(last.event, shuffle=Shuffle(b"", b"proof"))),
    ):
        with refused(Code.NOT_DUE):
            checked(where, event)
