//! Boards in files: read for the independent checker, and written as text, SVG or SGF.
//!
//! Reading goes into plain letters (`.`, `X`, `O`) and not by way of `ishi_grid::Board`, so that `verify` shares
//! nothing with the solvers.

use std::path::Path;

use ishi_go::{Color, Position};
use ishi_grid::board::BoardError;
use ishi_grid::{Board, picture};
use ishi_sgf::{GameTree, GoError, GoGame, NodeId, Property, PropertyValue, ReplayAction};
use ishi_words::format_count;

use crate::context::Failure;
use crate::{files, made_by};

/// The letters of a board, row by row from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LetterBoard {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `.`, `X` or `O` for every point.
    pub cells: Vec<u8>,
}

impl LetterBoard {
    fn new(width: usize, height: usize) -> LetterBoard {
        LetterBoard { width, height, cells: vec![b'.'; width * height] }
    }

    /// What stands on the board of a position.
    fn from_position(position: &Position) -> LetterBoard {
        let board = position.board();
        let size = board.size();
        let mut letters = LetterBoard::new(size.width(), size.height());
        for point in size.points() {
            if let Some(color) = board.color(point) {
                letters
                    .set_letter((point.column(), size.height() - 1 - point.row()), color_letter(Some(color)));
            }
        }
        letters
    }

    fn set_letter(&mut self, (x, y): (usize, usize), letter: u8) {
        self.cells[y * self.width + x] = letter;
    }
}

fn color_letter(color: Option<Color>) -> u8 {
    match color {
        None => b'.',
        Some(Color::Black) => b'X',
        Some(Color::White) => b'O',
    }
}

/// A board that a file shows, and which one of it: `the set-up`, `the position after 12 moves`.
pub struct FileBoard {
    /// What the board is, in words.
    pub what: String,
    /// The board.
    pub letters: LetterBoard,
}

/// The boards of a file that are to be checked: of a text, the board; of a record (SGF), its set-up and, if it has moves,
/// the position after them.
pub fn read_boards(path: &Path) -> Result<Vec<FileBoard>, Failure> {
    let bytes = files::read_file_or_stdin(path)?;
    let wrong = |error: String| Failure::in_file(path, error);
    let start = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if start != Some(&b'(') {
        let letters = read_text(bytes).map_err(|error| wrong(error.to_string()))?;
        return Ok(vec![FileBoard { what: "the board".to_string(), letters }]);
    }
    let reading = ishi_sgf::read_collection(&bytes).map_err(|error| wrong(error.to_string()))?;
    print_warnings(path, &reading.warnings);
    if reading.collection.games.len() > 1 {
        tell!("ishi: warning: {}: only the first game is looked at", path.display());
    }
    let tree = reading.collection.games.first().ok_or_else(|| wrong("there is no game in it".to_string()))?;
    read_record(path, tree).map_err(wrong)
}

/// Says what of a record is not as it should be, and so is not on the board that is checked.
fn print_warnings(path: &Path, warnings: &ishi_sgf::Warnings) {
    for warning in warnings {
        tell!("ishi: warning: {}: {warning}", path.display());
    }
}

/// Reads rows of letters in place, since a board may have a hundred million points.
fn read_text(mut bytes: Vec<u8>) -> Result<LetterBoard, BoardError> {
    let (mut from, mut to) = (0, 0);
    let (mut width, mut height) = (None, 0);
    for line in 1.. {
        if from >= bytes.len() {
            break;
        }
        let end = bytes[from..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |n| from + n);
        let found = if bytes[from] == b'#' { 0 } else { compact_line(&mut bytes, from..end, to, line)? };
        match width {
            _ if found == 0 => {}
            Some(expected) if expected != found => return Err(BoardError::Ragged { line, found, expected }),
            _ => {
                width = Some(found);
                height += 1;
                to += found;
            }
        }
        from = end + 1;
    }
    bytes.truncate(to);
    let width = width.ok_or(BoardError::NoRows)?;
    Ok(LetterBoard { width, height, cells: bytes })
}

