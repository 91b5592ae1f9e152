//! Patterns that are moved within their frame, turned, or get the other colours, as people edit them.

use super::{DiagramSquare, DiagramTurn, Pattern, PatternBranch, PatternDiagram, PointSign, SIDE};

impl Pattern {
    /// Moves all that it asks about, its claims and its moves by so many columns to the right and rows up. False if there is no room for that in
    /// the frame; then nothing is changed.
    #[must_use]
    pub fn shift_by(&mut self, columns: i32, rows: i32) -> bool {
        let PatternDiagram { width, height, .. } = self.diagram;
        let moved = |at: DiagramSquare| {
            let (column, row) = (at.column() as i32 + columns, at.row() as i32 + rows);
            let inside = (0..width as i32).contains(&column) && (0..height as i32).contains(&row);
            inside.then(|| DiagramSquare::new(column as usize, row as usize))
        };
        let used = self.diagram.asked_points() | branch_squares(&self.moves);
        if squares_of(used).any(|at| moved(at).is_none()) {
            return false;
        }
        self.map_squares(|at| moved(at).unwrap_or(at));
        true
    }

    /// Turns or mirrors it with its frame.
    pub fn turn_by(&mut self, turn: DiagramTurn) {
        let PatternDiagram { width, height, .. } = self.diagram;
        self.diagram = self.diagram.turned_by(turn);
        self.map_claims_and_moves(|at| turn.map_square(at, width, height));
    }

    /// Exchanges the colours of its stones and moves.
    pub fn exchange_colors(&mut self) {
        self.diagram = self.diagram.with_colors_exchanged();
        exchange_move_colors(&mut self.moves);
    }

    /// Every square becomes another one of the frame.
    fn map_squares(&mut self, to: impl Fn(DiagramSquare) -> DiagramSquare + Copy) {
        let old = self.diagram;
        for at in squares_of(old.frame_points()) {
            self.diagram.set_sign(at, PointSign::Any);
        }
        for at in squares_of(old.asked_points()) {
            self.diagram.set_sign(to(at), old.sign_at(at));
        }
        self.map_claims_and_moves(to);
    }

    fn map_claims_and_moves(&mut self, to: impl Fn(DiagramSquare) -> DiagramSquare + Copy) {
        self.attributes.iter_mut().for_each(|attribute| attribute.at = to(attribute.at));
        map_moves(&mut self.moves, to);
    }
}

/// The squares of a set of bits.
fn squares_of(bits: u64) -> impl Iterator<Item = DiagramSquare> {
    (0..SIDE * SIDE).map(DiagramSquare::from_index).filter(move |at| bits & at.bit() != 0)
}

/// The squares of all moves of these branches, as bits.
fn branch_squares(branches: &[PatternBranch]) -> u64 {
    branches.iter().fold(0, |bits, branch| bits | branch.at.bit() | branch_squares(&branch.replies))
}

fn map_moves(branches: &mut [PatternBranch], to: impl Fn(DiagramSquare) -> DiagramSquare + Copy) {
    for branch in branches {
        branch.at = to(branch.at);
        map_moves(&mut branch.replies, to);
    }
}

fn exchange_move_colors(branches: &mut [PatternBranch]) {
    for branch in branches {
        branch.color = !branch.color;
        exchange_move_colors(&mut branch.replies);
    }
}

#[cfg(test)]
mod tests {
    use crate::library::text::parse_draft_pattern;

    #[test]
    fn what_has_no_room_stays_where_it_is() {
        let text =
            "pattern p\nsource s\n: X O .\n: . ? x\nat A2 liberties 2+\nB A1 3 2 normal\n W C2 0 0 urgent\n";
        let before = parse_draft_pattern(text).unwrap();
        let mut pattern = before.clone();
        assert!(!pattern.shift_by(1, 0));
        assert_eq!(pattern, before);
        pattern.diagram.width = 4;
        assert!(pattern.shift_by(1, 0));
        let squares = [pattern.attributes[0].at, pattern.moves[0].at, pattern.moves[0].replies[0].at];
        assert_eq!(squares.map(|at| at.to_string()), ["B2", "B1", "D2"]);
        assert!(pattern.shift_by(-1, 0));
        pattern.diagram.width = 3;
        assert_eq!(pattern, before);
    }

    #[test]
    fn colours_are_exchanged_in_the_whole_tree() {
        let before =
            parse_draft_pattern("pattern p\nsource s\n: X O .\nB C1 3 2 normal\n W B1 0 0 urgent\n").unwrap();
        let mut pattern = before.clone();
        pattern.exchange_colors();
        assert_eq!(pattern.diagram, before.diagram.with_colors_exchanged());
        assert_eq!(
            (pattern.moves[0].color, pattern.moves[0].replies[0].color),
            (!before.moves[0].color, before.moves[0].color)
        );
        pattern.exchange_colors();
        assert_eq!(pattern, before);
    }
}
