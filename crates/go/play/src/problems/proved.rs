//! Moves that are as good as those that were expected: reading proves that they do what was asked.

use ishi_go::{Board, Color, Move, Point};
use ishi_reading::{ChainReader, LifeReader, RaceReader, ReadingAnswer, ReadingOutcome};

use super::Problem;

/// Moves that a proof of life or death may take: some seconds at most.
const LIFE_MOVES: u32 = 4_000_000;
/// Moves that each proof of a race may take: some 1.5 s at most.
const RACE_MOVES: u32 = 3_000_000;

/// Is it proved that the answer's move does what is asked, though another was expected? The answer must have the code or the word that is expected.
/// Proofs are of `attack`, `owl_attack`, `owl_defend`, `connect`, `dragon_status` and `analyze_semeai`, without a ko; there are none for other
/// questions.
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
            is_expected.then(|| proves_status(board, stone, kill, save)).flatten()
        }
        ("analyze_semeai", &[survives, falls, _], &[mv]) => {
            let is_expected = begins_with_words(problem, &[survives, falls]);
            is_expected.then(|| proves_race(board, &stones, [survives, falls], mv)).flatten()
        }
        (query, ["1", _], &[Move::Play(mv)]) if problem.expected.fits_by_code(answer) => {
            proves_move(board, query, &stones, mv)
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

/// Does one move kill the group of the stone, and the other save it?
fn proves_status(board: &Board, stone: Point, kill: Point, save: Point) -> Option<bool> {
    let kills = proves_move(board, "owl_attack", &[stone], kill)?;
    Some(kills && proves_move(board, "owl_defend", &[stone], save)?)
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
        ("owl_attack", [_]) => {
            let after = after(!owner)?;
            Some(
                !stands(&after)
                    || LifeReader::new(LIFE_MOVES).read_life(&after, stone)?.outcome == ReadingOutcome::Fails,
            )
        }
        ("owl_defend", [_]) => Some(
            LifeReader::new(LIFE_MOVES).read_death(&after(owner)?, stone)?.outcome == ReadingOutcome::Fails,
        ),
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
