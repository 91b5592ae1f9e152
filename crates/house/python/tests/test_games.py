"""Boards in OpenSpiel's terms, one at a time and many at once."""

import copy

import numpy as np
import pytest

import ishi


def random_actions(state, seed):
    """Plays to the end; gives what was played."""
    rng = np.random.default_rng(seed)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state.history()


def test_go_numbers_points_row_by_row_from_a1(go9):
    state = go9.new_initial_state()
    assert state.string_to_action("A1") == 0
    assert state.string_to_action("B1") == 1
    assert state.string_to_action("A2") == 9
    assert state.string_to_action("pass") == 81
    assert state.action_to_string(10) == "B b2"
    assert state.action_to_string(1, 81) == "W PASS"
    with pytest.raises(ValueError, match="invalid player 81: it must be 0 or 1"):
        state.action_to_string(81, 1)
    assert state.string_to_action("W b2") == 10


def test_a_go_game_knows_what_was_agreed():
    game = ishi.GoGame("19x7", komi=0.5, max_game_length=30, rules="japanese")
    assert game.observation_tensor_shape() == [4, 7, 19]
    assert game.num_distinct_actions() == 134
    assert game.max_game_length() == 30
    assert game.get_parameters()["rules"] == "japanese"
    handicap = ishi.GoGame(19, handicap=3).new_initial_state()
    assert handicap.current_player() == 1
    assert handicap.observation_tensor()[0].sum() == 3


def test_captures_and_ko_are_those_of_the_rules(go9):
    state = go9.new_initial_state()
    for vertex in ["D5", "E5", "E6", "E4", "F5", "J9", "E3", "J8", "D4", "J7", "F4"]:
        state.apply_action(state.string_to_action(vertex))
    assert state.observation_tensor()[1].sum() == 3, "E5 and E4 are taken"
    with pytest.raises(ValueError, match="illegal move white D5: a black stone stands there"):
        state.apply_action(state.string_to_action("D5"))


def test_superko_forbids_and_open_spiel_ends():
    """A ko on two lines: Black takes, White passes away and takes back, and so on."""
    ends = ishi.GoGame(3).new_batch(400)
    ends.play_randomly(seed=5)
    draws = (ends.returns() == 0).all(axis=1)
    assert ends.is_terminal().all() and draws.any(), "a repeated position is a draw"
    forbids = ishi.GoGame(3, rules="chinese").new_batch(400)
    forbids.play_randomly(seed=5)
    assert not (forbids.returns() == 0).all(axis=1).any(), "komi is no whole number"


def test_states_are_copied_and_taken_back(go9, othello):
    for game in (go9, othello):
        state = game.new_initial_state()
        history = random_actions(state, 3)
        for twin in (state.clone(), copy.copy(state), copy.deepcopy(state)):
            assert twin.history() == history and str(twin) == str(state)
            while twin.history():
                assert twin.undo_action() == history[len(twin.history())]
            assert twin.legal_actions() == game.new_initial_state().legal_actions()
            with pytest.raises(ValueError, match="no action to take back"):
                twin.undo_action()
        assert state.history() == history, "twins change nothing"


def test_othello_passes_and_ends(othello):
    passes = 0
    for seed in range(40):
        state = othello.new_initial_state()
        history = random_actions(state, seed)
        passes += history.count(64)
        assert state.current_player() == -4 and state.legal_actions() == []
        assert np.sign(state.lead()) == state.returns()[0] == -state.returns()[1]
    assert passes > 0


def test_othello_reads_transcripts_and_boards(othello):
    state = othello.from_text("f5d6c3")
    assert [state.action_to_string(action) for action in state.history()] == ["f5", "d6", "c3"]
    again = othello.from_text(str(state))
    assert again.legal_actions() == state.legal_actions()
    with pytest.raises(ValueError, match="f5f5"):
        othello.from_text("f5f5")


def test_a_record_becomes_a_state():
    record = b"(;GM[1]FF[4]SZ[9]KM[5.5]RU[Japanese];B[ee];W[gc];B[cg])"
    state = ishi.GoGame.from_sgf(record)
    assert [state.action_to_string(0, a) for a in state.history()] == ["B e5", "B g7", "B c3"]
    assert ishi.GoGame.from_sgf(record.decode(), moves=1).move_number() == 1
    with pytest.raises(ValueError, match="there is no move 4: the record has moves 1 to 3"):
        ishi.GoGame.from_sgf(record, moves=4)
    with pytest.raises(ValueError, match="there is no game 2: it has 1"):
        ishi.GoGame.from_sgf(record, game=2)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_is_its_games(go9, othello, threads):
    for game in (go9, othello):
        batch = game.new_batch(17, threads=threads)
        states = [game.new_initial_state() for _ in range(17)]
        rng = np.random.default_rng(8)
        for _ in range(70):
            masks = batch.legal_actions_mask()
            assert masks.dtype == bool and masks.shape == (17, game.num_distinct_actions())
            assert all((mask == state.legal_actions_mask()).all() for mask, state in zip(masks, states))
            seen = batch.observation_tensor()
            assert seen.dtype == np.float32
            assert all((one == state.observation_tensor()).all() for one, state in zip(seen, states))
            assert batch.current_players().tolist() == [state.current_player() for state in states]
            assert batch.is_terminal().tolist() == [state.is_terminal() for state in states]
            assert batch.returns().tolist() == [state.returns() for state in states]
            legal = [np.flatnonzero(mask) for mask in masks]
            actions = np.array([rng.choice(some) if len(some) else -1 for some in legal])
            batch.apply_actions(actions)
            for state, action in zip(states, actions):
                if action >= 0:
                    state.apply_action(int(action))
        assert [batch.state(i).history() for i in range(17)] == [state.history() for state in states]


