//! Problems as text, one on a line, with tabs between the columns; lines that begin with `#` are remarks.
//!
//! Ten columns are a question: name, command, arguments, lines of the board, side to move, black stones, white stones, komi, expected answer
//! ([`super::ExpectedAnswer`]), and whatever else is known. Nine are a move to be found on 19x19: name, `ggg`, level, `B` or `W`, black stones, white
//! stones, right first moves with commas between them, and two columns that are not used. Points are as in SGF (`aa` is the upper left corner), one after the
//! other, `-` if there are none.

use ishi_go::{Board, BoardSize, Color, Point};

use ishi_patterns::TextError;
use ishi_patterns::records::move_letters;
use ishi_words::CodedMessage;

use super::{ExpectedAnswerError, Problem};

/// Reads problems.
///
/// # Errors
/// The first line that is none.
pub fn parse_problems(text: &str) -> Result<Vec<Problem>, TextError> {
    parse_problem_lines(text).collect()
}

/// Reads each line that is not a remark: a problem, or why it is none.
pub fn parse_problem_lines(text: &str) -> impl Iterator<Item = Result<Problem, TextError>> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let wrong = |number: usize, problem: String| TextError {
        line: number + 1,
        problem: CodedMessage::uncoded(problem),
    };
    lines.map(move |(number, line)| parse_problem(line).map_err(|problem| wrong(number, problem)))
}

/// A question as a line of ten columns, without its end; the last column is `0`.
///
/// ```
/// use ishi_go_play::problems::text::{format_problem, parse_problems};
/// let line = "corner\tattack\tA1\t9\twhite\tai\tbi\t-\t[1 A2]\t0";
/// let problem = &parse_problems(line).unwrap()[0];
/// assert_eq!(format_problem(problem, ishi_go::Color::White), line);
/// ```
pub fn format_problem(problem: &Problem, to_move: Color) -> String {
    let height = problem.size.height();
    let letters = |stones: &[Point]| {
        let all: String = stones.iter().map(|&stone| move_letters(stone.into(), height)).collect();
        if all.is_empty() { "-".to_string() } else { all }
    };
    let Problem { name, query, args, black, white, komi, expected, .. } = problem;
    let komi = komi.map_or_else(|| "-".to_string(), |komi| komi.to_string());
    let (black, white) = (letters(black), letters(white));
    format!("{name}\t{query}\t{args}\t{height}\t{to_move}\t{black}\t{white}\t{komi}\t{expected}\t0")
}

fn parse_problem(line: &str) -> Result<Problem, String> {
    let columns: Vec<&str> = line.trim_end_matches(['\r', '\n']).split('\t').collect();
    let problem = match columns[..] {
        [name, "ggg", level, first, black, white, moves, ..] => {
            let size = BoardSize::square(19).map_err(|error| error.to_string())?;
            let moves: Result<Vec<Point>, String> =
                moves.split(',').map(|mv| parse_point(mv, size)).collect();
            let stones = [parse_points(black, size)?, parse_points(white, size)?];
            let to_move: Color =
                first.parse().map_err(|_| format!("to move {first:?}: it must be B or W"))?;
            let of_move =
                Problem::from_right_moves(name, &format!("ggg {level}"), size, to_move, stones, &moves?);
            Problem { komi: Some(6.5), ..of_move.map_err(|error| error.to_string())? }
        }
        [name, query, args, lines, _, black, white, komi, expected, ..] => {
            parse_question([name, query, args, lines, black, white, komi, expected])?
        }
        _ => {
            let found = columns.len();
            return Err(format!(
                "{found} columns between tabs: there must be 10 (a question), or 9 with ggg (a record, SGF, begins with `(;`)"
            ));
        }
    };
    let position = problem.position().map_err(|error| error.to_string())?;
    check_stones(&problem, position.board())?;
    Ok(problem)
}

/// About so many stones a command asks, which are its first arguments.
fn stones_asked(query: &str) -> usize {
    match query {
        "attack" | "defend" | "owl_attack" | "owl_defend" | "dragon_status" => 1,
        "connect" | "disconnect" | "analyze_semeai" => 2,
        _ => 0,
    }
}

/// Do the stones stand that are asked about?
fn check_stones(problem: &Problem, board: &Board) -> Result<(), String> {
    let Problem { query, args, size, .. } = problem;
    let asked = stones_asked(query);
    let mut stones = args.split_whitespace();
    for _ in 0..asked {
        let word = stones.next().ok_or_else(|| {
            format!(
                "arguments {args:?}: {query} must be followed by the places of its stones, {asked} in all"
            )
        })?;
        let point = size.parse_point(word).map_err(|error| error.to_string())?;
        if board.color(point).is_none() {
            return Err(format!("there is no stone on {word}: {query} must be asked about a stone"));
        }
    }
    Ok(())
}

