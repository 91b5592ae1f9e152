"""Learning: batches, steps, checkpoints and what is printed on the way. The same command goes on where the last one stopped."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Iterator, Optional

import numpy as np
import torch
from torch import nn

from . import checkpoint as checkpoints
from .checkpoint import Checkpoint, Curve
from .grow import grown
from .loss import Weights, losses, total
from .measures import TITLES, Answerer, measure, simple_answers, table
from .model import Network, Outputs, Shape
from .optimiser import DEFAULT_RATES, OPTIMISERS, SCHEDULES, Average, Optimiser, share_of_rate
from .samples import Batch, Mixture, Split, held_out_records, open_samples, plain_records, unpack
from .unfold import is_weights_file, read_network

# Records from which simple answers take their means.
SIMPLE_RECORDS = 4096
# Records of each file by which the normalisations of a weights file are set.
UNFOLD_RECORDS = 1024


@dataclass(frozen=True)
class Settings:
    """What a run learns, from what, and how. Counts are of positions where nothing else is said."""

    samples: tuple[str, ...]
    out: str
    shares: Optional[tuple[float, ...]] = None
    """How much of a batch comes from each file; by their records if left out."""
    shape: Shape = field(default_factory=Shape)
    positions: int = 10_000_000
    batch: int = 128
    optimiser: str = "muon"
    rate: Optional[float] = None
    decay: float = 0.01
    schedule: str = "cosine"
    warm_up: int = 20_000
    keep: float = 0.999
    """What the average of the weights keeps of itself at each step."""
    weights: Weights = field(default_factory=Weights)
    clip: float = 10.0
    """Longest gradient."""
    seed: int = 1
    split: Split = field(default_factory=Split)
    start_from: Optional[str] = None
    """A checkpoint whose averaged weights a new run begins with, or a weights file."""
    device: str = "cpu"
    threads: int = 1
    bf16: bool = False
    compile: bool = False
    fixed_norms: bool = False
    """Normalisations keep the means and variances that the run began with. Only their scales and shifts learn."""
    loaders: int = 0
    """Threads that prepare batches ahead."""
    checkpoint_minutes: float = 10.0
    measure_every: int = 250_000
    measured: int = 2_000
    """Most records of each file that measures are taken from."""
    print_seconds: float = 30.0

    def __post_init__(self):
        _check(len(self.samples) > 0, "there must be at least one file of samples")
        _check(self.shares is None or len(self.shares) == len(self.samples), "there must be a share for each file")
        _check(self.shares is None or (min(self.shares) >= 0 and sum(self.shares) > 0), "shares must not be negative, nor all zero")
        _check(self.optimiser in OPTIMISERS, f"optimiser must be one of {', '.join(OPTIMISERS)}")
        _check(self.schedule in SCHEDULES, f"schedule must be one of {', '.join(SCHEDULES)}")
        _check(self.batch >= 2, f"batch must be at least 2, not {self.batch}")
        _check(self.positions >= self.batch, "positions must be at least one batch")
        _check(0 <= self.keep < 1, f"keep must be at least 0 and below 1, not {self.keep}")

    def full_rate(self) -> float:
        return DEFAULT_RATES[self.optimiser] if self.rate is None else self.rate

    def steps(self) -> int:
        return self.positions // self.batch


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(message)


# What must not change when a run goes on.
FIXED = ("shape", "optimiser")
# What may change without a word.
UNTOLD = ("out", "threads", "print_seconds", "checkpoint_minutes", "start_from")


class Stop:
    """Set by Ctrl-C (or SIGTERM): the run ends after the step it is in."""

    def __init__(self):
        self.wished = False

    def __enter__(self) -> "Stop":
        self._before = {kind: signal.signal(kind, self._wish) for kind in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_) -> None:
        for kind, handler in self._before.items():
            signal.signal(kind, handler)

    def _wish(self, *_) -> None:
        self.wished = True


class Run:
    """A run of learning, new or gone on with."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.folder = Path(settings.out)
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        files = [open_samples(Path(path)) for path in settings.samples]
        shares = settings.shares or [len(file) for file in files]
        self.mixture = Mixture(files, shares, settings.split, settings.batch, settings.seed)
        self.held_out = held_out_records(files, settings.split, settings.measured)
        self.network = Network(settings.shape).to(settings.device, memory_format=torch.channels_last)
        self.optimiser = Optimiser(self.network, settings.optimiser, settings.full_rate(), settings.decay)
        self.average = Average(self.network, settings.keep)
        self.steps, self.seconds = 0, 0.0
        self._begin(files)
        if settings.compile:
            compile_blocks(self.network)
        self.losses_curve = Curve(self.folder / "losses.csv", ["rate", "total", *asdict(settings.weights)], self.positions)
        self.measures_curve = Curve(self.folder / "measures.csv", list(TITLES), self.positions)
        self.simple = measure(simple_answers(self._first_samples(files)), self.held_out)

    @property
    def positions(self) -> int:
        return self.steps * self.settings.batch

    def _first_samples(self, files: list[np.ndarray]) -> Batch:
        return unpack(self._first_records(files, SIMPLE_RECORDS), np.zeros(1, dtype=np.int64))

    def _first_records(self, files: list[np.ndarray], most: int) -> np.ndarray:
        """The first records of each file, of games that are learned from."""
        records = np.concatenate([plain_records(file[:most]) for file in files])
        return records[~self.settings.split.held_out(records["game"])]

    def _begin(self, files: list[np.ndarray]) -> None:
        if (self.folder / checkpoints.FILE).exists():
            self._restore(checkpoints.load(self.folder))
        elif self.settings.start_from:
            first = self._first_network(Path(self.settings.start_from), files)
            if first.shape != self.settings.shape:
                print(f"grows from {options_of(first.shape)}")
            self.network.load_state_dict(grown(first, self.settings.shape).state_dict())
            self.average = Average(self.network, self.settings.keep)
        else:
            _check(not self.settings.fixed_norms, "a run with fixed normalisations must start from a network that has learned (--start-from)")

    def _first_network(self, path: Path, files: list[np.ndarray]) -> Network:
        if is_weights_file(path):
            return read_network(path, self._first_records(files, UNFOLD_RECORDS))
        return checkpoints.load(path).averaged_network()

    def _restore(self, kept: Checkpoint) -> None:
        for name in changed(kept.settings, asdict(self.settings)):
            before, now = kept.settings.get(name), asdict(self.settings)[name]
            _check(name not in FIXED, f"{name} must stay {before} in {self.folder}, not {now}: choose another folder")
            print(f"changed: {name} is {now}, was {before}")
        self.network.load_state_dict(kept.network)
        self.average.values = {name: value.to(self.settings.device) for name, value in kept.average.items()}
        self.average.steps = kept.average_steps
        self.optimiser.restore(kept.optimiser)
        self.steps, self.seconds = kept.steps, kept.seconds
        print(f"goes on after {kept.positions:,} positions and {duration(kept.seconds)}")

    def checkpoint(self) -> Checkpoint:
        return Checkpoint(
            settings=asdict(self.settings),
            shape=asdict(self.settings.shape),
            network=self.network.state_dict(),
            average=self.average.values,
            average_steps=self.average.steps,
            optimiser=self.optimiser.state(),
            steps=self.steps,
            positions=self.positions,
            seconds=self.seconds,
        )

    def step(self, batch: Batch) -> dict[str, tuple[float, float]]:
        """Learns from a batch. Gives the sum of each term and the number of samples that it is known of."""
        settings = self.settings
        set_training(self.network, settings.fixed_norms)
        batch = to_device(batch, settings.device)
        with torch.autocast(settings.device.split(":")[0], torch.bfloat16, enabled=settings.bf16):
            outputs = self.network(batch.planes, batch.numbers)
        terms = losses(outputs, batch)
        total(terms, settings.weights).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), settings.clip, error_if_nonfinite=True)
        self.optimiser.step(self.share_of_rate())
        self.average.update(self.network)
        self.steps += 1
        sums = torch.stack([torch.stack([term.values.detach().sum(), term.known.sum()]) for term in terms.values()])
        return {name: (value, known) for name, (value, known) in zip(terms, sums.tolist())}

    def share_of_rate(self) -> float:
        settings = self.settings
        return share_of_rate(settings.schedule, self.steps, settings.steps(), settings.warm_up // settings.batch)

    def measured(self) -> dict[str, float]:
        """The measures of the averaged weights on the games held out."""
        network = Network(self.settings.shape).to(self.settings.device, memory_format=torch.channels_last)
        network.load_state_dict(self.average.values)
        return measure(answers_of(network, self.settings.device), self.held_out)

    def batches(self) -> Iterator[Batch]:
        """The batches from where the run stands, prepared ahead by other threads if there are any."""
        numbers = range(self.steps, self.settings.steps())
        if not self.settings.loaders:
            yield from map(self.mixture.batch_at, numbers)
            return
        with ThreadPoolExecutor(self.settings.loaders) as pool:
            waiting = [pool.submit(self.mixture.batch_at, number) for number in numbers[: 2 * self.settings.loaders]]
            for number in numbers:
                ahead = number + len(waiting)
                ready = waiting.pop(0).result()
                if ahead < numbers.stop:
                    waiting.append(pool.submit(self.mixture.batch_at, ahead))
                yield ready


class Reporter:
    """Prints and writes what happens between two reports."""

    def __init__(self, run: Run):
        self.run = run
        self._clear()

    def _clear(self) -> None:
        self.sums: dict[str, list[float]] = {}
        self.since, self.steps = time.monotonic(), self.run.steps

    def add(self, terms: dict[str, tuple[float, float]]) -> None:
        for name, pair in terms.items():
            sums = self.sums.setdefault(name, [0.0, 0.0])
            sums[0] += pair[0]
            sums[1] += pair[1]

    def due(self) -> bool:
        return time.monotonic() - self.since >= self.run.settings.print_seconds

    def report(self) -> None:
        run, settings = self.run, self.run.settings
        learned = (run.steps - self.steps) * settings.batch
        if learned == 0:
            return
        rate = learned / (time.monotonic() - self.since)
        means = {name: value / known for name, (value, known) in self.sums.items() if known}
        weighted = sum(getattr(settings.weights, name) * value / learned for name, (value, _) in self.sums.items())
        left = (settings.positions - run.positions) / rate
        terms = "  ".join(f"{name} {value:.3f}" for name, value in means.items())
        print(f"{run.positions:>12,} positions  {rate:.0f}/s  {duration(left)} left  loss {weighted:.3f}  {terms}", flush=True)
        step_rate = settings.full_rate() * run.share_of_rate()
        run.losses_curve.add(run.positions, run.seconds, {"rate": step_rate, "total": weighted, **means})
        self._clear()

    def measure(self) -> None:
        began = time.monotonic()
        measured = self.run.measured()
        self.run.measures_curve.add(self.run.positions, self.run.seconds, measured)
        print(f"after {self.run.positions:,} positions, {len(self.run.held_out):,} of games held out:")
        print(table(measured, self.run.simple), flush=True)
        # The time that measuring takes is none of learning's.
        self.since += time.monotonic() - began


def learn(settings: Settings) -> bool:
    """Learns until all positions are learned from, or until Ctrl-C. Whether it came to the end."""
    run = Run(settings)
    print(f"{run.mixture.records:,} records to learn from, {sum(p.numel() for p in run.network.parameters()):,} weights")
    with Stop() as stop:
        _learn_until(run, stop)
    checkpoints.save(run.checkpoint(), run.folder)
    if stop.wished:
        print(f"stopped after {run.positions:,} positions; the same command goes on from here", flush=True)
    return not stop.wished


def _learn_until(run: Run, stop: Stop) -> None:
    reporter = Reporter(run)
    every = max(1, run.settings.measure_every // run.settings.batch)
    saved = last = time.monotonic()
    for batch in run.batches():
        reporter.add(run.step(batch))
        now = time.monotonic()
        run.seconds, last = run.seconds + now - last, now
        if reporter.due() or stop.wished:
            reporter.report()
        if now - saved >= 60 * run.settings.checkpoint_minutes:
            checkpoints.save(run.checkpoint(), run.folder)
            saved = now
        if run.steps % every == 0:
            reporter.measure()
            last = time.monotonic()
        if stop.wished:
            return
    reporter.report()
    reporter.measure()


def set_training(network: Network, fixed_norms: bool) -> None:
    """Training mode. Fixed normalisations are left as in evaluation: they take nothing from the batch, so that boards of all sizes may be
    in batches of their own, and a step needs less time."""
    network.train()
    if fixed_norms:
        for module in network.modules():
            if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
                module.eval()


def compile_blocks(network: Network) -> None:
    """Compiles the blocks where they stand. The heads stay as they are: compiled, their gradients in bfloat16 are no numbers on boards
    smaller than the planes (PyTorch 2.15)."""
    for block in network.blocks:
        block.compile()


def answers_of(network: Network, device: str) -> Answerer:
    """The network's answers to batches, on the CPU again."""
    network.eval()

    def answer(batch: Batch) -> Outputs:
        with torch.inference_mode():
            planes = batch.planes.to(device, memory_format=torch.channels_last)
            outputs = network(planes, batch.numbers.to(device))
        return Outputs(*(value.cpu() for value in outputs))

    return answer


def to_device(batch: Batch, device: str) -> Batch:
    moved = batch._replace(planes=batch.planes.to(memory_format=torch.channels_last))
    return Batch(*(value.to(device, non_blocking=True) for value in moved))


def options_of(shape: Shape) -> str:
    """`--blocks 6 --channels 64 ...`: what makes a network of this shape."""
    return " ".join(f"--{name} {value}" for name, value in asdict(shape).items())


def changed(before: dict, now: dict) -> list[str]:
    """Names of the settings that differ and are worth a word."""
    return [name for name in now if name not in UNTOLD and plain(before.get(name)) != plain(now[name])]


def plain(value):
    """Lists and tuples alike, for comparison with what was kept in a file."""
    return list(value) if isinstance(value, tuple) else value


def duration(seconds: float) -> str:
    """`3 h 20 min`, `12 min`, `40 s`."""
    minutes = round(seconds / 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60:02} min"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"
