"""One invite, one line; a mistyped one is never tried."""

import base64
import hashlib
import re
import string
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wires import HOST, OTHER, identity

from sm_p2p.net.addresses import Address
from sm_p2p.net.invite import MAX_TEXT, SCHEME, BadInvite, Invite, Origin, Purpose, invite_in
from sm_p2p.ui import notices

ADDRESSES = (Address("192.168.1.20", 7227), Address("2001:db8::1", 7227), Address("ana.local", 80))
KEY, TOKEN = identity(HOST), bytes(range(16))
ORIGIN = Origin(identity(OTHER), bytes(range(32)))
SEAT = Invite(ADDRESSES, KEY, TOKEN)
WATCH = Invite(ADDRESSES[:1], KEY, TOKEN, Purpose.WATCH)
RELAY = Invite(ADDRESSES, KEY, TOKEN, Purpose.WATCH, ORIGIN)

hosts = st.sampled_from(["10.0.0.1", "2001:db8::1", "ana.local", "x"])
addresses = st.lists(st.builds(Address, hosts, st.integers(1, 65535)), min_size=1, max_size=16).map(tuple)
identities = st.binary(min_size=32, max_size=32).map(identity)
tokens = st.binary(min_size=16, max_size=16)
matches = st.binary(min_size=32, max_size=32)
invites = st.one_of(
    st.builds(Invite, addresses, identities, tokens, st.sampled_from(Purpose)),
    st.builds(Invite, addresses, identities, tokens, st.just(Purpose.WATCH), st.builds(Origin, identities, matches)),
)


@settings(derandomize=True, deadline=None)
@given(invites)
def test_every_invite_is_read_back_from_its_line(invite: Invite) -> None:
    assert Invite.parse(str(invite)) == invite


@pytest.mark.parametrize("invite", [SEAT, WATCH, RELAY])
def test_the_line_can_be_copied_anywhere(invite: Invite) -> None:
    line = str(invite)
    assert set(line) <= set(string.ascii_lowercase + string.digits + ":/.,-[]")
    for copied in (line.upper(), f" '{line}'\n", f'"{line}"', line[:80] + "\n" + line[80:]):
        assert Invite.parse(copied) == invite


LETTERS: dict[str, Callable[[str], str]] = {
    "alone": lambda line: f"\n  {line} \n",
    "in capitals": str.upper,
    "broken": lambda line: "\n".join(re.findall(".{1,60}", line)),
    "quoted": lambda line: "".join(f"> {part}\n" for part in re.findall(".{1,60}", line)),
    "with soft breaks": lambda line: "=\n".join(re.findall(".{1,70}", line)),
    "in brackets": lambda line: f"Hello, here it is: <{line}>. See you soon!",
    "with words behind it": lambda line: f"{line} abc 234",
    "twice": lambda line: f"*{line}* <{line}>",
    "as a command": lambda line: f"$ sm-p2p join '{line}' --name Bo",
    "with breaks that nobody sees": lambda line: "\u200b".join(re.findall(".{1,9}", line)) + "\u00ad\ufeff",
    "with other hyphens": lambda line: f"\u201c{line.replace('-', chr(0x2011))}\u201d",
    "as a link": lambda line: f"<a href='{line.replace('[', '%5B').replace(']', '%5d').replace(',', '%2C')}'>",
    "after a torn one": lambda line: f"{line[:40]} ... no, this: {line}",
}


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("invite", [SEAT, WATCH, RELAY])
def test_an_invite_is_found_in_a_letter(invite: Invite, letter: str) -> None:
    assert Invite.parse(invite_in(LETTERS[letter](str(invite)))) == invite


def test_of_several_invites_the_one_for_the_purpose_is_taken_and_a_text_without_any_stays_as_it_is() -> None:
    both = f"{notices.invitation(str(SEAT))}\n{notices.to_watch(str(WATCH))}"
    assert invite_in(both) == str(SEAT)
    assert invite_in(both, Purpose.WATCH) == str(WATCH)
    assert invite_in(f"{WATCH}") == str(WATCH)
    with pytest.raises(BadInvite, match="There are 2 invites in this"):
        invite_in(f"{WATCH} {RELAY}", Purpose.WATCH)
    assert invite_in("> hello\n") == "> hello\n"


def test_what_is_wrong_with_an_invite_is_said() -> None:
    line = str(SEAT)
    for spoilt, said in {
        line[:-1] + ("b" if line[-1] == "a" else "a"): "A character of this invite is wrong",
        line[:-1]: "This invite is incomplete or mistyped",
        line[9:]: "An invite begins with sm-p2p://",
        f"{line[:40]}\u2026{line[-9:]}": "No invite holds the character '\u2026'",
        f"{line}\u202e": r"No invite holds the character '\\u202e'",
        line * 99: "This is too long for an invite",
    }.items():
        with pytest.raises(BadInvite, match=f"{said}.*Copy the whole line again"):
            Invite.parse(spoilt)


