"""Whole numbers that are negative or too large are wrong arguments (ValueError), in the words of the command line."""

import ast
import pathlib

import numpy as np
import pytest

import ishi

HUGE = 2**64
STUB = pathlib.Path(__file__).parents[1] / "ishi.pyi"
NOT_NEGATIVE = "it must be a whole number, and not negative"
SMALLER = "it must be a smaller number"
ACTION = "it must be the number of an action"
LEVEL = "it must be a number from 1 to 10"
THREADS = "it must be a number from 0 to 1024"

# What a parameter's error says: behind a negative number, and behind one that is too large. An own text stands for both.
WORDS = {
    "action": ACTION,
    "count": "it must be a number from 0 to 1000000",
    "level": LEVEL,
    "numbers": "it must be 1 to 128",
    "opening": "it must lie from 0 to 50",
    "player": "it must be 0 or 1",
    "threads": THREADS,
}


def know_nothing(observations, masks):
    return masks * 1.0, np.zeros(len(masks))


def go():
    return ishi.GoGame(9).new_initial_state()


def othello():
    return ishi.OthelloGame().new_initial_state()


RECORD = "(;GM[1]SZ[9];B[ee])"
PROBLEM = ".XX.\nXOO.\n.O..\n...."
POOL = {"cards": []}

# A call for each parameter: with the number, nothing else is wrong.
CALLS = [
    ("seed", lambda n: ishi.GoEngine("go-random", seed=n)),
    ("seed", lambda n: ishi.OthelloEngine("othello-random", seed=n)),
    ("playouts", lambda n: ishi.GoEngine("go-random").choose(go(), playouts=n)),
    ("playouts", lambda n: ishi.OthelloEngine("othello-random").choose(othello(), playouts=n)),
    ("handicap", lambda n: ishi.GoGame(9, handicap=n)),
    ("max_game_length", lambda n: ishi.GoGame(9, max_game_length=n)),
    ("moves", lambda n: ishi.GoGame.from_sgf(RECORD, moves=n)),
    ("game", lambda n: ishi.GoGame.from_sgf(RECORD, game=n)),
    ("count", lambda n: ishi.GoGame(9).new_batch(n)),
    ("threads", lambda n: ishi.GoGame(9).new_batch(1, threads=n)),
    ("count", lambda n: ishi.OthelloGame().new_batch(n)),
    ("threads", lambda n: ishi.OthelloGame().new_batch(1, threads=n)),
    ("player", lambda n: go().observation_tensor(n)),
    ("player", lambda n: othello().action_to_string(n, 19)),
    ("player", lambda n: othello().legal_actions(n)),
    ("player", lambda n: go().player_return(n)),
    ("seed", lambda n: ishi.GoGame(9).new_batch(1).play_randomly(seed=n)),
    ("moves", lambda n: ishi.OthelloGame().new_batch(1).play_randomly(moves=n)),
    ("visits", lambda n: ishi.GuidedSearch(know_nothing, visits=n)),
    ("batch", lambda n: ishi.GuidedSearch(know_nothing, batch=n)),
    ("level", lambda n: ishi.explain_move(go(), level=n)),
    ("seed", lambda n: ishi.explain_move(go(), seed=n)),
    ("game", lambda n: ishi.review_game(RECORD, game=n)),
    ("lessons", lambda n: ishi.review_game(RECORD, lessons=n)),
    ("level", lambda n: ishi.review_game(RECORD, level=n)),
    ("seed", lambda n: ishi.review_game(RECORD, seed=n)),
    ("threads", lambda n: ishi.othello_hints(othello(), threads=n)),
    ("playouts", lambda n: ishi.solve_go_problem(PROBLEM, playouts=n)),
    ("seed", lambda n: ishi.solve_go_problem(PROBLEM, seed=n)),
    ("threads", lambda n: ishi.solve_othello(othello(), threads=n)),
    ("width", lambda n: ishi.solve_strings(n)),
    ("height", lambda n: ishi.solve_strings(3, n)),
    ("threads", lambda n: ishi.solve_strings(3, threads=n)),
    ("width", lambda n: ishi.count_strings(n)),
    ("height", lambda n: ishi.count_strings(3, n)),
    ("numbers", lambda n: ishi.count_strings(3, numbers=n)),
    ("threads", lambda n: ishi.count_strings(3, threads=n)),
    ("seed", lambda n: ishi.build_deck(POOL, seed=n)),
    ("dimensions", lambda n: ishi.DifferentialEvolution(n)),
    ("population", lambda n: ishi.DifferentialEvolution(3, population=n)),
    ("seed", lambda n: ishi.DifferentialEvolution(3, seed=n)),
    ("dimensions", lambda n: ishi.DifferentialEvolution.jade(n)),
    ("population", lambda n: ishi.DifferentialEvolution.jade(3, population=n)),
    ("seed", lambda n: ishi.DifferentialEvolution.jade(3, seed=n)),
    ("dimensions", lambda n: ishi.DifferentialEvolution.shade(n)),
    ("memory", lambda n: ishi.DifferentialEvolution.shade(3, memory=n)),
    ("population", lambda n: ishi.DifferentialEvolution.shade(3, population=n)),
    ("seed", lambda n: ishi.DifferentialEvolution.shade(3, seed=n)),
    ("population", lambda n: ishi.CmaEs([1.0], 1.0, population=n)),
    ("seed", lambda n: ishi.CmaEs([1.0], 1.0, seed=n)),
    ("generations", lambda n: ishi.CmaEs([1.0, 2.0], 1.0).run(sum, n)),
    ("games", lambda n: ishi.NTupleLearner("a1b1c1", games=n)),
    ("opening", lambda n: ishi.NTupleLearner("a1b1c1", opening=n)),
    ("seed", lambda n: ishi.NTupleLearner("a1b1c1", seed=n)),
    ("games", lambda n: ishi.NTupleLearner("a1b1c1").learn(n)),
    ("games", lambda n: ishi.NTupleLearner("a1b1c1").score(games=n)),
    ("seed", lambda n: ishi.NTupleLearner("a1b1c1").score(seed=n)),
    ("wins", lambda n: ishi.win_rate(n, 10)),
    ("games", lambda n: ishi.win_rate(1, n)),
    ("wins", lambda n: ishi.binomial_test(n, 10)),
    ("games", lambda n: ishi.binomial_test(1, n)),
    ("wins", lambda n: ishi.score(n, 1, 1)),
    ("draws", lambda n: ishi.score(1, n, 1)),
    ("losses", lambda n: ishi.score(1, 1, n)),
    ("wins", lambda n: ishi.sprt(n, 1, 1, elo0=0, elo1=9)),
    ("draws", lambda n: ishi.sprt(1, n, 1, elo0=0, elo1=9)),
    ("losses", lambda n: ishi.sprt(1, 1, n, elo0=0, elo1=9)),
]


