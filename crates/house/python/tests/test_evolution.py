"""Optimisers that are asked and told."""

import copy
import json
import pickle
import random
import threading
import time

import numpy as np
import pytest

import ishi


def sphere(points):
    return (np.asarray(points) ** 2).sum(axis=-1)


MAKERS = {
    "de": lambda **more: ishi.DifferentialEvolution(5, initial=(-3, 3), population=30, **more),
    "jade": lambda **more: ishi.DifferentialEvolution.jade(5, initial=(-3, 3), population=30, **more),
    "shade": lambda **more: ishi.DifferentialEvolution.shade(5, initial=(-3, 3), population=30, memory=10, **more),
    "cma": lambda **more: ishi.CmaEs(np.full(5, 2.0), 0.5, **more),
}


def run_for(run, generations, function=sphere):
    for _ in range(generations):
        run.tell(function(run.ask()))
    return run


@pytest.mark.parametrize("name", MAKERS)
def test_they_find_the_least_value(name):
    run = MAKERS[name]()
    assert run.best is None and run.generation is None
    run_for(run, 120)
    point, value = run.best
    assert value < 1e-3 and value == pytest.approx(sphere(point))
    assert run.generation == 119 and run.evaluations == 120 * len(run.ask())


@pytest.mark.parametrize("name", MAKERS)
def test_maximising_is_minimising_the_opposite(name):
    least, most = MAKERS[name](), MAKERS[name](maximize=True)
    run_for(least, 20)
    run_for(most, 20, lambda points: -sphere(points))
    assert (least.best[0] == most.best[0]).all() and least.best[1] == -most.best[1]


@pytest.mark.parametrize("name", MAKERS)
def test_asking_twice_gives_the_same_and_seeds_differ(name):
    run = run_for(MAKERS[name](), 2)
    assert (run.ask() == run.ask()).all()
    assert (run_for(MAKERS[name](), 2).ask() == run.ask()).all()
    assert (run_for(MAKERS[name](seed=2), 2).ask() != run.ask()).any()


@pytest.mark.parametrize("name", MAKERS)
def test_a_state_goes_on_bit_for_bit(name):
    whole, first = run_for(MAKERS[name](), 10), run_for(MAKERS[name](), 4)
    second = MAKERS[name]()
    second.restore(first.state())
    assert (run_for(second, 6).ask() == whole.ask()).all()
    with pytest.raises(ValueError):
        second.restore("{}")


@pytest.mark.parametrize("is_asked", [False, True])
@pytest.mark.parametrize("generations", [0, 4])
@pytest.mark.parametrize("name", MAKERS)
def test_a_pickled_run_goes_on_bit_for_bit(name, generations, is_asked):
    run = run_for(MAKERS[name](maximize=True), generations)
    if is_asked:
        run.ask()
    twins = [pickle.loads(pickle.dumps(run)), copy.copy(run), copy.deepcopy(run)]
    for twin in twins:
        assert type(twin) is type(run) and twin.state() == run.state()
        if not is_asked:
            with pytest.raises(ValueError):
                twin.tell(sphere(run.ask()))
    points = run.ask()
    run.tell(sphere(points))
    for twin in twins:
        assert is_asked or (twin.ask() == points).all()
        twin.tell(sphere(points))
        assert (run_for(twin, 3).ask() == run_for(copy.copy(run), 3).ask()).all()
        assert twin.best[1] >= run.best[1], "it still looks for the greatest value"


@pytest.mark.parametrize(
    "make",
    [
        lambda: ishi.DifferentialEvolution(2, f=0.1 + 0.2, bounds=(-1, 1 / 3), remeasure=True),
        lambda: ishi.DifferentialEvolution(2, bounds=(-1, 1), bound_handling="clip", strategy="DE/best/2/exp"),
        lambda: ishi.DifferentialEvolution.jade(2, c=0.3, bounds=(-1, 1), bound_handling="resample"),
    ],
)
def test_a_pickled_run_has_its_parameters(make):
    run = run_for(make(), 3)
    twin = pickle.loads(pickle.dumps(run))
    assert twin.__reduce__()[1] == run.__reduce__()[1]
    assert run_for(twin, 5).state() == run_for(run, 5).state()


