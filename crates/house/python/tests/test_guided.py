"""Tree search by an evaluator in Python."""

import numpy as np
import pytest

import ishi


def know_nothing(observations, masks):
    return masks.astype(np.float32), np.zeros(len(observations))


def test_it_finds_what_wins_at_the_end(othello):
    """Near the end the tree reaches all ends, so that it knows what exact solving says."""
    checked = 0
    for seed in range(6):
        batch = othello.new_batch(1)
        batch.play_randomly(seed=seed, moves=55)
        state = batch.state(0)
        if state.is_terminal():
            continue
        exact = ishi.solve_othello(state)["score"]
        found = ishi.GuidedSearch(know_nothing, visits=3000).search(state)
        if exact != 0:
            assert np.sign(found["value"]) == np.sign(exact)
            checked += 1
    assert checked > 0


def test_the_evaluator_sees_what_states_show(go9):
    shapes = []

    def watch(observations, masks):
        assert observations.dtype == np.float32 and masks.dtype == bool
        assert observations.shape[1:] == (4, 9, 9) and masks.shape[1:] == (82,)
        if not shapes:
            start = go9.new_initial_state()
            assert (observations[0] == start.observation_tensor()).all() and masks[0].all()
        shapes.append(len(observations))
        return know_nothing(observations, masks)

    found = ishi.GuidedSearch(watch, visits=50, batch=8).search(go9.new_initial_state())
    assert sum(shapes) == 50 == found["visits"] and max(shapes) > 1
    assert found["policy"].shape == (82,) and abs(found["policy"].sum() - 1) < 1e-9
    assert found["moves"][0]["action"] == found["action"]


def test_priors_and_values_lead_the_search(go9):
    def love_e5(observations, masks):
        priors = masks * 0.001
        priors[:, 40] = masks[:, 40]
        return priors, np.zeros(len(observations))

    search = ishi.GuidedSearch(love_e5, visits=40, batch=1)
    assert search.search(go9.new_initial_state())["action"] == 40

    def like_white(observations, masks):
        white_to_move = observations[:, 3, 0, 0]
        return masks.astype(np.float32), 2 * white_to_move - 1

    value = ishi.GuidedSearch(like_white, visits=20).search(go9.new_initial_state())["value"]
    assert value == pytest.approx(-1.0)


def test_what_the_evaluator_raises_comes_through(go9):
    def fail(observations, masks):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        ishi.GuidedSearch(fail).search(go9.new_initial_state())


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda n: (np.ones((n, 3)), np.zeros(n)), r"gave priors \[1, 3\] and values \[1\]: they must be \[1, 82\]"),
        (lambda n: (np.ones((n, 82)), np.full(n, 2.0)), "gave the value 2: it must be a number from -1 to 1"),
        (lambda n: (np.full((n, 82), -1.0), np.zeros(n)), "gave the prior -1: it must be a number from 0 on"),
        (lambda n: (np.full((n, 82), np.nan), np.zeros(n)), "gave the prior NaN"),
        (lambda n: (np.ones((n, 82)), np.zeros((n, 1))), r"an array of shape \(1, 1\): the evaluator must give values \[n\]"),
        (lambda n: (np.ones(82), np.zeros(n)), r"an array of shape \(82,\): the evaluator must give priors \[n, actions\]"),
    ],
)
def test_wrong_answers_are_refused(go9, answer, message):
    search = ishi.GuidedSearch(lambda observations, masks: answer(len(observations)))
    with pytest.raises(ValueError, match=message):
        search.search(go9.new_initial_state())


def test_wrong_arguments(go9):
    with pytest.raises(TypeError, match="must give a pair"):
        ishi.GuidedSearch(lambda observations, masks: None).search(go9.new_initial_state())
    with pytest.raises(TypeError, match="must be callable"):
        ishi.GuidedSearch(3)
    with pytest.raises(ValueError, match="batch = 0: it must be 1 or more"):
        ishi.GuidedSearch(know_nothing, batch=0)
    with pytest.raises(TypeError, match="must be a GoState or an OthelloState"):
        ishi.GuidedSearch(know_nothing).search(go9)
    over = go9.new_initial_state()
    over.apply_action(81)
    over.apply_action(81)
    with pytest.raises(ValueError, match="the game is over"):
        ishi.GuidedSearch(know_nothing).search(over)
