"""The weights file of `ishi-judge`: batch normalisation folded into kernels and biases, float32, little endian.

It begins with `ishijdg1` and eight bytes: version, blocks, channels, channels of the heads, pooled channels, planes,
numbers, 0. All weights follow in the order of `folded_weights`, then FNV-1a (64 bits) of everything before.
"""

import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from .model import NUMBERS, PLANES, Network

MAGIC = b"ishijdg1"
VERSION = 1


def folded_weights(network: Network) -> list[Tensor]:
    """All weights in the order of the file, as `ishi-judge` uses them."""
    kernel, bias, scale = folded(network.input, network.input_norm)
    parts = [kernel, network.input_numbers.weight * scale[:, None], bias]
    for block in network.blocks:
        parts += folded(block.first, block.first_norm)[:2]
        if block.pool is not None:
            parts.append(block.pool.weight)
        parts += folded(block.second, block.second_norm)[:2]
    policy, value = network.policy, network.value
    parts += [*folded(policy.asking, policy.asking_norm)[:2], policy.pool.weight]
    parts += folded(policy.moves, policy.moves_norm)[:2]
    parts += [policy.logits.weight, policy.passing.weight, policy.passing.bias]
    parts += folded(value.values, value.values_norm)[:2]
    parts += [value.owners.weight, value.owners.bias, *folded_hidden(value.hidden, value.pool_norm)]
    return parts + [value.out.weight, value.out.bias]


def folded(convolution: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[Tensor, Tensor, Tensor]:
    """Kernel and bias that do what the convolution and its normalisation do together, and the factor of each output."""
    scale = norm.weight.double() / (norm.running_var.double() + norm.eps).sqrt()
    kernel = convolution.weight.double() * scale.view(-1, 1, 1, 1)
    return kernel, norm.bias.double() - norm.running_mean.double() * scale, scale


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
    value = 0xCBF29CE484222325
    for byte in content:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value
