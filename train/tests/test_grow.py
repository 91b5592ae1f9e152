"""A grown network answers as the one it grew from, and learns with all that is new."""

import pytest
import torch

from ishi_train.grow import grown
from ishi_train.model import NUMBERS, PLANES, SIDE, Network, Shape


def random_network(shape: Shape) -> Network:
    torch.manual_seed(3)
    network = Network(shape)
    with torch.no_grad():
        for name, value in network.state_dict().items():
            if value.is_floating_point():
                value.copy_(torch.rand_like(value) + 0.5 if name.endswith("running_var") else 0.2 * torch.randn_like(value))
    return network.eval()


def random_batch() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(4)
    planes = (torch.rand(4, PLANES, SIDE, SIDE) < 0.2).float()
    planes[:, 0] = 1.0
    planes[3, :, 9:] = 0.0
    planes[3, :, :, 9:] = 0.0
    return planes, torch.randn(4, NUMBERS)


@pytest.mark.parametrize("shape", [Shape(4, 32, 16, 4), Shape(3, 48, 16, 12), Shape(7, 48, 16, 20)])
def test_answers_stay(shape):
    small = random_network(Shape(3, 32, 16, 4))
    batch = random_batch()
    with torch.no_grad():
        for before, after in zip(small(*batch), grown(small, shape)(*batch)):
            assert torch.allclose(before, after, rtol=1e-4, atol=1e-4)


def test_what_is_new_learns():
    large = grown(random_network(Shape(3, 32, 16, 4)), Shape(4, 48, 16, 12)).train()
    optimiser = torch.optim.SGD(large.parameters(), lr=0.01)
    for _ in range(3):
        optimiser.zero_grad()
        out = large(*random_batch())
        (out.judge_policy.square().mean() + out.lead.square().mean()).backward()
        optimiser.step()
    assert large.blocks[0].first.weight.grad[:32, 32:].abs().max() > 0
    assert large.blocks[3].first.weight.grad.abs().max() > 0
    assert large.policy.moves.weight.grad[:, 32:].abs().max() > 0


def test_nothing_shrinks():
    small = random_network(Shape(3, 32, 16, 4))
    for shape, words in [
        (Shape(2, 32, 16, 4), "blocks must be at least 3"),
        (Shape(3, 16, 16, 4), "channels must be at least 32"),
        (Shape(3, 32, 32, 4), "head must stay 16"),
    ]:
        with pytest.raises(ValueError, match=words):
            grown(small, shape)
