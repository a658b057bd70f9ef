"""The vectors of entries 1 to 5: who sits down, with what key, and the deal."""

from collections.abc import Iterator
from dataclasses import replace

from scripts.making.recorder import AUTHORS, SIGNERS, STRANGER, joined, opened
from scripts.making.session_forms import (
    Head,
    Vector,
    at,
    identity_secret,
    in_state,
    key,
    place_of,
    said,
    shares_of,
    vector,
)
from sm_p2p.deck.group import Q, scalar
from sm_p2p.deck.seed import derive_key, game_seed
from sm_p2p.errors import Code, sure
from sm_p2p.session import events
from sm_p2p.session.due import top_slot
from sm_p2p.session.events import Answered, Dealt, Joined, Key, Opened, Shares, Shuffle
from sm_p2p.session.state import State

VARIANT = "standard,pay_off=5,target=12"
IDENTITY_POINT = b"\x01" + bytes(31)
ORDER_2 = (2**255 - 20).to_bytes(32, "little")


def opening_vectors() -> Iterator[Vector]:
    """The vectors, in the order of the entries."""
    yield from _entry_1()
    yield from _entry_2()
    yield from _entry_3()
    yield from _deal()


def _entry_1() -> Iterator[Vector]:
    start = at("short", 0)
    first = opened(VARIANT)

    def one(name: str, comment: str, flag: str, event: Opened, expect: Code | None = None, **changes: object) -> Vector:
        return vector(f"opened-{name}", comment, flag, start, said(start, event, **changes), expect)

    yield one("recorded", "as it stands in the recorded match", "valid", first)
    for name, text in (
        ("standard", "standard"),
        ("quick", "quick"),
        ("long", "long"),
        ("house", "quick,centres=4,hints=yes,patience=10,stock_out=fewest,refill=next-turn"),
    ):
        yield one(f"variant-{name}", f"the variant {text}", "valid", replace(first, variant=text))
    for name, text, why in (
        ("unknown", "blitz", "no such preset"),
        ("empty", "", "no text"),
        ("option", "standard,speed=2", "no such option"),
        ("default", "standard,packs=2", "the preset says that already"),
        ("order", "standard,target=12,pay_off=5", "keys out of their order"),
        ("other-preset", "quick,pay_off=5,target=12", "another preset has fewer keys of its own, or comes first"),
        ("short-form", "pay_off=5,target=12", "the preset is named, even the first one"),
        ("hyphen", "standard,pay-off=5", "a key is written with _"),
        ("zero", "standard,pay_off=05", "a number has no leading zero"),
        ("twice", "standard,target=12,target=12", "a key stands once"),
        ("range", "standard,packs=5", "2 to 4 packs"),
        ("stock", "standard,pay_off=38", "18 cards would be left for the stock"),
        ("space", "standard, target=12", "there are no spaces"),
        ("case", "Standard", "small letters"),
    ):
        yield one(f"variant-{name}", why, "variant", replace(first, variant=text), Code.BAD_VARIANT)
    for name, text in (
        ("24", "n" * 24),
        ("scripts", "Zoë Łuk 李雷 Ωμέγα"),
        ("inner-space", "a b"),
        ("accent", "e\u0301"),
    ):
        yield one(f"name-{name}", "a name", "valid", replace(first, name=text))
    for name, text, why in (
        ("empty", "", "no name"),
        ("25", "n" * 25, "25 code points"),
        ("space-before", " Ana", "a space at an end"),
        ("space-behind", "Ana ", "a space at an end"),
        ("escape", "Ana\x1b[31m", "a control character"),
        ("newline", "Ana\nLee", "a control character"),
        ("delete", "Ana\x7f", "DEL"),
        ("override", "Ana\u202e", "a right-to-left override"),
        ("zero-width", "A\u200bna", "a character that cannot be seen"),
        ("no-break", "A\u00a0na", "a space that is not U+0020"),
        ("filler", "\u3164", "a filler that looks like nothing"),
        ("private", "\ue000", "a private character"),
        ("tag", "A\U000e0041", "a tag character"),
    ):
        yield one(f"name-{name}", why, "name", replace(first, name=text), Code.BAD_NAME)
    yield one("rules", "rules of a later version", "version", replace(first, rules=2), Code.OTHER_VERSION)
    yield one("constants", "another hash", "constants", replace(first, constants=bytes(32)), Code.OTHER_CONSTANTS)
    small = replace(first, identity=ORDER_2)
    yield one("identity", "an identity of order 2", "signature", small, Code.BAD_IDENTITY)
    yield one("forged", "signed by somebody else", "signature", first, Code.BAD_SIGNATURE, signer=STRANGER)
    yield one("seat-1", "seat 1 opens no match", "speaker", first, Code.WRONG_AUTHOR, author=1, signer=SIGNERS[0])
    order = replace(first, rules=2, variant="blitz", name="", constants=bytes(32))
    yield one(
        "order",
        "rules, variant, name and constants are wrong; the rules come first",
        "order",
        order,
        Code.OTHER_VERSION,
    )
    order = replace(first, variant="blitz", name="")
    yield one("order-variant", "variant and name are wrong; the variant comes first", "order", order, Code.BAD_VARIANT)
    yield vector(
        "opened-digest",
        "the digest of another state",
        "digest",
        start,
        said(start, first, digest=bytes(8)),
        Code.DIGEST_DIFFERS,
    )


