//! Exercises in life and death, made from records: positions of groups whose fate reading has settled, and the moves that decide it.
//! A network learns from them what the moves of games do not teach: games end, or go on elsewhere, before a group is played out.
//!
//! As text an exercise is a line of TAB separated columns: `size, black, white, to move, last two moves, ko, good, choice`. Points are pairs of
//! letters as in [`crate::records`]; `-` is none, and `..` stands for a last move that was a pass, or is not known.

use std::fmt;

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_reading::{LifeReader, PointSet};
use ishi_rng::checksum::check_sealed_lines;
use ishi_rng::{Rng, Seed};
use ishi_words::CodedMessage;

use crate::features::MoveContext;
use crate::records::{RecordedGame, parse_moves as moves};
use crate::text_error::TextError;

/// A position, and the moves that win its fight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordExercise {
    /// Size of the board.
    pub size: BoardSize,
    /// Black's stones, and White's.
    pub stones: [PointSet; 2],
    /// Who moves.
    pub to_move: Color,
    /// The last move and the one before, where these are known.
    pub last: [Option<Point>; 2],
    /// Where the side to move may not retake.
    pub ko: Option<Point>,
    /// The moves that are known to win, at least one: those that reading has found first. Others may, too.
    pub good: Vec<Point>,
    /// All moves of the fight.
    pub choice: PointSet,
}

/// What the second line of a kept file begins with. The version follows, and what the exercises are drawn from.
pub const HEAD_NAME: &str = "# ishi-exercises-";

/// From games that are shorter nothing is drawn, nor before the move [`EARLIEST`].
const SHORTEST: usize = 60;
const EARLIEST: usize = 40;
/// How often a position is drawn as problems are: one part of the board, all else empty.
const DRAWN: f64 = 0.6;
/// Smallest and largest side of that part; how often it lies along a side rather than in a corner.
const PART: (usize, usize) = (8, 12);
const ALONG_SIDE: f64 = 0.3;
/// Groups of a position that are read at most, in either way.
const GROUPS: usize = 8;
/// Stones of chance that make other positions of it, at most: in the group's space, and, if it is drawn as problems are, in the wall around it.
const CHANCE: usize = 4;

/// Is the game long enough to draw positions from?
pub fn is_long_enough(game: &RecordedGame) -> bool {
    game.moves.len() >= SHORTEST
}

/// The exercises of one position drawn at random from the games: the same for the same seed and number. `most`: moves that are read for a group.
pub fn draw_exercises(games: &[RecordedGame], number: u64, most: u32, seed: Seed) -> Vec<RecordExercise> {
    let mut rng = seed.stream("exercises", number);
    let Some(game) = rng.choose(games).filter(|game| is_long_enough(game)) else { return Vec::new() };
    let mut replay = game.start_replay();
    let moves = EARLIEST + rng.next_index(game.moves.len() - EARLIEST);
    game.moves[..moves].iter().for_each(|&mv| replay.play(mv));
    let mut board = replay.context().board.clone();
    board.set_ko(None);
    let is_drawn = rng.chance(DRAWN);
    if is_drawn {
        board = random_part(&board, &mut rng);
    }
    let mut reader = LifeReader::new(most);
    reader.set_gaps(is_drawn);
    let mut stones: Vec<Point> = board
        .chains()
        .filter(|&chain| board.chain_length(chain) > 1)
        .filter_map(|chain| board.chain_stones(chain).next())
        .collect();
    rng.shuffle(&mut stones);
    let groups = stones.into_iter().take(GROUPS);
    groups.flat_map(|stone| exercises_of_group(&board, stone, is_drawn, &mut reader, &mut rng)).collect()
}

/// The stones in a part of the board.
fn random_part(board: &Board, rng: &mut Rng) -> Board {
    let size = board.size();
    let mut range = |whole: usize| {
        let len = (PART.0 + rng.next_index(PART.1 - PART.0 + 1)).min(whole);
        let start = (whole - len) * rng.next_index(2);
        start..start + len
    };
    let (rows, mut columns) = (range(size.height()), range(size.width()));
    if rng.chance(ALONG_SIDE) {
        let start = rng.next_index(size.width() - columns.len() + 1);
        columns = start..start + columns.len();
    }
    let inside = |point: &Point| columns.contains(&point.column()) && rows.contains(&point.row());
    let stones = size.points().filter(inside).filter_map(|point| Some((board.color(point)?, point)));
    // A chain that is cut through has liberties still, where it was cut.
    Board::from_stones(size, stones).unwrap_or_else(|_| Board::new(size))
}