/// Moves the letters of a line to `to` and says how many they are.
fn compact_line(
    bytes: &mut [u8],
    line: std::ops::Range<usize>,
    to: usize,
    number: usize,
) -> Result<usize, BoardError> {
    let mut count = 0;
    for at in line.clone() {
        let letter = match bytes[at] {
            b'.' => b'.',
            b'X' | b'x' => b'X',
            b'O' | b'o' => b'O',
            b' ' | b'\t' | b'\r' => continue,
            _ => {
                // What was moved lies before `at`, and what follows is as it was.
                let rest = String::from_utf8_lossy(&bytes[at..line.end]).into_owned();
                let letter = rest.chars().next().unwrap_or('?');
                return Err(BoardError::Letter { line: number, column: at - line.start + 1, letter });
            }
        };
        bytes[to + count] = letter;
        count += 1;
    }
    Ok(count)
}

fn read_record(path: &Path, tree: &GameTree) -> Result<Vec<FileBoard>, String> {
    let game = match GoGame::read_main_line(tree) {
        Ok(game) => game,
        Err(GoError::Size { size }) => return read_large_record(tree, size.width.into(), size.height.into()),
        Err(error) => return Err(error.to_string()),
    };
    print_warnings(path, &game.warnings);
    let mut setup = LetterBoard::new(game.size.width(), game.size.height());
    for action in game.replay_actions() {
        let ReplayAction::Setup(stones) = action else { break };
        let colors = [(&stones.black, Some(Color::Black)), (&stones.white, Some(Color::White))];
        for (points, color) in colors.into_iter().chain([(&stones.empty, None)]) {
            for point in points {
                setup.set_letter((point.column(), game.size.height() - 1 - point.row()), color_letter(color));
            }
        }
    }
    let mut shown = vec![FileBoard { what: "the set-up".to_string(), letters: setup }];
    let moves = game.moves().count();
    if moves > 0 {
        // A set-up with a dead chain is for the checker to find; there are no moves from it.
        if let Ok(end) = game.replay_position(game.info.rules_or_chinese(), None) {
            for illegal in &end.illegal {
                tell!("ishi: warning: {illegal}");
            }
            let what = format!("the position after {}", format_count(moves, "move"));
            shown.push(FileBoard { what, letters: LetterBoard::from_position(&end.position) });
        }
    }
    Ok(shown)
}

/// A record of a board that no game of this workspace is played on (one line, or 26 to 52): its set-up.
fn read_large_record(tree: &GameTree, width: usize, height: usize) -> Result<Vec<FileBoard>, String> {
    let mut letters = LetterBoard::new(width, height);
    for node in tree.main_line().map(|id| tree.node(id)) {
        if node.property("B").or(node.property("W")).is_some() {
            return Err(format!(
                "moves on a board of {width}x{height} are not played: 2 to 25 lines each way"
            ));
        }
        for (name, letter) in [("AB", b'X'), ("AW", b'O'), ("AE", b'.')] {
            for value in node.values(name) {
                let text = value.to_simple_text();
                let points = parse_rectangle(text.trim(), width, height)
                    .ok_or_else(|| format!("{name}[{text}] is no point of a {width}x{height} board"))?;
                points.for_each(|point| letters.set_letter(point, letter));
            }
        }
    }
    Ok(vec![FileBoard { what: "the set-up".to_string(), letters }])
}

/// The points of `dd` or of `aa:cc`, columns and rows from the top left.
fn parse_rectangle(text: &str, width: usize, height: usize) -> Option<impl Iterator<Item = (usize, usize)>> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let number = |byte: u8| SGF_LETTERS.iter().position(|&letter| letter == byte);
    let corner = |text: &str| match *text.as_bytes() {
        [x, y] => number(x).zip(number(y)).filter(|&(x, y)| x < width && y < height),
        _ => None,
    };
    let (a, b) = (corner(first)?, corner(last)?);
    let rows = a.1.min(b.1)..=a.1.max(b.1);
    let columns = a.0.min(b.0)..=a.0.max(b.0);
    Some(rows.flat_map(move |y| columns.clone().map(move |x| (x, y))))
}

/// Columns and rows of SGF.
const SGF_LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// How a board is written to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardFormat {
    /// Rows of letters, without spaces.
    Text,
    /// A picture.
    Svg,
    /// A record with the board as its set-up.
    Sgf,
}

