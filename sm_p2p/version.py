"""The three versions that matter to two players: of the package, of the protocol, of the rules."""

PACKAGE = "0.1.0"
PROTOCOL = 1
RULES = 1
