"""The vectors of the transport, through the package and by hand."""

import json

import pytest
from vector_files import VECTORS, Vector, vectors

from scripts.making.net import build
from scripts.reading.net import main
from sm_p2p.errors import Fault
from sm_p2p.net.addresses import Address
from sm_p2p.net.curve import CurveKeys, curve_keys, curve_of
from sm_p2p.net.inquiry import answer_to, identity_in
from sm_p2p.net.invite import BadInvite, Invite, Origin, Purpose


@pytest.mark.parametrize("vector", vectors("invites.json"), ids=repr)
def test_invite(vector: Vector) -> None:
    expect = "ok"
    try:
        invite = Invite.parse(vector.text("text"))
    except BadInvite as refusal:
        expect = refusal.code
    else:
        places = [Address(*place) for place in vector.items("addresses") if isinstance(place, list)]  # type: ignore[arg-type]
        match = vector.raw("match")
        origin = Origin(vector.raw("host"), match) if match else None
        purpose = Purpose(vector.text("purpose"))
        assert invite == Invite(tuple(places), vector.raw("key"), vector.raw("token"), purpose, origin)
        assert str(invite) == vector.text("line")
    assert expect == vector.expect


@pytest.mark.parametrize("vector", vectors("transport.json", "seed"), ids=repr)
def test_the_keys_of_a_seed(vector: Vector) -> None:
    keys = curve_keys(vector.raw("seed"))
    assert keys == CurveKeys(vector.raw("key"), vector.raw("secret"))
    assert curve_of(vector.raw("identity")) == keys.public


@pytest.mark.parametrize("vector", vectors("transport.json", "identity"), ids=repr)
def test_the_key_of_an_identity(vector: Vector) -> None:
    expect = "ok"
    try:
        assert curve_of(vector.raw("identity")) == vector.raw("key")
    except Fault as fault:
        expect = fault.code
    assert expect == vector.expect


@pytest.mark.parametrize("vector", vectors("transport.json", "question"), ids=repr)
def test_a_question_has_one_answer_of_its_own_size(vector: Vector) -> None:
    expect, datagram = "ok", vector.raw("datagram")
    try:
        answer = answer_to(datagram, vector.raw("identity"))
        assert answer == vector.raw("answer")
        assert len(answer) == len(datagram)
    except Fault as fault:
        expect = fault.code
    assert expect == vector.expect


@pytest.mark.parametrize("vector", vectors("transport.json", "answer"), ids=repr)
def test_an_answer_tells_whose_table_it_is(vector: Vector) -> None:
    expect = "ok"
    try:
        assert identity_in(vector.raw("datagram"), vector.raw("nonce")) == vector.raw("identity")
    except Fault as fault:
        expect = fault.code
    assert expect == vector.expect


def test_the_files_are_what_their_script_makes() -> None:
    for name, content in build().items():
        assert json.loads((VECTORS / name).read_text("utf-8")) == content


def test_every_vector_holds_for_the_reference() -> None:
    main()
