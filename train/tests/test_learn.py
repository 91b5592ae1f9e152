"""Runs go on exactly, learn what can be learned, and say what is wrong."""

import csv
import os
import signal

import numpy as np
import pytest
import torch

from ishi_train import check, checkpoint
from ishi_train.__main__ import main
from ishi_train.learn import Run, Settings, Stop, duration, learn
from ishi_train.loss import Weights
from ishi_train.measures import measure, simple_answers
from ishi_train.model import Board, BoardNorm, Shape
from ishi_train.optimiser import OPTIMISERS, SCHEDULES, orthogonal, share_of_rate
from ishi_train.samples import Split, unpack, write_samples

SMALL = Shape(blocks=3, channels=16, head=16)


@pytest.fixture
def samples(tmp_path):
    path = tmp_path / "samples.pos"
    write_samples(path, check.made_records(1, 60))
    return str(path)


def settings(samples, out, **more):
    return Settings(samples=(samples,), out=str(out), shape=SMALL, batch=8, print_seconds=0.0, **{"positions": 80, **more})


def learn_steps(run, count):
    for number in range(run.steps, run.steps + count):
        run.step(run.mixture.batch_at(number))


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_a_run_that_was_stopped_gives_the_same_weights(samples, tmp_path, optimiser):
    whole = Run(settings(samples, tmp_path / "whole", optimiser=optimiser))
    learn_steps(whole, 6)
    first = Run(settings(samples, tmp_path / "parts", optimiser=optimiser))
    learn_steps(first, 3)
    checkpoint.save(first.checkpoint(), first.folder)
    second = Run(settings(samples, tmp_path / "parts", optimiser=optimiser))
    assert second.steps == 3
    learn_steps(second, 3)
    for name, value in whole.network.state_dict().items():
        assert torch.equal(value, second.network.state_dict()[name]), name
        assert torch.equal(whole.average.values[name], second.average.values[name]), name


def test_ctrl_c_saves_and_the_same_command_goes_on(samples, tmp_path):
    out = tmp_path / "run"
    told = settings(samples, out, measure_every=24)
    with Stop() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.wished
    stopping = pytest.MonkeyPatch()
    with stopping.context() as patch:
        patch.setattr(Run, "step", interrupted_at(5, Run.step))
        assert not learn(told)
    assert checkpoint.load(out).steps == 5
    assert learn(told)
    assert checkpoint.load(out).positions == 80
    losses = list(csv.DictReader((out / "losses.csv").open()))
    assert [int(row["positions"]) for row in losses] == list(range(8, 88, 8))
    measures = list(csv.DictReader((out / "measures.csv").open()))
    assert [int(row["positions"]) for row in measures] == [24, 48, 72, 80]
    assert all(0 <= float(row["played_first"]) <= 1 for row in measures)


def interrupted_at(step, learn_from):
    def run(self, batch):
        terms = learn_from(self, batch)
        if self.steps == step:
            os.kill(os.getpid(), signal.SIGINT)
        return terms

    return run


def test_curves_forget_what_came_after_the_checkpoint(tmp_path):
    curve = checkpoint.Curve(tmp_path / "a.csv", ["x"], 0)
    for positions in (10, 20, 30):
        curve.add(positions, 1.0, {"x": positions / 10})
    checkpoint.Curve(tmp_path / "a.csv", ["x"], 20).add(25, 2.0, {"x": 9.0})
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert [(row["positions"], row["x"]) for row in rows] == [("10", "1.00000"), ("20", "2.00000"), ("25", "9.00000")]


def test_loaders_change_nothing(samples, tmp_path):
    plain = Run(settings(samples, tmp_path / "a", positions=1600))
    loaded = Run(settings(samples, tmp_path / "b", positions=1600, loaders=3))
    batches = list(loaded.batches())
    assert len(batches) == 200
    for ours, theirs in zip(plain.batches(), batches):
        assert all(torch.equal(a, b) for a, b in zip(ours, theirs))


