"""Each term counts where it is known and nowhere else; the normalisation sees the boards only."""

import numpy as np
import pytest
import torch

from ishi_train import check
from ishi_train.loss import Weights, losses, total
from ishi_train.model import Board, BoardNorm, Network, Shape
from ishi_train.samples import GAME_WINNER, JUDGE_POLICY, JUDGE_WINNER, LEAD, OWNERS, PLAYED, SPREAD, unpack

BITS = {
    "judge_policy": JUDGE_POLICY, "played": PLAYED, "game_winner": GAME_WINNER, "judge_winner": JUDGE_WINNER,
    "lead": LEAD, "spread": SPREAD, "owners": OWNERS,
}
# Which output each term teaches.
OUTPUT = {
    "judge_policy": "judge_policy", "played": "played_policy", "game_winner": "winner", "judge_winner": "winner",
    "lead": "lead", "spread": "spread", "owners": "owners",
}


def outputs_and_batch(known):
    records = check.made_records(8)
    records["known"] = known
    batch = unpack(records, np.zeros(len(records), dtype=int))
    outputs = check.random_network(9)(batch.planes, batch.numbers)
    return type(outputs)(*(value.detach().requires_grad_() for value in outputs)), batch


@pytest.mark.parametrize("name", BITS)
def test_only_what_is_known_teaches(name):
    # The first sample knows this alone, the second everything but this, the third nothing.
    known = np.zeros(check.RECORDS, dtype=np.uint8)
    known[:2] = BITS[name], 127 & ~BITS[name]
    outputs, batch = outputs_and_batch(known)
    total(losses(outputs, batch), Weights(**only(name))).backward()
    taught = {field: getattr(outputs, field).grad.reshape(check.RECORDS, -1).abs().sum(dim=1) for field in outputs._fields}
    for field, gradient in taught.items():
        if field == OUTPUT[name]:
            assert gradient[0] > 0
            assert (gradient[1:] == 0).all()
        else:
            assert (gradient == 0).all()


def only(name):
    return {term: float(term == name) for term in BITS}


def test_nothing_known_teaches_nothing():
    outputs, batch = outputs_and_batch(0)
    terms = losses(outputs, batch)
    assert all((term.values == 0).all() and (term.known == 0).all() for term in terms.values())


def test_points_outside_the_board_get_no_owner_and_no_move():
    outputs, batch = outputs_and_batch(127)
    total(losses(outputs, batch), Weights()).backward()
    outside = batch.planes[:, 0].flatten(1) == 0
    assert outside.any()
    assert (outputs.owners.grad[outside] == 0).all()
    assert outputs.judge_policy.softmax(dim=1)[:, :361][outside].max() < 1e-20


def test_normalisation_sees_the_boards_only():
    torch.manual_seed(1)
    norm = BoardNorm(4)
    planes = torch.zeros(3, 1, 19, 19)
    for number, size in enumerate((7, 9, 13)):
        planes[number, :, :size, :size] = 1
    x = torch.randn(3, 4, 19, 19) * 3 + 2
    board = Board.of(planes)
    normal = norm.forward_on(x, board)
    inside = normal.permute(1, 0, 2, 3)[:, planes[:, 0] > 0]
    assert inside.mean(dim=1).abs().max() < 1e-5
    assert (inside.std(dim=1, correction=0) - 1).abs().max() < 1e-4
    values = x.permute(1, 0, 2, 3)[:, planes[:, 0] > 0]
    torch.testing.assert_close(norm.running_mean, 0.1 * values.mean(dim=1))
    torch.testing.assert_close(norm.running_var, 0.9 + 0.1 * values.var(dim=1))


def test_normalisation_of_full_boards_is_that_of_torch():
    torch.manual_seed(1)
    ours, theirs = BoardNorm(4), torch.nn.BatchNorm2d(4)
    x = torch.randn(3, 4, 19, 19)
    full = torch.ones(3, 1, 19, 19)
    torch.testing.assert_close(ours.forward_on(x, Board.of(full)), theirs(x))
    masked = BoardNorm(4).forward_on(x, Board(full, torch.full((3, 1), 361.0)))
    torch.testing.assert_close(masked, theirs(x), rtol=1e-4, atol=1e-5)


def test_shapes_that_ishi_cannot_read_are_refused():
    for wrong in ({"blocks": 0}, {"channels": 20}, {"head": 8}, {"channels": 32, "pooled": 32}):
        with pytest.raises(ValueError):
            Network(Shape(**wrong))
