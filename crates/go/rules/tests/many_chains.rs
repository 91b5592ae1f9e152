//! No limit on chains below what a board can hold: 277 on 19x19.

use ishi_go::{Color, Diagram, Move};

/// The most chains that a 19x19 board holds, each with a liberty. With stones coloured like a chessboard every stone
/// is a chain of its own; it needs an empty neighbour, so the empty points dominate the grid, and the smallest
/// dominating set has 84 points (Gonçalves, Pinlou, Rao and Thomassé, "The domination number of grids", SIAM J.
/// Discrete Math. 25, 2011: floor((n + 2)(m + 2) / 5) - 4). This one was found by integer programming.
const FULL: &str = "
OX.XO.OX.XO.OX.XOX.
.OXOX.XOX.XOXOXO.OX
OXO.OXO.OXOX..OXO.O
X.XOX.XOXO.OXOX.XOX
OXO.OXOX.XOXO.OXOX.
..XOXO.OXOX.XOXO.OX
OXOX.XOXO.OXOX.X.XO
XO.OXOX.XOXO.OXOXO.
.XOXO.OXOX.XOXO.OXO
XOX.XOXO.OXOX.XOX.X
O.OXOX.XOXO.OXOX.XO
XOXO.OXOX.XOXO.OXO.
.X.XOXO.OXOX.XOXO.O
.OXOX.XOXO.OXOX.XOX
OXO.OXOX.XOXO.OXOX.
X.XOXO.OXOX.XOXO.OX
OXO..XOXO.OXOX.XOXO
.OXOXOX.XOX..OXOX..
OX.XO.OXO.OX.XO.OXO
";

#[test]
fn a_board_holds_277_chains() {
    let diagram: Diagram = FULL.parse().unwrap();
    let mut board = diagram.to_board().unwrap();
    assert_eq!(board.size().to_string(), "19x19");
    assert_eq!(board.chains().count(), 277);
    for chain in board.chains() {
        assert_eq!(board.chain_length(chain), 1);
        let liberties = board.chain_liberties(chain);
        assert!(!liberties.is_empty());
        assert_eq!(board.atari_liberty(chain), (liberties.len() == 1).then(|| liberties[0]));
    }
    let spots: Vec<_> = board.empty_points().collect();
    for point in spots {
        let color = if board.is_suicide(Color::Black, point) { Color::White } else { Color::Black };
        if board.is_legal(color, point) {
            board.play_unchecked(color, Move::Play(point));
        }
    }
    assert!(board.chains().all(|chain| !board.chain_liberties(chain).is_empty()));
}

/// The largest board and a plain pattern: every fifth point (a knight's move lattice) is empty, and the edge where the
/// lattice leaves a stone without a liberty.
#[test]
fn the_largest_board_holds_more_than_400() {
    let size = ishi_go::BoardSize::square(25).unwrap();
    let lattice = |point: &ishi_go::Point| (point.column() + 2 * point.row()).is_multiple_of(5);
    let dominated = |point: &ishi_go::Point| {
        lattice(point) || point.neighbours().iter().any(|n| size.contains(*n) && lattice(n))
    };
    let stones = size.points().filter(|p| dominated(p) && !lattice(p));
    let colored =
        stones.map(|p| (if (p.column() + p.row()) % 2 == 0 { Color::White } else { Color::Black }, p));
    let board = ishi_go::Board::from_stones(size, colored).unwrap();
    assert!(board.chains().count() > 450, "{}", board.chains().count());
    assert!(board.chains().all(|chain| board.chain_length(chain) == 1));
}
