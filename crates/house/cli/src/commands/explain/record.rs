//! A game of a file, its positions, and comments put into it.

use std::path::Path;

use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
use ishi_go_play::explain::Explanation;
use ishi_go_play::explain::record_marks::write_move_value;
use ishi_go_play::explain::review::MoveValue;
use ishi_sgf::{
    GameTree, GoGame, NodeId, Property, PropertyValue, RecordReplayError, SgfReading, point_text,
};

use crate::commands::sgf::format_record_faults;
use crate::context::{Context, Failure};
use crate::files;

/// Faults of a record that are told, a line each.
const FAULTS_TOLD: usize = 3;

/// A record and one game of it.
pub(crate) struct SgfRecord {
    name: String,
    reading: SgfReading,
    index: usize,
    pub(crate) game: GoGame,
    pub(crate) rules: Rules,
}

/// A file of records that was read.
pub(crate) struct RecordFile<'a> {
    pub(super) path: &'a Path,
    pub(super) bytes: Vec<u8>,
    reading: SgfReading,
}

impl<'a> RecordFile<'a> {
    /// Reads a file, or standard input.
    pub(crate) fn read(path: &'a Path) -> Result<RecordFile<'a>, Failure> {
        RecordFile::parse_bytes(path, files::read_file_or_stdin(path)?)
    }

    /// Reads bytes; the path is for messages.
    fn parse_bytes(path: &'a Path, bytes: Vec<u8>) -> Result<RecordFile<'a>, Failure> {
        let reading = ishi_sgf::read_collection(&bytes);
        let reading = reading.map_err(|error| Failure::in_file(path, error.to_string()))?;
        Ok(RecordFile { path, bytes, reading })
    }

    /// How many games it has, whether they are of Go or not.
    pub(crate) fn game_count(&self) -> usize {
        self.reading.collection.games.len()
    }

    /// Game number `number` (from 1).
    pub(crate) fn read_game(&self, number: usize) -> Result<SgfRecord, Failure> {
        SgfRecord::from_reading(self.path, self.reading.clone(), number)
    }
}

impl SgfRecord {
    /// Reads game number `number` (from 1) of a file.
    pub(crate) fn read_file(path: &Path, number: usize) -> Result<SgfRecord, Failure> {
        SgfRecord::from_reading(path, RecordFile::read(path)?.reading, number)
    }

    fn from_reading(path: &Path, reading: SgfReading, number: usize) -> Result<SgfRecord, Failure> {
        let wrong = |problem: String| Failure::in_file(path, problem);
        let games = reading.collection.games.len();
        let index = number.wrapping_sub(1);
        let tree = reading.collection.games.get(index);
        let tree = tree.ok_or_else(|| wrong(format!("there is no game {number}: it has {games}")))?;
        let game = GoGame::read_main_line(tree).map_err(|error| wrong(error.to_string()))?;
        let rules = game.info.rules_or_chinese();
        Ok(SgfRecord { name: path.display().to_string(), reading, index, game, rules })
    }

    /// The file's path, for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The game with its comments.
    pub(crate) fn tree(&self) -> &GameTree {
        &self.reading.collection.games[self.index]
    }

    fn tree_mut(&mut self) -> &mut GameTree {
        &mut self.reading.collection.games[self.index]
    }

    /// Warns on stderr of moves that break the rules, and of what was repaired.
    pub(crate) fn print_warnings(&self, context: &Context) {
        let warnings = [&self.reading.warnings, &self.game.warnings];
        let lines = format_record_faults(&self.name, &self.illegal_moves(), warnings, FAULTS_TOLD);
        lines.iter().for_each(|line| context.print_progress(line));
    }

    /// The moves of the main line that break the rules.
    fn illegal_moves(&self) -> Vec<RecordReplayError> {
        self.game.replay_position(self.rules, None).map(|replayed| replayed.illegal).unwrap_or_default()
    }

    /// Refuses a move (from 1) that breaks the rules.
    pub(crate) fn check_legal(&self, number: usize) -> Result<(), Failure> {
        match self.illegal_moves().into_iter().find(|error| error.moves + 1 == number) {
            Some(error) => Err(Failure::input(format!("{}: {error}: it cannot be explained", self.name))),
            None => Ok(()),
        }
    }

    /// Moves of the main line.
    pub(crate) fn moves(&self) -> Vec<Move> {
        self.game.moves().map(|played| played.mv).collect()
    }

    /// The position before a move (from 1) and the move; without a number the end of the record.
    pub(crate) fn position_before(&self, number: Option<usize>) -> Result<(Position, Option<Move>), Failure> {
        let moves = self.moves();
        let mv = match number {
            None => None,
            Some(number) => {
                let mv = number.checked_sub(1).and_then(|index| moves.get(index)).copied();
                let known = match moves.len() {
                    0 => "the record has no moves".to_string(),
                    last => format!("the record has moves 1 to {last}"),
                };
                let known = format!("there is no move {number}: {known}");
                Some(mv.ok_or_else(|| Failure::input(known))?)
            }
        };
        let played = number.map_or(moves.len(), |number| number - 1);
        Ok((self.position_after(played)?, mv))
    }

    /// The position after so many moves.
    pub(crate) fn position_after(&self, moves: usize) -> Result<Position, Failure> {
        let replayed = self.game.replay_position(self.rules, Some(moves)).map_err(Failure::input)?;
        Ok(replayed.position)
    }

    /// Puts a comment before what stands at a move (from 1; none: at the last node).
    pub(crate) fn add_comment(&mut self, number: Option<usize>, text: &str) {
        self.add_comment_at(self.node_of(number), text);
    }

    /// Puts a comment before what stands at the beginning of the record.
    pub(crate) fn add_root_comment(&mut self, text: &str) {
        self.add_comment_at(NodeId::ROOT, text);
    }

    fn add_comment_at(&mut self, node: NodeId, text: &str) {
        let tree = self.tree_mut();
        let old = tree.node(node).value("C").map(PropertyValue::to_text).unwrap_or_default();
        let texts = [text, old.as_str()].into_iter().filter(|text| !text.is_empty());
        let whole = texts.collect::<Vec<&str>>().join("\n\n");
        if !whole.is_empty() {
            tree.node_mut(node).set_text("C", &whole);
        }
    }

    /// Marks what the comment at a move speaks of: the move by a circle, other moves as A and B, those asked about as small letters.
    pub(crate) fn add_marks(&mut self, number: Option<usize>, size: BoardSize, explanation: &Explanation) {
        let node = self.node_of(number);
        let others = explanation.alternatives.iter().map(|other| other.mv.reasons.mv);
        let asked = explanation.why_not.iter().map(|question| question.mv.reasons.mv);
        let label = |(letter, point): (char, Point)| {
            PropertyValue::from_composed(&point_text(size, point), &letter.to_string())
        };
        let labels = ('A'..='Z').zip(others).chain(('a'..='z').zip(asked)).map(label);
        let labels: Vec<PropertyValue> = labels.collect();
        let node = self.tree_mut().node_mut(node);
        // A point has one of these marks only (FF[4]): the one that it has stays.
        let is_marked = |circle: &PropertyValue| {
            ["MA", "SL", "SQ", "TR"].into_iter().any(|mark| node.values(mark).any(|value| value == circle))
        };
        let circle =
            explanation.mv.iter().map(|mv| PropertyValue::from_text(&point_text(size, mv.reasons.mv)));
        let circles: Vec<PropertyValue> = circle.filter(|circle| !is_marked(circle)).collect();
        let marks = [("LB", labels), ("CR", circles)];
        for (name, values) in marks.into_iter().filter(|(_, values)| !values.is_empty()) {
            let point = |value: &PropertyValue| value.raw_text().get(..2).map(str::to_string);
            let is_new = |old: &&PropertyValue| values.iter().all(|value| point(value) != point(old));
            let kept: Vec<PropertyValue> = node.values(name).filter(is_new).cloned().collect();
            node.set_property(Property::with_name(name, kept.into_iter().chain(values)));
        }
    }

    /// Writes to each move what is known after it, in the order of the game: other programs show it as a graph and as marks.
    pub(crate) fn add_values(&mut self, values: &[MoveValue]) {
        for value in values {
            let node = self.node_of(Some(value.number));
            let (lead, win_rate) = (value.black_lead, value.black_win_rate);
            write_move_value(self.tree_mut().node_mut(node), lead, win_rate, value.lost_win_rate);
        }
    }

    /// Adds a line of moves as a variation in the place of a move (from 1), its name as the comment.
    pub(crate) fn add_line_instead(
        &mut self,
        number: usize,
        size: BoardSize,
        name: &str,
        moves: &[(Color, Point)],
    ) {
        let played = self.node_of(Some(number));
        if let Some(before) = self.tree().node(played).parent() {
            self.add_line(before, size, name, moves);
        }
    }

    /// Adds a line of moves as a variation after a move (from 1), its name as the comment.
    pub(crate) fn add_line_after(
        &mut self,
        number: usize,
        size: BoardSize,
        name: &str,
        moves: &[(Color, Point)],
    ) {
        self.add_line(self.node_of(Some(number)), size, name, moves);
    }

    fn add_line(&mut self, after: NodeId, size: BoardSize, name: &str, moves: &[(Color, Point)]) {
        let moves = moves.iter().map(|&(color, point)| (color, Move::Play(point)));
        self.tree_mut().add_line(after, size, name, moves);
    }

    fn node_of(&self, number: Option<usize>) -> NodeId {
        let with_moves = self.game.steps.iter().flat_map(|step| step.moves.iter().map(|_| step.node));
        let found = match number {
            Some(number) => with_moves.into_iter().nth(number - 1),
            None => self.tree().main_line().last(),
        };
        found.unwrap_or(NodeId::ROOT)
    }

    /// The file with its comments.
    pub(crate) fn to_sgf(&self) -> String {
        self.reading.collection.to_sgf()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_game(bytes: &[u8]) -> SgfRecord {
        RecordFile::parse_bytes(Path::new("a.sgf"), bytes.to_vec()).unwrap().read_game(1).unwrap()
    }

    #[test]
    fn games_of_a_file_that_was_read_are_independent() {
        let bytes = b"(;GM[1]SZ[9];B[ee])(;GM[1]SZ[9];B[cc];W[gg])(;GM[2])".to_vec();
        let file = RecordFile::parse_bytes(Path::new("a.sgf"), bytes).unwrap();
        assert_eq!(file.game_count(), 3);
        let (mut first, second) = (file.read_game(1).unwrap(), file.read_game(2).unwrap());
        assert_eq!([&first, &second].map(|record| record.moves().len()), [1, 2]);
        first.add_comment(Some(1), "good");
        assert!(first.to_sgf().contains("C[good]") && !second.to_sgf().contains("C[good]"));
        for (number, words) in [(0, "no game 0: it has 3"), (3, "GM"), (4, "no game 4: it has 3")] {
            let Err(failure) = file.read_game(number) else { panic!("there is a game {number}") };
            assert!(failure.to_string().contains(words), "{failure}");
        }
    }

    #[test]
    fn lines_are_variations_and_never_the_game_itself() {
        let game = b"(;GM[1]SZ[9];B[ee];W[cc];B[gg])";
        let mut record = read_game(game);
        let size = BoardSize::square(9).unwrap();
        let line = |vertices: &str| -> Vec<(Color, Point)> {
            let colors = [Color::White, Color::Black].into_iter().cycle();
            let points = vertices.split(' ').map(|vertex| size.parse_point(vertex).unwrap());
            colors.zip(points).collect()
        };
        record.add_line_instead(2, size, "better", &line("G7 C3"));
        // What the game has already is gone along.
        record.add_line_after(1, size, "followed", &line("C7 G4"));
        record.add_line_after(3, size, "the end", &line("E3"));
        let written = record.to_sgf().replace('\n', "");
        assert!(written.contains("(;W[gc]C[better];B[cg])"), "{written}");
        assert!(written.contains("(;B[gf]C[followed])"), "{written}");
        assert!(!written.contains("the end"), "{written}");
        let again = read_game(written.as_bytes());
        assert_eq!(again.moves(), record.moves(), "the game is the same: {written}");
    }
}