def _entry_2() -> Iterator[Vector]:
    start = at("short", 1)
    match = start.match
    second = joined(match)

    def one(name: str, comment: str, flag: str, event: Joined, expect: Code | None = None, **changes: object) -> Vector:
        return vector(f"joined-{name}", comment, flag, start, said(start, event, **changes), expect)

    def with_key(name: str, comment: str, flag: str, other: Key, expect: Code) -> Vector:
        return one(name, comment, flag, replace(second, key=other), expect)

    yield one("recorded", "as it stands in the recorded match", "valid", second)
    yield one("name", "a name of 25 code points", "name", replace(second, name="n" * 25), Code.BAD_NAME)
    own = replace(second, identity=SIGNERS[0].identity)
    yield one("own-identity", "the identity of seat 0", "identity", own, Code.SAME_IDENTITY, signer=SIGNERS[0])
    yield one("forged", "signed by somebody else", "signature", second, Code.BAD_SIGNATURE, signer=STRANGER)
    place = place_of(match, events.JOINED, 1)
    secret = derive_key(game_seed(AUTHORS[1].secret, place.match, 1, 1), place)
    for name, comment, other in (
        ("key-game", "the key is proved for game 2", place._replace(game=2)),
        ("key-seat", "the key is proved for seat 0", place._replace(author=0)),
        ("key-match", "the key is proved for another match", place._replace(match=bytes(32))),
        ("key-kind", "the key is proved for an entry of another kind", place._replace(kind=events.REVEALED)),
        ("key-place", "the key is proved for another predecessor", place._replace(prev=bytes(32))),
    ):
        yield with_key(name, comment, "proof", key(other, secret), Code.BAD_KEY_PROOF)
    good = second.key
    yield with_key("key-missing", "no key", "length", Key(), Code.BAD_LENGTH)
    yield with_key("key-short", "a key of 31 bytes", "length", Key(good.point[:31], good.proof), Code.BAD_LENGTH)
    yield with_key("proof-long", "a proof of 65 bytes", "length", Key(good.point, good.proof + b"\0"), Code.BAD_LENGTH)
    big = good.proof[:32] + Q.to_bytes(32, "little")
    yield with_key("key-scalar", "s = q", "deck", Key(good.point, big), Code.BAD_SCALAR)
    yield with_key("key-identity", "the key O", "deck", Key(IDENTITY_POINT, good.proof), Code.BAD_POINT)
    own_secret = key(place, identity_secret(1))
    yield with_key("key-is-identity", "his own identity as the key", "key", own_secret, Code.REUSED_KEY)
    host_secret = key(place, identity_secret(0))
    yield with_key("key-is-hosts", "the identity of seat 0 as the key", "key", host_secret, Code.REUSED_KEY)
    yield vector(
        "joined-digest",
        "the digest of another state",
        "digest",
        start,
        said(start, second, digest=bytes(8)),
        Code.DIGEST_DIFFERS,
    )
    late = Dealt(good, Shuffle())
    yield vector(
        "nobody-sits", "seat 1 speaks before it is taken", "speaker", start, said(start, late), Code.WRONG_AUTHOR
    )
    yield vector(
        "opened-twice",
        "a second opening",
        "state",
        start,
        said(start, replace(opened(VARIANT), identity=SIGNERS[1].identity)),
        Code.WRONG_EVENT,
    )
    yield vector(
        "joined-by-0",
        "seat 0 joins too",
        "speaker",
        start,
        said(start, replace(second, identity=SIGNERS[0].identity), author=0),
        Code.WRONG_AUTHOR,
    )


def _entry_3() -> Iterator[Vector]:
    start = at("short", 2)
    match = start.match
    third = start.next
    if not isinstance(third, Dealt):
        raise TypeError("entry 3 deals")

    def one(name: str, comment: str, flag: str, event: Dealt, expect: Code | None = None, **changes: object) -> Vector:
        return vector(f"dealt-{name}", comment, flag, start, said(start, event, **changes), expect)

    place = place_of(match, events.DEALT, 1)
    theirs = derive_key(
        game_seed(AUTHORS[1].secret, place.match, 1, 1), place_of(at("short", 1).match, events.JOINED, 1)
    )
    none = Shuffle()
    copied = key(place, theirs)
    yield one("key-copied", "the key of seat 1 again", "key", Dealt(copied, none), Code.REUSED_KEY)
    cancelling = key(place, scalar(-theirs))
    yield one("key-cancels", "minus the key of seat 1", "key", Dealt(cancelling, none), Code.IDENTITY_KEY)
    yield one("no-shuffle", "no shuffle", "length", Dealt(third.key, none), Code.BAD_LENGTH)
    timed = Dealt(third.key, none)
    yield one("time", "a deal has no time; the missing shuffle comes later", "order", timed, Code.BAD_TIME, time_ms=1)
    deck = third.shuffle.deck
    swapped = Shuffle(deck[64:128] + deck[:64] + deck[128:], third.shuffle.proof)
    yield one(
        "swapped", "two cards exchanged after proving", "proof", Dealt(third.key, swapped), Code.BAD_SHUFFLE_PROOF
    )
    yield vector(
        "dealt-resigned",
        "nothing can be resigned before the deck is shuffled",
        "state",
        start,
        said(start, events.Resigned()),
        Code.WRONG_EVENT,
    )
    yield vector("dealt-by-1", "seat 1 deals", "speaker", start, said(start, third, author=1), Code.WRONG_AUTHOR)


