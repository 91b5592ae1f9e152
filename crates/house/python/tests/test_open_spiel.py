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
    assert ours.rewards() == theirs.rewards()
    assert ours.history() == theirs.history()
    if see:
        assert ours.is_chance_node() == theirs.is_chance_node()
        for player in (0, 1):
            assert ours.legal_actions(player) == theirs.legal_actions(player)
            assert ours.player_return(player) == theirs.player_return(player)
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
        assert ours.action_to_string(player, action) == theirs.action_to_string(player, action)
        assert ours.action_to_string(action) == theirs.action_to_string(action)
        assert ours.child(action).history() == theirs.child(action).history()
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


def choose_by_their_search(state, game):
    """What OpenSpiel's tree search with random playouts chooses; it is the same for states that are the same."""
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    return mcts.MCTSBot(game, 1.4, 20, evaluator, random_state=np.random.RandomState(1)).step(state)


BOTH_GAMES = pytest.mark.parametrize(
    "ours, name, parameters", [(ishi.OthelloGame(), "othello", {}), (ishi.GoGame(5), "go", {"board_size": 5})]
)


@BOTH_GAMES
def test_their_search_plays_on_these_boards(ours, name, parameters):
    theirs = pyspiel.load_game(name, parameters)
    assert (ours.min_utility(), ours.max_utility()) == (theirs.min_utility(), theirs.max_utility())
    assert ours.get_type().short_name == name
    chosen = choose_by_their_search(ours.new_initial_state(), ours)
    assert chosen == choose_by_their_search(theirs.new_initial_state(), theirs)


@BOTH_GAMES
def test_their_alpha_beta_search_takes_these_games(ours, name, parameters):
    minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")

    def search(game):
        return minimax.alpha_beta_search(
            game, state=game.new_initial_state(), value_function=lambda _: 0.0, maximum_depth=2, maximizing_player_id=0
        )

    assert search(ours) == search(pyspiel.load_game(name, parameters))


def play_in_their_environment(game):
    """A game of first legal actions; gives what the players saw, and the rewards at the end."""
    environment = pytest.importorskip("open_spiel.python.rl_environment").Environment(game)
    step, seen = environment.reset(), []
    while not step.last():
        player = step.observations["current_player"]
        seen.append(np.ravel(step.observations["info_state"][player]).tolist())
        step = environment.step([step.observations["legal_actions"][player][0]])
    return seen, list(step.rewards)


@BOTH_GAMES
def test_their_environment_takes_these_games(ours, name, parameters):
    assert play_in_their_environment(ours) == play_in_their_environment(pyspiel.load_game(name, parameters))
