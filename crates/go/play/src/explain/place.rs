//! Where on the board, in words.

use ishi_go::{BoardSize, Point};
use ishi_reading::PointSet;
use ishi_words::Language;

/// A part of the board. The upper side is where the rows have their highest numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum BoardPlace {
    LowerLeft,
    Lower,
    LowerRight,
    Left,
    Centre,
    Right,
    UpperLeft,
    Upper,
    UpperRight,
}

/// The parts, row by row from below.
const PLACES: [[BoardPlace; 3]; 3] = [
    [BoardPlace::LowerLeft, BoardPlace::Lower, BoardPlace::LowerRight],
    [BoardPlace::Left, BoardPlace::Centre, BoardPlace::Right],
    [BoardPlace::UpperLeft, BoardPlace::Upper, BoardPlace::UpperRight],
];

/// The one of these points that is nearest to their middle; none if there are none.
pub fn middle_point(points: &PointSet) -> Option<Point> {
    let count = points.len().max(1);
    let sum = |of: fn(Point) -> usize| points.iter().map(of).sum::<usize>();
    let (column, row) = (sum(Point::column), sum(Point::row));
    let distance = |point: &Point| {
        (point.column() * count).abs_diff(column).pow(2) + (point.row() * count).abs_diff(row).pow(2)
    };
    points.iter().min_by_key(distance)
}

impl BoardPlace {
    /// All parts, row by row from below.
    pub(super) fn all() -> impl Iterator<Item = BoardPlace> {
        PLACES.into_iter().flatten()
    }

    /// Where a point lies.
    ///
    /// ```
    /// use ishi_go::BoardSize;
    /// use ishi_go_play::explain::place::BoardPlace;
    /// let size = BoardSize::square(19).unwrap();
    /// let place = |vertex: &str| BoardPlace::of_point(size, size.parse_point(vertex).unwrap());
    /// assert_eq!([place("R17"), place("K3"), place("K10")], [BoardPlace::UpperRight, BoardPlace::Lower, BoardPlace::Centre]);
    /// ```
    pub fn of_point(size: BoardSize, point: Point) -> BoardPlace {
        BoardPlace::of_points(size, &PointSet::from_point(point))
    }

    /// Where the middle of points lies; the centre, if there are none.
    pub fn of_points(size: BoardSize, points: &PointSet) -> BoardPlace {
        if points.is_empty() {
            return BoardPlace::Centre;
        }
        let mean = |of: fn(Point) -> usize| {
            points.iter().map(|point| of(point) as f64).sum::<f64>() / points.len() as f64
        };
        let third = |at: f64, lines: usize| {
            // Seven lines of 19 are a corner's, three of 9.
            let edge = lines.div_ceil(3) as f64 - 0.5;
            if at < edge {
                0
            } else if at > lines as f64 - 1.0 - edge {
                2
            } else {
                1
            }
        };
        PLACES[third(mean(Point::row), size.height())][third(mean(Point::column), size.width())]
    }

    /// Its name, in English with its article.
    pub fn name(self, language: Language) -> &'static str {
        let (english, japanese) = match self {
            BoardPlace::LowerLeft => ("the lower left", "左下"),
            BoardPlace::Lower => ("the lower side", "下辺"),
            BoardPlace::LowerRight => ("the lower right", "右下"),
            BoardPlace::Left => ("the left side", "左辺"),
            BoardPlace::Centre => ("the centre", "中央"),
            BoardPlace::Right => ("the right side", "右辺"),
            BoardPlace::UpperLeft => ("the upper left", "左上"),
            BoardPlace::Upper => ("the upper side", "上辺"),
            BoardPlace::UpperRight => ("the upper right", "右上"),
        };
        language.choose(english, japanese)
    }

    /// "in the upper left", "on the left side".
    pub fn english_with_preposition(self) -> String {
        let name = self.name(Language::English);
        let preposition = if name.ends_with(" side") { "on" } else { "in" };
        format!("{preposition} {name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_sides_and_the_centre_are_told_apart_on_all_boards() {
        for (lines, corner, side) in [(9, 2, 3), (13, 4, 5), (19, 6, 7)] {
            let size = BoardSize::square(lines).unwrap();
            let at = |column, row| BoardPlace::of_point(size, Point::new(column, row));
            assert_eq!(at(corner, corner), BoardPlace::LowerLeft, "{lines}");
            assert_eq!(at(side, corner), BoardPlace::Lower, "{lines}");
            assert_eq!(at(side, side), BoardPlace::Centre, "{lines}");
            assert_eq!(at(lines - 1 - corner, lines - 1), BoardPlace::UpperRight, "{lines}");
        }
        assert_eq!(BoardPlace::Right.english_with_preposition(), "on the right side");
        assert_eq!(BoardPlace::UpperLeft.english_with_preposition(), "in the upper left");
    }
}
