//! Questions of capture out of games: chains whose fate is in doubt, with answers that long search has settled.
//!
//! What is easy, or never in doubt, teaches nothing. So a chain is asked about only if the quick reader and lambda search
//! differ, or if reading takes long. The name begins with the game's, so that questions can be parted by games.

use ishi_go::{Board, Color, Point};
use ishi_patterns::records::RecordedGame;
use ishi_reading::{CaptureSettler, ChainReader, PointSet, QuickReader, ReadingOutcome, SettledCapture};
use ishi_rng::Seed;

use super::{ExpectedAnswer, Problem};

/// Chains with more liberties are not asked about.
const LIBERTIES: usize = 4;
/// From shorter games nothing is drawn, nor before this move.
const EARLIEST: usize = 30;
/// Positions of a game, each at a move of its own.
const POSITIONS: usize = 2;
/// Chains of a position that are asked about at most.
const CHAINS: usize = 3;
/// Reading of so many moves is not soon settled.
const LONG: u32 = 80;
/// Where the quick reader differs from what was settled, it is settled once more by searches so many times as long.
const LONGER: u32 = 6;
/// Seldom asked: one in so many of the chains that both readers let stand after long reading.
const STANDING: usize = 4;

/// A question with its answer, and who moves first.
#[derive(Clone, Debug)]
pub struct CaptureProblem {
    /// The question.
    pub problem: Problem,
    /// Whose move it is.
    pub to_move: Color,
}

/// What was drawn from a game.
#[derive(Clone, Debug, Default)]
pub struct DrawnCaptures {
    /// Questions that are settled.
    pub settled: Vec<CaptureProblem>,
    /// Questions that long search has not settled: they are left out.
    pub unsettled: usize,
}

/// Is the game long enough, and its board one that problems are written for?
pub fn is_long_enough(game: &RecordedGame) -> bool {
    game.moves.len() > EARLIEST && game.size.width() == game.size.height()
}

/// Draws questions from games. Those of a game are the same for the same seed, whatever was drawn before.
#[derive(Debug)]
pub struct CaptureDrawer {
    quick: QuickReader,
    proofs: ChainReader,
    settler: CaptureSettler,
    longer: CaptureSettler,
    seed: Seed,
}

impl CaptureDrawer {
    /// One that settles questions by quick searches of so many moves, and proofs to match.
    pub fn new(most: u32, seed: Seed) -> CaptureDrawer {
        CaptureDrawer {
            quick: QuickReader::default(),
            proofs: ChainReader::default(),
            settler: CaptureSettler::new(most),
            longer: CaptureSettler::new(most.saturating_mul(LONGER)),
            seed,
        }
    }

    /// The questions of a game, the `number`-th of its file.
    pub fn draw(&mut self, game: &RecordedGame, number: u64) -> DrawnCaptures {
        let mut drawn = DrawnCaptures::default();
        if !is_long_enough(game) {
            return drawn;
        }
        let mut rng = self.seed.stream("captures", number);
        let later = game.moves.len() - EARLIEST;
        let mut ends: Vec<usize> = (0..POSITIONS).map(|_| EARLIEST + rng.next_index(later)).collect();
        ends.sort_unstable();
        ends.dedup();
        let (mut replay, mut asked) = (game.start_replay(), PointSet::EMPTY);
        let mut played = 0;
        for end in ends {
            game.moves[played..end].iter().for_each(|&mv| replay.play(mv));
            played = end;
            let mut board = replay.context().board.clone();
            board.set_ko(None);
            let mut stones: Vec<Point> =
                board.chains().filter_map(|chain| board.chain_stones(chain).next()).collect();
            rng.shuffle(&mut stones);
            // A chain is asked about once.
            stones.retain(|&stone| !asked.contains(stone));
            let doubtful = stones.into_iter().filter(|&stone| self.is_doubtful(&board, stone, &mut rng));
            let chosen: Vec<Point> = doubtful.take(CHAINS).collect();
            for stone in chosen {
                asked.insert(stone);
                let name = format!("{}:{end}:{stone}", game.id);
                self.settle_questions(&board, stone, &name, &mut drawn);
            }
        }
        drawn
    }

    /// Do the readers differ about the chain, or does it take them long?
    fn is_doubtful(&mut self, board: &Board, stone: Point, rng: &mut ishi_rng::Rng) -> bool {
        let few = board.chain(stone).is_some_and(|chain| board.chain_liberties(chain).len() <= LIBERTIES);
        if !few {
            return false;
        }
        let [quick, proved] = [self.quick.attack(board, stone), self.proofs.attack(board, stone)];
        if quick.outcome != proved.outcome {
            return true;
        }
        if quick.outcome == ReadingOutcome::Fails {
            return quick.nodes >= LONG && rng.next_index(STANDING) == 0;
        }
        let [defence, other] = [self.quick.defend(board, stone), self.proofs.defend(board, stone)];
        defence.outcome != other.outcome || quick.nodes + defence.nodes >= LONG
    }

