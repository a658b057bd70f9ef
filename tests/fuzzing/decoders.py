"""Every place where bytes from outside become values: one table, with valid examples and the errors that are its own.

Law: a decoder gives a value or one of its own errors, whatever it is given, in bounded time and memory.
`test_decoders.py` fails when the program has a decoder that does not stand here.
"""

from functools import cache
from pathlib import Path
from typing import Final

from fuzzing.decoder import (
    OWN,
    Decoder,
    backup,
    checked,
    fields_of,
    frames,
    home_files,
    logs,
    match,
    next_entries,
    of_file,
    of_text,
    signed,
    summed,
    texts_of,
    vectors_of,
    zipped,
)
from fuzzing.mutation import Shape
from fuzzing.personal import PERSONAL

from scripts.making.recorder import AUTHORS, SIGNERS
from sm_p2p.audience.doorstep import doubt
from sm_p2p.audience.gallery import Gallery
from sm_p2p.cli.words import check_name
from sm_p2p.deck import group, masking, proofs, shuffle
from sm_p2p.deck.audit import open_key
from sm_p2p.deck.transcript import Context
from sm_p2p.errors import DiskTrouble, Fault, JournalDamaged, UsageError, sure
from sm_p2p.log.codec import decode
from sm_p2p.log.entry import read_envelope, unseal
from sm_p2p.log.signature import verify_labelled
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import curve_of
from sm_p2p.net.discovery import announced
from sm_p2p.net.inquiry import MARK_A, answer_to, identity_in
from sm_p2p.net.invite import Invite, invite_in
from sm_p2p.net.zap import reply_to
from sm_p2p.rules import parts
from sm_p2p.rules.cards import Card
from sm_p2p.rules.moves import Move
from sm_p2p.rules.reasons import Misread
from sm_p2p.rules.table import Table
from sm_p2p.rules.variant import Variant
from sm_p2p.session.beside import number_of, unseal_chat, unseal_claim, unseal_resignation
from sm_p2p.session.events import event_of
from sm_p2p.session.greeting import Peer, hello
from sm_p2p.session.session import Session
from sm_p2p.session.text import clean
from sm_p2p.session.verdict import judge
from sm_p2p.session.wire import Hello, read_frame, write_frame
from sm_p2p.store.archive import checked_archive, member_of
from sm_p2p.store.keys import load_secret, parse_secret
from sm_p2p.store.marks import parse_mark, read_mark
from sm_p2p.store.notes import NOTES, read_remark
from sm_p2p.store.options import read_options
from sm_p2p.store.peers import Peers
from sm_p2p.store.records import LOG, read_records
from sm_p2p.store.ways import parse_way, read_way
from sm_p2p.ui.commands import read_command
from sm_p2p.ui.reel_words import read_order
from sm_p2p.watch.chat import read_chat
from sm_p2p.watch.replay import UNPROVED, read_recording
from sm_p2p.watch.sheet_reading import read_sheet
from sm_p2p.watch.verify import verify_file


def _verified(path: Path) -> object:
    return verify_file(path, proofs=UNPROVED).exit_code


def _recorded(path: Path) -> object:
    return [step.after.chain.seq for step in read_recording(path).steps(UNPROVED)]


def _remarks(raw: bytes) -> object:
    return [read_remark(record) for record in read_records(raw, NOTES).records]


def _event(raw: bytes) -> object:
    envelope = read_envelope(raw)
    return event_of(envelope.kind, envelope.data)


def _judged(raw: bytes) -> object:
    """An entry that claims to be the next one of a match."""
    record = match()
    return judge(record.matches[-1], record.raws, [read_envelope(one).id for one in record.raws], raw)


def _heard(raw: bytes) -> object:
    """A frame that comes to a player in the middle of a match; another one must find him as he should be."""
    record = match()
    now = record.matches[-1]
    seat = 1 - sure(now.speaker)
    peer = Peer("Ana", ("host", "guest")[seat], b"", SIGNERS[1 - seat].identity)
    session = Session(AUTHORS[seat], SIGNERS[seat], peer, now, record.raws)
    session.connected(0.0)
    return [session.receive(raw, 1.0), session.receive(raw, 2.0), session.tick(3.0)]


def _watched(raw: bytes) -> object:
    """A frame of somebody who watches."""
    gallery = Gallery(SIGNERS[0], Peer("Ana", "host"))
    gallery.begin(match().raws[:5], 0.0)
    greeting = read_frame(write_frame(hello(SIGNERS[1], Peer("Cy", "spectator"), b"", 0, b"")))
    assert isinstance(greeting, Hello)
    gallery.greet(b"route", greeting, 0.0)
    return gallery.hear(b"route", raw, 1.0)


