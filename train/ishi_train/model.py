"""The network: a residual trunk with global pooling, two policies, winner, lead, spread and owners.

Every output is from the side to move. The same layout is evaluated by the Rust crate `ishi-judge`; `export.py` writes
the weights for it. Batch normalisation exists in training only.
"""

from dataclasses import asdict, dataclass
from typing import NamedTuple, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn

SIDE = 19
POINTS = SIDE * SIDE
PLANES = 25
NUMBERS = 8
HIDDEN = 64
# `ishi-judge` computes channels in groups of this many.
CHANNEL_GROUP = 16
# Points of lead and spread that one unit of the network's output stands for.
POINTS_PER_UNIT = 20.0
# Logit of a point outside the board: no softmax gives it anything.
OUTSIDE = -1e4


@dataclass(frozen=True)
class Shape:
    """What the size of a network depends on: blocks, channels of the trunk, channels of the heads, pooled channels."""

    blocks: int = 6
    channels: int = 96
    head: int = 32
    pooled: Optional[int] = None

    def __post_init__(self):
        if self.pooled is None:
            object.__setattr__(self, "pooled", 32 if self.channels >= 64 else self.channels // 4)
        for name, value in asdict(self).items():
            if not 1 <= value <= 255:
                raise ValueError(f"{name} must be 1 to 255, not {value}")
        for name in ("channels", "head"):
            if getattr(self, name) % CHANNEL_GROUP:
                raise ValueError(f"{name} must be a multiple of {CHANNEL_GROUP}, not {getattr(self, name)}")
        if self.pooled >= self.channels:
            raise ValueError(f"pooled channels must be fewer than the {self.channels} channels, not {self.pooled}")


class Outputs(NamedTuple):
    """What the network says of a batch of n positions, from the side to move."""

    judge_policy: Tensor
    """Logits of the moves of a strong judge: [n, 362], the pass last."""
    played_policy: Tensor
    """Logits of the moves of strong people: [n, 362], the pass last."""
    winner: Tensor
    """Logit that the side to move wins: [n]."""
    lead: Tensor
    """Lead of the side to move, in points: [n]."""
    spread: Tensor
    """Standard deviation of the final score, in points: [n]."""
    owners: Tensor
    """Owners before tanh: [n, 361], the side to move's are positive."""


class Board(NamedTuple):
    """Which points of a batch lie on the board. `mask` is None if all boards fill the planes, which saves time."""

    mask: Optional[Tensor]
    """[n, 1, 19, 19], 1 on the board."""
    points: Tensor
    """Points of each board: [n, 1]."""

    @classmethod
    def of(cls, planes: Tensor) -> "Board":
        mask = planes[:, :1]
        points = mask.sum(dim=(1, 2, 3)).unsqueeze(1)
        if bool((points == POINTS).all()):
            mask = None
        return cls(mask, points)

    def cut(self, x: Tensor) -> Tensor:
        """Sets everything outside the boards to zero."""
        return x if self.mask is None else x * self.mask.to(x.dtype)

    def mean(self, x: Tensor) -> Tensor:
        """Mean over each board of values that are zero outside: [n, c]."""
        return x.sum(dim=(2, 3), dtype=torch.float32) / self.points

    def width_offset(self) -> Tensor:
        """(width - 14) / 10 of a square board of as many points: [n, 1]."""
        return (self.points.sqrt() - 14.0) / 10.0


class BoardNorm(nn.BatchNorm2d):
    """Batch normalisation whose mean and variance are taken over the points of the boards only."""

    def after(self, convolution: nn.Conv2d, x: Tensor, board: Board) -> Tensor:
        """The normalised convolution. Where means and variances are known before, they go into its kernel and bias: that is several passes
        over all values less, forwards and backwards."""
        if self.training:
            return self.forward_on(convolution(x), board)
        assert convolution.bias is None and convolution.stride == (1, 1)
        scale = self.weight / (self.running_var + self.eps).sqrt()
        kernel = convolution.weight * scale[:, None, None, None]
        return F.conv2d(x, kernel, self.bias - self.running_mean * scale, padding=convolution.padding)

    def forward_on(self, x: Tensor, board: Board) -> Tensor:
        if board.mask is None or not self.training:
            return super().forward(x)
        points = board.points.sum()
        values = board.cut(x.float())
        mean = values.sum(dim=(0, 2, 3)) / points
        squares = board.cut((x.float() - mean.view(1, -1, 1, 1)) ** 2)
        variance = squares.sum(dim=(0, 2, 3)) / points
        self._keep(mean.detach(), variance.detach() * points / (points - 1).clamp(min=1))
        scale = self.weight / (variance + self.eps).sqrt()
        shift = self.bias - mean * scale
        return x * spread_out(scale[None]).to(x.dtype) + spread_out(shift[None]).to(x.dtype)

    @torch.no_grad()
    def _keep(self, mean: Tensor, variance: Tensor) -> None:
        self.num_batches_tracked.add_(1)
        self.running_mean.lerp_(mean, self.momentum)
        self.running_var.lerp_(variance, self.momentum)


def pool_with_maximum(x: Tensor, board: Board) -> Tensor:
    """Mean, mean by the board's width, and maximum of values that are at least zero: [n, 3c]."""
    mean = board.mean(x)
    return torch.cat([mean, mean * board.width_offset(), x.amax(dim=(2, 3)).float()], dim=1)


def pool_for_value(x: Tensor, board: Board) -> Tensor:
    """Mean, and mean by the board's width and its square: [n, 3c]."""
    mean, offset = board.mean(x), board.width_offset()
    return torch.cat([mean, mean * offset, mean * (offset**2 - 0.1)], dim=1)


def conv(inputs: int, outputs: int, width: int) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, width, padding=width // 2, bias=False)


def spread_out(x: Tensor) -> Tensor:
    """[n, c] as [n, c, 1, 1], to be added to every point."""
    return x[:, :, None, None]


class Block(nn.Module):
    """Two convolutions around which the trunk passes. A pooling block tells the first one about the whole board."""

    def __init__(self, shape: Shape, pools: bool):
        super().__init__()
        self.first, self.first_norm = conv(shape.channels, shape.channels, 3), BoardNorm(shape.channels)
        self.second, self.second_norm = conv(shape.channels, shape.channels, 3), BoardNorm(shape.channels)
        self.local = shape.channels - shape.pooled
        self.pool = nn.Linear(3 * shape.pooled, self.local, bias=False) if pools else None

    def forward(self, x: Tensor, board: Board) -> Tensor:
        y = self.first_norm.after(self.first, x, board)
        if self.pool is None:
            y = board.cut(F.relu(y))
        else:
            y = self._with_pool(y, board)
        z = self.second_norm.after(self.second, y, board)
        return board.cut(F.relu(x + z))

    def _with_pool(self, y: Tensor, board: Board) -> Tensor:
        pooled = board.cut(F.relu(y[:, self.local :]))
        told = self.pool(pool_with_maximum(pooled, board))
        local = board.cut(F.relu(y[:, : self.local] + spread_out(told).to(y.dtype)))
        return torch.cat([local, pooled], dim=1)


class PolicyHead(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.asking, self.asking_norm = conv(shape.channels, shape.head, 1), BoardNorm(shape.head)
        self.moves, self.moves_norm = conv(shape.channels, shape.head, 1), BoardNorm(shape.head)
        self.pool = nn.Linear(3 * shape.head, shape.head, bias=False)
        self.logits = conv(shape.head, 2, 1)
        self.passing = nn.Linear(3 * shape.head, 2)

    def forward(self, x: Tensor, board: Board) -> Tensor:
        """Logits of both policies: [n, 2, 362]."""
        q = board.cut(F.relu(self.asking_norm.after(self.asking, x, board)))
        pooled = pool_with_maximum(q, board)
        p = self.moves_norm.after(self.moves, x, board)
        p = F.relu(p + spread_out(self.pool(pooled)).to(p.dtype))
        logits = self.logits(p).float()
        if board.mask is not None:
            logits = torch.where(board.mask > 0, logits, OUTSIDE)
        return torch.cat([logits.flatten(2), self.passing(pooled).float().unsqueeze(2)], dim=2)


class ValueHead(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.values, self.values_norm = conv(shape.channels, shape.head, 1), BoardNorm(shape.head)
        self.owners = nn.Conv2d(shape.head, 1, 1)
        # The means of a board change little from position to position: 20 points of lead are a twentieth of all points.
        # Unless they are normalised, lead and winner are learned many times more slowly than owners.
        self.pool_norm = nn.BatchNorm1d(3 * shape.head, eps=1e-4, affine=False)
        self.hidden = nn.Linear(3 * shape.head, HIDDEN)
        self.out = nn.Linear(HIDDEN, 3)

    def forward(self, x: Tensor, board: Board) -> tuple[Tensor, Tensor]:
        """Winner, lead and spread before their scales: [n, 3]; owners before tanh: [n, 361]."""
        v = board.cut(F.relu(self.values_norm.after(self.values, x, board)))
        owners = board.cut(self.owners(v).float())
        hidden = F.relu(self.hidden(self.pool_norm(pool_for_value(v, board))))
        return self.out(hidden).float(), owners.flatten(1)


class Network(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.input = conv(PLANES, shape.channels, 3)
        self.input_numbers = nn.Linear(NUMBERS, shape.channels, bias=False)
        self.input_norm = BoardNorm(shape.channels)
        self.blocks = nn.ModuleList(Block(shape, pools(index)) for index in range(shape.blocks))
        self.policy = PolicyHead(shape)
        self.value = ValueHead(shape)
        start_near_identity(self)

    def forward(self, planes: Tensor, numbers: Tensor) -> Outputs:
        """`planes` [n, 25, 19, 19] of zeros and ones, `numbers` [n, 8]."""
        board = Board.of(planes)
        x = self.input(planes)
        x = x + spread_out(self.input_numbers(numbers)).to(x.dtype)
        x = board.cut(F.relu(self.input_norm.forward_on(x, board)))
        for block in self.blocks:
            x = block(x, board)
        policies = self.policy(x, board)
        values, owners = self.value(x, board)
        return Outputs(
            judge_policy=policies[:, 0],
            played_policy=policies[:, 1],
            winner=values[:, 0],
            lead=values[:, 1] * POINTS_PER_UNIT,
            spread=F.softplus(values[:, 2]) * POINTS_PER_UNIT,
            owners=owners,
        )


def pools(index: int) -> bool:
    """Whether the block of this index (from 0) looks at the whole board: every third one."""
    return index % 3 == 2


def start_near_identity(network: Network) -> None:
    """Lets each block begin by adding little, so that deep trunks learn from the first step (Goyal et al. 2017, section 5.1)."""
    for block in network.blocks:
        nn.init.zeros_(block.second_norm.weight)
