//! Groups closed in around a small eye space, in the corner, at the side and in the centre, with any liberties outside: all that is read of
//! them is held against exhaustive search.

use std::collections::BTreeSet;

use ishi_go::{Board, Color, Diagram, Point};
use ishi_reading::{LastingKo, LifeReader, ReadingOutcome};
use ishi_rng::Seed;

use crate::closed_regions::{Cell, ClosedRegion, Spot, all_shapes, compare_region, is_first_of_its_ways};

/// Reads so many positions of each region either side first.
fn are_read_rightly(regions: impl Iterator<Item = ClosedRegion>, positions: usize) -> usize {
    let mut reader = LifeReader::new(3_000_000);
    let mut rng = Seed::new(5).stream("positions", 0);
    let mut read = 0;
    for region in regions {
        let (count, fault) = compare_region(&mut reader, &region, positions, &mut rng);
        assert!(fault.is_none(), "{}", fault.unwrap_or_default());
        read += count;
    }
    read
}

/// Every shape of so many points, wherever it may lie, with every number of liberties outside.
fn regions_of(points: usize) -> impl Iterator<Item = ClosedRegion> {
    let mut regions = Vec::new();
    for shape in all_shapes(points) {
        for spot in Spot::ALL {
            regions.extend((0..5).filter_map(|liberties| ClosedRegion::from_shape(&shape, spot, liberties)));
        }
    }
    regions.into_iter()
}

/// Four points: five shapes turned and mirrored at will. Three of them have two mirror images each at an edge, and so on.
#[test]
fn of_shapes_that_are_the_same_one_is_taken() {
    let shapes = all_shapes(4);
    let count = |spot| shapes.iter().filter(|shape| is_first_of_its_ways(shape, spot)).count();
    assert_eq!((shapes.len(), Spot::ALL.map(count)), (19, [10, 12, 5]));
}

#[test]
fn all_spaces_up_to_four_points_are_read_as_exhaustive_search_has_them() {
    let read: usize = (1..5).map(|points| are_read_rightly(regions_of(points), 25)).sum();
    assert!(read > 8000, "{read}");
}

#[test]
fn random_spaces_of_five_to_eight_points_are_read_as_exhaustive_search_has_them() {
    for points in 5..9 {
        let mut rng = Seed::new(3).stream("regions", points as u64);
        let regions: Vec<ClosedRegion> = (0..12)
            .map(|_| ClosedRegion::random(points, &mut rng))
            .filter(|region| region.len() < 10)
            .collect();
        assert!(!regions.is_empty());
        are_read_rightly(regions.into_iter(), 80);
    }
}

#[test]
#[ignore = "takes some minutes"]
fn all_spaces_up_to_six_points_are_read_as_exhaustive_search_has_them() {
    for points in 1..7 {
        are_read_rightly(regions_of(points), usize::MAX);
    }
}

/// The wall has a nook at F1, and E1 is a liberty: a stone of the attacker's at F1 is cut off from the others. Black takes it, which makes an eye.
#[test]
fn enemies_in_a_nook_of_the_wall_may_be_captured() {
    let shape = BTreeSet::from([(0, 2), (1, 2), (2, 2), (2, 1), (2, 0)]);
    let region = ClosedRegion::from_shape(&shape, Spot::Side, 4).expect("a wall that hangs together");
    let cell = |point: &Point| match point.to_string().as_str() {
        "F3" | "G3" => Cell::Owner,
        "F1" => Cell::Attacker,
        _ => Cell::Empty,
    };
    let cells: Vec<Cell> = region.points().iter().map(cell).collect();
    assert!(cells.contains(&Cell::Attacker), "F1 may be played on");
    let answer = LifeReader::new(1_000_000).read_death(&region.board(&cells), region.stone());
    assert_eq!(answer.map(|answer| answer.outcome), Some(ReadingOutcome::Fails));
    are_read_rightly([region].into_iter(), 400);
}

/// The board of a drawing, turned by half a turn and with its colours exchanged if so wanted, and the owner's stone on C1 there.
fn drawn(rows: &str, turned: bool) -> (Board, Point) {
    let board = rows.parse::<Diagram>().unwrap().to_board().unwrap();
    let size = board.size();
    let stone = size.parse_point("C1").unwrap();
    if !turned {
        return (board, stone);
    }
    let place = |point: Point| Point::new(size.width() - 1 - point.column(), size.height() - 1 - point.row());
    let stones = size.points().filter_map(|point| Some((!board.color(point)?, place(point))));
    (Board::from_stones(size, stones.collect::<Vec<(Color, Point)>>()).unwrap(), place(stone))
}

