//! Moves that are as good as those that were expected: reading proves that they do what was asked.

use ishi_go::{Board, Color, Move, Point};
use ishi_reading::{ChainReader, LifeReader, RaceReader, ReadingAnswer, ReadingOutcome};

use super::Problem;

/// Moves that a proof of life or death may take: some seconds at most.
const LIFE_MOVES: u32 = 4_000_000;
/// Moves that each proof of a race may take: some 1.5 s at most.
const RACE_MOVES: u32 = 3_000_000;

/// Is it proved that the answer's move does what is asked, though another was expected? The answer must have the code or the word that is expected.
/// Proofs are of `attack`, `defend`, `owl_attack`, `owl_defend`, `connect`, `dragon_status` and `analyze_semeai`; there are none for other questions.
///
/// A move that leads to a ko counts where groups are asked about, if reading finds that no move that was expected does more.
///
/// ```
/// use ishi_go_play::problems::{is_proved, text};
/// // White's stone in the corner has two liberties: Black takes it by either of them.
/// let line = "corner\tattack\tA1\t7\tblack\tbf\tag\t7\t[1 A2]\t0\n";
/// let problem = text::parse_problems(line).unwrap().remove(0);
/// assert!(is_proved(&problem, "1 B1") && !is_proved(&problem, "0"));
/// ```
pub fn is_proved(problem: &Problem, answer: &str) -> bool {
    let (Ok(position), Some(stones)) = (problem.position(), stones_asked_about(problem)) else {
        return false;
    };
    let Some((stone, board)) = stones.first().copied().zip(Some(position.board())) else { return false };
    let words: Vec<&str> = answer.split_whitespace().collect();
    let moves: Vec<Move> = words.iter().filter_map(|word| problem.size.parse_move(word).ok()).collect();
    let proved = match (problem.query.as_str(), words.as_slice(), moves.as_slice()) {
        ("dragon_status", ["critical", ..], &[Move::Play(kill), Move::Play(save)]) => {
            let is_expected = begins_with_words(problem, &["critical"]);
            is_expected.then(|| proves_status(problem, board, stone, kill, save)).flatten()
        }
        ("analyze_semeai", &[survives, falls, _], &[mv]) => {
            let is_expected = begins_with_words(problem, &[survives, falls]);
            is_expected.then(|| proves_race(board, &stones, [survives, falls], mv)).flatten()
        }
        (query, &[code, _], &[Move::Play(mv)]) if code != "0" && problem.expected.fits_by_code(answer) => {
            let proved = (code == "1").then(|| proves_move(board, query, &stones, mv)).flatten();
            let does_no_less = || {
                let expected = begins_with_words(problem, &[code]).then(|| expected_points(problem, 1));
                does_as_much(board, query, stone, mv, &expected.flatten()?)
            };
            if proved == Some(true) { proved } else { does_no_less() }
        }
        _ => None,
    };
    proved.unwrap_or(false)
}

fn stones_asked_about(problem: &Problem) -> Option<Vec<Point>> {
    problem.args.split_whitespace().map(|vertex| problem.size.parse_point(vertex).ok()).collect()
}

/// Does the pattern that is expected begin with these words, and nothing else?
fn begins_with_words(problem: &Problem, words: &[&str]) -> bool {
    let expected = problem.expected.to_string();
    expected.trim_start_matches('[').split_whitespace().take(words.len()).eq(words.iter().copied())
}

/// The points of a word of the pattern that is expected, as `D4` or `(B4|D2)`. None: it is no such word.
fn expected_points(problem: &Problem, word: usize) -> Option<Vec<Point>> {
    let expected = problem.expected.to_string();
    let inner = expected.strip_prefix('[')?.strip_suffix(']')?;
    let word = inner.split_whitespace().nth(word)?;
    let alternatives = word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(word);
    alternatives.split('|').map(|vertex| problem.size.parse_point(vertex).ok()).collect()
}

/// The board after the move of this side. None: it is illegal.
fn board_after(board: &Board, color: Color, mv: Move) -> Option<Board> {
    if let Move::Play(point) = mv
        && !board.is_legal(color, point)
    {
        return None;
    }
    let mut after = board.clone();
    after.play_unchecked(color, mv);
    Some(after)
}

fn fails(answer: Option<ReadingAnswer>) -> Option<bool> {
    answer.map(|answer| answer.outcome == ReadingOutcome::Fails)
}