def words_of(name, number):
    if name == "seed":
        return f'invalid seed "{number}": a seed must be a whole number from 0 to 18446744073709551615'
    return f"invalid {name} {number}: " + WORDS.get(name, NOT_NEGATIVE if number < 0 else SMALLER)


@pytest.mark.parametrize("number", [-1, -HUGE, HUGE])
@pytest.mark.parametrize("name, call", CALLS)
def test_a_number_out_of_range_is_a_wrong_argument(name, call, number):
    with pytest.raises(ValueError) as told:
        call(number)
    assert str(told.value) == words_of(name, number)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: go().apply_action(HUGE), f"invalid action {HUGE}: {ACTION}"),
        (lambda: othello().action_to_string(-HUGE), f"invalid action {-HUGE}: {ACTION}"),
        (lambda: othello().child(HUGE), f"invalid action {HUGE}: {ACTION}"),
        (lambda: ishi.explain_move(go(), HUGE), f"invalid action {HUGE}: {ACTION}"),
        (
            lambda: ishi.explain_move(go(), why_not=[0, HUGE]),
            f"invalid why_not [0, {HUGE}]: each must be the number of an action",
        ),
        (
            lambda: ishi.GoGame(9).new_batch(2).apply_actions([0, HUGE]),
            f"invalid actions [0, {HUGE}]: each must be the number of an action",
        ),
        (
            lambda: ishi.othello_hints(othello(), level=-1),
            'invalid level "-1": a level must be a number from 1 to 20',
        ),
        (
            lambda: ishi.score(pairs=[1, 2, -3, 4, 5]),
            "invalid pairs [1, 2, -3, 4, 5]: each number must be a whole number, and not negative",
        ),
        (
            lambda: ishi.sprt(pairs=[1, 2, HUGE, 4, 5], elo0=0, elo1=9),
            f"invalid pairs [1, 2, {HUGE}, 4, 5]: each number must be a smaller number",
        ),
        (
            lambda: ishi.ratings([("a", "b", 1, 0, -1)]),
            "invalid results [('a', 'b', 1, 0, -1)]: each number must be a whole number, and not negative",
        ),
        (
            lambda: ishi.NTupleLearner(opponents={"self": -1}),
            "invalid opponents {'self': -1}: each number must be a whole number, and not negative",
        ),
        (lambda: ishi.CmaEs([1.0], 1.0, population=10**9), "invalid population 1000000000: it must be 4 to 100000 points"),
        (
            lambda: ishi.DifferentialEvolution(10**9, population=10),
            "invalid dimensions 1000000000: a point must have 1 to 10000000 coordinates, with 10 members",
        ),
    ],
)
def test_several_numbers_and_numbers_of_games_have_words_of_their_own(call, message):
    with pytest.raises(ValueError) as told:
        call()
    assert str(told.value) == message