def _greeted(raw: bytes) -> object:
    """A first frame at the door."""
    frame = read_frame(raw)
    return doubt(frame, curve_of(SIGNERS[1].identity), SIGNERS[0].identity) if isinstance(frame, Hello) else None


def _looked_at(path: Path) -> object:
    with checked_archive(path) as archive:
        return [(member, archive.changed(member)) for member in archive.members]


def _announced(raw: bytes) -> object:
    """An entry of a table on the local network: its key, its name, its hosts."""
    key, name, *hosts = (*raw.split(b"|"), b"", b"")
    texts = [host.decode("utf-8", "surrogateescape") for host in hosts]
    return announced({b"key": key, b"name": name, b"x": None}, texts, len(raw) % 70_000)


PLACE: Final = Context(b"m" * 32, 1, 2, b"p" * 32, 1, 4)


@cache
def _deck(count: int) -> tuple[group.Point, masking.Deck]:
    joint = group.base(7)
    return joint, masking.mask_public([16 * rank for rank in range(1, count + 1)], joint)


def _shuffled(raw: bytes) -> object:
    joint, deck = _deck(3)
    return shuffle.verify_shuffle(PLACE, joint, deck, raw[:192], raw[192:])


def _shared(raw: bytes) -> object:
    _, deck = _deck(3)
    return proofs.verify_shares(PLACE, group.base(5), deck, raw[:96], raw[96:])


def _identity_signed(raw: bytes) -> None:
    verify_labelled(raw[:32], "SM1/entry", raw[96:], raw[32:96])