/// Does one move kill the group of the stone, and the other save it, or each do no less than those that were expected?
fn proves_status(problem: &Problem, board: &Board, stone: Point, kill: Point, save: Point) -> Option<bool> {
    for (word, query, mv) in [(1, "owl_attack", kill), (2, "owl_defend", save)] {
        let expected = expected_points(problem, word)?;
        let is_good = expected.contains(&mv)
            || proves_move(board, query, &[stone], mv) == Some(true)
            || does_as_much(board, query, stone, mv, &expected)?;
        if !is_good {
            return Some(false);
        }
    }
    Some(true)
}

/// Does the move do as much about the group of the stone as the best of those that were expected, if only by a ko? None: not all of them can be read
/// to the end.
fn does_as_much(board: &Board, query: &str, stone: Point, mv: Point, expected: &[Point]) -> Option<bool> {
    let ours = reply_to_move(board, query, stone, mv)?;
    if ours == ReadingOutcome::Works {
        return Some(false);
    }
    let replies: Option<Vec<ReadingOutcome>> =
        expected.iter().map(|&other| reply_to_move(board, query, stone, other)).collect();
    replies?.into_iter().min().map(|least| ours <= least)
}

/// What the other side reaches about the group of the stone after this move. None: that cannot be read to the end.
fn reply_to_move(board: &Board, query: &str, stone: Point, mv: Point) -> Option<ReadingOutcome> {
    let owner = board.color(stone)?;
    let mut reader = LifeReader::new(LIFE_MOVES);
    let reply = match query {
        "owl_attack" => {
            let after = board_after(board, !owner, mv.into())?;
            if after.color(stone) != Some(owner) {
                return Some(ReadingOutcome::Fails);
            }
            reader.read_life(&after, stone)
        }
        "owl_defend" => reader.read_death(&board_after(board, owner, mv.into())?, stone),
        _ => None,
    };
    reply.map(|answer| answer.outcome)
}

/// Does the move win the race of the first stone with the second as the codes say: does the first survive it, does the second fall?
fn proves_race(board: &Board, stones: &[Point], codes: [&str; 2], mv: Move) -> Option<bool> {
    let &[own, rival] = stones else { return None };
    let (owner, enemy) = (board.color(own)?, board.color(rival)?);
    let after = board_after(board, owner, mv)?;
    let mut reader = RaceReader::new(RACE_MOVES);
    if after.color(rival) != Some(enemy) {
        return None;
    }
    let survives = fails(reader.read_fall(&after, own, rival))?;
    match codes {
        ["1", "1"] => Some(survives && fails(reader.read_survival(&after, rival, own))?),
        ["1", "0"] => Some(survives),
        _ => None,
    }
}

