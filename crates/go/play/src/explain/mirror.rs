//! A game's mirror image: the same to whoever plays it, and another position to a network.

use ishi_go::{Position, Symmetry};

/// The position turned by half a circle, with its history; none if it cannot be replayed.
pub(super) fn mirror_position(position: &Position) -> Option<Position> {
    let (size, turn) = (position.size(), Symmetry::ALL[3]);
    let stones = position.setup_stones().iter().map(|&(color, point)| (color, turn.map_point(size, point)));
    let first = position.moves().first().map_or(position.to_move(), |&(color, _)| color);
    let mut image = Position::from_setup(size, *position.rules(), stones, first).ok()?;
    image.set_komi(position.komi()).ok()?;
    image.set_handicap(position.handicap());
    for &(color, mv) in position.moves() {
        image.play(color, turn.map_move(size, mv)).ok()?;
    }
    image.set_to_move(position.to_move());
    Some(image)
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Color, Rules};

    use super::*;

    #[test]
    fn the_image_of_the_image_is_the_position() {
        let size = BoardSize::new(9, 7).unwrap();
        let mut position = Position::new(size, Rules::JAPANESE);
        let points = ["C3", "G5"].map(|vertex| size.parse_point(vertex).unwrap());
        position.place_handicap(&points).unwrap();
        position.set_komi(0.5).unwrap();
        for (color, vertex) in [(Color::White, "D4"), (Color::Black, "E4"), (Color::White, "pass")] {
            position.play(color, size.parse_move(vertex).unwrap()).unwrap();
        }
        let image = mirror_position(&position).unwrap();
        assert_eq!(image.board().color(size.parse_point("F4").unwrap()), Some(Color::White));
        assert_ne!(image.board().hash(), position.board().hash());
        assert_eq!((image.komi(), image.handicap(), image.to_move()), (0.5, 2, Color::Black));
        let back = mirror_position(&image).unwrap();
        assert_eq!((back.board().hash(), back.moves()), (position.board().hash(), position.moves()));
    }
}
