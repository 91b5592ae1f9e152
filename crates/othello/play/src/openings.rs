//! Names of openings, in English and Japanese.
//!
//! A name belongs to a position, whatever moves led to it and however the board is turned: it is looked up by the
//! board's canonical form. The list is `crates/othello/play/data/openings.tsv`; `crates/othello/play/data/SOURCE.md` says where it comes from.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use ishi_othello::{Board, Move, Position, Square};
use ishi_words::Language;
use serde::{Serialize, Serializer};

const BUILTIN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/openings.tsv"));

/// An opening with its names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedOpening {
    /// Its name in English, if it has one; several are separated by ` / `.
    pub english: Option<String>,
    /// Its name in Japanese, if it has one; several are separated by ` / `.
    pub japanese: Option<String>,
    /// The moves by which it is usually reached, the first on f5.
    #[serde(serialize_with = "serialize_transcript")]
    pub moves: Vec<Square>,
}

fn serialize_transcript<S: Serializer>(moves: &[Square], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&transcript_of(moves))
}

/// Moves written together.
fn transcript_of(moves: &[Square]) -> String {
    moves.iter().map(Square::to_string).collect()
}

impl NamedOpening {
    /// Its moves as a transcript: `f5d6c3d3c4`.
    pub fn transcript(&self) -> String {
        transcript_of(&self.moves)
    }

    /// Its name for readers of this language. Japanese players know the English names, too; most Japanese names have
    /// no English one.
    pub fn name(&self, language: Language) -> Option<&str> {
        let (english, japanese) = (self.english.as_deref(), self.japanese.as_deref());
        language.choose(english, japanese.or(english))
    }
}

/// A list of openings, by position.
///
/// ```
/// use ishi_othello_play::openings::OpeningNames;
/// use ishi_othello::{Move, Position};
/// let mut game = Position::start();
/// // The tiger, turned by a half turn.
/// for text in ["c4", "e3", "f6", "e6", "f5"] {
///     game.play(text.parse().unwrap()).unwrap();
/// }
/// let opening = OpeningNames::builtin().opening_at(game.board()).unwrap();
/// assert_eq!(opening.english.as_deref(), Some("Tiger"));
/// assert_eq!(opening.japanese.as_deref(), Some("虎定石"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct OpeningNames {
    list: Vec<NamedOpening>,
    by_board: BTreeMap<Board, usize>,
}

/// A list that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsError {
    line: usize,
    text: String,
    problem: String,
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the openings, {:?}: {}", self.line, self.text, self.problem)
    }
}

impl std::error::Error for OpeningsError {}

impl OpeningNames {
    /// The list that is built in.
    pub fn builtin() -> &'static OpeningNames {
        static NAMES: OnceLock<OpeningNames> = OnceLock::new();
        // That the list can be read is tested.
        NAMES.get_or_init(|| OpeningNames::parse(BUILTIN).unwrap_or_default())
    }

    /// Reads a list: lines of moves, English name and Japanese name, separated by tabs, `-` for a name that is
    /// missing; lines that start with `#` are left out.
    ///
    /// # Errors
    /// Names the line and what is wrong with it: an illegal move, a missing column, a position named twice.
    pub fn parse(text: &str) -> Result<OpeningNames, OpeningsError> {
        let mut names = OpeningNames::default();
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let error = |problem| OpeningsError { line: index + 1, text: line.to_string(), problem };
            let (opening, board) = parse_opening(line).map_err(error)?;
            if names.by_board.insert(board, names.list.len()).is_some() {
                return Err(error("this position has a name already".to_string()));
            }
            names.list.push(opening);
        }
        Ok(names)
    }

    /// All openings, in the order of the list.
    pub fn list(&self) -> &[NamedOpening] {
        &self.list
    }

    /// The name of a position.
    pub fn opening_at(&self, board: Board) -> Option<&NamedOpening> {
        self.by_board.get(&board.canonical_form().0).map(|&index| &self.list[index])
    }

    /// The names that a game passes through, with the number of moves played by then, the most special one last.
    pub fn openings_passed(&self, game: &Position) -> Vec<(usize, &NamedOpening)> {
        let boards = boards_of_game(game).into_iter().enumerate();
        boards.filter_map(|(played, board)| Some((played, self.opening_at(board)?))).collect()
    }

    /// The last name that a game passes through.
    pub fn last_opening(&self, game: &Position) -> Option<&NamedOpening> {
        self.openings_passed(game).pop().map(|(_, opening)| opening)
    }

    /// The last name that a game passes through, for readers of this language.
    pub fn title_of_game(&self, game: &Position, language: Language) -> Option<&str> {
        self.openings_passed(game).into_iter().rev().find_map(|(_, opening)| opening.name(language))
    }
}

