"""The command: `python -m ishi_train learn|export|measure|check`."""

import argparse
import sys
from dataclasses import fields
from pathlib import Path

import torch

from . import check, checkpoint, export
from .learn import Settings, answers_of, learn
from .loss import Weights
from .measures import measure, simple_answers, table
from .model import Shape
from .optimiser import DEFAULT_RATES, OPTIMISERS, SCHEDULES
from .samples import Split, held_out_records, open_samples, seal_samples, unpack

DEFAULTS = Settings(samples=("-",), out="-")


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    try:
        return options.run(options)
    except (ValueError, OSError) as error:
        print(f"ishi_train: {error}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="ishi_train", description="Trains the network of ishi.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    add_learn(commands.add_parser("learn", help="learn from samples; the same command goes on after a stop"))
    add_export(commands.add_parser("export", help="write weights that ishi reads"))
    add_measure(commands.add_parser("measure", help="measure a checkpoint on samples"))
    add_seal(commands.add_parser("seal", help="write an old file of samples again with checksums"))
    add_check(commands.add_parser("check", help="write a small network with samples and what it must answer"))
    return top


def add_learn(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_learn)
    what = command.add_argument_group("what is learned from")
    what.add_argument("--samples", nargs="+", required=True, metavar="FILE", help="files of `ishi go positions`")
    what.add_argument("--shares", nargs="+", type=float, metavar="X", help="share of each file (default: by its records)")
    what.add_argument("--out", required=True, metavar="FOLDER", help="checkpoint and curves")
    what.add_argument("--start-from", metavar="WEIGHTS", help="a new run begins with the averaged weights of a checkpoint, or with a weights file")
    what.add_argument("--split", nargs=2, type=int, default=(20, 7), metavar=("EVERY", "REST"), help="games held out: id %% EVERY == REST (20 7)")
    add_shape(command)
    how = command.add_argument_group("how")
    for name, kind, text in [
        ("positions", int, "positions to learn from in all, each time counted"),
        ("batch", int, "positions of a batch"),
        ("decay", float, "weight decay"),
        ("warm-up", int, "positions until the full rate"),
        ("keep", float, "what the average of weights keeps at each step"),
        ("clip", float, "longest gradient"),
        ("seed", int, "of first weights, order and symmetries"),
    ]:
        how.add_argument(f"--{name}", type=kind, default=default(name), help=f"{text} (%(default)s)")
    how.add_argument("--optimiser", choices=OPTIMISERS, default=DEFAULTS.optimiser, help="(%(default)s)")
    rates = ", ".join(f"{name} {rate}" for name, rate in DEFAULT_RATES.items())
    how.add_argument("--rate", type=float, help=f"full learning rate ({rates})")
    how.add_argument("--schedule", choices=SCHEDULES, default=DEFAULTS.schedule, help="how the rate falls (%(default)s)")
    for term in fields(Weights):
        how.add_argument(f"--weight-{term.name.replace('_', '-')}", type=float, default=term.default, metavar="X", help="(%(default)s)")
    how.add_argument("--fixed-norms", action="store_true", help="normalisations keep the means and variances that the run began with: faster")
    machine = command.add_argument_group("machine")
    machine.add_argument("--device", default=DEFAULTS.device, help="cpu, cuda (%(default)s)")
    machine.add_argument("--threads", type=int, default=DEFAULTS.threads, help="threads of the CPU (%(default)s)")
    machine.add_argument("--loaders", type=int, default=DEFAULTS.loaders, help="threads that prepare batches (%(default)s)")
    machine.add_argument("--bf16", action="store_true", help="convolutions in bfloat16")
    machine.add_argument("--compile", action="store_true", help="torch.compile: minutes at first, then faster on GPUs")
    machine.add_argument("--checkpoint-minutes", type=float, default=DEFAULTS.checkpoint_minutes, metavar="M", help="(%(default)s)")
    machine.add_argument("--measure-every", type=int, default=DEFAULTS.measure_every, metavar="N", help="positions (%(default)s)")
    machine.add_argument("--measured", type=int, default=DEFAULTS.measured, metavar="N", help="most records of each file (%(default)s)")
    machine.add_argument("--print-seconds", type=float, default=DEFAULTS.print_seconds, metavar="S", help="(%(default)s)")


def default(name: str):
    return getattr(DEFAULTS, name.replace("-", "_"))


def add_shape(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("network")
    shape = Shape()
    group.add_argument("--blocks", type=int, default=shape.blocks, help="(%(default)s)")
    group.add_argument("--channels", type=int, default=shape.channels, help="of the trunk (%(default)s)")
    group.add_argument("--head", type=int, default=shape.head, help="channels of the heads (%(default)s)")
    group.add_argument("--pooled", type=int, help="pooled channels (32; a quarter of fewer than 64 channels)")


def shape_of(options: argparse.Namespace) -> Shape:
    return Shape(options.blocks, options.channels, options.head, options.pooled)


def run_learn(options: argparse.Namespace) -> int:
    given = {field.name: getattr(options, field.name) for field in fields(Settings) if hasattr(options, field.name)}
    given.update(
        samples=tuple(options.samples),
        shares=tuple(options.shares) if options.shares else None,
        shape=shape_of(options),
        split=Split(*options.split),
        weights=Weights(**{term.name: getattr(options, f"weight_{term.name}") for term in fields(Weights)}),
    )
    return 0 if learn(Settings(**given)) else 130


def add_export(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_export)
    command.add_argument("checkpoint", type=Path, help="checkpoint, or its folder")
    command.add_argument("weights", type=Path, help="file to write")


def run_export(options: argparse.Namespace) -> int:
    kept = checkpoint.load(options.checkpoint)
    size = export.write_network(kept.averaged_network(), options.weights)
    print(f"{options.weights}: {size:,} bytes, learned from {kept.positions:,} positions")
    return 0


def add_measure(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_measure)
    command.add_argument("checkpoint", type=Path, help="checkpoint, or its folder")
    command.add_argument("samples", nargs="+", type=Path, help="files of samples")
    command.add_argument("--split", nargs=2, type=int, default=(20, 7), metavar=("EVERY", "REST"), help="games to measure on (20 7); 1 0: all")
    command.add_argument("--most", type=int, default=5_000, help="most records of each file (%(default)s)")
    command.add_argument("--threads", type=int, default=DEFAULTS.threads, help="threads of the CPU (%(default)s)")


def run_measure(options: argparse.Namespace) -> int:
    torch.set_num_threads(options.threads)
    network = checkpoint.load(options.checkpoint).averaged_network()
    files = [open_samples(path) for path in options.samples]
    records = held_out_records(files, Split(*options.split), options.most)
    if len(records) == 0:
        raise ValueError("there must be a record of the games to measure on")
    learned = unpack(records[:4096], records["known"][:4096].astype("i8") * 0)
    print(f"{len(records):,} records")
    print(table(measure(answers_of(network, "cpu"), records), measure(simple_answers(learned), records)))
    return 0


def add_seal(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_seal)
    command.add_argument("old", type=Path, help="a file that begins with ishipos1, which has no checksums")
    command.add_argument("new", type=Path, help="where the samples go with checksums")


def run_seal(options: argparse.Namespace) -> int:
    records = seal_samples(options.old, options.new)
    print(f"{options.new}: {records:,} records with checksums")
    return 0


def add_check(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=run_check)
    command.add_argument("folder", type=Path, help="where to write network.jdg, samples.pos and answers.f32")
    command.add_argument("--checkpoint", type=Path, help="a checkpoint instead of random weights")
    command.add_argument("--samples", type=Path, help="the first records of this file instead of made ones")
    command.add_argument("--seed", type=int, default=1, help="(%(default)s)")


def run_check(options: argparse.Namespace) -> int:
    network = checkpoint.load(options.checkpoint).averaged_network() if options.checkpoint else check.random_network(options.seed)
    records = open_samples(options.samples)[: check.RECORDS] if options.samples else check.made_records(options.seed)
    check.write_fixture(options.folder, network, records)
    print(f"{options.folder}: a network, {len(records)} samples and what it answers")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
