//! The tracked counts of `perft` (tests/data/perft-go.txt), and the oracle's counts for the smaller ones.

use crate::reference;

use ishi_go::perft::{self, PerftCounts};
use ishi_go::{BoardSize, Color, Diagram, Position, Rules};
use reference::{Oracle, Refusal};

const TABLE: &str = include_str!("data/perft-go.txt");

/// Sequences up to which the oracle counts along.
const ORACLE_LIMIT: u64 = 30_000;

/// One line of the table.
struct Row<'a> {
    start: Position,
    depth: usize,
    counts: &'a str,
}

/// Reads `WIDTHxHEIGHT RULES DEPTH counts...`, or a diagram's rows joined by `/` in place of the size.
fn row(line: &str) -> Row<'_> {
    let mut words = line.splitn(4, ' ');
    let (board, rules, depth) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
    let rules: Rules = rules.parse().unwrap();
    let start = match board.split_once('x') {
        Some((width, height)) => {
            Position::new(BoardSize::new(width.parse().unwrap(), height.parse().unwrap()).unwrap(), rules)
        }
        None => {
            let diagram: Diagram = board.replace('/', "\n").parse().unwrap();
            diagram.to_position(rules, Color::Black).unwrap()
        }
    };
    Row { start, depth: depth.parse().unwrap(), counts: words.next().unwrap() }
}

fn rows() -> impl Iterator<Item = Row<'static>> {
    TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row)
}

#[test]
fn the_tracked_counts_hold() {
    let mut wrong = String::new();
    for Row { start, depth, counts } in rows() {
        let now = perft::count_move_sequences(&start, depth)[depth - 1].to_string();
        if now != counts {
            wrong += &format!("depth {depth} from\n{start}expected {counts}\ncounted  {now}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_oracle_counts_the_same() {
    let mut compared = 0;
    for Row { start, depth, counts } in rows() {
        let sequences: u64 = counts.split(' ').next().unwrap().parse().unwrap();
        if sequences <= ORACLE_LIMIT {
            let mut now = PerftCounts::default();
            let game = Game { white_passes_last: start.rules().white_passes_last };
            game.descend(&oracle_of(&start), Color::Black, (depth, 0), &mut now);
            assert_eq!(now.to_string(), counts, "depth {depth} from\n{start}");
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} lines were within reach of the oracle");
}

fn oracle_of(start: &Position) -> Oracle {
    let (size, rules) = (start.size(), start.rules());
    let mut oracle = Oracle::new(size.width(), size.height(), rules.ko, rules.suicide);
    oracle.set_up(start.setup_stones().iter().map(|&(color, point)| (color, (point.column(), point.row()))));
    oracle
}

/// How the oracle's games end: with two passes, under AGA rules with White's.
struct Game {
    white_passes_last: bool,
}

impl Game {
    /// Counts what happens after `depth` moves; `passes` have just been made.
    fn descend(
        &self,
        oracle: &Oracle,
        color: Color,
        (depth, passes): (usize, usize),
        counts: &mut PerftCounts,
    ) {
        let mut passed = oracle.clone();
        passed.pass(color);
        let over = passes >= 1 && (color == Color::White || !self.white_passes_last);
        if depth == 1 {
            counts.sequences += 1;
            counts.passes += 1;
            counts.ends += u64::from(over);
        } else if !over {
            self.descend(&passed, !color, (depth - 1, passes + 1), counts);
        }
        for spot in oracle.spots() {
            match oracle.check(color, spot) {
                Ok(()) => {
                    let mut next = oracle.clone();
                    let removed = next.play(color, spot).len() as u64;
                    if depth == 1 {
                        note(counts, removed, next.at(spot).is_none());
                    } else {
                        self.descend(&next, !color, (depth - 1, 0), counts);
                    }
                }
                Err(Refusal::Occupied) => {}
                Err(_) if depth > 1 => {}
                Err(Refusal::Suicide) => counts.refused_suicide += 1,
                Err(Refusal::Ko) => counts.refused_ko += 1,
                Err(Refusal::Superko(_)) => counts.refused_superko += 1,
            }
        }
    }
}

fn note(counts: &mut PerftCounts, removed: u64, suicide: bool) {
    counts.sequences += 1;
    if suicide {
        counts.suicides += 1;
    } else {
        counts.captures += u64::from(removed > 0);
        counts.captured += removed;
    }
}