/// The exercises of a group, with some stones of chance.
fn exercises_of_group(
    board: &Board,
    stone: Point,
    has_gaps: bool,
    reader: &mut LifeReader,
    rng: &mut Rng,
) -> Vec<RecordExercise> {
    let Some(zone) = reader.life_zone(board, stone) else { return Vec::new() };
    let mut board = board.clone();
    let mut color = if rng.chance(0.5) { Color::Black } else { Color::White };
    for _ in 0..rng.next_index(CHANCE + 1) {
        add_random_stone(&mut board, color, &zone.core, rng);
        color = !color;
    }
    let Some(owner) = board.color(stone) else { return Vec::new() };
    if has_gaps {
        let wall = zone.all.difference(&zone.core);
        (0..rng.next_index(CHANCE + 1)).for_each(|_| add_random_stone(&mut board, !owner, &wall, rng));
    }
    board.set_ko(None);
    let mut exercises = Vec::new();
    for attacking in [true, false] {
        let first = if attacking { !owner } else { owner };
        let Some(found) = reader.find_exercises(&board, stone, attacking, rng) else { continue };
        exercises.extend(found.iter().map(|exercise| RecordExercise::from_reading(&board, first, exercise)));
    }
    exercises
}

fn add_random_stone(board: &mut Board, color: Color, among: &PointSet, rng: &mut Rng) {
    let points: Vec<Point> =
        board.empty_points().filter(|&p| among.contains(p) && board.is_sensible(color, p)).collect();
    if let Some(&point) = rng.choose(&points) {
        board.play_unchecked(color, point.into());
    }
}

impl RecordExercise {
    fn from_reading(board: &Board, first: Color, exercise: &ishi_reading::LifeExercise) -> RecordExercise {
        let (mut board, mut color) = (board.clone(), first);
        for mv in &exercise.moves {
            board.play_unchecked(color, mv.map_or(Move::Pass, Move::Play));
            color = !color;
        }
        let of = |color| board.size().points().filter(|&point| board.color(point) == Some(color)).collect();
        let back = |moves: usize| exercise.moves.iter().rev().nth(moves).copied().flatten();
        RecordExercise {
            size: board.size(),
            stones: [Color::Black, Color::White].map(of),
            to_move: color,
            last: [back(0), back(1)],
            ko: board.ko_point(),
            good: exercise.good.clone(),
            choice: exercise.choice,
        }
    }

    /// The board as it stands.
    pub fn to_board(&self) -> Board {
        let mut board = Board::new(self.size);
        for (color, stones) in [Color::Black, Color::White].into_iter().zip(&self.stones) {
            for point in stones.iter() {
                board.play_unchecked(color, point.into());
            }
        }
        board.set_ko(self.ko);
        board
    }

