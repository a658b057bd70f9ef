"""A shuffler who follows the letter of the argument and chooses everything himself: matrix, masks, deck, nonces.

With a permutation matrix he is the honest prover, written a second time from the formulas of `protocol/deck.md`. With
any other one he does the best that a cheat can do, and with trapdoors (the logarithms of the generators) he should win.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple, TypeAlias

from sm_p2p.deck.generators import commitment_base, commitment_bases
from sm_p2p.deck.group import G, Point, base, combine, encode_scalar, minus, plus, scalar, times
from sm_p2p.deck.masking import Deck, MaskedCard
from sm_p2p.deck.transcript import SHUFFLE, Context, Transcript, draw_scalars
from sm_p2p.stream import Stream

Matrix: TypeAlias = Sequence[Sequence[int]]


def permutation_matrix(places: Sequence[int]) -> Matrix:
    """Row i has its one at the input place that output i comes from."""
    return [[int(j == place) for j in range(len(places))] for place in places]


class Choices(NamedTuple):
    """What a prover can choose, and the logarithms that a cheat may know."""

    matrix: Matrix
    rho: Sequence[int]
    r_hat: Sequence[int]
    w_hat: Sequence[int]
    w_prime: Sequence[int]
    w: Sequence[int]
    generators: Sequence[Point]
    logs: Mapping[Point, int]

    @property
    def bases(self) -> Sequence[Point]:
        """H_1 … H_n."""
        return self.generators[1:]


def choose(matrix: Matrix, *, noise: str = "noise") -> Choices:
    """Choices of someone without trapdoors; the noise names other nonces."""
    n = len(matrix)
    stream = Stream("forger", noise)
    rho, r_hat, w_hat, w_prime = (draw_scalars(stream, n) for _ in range(4))
    generators = [commitment_base(), *commitment_bases(n)]
    return Choices(matrix, rho, r_hat, w_hat, w_prime, draw_scalars(stream, 4), generators, {})


def remasked(deck: Deck, joint: Point, matrix: Matrix, masks: Sequence[int]) -> Deck:
    """out_i = Σ_j matrix[i][j]·in_j, remasked with masks[i]."""
    out = []
    for row, t in zip(matrix, masks, strict=True):
        a = combine(row, [card.a for card in deck])
        b = combine(row, [card.b for card in deck])
        out.append(MaskedCard(plus(a, base(t)), plus(b, times(t, joint))))
    return tuple(out)


def commitments(choices: Choices) -> list[Point]:
    """c_j = ρ_j·G + Σ_i matrix[i][j]·H_i."""
    columns = zip(*choices.matrix, strict=True)
    return [plus(base(rho), combine(column, choices.bases)) for rho, column in zip(choices.rho, columns, strict=True)]


class Forgery:
    """An argument in the making: first the commitments and challenges, then the rest."""

    def __init__(
        self, ctx: Context, joint: Point, deck: Deck, choices: Choices, statement: type[Transcript] = Transcript
    ) -> None:
        self.ctx, self.joint, self.deck, self.choices, self.statement = ctx, joint, deck, choices, statement
        self.c = commitments(choices)

    def transcript(self, out: Deck) -> Transcript:
        """S over this output."""
        h, *bases = self.choices.generators
        halves = [[card.a for card in self.deck], [card.b for card in self.deck]]
        halves += [[card.a for card in out], [card.b for card in out]]
        return self.statement(SHUFFLE, self.ctx, G, h, self.joint, bases, *halves, self.c)

    def exponents(self, out: Deck) -> tuple[Sequence[int], list[int]]:
        """u, and u′ = matrix·u."""
        u = self.transcript(out).challenges(len(self.deck))
        return u, [sum(m * u_j for m, u_j in zip(row, u, strict=True)) for row in self.choices.matrix]

    def prove(self, out: Deck, masks: Sequence[int], u_prime: Sequence[int] | None = None) -> bytes:
        """The argument that Σ u′_i·out_i is Σ u_j·in_j under the masks."""
        generators, rho, r_hat, w_hat, w_prime, w = (
            self.choices.generators,
            self.choices.rho,
            self.choices.r_hat,
            self.choices.w_hat,
            self.choices.w_prime,
            self.choices.w,
        )
        n = len(self.deck)
        transcript = self.transcript(out)
        u, own = self.exponents(out)
        u_prime = own if u_prime is None else u_prime
        chain = [generators[0]]
        for r_i, u_i in zip(r_hat, u_prime, strict=True):
            chain.append(plus(base(r_i), times(u_i, chain[-1])))
        a_out, b_out = [card.a for card in out], [card.b for card in out]
        t = [
            base(w[0]),
            base(w[1]),
            plus(base(w[2]), combine(w_prime, self.choices.bases)),
            minus(combine(w_prime, a_out), base(w[3])),
            minus(combine(w_prime, b_out), times(w[3], self.joint)),
        ]
        t_hat = [plus(base(w_hat[i]), times(w_prime[i], chain[i])) for i in range(n)]
        star = transcript.challenge(chain[1:], t, t_hat)
        secrets = [
            sum(rho),
            self._chain_secret(u, u_prime),
            self._commitment_secret(u, u_prime),
            sum(u_i * t_i for u_i, t_i in zip(u_prime, masks, strict=True)),
        ]
        numbers = [star, *(w_k + star * secret for w_k, secret in zip(w, secrets, strict=True))]
        numbers += [w_hat[i] + star * r_hat[i] for i in range(n)]
        numbers += [w_prime[i] + star * u_prime[i] for i in range(n)]
        return b"".join([*self.c, *chain[1:], *(encode_scalar(scalar(number)) for number in numbers)])

    def _chain_secret(self, u: Sequence[int], u_prime: Sequence[int]) -> int:
        v, found = 1, 0
        for r_i, u_i in zip(reversed(self.choices.r_hat), reversed(u_prime), strict=True):
            found += r_i * v
            v *= u_i
        return found + (v - prod(u)) * self.choices.logs.get(self.choices.generators[0], 0)

    def _commitment_secret(self, u: Sequence[int], u_prime: Sequence[int]) -> int:
        true = [sum(m * u_j for m, u_j in zip(row, u, strict=True)) for row in self.choices.matrix]
        logs = [self.choices.logs.get(point, 0) for point in self.choices.bases]
        found = sum(rho * u_j for rho, u_j in zip(self.choices.rho, u, strict=True))
        return found + sum((m - u_i) * e for m, u_i, e in zip(true, u_prime, logs, strict=True))