fn parse_question(
    [name, query, args, lines, black, white, komi, expected]: [&str; 8],
) -> Result<Problem, String> {
    if query.is_empty() || !query.chars().all(|c| c.is_ascii_graphic()) {
        return Err(format!("command {query:?}: it must be a GTP command, such as attack"));
    }
    if args.chars().any(char::is_control) {
        return Err(format!("arguments {args:?}: there must be one line"));
    }
    let lines: usize =
        lines.parse().map_err(|_| format!("size {lines:?}: it must be the board's lines, as 19"))?;
    let size = BoardSize::square(lines).map_err(|error| error.to_string())?;
    let komi = match komi {
        "" | "-" => None,
        number => {
            let komi = number.parse().ok().filter(|komi: &f64| komi.is_finite());
            Some(komi.ok_or_else(|| format!("komi {number:?}: it must be a number, or -"))?)
        }
    };
    Ok(Problem {
        name: name.to_string(),
        group: query.to_string(),
        query: query.to_string(),
        args: args.to_string(),
        size,
        black: parse_points(black, size)?,
        white: parse_points(white, size)?,
        komi,
        expected: expected.parse().map_err(|error: ExpectedAnswerError| error.to_string())?,
    })
}

/// Two letters for each point.
fn parse_points(text: &str, size: BoardSize) -> Result<Vec<Point>, String> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(2).map(|pair| parse_point(&pair.iter().collect::<String>(), size)).collect()
}

fn parse_point(text: &str, size: BoardSize) -> Result<Point, String> {
    ishi_sgf::parse_point(size, text).ok_or_else(|| {
        let (last, lines) = ((b'a' + size.width() as u8 - 1) as char, size.width());
        format!("point {text:?}: it must be two letters of a to {last} on {lines} lines")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_lines_are_read() {
        let text = "#id\tquery\n\
            13x13:4\trestricted_genmove\twhite C8 D7\t13\twhite\tdcec\tcbcc\t5.5\t[L9|C8]\t1\n\
            ggg-easy-1\tggg\teasy\tB\tpqqprq\tqrrr\trs,qs\tps\t20\n";
        let [question, of_move] = &parse_problems(text).unwrap()[..] else { panic!("two problems") };
        assert_eq!((question.group.as_str(), question.args.as_str()), ("restricted_genmove", "white C8 D7"));
        assert_eq!((question.size.width(), question.komi), (13, Some(5.5)));
        assert_eq!(question.black[0].to_string(), "D11");
        assert!(question.expected.fits_answer("c8"));
        assert_eq!((of_move.group.as_str(), of_move.query.as_str()), ("ggg easy", "restricted_genmove"));
        assert!(of_move.args.starts_with("black ") && of_move.args.contains(" S1"), "{}", of_move.args);
        assert!(of_move.expected.fits_answer("R1") && !of_move.expected.fits_answer("Q1"));
    }

    #[test]
    fn wrong_lines_are_named() {
        let right = "a\tattack\tE5\t9\tblack\tee\tff\t5.5\t[1]\t0";
        assert_eq!(parse_problems(right).unwrap().len(), 1);
        let wrong = |from: &str, to: &str, says: &str| {
            let error = parse_problems(&format!("# remark\n{}\n", right.replacen(from, to, 1))).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.problem.contains(says) && error.problem.contains("must be"), "{error}");
        };
        wrong("\tee\t", "\tez\t", "\"ez\"");
        wrong("\tee\t", "\teed\t", "\"d\"");
        wrong("\t9\t", "\tnine\t", "\"nine\"");
        wrong("\t5.5\t", "\tmany\t", "\"many\"");
        wrong("[1]", "[(1]", "[(1]");
        wrong("\tattack\tE5\t9", "", "columns");
        wrong("attack\tE5", "attack\tE4", "no stone on E4");
        wrong("attack\tE5", "connect\tE5", "arguments \"E5\"");
        let error = parse_problems(&right.replace("\tE5\t", "\tZ99\t")).unwrap_err().to_string();
        assert!(error.contains("\"Z99\""), "{error}");
        let error = parse_problems(&right.replace("\tff\t", "\tee\t")).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("E5"), "two stones on a point: {error}");
    }
}