/// Does the move do what is asked about the stones? None: that is not proved here.
fn proves_move(board: &Board, query: &str, stones: &[Point], mv: Point) -> Option<bool> {
    let stone = *stones.first()?;
    let owner = board.color(stone)?;
    let after = |color: Color| board_after(board, color, mv.into());
    let stands = |after: &Board| after.color(stone) == Some(owner);
    match (query, stones) {
        ("attack", [_]) => {
            let after = after(!owner)?;
            Some(
                !stands(&after)
                    || ChainReader::default().defend(&after, stone).outcome == ReadingOutcome::Fails,
            )
        }
        ("owl_attack" | "owl_defend", [_]) => {
            Some(reply_to_move(board, query, stone, mv)? == ReadingOutcome::Fails)
        }
        // Who lives is not captured.
        ("defend", [_]) => Some(reply_to_move(board, "owl_defend", stone, mv)? == ReadingOutcome::Fails),
        ("connect", &[_, other]) => Some(
            ChainReader::default().disconnect(&after(owner)?, stone, other).outcome == ReadingOutcome::Fails,
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::text;

    fn problem(query: &str, args: &str, black: &str, white: &str, expected: &str) -> Problem {
        let line = format!("x\t{query}\t{args}\t7\tblack\t{black}\t{white}\t7\t{expected}\t0\n");
        text::parse_problems(&line).unwrap().remove(0)
    }

    #[test]
    fn another_move_that_takes_is_as_good() {
        // White's stone in the corner has two liberties: either takes it.
        let corner = problem("attack", "A1", "bf", "ag", "[1 A2]");
        assert!(is_proved(&corner, "1 B1"));
        assert!(!is_proved(&corner, "2 B1") && !is_proved(&corner, "0") && !is_proved(&corner, "1 A1"));
        // White's stone in the middle gets away by its last liberty.
        let middle = problem("attack", "D4", "cdeddc", "dd", "[1 D3]");
        assert!(is_proved(&middle, "1 D3") && !is_proved(&middle, "1 G7"));
        let saved = problem("attack", "D4", "cdeddc", "dd", "[0]");
        assert!(!is_proved(&saved, "1 D3"), "another code was expected");
    }

    /// Three points in a row: either side plays in the middle.
    #[test]
    fn other_moves_that_kill_and_save_are_as_good() {
        let three = |expected: &str| problem("dragon_status", "A2", "aebecedeeeefeg", "afbfcfdfdg", expected);
        let row = three("[critical A1 A1]");
        assert!(is_proved(&row, "critical B1 B1"));
        assert!(!is_proved(&row, "critical C1 B1") && !is_proved(&row, "critical B1 PASS"));
        assert!(!is_proved(&three("[dead]"), "critical B1 B1"), "another word was expected");
        assert!(
            !is_proved(&three("[(dead|critical A1 A1)]"), "critical B1 B1"),
            "more than one word is right"
        );
    }

    /// Two rows of three in the corner with one liberty outside: White kills by a ko at B1, Black lives by B1 or B2.
    #[test]
    fn a_move_that_leads_to_a_ko_is_as_good_as_any_that_does_no_more() {
        let rows = |query, expected| problem(query, "A3", "aebecededfdg", "adbdcdddedeeeffffg", expected);
        let status = |expected| rows("dragon_status", expected);
        assert!(is_proved(&status("[critical B1 B2]"), "critical B1 B1"));
        assert!(is_proved(&status("[critical (A1|C1) (A1|B2)]"), "critical B1 B1"));
        for answer in ["critical C1 B1", "critical B1 C1", "critical B1 PASS", "alive"] {
            assert!(!is_proved(&status("[critical B1 B1]"), answer), "{answer}");
        }
        assert!(is_proved(&rows("owl_attack", "[2 C1]"), "2 B1"));
        for (expected, answer) in [("[2 B1]", "2 C1"), ("[1 C1]", "2 B1"), ("[!2 C1]", "2 B1")] {
            assert!(!is_proved(&rows("owl_attack", expected), answer), "{expected} {answer}");
        }
    }

    /// Five points in a row: the group lives by other moves than the middle one, and so the chain is not captured.
    #[test]
    fn who_lives_is_not_captured() {
        let row = |query, expected| problem(query, "A2", "aebecedeeefefffg", "afbfcfdfefeg", expected);
        assert!(is_proved(&row("defend", "[1 B1]"), "1 C1"));
        assert!(!is_proved(&row("defend", "[1 B1]"), "1 A1"));
    }

    /// Black takes three stones by D1, or makes an eye first. Otherwise he has no second eye when he has taken them.
    #[test]
    fn another_move_that_wins_a_race_is_as_good() {
        let (black, white) = ("becedeeebfefbgeg", "adbdcdddedfdaefecfdfffcgfg");
        let race = |expected: &str| problem("analyze_semeai", "B1 C1", black, white, expected);
        assert!(is_proved(&race("[1 1 D1]"), "1 1 A2"));
        for answer in ["1 1 A1", "1 1 PASS", "1 0 A2", "1 1", "0 0 A2"] {
            assert!(!is_proved(&race("[1 1 D1]"), answer), "{answer}");
        }
        assert!(!is_proved(&race("[0 0 PASS]"), "1 1 A2"), "other codes were expected");
    }

    /// A row of five points in the corner of a group: it lives by many moves, and by none but these.
    #[test]
    fn another_move_that_saves_is_as_good() {
        let row = |query, expected| problem(query, "A2", "aebecedeeefefffg", "afbfcfdfefeg", expected);
        // A1 to D1: two moves save, B1 and C1.
        assert!(is_proved(&row("owl_defend", "[1 B1]"), "1 C1"));
        assert!(is_proved(&row("owl_defend", "[1 C1]"), "1 B1"));
        assert!(!is_proved(&row("owl_attack", "[1 B1]"), "1 C1"), "it lives anyway");
    }
}
