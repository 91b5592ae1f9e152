"""What learning makes small: one term for each thing that is known about a sample, nothing for what is not known."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from .model import POINTS_PER_UNIT, Outputs
from .samples import GAME_WINNER, JUDGE_POLICY, JUDGE_WINNER, LEAD, OWNERS, PLAYED, SPREAD, Batch


@dataclass(frozen=True)
class Weights:
    """How much each term counts. Zero leaves it out."""

    judge_policy: float = 1.0
    played: float = 1.0
    game_winner: float = 1.0
    judge_winner: float = 1.0
    lead: float = 1.0
    spread: float = 0.25
    owners: float = 1.5


# An error of the lead above this many points counts by its size, one below by its square.
LEAD_BEND = 8.0


class Term(NamedTuple):
    """One term of the loss, for each sample of a batch."""

    values: Tensor
    """[n], zero where nothing is known."""
    known: Tensor
    """[n], 1 where something is known."""


def losses(outputs: Outputs, batch: Batch) -> dict[str, Term]:
    """The terms by the names of `Weights`."""
    each = {
        "judge_policy": (JUDGE_POLICY, cross_entropy(outputs.judge_policy, batch.judge_policy)),
        "played": (PLAYED, cross_entropy(outputs.played_policy, batch.played)),
        "game_winner": (GAME_WINNER, binary(outputs.winner, batch.game_winner)),
        "judge_winner": (JUDGE_WINNER, binary(outputs.winner, batch.judge_winner)),
        "lead": (LEAD, points_loss(outputs.lead, batch.lead)),
        "spread": (SPREAD, points_loss(outputs.spread, batch.spread)),
        "owners": (OWNERS, owners_loss(outputs.owners, batch)),
    }
    return {name: Term(values * batch.knows(bit), batch.knows(bit)) for name, (bit, values) in each.items()}


def total(terms: dict[str, Term], weights: Weights) -> Tensor:
    """The weighted sum of the terms' means over the batch, in which samples without knowledge count zero."""
    return torch.stack([getattr(weights, name) * term.values.mean() for name, term in terms.items()]).sum()


def points_loss(said: Tensor, right: Tensor) -> Tensor:
    """Huber's loss of points: square up to `LEAD_BEND` points, straight above. [n]."""
    bend = LEAD_BEND / POINTS_PER_UNIT
    return F.huber_loss(said / POINTS_PER_UNIT, right / POINTS_PER_UNIT, reduction="none", delta=bend) / bend


def cross_entropy(logits: Tensor, probabilities: Tensor) -> Tensor:
    """[n] from [n, moves]."""
    return -(probabilities * F.log_softmax(logits, dim=1)).sum(dim=1)


def binary(logit: Tensor, probability: Tensor) -> Tensor:
    return F.binary_cross_entropy_with_logits(logit, probability, reduction="none")


def owners_loss(owners: Tensor, batch: Batch) -> Tensor:
    """Mean over each board's points of the cross-entropy between owners as probabilities. `owners` are before tanh.

    (1 + tanh x) / 2 is the logistic function of 2x, so that the usual stable formula serves.
    """
    on_board = batch.planes[:, 0].flatten(1)
    points = binary(2.0 * owners, (1.0 + batch.owners) / 2.0) * on_board
    return points.sum(dim=1) / on_board.sum(dim=1)