def test_random_games_do_not_depend_on_threads_or_batches(go9):
    one, three, small = go9.new_batch(9), go9.new_batch(9, threads=3), go9.new_batch(4)
    played = one.play_randomly(seed=7)
    assert (three.play_randomly(seed=7) == played).all()
    assert (small.play_randomly(seed=7) == played[:4]).all()
    assert one.state(8).history() == three.state(8).history()
    assert one.state(8).history() != one.state(7).history()


def test_a_wrong_action_changes_no_game(go9):
    batch = go9.new_batch(3)
    with pytest.raises(ValueError, match="game 2: invalid action 82: it must be a number from 0 to 81"):
        batch.apply_actions([0, 1, 82])
    with pytest.raises(ValueError, match="2 actions: there must be 3, one for each game"):
        batch.apply_actions([0, 1])
    with pytest.raises(ValueError, match="game 0: invalid action -1"):
        batch.apply_actions([-1, -1, -1])
    assert all(batch.state(i).history() == [] for i in range(3))
    with pytest.raises(IndexError, match="there is no game 3: there are 3"):
        batch.state(3)


def test_games_of_a_batch_begin_again(othello):
    batch = othello.new_batch(5)
    batch.play_randomly()
    batch.reset([1, 3])
    assert batch.is_terminal().tolist() == [True, False, True, False, True]
    batch.reset(batch.is_terminal())
    assert not batch.is_terminal().any()
    batch.play_randomly(moves=3)
    batch.reset()
    assert all(batch.state(i).history() == [] for i in range(5))
    assert othello.new_batch(0).legal_actions_mask().shape[0] == 0


def test_actions_are_whole_numbers_in_one_row(othello):
    batch = othello.new_batch(2)
    for actions in ([19.9, 19.0], np.array([19.0, 19.0]), [True, False]):
        with pytest.raises(TypeError, match="actions must be whole numbers"):
            batch.apply_actions(actions)
    with pytest.raises(ValueError, match=r"an array of shape \(2, 1\): it must be one row, an action for each game"):
        batch.apply_actions(np.full((2, 1), 19))
    assert batch.state(0).history() == []
    batch.apply_actions(np.array([19, 26], dtype=np.int8))
    othello.new_batch(0).apply_actions([])


def test_a_mask_of_another_length_begins_no_game_again(othello):
    batch = othello.new_batch(3)
    batch.play_randomly()
    for mask in ([True, False], np.ones(4, dtype=bool)):
        with pytest.raises(ValueError, match=f"{len(mask)} truth values: there must be 3, one for each game"):
            batch.reset(mask)
    batch.reset([])
    assert batch.is_terminal().all()


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"board_size": 26}, "unacceptable size 26x26: a board must have 2 to 25 lines each way"),
        ({"board_size": "nine"}, 'invalid size "nine"'),
        ({"komi": float("nan")}, "komi"),
        ({"handicap": 10}, "invalid handicap 10: a 19x19 board takes 2 to 9 stones"),
        ({"rules": "ing"}, 'unknown rules "ing": the rule sets are chinese'),
    ],
)
def test_errors_have_the_words_of_the_command_line(arguments, message):
    with pytest.raises(ValueError, match=message):
        ishi.GoGame(**arguments)


def test_a_batch_that_would_end_python_is_refused(go9, othello):
    for game in (go9, othello):
        with pytest.raises(ValueError, match="invalid count 1000000001: it must be a number from 0 to 1000000"):
            game.new_batch(1_000_000_001)
        with pytest.raises(ValueError, match="invalid threads 5000: it must be a number from 0 to 1024"):
            game.new_batch(2, threads=5000)


def test_errors_of_states(go9):
    state = go9.new_initial_state()
    with pytest.raises(ValueError, match='invalid vertex "I9": column I is not used'):
        state.string_to_action("I9")
    with pytest.raises(ValueError, match="invalid player 2: it must be 0 or 1"):
        state.observation_tensor(2)
    state.apply_action(81)
    state.apply_action(81)
    with pytest.raises(ValueError, match="invalid action 0: the game is over"):
        state.apply_action(0)