/// The boards of a game, from its set-up to its present position.
pub(crate) fn boards_of_game(game: &Position) -> Vec<Board> {
    let (mut board, _) = game.setup();
    let mut boards = vec![board];
    for &(_, mv) in game.moves() {
        board = match mv {
            Move::Play(square) => board.play_unchecked(square),
            Move::Pass => board.pass(),
        };
        boards.push(board);
    }
    boards
}

/// The opening of a line and its canonical board, or what is wrong.
fn parse_opening(line: &str) -> Result<(NamedOpening, Board), String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[moves, english, japanese] = columns.as_slice() else {
        return Err("there must be three columns: moves, English name, Japanese name".to_string());
    };
    let mut game = Position::start();
    let mut squares = Vec::new();
    for pair in split_moves(moves)? {
        let square: Square = pair.parse().map_err(|error| format!("{error}"))?;
        game.play(Move::Play(square)).map_err(|error| error.to_string())?;
        squares.push(square);
    }
    let name = |text: &str| (text != "-").then(|| text.to_string());
    let opening = NamedOpening { moves: squares, english: name(english), japanese: name(japanese) };
    if opening.english.is_none() && opening.japanese.is_none() {
        return Err("there is no name".to_string());
    }
    Ok((opening, game.board().canonical_form().0))
}