@pytest.mark.parametrize("bf16", [False, True])
@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_what_can_be_learned_is_learned(tmp_path, optimiser, bf16):
    path, records = tmp_path / "few.pos", check.made_records(1, 6)
    own, opponent = (np.unpackbits(records["planes"][:, plane], axis=1, bitorder="little")[:, :361] for plane in (1, 2))
    records["owners"] = 12 * (own.astype("i1") - opponent.astype("i1"))
    write_samples(path, records)
    run = Run(settings(str(path), tmp_path / "run", optimiser=optimiser, bf16=bf16, warm_up=80, schedule="constant", positions=1600))
    terms = [run.step(run.mixture.batch_at(number)) for number in range(100)]
    for name in ("played", "owners", "lead"):
        assert terms[-1][name][0] < 0.85 * terms[0][name][0], name


def test_fixed_normalisations_stay_and_all_else_learns(samples, tmp_path):
    learn(settings(samples, tmp_path / "first"))
    run = Run(settings(samples, tmp_path / "fixed", start_from=str(tmp_path / "first"), fixed_norms=True, warm_up=0, schedule="constant"))
    before = {name: value.clone() for name, value in run.network.state_dict().items()}
    learn_steps(run, 3)
    after = run.network.state_dict()
    for name, value in before.items():
        is_fixed = name.endswith(("running_mean", "running_var", "num_batches_tracked"))
        assert torch.equal(value, after[name]) == is_fixed, name


def test_fixed_normalisations_give_what_evaluation_gives(samples, tmp_path):
    run = Run(settings(samples, tmp_path / "run"))
    learn_steps(run, 3)
    batch = run.mixture.batch_at(0)
    assert batch.planes[:, 0].flatten(1).sum(dim=1).unique().numel() > 1, "boards of several sizes"
    for module in run.network.modules():
        if isinstance(module, BoardNorm):
            norm, x = module.eval(), torch.randn(4, module.num_features, 19, 19)
            convolution = torch.nn.Conv2d(module.num_features, module.num_features, 3, padding=1, bias=False)
            board = Board.of(batch.planes[:4])
            torch.testing.assert_close(norm.after(convolution, x, board), norm.forward_on(convolution(x), board), rtol=1e-4, atol=1e-4)


def damaged_copies(content, count):
    """A flipped bit, a cut, zeros, two blocks exchanged: in turn, at places that follow from the number."""
    rng = np.random.default_rng(1)
    for number in range(count):
        copy, at = bytearray(content), int(rng.integers(len(content) - 64))
        match number % 4:
            case 0:
                copy[at] ^= 1 << int(rng.integers(8))
            case 1:
                del copy[at:]
            case 2:
                copy[at : at + 64] = bytes(64)
            case 3:
                other = int(rng.integers(len(content) - 64))
                copy[at : at + 64], copy[other : other + 64] = content[other : other + 64], content[at : at + 64]
        yield bytes(copy)


def same_content(one, other):
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same_content(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same_content, one, other))
    return one == other


def test_a_damaged_checkpoint_is_refused_or_the_same(samples, tmp_path):
    learn(settings(samples, tmp_path / "run"))
    whole = checkpoint.load(tmp_path / "run")
    content = (tmp_path / "run" / checkpoint.FILE).read_bytes()
    other, refused = tmp_path / "other.pt", 0
    for copy in damaged_copies(content, 200):
        other.write_bytes(copy)
        try:
            read = checkpoint.load(other)
        except ValueError as error:
            assert "other.pt: " in str(error)
            refused += 1
        else:
            assert same_content(tuple(read), tuple(whole))
    assert refused > 150, refused


def test_checkpoints_of_other_versions(samples, tmp_path):
    learn(settings(samples, tmp_path / "run"))
    kept = torch.load(tmp_path / "run" / checkpoint.FILE, weights_only=True)
    assert kept.pop("format") == checkpoint.FORMAT
    older = tmp_path / "older.pt"
    torch.save(kept, older)
    assert same_content(tuple(checkpoint.load(older)), tuple(checkpoint.load(tmp_path / "run")))
    for content, words in [({"format": "ishi-train-checkpoint 2", **kept}, "the format must be"), ({"a": 1}, "a checkpoint of a run"), ([1], "the format must be")]:
        torch.save(content, older)
        with pytest.raises(ValueError, match=words):
            checkpoint.load(older)
    (tmp_path / "text.pt").write_text("no archive")
    with pytest.raises(ValueError, match="text.pt: it is damaged or cut off, or no checkpoint"):
        checkpoint.load(tmp_path / "text.pt")


def test_another_shape_cannot_go_on(samples, tmp_path):
    learn(settings(samples, tmp_path / "run"))
    other = Settings(samples=(samples,), out=str(tmp_path / "run"), shape=Shape(3, 32, 16), batch=8, positions=80)
    with pytest.raises(ValueError, match="choose another folder"):
        learn(other)