def _deal() -> Iterator[Vector]:
    start = at("short", 3)
    fourth = start.next
    if not isinstance(fourth, Answered):
        raise TypeError("entry 4 answers")
    yield from _answers(start, fourth)
    show = in_state(State.SHOW)
    fifth = show.next
    if not isinstance(fifth, Answered):
        raise TypeError("entry 5 answers")
    yield vector("show-recorded", "as it stands in the recorded match", "valid", show, show.raw)

    def one(name: str, comment: str, flag: str, event: Answered, expect: Code, **changes: object) -> Vector:
        return vector(f"show-{name}", comment, flag, show, said(show, event, **changes), expect)

    shares, none = fifth.shares, Shuffle()
    yield one("time", "an answer has no time", "time", fifth, Code.BAD_TIME, time_ms=1)
    fewer = Answered(none, Shares(shares.points[:-32], shares.proof))
    yield one("six", "six shares of seven", "due", fewer, Code.NOT_DUE)
    more = Answered(none, Shares(shares.points + shares.points[:32], shares.proof))
    yield one("eight", "eight shares", "due", more, Code.NOT_DUE)
    yield one("none", "no shares", "due", Answered(none, Shares()), Code.NOT_DUE)
    uneven = Answered(none, Shares(shares.points + b"\0", shares.proof))
    yield one("uneven", "seven shares and a byte", "length", uneven, Code.BAD_LENGTH)
    unproved = Answered(none, Shares(shares.points, b""))
    yield one("unproved", "seven shares without a proof", "length", unproved, Code.BAD_LENGTH)
    exchanged = Answered(none, Shares(shares.points[32:64] + shares.points[:32] + shares.points[64:], shares.proof))
    yield one("exchanged", "two shares exchanged", "proof", exchanged, Code.BAD_SHARE_PROOF)
    surplus = Answered(Shuffle(bytes(64), bytes(32)), shares)
    yield one("shuffle", "a shuffle that is not due", "due", surplus, Code.NOT_DUE)
    game = sure(show.match.game)
    own_hand = _batch(show, game.dealer)
    yield one("own-hand", "shares of the author's own hand", "proof", Answered(none, own_hand), Code.BAD_SHARE_PROOF)
    yield vector(
        "show-moved",
        "a move before both tops lie open",
        "state",
        show,
        said(show, events.Moved("p-c1", None, Shares(), none)),
        Code.WRONG_EVENT,
    )
    yield vector(
        "show-by-other",
        "the answer of the wrong seat",
        "speaker",
        show,
        said(show, fifth, author=1 - game.dealer),
        Code.WRONG_AUTHOR,
    )
    yield vector("show-resigned", "a resignation during the deal", "valid", show, said(show, events.Resigned()))


def _batch(head: Head, seat: int) -> Shares:
    """Shares of the speaker for the hand of this seat and both tops."""
    game = sure(head.match.game)
    slots = [slot for slot in game.table.places[seat].hand if slot is not None]
    return shares_of(head, [*slots, top_slot(game.table, game.dealer), top_slot(game.table, 1 - game.dealer)])


def _answers(start: Head, fourth: Answered) -> Iterator[Vector]:
    def one(name: str, comment: str, flag: str, event: Answered, expect: Code) -> Vector:
        return vector(f"shuffle-{name}", comment, flag, start, said(start, event), expect)

    no_shuffle = Answered(Shuffle(), fourth.shares)
    yield one("missing", "no shuffle 2", "due", no_shuffle, Code.NOT_DUE)
    few = Answered(Shuffle(bytes(64), bytes(32)), fourth.shares)
    yield one("length", "a shuffle of one card", "length", few, Code.BAD_LENGTH)
    deck = fourth.shuffle.deck
    point = Answered(Shuffle(IDENTITY_POINT + deck[32:], fourth.shuffle.proof), fourth.shares)
    yield one("point", "O as a part of a card", "deck", point, Code.BAD_POINT)
    no_shares = Answered(Shuffle(bytes(64), bytes(32)), Shares())
    yield one("no-shares", "no shares; what is due comes before lengths", "order", no_shares, Code.NOT_DUE)
    yield vector(
        "shuffle-resigned",
        "a resignation as soon as the deck is shuffled",
        "valid",
        start,
        said(start, events.Resigned()),
    )
