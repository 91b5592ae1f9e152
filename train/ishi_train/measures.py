"""How well a network judges positions it never learned from, beside what simple answers would reach."""

from typing import Callable, Iterator

import numpy as np
import torch
from torch import Tensor

from .loss import binary
from .model import OUTSIDE, POINTS, Outputs
from .samples import GAME_WINNER, JUDGE_POLICY, JUDGE_WINNER, LEAD, OWNERS, PLAYED, SPREAD, Batch, unpack

Answerer = Callable[[Batch], Outputs]

TITLES = {
    "judge_first": "judge's first choice is our first",
    "judge_five": "judge's first choice is among our five",
    "played_first": "move played is our first",
    "played_five": "move played is among our five",
    "lead": "lead, mean error in points",
    "spread": "spread, mean error in points",
    "owners": "owners, mean error (-1 to 1)",
    "game_winner": "winner of the game, log loss",
    "judge_winner": "judge's chances, log loss",
}


def in_batches(records: np.ndarray, size: int) -> Iterator[Batch]:
    for start in range(0, len(records), size):
        part = records[start : start + size]
        yield unpack(part, np.zeros(len(part), dtype=np.int64))


def measure(answer: Answerer, records: np.ndarray, size: int = 128) -> dict[str, float]:
    """The mean of each measure over the records that know its answer; a measure that none knows is left out."""
    sums: dict[str, float] = {}
    counts: dict[str, float] = {}
    for batch in in_batches(records, size):
        for name, (bit, values) in measures_of(answer(batch), batch).items():
            known = batch.knows(bit)
            sums[name] = sums.get(name, 0.0) + float((values.double() * known).sum())
            counts[name] = counts.get(name, 0.0) + float(known.sum())
    return {name: sums[name] / counts[name] for name in sums if counts[name]}


def measures_of(outputs: Outputs, batch: Batch) -> dict[str, tuple[int, Tensor]]:
    """Each measure for each sample, with the bit that says whether it is known."""
    judge, played = rank(outputs.judge_policy, batch.judge_policy, batch), rank(outputs.played_policy, batch.played, batch)
    on_board = batch.planes[:, 0].flatten(1)
    owners = ((outputs.owners.tanh() - batch.owners).abs() * on_board).sum(dim=1) / on_board.sum(dim=1)
    return {
        "judge_first": (JUDGE_POLICY, (judge < 1).float()),
        "judge_five": (JUDGE_POLICY, (judge < 5).float()),
        "played_first": (PLAYED, (played < 1).float()),
        "played_five": (PLAYED, (played < 5).float()),
        "lead": (LEAD, (outputs.lead - batch.lead).abs()),
        "spread": (SPREAD, (outputs.spread - batch.spread).abs()),
        "owners": (OWNERS, owners),
        "game_winner": (GAME_WINNER, binary(outputs.winner, batch.game_winner)),
        "judge_winner": (JUDGE_WINNER, binary(outputs.winner, batch.judge_winner)),
    }


def rank(logits: Tensor, right: Tensor, batch: Batch) -> Tensor:
    """How many free points (or the pass) are rated above the right move, the most probable of `right`: [n]."""
    free = batch.planes[:, 0] * (1 - batch.planes[:, 1]) * (1 - batch.planes[:, 2]) * (1 - batch.planes[:, 6])
    may = torch.cat([free.flatten(1), torch.ones(len(logits), 1)], dim=1) > 0
    legal = torch.where(may, logits, 2 * OUTSIDE)
    move = right.argmax(dim=1, keepdim=True)
    return (legal > logits.gather(1, move)).sum(dim=1)


def simple_answers(learned: Batch) -> Answerer:
    """Answers that know no Go: how often each point is chosen, mean lead and spread, stones own the points they stand on.

    `learned` is a batch of samples to take the means from.
    """

    def mean(values: Tensor, bit: int) -> Tensor:
        known = learned.knows(bit)
        return (values * known.view(-1, *[1] * (values.ndim - 1))).sum(dim=0) / known.sum().clamp(min=1)

    judge, played = mean(learned.judge_policy, JUDGE_POLICY), mean(learned.played, PLAYED)
    lead, spread = mean(learned.lead, LEAD), mean(learned.spread, SPREAD)
    won = mean(learned.game_winner, GAME_WINNER).clamp(0.05, 0.95)

    def answer(batch: Batch) -> Outputs:
        n = len(batch.planes)
        stones = (batch.planes[:, 1] - batch.planes[:, 2]).flatten(1)
        return Outputs(
            judge_policy=(judge + 1e-5).log().expand(n, POINTS + 1),
            played_policy=(played + 1e-5).log().expand(n, POINTS + 1),
            winner=torch.logit(won).expand(n),
            lead=lead.expand(n),
            spread=spread.expand(n),
            owners=10.0 * stones,
        )

    return answer


def table(measured: dict[str, float], simple: dict[str, float]) -> str:
    """The measures, one a line, beside those of simple answers."""
    lines = [f"  {'':42}{'network':>9}{'simple':>9}"]
    for name, title in TITLES.items():
        if name in measured:
            lines.append(f"  {title:42}{measured[name]:9.3f}{simple[name]:9.3f}")
    return "\n".join(lines)
