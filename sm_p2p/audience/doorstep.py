"""What every greeting has to be before anybody asks what it is for."""

from sm_p2p.errors import Code, Fault
from sm_p2p.net.curve import curve_of
from sm_p2p.session.wire import Hello
from sm_p2p.version import PROTOCOL


def doubt(hello: Hello, key: bytes, ours: bytes) -> Code | None:
    """Why a greeting, sent over a connection that proved `key`, cannot be listened to at the door of `ours`; None if it can."""
    if not hello.low <= PROTOCOL <= hello.high:
        return Code.OTHER_VERSION
    if not _belongs(hello.identity, key):
        return Code.BAD_IDENTITY
    return Code.OWN_TABLE if hello.identity == ours else None


def _belongs(identity: bytes, key: bytes) -> bool:
    """Whether this connection's key is the one that belongs to the identity."""
    try:
        return curve_of(identity) == key
    except Fault:
        return False
