//! Captures on diagrams; what was read held against every reply; the board held against one that is made anew.

use ishi_go::{Board, BoardSize, Cell, Color, Diagram, Move, Point};
use ishi_reading::{ChainReader, ChainStatus, Ladder, PointSet, ReadingBoard, ReadingEffort, ReadingOutcome};
use ishi_rng::Seed;

/// The board of a diagram; the stone at the mark of a vertex.
fn read(text: &str, prey: &str) -> (Board, Point, Diagram) {
    let diagram: Diagram = text.parse().unwrap();
    let board = diagram.to_board().unwrap();
    let prey = board.size().parse_point(prey).unwrap();
    (board, prey, diagram)
}

use crate::diagrams;

/// The outcome if the opponent moves first, and if the owner does; the moves are the marks `a` and `d`, where there are any.
fn judged(text: &'static str, prey: &'static str, attack: ReadingOutcome, defence: ReadingOutcome) {
    let mut reader = ChainReader::default();
    diagrams::judged((text, prey, attack, defence), |board, prey| {
        [reader.attack(board, prey), reader.defend(board, prey)]
    });
}

#[test]
fn what_every_reader_reads() {
    for (text, prey, attack, defence) in diagrams::COMMON {
        judged(text, prey, attack, defence);
    }
}

#[test]
fn nets_hold_what_ladders_do_not() {
    // The stone at F6 breaks the ladder.
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . O . . . . . .
        . . O X . . . . .
        . . . O O . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";
    judged(text, "D4", ReadingOutcome::Works, ReadingOutcome::Works);
    let (board, prey, _) = read(text, "D4");
    assert_eq!(Ladder::default().find_attack(&board, board.chain(prey).unwrap()), None);
}

#[test]
fn statuses_and_sequences() {
    let (board, prey, diagram) = read(
        "
        . . . . . .
        . O O . . .
        O X X a . .
        . O O . . .
        . . . . . .
    ",
        "C3",
    );
    let mut reader = ChainReader::default();
    let ChainStatus::InDanger { attack, defence } = reader.chain_status(&board, prey) else {
        panic!("in atari")
    };
    assert_eq!(attack.mv, diagram.marks.get(&'a').copied());
    assert_eq!(defence.mv, attack.mv);
    assert_eq!(reader.read_sequence(&board, prey, true), [(Color::White, diagram.marks[&'a'])]);

    let empty = Board::new(BoardSize::square(9).unwrap());
    assert_eq!(reader.attack(&empty, Point::new(4, 4)).outcome, ReadingOutcome::Fails, "there is no stone");
    let mut lone = empty.clone();
    lone.play_unchecked(Color::Black, Move::Play(Point::new(4, 4)));
    assert_eq!(reader.chain_status(&lone, Point::new(4, 4)), ChainStatus::Safe);
    assert!(reader.read_sequence(&lone, Point::new(4, 4), true).is_empty());
}

/// The zone of a proof leaves nothing out: after the attacking move every reply anywhere leaves the chain captured.
#[test]
fn no_reply_refutes_what_was_proved() {
    let mut reader = ChainReader::default();
    let mut careful = ChainReader::new(ReadingEffort { nodes: [40_000; 3] });
    let (mut proofs, mut refuted) = (0, Vec::new());
    for board in diagrams::positions(Seed::new(7).stream("captures", 0), 60, 34) {
        for chain in board.chains().collect::<Vec<_>>() {
            let (prey, owner) = (chain.head(), board.color(chain.head()).unwrap());
            let answer = reader.attack(&board, prey);
            if answer.outcome != ReadingOutcome::Works {
                continue;
            }
            let mut after = board.clone();
            after.play_unchecked(!owner, Move::Play(answer.mv.expect("a proof has a move")));
            if after.color(prey) != Some(owner) {
                continue;
            }
            proofs += 1;
            for reply in after.empty_points().collect::<Vec<_>>() {
                if !after.is_legal(owner, reply) {
                    continue;
                }
                let mut next = after.clone();
                next.play_unchecked(owner, Move::Play(reply));
                if careful.attack(&next, prey).outcome != ReadingOutcome::Works {
                    refuted.push(format!("{prey} after {:?} and {reply} in\n{board}", answer.mv));
                    break;
                }
            }
        }
    }
    assert!(proofs > 100, "only {proofs} proofs");
    assert!(
        refuted.len() * 100 <= proofs,
        "{} of {proofs} proofs are refuted: {}",
        refuted.len(),
        refuted.join("\n")
    );
}

/// Does the reader itself capture the chain after the move by which it is to be saved? None: it says of no such move.
fn contradicts_itself(reader: &mut ChainReader, board: &Board, prey: Point) -> Option<bool> {
    let answer = reader.defend(board, prey);
    let mv = answer.mv.filter(|_| answer.outcome == ReadingOutcome::Works)?;
    let mut after = board.clone();
    after.play_unchecked(board.color(prey)?, Move::Play(mv));
    Some(reader.attack(&after, prey).outcome != ReadingOutcome::Fails)
}