/// A transcript cut into moves of two characters.
fn split_moves(moves: &str) -> Result<Vec<&str>, String> {
    if !moves.is_ascii() || !moves.len().is_multiple_of(2) {
        return Err(format!("invalid moves {moves:?}: write f5d6c3"));
    }
    Ok((0..moves.len()).step_by(2).map(|at| &moves[at..at + 2]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_othello::Symmetry;
    use proptest::prelude::*;

    fn game(moves: &str) -> Position {
        let mut game = Position::start();
        for pair in split_moves(moves).unwrap() {
            game.play(pair.parse().unwrap()).unwrap();
        }
        game
    }

    /// Positions, English names, Japanese names.
    const COUNTS: [usize; 3] = [385, 97, 384];

    #[test]
    fn the_list_that_is_built_in_can_be_read() {
        let names = OpeningNames::parse(BUILTIN).unwrap();
        let has_english = |opening: &&NamedOpening| opening.english.is_some();
        let has_japanese = |opening: &&NamedOpening| opening.japanese.is_some();
        let named = names.list().iter();
        let counts = [
            named.clone().count(),
            named.clone().filter(has_english).count(),
            named.filter(has_japanese).count(),
        ];
        assert_eq!(counts, COUNTS, "docs/othello.md and data/SOURCE.md say how many there are");
        for opening in names.list() {
            assert_eq!(opening.moves[0].to_string(), "f5");
            assert_eq!(names.opening_at(game(&opening.transcript()).board()), Some(opening));
        }
    }

    #[test]
    fn well_known_openings() {
        let names = OpeningNames::builtin();
        for (moves, english, japanese) in [
            ("f5d6c3d3c4", "Tiger", "虎定石"),
            ("f5d6c5f4e3", "Rabbit", "兎定石"),
            ("f5f6e6f4e3", "Cow", "牛定石"),
            ("f5f4e3", "Mouse", "鼠定石"),
            ("f5d6c4d3c5", "Cat", "猫定石"),
            ("f5d6c4g5", "No-Cat / Ganglion", "ノーキャット"),
            ("f5d6c3g5", "Ganglion / Bent Ganglion", "ミサイル定石 / ギャング"),
            ("f5f6e6f4g6", "Snake / Peasant", "蛇定石"),
            ("f5f6e6f4c3", "Buffalo / Kenichi Variation", "バッファロー定石 / 猛牛"),
            ("f5f6e6f4e3d6", "Chimney", "白大量取り / リンゴ定石"),
            ("f5d6c3d3c4f4f6", "Stephenson", "ステファンソン"),
            ("f5f6e6d6c5e3d3c4c6b5", "Maruoka", "丸岡流"),
            ("c4c3d3c5d6f4f5d2b5", "Aircraft / Feldborg", "飛行機"),
            ("f5f6e6f4g5e7d7", "Iwasaki Variation", "岩崎流"),
        ] {
            let opening = names.last_opening(&game(moves)).unwrap();
            assert_eq!(opening.english.as_deref(), Some(english));
            assert_eq!(opening.japanese.as_deref(), Some(japanese));
        }
    }

    #[test]
    fn a_game_passes_through_several_names() {
        let game = game("f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6");
        let line: Vec<(usize, &str)> = OpeningNames::builtin()
            .openings_passed(&game)
            .into_iter()
            .map(|(played, opening)| (played, opening.english.as_deref().unwrap_or("-")))
            .collect();
        assert_eq!(
            line,
            [
                (2, "Perpendicular"),
                (3, "-"),
                (5, "Tiger"),
                (6, "-"),
                (7, "Stephenson"),
                (8, "Comp'Oth"),
                (11, "-"),
                (13, "-"),
                (14, "-"),
            ]
        );
    }

    /// A reader of English gets the last English name, a reader of Japanese the last name at all.
    #[test]
    fn titles_are_for_readers_of_a_language() {
        let names = OpeningNames::builtin();
        let game = game("f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6");
        assert_eq!(names.title_of_game(&game, Language::English), Some("Comp'Oth"));
        assert_eq!(names.title_of_game(&game, Language::Japanese), Some("コンポス・F.A.T.型"));
        assert_eq!(names.title_of_game(&Position::start(), Language::English), None);
    }

    /// No position has two lines, however they are turned. Two names stand at two places each: the line goes on under
    /// the same name.
    #[test]
    fn every_position_has_one_line_and_names_hardly_return() {
        let names = OpeningNames::builtin();
        let boards: std::collections::BTreeSet<Board> = names
            .list()
            .iter()
            .flat_map(|opening| {
                let board = game(&opening.transcript()).board();
                Symmetry::ALL.into_iter().map(move |symmetry| symmetry.map_board(board)).min()
            })
            .collect();
        assert_eq!(boards.len(), names.list().len());
        let known: [(Language, Vec<&str>); 2] =
            [(Language::English, Vec::new()), (Language::Japanese, vec!["谷田バッファロー", "鼠定石"])];
        for (language, known) in known {
            let own = |opening: &'static NamedOpening| {
                language.choose(opening.english.as_deref(), opening.japanese.as_deref())
            };
            let mut places: BTreeMap<&str, usize> = BTreeMap::new();
            for name in names.list().iter().filter_map(own) {
                *places.entry(name).or_default() += 1;
            }
            places.retain(|_, count| *count > 1);
            assert_eq!(places.into_keys().collect::<Vec<&str>>(), known);
        }
    }

    /// Another order of moves, the same position.
    #[test]
    fn transpositions_have_the_same_name() {
        let names = OpeningNames::builtin();
        let tiger = names.opening_at(game("f5d6c3d3c4").board()).unwrap();
        assert_eq!(names.opening_at(game("f5d6c4d3c3").board()), Some(tiger));
    }

    #[test]
    fn lines_that_are_wrong_are_quoted() {
        let problem = |text| OpeningNames::parse(text).unwrap_err().to_string();
        assert_eq!(
            problem("f5f5\tA\tB"),
            "line 1 of the openings, \"f5f5\\tA\\tB\": white may not play f5: the square is occupied"
        );
        assert!(problem("# fine\nf5d6\tA").contains("line 2"));
        assert!(problem("f5d6\tA\t-\nf5d6\tB\t-").contains("has a name already"));
        assert!(problem("f5d\tA\t-").contains("invalid moves \"f5d\""));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a-h1-9\t\n#-]{0,60}|.{0,40}") {
            let _ = OpeningNames::parse(&text);
        }

        #[test]
        fn names_do_not_depend_on_the_side_of_the_board(index in 0..COUNTS[0], turn in 0usize..8) {
            let names = OpeningNames::builtin();
            let opening = &names.list()[index];
            let symmetry = Symmetry::ALL.into_iter().nth(turn).unwrap();
            let board = symmetry.map_board(game(&opening.transcript()).board());
            prop_assert_eq!(names.opening_at(board), Some(opening));
        }
    }
}