TABLE: Final = (
    Decoder(
        "value", ("log.codec.decode",), lambda raw: decode(raw, 61_440), OWN, vectors_of("codec", "bytes"), Shape.VALUE
    ),
    Decoder(
        "entry",
        ("log.entry.read_envelope", "session.events.event_of"),
        _event,
        OWN,
        lambda: (*fields_of("entry", ("raw",)), *next_entries()),
        Shape.VALUE,
    ),
    Decoder("next entry", (), _judged, (), next_entries, Shape.VALUE, signed("SM1/entry")),
    Decoder(
        "sealed entry",
        (),
        lambda raw: unseal(read_envelope(raw), SIGNERS[0].identity),
        OWN,
        next_entries,
        Shape.VALUE,
        signed("SM1/entry"),
    ),
    Decoder("frame", ("session.wire.read_frame",), read_frame, OWN, frames, Shape.VALUE),
    Decoder("frame in a match", ("session.session.Session.receive",), _heard, (), frames, Shape.VALUE),
    Decoder("frame of a watcher", (), _watched, (), frames, Shape.VALUE),
    Decoder("first frame", (), _greeted, OWN, frames, Shape.VALUE),
    Decoder(
        "note",
        ("session.beside.unseal_chat", "session.text.check_text"),
        lambda raw: unseal_chat(raw, SIGNERS[0].identity),
        OWN,
        vectors_of("note", "sealed"),
        Shape.VALUE,
        signed("SM1/note"),
    ),
    Decoder(
        "petition",
        ("session.beside.unseal_resignation",),
        lambda raw: unseal_resignation(raw, SIGNERS[0].identity),
        OWN,
        vectors_of("petition", "sealed"),
        Shape.VALUE,
        signed("SM1/petition"),
    ),
    Decoder(
        "claim",
        ("session.beside.unseal_claim",),
        lambda raw: unseal_claim(raw, SIGNERS[0].identity),
        OWN,
        vectors_of("claim", "sealed"),
        Shape.VALUE,
        signed("SM1/claim"),
    ),
    Decoder(
        "number of a note", ("session.beside.number_of",), number_of, OWN, vectors_of("note", "sealed"), Shape.VALUE
    ),
    Decoder(
        "scalar",
        ("deck.group.decode_scalar", "deck.group.decode_scalars"),
        lambda raw: (group.decode_scalars(raw, len(raw) // 32), group.decode_scalar(raw)),
        OWN,
        lambda: (bytes(32), b"\x01" + bytes(31), b"\xff" * 32),
    ),
    Decoder(
        "point", ("deck.group.decode_point",), group.decode_point, OWN, lambda: tuple(one.identity for one in SIGNERS)
    ),
    Decoder(
        "deck",
        ("deck.masking.decode_deck",),
        lambda raw: masking.decode_deck(raw, len(raw) // 64),
        OWN,
        lambda: (masking.encode_deck(_deck(3)[1]),),
    ),
    Decoder(
        "key",
        ("deck.proofs.verify_key",),
        lambda raw: proofs.verify_key(PLACE, raw[:32], raw[32:]),
        OWN,
        lambda: (SIGNERS[0].identity + bytes(64), SIGNERS[0].identity + b"\x01" * 64),
    ),
    Decoder("shares", ("deck.proofs.verify_shares",), _shared, OWN, lambda: (SIGNERS[0].identity * 3 + b"\x01" * 64,)),
    Decoder(
        "shuffle",
        ("deck.shuffle.verify_shuffle",),
        _shuffled,
        OWN,
        lambda: (SIGNERS[0].identity * 12 + b"\x01" * 32 * 11,),
    ),
    Decoder(
        "opened key",
        ("deck.audit.open_key",),
        lambda raw: open_key(raw, group.base(5)),
        OWN,
        lambda: (b"\x05" + bytes(31),),
    ),
    Decoder(
        "identity",
        ("log.signature.check_identity", "log.signature.verify_labelled"),
        _identity_signed,
        OWN,
        lambda: (SIGNERS[0].identity + bytes(64) + b"x",),
    ),
    Decoder("key of a connection", ("net.curve.curve_of",), curve_of, OWN, vectors_of("transport", "identity")),
    Decoder(
        "porter's request",
        ("net.zap.reply_to",),
        lambda raw: reply_to(raw.split(b"|")),
        (),
        lambda: (b"1.0|7|sm-p2p|127.0.0.1||CURVE|" + bytes(32),),
    ),
    Decoder(
        "invite",
        ("net.invite.Invite.parse", "net.invite.invite_in"),
        of_text(lambda text: Invite.parse(invite_in(text))),
        (UsageError,),
        vectors_of("invites", "text"),
        Shape.TEXT,
        checked,
    ),
    Decoder(
        "address",
        ("net.addresses.Address.parse",),
        of_text(Address.parse),
        (UsageError,),
        lambda: (b"127.0.0.1:7227", b"[fe80::1]:7227", b"ana.local:1"),
        Shape.TEXT,
    ),
    Decoder(
        "address nearby",
        ("net.addresses.Address.nearby",),
        of_text(Address.nearby),
        (UsageError,),
        lambda: (b"127.0.0.1:7227", b"[fe80::1%eth0]:7227", b"[::1]:1"),
        Shape.TEXT,
    ),
    Decoder(
        "question about a key",
        ("net.inquiry.answer_to",),
        lambda raw: answer_to(raw, SIGNERS[0].identity),
        OWN,
        vectors_of("transport", "datagram"),
    ),
    Decoder(
        "answer with a key",
        ("net.inquiry.identity_in",),
        lambda raw: identity_in(raw, raw[8:24]),
        OWN,
        lambda: [raw for raw in fields_of("transport", ("datagram",)) if raw.startswith(MARK_A)],
    ),
    Decoder(
        "entry on the local network",
        ("net.discovery.announced",),
        _announced,
        (Fault, UsageError),
        lambda: (SIGNERS[0].identity.hex().encode() + b"|Ana|192.168.1.20|fe80::1|::1",),
    ),
    Decoder(
        "move",
        ("rules.moves.Move.parse",),
        of_text(Move.parse),
        (Misread,),
        texts_of("moves", "texts", "text"),
        Shape.TEXT,
    ),
    Decoder(
        "card",
        ("rules.cards.Card.parse",),
        of_text(Card.parse),
        (Misread,),
        lambda: (b"10H", b"AS.1", b"KD.3"),
        Shape.TEXT,
    ),
    Decoder(
        "variant",
        ("rules.variant.Variant.parse",),
        of_text(Variant.parse),
        (Misread,),
        texts_of("variants", "text"),
        Shape.TEXT,
    ),
    Decoder(
        "table",
        (
            "rules.table.Table.parse",
            *(
                f"rules.parts.{name}"
                for name in (
                    "Stock.parse",
                    "Place.parse",
                    "read_number",
                    "read_seat",
                    "read_pile",
                    "read_piles",
                    "read_slots",
                )
            ),
        ),
        of_text(Table.parse),
        (Misread,),
        texts_of("tables", "text"),
        Shape.TEXT,
    ),
    Decoder(
        "outcome",
        ("rules.parts.Outcome.parse",),
        of_text(parts.Outcome.parse),
        (Misread,),
        lambda: (b"tie", b"win:0:4"),
        Shape.TEXT,
    ),
    Decoder(
        "what is owed",
        ("rules.parts.Owed.parse",),
        of_text(parts.Owed.parse),
        (Misread,),
        lambda: (b"top", b"top;draw=0.1"),
        Shape.TEXT,
    ),
    Decoder(
        "score sheet",
        ("watch.sheet_reading.read_sheet",),
        of_text(read_sheet),
        OWN,
        texts_of("sheets", "text"),
        Shape.TEXT,
    ),
    Decoder(
        "line of a player",
        ("ui.commands.read_command", "session.text.clean"),
        of_text(read_command),
        (),
        lambda: (b"h1-c1", b"show c1", b"say hello", b"0 6"),
        Shape.TEXT,
    ),
    Decoder(
        "line of a reader",
        ("ui.reel_words.read_order",),
        of_text(read_order),
        (),
        lambda: (b"turn 3", b"export a.sheet", b"next 5", b"speed 2"),
        Shape.TEXT,
    ),
    Decoder(
        "name", ("cli.words.check_name",), of_text(check_name), (UsageError,), vectors_of("text", "utf8"), Shape.TEXT
    ),
    Decoder("cleaned text", (), of_text(lambda text: clean(text, 400)), (), vectors_of("text", "utf8"), Shape.TEXT),
    Decoder(
        "records of a log",
        ("store.records.read_records",),
        lambda raw: read_records(raw, LOG),
        (),
        lambda: (*fields_of("journal", ("file",)), *logs()),
        Shape.RAW,
        summed,
    ),
    Decoder(
        "notes",
        ("store.notes.read_remark",),
        _remarks,
        OWN,
        lambda: (*fields_of("journal", ("file",)), *home_files(".notes")()),
        Shape.RAW,
        summed,
    ),
    Decoder("mark", ("store.marks.parse_mark",), parse_mark, (), home_files(".signed", ".checked"), Shape.RAW, summed),
    Decoder(
        "mark in a file",
        ("store.marks.read_mark",),
        of_file(read_mark),
        (JournalDamaged, DiskTrouble),
        home_files(".signed", ".checked"),
        Shape.RAW,
        summed,
    ),
    Decoder(
        "way",
        ("store.ways.parse_way", "store.ways.read_way"),
        of_file(lambda path: (read_way(path), parse_way(path.read_bytes()))),
        (),
        home_files(".way"),
        Shape.TEXT,
    ),
    Decoder(
        "secret",
        ("store.keys.parse_secret", "store.keys.load_secret"),
        of_file(lambda path: (parse_secret(path.read_bytes()), load_secret(path))),
        (UsageError, DiskTrouble),
        home_files(".key", ".secret"),
        Shape.TEXT,
    ),
    Decoder(
        "options",
        ("store.options.read_options",),
        of_file(read_options),
        (DiskTrouble,),
        home_files(".toml"),
        Shape.TEXT,
    ),
    Decoder(
        "whom one has met",
        ("store.peers.Peers.load", "store.peers.read_lines"),
        of_file(Peers.load),
        (DiskTrouble,),
        home_files(".peers", "peers"),
        Shape.TEXT,
    ),
    Decoder(
        "backup",
        ("store.archive.checked_archive",),
        of_file(_looked_at),
        (UsageError, DiskTrouble),
        backup,
        Shape.RAW,
        zipped,
    ),
    Decoder(
        "name in a backup",
        ("store.archive.member_of",),
        of_text(member_of),
        (),
        lambda: (b"keys/identity.key", b"computer/data/" + b"0" * 64 + b".smlog"),
        Shape.TEXT,
    ),
    Decoder(
        "log in a file",
        ("store.journal.read_journal", "watch.verify.verify_file"),
        of_file(_verified),
        (),
        logs,
        Shape.RAW,
        summed,
    ),
    Decoder(
        "recording",
        ("watch.replay.read_recording",),
        of_file(_recorded),
        (Fault, JournalDamaged, DiskTrouble),
        logs,
        Shape.RAW,
        summed,
    ),
    Decoder(
        "chat in a file",
        ("watch.chat.read_chat",),
        of_file(lambda path: [*read_chat(path, match().matches[-1])]),
        (DiskTrouble,),
        home_files(".notes"),
        Shape.RAW,
        summed,
    ),
    *PERSONAL,
)
