"""The weights file of `ishi-judge`: batch normalisation folded into kernels and biases, float32, little endian.

It begins with `ishijdg1` and eight bytes: version, blocks, channels, channels of the heads, pooled channels, planes,
numbers, 0. All weights follow in the order of `folded_weights`, then FNV-1a (64 bits) of everything before.
"""

import struct
from pathlib import Path
from typing import NamedTuple, Optional

import numpy as np
import torch
from torch import Tensor, nn

from .model import NUMBERS, PLANES, Network

MAGIC = b"ishijdg1"
VERSION = 1
FNV_START = 0xCBF29CE484222325
FNV_FACTOR = 0x100000001B3


class Normalised(NamedTuple):
    """A convolution, what is added to its outputs, and the normalisation after them."""

    convolution: nn.Conv2d
    norm: nn.BatchNorm2d
    added: Optional[nn.Linear] = None


class Hidden(NamedTuple):
    """A linear layer after a normalisation."""

    linear: nn.Linear
    norm: nn.BatchNorm1d


def layout(network: Network) -> list[Normalised | Hidden | Tensor]:
    """The parts of the network in the order of the file."""
    parts = [Normalised(network.input, network.input_norm, network.input_numbers)]
    for block in network.blocks:
        parts.append(Normalised(block.first, block.first_norm))
        if block.pool is not None:
            parts.append(block.pool.weight)
        parts.append(Normalised(block.second, block.second_norm))
    policy, value = network.policy, network.value
    parts += [Normalised(policy.asking, policy.asking_norm), policy.pool.weight]
    parts += [Normalised(policy.moves, policy.moves_norm)]
    parts += [policy.logits.weight, policy.passing.weight, policy.passing.bias]
    parts += [Normalised(value.values, value.values_norm), value.owners.weight, value.owners.bias]
    return parts + [Hidden(value.hidden, value.pool_norm), value.out.weight, value.out.bias]


def folded_weights(network: Network) -> list[Tensor]:
    """All weights in the order of the file, as `ishi-judge` uses them."""
    return [weight for part in layout(network) for weight in folded_part(part)]


def folded_part(part: Normalised | Hidden | Tensor) -> list[Tensor]:
    match part:
        case Normalised():
            return folded(part)
        case Hidden():
            return list(folded_hidden(part.linear, part.norm))
    return [part]


def folded(part: Normalised) -> list[Tensor]:
    """Kernel, weights of what is added, and bias that do what the convolution and its normalisation do together."""
    norm = part.norm
    scale = norm.weight.double() / (norm.running_var.double() + norm.eps).sqrt()
    kernel = part.convolution.weight.double() * scale.view(-1, 1, 1, 1)
    added = [] if part.added is None else [part.added.weight * scale[:, None]]
    return [kernel, *added, norm.bias.double() - norm.running_mean.double() * scale]


def folded_hidden(hidden: nn.Linear, norm: nn.BatchNorm1d) -> tuple[Tensor, Tensor]:
    """Matrix and bias that do what the normalisation and the linear layer after it do together."""
    matrix = hidden.weight.double() / (norm.running_var.double() + norm.eps).sqrt()
    return matrix, hidden.bias.double() - matrix @ norm.running_mean.double()


@torch.no_grad()
def network_bytes(network: Network) -> bytes:
    shape = network.shape
    head = MAGIC + struct.pack("<8B", VERSION, shape.blocks, shape.channels, shape.head, shape.pooled, PLANES, NUMBERS, 0)
    flat = np.concatenate([part.detach().cpu().double().contiguous().numpy().ravel() for part in folded_weights(network)])
    if not np.isfinite(flat).all():
        raise ValueError("the network must have finite weights only")
    content = head + flat.astype("<f4").tobytes()
    return content + struct.pack("<Q", fnv1a(content))


def write_network(network: Network, path: Path) -> int:
    """Writes the file. Gives its length."""
    content = network_bytes(network)
    path.write_bytes(content)
    return len(content)


def fnv1a(content: bytes) -> int:
    """FNV-1a, 64 bits (Fowler, Noll and Vo)."""
    value = FNV_START
    for byte in content:
        value = ((value ^ byte) * FNV_FACTOR) & 0xFFFFFFFFFFFFFFFF
    return value
