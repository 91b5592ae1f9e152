//! Regression suites as other programs have them (`.tst`, GNU Go's and Fuego's): a position is loaded, then comes a question, and below it what is
//! expected of the answer.
//!
//! A line is a GTP command, with a number before it or not. `loadsgf`, `boardsize`, `clear_board`, `komi` and `play` set positions up. Any other command is
//! a question if a line such as `#? [C3|D4]` follows it. What stands behind the brackets (`*`, `&`) is what the suite's own program does, and counts for
//! nothing. Other lines with `#` are remarks, and other commands are that program's settings: both are passed over.

use ishi_engine::session::files::split_file;
use ishi_go::{BoardSize, Color, Point, Position, Rules};
use ishi_sgf::GoGame;

use super::{ExpectedAnswerError, Problem};

/// What comes before an expected answer.
const EXPECTED: &str = "#?";

/// Gives the bytes of the record that a suite names, or why there are none.
pub type RecordOfSuite<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// Is this text a suite? Then it says what answers are expected.
pub fn is_suite(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(EXPECTED))
}

/// Reads the questions of a suite of this name: each is a problem, or why it is none. They are counted by the suite, and their names say which record
/// they are from: `GAME:MOVE:SUITE:NUMBER`.
///
/// ```
/// use ishi_go_play::problems::suite;
/// let text = "loadsgf game.sgf 3\n10 reg_genmove w\n#? [A2|B1]*\n";
/// let mut read = |_: &str| Ok(b"(;SZ[9];B[ai];W[ee];B[cc])".to_vec());
/// let problem = suite::read_suite("corner", text, &mut read).remove(0).unwrap();
/// assert_eq!((problem.name.as_str(), problem.group.as_str()), ("game:3:corner:10", "corner"));
/// assert_eq!((problem.black.len(), problem.white.len()), (1, 1), "the third move is not made yet");
/// assert!(problem.expected.fits_answer("B1"));
/// ```
pub fn read_suite(name: &str, text: &str, read: &mut RecordOfSuite<'_>) -> Vec<Result<Problem, String>> {
    let mut reader = SuiteReader { name, position: empty_board(9), from: None, asked: None };
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let (line, number) = (line.trim(), index + 1);
        if let Some(expected) = line.strip_prefix(EXPECTED) {
            let asked = reader.asked.take();
            found.extend(asked.map(|asked| reader.make_problem(&asked, expected)));
        } else if let Some(command) = line.split('#').next().filter(|command| !command.is_empty()) {
            reader.take_command(command.trim(), number, read);
        }
    }
    found
}

/// A question, as it was asked.
struct AskedQuestion {
    /// Its number, or its line.
    number: String,
    line: usize,
    query: String,
    args: String,
}

/// What a suite has set up so far.
struct SuiteReader<'a> {
    name: &'a str,
    /// None: why there is no position.
    position: Result<Position, String>,
    /// The record it is from, and before which move.
    from: Option<String>,
    /// A command that no answer was expected of yet.
    asked: Option<AskedQuestion>,
}

