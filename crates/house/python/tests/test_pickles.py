"""Games, states, players and runs are pickled, copied and kept as texts; a damaged text is refused."""

import copy
import json
import multiprocessing
import os
import pickle

import numpy as np
import pytest

import ishi

SUICIDE = "(;GM[1]SZ[9]RU[Chinese]AW[aa]AB[ba][bb][ac];W[ab];B[ee])"
RECORD = "(;GM[1]SZ[9]KM[5.5]RU[Japanese]HA[2]AB[cc][gg];W[ee];B[ec];B[gc];W[cg];W[ge])"


def play(state, moves, seed=1):
    """So many random moves, or to the end of the game."""
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        if not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def repeated():
    """A game that a repeated position has ended."""
    batch = ishi.GoGame(3).new_batch(400)
    batch.play_randomly(seed=5)
    ended = [batch.state(int(at)) for at in np.flatnonzero((batch.returns() == 0).all(axis=1))]
    return next(state for state in ended if state.history()[-1] != 9)


def after_a_white_move():
    """A position of a record in which the side to move does not follow from the moves, and a move of it."""
    state = ishi.GoGame.from_sgf(RECORD, moves=2)
    state.apply_action(state.string_to_action("A1"))
    return state


STATES = {
    "start": lambda: ishi.GoGame(9).new_initial_state(),
    "game": lambda: play(ishi.GoGame(9, komi=0.1 + 0.2).new_initial_state(), 60),
    "end": lambda: play(ishi.GoGame(5).new_initial_state(), 99),
    "repeated": repeated,
    "short": lambda: play(ishi.GoGame("19x7", max_game_length=20).new_initial_state(), 99),
    "handicap": lambda: play(ishi.GoGame(19, handicap=4, komi=-0.5, rules="aga").new_initial_state(), 30),
    "superko": lambda: play(ishi.GoGame(3, rules="tromp-taylor").new_initial_state(), 16),
    "record": lambda: ishi.GoGame.from_sgf(RECORD),
    "given turn": after_a_white_move,
    "suicide": lambda: ishi.GoGame.from_sgf(SUICIDE),
    "strange handicap": lambda: ishi.GoGame.from_sgf(RECORD.replace("HA[2]", "HA[4000000000]")),
    "othello start": lambda: ishi.OthelloGame().new_initial_state(),
    "othello": lambda: play(ishi.OthelloGame().from_text("f5d6c3"), 20),
    "othello end": lambda: play(ishi.OthelloGame().new_initial_state(), 128),
    "othello board": lambda: play(ishi.OthelloGame.from_text("-" * 26 + "XXXO" + "-" * 6 + "XO" + "-" * 26 + " O"), 3),
}


def deserialize_state(text):
    game = ishi.GoGame if "ishi-go-" in text else ishi.OthelloGame
    return game.deserialize_state(text)