    /// The position on its board.
    pub fn context_on<'a>(&self, board: &'a Board) -> MoveContext<'a> {
        let [last, before] = self.last;
        MoveContext { board, to_move: self.to_move, last, before }
    }

    /// An exercise from its line.
    ///
    /// # Errors
    /// What is wrong, and what would be right.
    pub fn parse_line(text: &str) -> Result<RecordExercise, String> {
        let fields: Vec<&str> = text.trim_end().split('\t').collect();
        let [size, black, white, to_move, last, ko, good, choice] = fields[..] else {
            return Err(format!("{} columns: there must be 8, separated by tabs", fields.len()));
        };
        let size: BoardSize = size.parse().map_err(|error: ishi_go::SizeTextError| error.to_string())?;
        let to_move: Color =
            to_move.parse().map_err(|_| format!("{to_move:?} is no colour: it must be B or W"))?;
        let &[last, before] = &moves(last, size)?[..] else {
            return Err(format!("the last moves must be two, not {last:?}"));
        };
        let exercise = RecordExercise {
            size,
            stones: [parse_points(black, size)?, parse_points(white, size)?]
                .map(|points| points.into_iter().collect()),
            to_move,
            last: [last, before].map(Move::point),
            ko: match parse_points(ko, size)?[..] {
                [] => None,
                [point] => Some(point),
                _ => return Err(format!("ko must be one point or none, not {ko:?}")),
            },
            good: parse_points(good, size)?,
            choice: parse_points(choice, size)?.into_iter().collect(),
        };
        exercise.check_stones()?;
        Ok(exercise)
    }

    fn check_stones(&self) -> Result<(), String> {
        let [black, white] = &self.stones;
        let of =
            |color, stones: &PointSet| stones.iter().map(move |point| (color, point)).collect::<Vec<_>>();
        let stones = of(Color::Black, black).into_iter().chain(of(Color::White, white));
        Board::from_stones(self.size, stones).map_err(|error| error.to_string())?;
        let good: PointSet = self.good.iter().copied().collect();
        if good.is_empty() || good.len() < self.good.len() || !good.difference(&self.choice).is_empty() {
            return Err("the good moves are one or more of the choice".to_string());
        }
        if let Some(ko) = self.ko.filter(|&ko| black.contains(ko) || white.contains(ko)) {
            return Err(format!("a stone stands on the ko {ko}"));
        }
        let board = self.to_board();
        match self.choice.iter().find(|&point| !board.is_legal(self.to_move, point)) {
            Some(point) => Err(format!("{} cannot play {point}", self.to_move)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for RecordExercise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |point: Point| {
            let [column, row] = [point.column(), self.size.height() - 1 - point.row()];
            [column, row].map(|line| char::from(b'a' + line as u8)).iter().collect::<String>()
        };
        let list = |points: &mut dyn Iterator<Item = Point>| {
            let text: String = points.map(pair).collect();
            if text.is_empty() { "-".to_string() } else { text }
        };
        let [black, white] = self.stones.each_ref().map(|stones| list(&mut stones.iter()));
        let last: String = self.last.iter().map(|last| last.map_or_else(|| "..".to_string(), pair)).collect();
        let (ko, good) = (list(&mut self.ko.into_iter()), list(&mut self.good.iter().copied()));
        let (size, to_move, choice) = (self.size, self.to_move, list(&mut self.choice.iter()));
        write!(f, "{size}\t{black}\t{white}\t{to_move}\t{last}\t{ko}\t{good}\t{choice}")
    }
}

fn parse_points(text: &str, size: BoardSize) -> Result<Vec<Point>, String> {
    let moves = moves(if text == "-" { "" } else { text }, size)?;
    moves.into_iter().map(|mv| mv.point().ok_or_else(|| "a pass is no point".to_string())).collect()
}

/// Reads the exercises of a text; lines that begin with `#` are remarks. A text that begins with a checksum must be whole.
///
/// # Errors
/// The first line that is wrong.
pub fn parse_exercises(text: &str) -> Result<Vec<RecordExercise>, TextError> {
    check_sealed_lines(text, HEAD_NAME).map_err(|error| {
        let problem = format!("{error}; take this line away if you changed the text by hand");
        TextError { line: 1, problem: CodedMessage::uncoded(problem) }
    })?;
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    let exercise = |(n, line): (usize, &str)| {
        RecordExercise::parse_line(line)
            .map_err(|problem| TextError { line: n + 1, problem: CodedMessage::uncoded(problem) })
    };
    lines.map(exercise).collect()
}

#[cfg(test)]
mod tests {
    use ishi_rng::checksum::seal_lines;
    use ishi_rng::damage::try_damaged_copies;

    use super::*;

    /// A game of moves that fill no eyes.
    fn game(seed: u64) -> RecordedGame {
        let size = BoardSize::square(11).unwrap();
        let mut rng = Seed::new(seed).stream("game", 0);
        let mut record = RecordedGame {
            id: seed.to_string(),
            line: 1,
            size,
            komi: None,
            setup: Vec::new(),
            first: Color::Black,
            moves: Vec::new(),
            winner: None,
            year: None,
        };
        let mut replay = record.start_replay();
        for _ in 0..110 {
            let context = replay.context();
            let sensible = context
                .board
                .empty_points()
                .filter(|&point| context.board.is_sensible(context.to_move, point));
            let mv = rng.choose(&sensible.collect::<Vec<_>>()).map_or(Move::Pass, |&point| point.into());
            replay.play(mv);
            record.moves.push(mv);
        }
        record
    }

    fn found() -> Vec<RecordExercise> {
        let games: Vec<RecordedGame> = (0..4).map(game).collect();
        (0..12).flat_map(|number| draw_exercises(&games, number, 3000, Seed::new(2))).collect()
    }

    #[test]
    fn exercises_are_the_same_again_and_survive_being_written() {
        let found = found();
        assert!(found.len() > 20, "{}", found.len());
        assert_eq!(found, super::tests::found());
        let text: String = found.iter().map(|exercise| format!("{exercise}\n")).collect();
        assert_eq!(parse_exercises(&format!("# a remark\n\n{text}")).unwrap(), found);
    }

    /// Blocks were exchanged, so that the line of the checksum is a remark: then nothing would hold the rest to it.
    #[test]
    fn what_is_left_of_kept_exercises_is_no_text_by_hand() {
        let found = found();
        let lines: String = found.iter().map(|exercise| format!("{exercise}\n")).collect();
        for by_hand in
            ["# exercises of games", "# ishi-exercises-2 games 12 most 3 seed 4", "# ishi-exercises-1 x"]
        {
            assert_eq!(parse_exercises(&format!("{by_hand}\n{lines}")).unwrap(), found, "{by_hand}");
        }
        for left in ["# ishi-exercksum 01234567", "# checxercises-2 games 12"] {
            let error = parse_exercises(&format!("{left}\n{lines}")).unwrap_err().to_string();
            assert!(
                error.contains("line 1") && error.contains("it is damaged: a checksum"),
                "{left}: {error}"
            );
        }
    }

    #[test]
    fn damaged_exercises_are_refused_or_are_the_same() {
        let found = found();
        let lines: String = found.iter().map(|exercise| format!("{exercise}\n")).collect();
        let text = seal_lines(&format!("# a remark\n{lines}"));
        assert_eq!(parse_exercises(&text).unwrap(), found);
        try_damaged_copies(text.as_bytes(), Seed::new(1), 400, |what, damaged| {
            let read = std::str::from_utf8(damaged).ok().and_then(|text| parse_exercises(text).ok());
            assert!(read.is_none_or(|read| read == found), "{what}");
        });
    }

    #[test]
    fn a_good_move_is_one_of_few() {
        for exercise in found() {
            assert!(!exercise.good.is_empty() && 3 * exercise.good.len() <= exercise.choice.len());
            let board = exercise.to_board();
            assert!(exercise.choice.iter().all(|point| board.is_legal(exercise.to_move, point)));
        }
    }

    #[test]
    fn lines_that_are_no_exercise_are_refused() {
        let line = "5\tbdbcccdcdd\taeadab\tB\t..ab\t-\tae\tce";
        let problem =
            |from: &str, to: &str| parse_exercises(&line.replace(from, to)).unwrap_err().to_string();
        assert_eq!(problem("ae\tce", "ce\tbe"), "line 1: the good moves are one or more of the choice");
        assert_eq!(problem("\t-", ""), "line 1: 7 columns: there must be 8, separated by tabs");
        assert!(problem("..ab", "..").contains("the last moves must be two"));
        assert!(problem("B", "green").contains("no colour"));
        assert!(problem("aeadab", "aebdab").contains("B2"), "twice");
        assert!(problem("ae\tce", "ad\tad").contains("cannot play A2"));
        assert!(problem("\t-", "\tabac").contains("ko must be one point or none"));
        assert!(problem("-\tae\tce", "bd\tce\tce").contains("a stone stands on the ko"));
        assert!(problem("ae\tce", "cece\tce").contains("one or more of the choice"), "twice");
        assert!(problem("bdbc", "zzbc").contains("no point of a 5x5 board"));
        let right = line.replace("ae\tce", "ce\tcebe");
        let written = "5x5\tbdddbcccdc\taeadab\tblack\t..ab\t-\tce\tbece";
        assert_eq!(parse_exercises(&right).unwrap()[0].to_string(), written);
    }
}
