"""Problems, ends of games, strings and decks."""

import json
import pathlib

import numpy as np
import pytest

import ishi

CORNER = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
O O O O O . . . .
X X X X O . . . .
. . . X O . . . .
"""

POOL = {
    "pieces": [{"name": name, "cost": cost} for name, cost in [("a", 3), ("b", 2), ("c", 4), ("d", 1)]],
    "pairs": [["a", "b", 5], ["a", "c", 9], ["b", "d", 4], ["c", "d", 1]],
}


def test_three_in_a_row_are_saved_in_the_middle():
    solution = ishi.solve_go_problem(CORNER, "black")
    assert solution["move"] == "B1" and solution["proved"]
    assert ishi.solve_go_problem(CORNER, "white")["move"] == "B1"
    with pytest.raises(ValueError):
        ishi.solve_go_problem("no board")
    with pytest.raises(ValueError, match='invalid color "red"'):
        ishi.solve_go_problem(CORNER, "red")


def exact_score(state):
    """Every game to its end, for the side to move."""
    if state.is_terminal():
        return None
    best = None
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        if child.is_terminal():
            value = child.lead() * (1 if state.current_player() == 0 else -1)
        else:
            value = -exact_score(child)
        best = value if best is None else max(best, value)
    return best


def test_the_end_of_a_game_is_exact(othello):
    checked = 0
    for seed in range(8):
        batch = othello.new_batch(1)
        batch.play_randomly(seed=seed, moves=54)
        state = batch.state(0)
        if not state.is_terminal():
            solved = ishi.solve_othello(state)
            assert solved["score"] == exact_score(state)
            assert solved["action"] in state.legal_actions()
            checked += 1
    assert checked > 3


def count_chains(board):
    """Chains of a board, and whether all have a liberty."""
    seen, chains, free = set(), 0, True
    for start in zip(*np.nonzero(board)):
        if start in seen:
            continue
        chains += 1
        stack, liberty = [start], False
        seen.add(start)
        while stack:
            row, column = stack.pop()
            for point in [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]:
                if not (0 <= point[0] < board.shape[0] and 0 <= point[1] < board.shape[1]):
                    continue
                liberty |= board[point] == 0
                if board[point] == board[start] and point not in seen:
                    seen.add(point)
                    stack.append(point)
        free &= liberty
    return chains, free


@pytest.mark.parametrize("width, height, strings", [(5, 5, 18), (9, 9, 61), (19, 19, 277), (4, 7, 21)])
def test_strings(width, height, strings):
    found = ishi.solve_strings(width, height)
    assert found["strings"] == found["bound"] and found["optimal"] and found["verified"]
    assert count_chains(found["board"]) == (found["strings"], True)
    assert found["strings"] == strings


def test_strings_with_points_given_and_wraps():
    given = ishi.solve_strings(3, given="?#?\n???\n???")
    assert given["board"][0, 1] != 0
    assert ishi.solve_strings(5, wrap="torus")["strings"] == 16
    assert ishi.solve_strings(10, wrap="torus")["strings"] == 80, "a perfect code covers each point once"
    with pytest.raises(ValueError, match="row 1 has 2 points, the board has 3 columns"):
        ishi.solve_strings(3, given="??\n???\n???")
    with pytest.raises(ValueError, match='invalid wrap "ball": write cylinder or torus'):
        ishi.solve_strings(3, wrap="ball")
    with pytest.raises(ValueError, match="invalid size 0x0"):
        ishi.solve_strings(0)


def test_strings_are_counted():
    assert ishi.count_strings(13) == ishi.count_strings(13, 13, threads=2)
    assert ishi.count_strings(19) == [(277, 1682689266)]
    more = ishi.count_strings(6, numbers=3)
    assert len(more) == 3 and more[0][0] == more[1][0] + 1 and more[1][1] > more[0][1]
    with pytest.raises(ValueError, match="invalid numbers 0"):
        ishi.count_strings(5, numbers=0)


def test_a_deck_is_proved():
    answer = ishi.build_deck(POOL, {"size": 2, "limits": {"cost": 6}})
    assert answer["status"] == "optimal" and sorted(answer["deck"]) == ["a", "b"] and answer["value"] == 5
    answer = ishi.build_deck(POOL, {"size": 2})
    assert sorted(answer["deck"]) == ["a", "c"] and answer["bound"] == 9
    nothing = ishi.build_deck(POOL, {"size": 2, "limits": {"cost": 1}})
    assert nothing["status"] == "infeasible" and nothing["reasons"]


def test_decks_stand_in_files():
    folder = pathlib.Path(__file__).parents[4] / "data" / "decks"
    answer = ishi.build_deck(folder / "example.toml", (folder / "request.toml").read_text())
    assert answer["status"] == "optimal" and answer["value"] == answer["bound"]


# As `ishi deck learn --pool` writes pools.
WRITTEN = """{
  "checksum": "883ef5d30dd607f7",
  "name": "two",
  "units": 10,
  "resources": ["cost"],
  "attributes": ["red"],
  "groups": {"g": 2},
  "pieces": [
    {"name": "Ant", "cost": {"cost": 3}, "attributes": ["red"], "group": "g", "score": 0.5},
    {"name": "Bee"}
  ],
  "pairs": {"list": [[0,1,1.5]]},
  "leaders": {"list": [[1,0,-0.2]]}
}
"""


def test_pools_that_were_damaged_are_refused(tmp_path):
    file = tmp_path / "pool.json"
    file.write_text(WRITTEN)
    for pool in [file, WRITTEN, json.loads(WRITTEN)]:
        assert ishi.build_deck(pool, {"size": 2})["value"] == 2
    changed = json.loads(WRITTEN)
    changed["pieces"][0]["score"] = 0.7
    with pytest.raises(ValueError, match="checksum: the pool is damaged, or was edited"):
        ishi.build_deck(changed, {"size": 2})
    del changed["checksum"]
    assert ishi.build_deck(changed, {"size": 2})["value"] == 2.2


def test_errors_of_decks_name_the_field():
    with pytest.raises(ValueError, match="size"):
        ishi.build_deck(POOL, {"size": "many"})
    with pytest.raises(ValueError, match="pool"):
        ishi.build_deck("{")
    with pytest.raises(TypeError, match="a document must be a dictionary or a text"):
        ishi.build_deck(3)