/// A move that puts the capture off until the search is over saves nothing.
#[test]
fn saving_moves_hold_against_the_same_reader() {
    let (mut net, prey, _) = read(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . O . . . . . .
        . . O X . . . . .
        . . . O O . . . .
        . . . . . . . . .
        . . . . . . . . .
    ",
        "D4",
    );
    net.play_unchecked(Color::White, Move::Play(Point::new(8, 8)));
    assert_eq!(contradicts_itself(&mut ChainReader::default(), &net, prey), Some(false));
    let mut readers = [ChainReader::default(), ChainReader::default().without_checks()];
    let (mut saves, mut contradictions) = ([0; 2], [0; 2]);
    for board in diagrams::positions(Seed::new(11).stream("saves", 0), 30, 34) {
        for chain in board.chains() {
            for (n, reader) in readers.iter_mut().enumerate() {
                let contradiction = contradicts_itself(reader, &board, chain.head());
                saves[n] += u32::from(contradiction.is_some());
                contradictions[n] += u32::from(contradiction == Some(true));
            }
        }
    }
    assert!(saves[0] > 100, "{saves:?}");
    assert!(contradictions[0] * 50 <= saves[0], "{contradictions:?} of {saves:?}");
    assert!(contradictions[0] * 5 < contradictions[1], "{contradictions:?}: checks find most of them");
}

/// All that a reading board says is what a board says that was set up anew.
fn same(reading: &ReadingBoard, board: &Board) {
    assert_eq!(reading.hash(), board.hash());
    assert_eq!(reading.ko(), board.ko_point());
    assert_eq!(*reading.empty_points(), board.empty_points().collect::<PointSet>());
    for point in board.size().points() {
        assert_eq!(reading.cell(point), board.cell(point), "{point}");
    }
    for chain in board.chains() {
        let stone = chain.head();
        let liberties: PointSet = board.chain_liberties(chain).into_iter().collect();
        assert_eq!(*reading.liberties(stone), liberties, "{stone}");
        assert_eq!(reading.liberty_count(stone), liberties.len());
        assert_eq!(reading.stone_count(stone), board.chain_length(chain));
        let stones: PointSet = reading.stones(stone).collect();
        assert_eq!(stones, board.chain_stones(chain).collect::<PointSet>());
        assert!(stones.iter().all(|p| reading.head(p) == reading.head(stone)));
    }
}

#[test]
fn moves_and_taking_them_back_leave_the_board_as_it_was() {
    let mut rng = Seed::new(3).stream("undo", 0);
    for size in [5, 9, 25] {
        let mut boards = vec![Board::new(BoardSize::square(size).unwrap())];
        let mut reading = ReadingBoard::new(&boards[0]);
        for _ in 0..600 {
            let board = boards.last().unwrap();
            if boards.len() > 1 && rng.next_below(3) == 0 {
                boards.pop();
                reading.undo();
                same(&reading, boards.last().unwrap());
                continue;
            }
            let color = if rng.next_below(2) == 0 { Color::Black } else { Color::White };
            let legal: Vec<Point> = board.empty_points().filter(|&p| reading.is_legal(color, p)).collect();
            let mut next = board.clone();
            if legal.is_empty() || rng.next_below(20) == 0 {
                next.play_unchecked(color, Move::Pass);
                reading.pass();
            } else {
                let point = legal[rng.next_below(legal.len() as u32) as usize];
                next.play_unchecked(color, Move::Play(point));
                reading.play(color, point);
            }
            same(&reading, &next);
            boards.push(next);
        }
    }
}

#[test]
fn the_ko_ban_binds_who_would_retake() {
    let (mut board, _, _) = read(
        "
        . . . . . .
        . . O X . .
        . O X . X .
        . . O X . .
        . . . . . .
    ",
        "C3",
    );
    let point = |name: &str| board.size().parse_point(name).unwrap();
    let (taken, from) = (point("C3"), point("D3"));
    board.play_unchecked(Color::White, Move::Play(from));
    let reading = ReadingBoard::new(&board);
    assert_eq!(reading.ko(), Some(taken));
    assert!(!reading.is_legal(Color::Black, taken));
    assert!(reading.is_legal(Color::White, taken));
    assert_eq!(reading.cell(taken), Cell::Empty);
}

#[test]
fn sets_of_points() {
    let set: PointSet = [Point::new(0, 0), Point::new(24, 24), Point::new(3, 9)].into_iter().collect();
    assert_eq!(set.len(), 3);
    assert_eq!(set.first(), Some(Point::new(0, 0)));
    assert!(set.contains(Point::new(24, 24)) && !set.contains(Point::new(24, 23)));
    assert_eq!(set.difference(&PointSet::from_point(Point::new(0, 0))).len(), 2);
    assert_eq!(
        set.intersection(&PointSet::from_point(Point::new(3, 9))),
        PointSet::from_point(Point::new(3, 9))
    );
    let grown = set.with_neighbours();
    for point in set.iter() {
        assert!(point.neighbours().into_iter().all(|n| grown.contains(n)), "{point}");
    }
    assert_eq!(grown.len(), 15);
    assert!(PointSet::EMPTY.is_empty() && !set.is_empty());
}
