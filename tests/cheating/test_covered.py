"""Every attack that the design names, and what tells it to a real process: vectors, or tests of this directory.

What is about a program of one's own (a digest over hidden cards, keys without a context, weakened copies of the scheme)
is no word that a cheat could say; `tests/simulator/mutants.py` and `tests/deck/test_positive_controls.py` have it.
"""

import ast
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cheating.evening import VECTORS
from cheating.test_signed import attacks

HERE: Final = Path(__file__).parent
DECK: Final[Mapping[str, tuple[str, ...]]] = {
    "a key proved under the other seat": ("joined-key-seat",),
    "a key proved in another game or match, at another place, for another kind": (
        "joined-key-game", "joined-key-match", "joined-key-place", "joined-key-kind", "reveal-key-game",
    ),
    "a rogue key": ("dealt-key-rogue", "dealt-key-cancels", "follow-key-cancels"),
    "a key that is the identity, of small or mixed order": ("joined-key-identity", "joined-key-small", "joined-key-mixed"),
    "an own key, identity or earlier key again": (
        "joined-key-is-identity", "joined-key-is-hosts", "dealt-key-copied", "reveal-key-again", "reveal-key-theirs",
    ),
    "both identities equal": ("joined-own-identity",),
    "a scalar of q and more": ("joined-key-scalar", "due-scalar", "due-scalar-largest", "reveal-secret-high"),
    "a scalar or point of a wrong length": (
        "joined-key-short", "joined-proof-long", "due-share-31", "due-share-33", "due-proof-63", "reveal-secret-31",
    ),
    "something of a wrong type": ("shape-moved-bool", "shape-answered-text", "shape-revealed-number", "shape-dealt-nil"),
    "a point that is not canonical, the identity, off the curve or the subgroup": (
        "due-point", "due-point-off-curve", "due-point-unreduced", "due-point-small", "due-point-mixed", "shuffle-point",
        "joined-key-off-curve", "joined-key-unreduced",
    ),
    "a shuffle with a card twice": ("complete-twice",),
    "a foreign card": ("complete-foreign",),
    "one card shifted": ("complete-shifted",),
    "two cards shifted against each other": ("complete-shifted-both",),
    "a linear non-permutation": ("complete-linear",),
    "rows swapped after proving": ("dealt-swapped",),
    "the input reordered, or another set": ("complete-input", "complete-other-set"),
    "a card missing or added": ("shuffle-length", "complete-length", "follow-length"),
    "no cards at all": ("dealt-no-shuffle", "shuffle-missing", "complete-no-shuffle"),
    "a proof from another place of the chain": ("due-other-place", "due-other-prev", "due-other-kind", "complete-other-place"),
    "a proof of another game or match": ("due-other-game", "due-other-match"),
    "a share of another card": ("due-other-card", "show-own-hand", "answer-own-top"),
    "a share of another player or key": ("due-other-player", "due-other-seat", "due-other-key"),
    "a shuffle under another joint key": ("complete-other-joint",),
    "shares permuted in a batch": ("show-exchanged", "show-exchanged-proved", "show-doubled", "draw-order", "draw-first"),
    "errors that cancel": ("show-cancel", "show-wrong"),
    "a share that makes a card one of choice": ("due-chosen",),
    "an empty batch, too many, too few": ("due-no-share", "show-none", "show-six", "show-eight", "draw-fewer", "refill-four"),
    "another card than announced": ("move-lie", "move-twin"),
    "a card that is not in the hand, or was played": ("due-other-card", "move-played", "move-no-card", "move-pack"),
    "an unsolicited share, or a share twice": ("due-peek", "due-twice", "answer-more", "win-share", "tie-share"),
    "a shuffle skipped, or one that is not due": (
        "complete-no-shuffle", "refill-no-shuffle", "follow-no-shuffle", "due-shuffle", "answer-shuffle", "over-shuffle",
    ),
    "a draw while a shuffle is due": ("refill-no-shares", "shuffle-no-shares"),
    "a winning play with a shuffle, a tie with shares for a draw": ("win-shuffle", "tie-share"),
    "keys in the wrong order or without the next": ("reveal-by-other", "reveal-no-key", "over-key"),
    "a wrong author, gap or predecessor": ("chain-other-seat", "chain-gap", "chain-again", "chain-prev"),
    "an entry of another match": ("chain-match", "chain-first"),
    "a key before the game is over": ("answer-reveal",),
    "a key that does not match": ("reveal-wrong",),
    "another version, variant or constants": ("opened-rules", "opened-variant-unknown", "opened-constants"),
    "a petition of an earlier game, overtaken, with a wrong head, twice": (
        "petition-game", "petition-overtaken", "petition-head", "petition-again", "petition-future", "petition-forged",
    ),
}  # fmt: skip
SAID: Final[Mapping[str, str]] = {
    "two entries for one place": "test_two_entries_at_one_place_are_the_proof",
    "one entry with two signatures": "test_an_entry_signed_again_in_another_way_is_the_same_entry",
    "an entry that nobody has signed": "test_an_entry_with_another_signature_that_is_none_is_nobodys",
    "a shorter log": "test_whoever_claims_a_shorter_log_is_sent_the_same_bytes",
    "a longer log": "test_whoever_claims_a_longer_log_brings_it_or_nothing_is_signed",
    "what is due is refused": "test_whoever_owes_something_and_says_nothing_is_waited_for_by_name",
    "duplicate keys, unknown fields, not canonical, oversized, nested": "test_an_entry_that_cannot_be_read_is_as_if_it_had_not_come",
    "the same in frames": "test_a_frame_that_is_none_is_as_if_it_had_not_come",
    "a petition of an earlier time": "test_a_petition_from_before_ones_last_entry_ends_nothing",
    "an edited log": "test_no_share_rests_on_a_deck_that_somebody_has_written_into_the_file",
    "a directory that was put back": "test_an_older_copy_signs_nothing_while_the_other_hides_what_came_after",
    "HTTP requests, random bytes": "test_whatever_else_speaks_at_the_port",
    "port scans": "test_a_port_scan",
    "half-open connections": "test_a_thousand_half_open_connections",
    "endless multipart messages of a stranger": "test_a_first_message_that_never_ends_is_cut_off",
    "of who watches": "test_a_message_of_a_watcher_that_never_ends_is_cut_off",
    "of a player": "test_a_message_of_a_player_that_never_ends_is_cut_off_and_he_may_come_again",
    "of a host": "test_a_message_that_never_ends_is_cut_off_each_time",
    "oversized messages": "test_a_message_that_promises_more_than_passes_ends_the_connection",
    "nested or oversized first frames": "test_a_first_frame_that_is_no_hello_ends_the_connection",
    "floods of notes and petitions": "test_a_player_who_floods_is_answered_soon_all_the_same",
    "a spectator that sends entries": "test_whoever_watches_cannot_say_what_players_say",
    "a spectator that floods": "test_a_watcher_that_floods_makes_nobody_wait",
    "a routing id": "test_a_route_that_somebody_has_chosen_is_no_name_while_he_sits_there",
    "a replayed frame": "test_frames_of_somebody_else_are_worth_nothing_from_another_connection",
    "replayed bytes": "test_bytes_that_were_recorded_on_the_line_are_worth_nothing_once_more",
    "a copied file": "test_whoever_has_copied_all_files_but_the_key_is_nobody",
    "a token of another kind": "test_each_token_is_for_one_thing",
    "a token of another table": "test_a_token_is_worth_nothing_at_another_table_or_when_the_same_one_is_opened_again",
}


def test_every_attack_of_the_design_is_told_to_a_real_process() -> None:
    told = {str(vector["id"]) for vector in attacks()}
    opened = {
        one["id"] for one in json.loads((VECTORS / "session.json").read_text("utf-8"))["vectors"] if not one["entries"]
    }
    assert {name for names in DECK.values() for name in names} <= told | opened
    tests = {
        node.name
        for path in HERE.glob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert {*SAID.values()} <= tests