@pytest.mark.parametrize("invite", [SEAT, WATCH, RELAY])
def test_the_representation_pastes_back(invite: Invite) -> None:
    assert repr(invite) == f"Invite.parse('{invite}')"


@pytest.mark.parametrize("invite", [SEAT, RELAY])
def test_every_single_mistyped_character_is_noticed(invite: Invite) -> None:
    line = str(invite)
    for place, right in enumerate(line):
        for wrong in set("a2z7q.,:/-0") - {right}:
            with pytest.raises(BadInvite):
                Invite.parse(line[:place] + wrong + line[place + 1 :])


def test_every_missing_and_every_swapped_character_is_noticed() -> None:
    line = str(SEAT)
    for place in range(len(line)):
        with pytest.raises(BadInvite):
            Invite.parse(line[:place] + line[place + 1 :])
        swapped = line[:place] + line[place : place + 2][::-1] + line[place + 2 :]
        if swapped != line:
            with pytest.raises(BadInvite):
                Invite.parse(swapped)


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gets_an_invite_or_a_sentence(text: str) -> None:
    for line in (text, SCHEME + text):
        with pytest.raises(BadInvite, match=r"\.$"):
            Invite.parse(line)


def test_a_book_is_no_invite() -> None:
    with pytest.raises(BadInvite, match="too long"):
        Invite.parse(SCHEME + "a" * MAX_TEXT)


IMPOSSIBLE: dict[str, Callable[[], Invite]] = {
    "no address": lambda: Invite((), KEY, TOKEN),
    "too many addresses": lambda: Invite(ADDRESSES * 6, KEY, TOKEN),
    "an address that is none": lambda: Invite((Address("a b", 1),), KEY, TOKEN),
    "an address in another form": lambda: Invite((Address("2001:db8:0::1", 1),), KEY, TOKEN),
    "an address of this machine alone": lambda: Invite((Address("fe80::1%eth0", 1),), KEY, TOKEN),
    "more than a line": lambda: Invite((Address(".".join(["a" * 62] * 4), 1),) * 16, KEY, TOKEN),
    "a short token": lambda: Invite(ADDRESSES, KEY, TOKEN[1:]),
    "a key that is none": lambda: Invite(ADDRESSES, bytes(32), TOKEN),
    "a relay to play at": lambda: Invite(ADDRESSES, KEY, TOKEN, Purpose.PLAY, ORIGIN),
    "a host's key that is none": lambda: Invite(ADDRESSES, KEY, TOKEN, Purpose.WATCH, Origin(bytes(32), ORIGIN.match)),
    "a short match id": lambda: Invite(ADDRESSES, KEY, TOKEN, Purpose.WATCH, Origin(ORIGIN.host, b"short")),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_no_line_could_say_cannot_be_built(what: str) -> None:
    with pytest.raises(BadInvite):
        IMPOSSIBLE[what]()


def _signed(body: str) -> str:
    return f"{body}.{base64.b32encode(hashlib.sha256(body.encode()).digest()).decode().lower()[:6]}"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda body: body.replace("192.168.1.20:7227", "192.168.1.20"),
        lambda body: body.replace("192.168.1.20", "192.168.001.20"),
        lambda body: body.replace("2001:db8::1", "2001:db8:0::1"),
        lambda body: body.replace("/", "/play.", 3).replace("play.", "", 2),
        lambda body: body + ".aaaa",
        lambda body: body + ".",
        lambda body: body.rpartition(".")[0],
        lambda body: body[:-1] + "1",
        lambda body: body[:-1] + "b",
        lambda body: body.rpartition("/")[0],
        lambda body: body + "=",
        lambda body: body.replace("sm-p2p://", "sm-p2p://,"),
        lambda body: body.replace(",ana.local:80", ",ana.local:80,"),
    ],
    ids=str.split(
        "no-port padded-number long-zeros word-for-play odd-group empty-group no-token no-base32 spare-bits "
        "no-groups padding empty-first empty-last"
    ),
)
def test_a_second_way_to_write_an_invite_is_refused_even_with_a_right_checksum(spoil: Callable[[str], str]) -> None:
    body = str(SEAT).rpartition(".")[0]
    assert _signed(body) == str(SEAT)
    assert spoil(body) != body
    with pytest.raises(BadInvite):
        Invite.parse(_signed(spoil(body)))