def damage(text, dice):
    """The text with one damage: a letter changed, cut off, a part left out, a part twice, or two letters swapped."""
    at, other = sorted(dice.sample(range(len(text)), 2))
    return dice.choice(
        [
            text[:at] + chr(ord(text[at]) ^ 1 << dice.randrange(7)) + text[at + 1 :],
            text[:at],
            text[:at] + text[other:],
            text[:other] + text[at:],
            text[:at] + text[other] + text[at + 1 : other] + text[at] + text[other + 1 :],
        ]
    )


@pytest.mark.parametrize("name", MAKERS)
def test_a_damaged_state_is_refused_and_changes_nothing(name):
    first, second = run_for(MAKERS[name](), 4), run_for(MAKERS[name](seed=2), 1)
    text, before = first.state(), second.ask()
    dice = random.Random(1)
    for _ in range(500):
        damaged = damage(text, dice)
        if damaged != text:
            with pytest.raises(ValueError):
                second.restore(damaged)
    assert (second.ask() == before).all()
    second.restore(text)
    assert (second.ask() == first.ask()).all()


@pytest.mark.parametrize("name", MAKERS)
def test_a_state_says_its_version(name):
    run = run_for(MAKERS[name](), 2)
    kept = json.loads(run.state())
    assert kept["format"] == "ishi-evolution-state 1" and len(kept["checksum"]) == 16
    with pytest.raises(ValueError, match="of another version"):
        run.restore(run.state().replace("state 1", "state 0"))
    with pytest.raises(ValueError, match="of another version"):
        run.restore(json.dumps(kept["state"]))


@pytest.mark.parametrize("name", MAKERS)
def test_a_wrong_number_of_values_changes_nothing(name):
    run = run_for(MAKERS[name](), 1)
    before = run.ask()
    with pytest.raises(ValueError, match="values for"):
        run.tell([1.0, 2.0])
    assert (run.ask() == before).all()


def test_cma_runs_with_a_function():
    asked, run = run_for(MAKERS["cma"](), 15), MAKERS["cma"]()
    run.run(lambda point: float(sphere(point)), 15)
    assert (run.mean == asked.mean).all() and run.sigma == asked.sigma and run.best[1] == asked.best[1]

    def fail(point):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        run.run(fail, 1)
    assert run.generation == 14 and (run.mean == asked.mean).all()


def test_another_thread_may_look_while_a_function_is_asked():
    run, seen = MAKERS["cma"](), []
    looking = threading.Thread(target=lambda: seen.append(run.evaluations), daemon=True)

    def value(point):
        if looking.ident is None:
            looking.start()
            # It comes to wait for the run now, and must leave Python to this thread.
            time.sleep(0.1)
        return float(sphere(point))

    run.run(value, 3)
    looking.join(60)
    assert seen == [run.evaluations]


def test_bounds_are_kept():
    for handling in ("clip", "reflect", "resample"):
        run = ishi.DifferentialEvolution(2, bounds=(-1, 1), bound_handling=handling, f=1.5)
        run_for(run, 10, lambda points: -sphere(points))
        assert (np.abs(run.ask()) <= 1).all()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: ishi.DifferentialEvolution(0), "invalid dimensions 0"),
        (lambda: ishi.DifferentialEvolution(3, strategy="DE/worst/1/bin"), "invalid strategy DE/worst/1/bin: write"),
        (lambda: ishi.DifferentialEvolution(3, f=3), "invalid F 3"),
        (lambda: ishi.DifferentialEvolution(3, population=3), "invalid population 3"),
        (lambda: ishi.DifferentialEvolution(3, bound_handling="wrap"), 'invalid bound_handling "wrap"'),
        (lambda: ishi.DifferentialEvolution.shade(3, memory=0), "invalid memory 0"),
        (lambda: ishi.DifferentialEvolution(3).tell([1.0]), "tell before ask"),
        (lambda: ishi.CmaEs([1.0], -1), "invalid sigma -1"),
        (lambda: ishi.CmaEs([[1.0]], 1), r"an array of shape \(1, 1\): it must be one row of numbers"),
    ],
)
def test_errors_name_the_parameter(make, message):
    with pytest.raises(ValueError, match=message):
        make()
