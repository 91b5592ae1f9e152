"""How the weights move: optimisers, the rate over time, and the running average of the weights that is exported."""

import math
from typing import Iterable

import torch
from torch import Tensor, nn

OPTIMISERS = ("adamw", "sgd", "muon")
SCHEDULES = ("cosine", "constant", "cooldown")
DEFAULT_RATES = {"adamw": 2e-3, "sgd": 0.1, "muon": 0.02}
# Adam's share of the rate in Muon's optimiser, for what is no kernel of a block.
ADAM_SHARE = 0.1


class Muon(torch.optim.Optimizer):
    """Momentum whose step for each kernel is made orthogonal, and AdamW for the rest.

    After K. Jordan and others, "Muon: An optimizer for hidden layers in neural networks" (2024). A convolution's kernel
    is taken as a matrix of outputs by inputs times 3x3.
    """

    def __init__(self, kernels: Iterable[Tensor], rate: float, momentum: float = 0.95, decay: float = 0.0):
        super().__init__(list(kernels), {"lr": rate, "momentum": momentum, "weight_decay": decay})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for kernel in group["params"]:
                if kernel.grad is not None:
                    self._move(kernel, group)

    def _move(self, kernel: Tensor, group: dict) -> None:
        mean = self.state[kernel].setdefault("mean", torch.zeros_like(kernel))
        mean.lerp_(kernel.grad, 1 - group["momentum"])
        ahead = kernel.grad.lerp(mean, group["momentum"])
        matrix = ahead.flatten(1)
        scale = max(1.0, matrix.shape[0] / matrix.shape[1]) ** 0.5
        kernel.mul_(1 - group["lr"] * group["weight_decay"])
        kernel.add_(orthogonal(matrix).view_as(kernel), alpha=-group["lr"] * scale)


def orthogonal(matrix: Tensor, steps: int = 5) -> Tensor:
    """Brings the singular values of a matrix near 1, by the Newton-Schulz iteration of Muon's authors."""
    a, b, c = 3.4445, -4.7750, 2.0315
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x.T if tall else x


class Optimiser:
    """One or two optimisers of torch as one."""

    def __init__(self, network: nn.Module, kind: str, rate: float, decay: float):
        kernels = [p for p in network.parameters() if p.ndim > 1]
        others = [p for p in network.parameters() if p.ndim <= 1]
        groups = [{"params": kernels, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
        if kind == "adamw":
            self.parts = [torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.99))]
        elif kind == "sgd":
            self.parts = [torch.optim.SGD(groups, lr=rate, momentum=0.9, nesterov=True)]
        else:
            hidden = [p for name, p in network.named_parameters() if name.startswith("blocks.") and p.ndim == 4]
            known = {id(p) for p in hidden}
            groups[0]["params"] = [p for p in kernels if id(p) not in known]
            self.parts = [Muon(hidden, rate, decay=decay), torch.optim.AdamW(groups, lr=rate * ADAM_SHARE, betas=(0.9, 0.99))]
        self._rates = [[group["lr"] for group in part.param_groups] for part in self.parts]

    def step(self, share_of_rate: float) -> None:
        """Moves the weights along their gradients, at this share of the full rate, and forgets the gradients."""
        for part, rates in zip(self.parts, self._rates):
            for group, rate in zip(part.param_groups, rates):
                group["lr"] = rate * share_of_rate
            part.step()
            part.zero_grad(set_to_none=True)

    def state(self) -> list[dict]:
        return [part.state_dict() for part in self.parts]

    def restore(self, state: list[dict]) -> None:
        for part, kept in zip(self.parts, state):
            part.load_state_dict(kept)


def share_of_rate(schedule: str, step: int, steps: int, warm_up: int) -> float:
    """The share of the full rate for a step of `steps`: up in a straight line first, then as the schedule says.

    `cosine` falls all the way; `constant` stays; `cooldown` stays until the last fifth and falls to zero in a line.
    """
    warm = min(1.0, (step + 1) / max(1, warm_up))
    done = min(1.0, step / max(1, steps))
    if schedule == "cosine":
        return warm * (0.5 + 0.5 * math.cos(math.pi * done))
    if schedule == "cooldown":
        return warm * min(1.0, (1.0 - done) / 0.2)
    return warm


class Average:
    """A running average of the weights and of the batch statistics."""

    def __init__(self, network: nn.Module, keep: float):
        self.keep, self.steps = keep, 0
        self.values = {name: value.detach().clone() for name, value in network.state_dict().items()}

    @torch.no_grad()
    def update(self, network: nn.Module) -> None:
        """Early averages are shorter, so that the first weights are soon forgotten."""
        keep = min(self.keep, (1 + self.steps) / (10 + self.steps))
        self.steps += 1
        for name, value in network.state_dict().items():
            if value.is_floating_point():
                self.values[name].lerp_(value, 1 - keep)
            else:
                self.values[name].copy_(value)
