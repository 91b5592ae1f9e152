"""A larger network that begins by answering as a smaller one does.

After T. Chen, I. Goodfellow and J. Shlens, "Net2Net: Accelerating learning via knowledge transfer" (2016), but new channels are not
copies of old ones: they begin at random, and nothing that was there listens to them yet. New blocks begin by adding nothing.
"""

from dataclasses import asdict

import torch
from torch import Tensor, nn

from .model import Block, Network, Shape


@torch.no_grad()
def grown(small: Network, shape: Shape) -> Network:
    """A network of this shape, which must be at least as large in everything and have the same heads."""
    for name, value in asdict(small.shape).items():
        wanted = getattr(shape, name)
        if wanted < value or (name == "head" and wanted != value):
            must = f"must stay {value}" if name == "head" else f"must be at least {value}"
            raise ValueError(f"{name} {must} to begin with this network, not {wanted}")
    large = Network(shape)
    trunk = torch.arange(small.shape.channels)
    place_input(small, large, trunk)
    for old, new in zip(small.blocks, large.blocks):
        place_block(old, new, small.shape, shape, trunk)
    place_heads(small, large, trunk)
    return large.train(small.training)


def place(old: Tensor, new: Tensor, outputs: Tensor, inputs: Tensor) -> None:
    """Puts a matrix or a kernel into a larger one. Old outputs do not listen to new inputs."""
    new[outputs] = 0.0
    new[outputs[:, None], inputs[None, :]] = old


def place_norm(old: nn.BatchNorm2d, new: nn.BatchNorm2d, channels: Tensor) -> None:
    for name in ("weight", "bias", "running_mean", "running_var"):
        getattr(new, name)[channels] = getattr(old, name)
    new.num_batches_tracked.copy_(old.num_batches_tracked)


def place_input(small: Network, large: Network, trunk: Tensor) -> None:
    place(small.input.weight, large.input.weight, trunk, torch.arange(small.input.in_channels))
    place(small.input_numbers.weight, large.input_numbers.weight, trunk, torch.arange(small.input_numbers.in_features))
    place_norm(small.input_norm, large.input_norm, trunk)


def place_block(old: Block, new: Block, before: Shape, after: Shape, trunk: Tensor) -> None:
    middle = trunk
    if old.pool is not None:
        local, pooled = torch.arange(old.local), torch.arange(before.pooled)
        middle = torch.cat([local, new.local + pooled])
        numbers = torch.cat([part * after.pooled + pooled for part in range(3)])
        place(old.pool.weight, new.pool.weight, local, numbers)
    place(old.first.weight, new.first.weight, middle, trunk)
    place_norm(old.first_norm, new.first_norm, middle)
    place(old.second.weight, new.second.weight, trunk, middle)
    place_norm(old.second_norm, new.second_norm, trunk)


def place_heads(small: Network, large: Network, trunk: Tensor) -> None:
    """The heads are as they were, and do not listen to new channels."""
    listening = {"policy.asking.weight", "policy.moves.weight", "value.values.weight"}
    old, new = small.state_dict(), large.state_dict()
    for name, value in old.items():
        if name.startswith(("policy.", "value.")):
            if name in listening:
                place(value, new[name], torch.arange(len(value)), trunk)
            else:
                new[name].copy_(value)