@pytest.mark.parametrize("lines", [-1, HUGE])
def test_the_size_of_a_board_is_refused_as_a_text_would_be(lines):
    with pytest.raises(ValueError) as of_number:
        ishi.GoGame(lines)
    with pytest.raises(ValueError) as of_text:
        ishi.GoGame(str(lines))
    assert str(of_number.value) == str(of_text.value)
    with pytest.raises(TypeError, match="a board's size must be a number of lines, or a text"):
        ishi.GoGame(9.5)


@pytest.mark.parametrize("index", [-1, HUGE])
def test_an_index_is_refused_as_python_does(index):
    batch = ishi.OthelloGame().new_batch(3)
    for call in (batch.state, lambda index: batch.reset([0, index])):
        with pytest.raises(IndexError, match=f"there is no game {index}: there are 3"):
            call(index)


def test_a_number_of_thousands_of_digits_is_refused():
    with pytest.raises(ValueError, match="invalid wins .*: it must be a smaller number"):
        ishi.win_rate(10**9999, 10)


@pytest.mark.parametrize(
    "call",
    [
        lambda n: ishi.GoGame(9, komi=n),
        lambda n: ishi.GoEngine("go-random").choose(go(), seconds=n),
        lambda n: ishi.OthelloEngine("othello-random").choose(othello(), seconds=n),
        lambda n: ishi.othello_hints(othello(), seconds=n),
        lambda n: ishi.win_rate(1, 2, confidence=n),
        lambda n: ishi.binomial_test(1, 2, n),
        lambda n: ishi.score(1, 2, 3, confidence=n),
        lambda n: ishi.elo_difference(n),
        lambda n: ishi.sprt(1, 2, 3, elo0=n, elo1=10),
        lambda n: ishi.sprt(1, 2, 3, elo0=0, elo1=10, alpha=n),
        lambda n: ishi.ratings([("a", "b", 1, 0, 1)], confidence=n),
        lambda n: ishi.DifferentialEvolution(2, f=n),
        lambda n: ishi.DifferentialEvolution(2, initial=(0, n)),
        lambda n: ishi.DifferentialEvolution.jade(2, c=n),
        lambda n: ishi.DifferentialEvolution.shade(2, bounds=(n, 1)),
        lambda n: ishi.CmaEs([0.0, n], 1),
        lambda n: ishi.CmaEs([0.0], n),
        lambda n: ishi.GuidedSearch(know_nothing, exploration=n),
        lambda n: ishi.NTupleLearner("a1b1c1", lam=n),
        lambda n: ishi.NTupleLearner("a1b1c1", rate_end=n),
        lambda n: ishi.NTupleLearner("a1b1c1").to_bytes(step=n),
    ],
)
def test_a_whole_number_that_no_float_can_be_is_a_wrong_argument(call):
    for number in (10**400, -(10**400)):
        with pytest.raises(ValueError, match="must"):
            call(number)


def test_an_infinite_difference_of_elo_is_sure():
    assert ishi.expected_score(10**400) == 1.0 and ishi.expected_score(-(10**400)) == 0.0


def test_what_is_no_whole_number_is_a_wrong_type():
    for number in (1.5, "3", None):
        with pytest.raises(TypeError):
            ishi.win_rate(number, 10)


def test_every_whole_number_of_the_stubs_is_tried():
    """A new parameter needs a reader, or Python's own words come through."""
    tried = {name for name, _ in CALLS} | {"action", "actions", "why_not", "opponents", "pairs", "results", "board_size", "index"}
    named = set()
    for node in ast.walk(ast.parse(STUB.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            for argument in node.args.args + node.args.kwonlyargs:
                kind = ast.unparse(argument.annotation) if argument.annotation else ""
                if "int" in kind.replace("[", " ").replace("]", " ").replace(",", " ").split():
                    named.add(argument.arg)
    assert named <= tried, named - tried
    assert len(named) > 25
