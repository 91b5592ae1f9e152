"""Ray: the line of docs/campaigns.md starts workers, and the module plays in Ray's processes as it does here."""

import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ishi

ray = pytest.importorskip("ray", reason="needs Ray: pip install ray")

DOCS = Path(__file__).parents[4] / "docs" / "campaigns.md"


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def find_program():
    beside = Path(sys.executable).with_name("ishi")
    program = str(beside) if beside.exists() else shutil.which("ishi")
    return program or pytest.skip("needs the program ishi beside Python or in PATH")


def run(program, folder, *words):
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_line_of_the_docs_starts_workers(tmp_path):
    program = find_program()
    (tmp_path / "c.toml").write_text('matches = ["go-random go-capture --size 5 --pairs 40"]\n')
    database = str(tmp_path / "c.db")
    run(program, tmp_path, "campaign", "run", "c.toml", "--hand-out", "--db", database)
    line = re.search(r"`(ray\.get\(.*\))`", DOCS.read_text(encoding="utf-8")).group(1)
    for old, new in [
        ('"ishi"', repr(program)),
        ('"postgres://me@server/games"', repr(database)),
        ("num_cpus=2", "num_cpus=1"),
        ("range(64)", "range(2)"),
    ]:
        assert old in line
        line = line.replace(old, new)
    ended = eval(line, {"ray": ray, "subprocess": subprocess})
    assert [done.returncode for done in ended] == [0, 0]
    assert "40 pairs" in run(program, tmp_path, "campaign", "report", "c.toml", "--db", database)


def test_the_module_plays_in_rays_processes_as_it_does_here():
    # Within the test, so that Ray sends it as it is, and need not find this file.
    def play(seed):
        """The moves of a game of random legal moves on 5x5, and who played it."""
        rng = random.Random(seed)
        state = ishi.GoGame(5).new_initial_state()
        while not state.is_terminal() and len(state.history()) < 40:
            state.apply_action(rng.choice(state.legal_actions()))
        return state.history(), os.getpid()

    played = ray.get([ray.remote(play).remote(seed) for seed in range(4)])
    here = [play(seed) for seed in range(4)]
    assert [moves for moves, _ in played] == [moves for moves, _ in here]
    assert all(process != os.getpid() for _, process in played)
    assert len({tuple(moves) for moves, _ in played}) == 4
