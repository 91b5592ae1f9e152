"""Statistics: figures that R, SciPy and the command line give."""

import math

import pytest

import ishi


def test_intervals_of_a_win_rate():
    told = ishi.win_rate(540, 1000)
    assert told["rate"] == 0.54
    assert told["wilson"] == pytest.approx((0.50903, 0.57068), abs=2e-5)
    assert told["clopper_pearson"][0] < told["wilson"][0] < 0.54 < told["wilson"][1] < told["clopper_pearson"][1]
    assert ishi.win_rate(0, 10)["clopper_pearson"][0] == 0.0


def test_binomial_tests():
    assert ishi.binomial_test(540, 1000) == pytest.approx(0.0124, abs=2e-4)
    assert ishi.binomial_test(9, 10, alternative="greater") == pytest.approx(11 / 1024)
    assert ishi.binomial_test(9, 10, alternative="less") == pytest.approx(1023 / 1024)


def test_scores_and_elo():
    told = ishi.score(60, 20, 40)
    assert told["games"] == 120 and told["score"] == pytest.approx(70 / 120) and round(told["elo"]) == 58
    assert ishi.score(10, 0, 0)["elo"] == math.inf
    assert ishi.score(pairs=[13, 37, 50, 25, 3])["games"] == 256
    assert ishi.elo_difference(ishi.expected_score(123.0)) == pytest.approx(123.0)


def test_the_sequential_test():
    assert ishi.sprt(60, 10, 50, elo0=0, elo1=30)["decision"] == "continue"
    told = ishi.sprt(600, 100, 500, elo0=0, elo1=30)
    assert told["decision"] == "accept_h1" and told["llr"] >= told["upper"] == pytest.approx(math.log(19))


def test_ratings():
    table = ishi.ratings([("new", "old", 64, 0, 36), ("old", "older", 64, 0, 36)])
    assert [row["name"] for row in table] == ["new", "old", "older"]
    assert table[0]["elo"] - table[1]["elo"] == pytest.approx(100, abs=1)
    assert sum(row["elo"] for row in table) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: ishi.win_rate(11, 10), "invalid number of wins 11"),
        (lambda: ishi.win_rate(1, 10, confidence=95), "invalid confidence 95"),
        (lambda: ishi.binomial_test(1, 10, 1.0), "invalid p0 1"),
        (lambda: ishi.binomial_test(1, 10, method="guess"), 'invalid method "guess"'),
        (lambda: ishi.elo_difference(1.5), "invalid score 1.5"),
        (lambda: ishi.expected_score(float("nan")), "invalid difference NaN: it must be a number, as 100"),
        (lambda: ishi.sprt(1, 0, 1, elo0=30, elo1=0), "invalid elo1 0"),
        (lambda: ishi.score(1, 2, 3, pairs=[1, 1, 1, 1, 1]), "give either wins, draws and losses, or pairs"),
        (lambda: ishi.ratings([("a", "b", 1, 0, 1), ("c", "d", 1, 0, 1)]), "."),
    ],
)
def test_errors_have_the_words_of_the_command_line(call, message):
    with pytest.raises(ValueError, match=message):
        call()
