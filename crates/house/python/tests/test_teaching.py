"""Explanations, reviews and hints as dictionaries."""

import pytest

import ishi

RECORD = "(;GM[1]FF[4]SZ[9]KM[5.5];B[ee];W[de];B[aa];W[fe];B[ab];W[ed];B[ac];W[ef])"


@pytest.fixture
def before_capture(go9):
    state = go9.new_initial_state()
    for vertex in ["E5", "D5", "A1", "F5", "A2", "E6", "A9"]:
        state.apply_action(state.string_to_action(vertex))
    return state


def test_a_capture_is_explained(before_capture):
    state = before_capture
    take, elsewhere = state.string_to_action("E4"), state.string_to_action("J1")
    told = ishi.explain_move(state, take, why_not=[elsewhere], level=1)
    assert told["to_move"] == "white" and told["explained"]["vertex"] == "E4"
    assert "E5" in told["text"] and told["seed"] == 1 and told["level"] == 1
    assert [asked["move"]["vertex"] for asked in told["why_not"]] == ["J1"]
    japanese = ishi.explain_move(state, take, level=1, lang="ja")["text"]
    assert japanese != told["text"] and any(ord(letter) > 0x3000 for letter in japanese)
    assert ishi.explain_move(state, take, why_not=[elsewhere], level=1) == told


def test_listeners_are_spoken_to_in_their_way(before_capture):
    take = before_capture.string_to_action("E4")
    told = {
        listener: ishi.explain_move(before_capture, take, level=1, listener=listener)
        for listener in ["beginner", "kyu", "dan"]
    }
    assert [told[listener]["teaching"]["listener"] for listener in told] == list(told)
    assert ishi.explain_move(before_capture, take, level=1) == told["kyu"]
    bad = before_capture.string_to_action("J1")
    exact = ishi.explain_move(before_capture, bad, level=1, listener="dan")["text"]
    assert "% of the chance to win" in exact, exact
    assert "give or take" not in ishi.explain_move(before_capture, bad, level=1, listener="beginner")["text"]
    lessons = {
        listener: ishi.review_game(RECORD, level=1, listener=listener)["lessons"][0]["text"]
        for listener in ["beginner", "dan"]
    }
    assert lessons["beginner"] != lessons["dan"]


def test_without_an_action_the_best_is_explained(before_capture):
    told = ishi.explain_move(before_capture, level=1)
    vertex = told["explained"]["vertex"]
    assert before_capture.string_to_action(vertex) in before_capture.legal_actions()
    assert vertex in told["text"]


def test_a_game_is_reviewed():
    review = ishi.review_game(RECORD, level=1)
    assert [row["number"] for row in review["moves"]] == list(range(1, 9))
    assert [row["color"] for row in review["moves"][:2]] == ["black", "white"]
    lost = {row["number"]: row["lost_points"] for row in review["moves"]}
    assert lost[3] > 0, "A9 while E5 is in danger"
    assert review["lessons"] and set(review["lessons"][0]) >= {"number", "title", "question", "text", "better", "place"}
    assert {part["phase"] for part in review["phases"]} <= {"opening", "middle game", "endgame"}
    assert ishi.review_game(RECORD.encode(), level=1, player="white", lessons=0)["lessons"] == []


def test_hints_value_every_move(othello):
    state = othello.from_text("f5d6c3")
    hints = ishi.othello_hints(state, level=4)
    assert sorted(hint["action"] for hint in hints) == state.legal_actions()
    assert hints[0]["loss"] == 0 and [hint["loss"] for hint in hints] == sorted(hint["loss"] for hint in hints)
    assert all(hint["variation"][0] == hint["action"] for hint in hints)
    assert any(hint["reasons"] for hint in hints)
    # A move that loses 2 discs has its main reason. One that loses less has it only where a deeper look took its praise back.
    state = othello.from_text("f5d6c3d3c4f4f6f3")
    hints = ishi.othello_hints(state, level=4)
    assert any(hint["main_reason"] for hint in hints)
    for hint in hints:
        assert hint["main_reason"] is not None or hint["loss"] < 2, hint
        assert not hint["main_reason"] or hint["main_reason"].startswith(hint["move"] + ": ")


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda go, oth: ishi.explain_move(go, level=11), "invalid level 11: it must be a number from 1 to 10"),
        (lambda go, oth: ishi.explain_move(go, lang="fr"), '"fr" is no language: it must be en or ja'),
        (lambda go, oth: ishi.explain_move(go, listener="expert"), '"expert" is no listener: it must be beginner'),
        (lambda go, oth: ishi.review_game(RECORD, listener="all"), '"all" is no listener: it must be beginner'),
        (lambda go, oth: ishi.explain_move(go, why_not=[81]), "why_not: a pass is no point"),
        (lambda go, oth: ishi.explain_move(go, 40), "illegal move white E5: a black stone stands there"),
        (lambda go, oth: ishi.review_game("no record"), "."),
        (lambda go, oth: ishi.review_game(RECORD, player="red"), 'invalid color "red"'),
        (lambda go, oth: ishi.othello_hints(oth, level=0), 'invalid level "0"'),
    ],
)
def test_errors_say_what_is_right(before_capture, othello, call, message):
    with pytest.raises(ValueError, match=message):
        call(before_capture, othello.new_initial_state())


def test_a_record_is_text_or_bytes():
    for call in [ishi.review_game, ishi.GoGame.from_sgf]:
        with pytest.raises(TypeError, match="a record must be SGF as text or bytes"):
            call(7)
