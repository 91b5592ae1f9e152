"""ishi's players, Python's lock, and Ctrl-C."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ishi


def test_the_network_takes_what_it_can(go9):
    state = go9.new_initial_state()
    # Three black stones have one liberty left.
    for vertex in "E5 D5 E6 D6 E4 D4 G5 F5 G6 F6 G4 E7 G7 F4 G3".split():
        state.apply_action(state.string_to_action(vertex))
    choice = ishi.GoEngine("go-network:visits=40").choose(state)
    assert choice["text"] == "E3" and choice["action"] == state.string_to_action("E3")
    assert choice["ownership"].shape == (9, 9)
    assert 0 <= choice["win_rate"] <= 1 and choice["moves"][0]["action"] == choice["action"]


@pytest.mark.parametrize("rules", ["open-spiel", "chinese", "japanese", "tromp-taylor", "aga", "new-zealand"])
def test_one_move_decides_no_game(rules):
    """The network learned from Chinese rules alone, and must not judge other games wildly for that."""
    for size, vertex in [(9, "E5"), (13, "G7"), (19, "Q16")]:
        state = ishi.GoGame(size, komi=6.5, rules=rules).new_initial_state()
        state.apply_action(state.string_to_action(vertex))
        choice = ishi.GoEngine("go-network:visits=1").choose(state)
        assert abs(choice["score"]) < 7 and 0.2 < choice["win_rate"] < 0.8, choice["text"]


def test_engines_follow_from_their_seeds(go9):
    def game(seed):
        engine, state = ishi.GoEngine("go-flat:playouts=50", seed=seed), go9.new_initial_state()
        for _ in range(6):
            state.apply_action(engine.choose(state)["action"])
        return state.history()

    assert game(4) == game(4)
    assert len({tuple(game(seed)) for seed in range(4)}) > 1


def test_othello_plays_perfectly_at_the_end(othello):
    batch = othello.new_batch(1)
    batch.play_randomly(seed=3, moves=50)
    state = batch.state(0)
    exact = ishi.solve_othello(state)
    choice = ishi.OthelloEngine("othello:level=12").choose(state)
    child = state.clone()
    child.apply_action(choice["action"])
    sign = 1 if child.current_player() == state.current_player() else -1
    after = child.lead() * (1 if state.current_player() == 0 else -1) if child.is_terminal() else sign * ishi.solve_othello(child)["score"]
    assert after == exact["score"]


def test_limits_are_kept(go9):
    engine = ishi.GoEngine("go-network:visits=1000000")
    choice = engine.choose(go9.new_initial_state(), playouts=10)
    assert choice["playouts"] == 10
    assert engine.spec == "go-network:visits=1000000"
    engine.choose(go9.new_initial_state(), seconds=0.01)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: ishi.GoEngine("go-flt"), 'no engine "go-flt": there are go-random, go-capture'),
        (lambda: ishi.GoEngine("go-network:visits=0"), 'invalid visits "0": write a number from 1'),
        (lambda: ishi.GoEngine(network=b"no weights"), "."),
        (lambda: ishi.OthelloEngine("othello:level=21"), 'invalid level "21": a level must be a number from 1 to 20'),
        (lambda: ishi.GoEngine().choose(ishi.GoGame(9).new_initial_state(), playouts=0), "invalid playouts 0"),
        (lambda: ishi.GoEngine().choose(ishi.GoGame(9).new_initial_state(), seconds=-1), "invalid seconds -1"),
    ],
)
def test_errors_have_the_words_of_the_command_line(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no limit of memory can be set for a program")
def test_a_table_without_memory_is_an_error():
    program = """
import resource

import ishi

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
try:
    ishi.OthelloEngine("othello:hash=30")
except ValueError as error:
    print(error)
print(ishi.OthelloEngine("othello:hash=12").spec)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    first, second = done.stdout.splitlines()
    assert first.startswith("no memory for a hash table of 2^30 entries"), done.stderr
    assert second.startswith("othello:level=10,"), done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is not known what is free")
def test_tables_larger_than_what_is_free_are_an_error():
    with open("/proc/meminfo") as lines:
        free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    if free >= 32 << 20:
        pytest.skip("needs a machine with less than 32 GiB of free memory")
    program = """
import ishi

engines = []
try:
    for _ in range(2):
        engines.append(ishi.OthelloEngine("othello:hash=30"))
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.startswith("no memory for a hash table of 2^30 entries"), done.stderr


def test_other_threads_run_while_an_engine_thinks():
    times, done = [], threading.Event()

    def tick():
        while not done.is_set():
            times.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    ishi.GoEngine("go-network:visits=200").choose(ishi.GoGame(19).new_initial_state())
    end = time.perf_counter()
    done.set()
    thread.join()
    third = (end - start) / 3
    assert any(start + third < moment < end - third for moment in times), "none ran in the middle of the search"


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals as Unix has them")
@pytest.mark.parametrize(
    "work",
    [
        "ishi.GoEngine('go-network:visits=100000000').choose(ishi.GoGame(19).new_initial_state())",
        "ishi.solve_othello(ishi.OthelloGame().new_initial_state())",
        "ishi.count_strings(60)",
        "ishi.GuidedSearch(lambda o, m: (m * 1.0, o[:, 0, 0, 0] * 0), visits=10**9).search(ishi.GoGame(9).new_initial_state())",
    ],
)
def test_ctrl_c_stops(work):
    program = f"""
import ishi
print("begins", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    # Whoever starts the tests in the background has Ctrl-C ignored, and children inherit that.
    hear = lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, preexec_fn=hear)
    try:
        assert child.stdout.readline() == "begins\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        # Without an answer to Ctrl-C all of these would go on for hours.
        out, _ = child.communicate(timeout=120)
    finally:
        child.kill()
    assert out == "stopped\n"