def test_a_run_begins_with_weights_of_another(samples, tmp_path):
    learn(settings(samples, tmp_path / "first"))
    before = checkpoint.load(tmp_path / "first")
    run = Run(settings(samples, tmp_path / "second", start_from=str(tmp_path / "first")))
    assert run.steps == 0
    for name, value in before.average.items():
        assert torch.equal(value, run.network.state_dict()[name])


def test_what_is_wrong_is_said(samples, tmp_path, capsys):
    assert main(["learn", "--samples", samples, "--out", str(tmp_path), "--channels", "20"]) == 2
    assert "multiple of 16" in capsys.readouterr().err
    assert main(["export", str(tmp_path / "none"), str(tmp_path / "w")]) == 2
    assert main(["learn", "--samples", str(tmp_path / "none.pos"), "--out", str(tmp_path)]) == 2
    assert main(["learn", "--samples", samples, "--shares", "1", "2", "--out", str(tmp_path)]) == 2
    assert "share for each file" in capsys.readouterr().err
    assert main(["learn", "--samples", samples, "--out", str(tmp_path / "fixed"), "--fixed-norms"]) == 2
    assert "--start-from" in capsys.readouterr().err


def test_the_commands_work_together(samples, tmp_path, capsys):
    out, weights = str(tmp_path / "run"), tmp_path / "weights.jdg"
    small = ["--blocks", "2", "--channels", "16", "--head", "16", "--batch", "8", "--positions", "40"]
    assert main(["learn", "--samples", samples, "--out", out, *small]) == 0
    assert main(["export", out, str(weights)]) == 0
    assert main(["measure", out, samples, "--split", "1", "0"]) == 0
    assert "60 records" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "check"), "--checkpoint", out, "--samples", samples]) == 0
    assert (tmp_path / "check" / "network.jdg").read_bytes() == weights.read_bytes()
    assert (tmp_path / "check" / "answers.f32").stat().st_size == check.RECORDS * 1088 * 4


def test_measures_are_perfect_for_perfect_answers():
    records = check.made_records(3)
    # Moves on stones or forbidden points are never ranked first, so let the answers be free points.
    records["planes"][:, 1:7] = 0
    batch = unpack(records, np.zeros(len(records), dtype=int))
    bits = batch.owners.clamp(-0.999999, 0.999999)

    def answer(_):
        outputs = simple_answers(batch)(batch)
        return outputs._replace(
            judge_policy=batch.judge_policy, played_policy=batch.played, lead=batch.lead, spread=batch.spread,
            owners=bits.atanh(), winner=100 * (batch.game_winner - 0.5),
        )

    measured = measure(answer, records, size=len(records))
    for name in ("judge_first", "judge_five", "played_first", "played_five"):
        assert measured[name] == 1, name
    for name in ("lead", "spread", "game_winner"):
        assert measured[name] < 1e-6, name
    assert measured["owners"] < 1e-5


def test_simple_answers_are_means():
    records = check.made_records(3, 30)
    batch = unpack(records, np.zeros(len(records), dtype=int))
    measured = measure(simple_answers(batch), records)
    assert measured["lead"] == pytest.approx(float(np.abs(records["lead"] - records["lead"].mean()).mean()), rel=1e-4)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_rates_rise_then_fall(schedule):
    shares = [share_of_rate(schedule, step, 1000, 100) for step in range(1001)]
    assert shares[0] == pytest.approx(0.01)
    assert shares[50] < shares[99]
    assert max(shares) <= 1
    assert shares[1000] == pytest.approx(1.0 if schedule == "constant" else 0.0)
    assert all(a >= b for a, b in zip(shares[100:], shares[101:]))


@pytest.mark.parametrize("rows, columns", [(16, 144), (144, 16)])
def test_orthogonal_brings_singular_values_near_one(rows, columns):
    torch.manual_seed(1)
    values = torch.linalg.svdvals(orthogonal(torch.randn(rows, columns)))
    assert values.min() > 0.5 and values.max() < 1.5


def test_durations_are_said_as_people_say_them():
    assert [duration(s) for s in (20, 61, 3599, 3600, 7500)] == ["20 s", "1 min", "1 h 00 min", "1 h 00 min", "2 h 05 min"]
