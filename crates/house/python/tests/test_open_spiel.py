"""Go and Othello move by move beside OpenSpiel's."""

import random

import numpy as np
import pytest

import ishi

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install open_spiel")


def compare(ours, theirs, see):
    assert ours.is_terminal() == theirs.is_terminal()
    assert ours.current_player() == theirs.current_player()
    assert ours.legal_actions() == theirs.legal_actions()
    assert ours.legal_actions_mask().tolist() == [bool(one) for one in theirs.legal_actions_mask()]
    assert ours.returns() == theirs.returns()
    assert ours.history() == theirs.history()
    if see:
        for player in (0, 1):
            seen = np.array(theirs.observation_tensor(player), dtype=np.float32)
            assert (ours.observation_tensor(player).ravel() == seen).all()


def play_both(ours, theirs, seed, passes=1.0):
    """A random game in both; passes are rarer if their weight is less than 1. Gives the state at the end."""
    rng = random.Random(seed)
    while True:
        compare(ours, theirs, see=len(theirs.history()) % 7 == 0)
        if theirs.is_terminal():
            return ours
        actions = theirs.legal_actions()
        weights = [passes if action == ours_pass(ours) else 1.0 for action in actions]
        action = rng.choices(actions, weights)[0]
        player = theirs.current_player()
        assert ours.action_to_string(action, player) == theirs.action_to_string(player, action)
        ours.apply_action(action)
        theirs.apply_action(action)


def ours_pass(state):
    return len(state.legal_actions_mask()) - 1


@pytest.mark.parametrize("size, games", [(3, 60), (4, 40), (5, 30), (9, 12), (13, 4), (19, 2)])
def test_go(size, games):
    game = ishi.GoGame(size, komi=6.5 if size > 5 else 0.5)
    komi = game.get_parameters()["komi"]
    other = pyspiel.load_game("go", {"board_size": size, "komi": komi})
    assert game.num_distinct_actions() == other.num_distinct_actions()
    assert game.observation_tensor_shape() == other.observation_tensor_shape()
    assert game.max_game_length() == other.max_game_length()
    ends = []
    for seed in range(games):
        end = play_both(game.new_initial_state(), other.new_initial_state(), seed, passes=0.2)
        ends.append((len(end.history()), tuple(end.returns())))
    assert len(set(ends)) > 1
    if size == 3:
        assert any(returns == (0.0, 0.0) for _, returns in ends), "some games end by a repeated position"


@pytest.mark.parametrize("stones", range(2, 10))
def test_go_with_handicap(stones):
    game = ishi.GoGame(19, handicap=stones, max_game_length=40)
    other = pyspiel.load_game("go", {"board_size": 19, "handicap": stones, "max_game_length": 40})
    play_both(game.new_initial_state(), other.new_initial_state(), stones)


def test_othello():
    game, other = ishi.OthelloGame(), pyspiel.load_game("othello")
    assert game.num_distinct_actions() == other.num_distinct_actions()
    assert game.observation_tensor_shape() == other.observation_tensor_shape()
    assert game.max_game_length() == other.max_game_length()
    passes = 0
    for seed in range(60):
        end = play_both(game.new_initial_state(), other.new_initial_state(), seed)
        passes += end.history().count(64)
    assert passes > 0, "some games have passes"