impl BoardFormat {
    /// The format by the ending of the file's name: `.svg`, `.sgf`, and text otherwise.
    pub fn from_path(path: &Path) -> BoardFormat {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("svg") => BoardFormat::Svg,
            Some("sgf") => BoardFormat::Sgf,
            _ => BoardFormat::Text,
        }
    }

    /// Refuses boards that are too large for it, before any work is done.
    pub fn check_size(self, width: usize, height: usize) -> Result<(), Failure> {
        let most = match self {
            BoardFormat::Text => usize::MAX,
            BoardFormat::Svg => 1000,
            BoardFormat::Sgf => SGF_LETTERS.len(),
        };
        if width.max(height) <= most {
            return Ok(());
        }
        let name = if self == BoardFormat::Svg { "an SVG picture" } else { "SGF" };
        Err(Failure::Input(format!(
            "a board of {width}x{height} is too large for {name}, which takes {most} lines at most: give the file \
             another name for text, such as board.txt"
        )))
    }

    /// The file's contents; `title` is what the board is.
    pub fn render(self, board: &Board, title: &str) -> String {
        match self {
            BoardFormat::Text => board_text(board),
            BoardFormat::Svg => made_by::put_into_picture(&picture::render_svg(board, title)),
            BoardFormat::Sgf => made_by::put_into_sgf(&board_sgf(board, title)),
        }
    }
}

/// Rows of letters without spaces.
fn board_text(board: &Board) -> String {
    let mut text = String::with_capacity((board.width() + 1) * board.height());
    for row in board.cells().chunks(board.width()) {
        text.extend(row.iter().map(|cell| cell.letter()));
        text.push('\n');
    }
    text
}

/// A record whose set-up is the board.
pub fn board_sgf(board: &Board, title: &str) -> String {
    let mut tree = GameTree::new();
    tree.normalise_root();
    let (width, height) = (board.width(), board.height());
    let size = if width == height {
        PropertyValue::from_text(&width.to_string())
    } else {
        PropertyValue::from_composed(&width.to_string(), &height.to_string())
    };
    let stones = |letter: char| {
        let cells = board.cells().iter().enumerate().filter(move |(_, cell)| cell.letter() == letter);
        cells.map(|(at, _)| PropertyValue::from_text(&sgf_point(at % width, at / width))).collect::<Vec<_>>()
    };
    let properties = [
        ("GM", vec![PropertyValue::from_text("1")]),
        ("SZ", vec![size]),
        ("AP", vec![PropertyValue::from_composed("ishi", env!("CARGO_PKG_VERSION"))]),
        ("AB", stones('X')),
        ("AW", stones('O')),
        ("C", vec![PropertyValue::from_text(title)]),
    ];
    for (name, values) in properties.into_iter().filter(|(_, values)| !values.is_empty()) {
        tree.node_mut(NodeId::ROOT).set_property(Property::with_name(name, values));
    }
    ishi_sgf::Collection::from_game(tree).to_sgf()
}

fn sgf_point(x: usize, y: usize) -> String {
    [SGF_LETTERS[x], SGF_LETTERS[y]].map(char::from).iter().collect()
}

/// A point in words, columns and rows from 0 at the top left: the vertex on boards that have one, otherwise column and
/// row from 1.
pub fn point_name(height: usize, width: usize, (x, y): (usize, usize)) -> String {
    const COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
    if width.max(height) <= COLUMNS.len() {
        return format!("{}{}", char::from(COLUMNS[x]), height - y);
    }
    format!("column {} row {}", x + 1, y + 1)
}

#[cfg(test)]
mod tests {
    use ishi_fuzz_targets::list_mutants;
    use ishi_rng::Seed;

    use super::*;

    fn letters(text: &str) -> Result<LetterBoard, String> {
        read_text(text.as_bytes().to_vec()).map_err(|error| error.to_string())
    }

    /// What `Board` reads, or its error.
    fn letters_of_board(text: &str) -> Result<LetterBoard, String> {
        let board: Board = text.parse().map_err(|error: BoardError| error.to_string())?;
        let cells = board.cells().iter().map(|cell| cell.letter() as u8).collect();
        Ok(LetterBoard { width: board.width(), height: board.height(), cells })
    }

