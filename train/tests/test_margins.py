"""Margins of leads: which positions are compared, what is asked, and constants that nine in ten differences are within."""

import numpy as np
import pytest

from ishi_train import margins
from ishi_train.margins import Difference, Label, Search


def label(game, played, lead=0.0):
    return Label(game, played, 6.5, "chinese", lead)


def test_only_positions_of_a_game_that_lie_close_are_compared():
    of_game = {"a": [label("a", 90), label("a", 40), label("a", 36)], "b": [label("b", 7), label("b", 7), label("b", 30)]}
    assert [one.played for one in margins.close_labels(of_game, 8, 1)] == [36, 40]
    searches = [Search(label("a", 36, 1.0), 2.0, 3.0), Search(label("a", 40, 5.0), 1.0, 4.0), Search(label("b", 38), 9.0, 9.0)]
    (one,) = margins.differences(searches, 8)
    assert (one.game, one.told, one.judged, one.spread, one.error) == ("a", 1.0, -4.0, 5.0, 5.0)
    assert margins.differences(searches, 3) == []


def test_a_question_has_the_moves_before_the_position():
    record = ["a", "kgs", "2010", "19", "6.5", "0", "-", "B+R", "?", "?", "B", "aasspd..qc"]
    asked = margins.question(label("a", 4), record, 50)
    assert asked["moves"] == [["B", "A19"], ["W", "T1"], ["B", "Q16"], ["W", "pass"]]
    assert (asked["maxVisits"], asked["initialPlayer"], asked["boardXSize"]) == (50, "B", 19)
    assert asked["initialStones"] == []
    handicap = [*record[:5], "2", "dppd", *record[7:10], "W", "aa"]
    asked = margins.question(label("a", 1), handicap, 50)
    assert (asked["initialStones"], asked["moves"]) == ([["B", "D4"], ["B", "Q16"]], [["W", "A19"]])


def test_an_answer_is_read_by_its_visits():
    moves = [{"visits": 30, "scoreLead": 1.0}, {"visits": 10, "scoreLead": 5.0}, {"visits": 0, "scoreLead": 90.0}]
    found = margins.search_of(label("a", 4), {"moveInfos": moves, "rootInfo": {"scoreStdev": 1.0}})
    assert (found.lead, found.spread) == pytest.approx((2.0, 2.0))
    assert margins.search_of(label("a", 4), {"moveInfos": moves[:1], "rootInfo": {}}).spread == 0.0


def test_nine_in_ten_are_within_the_margin_that_is_fitted():
    draw = np.random.default_rng(5)
    spreads = draw.uniform(0.0, 8.0, 4000)
    errors = np.hypot(0.5, 0.5 * spreads) * draw.standard_normal(4000)
    found = [Difference("a", error, 0.0, spread) for error, spread in zip(errors, spreads)]
    floor, share = margins.fit(found)
    assert np.mean(np.abs(errors) <= margins.margins(found, floor, share)) == pytest.approx(0.9, abs=0.02)
    assert share == pytest.approx(1.645 * 0.5, abs=0.12)
    assert margins.held(found[:1], 9.0, 9.0) == "1 of 1 (100 %)"
    assert {margins.fifth(str(game)) for game in range(50)} == set(range(5))