impl SuiteReader<'_> {
    fn take_command(&mut self, command: &str, line: usize, read: &mut RecordOfSuite<'_>) {
        self.asked = None;
        let (first, rest) = split_word(command);
        let (number, command) = if first.parse::<u64>().is_ok() {
            (first.to_string(), rest)
        } else {
            (format!("line {line}"), command)
        };
        let (query, args) = split_word(command);
        match query {
            "loadsgf" => self.load_record(args, read),
            "boardsize" => self.begin(args.parse().map_or_else(|_| Err(wrong_size(args)), empty_board)),
            "clear_board" => {
                let fresh =
                    self.position.as_ref().map(|position| Position::new(position.size(), Rules::CHINESE));
                self.begin(fresh.map_err(Clone::clone));
            }
            "komi" => self.change(|position| {
                let komi = args.parse().map_err(|_| format!("komi {args:?}: it must be a number"))?;
                position.set_komi(komi).map_err(|error| error.to_string())
            }),
            "play" => self.change(|position| play_words(position, args)),
            "" => {}
            _ => {
                let (query, args) = (query.to_string(), args.to_string());
                self.asked = Some(AskedQuestion { number, line, query, args });
            }
        }
    }

    fn begin(&mut self, position: Result<Position, String>) {
        (self.position, self.from) = (position, None);
    }

    fn change(&mut self, change: impl FnOnce(&mut Position) -> Result<(), String>) {
        if let Ok(position) = &mut self.position
            && let Err(why) = change(position)
        {
            self.position = Err(why);
        }
    }

    fn load_record(&mut self, args: &str, read: &mut RecordOfSuite<'_>) {
        let (file, number) = split_file(args);
        self.begin(load_position(file, number, read));
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let game = name.strip_suffix(".sgf").unwrap_or(name).replace(':', "_");
        self.from = Some(format!("{game}:{}", number.map_or_else(|| "end".to_string(), |n| n.to_string())));
    }

    fn make_problem(&self, asked: &AskedQuestion, expected: &str) -> Result<Problem, String> {
        let AskedQuestion { number, line, query, args } = asked;
        let wrong = |why: String| format!("line {line}: {why}");
        let position = self.position.as_ref().map_err(|why| wrong(why.clone()))?;
        if let Some(ko) = position.board().ko_point() {
            return Err(wrong(format!("{ko} must not be retaken at once, which stones alone do not say")));
        }
        let board = position.board();
        let of =
            |color| board.size().points().filter(|&p| board.color(p) == Some(color)).collect::<Vec<Point>>();
        let from = self.from.as_ref().map_or_else(String::new, |from| format!("{from}:"));
        Ok(Problem {
            name: format!("{from}{}:{number}", self.name),
            group: self.name.to_string(),
            query: query.clone(),
            args: args.clone(),
            size: position.size(),
            black: of(Color::Black),
            white: of(Color::White),
            komi: Some(position.komi()),
            expected: cut_expected(expected)
                .parse()
                .map_err(|error: ExpectedAnswerError| wrong(error.to_string()))?,
        })
    }
}

/// The brackets, without what stands behind them.
fn cut_expected(text: &str) -> &str {
    let text = text.trim();
    text.rfind(']').map_or(text, |end| &text[..=end])
}

/// The first word, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

fn wrong_size(text: &str) -> String {
    format!("boardsize {text:?}: it must be the board's lines, as 19")
}

fn empty_board(lines: usize) -> Result<Position, String> {
    let size = BoardSize::square(lines).map_err(|error| error.to_string())?;
    Ok(Position::new(size, Rules::CHINESE))
}

/// Plays a colour and a vertex.
fn play_words(position: &mut Position, args: &str) -> Result<(), String> {
    let (color, vertex) = split_word(args);
    let color: Color = color.parse().map_err(|error: ishi_go::ColorError| error.to_string())?;
    let mv = position.size().parse_move(vertex).map_err(|error| error.to_string())?;
    position.play(color, mv).map(|_| ()).map_err(|error| error.to_string())
}