fn lasting_ko(rows: &str) -> Option<LastingKo> {
    let names = [false, true].map(|turned| {
        let (board, stone) = drawn(rows, turned);
        LifeReader::default().lasting_ko(&board, stone)
    });
    assert_eq!(names[0], names[1], "{rows}");
    names[0]
}

/// White's three stones become four by a move, which Black has to take. Then White takes a ko first, and Black cannot prevent any of it.
#[test]
fn bent_fours_in_the_corner_are_named() {
    let four = "
        O O O O . . .
        X X O O . . .
        . X X O . . .
        O X X O . . .
        O X X O . . .
        O . X O . . .
    ";
    assert_eq!(lasting_ko(four), Some(LastingKo::BentFour));
    // Two stones yet.
    let sooner = four.replace("O . X O . . .", ". . X O . . .");
    assert_eq!(lasting_ko(&sooner), Some(LastingKo::BentFour));
    // A liberty outside, which White fills at leisure.
    let outside = four.replace("X X O O . . .", "X X . O . . .");
    assert_eq!(lasting_ko(&outside), Some(LastingKo::BentFour));
    // Away from the corner four in a row, or bent, are no ko.
    let side = "
        O O O O O O O O .
        O X X X X X X O .
        O X . O O O X O .
        O X . X X X X O .
    ";
    assert_eq!(lasting_ko(side), None);
}

/// White may begin by filling B3, then Black takes first at B1. If Black begins there, White takes first. If White takes and fills, it is a seki.
#[test]
fn thousand_year_kos_are_named() {
    let thousand = "
        O O O O . . .
        X X O O . . .
        . X X O . . .
        O . X O . . .
        O X X O . . .
        X . X O . . .
    ";
    assert_eq!(lasting_ko(thousand), Some(LastingKo::ThousandYear));
    let (board, stone) = drawn(thousand, false);
    let mut reader = LifeReader::default();
    let read = [reader.read_death(&board, stone), reader.read_life(&board, stone)];
    assert_eq!(
        read.map(|answer| answer.unwrap().outcome),
        [ReadingOutcome::KoSecond, ReadingOutcome::KoFirst]
    );
    // A ko that is fought at once has no such name: who takes it wins it by one move more.
    let direct = "
        O O O . . . .
        X X O O . . .
        . X O O . . .
        . X O O . . .
        O X X O . . .
        . O X O . . .
    ";
    assert_eq!(lasting_ko(direct), None);
    let (board, stone) = drawn(direct, false);
    assert_eq!(reader.read_life(&board, stone).unwrap().outcome, ReadingOutcome::KoFirst);
}

/// Empty spaces of ten points with any liberties outside: few moves are enough, either side first.
#[test]
fn ten_points_take_few_moves() {
    let mut reader = LifeReader::new(1_000_000);
    let mut moves = Vec::new();
    for n in 0..60 {
        let region = ClosedRegion::random(10, &mut Seed::new(4).stream("ten", n));
        let board = region.board(&vec![Cell::Empty; region.len()]);
        let live = reader.read_life(&board, region.stone()).expect("ten points are read to the end");
        assert_eq!(live.outcome, ReadingOutcome::Works, "{board}");
        moves.push(live.nodes);
        moves.push(reader.read_death(&board, region.stone()).expect("ten points are read to the end").nodes);
    }
    moves.sort_unstable();
    assert!(moves[60] < 20_000, "{moves:?}");
}

/// How many empty spaces of so many points at a spot, without liberties outside, do not live if the attacker moves first.
fn empty_spaces_that_fall(points: usize, spot: Spot) -> usize {
    let mut reader = LifeReader::new(1_000_000);
    let regions =
        all_shapes(points).into_iter().filter_map(|shape| ClosedRegion::from_shape(&shape, spot, 0));
    let falls = |region: &ClosedRegion| {
        let board = region.board(&vec![Cell::Empty; region.len()]);
        let answer = reader.read_death(&board, region.stone()).expect("it is read to the end");
        answer.outcome != ReadingOutcome::Fails
    };
    regions.filter(falls).count()
}

/// What the readers count as two eyes without reading: seven points, but in the corner nine. There rows of four and three fall, which lie in two
/// ways, and 3x3 points without the innermost.
#[test]
fn empty_spaces_live_from_seven_points_on_but_in_the_corner_from_nine() {
    assert_eq!([7, 8].map(|points| empty_spaces_that_fall(points, Spot::Corner)), [2, 1]);
    assert_eq!([Spot::Side, Spot::Centre].map(|spot| empty_spaces_that_fall(7, spot)), [0, 0]);
    assert_eq!(empty_spaces_that_fall(9, Spot::Corner), 0);
}
