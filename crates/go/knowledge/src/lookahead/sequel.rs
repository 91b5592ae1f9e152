//! How a suggestion goes on: the lines of joseki and patterns, put together to a tree.

use ishi_go::{Color, Point};

/// Moves that may follow, each with what may follow it; empty where nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sequel(Vec<SequelMove>);

/// A move of a sequel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SequelMove {
    pub(super) color: Color,
    pub(super) at: Point,
    pub(super) then: Sequel,
}

impl Sequel {
    /// Adds a line: as far as it is there it is followed, then it branches off.
    pub(super) fn add_line(&mut self, moves: &[(Color, Point)]) {
        let Some((&(color, at), rest)) = moves.split_first() else { return };
        let known = self.0.iter().position(|step| (step.color, step.at) == (color, at));
        let place = known.unwrap_or_else(|| {
            self.0.push(SequelMove { color, at, then: Sequel::default() });
            self.0.len() - 1
        });
        self.0[place].then.add_line(rest);
    }

    /// The moves of one side that may come first.
    pub(super) fn moves_of(&self, color: Color) -> impl Iterator<Item = &SequelMove> {
        self.0.iter().filter(move |step| step.color == color)
    }

    /// Ends of all lines.
    #[cfg(test)]
    pub(super) fn count_ends(&self) -> usize {
        if self.0.is_empty() { 1 } else { self.0.iter().map(|step| step.then.count_ends()).sum() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_share_their_beginning() {
        let mv = |number: usize| {
            (if number.is_multiple_of(2) { Color::White } else { Color::Black }, Point::new(number, 0))
        };
        let mut sequel = Sequel::default();
        sequel.add_line(&[mv(2), mv(3), mv(4)]);
        sequel.add_line(&[mv(2), mv(5)]);
        sequel.add_line(&[mv(2), mv(3)]);
        assert_eq!(sequel.count_ends(), 2);
        assert_eq!(sequel.moves_of(Color::White).count(), 1);
        assert_eq!(sequel.moves_of(Color::Black).count(), 0, "Black has moved");
        assert_eq!(sequel.moves_of(Color::White).next().unwrap().then.moves_of(Color::Black).count(), 2);
    }
}