/// The position of a record's first game before the move of this number, or at its end.
fn load_position(
    file: &str,
    number: Option<usize>,
    read: &mut RecordOfSuite<'_>,
) -> Result<Position, String> {
    let moves = match number {
        Some(number) => Some(number.checked_sub(1).ok_or_else(|| format!("{file}: moves count from 1"))?),
        None => None,
    };
    let reading = ishi_sgf::read_collection(&read(file)?).map_err(|error| format!("{file}: {error}"))?;
    let tree = reading.collection.games.first().ok_or_else(|| format!("{file}: there is no game in it"))?;
    let game = GoGame::read_main_line(tree).map_err(|error| format!("{file}: {error}"))?;
    let shown = game.replay_position(Rules::CHINESE, moves).map_err(|error| format!("{file}: {error}"))?;
    Ok(shown.position)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &[u8] = b"(;SZ[9]KM[6.5];B[ai];W[bi];B[ee];W[ah])";

    fn read(text: &str) -> Vec<Result<Problem, String>> {
        let mut record = |name: &str| match name {
            "sgf/game.sgf" => Ok(GAME.to_vec()),
            "taken.sgf" => Ok(b"(;SZ[9]AB[ba][ab][bc][cb]AW[ca][db][cc];W[bb];B[ee])".to_vec()),
            _ => Err(format!("{name} is not there")),
        };
        read_suite("some", text, &mut record)
    }

    fn names(text: &str) -> Vec<String> {
        read(text).into_iter().map(|problem| problem.unwrap().name).collect()
    }

    #[test]
    fn questions_stand_in_the_position_that_was_set_up_last() {
        let text = "# a remark\nboardsize 9\nkomi 5.5\nplay b C3\n\n10 attack C3 # it stands\n#? [0]\n\
            uct_param_player max_games 3000\nloadsgf sgf/game.sgf 2\n20 reg_genmove w\n#? [!E5]*\n# why\n\
            loadsgf sgf/game.sgf\nreg_genmove b\n#? [A3|PASS]&\n";
        let problems: Vec<Problem> = read(text).into_iter().map(Result::unwrap).collect();
        let stones = |problem: &Problem| (problem.black.len(), problem.white.len());
        assert_eq!(names(text), ["some:10", "game:2:some:20", "game:end:some:line 14"]);
        assert_eq!(problems.iter().map(stones).collect::<Vec<_>>(), [(1, 0), (1, 0), (1, 2)]);
        let komi: Vec<Option<f64>> = problems.iter().map(|problem| problem.komi).collect();
        assert_eq!(komi, [Some(5.5), Some(6.5), Some(6.5)]);
        let asked = |problem: &Problem| format!("{} {}", problem.query, problem.args);
        assert_eq!(
            problems.iter().map(asked).collect::<Vec<_>>(),
            ["attack C3", "reg_genmove w", "reg_genmove b"]
        );
        assert!(problems[1].expected.fits_answer("A1") && !problems[1].expected.fits_answer("E5"));
        assert!(problems[2].expected.fits_answer("pass"));
        assert!(problems.iter().all(|problem| problem.group == "some"));
    }

    #[test]
    fn a_command_without_an_expected_answer_is_no_question() {
        let text = "boardsize 9\n10 play b C3\n#? []\n20 showboard\n30 attack C3\n#? [0]\n#? [1]\n";
        assert_eq!(names(text), ["some:30"]);
        assert!(is_suite("boardsize 9\n  #? [C3]\n") && !is_suite("#id\tquery\nx\tattack\n"));
    }

    #[test]
    fn what_cannot_be_set_up_is_told() {
        let fault = |text: &str, says: &str| {
            let why = read(&format!("{text}\n10 reg_genmove b\n#? [C3]\n")).remove(0).unwrap_err();
            assert!(why.contains(says), "{text}: {why}");
        };
        fault("loadsgf other.sgf 3", "line 2: other.sgf is not there");
        fault("loadsgf sgf/game.sgf 0", "moves count from 1");
        fault("boardsize many", "must be the board's lines");
        fault("boardsize 9\nplay b C3\nplay w C3", "a black stone stands there");
        fault("boardsize 9\nkomi much", "must be a number");
        let why = read("boardsize 9\n10 attack C3\n#? [(1]\n").remove(0).unwrap_err();
        assert!(why.contains("line 2") && why.contains("must be written as"), "{why}");
    }

    #[test]
    fn a_ko_that_was_just_taken_cannot_be_set_up_by_stones() {
        let why = read("loadsgf taken.sgf 2\n10 reg_genmove b\n#? [E5]\n").remove(0).unwrap_err();
        assert!(why.contains("must not be retaken at once"), "{why}");
        assert!(read("loadsgf taken.sgf 1\n10 reg_genmove w\n#? [E5]\n")[0].is_ok());
    }
}
