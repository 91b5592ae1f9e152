"""N-tuple networks that learn from games."""

import threading

import pytest

import ishi

SMALL = dict(phases="1", games=3000, opening=4, seed=7)


def learner(**more):
    return ishi.NTupleLearner("line3", **{**SMALL, **more})


def test_it_learns_to_beat_random_moves(othello):
    run = learner()
    before = run.score("random", games=200)
    assert run.games == 0 and not run.is_done
    assert run.learn(500) == 500 and run.learn() == 3000
    assert run.is_done and run.learn(10) == 3000
    assert run.score("random", games=200) > max(before, 0.6)
    values = run.move_values(othello.new_initial_state())
    assert set(values) == set(othello.new_initial_state().legal_actions())
    assert all(-1 <= value <= 1 for value in values.values())
    # The four first moves are one by symmetry.
    assert len(set(values.values())) == 1


def test_a_state_goes_on_bit_for_bit():
    opponents = {"self": 2, "counters": 1, "past": 1, "standard": 1}
    whole, first, second = (learner(opponents=opponents) for _ in range(3))
    whole.learn(900)
    first.learn(400)
    second.restore(first.state())
    second.learn(500)
    assert second.games == 900 and second.to_bytes(step=0) == whole.to_bytes(step=0)
    damaged = bytearray(first.state())
    damaged[len(damaged) // 2] ^= 1
    other_patterns = ishi.NTupleLearner("line2", **SMALL, opponents=opponents)
    other_phases = learner(opponents=opponents, phases="2")
    for state in (bytes(damaged), b"", learner(seed=8).state(), other_patterns.state(), other_phases.state()):
        with pytest.raises(ValueError):
            second.restore(state)
    assert second.games == 900


def test_another_thread_may_look_meanwhile():
    run = learner()
    work = threading.Thread(target=run.learn)
    work.start()
    assert 0 <= run.games <= 3000 and "of 3000" in repr(run)
    work.join()
    assert run.is_done


def test_a_network_is_learned_on_from_and_seeds_differ():
    first, other = learner(), learner(seed=8)
    first.learn(300)
    other.learn(300)
    assert first.to_bytes() != other.to_bytes()
    again = ishi.NTupleLearner(network=first.to_bytes(), games=100)
    assert again.games == 0 and again.to_bytes() == first.to_bytes()
    assert first.to_bytes(step=1e-12) == first.to_bytes(step=0) != first.to_bytes()
    with pytest.raises(ValueError, match="invalid step"):
        first.to_bytes(step=2)


@pytest.mark.parametrize(
    "more, words",
    [
        (dict(phases="0"), "invalid phases"),
        (dict(games=0), "it must be 1 or more"),
        (dict(epsilon=1.5), "invalid epsilon 1.5: it must lie from 0 to 1"),
        (dict(lam=float("nan")), "invalid lam"),
        (dict(rate=-1.0), "invalid rate"),
        (dict(opening=51), "it must lie from 0 to 50"),
        (dict(opponents={"nobody": 1}), "it must be self, counters, past, standard"),
        (dict(opponents={"self": 0}), "add up to nothing"),
        (dict(network=b"no network"), "not a network of ishi"),
    ],
)
def test_wrong_parameters_are_refused_in_words(more, words):
    with pytest.raises(ValueError, match=words):
        learner(**more)


def test_unknown_patterns_and_opponents_are_refused():
    with pytest.raises(ValueError, match="invalid pattern"):
        ishi.NTupleLearner("nothing")
    with pytest.raises(ValueError, match="it must be standard, random"):
        learner().score("nobody")
