//! Boards with the most chains on cylinders and tori, checked by the rules of Go alone: chains are flooded and
//! liberties looked for on the wrapped board, and small boards are compared with all positions there are.

use std::ops::ControlFlow;

use ishi_grid::frontier::{SweepOptions, Wrap, solve_wrapped};
use ishi_grid::{Board, Cell};

const OPTIONS: SweepOptions = SweepOptions { threads: 1, most_states: 2_000_000 };

/// Neighbours on a board with wraps, by arithmetic modulo its sides.
fn around(x: usize, y: usize, width: usize, height: usize, wrap: Wrap) -> Vec<(usize, usize)> {
    let mut points = Vec::new();
    for (dx, dy) in [(0_i32, -1_i32), (-1, 0), (1, 0), (0, 1)] {
        let (x, y) = (x as i32 + dx, y as i32 + dy);
        let columns = wrap != Wrap::Plane || (0..width as i32).contains(&x);
        let rows = wrap == Wrap::Torus || (0..height as i32).contains(&y);
        if columns && rows {
            points.push((x.rem_euclid(width as i32) as usize, y.rem_euclid(height as i32) as usize));
        }
    }
    points
}

/// Chains, if every one has a liberty.
fn chains(board: &Board, wrap: Wrap) -> Option<usize> {
    let (width, height) = (board.width(), board.height());
    let mut seen = vec![false; width * height];
    let mut chains = 0;
    for start in 0..width * height {
        let colour = board.cell(start % width, start / width);
        if seen[start] || colour == Cell::Empty {
            continue;
        }
        seen[start] = true;
        let mut open = vec![start];
        let mut liberty = false;
        while let Some(point) = open.pop() {
            for (x, y) in around(point % width, point / width, width, height, wrap) {
                let next = y * width + x;
                liberty |= board.cell(x, y) == Cell::Empty;
                if board.cell(x, y) == colour && !seen[next] {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        if !liberty {
            return None;
        }
        chains += 1;
    }
    Some(chains)
}

#[test]
fn boards_have_the_chains_they_claim() {
    let boards =
        [(3, 3), (4, 7), (5, 5), (6, 6), (7, 4), (7, 9), (9, 12), (12, 9), (5, 40), (40, 3), (13, 5)];
    for (width, height) in boards {
        let wraps =
            if width * height <= 40 { vec![Wrap::Cylinder, Wrap::Torus] } else { vec![Wrap::Cylinder] };
        for wrap in wraps {
            let found =
                solve_wrapped(width, height, wrap, OPTIONS, &mut |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(
                chains(&found.board, wrap),
                Some(found.strings),
                "{width}x{height} {wrap:?}\n{}",
                found.board
            );
            assert_eq!(found.strings + found.empties, width * height);
        }
    }
}

#[test]
fn no_position_has_more() {
    for (width, height) in [(3, 3), (4, 3), (3, 4)] {
        for wrap in [Wrap::Cylinder, Wrap::Torus] {
            let found =
                solve_wrapped(width, height, wrap, OPTIONS, &mut |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(Some(found.strings), most(width, height, wrap), "{width}x{height} {wrap:?}");
        }
    }
}

/// The most chains over all positions of any colours and shapes.
fn most(width: usize, height: usize, wrap: Wrap) -> Option<usize> {
    let mut board = Board::new(width, height);
    let mut most = None;
    for number in 0..3_usize.pow((width * height) as u32) {
        let mut rest = number;
        for point in 0..width * height {
            let cell = [Cell::Empty, Cell::Black, Cell::White][rest % 3];
            board.set(point % width, point / width, cell);
            rest /= 3;
        }
        most = most.max(chains(&board, wrap));
    }
    most
}