WAYS = {
    "clone": lambda state: state.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "text": lambda state: deserialize_state(state.serialize()),
    **{f"pickle {n}": lambda state, n=n: pickle.loads(pickle.dumps(state, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)},
}


def describe(state):
    """All that can be seen of a state."""
    seen = (state.observation_tensor(0).tolist(), state.observation_tensor(1).tolist())
    told = (str(state), repr(state), state.current_player(), state.legal_actions(), state.is_terminal())
    return told, seen, state.history(), state.returns(), state.lead(), state.serialize()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", STATES)
def test_a_copy_is_the_same_in_all(name, way):
    state = STATES[name]()
    before = describe(state)
    twin = WAYS[way](state)
    assert type(twin) is type(state) and describe(twin) == before
    other = state.clone()
    play(twin, 5, seed=2)
    assert describe(twin) == describe(play(other, 5, seed=2)), "both go on alike"
    assert describe(state) == before, "the first stays as it is"
    while other.history():
        assert twin.undo_action() == other.undo_action()
        assert describe(twin) == describe(other), "both go back alike"
    with pytest.raises(ValueError):
        twin.undo_action()


def test_the_states_are_what_they_are_called():
    assert STATES["repeated"]().is_terminal() and STATES["repeated"]().returns() == [0, 0]
    assert STATES["short"]().is_terminal() and STATES["short"]().move_number() == 20
    assert '"turns"' in STATES["given turn"]().serialize()
    assert '"0.30000000000000004"' in STATES["game"]().serialize()
    assert STATES["suicide"]().observation_tensor()[1].sum() == 0, "the rules forbid it, the record has it"
    assert STATES["othello board"]().move_number() == 3


@pytest.mark.parametrize(
    "game",
    [
        ishi.GoGame(),
        ishi.GoGame("19x7", komi=0.1 + 0.2, max_game_length=30, rules="japanese"),
        ishi.GoGame(13, handicap=5, rules="aga"),
        ishi.OthelloGame(),
    ],
)
def test_games_are_pickled_and_are_their_own_copies(game):
    twin = pickle.loads(pickle.dumps(game))
    assert type(twin) is type(game) and repr(twin) == repr(game)
    assert describe(twin.new_initial_state()) == describe(game.new_initial_state())
    assert twin.max_game_length() == game.max_game_length()
    assert copy.copy(game) is game and copy.deepcopy({"game": game})["game"] is game
    if isinstance(game, ishi.GoGame):
        assert twin.get_parameters() == game.get_parameters()
        assert ishi.GoGame.deserialize(game.serialize()).serialize() == game.serialize()


def play_on(state):
    """What another process does; it also says which one it is."""
    return play(state, 10, seed=3), os.getpid()


def play_a_game(job):
    """A game of an engine with itself in another process."""
    game, engine = job
    state = game.new_initial_state()
    for _ in range(6):
        state.apply_action(engine.choose(state)["action"])
    return state


def test_a_pool_takes_states_and_gives_them_back():
    states = [STATES[name]() for name in ("game", "given turn", "handicap", "othello")]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        played = pool.map(play_on, states)
        jobs = [
            (ishi.GoGame(7), ishi.GoEngine("go-capture", seed=3)),
            (ishi.OthelloGame(), ishi.OthelloEngine("othello-random", seed=4)),
        ]
        games = pool.map(play_a_game, jobs)
    for state, (after, process) in zip(states, played):
        assert process != os.getpid()
        assert describe(after) == describe(play(state.clone(), 10, seed=3))
        assert after.move_number() > state.move_number()
    assert [describe(state) for state in games] == [describe(play_a_game(job)) for job in jobs]


def test_players_are_pickled_with_their_seed():
    state = play(ishi.GoGame(7).new_initial_state(), 4)
    for seed in range(3):
        player = ishi.GoEngine("go-random", seed=seed)
        for twin in (pickle.loads(pickle.dumps(player)), copy.copy(player), copy.deepcopy(player)):
            assert twin.spec == player.spec and repr(twin) == repr(player)
            assert twin.choose(state)["action"] == player.choose(state)["action"]
    othello = ishi.OthelloEngine("othello:level=3,book=no", seed=5)
    assert pickle.loads(pickle.dumps(othello)).spec == othello.spec
    with pytest.raises(ValueError, match="the network must be that of the player"):
        text = ishi.GoEngine("go-random").__reduce__()[1][0]
        ishi.GoEngine._deserialize(text, b"other")


def test_batches_are_not_pickled():
    for game in (ishi.GoGame(5), ishi.OthelloGame()):
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(game.new_batch(2))


def kept_texts():
    go, othello = ishi.GoEngine("go-random", seed=2), ishi.OthelloEngine("othello-random", seed=2)
    runs = ishi.DifferentialEvolution(2, population=4), ishi.CmaEs([1.0, 2.0], 0.5)
    for run in runs:
        run.tell((run.ask() ** 2).sum(axis=1))
    evolution, cma = [run.__reduce__()[1][0] for run in runs]
    return {
        "game of Go": (ishi.GoGame(5, komi=2.5).serialize(), ishi.GoGame.deserialize),
        "state of Go": (play(ishi.GoGame(5).new_initial_state(), 9).serialize(), ishi.GoGame.deserialize_state),
        "state of Othello": (STATES["othello"]().serialize(), ishi.OthelloGame.deserialize_state),
        "player of Go": (go.__reduce__()[1][0], lambda text: ishi.GoEngine._deserialize(text, None)),
        "player of Othello": (othello.__reduce__()[1][0], ishi.OthelloEngine._deserialize),
        "run of differential evolution": (evolution, ishi.DifferentialEvolution._deserialize),
        "run of CMA-ES": (cma, ishi.CmaEs._deserialize),
    }


@pytest.mark.parametrize("name", kept_texts())
def test_every_flipped_bit_is_refused(name):
    text, read = kept_texts()[name]
    read(text)
    kept = text.encode()
    for at in range(len(kept)):
        for bit in range(7):
            damaged = bytearray(kept)
            damaged[at] ^= 1 << bit
            with pytest.raises(ValueError, match=f"this text keeps no {name}: "):
                read(damaged.decode())


@pytest.mark.parametrize("name", kept_texts())
def test_cut_and_swapped_texts_are_refused(name):
    text, read = kept_texts()[name]
    for at in range(len(text)):
        damages = [text[:at], text[at + 1 :], text[:at] + "0" + text[at:], text[at:] + text[:at] if at else ""]
        for damaged in damages:
            with pytest.raises(ValueError, match=f"this text keeps no {name}: "):
                read(damaged)
    for wrong in (None, 5, text.encode()):
        with pytest.raises(TypeError):
            read(wrong)


@pytest.mark.parametrize("name", ["game", "othello"])
def test_a_pickle_with_a_flipped_bit_in_its_state_is_refused(name):
    state = STATES[name]()
    text, pickled = state.serialize().encode(), pickle.dumps(state)
    start = pickled.index(text)
    for at in range(start, start + len(text)):
        damaged = bytearray(pickled)
        damaged[at] ^= 1 << at % 8
        with pytest.raises(ValueError):
            pickle.loads(damaged)


@pytest.mark.parametrize("name", kept_texts())
def test_another_version_and_another_thing_are_refused(name):
    text, read = kept_texts()[name]
    kept = json.loads(text)
    assert kept["format"].endswith(" 1") and len(kept["checksum"]) == 16
    for other in [text.replace(' 1","checksum', ' 2","checksum'), json.dumps(kept["content"]), "{}", ""]:
        with pytest.raises(ValueError, match="byte 0: it must begin with .* of another version, or of another thing"):
            read(other)
    for another, (strange, _) in kept_texts().items():
        if another != name:
            with pytest.raises(ValueError, match=f"this text keeps no {name}: byte 0: "):
                read(strange)


def fnv(text):
    """The checksum that ishi writes."""
    total = 0xCBF29CE484222325
    for byte in text.encode():
        total = (total ^ byte) * 0x100000001B3 % 2**64
    return f"{total:016x}"


def with_right_checksum(text):
    head, rest = text.split('"checksum":"')
    content = rest[16:]
    return f'{head}"checksum":"{fnv(head + chr(34) + "checksum" + chr(34) + ":" + chr(34) + "0" * 16 + content)}{content}'


@pytest.mark.parametrize(
    "name, old, new, message",
    [
        ("state of Go", '"5x5"', '"1x5"', 'invalid size "1x5"'),
        ("state of Go", '"komi":"7.5"', '"komi":"nan"', "invalid komi NaN"),
        ("state of Go", '"komi":"7.5"', '"komi":"x"', 'invalid komi "x": it must be a number'),
        ("state of Go", '"moves":[', '"moves":[["black","Z9"],', "Z9"),
        ("state of Go", '"handicap":0,"max', '"max', "missing field `handicap`"),
        ("game of Go", '"open-spiel"', '"ing"', 'unknown rules "ing"'),
        ("state of Othello", '"f5"', '"a1"', "move 1: black may not play a1: it turns no disc"),
        ("player of Go", "go-random", "go-nobody", "go-nobody"),
        ("run of differential evolution", '"population":4', '"population":5', "4 members instead of 5"),
        ("run of differential evolution", "DE/rand/1/bin", "DE/worst/1/bin", "invalid strategy DE/worst/1/bin"),
        ("run of CMA-ES", '"population":null', '"population":3', "population"),
    ],
)
def test_what_cannot_be_is_refused_with_a_right_checksum_too(name, old, new, message):
    text, read = kept_texts()[name]
    assert with_right_checksum(text) == text and old in text
    with pytest.raises(ValueError, match=message):
        read(with_right_checksum(text.replace(old, new)))
