//! Moves that are as good as those that were expected: reading proves that they do what was asked.

use ishi_go::{Board, Color, Move, Point};
use ishi_reading::{ChainReader, LifeReader, ReadingOutcome};

use super::Problem;

/// Moves that a proof of life or death may take: some seconds at most.
const LIFE_MOVES: u32 = 4_000_000;

/// Is it proved that the answer's move does what is asked, though another was expected? The answer must have the code that is expected. Proofs
/// are of `attack`, `owl_attack`, `owl_defend` and `connect`, without a ko; there are none for other questions.
///
/// ```
/// use ishi_go_play::problems::{is_proved, text};
/// // White's stone in the corner has two liberties: Black takes it by either of them.
/// let line = "corner\tattack\tA1\t7\tblack\tbf\tag\t7\t[1 A2]\t0\n";
/// let problem = text::parse_problems(line).unwrap().remove(0);
/// assert!(is_proved(&problem, "1 B1") && !is_proved(&problem, "0"));
/// ```
pub fn is_proved(problem: &Problem, answer: &str) -> bool {
    let Some((code, mv)) = answer.trim().split_once(' ') else { return false };
    if code != "1" || !problem.expected.fits_by_code(answer) {
        return false;
    }
    let (Ok(Move::Play(mv)), Ok(position)) = (problem.size.parse_move(mv.trim()), problem.position()) else {
        return false;
    };
    let stones: Option<Vec<Point>> =
        problem.args.split_whitespace().map(|vertex| problem.size.parse_point(vertex).ok()).collect();
    let Some(stones) = stones else { return false };
    proves_move(position.board(), &problem.query, &stones, mv).unwrap_or(false)
}

/// Does the move do what is asked about the stones? None: that is not proved here.
fn proves_move(board: &Board, query: &str, stones: &[Point], mv: Point) -> Option<bool> {
    let stone = *stones.first()?;
    let owner = board.color(stone)?;
    let after = |color: Color| {
        board.is_legal(color, mv).then(|| {
            let mut after = board.clone();
            after.play_unchecked(color, mv.into());
            after
        })
    };
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