    /// Both readers say the same of any text, but of spaces that are not of ASCII.
    #[test]
    fn mutants_of_a_text_are_read_as_boards_read_them() {
        let texts: [&[u8]; 2] = [b"O X .\n. . X\n", b"# a remark\n\nox.\r\n..x\n\n"];
        for mutant in list_mutants(&texts, &["X", "o", ".", "#", "\n", "\u{e9}"], Seed::new(1), 1000) {
            let Ok(text) = std::str::from_utf8(&mutant) else { continue };
            if !text.contains(|letter: char| letter.is_whitespace() && !" \t\r\n".contains(letter)) {
                assert_eq!(letters(text), letters_of_board(text), "{text:?}");
            }
        }
    }

    /// A record of a large board is read, or refused in words.
    #[test]
    fn no_bytes_end_the_reader_of_records() {
        let records: [&[u8]; 2] =
            [b"(;GM[1]SZ[30]AB[aa:cc][dD]AW[zz]AE[bb])", b"(;SZ[52:1]AB[aa:ZA];AW[ba];C[x])"];
        let words = ["AB[aa:ZZ]", "SZ[1:52]", "SZ[53]", ";B[aa]", "[", "]", ":"];
        let mut read = 0;
        for mutant in list_mutants(&records, &words, Seed::new(1), 1000) {
            let Ok(reading) = ishi_sgf::read_collection(&mutant) else { continue };
            for tree in &reading.collection.games {
                let Err(GoError::Size { size }) = GoGame::read_main_line(tree) else { continue };
                let (width, height) = (size.width.into(), size.height.into());
                match read_large_record(tree, width, height) {
                    Ok(shown) => {
                        let letters = &shown[0].letters;
                        assert_eq!((letters.width, letters.height), (width, height));
                        assert_eq!(letters.cells.len(), width * height);
                        read += 1;
                    }
                    Err(error) => assert!(error.contains(&format!("{width}x{height}")), "{error}"),
                }
            }
        }
        assert!(read > 20, "{read}");
    }

    /// What is read here is what `Board` reads, errors too.
    #[test]
    fn text_is_read_as_boards_read_it() {
        for text in [
            "O X .\n. . X\n",
            "# a remark\n\nox.\r\n..x\n\n",
            "XO",
            "",
            "#\n",
            "XO\nX",
            "X\nXO\n",
            ".O\n X ?X",
            "é",
        ] {
            assert_eq!(letters(text), letters_of_board(text), "{text:?}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for (width, height) in [(3, 2), (19, 19), (25, 7), (1, 5), (52, 30)] {
            let board = Board::with_alternating_stones(width, height, |x, y| (x + 2 * y) % 5 == 0);
            let expected = letters(&board.to_string()).unwrap();
            assert_eq!(letters(&BoardFormat::Text.render(&board, "")).unwrap(), expected);
            let record = ishi_sgf::read_collection(board_sgf(&board, "a ] test").as_bytes()).unwrap();
            let shown = read_record(Path::new("record.sgf"), &record.collection.games[0]).unwrap();
            assert_eq!((shown.len(), &shown[0].letters), (1, &expected), "{width}x{height}");
            let stones = width * height - board.empty_count();
            assert_eq!(picture::render_svg(&board, "1 < 2").matches("<circle").count(), stones);
        }
    }

    #[test]
    fn formats_say_what_they_take() {
        assert_eq!(BoardFormat::from_path(Path::new("a.SVG")), BoardFormat::Svg);
        assert_eq!(BoardFormat::from_path(Path::new("a")), BoardFormat::Text);
        let error = BoardFormat::Sgf.check_size(53, 20).unwrap_err().to_string();
        assert!(error.contains("53x20") && error.contains("52 lines at most"), "{error}");
        BoardFormat::Text.check_size(100_000, 100_000).unwrap();
        assert_eq!(point_name(19, 19, (8, 0)), "J19");
        assert_eq!(point_name(30, 19, (8, 0)), "column 9 row 1");
    }
}