    fn settle_questions(&mut self, board: &Board, stone: Point, name: &str, drawn: &mut DrawnCaptures) {
        let Some(owner) = board.color(stone) else { return };
        let Some(attack) = self.settle(board, stone, true) else {
            drawn.unsettled += 1;
            return;
        };
        drawn.settled.extend(problem_of(board, stone, name, "attack", !owner, &attack));
        if attack.outcome == ReadingOutcome::Fails {
            return;
        }
        match self.settle(board, stone, false) {
            Some(defence) => {
                drawn.settled.extend(problem_of(board, stone, name, "defend", owner, &defence));
            }
            None => drawn.unsettled += 1,
        }
    }

    /// What long search settles; of what the quick reader answers otherwise, longer search.
    fn settle(&mut self, board: &Board, stone: Point, attacking: bool) -> Option<SettledCapture> {
        let quick = if attacking { self.quick.attack(board, stone) } else { self.quick.defend(board, stone) };
        let settled = settle_by(&mut self.settler, board, stone, attacking);
        match settled {
            Some(settled) if settled.outcome == quick.outcome => Some(settled),
            _ => settle_by(&mut self.longer, board, stone, attacking),
        }
    }
}

fn settle_by(
    settler: &mut CaptureSettler,
    board: &Board,
    stone: Point,
    attacking: bool,
) -> Option<SettledCapture> {
    if attacking { settler.settle_attack(board, stone) } else { settler.settle_defence(board, stone) }
}

/// The question as a problem.
fn problem_of(
    board: &Board,
    stone: Point,
    name: &str,
    query: &str,
    to_move: Color,
    settled: &SettledCapture,
) -> Option<CaptureProblem> {
    let of = |color: Color| board.size().points().filter(|&p| board.color(p) == Some(color)).collect();
    let problem = Problem {
        name: format!("{name}:{query}"),
        group: query.to_string(),
        query: query.to_string(),
        args: stone.to_string(),
        size: board.size(),
        black: of(Color::Black),
        white: of(Color::White),
        komi: None,
        expected: expected_answer(settled)?,
    };
    Some(CaptureProblem { problem, to_move })
}

/// The code, and where it does not fail any of the moves.
fn expected_answer(settled: &SettledCapture) -> Option<ExpectedAnswer> {
    let code = match settled.outcome {
        ReadingOutcome::Fails => return "[0]".parse().ok(),
        ReadingOutcome::Works => 1,
        ReadingOutcome::KoFirst => 2,
        ReadingOutcome::KoSecond => 3,
    };
    let moves: Vec<String> = settled.moves.iter().map(Point::to_string).collect();
    format!("[{code} ({})]", moves.join("|")).parse().ok()
}

#[cfg(test)]
mod tests {
    use ishi_go::BoardSize;

    use super::*;
    use crate::problems::text::{format_problem, parse_problems};

    /// A game of chance on 11x11 that fills no eyes.
    fn game_of_chance(number: u64) -> RecordedGame {
        let size = BoardSize::square(11).unwrap();
        let (mut board, mut color, mut moves) = (Board::new(size), Color::Black, Vec::new());
        let mut rng = Seed::new(5).stream("game", number);
        for _ in 0..90 {
            let points: Vec<Point> = board.empty_points().filter(|&p| board.is_sensible(color, p)).collect();
            let mv = rng.choose(&points).copied().map_or(ishi_go::Move::Pass, ishi_go::Move::Play);
            board.play_unchecked(color, mv);
            moves.push(mv);
            color = !color;
        }
        RecordedGame {
            id: format!("chance{number}"),
            line: 1,
            size,
            komi: None,
            setup: Vec::new(),
            first: Color::Black,
            moves,
            winner: None,
            year: None,
        }
    }

    /// What is drawn reads back as it was written, names its game, and follows from game and seed alone.
    #[test]
    fn questions_are_written_and_drawn_again() {
        let games: Vec<RecordedGame> = (0..6).map(game_of_chance).collect();
        let lines = |drawn: &DrawnCaptures| -> Vec<String> {
            drawn.settled.iter().map(|of| format_problem(&of.problem, of.to_move)).collect()
        };
        let mut drawer = CaptureDrawer::new(500, Seed::new(1));
        let all: Vec<Vec<String>> = (0..6).map(|n| lines(&drawer.draw(&games[n as usize], n))).collect();
        assert!(all.iter().flatten().count() >= 4, "{all:?}");
        for line in all.iter().flatten() {
            let read = parse_problems(line).unwrap().remove(0);
            assert!(read.name.starts_with("chance") && ["attack", "defend"].contains(&read.query.as_str()));
            let code = read.expected.result_codes()[0];
            assert_eq!(code == '0', !line.contains('('), "a move where something works: {line}");
        }
        let again = CaptureDrawer::new(500, Seed::new(1)).draw(&games[4], 4);
        assert_eq!(lines(&again), all[4], "what was drawn before changes nothing");
    }

    #[test]
    fn short_games_give_nothing() {
        let mut game = game_of_chance(0);
        game.moves.truncate(EARLIEST);
        assert!(!is_long_enough(&game));
        assert!(CaptureDrawer::new(500, Seed::new(1)).draw(&game, 0).settled.is_empty());
    }
}
