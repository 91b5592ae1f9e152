//! The components: small fixed work loads whose results are hashed.

use std::ops::ControlFlow;
use std::sync::Arc;

use ishi_deck::generate::{Case, Leading, World, WorldOptions};
use ishi_deck::{Problem, Progress, search};
use ishi_engine::{Control, Engine, Limits, Report};
use ishi_go::{Board, BoardSize, Color, Move, Point, Position, Rules, playout, score};
use ishi_go_play::go_mcts::{MctsPlayer, PlayoutParams, Playouts};
use ishi_go_play::{catalog, judge};
use ishi_grid::domination::{self, Options, Shape};
use ishi_knowledge::{Keeper, Tactical};
use ishi_lab::kinds::ground::reference;
use ishi_mcts::toy::Synthetic;
use ishi_mcts::{Budget, Params, Tree};
use ishi_othello::oneply::{Rules as LeagueRules, play_games_with};
use ishi_othello::{Isa, Wpc, perft};
use ishi_othello_play::search::{Confidence, Effort, Found, SearchParams, Searcher, Task};
use ishi_patterns::joseki::book::Joseki;
use ishi_patterns::joseki::packed;
use ishi_patterns::library::{Index, Matcher, NoFates};
use ishi_patterns::{Context, NetMemory, Network, Predictor, Scratch};
use ishi_reading::{Reader, Status};
use ishi_rng::{Rng, Seed};

/// What a component did: a count of work and a hash of its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) count: u64,
    pub(super) hash: u64,
}

/// A fixed work load.
pub(super) struct Component {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// What `amount` counts.
    pub(super) unit: &'static str,
    pub(super) amount: u64,
    pub(super) run: fn() -> Signature,
    /// Another program's way of doing the same, for the ratio.
    pub(super) peer: Option<Peer>,
}

/// A reference that does the same work.
pub(super) struct Peer {
    pub(super) name: &'static str,
    pub(super) amount: u64,
    pub(super) run: fn(),
}

pub(super) const COMPONENTS: &[Component] = &[
    Component {
        name: "rng",
        about: "random numbers below 361",
        unit: "numbers",
        amount: 10_000_000,
        run: rng,
        peer: None,
    },
    Component {
        name: "go-playout-9x9",
        about: "uniformly random playouts from the empty board",
        unit: "playouts",
        amount: 20_000,
        run: || playouts(9, 20_000),
        peer: Some(Peer { name: "goban 0.20", amount: 500, run: || goban(9, 500) }),
    },
    Component {
        name: "go-playout-19x19",
        about: "uniformly random playouts from the empty board",
        unit: "playouts",
        amount: 4_000,
        run: || playouts(19, 4_000),
        peer: Some(Peer { name: "goban 0.20", amount: 30, run: || goban(19, 30) }),
    },
    Component {
        name: "go-position",
        about: "random 9x9 games with positional superko, half of the moves taken back",
        unit: "games",
        amount: 200,
        run: positions,
        peer: None,
    },
    Component {
        name: "go-score",
        about: "area and territory of the ends of random games",
        unit: "boards",
        amount: 2_000,
        run: scores,
        peer: None,
    },
    Component {
        name: "go-patterns",
        about: "strengths of all moves of random 19x19 positions, by the shipped table",
        unit: "positions",
        amount: 2_000,
        run: rated,
        peer: None,
    },
    Component {
        name: "go-network",
        about: "the moves of random 19x19 positions rated by the network, strengths and ladders included",
        unit: "positions",
        amount: 2_000,
        run: rated_by_network,
        peer: Some(Peer {
            name: "strengths alone",
            amount: 2_000,
            run: || {
                rated();
            },
        }),
    },
    Component {
        name: "go-reading",
        about: "can it be captured? of all chains in random 19x19 positions",
        unit: "chains",
        amount: READ_CHAINS,
        run: read_captures,
        peer: None,
    },
    Component {
        name: "go-joseki",
        about: "the shipped joseki, unpacked and packed again",
        unit: "moves",
        amount: 29_732,
        run: joseki,
        peer: None,
    },
    Component {
        name: "go-shapes",
        about: "the shipped patterns kept up to date in random 19x19 games",
        unit: "moves",
        amount: SHAPE_MOVES,
        run: || shapes(true),
        peer: Some(Peer {
            name: "from scratch after every move",
            amount: SHAPE_MOVES,
            run: || {
                shapes(false);
            },
        }),
    },
    Component {
        name: "engine-go-capture",
        about: "games of go-capture against itself, 9x9",
        unit: "games",
        amount: 10,
        run: || engine("go-capture", 10, 200),
        peer: None,
    },
    Component {
        name: "engine-go-flat",
        about: "the first moves of go-flat:playouts=1000, 9x9",
        unit: "moves",
        amount: 10,
        run: || engine("go-flat:playouts=1000", 1, 10),
        peer: None,
    },
    Component {
        name: "othello-perft",
        about: "sequences of nine plies from the start, without a table",
        unit: "leaves",
        amount: perft::PUBLISHED[9],
        run: || leaves(Isa::best()),
        peer: Some(Peer {
            name: "the portable path",
            amount: perft::PUBLISHED[9],
            run: || {
                leaves(Isa::Portable);
            },
        }),
    },
    Component {
        name: "othello-solve",
        about: "exact scores of positions with 16 empty squares from random games",
        unit: "positions",
        amount: 20,
        run: solved,
        peer: None,
    },
    Component {
        name: "othello-oneply",
        about: "games of two piece counters that look one move ahead, by the league's rules",
        unit: "games",
        amount: 100_000,
        run: || oneply(Isa::best(), 100_000),
        peer: Some(Peer {
            name: "the portable path",
            amount: 10_000,
            run: || {
                oneply(Isa::Portable, 10_000);
            },
        }),
    },
    Component {
        name: "strings-solve",
        about: "the most strings on 16x16 to 24x24, proved",
        unit: "boards",
        amount: 9,
        run: strings_solved,
        peer: None,
    },
    Component {
        name: "strings-count",
        about: "optimal boards of 17x17, counted",
        unit: "boards",
        amount: 1,
        run: strings_counted,
        peer: None,
    },
    Component {
        name: "deck-search",
        about: "decks of a generated world of 500 pieces by tabu search, 2000 steps each",
        unit: "decks",
        amount: 6,
        run: || decks_found(search::tabu, 2_000),
        peer: Some(Peer {
            name: "the article's search",
            amount: 6,
            run: || {
                decks_found(article_search, 2_000);
            },
        }),
    },
    Component {
        name: "mcts-tree",
        about: "the tree alone: RAVE and widening among 361 moves, playouts of 400 moves that cost nothing",
        unit: "playouts",
        amount: 200_000,
        run: || searched(200_000),
        peer: None,
    },
    Component {
        name: "go-mcts-playout-19x19",
        about: "playouts that answer: captures, ladders, shapes, eye spaces",
        unit: "playouts",
        amount: 3_000,
        run: || answering_playouts(19, 3_000),
        peer: Some(Peer {
            name: "uniformly random playouts",
            amount: 3_000,
            run: || {
                playouts(19, 3_000);
            },
        }),
    },
    Component {
        name: "go-mcts-19x19",
        about: "a search of the player go-mcts:preset=strong from the empty board: tree, priors and playouts",
        unit: "playouts",
        amount: 2_000,
        run: || player_searched(19, 2_000),
        peer: None,
    },
    Component {
        name: "go-mcts-9x9",
        about: "the same on 9x9",
        unit: "playouts",
        amount: 5_000,
        run: || player_searched(9, 5_000),
        peer: None,
    },
    Component {
        name: "go-levels-kept",
        about: "chains, readings, links and eyes after each of 70 moves of a middle game on 19x19, kept from move to move",
        unit: "positions",
        amount: 70,
        run: levels_kept,
        peer: Some(Peer { name: "from scratch", amount: 70, run: levels_from_scratch }),
    },
    Component {
        name: "judge",
        about: "dead stones in random 9x9 positions",
        unit: "positions",
        amount: 10,
        run: judged,
        peer: None,
    },
];

/// FNV-1a over 64-bit words.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// The count is that of moves, the hash that of scores.
fn answering_playouts(side: usize, playouts: u64) -> Signature {
    let empty = Board::new(square(side));
    let mut board = empty.clone();
    let mut player = Playouts::new(&PlayoutParams::default(), Seed::new(1));
    let (mut count, mut hash) = (0, Hash::new());
    for _ in 0..playouts {
        board.copy_from(&empty);
        let (score, moves) = player.run(&mut board, Color::Black);
        count += u64::from(moves);
        hash.add(score as u64);
    }
    Signature { count, hash: hash.0 }
}

/// The count is that of candidates, the hash that of their visits.
fn player_searched(side: usize, playouts: u64) -> Signature {
    let position = Position::new(square(side), Rules::CHINESE);
    let mut player = MctsPlayer::new("preset=strong,settle=no".parse().expect("a parameter"), Seed::new(1));
    let mut nobody = |_: &Report| {};
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    let choice = player.choose(&position, Color::Black, &mut Control::quiet(limits, &mut nobody));
    let mut hash = Hash::new();
    choice.report.moves.iter().for_each(|one| hash.add(one.visits));
    Signature { count: choice.report.moves.len() as u64, hash: hash.0 }
}

/// The count is that of the states.
fn strings_solved() -> Signature {
    let (mut count, mut hash) = (0, Hash::new());
    for size in 16..=24 {
        let solution =
            domination::solve(
                &Shape::new(size, size),
                Options::default(),
                &mut |_| ControlFlow::Continue(()),
            );
        count += solution.states;
        hash.add(solution.bound as u64);
    }
    Signature { count, hash: hash.0 }
}

/// The count is that of the states.
fn strings_counted() -> Signature {
    let shape = Shape::new(17, 17);
    let counts = domination::count(&shape, 68, 1, Options::default(), &mut |_| ControlFlow::Continue(()));
    let mut hash = Hash::new();
    let Ok(counts) = counts else { return Signature { count: 0, hash: 0 } };
    for byte in counts.boards[0].to_string().bytes() {
        hash.add(u64::from(byte));
    }
    Signature { count: counts.states, hash: hash.0 }
}

type DeckSearch =
    fn(&Problem, &search::Options, &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>) -> Option<search::Found>;

/// The article's search in its usual form.
fn article_search(
    problem: &Problem,
    options: &search::Options,
    observer: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Option<search::Found> {
    search::variable_depth(problem, options, &search::VariableDepth::default(), observer)
}

/// The count is that of the steps; leaders of every kind, with fixed pieces and without.
fn decks_found(by: DeckSearch, steps: u64) -> Signature {
    let (mut count, mut hash) = (0, Hash::new());
    let seed = Seed::new(1).child("deck-search", 0);
    let world = World::new(seed, WorldOptions::of(500));
    let pool = Arc::new(world.pool());
    for (index, leading) in [Leading::Nobody, Leading::Given, Leading::Free].into_iter().enumerate() {
        for fixed in [0, 3] {
            let request = world.request(seed, index as u64, Case { leading, fixed, owned: None });
            let Ok(problem) = Problem::new(Arc::clone(&pool), &request) else { continue };
            let options = search::Options { steps, starts: 10, ..search::Options::new(seed) };
            let Some(found) = by(&problem, &options, &mut |_| ControlFlow::Continue(())) else { continue };
            count += found.moves;
            hash.add(found.value as u64);
            for slot in found.deck.slots {
                hash.add(u64::from(slot.0));
            }
        }
    }
    Signature { count, hash: hash.0 }
}

fn leaves(isa: Isa) -> Signature {
    let count = perft::perft_with(ishi_othello::Board::START, 9, isa);
    Signature { count, hash: count }
}

/// The count is that of the positions visited.
fn solved() -> Signature {
    let effort = Effort { depth: 60, exact: 60, win_loss: 60, confidence: Confidence::Full };
    let mut searcher = Searcher::new(SearchParams { hash_bits: 16, threads: 1 });
    let (mut rng, mut count, mut hash) = (stream("bench"), 0, Hash::new());
    for _ in 0..20 {
        searcher.forget();
        let board = random_othello(16, &mut rng);
        let mut nobody = |_: &Found| {};
        let found = searcher.search(board, &mut Task::new(effort, &mut nobody));
        count += found.nodes;
        hash.add(found.score as u64);
    }
    Signature { count, hash: hash.0 }
}

/// A position of a random game with so many empty squares, or the end of one.
fn random_othello(empties: u32, rng: &mut Rng) -> ishi_othello::Board {
    let mut board = ishi_othello::Board::START;
    while board.empties() > empties && !board.is_over() {
        let moves: Vec<_> = ishi_othello::squares(board.moves()).collect();
        board = rng.choose(&moves).map_or(board.pass(), |&square| board.play_unchecked(square));
    }
    board
}

fn stream(name: &str) -> Rng {
    Seed::new(1).stream(name, 0)
}

fn square(side: usize) -> BoardSize {
    BoardSize::square(side).expect("a board has 2 to 25 lines")
}

fn rng() -> Signature {
    let mut rng = stream("bench");
    let sum = (0..10_000_000).map(|_| u64::from(rng.below(361))).sum();
    Signature { count: 10_000_000, hash: sum }
}

fn playouts(side: usize, number: u32) -> Signature {
    let empty = Board::new(square(side));
    let limit = playout::default_limit(&empty);
    let mut board = empty.clone();
    let mut rng = stream("bench");
    let (mut moves, mut hash) = (0, Hash::new());
    for _ in 0..number {
        board.copy_from(&empty);
        let end = playout::uniform(&mut board, Color::Black, limit, &mut rng);
        moves += u64::from(end.moves);
        hash.add(board.hash() ^ end.score as u64);
    }
    Signature { count: moves, hash: hash.0 }
}

/// The same playouts with the crate `goban`.
fn goban(side: u8, number: u32) {
    let mut rng = stream("bench");
    for _ in 0..number {
        std::hint::black_box(reference::playout(side, 3 * u32::from(side).pow(2), &mut rng));
    }
}

/// A random legal move that is no own eye.
fn random_move(position: &Position, color: Color, rng: &mut Rng) -> Move {
    let board = position.board();
    let playable = |&point: &ishi_go::Point| {
        !board.is_eyelike(color, point) && position.is_legal(color, Move::Play(point))
    };
    let mut points: Vec<_> = board.empties().filter(playable).collect();
    points.sort_unstable();
    rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point))
}

fn positions() -> Signature {
    let mut rng = stream("bench");
    let (mut moves, mut hash) = (0, Hash::new());
    for _ in 0..200 {
        let mut position = Position::new(square(9), Rules::TROMP_TAYLOR);
        while !position.is_over() && position.moves().len() < 250 {
            let color = position.to_move();
            let mv = random_move(&position, color, &mut rng);
            if position.play(color, mv).is_err() {
                break;
            }
            moves += 1;
            hash.add(position.situation_hash());
        }
        for _ in 0..position.moves().len() / 2 {
            position.undo();
            hash.add(position.situation_hash());
        }
    }
    Signature { count: moves, hash: hash.0 }
}

fn scores() -> Signature {
    let mut rng = stream("bench");
    let (mut count, mut hash) = (0, Hash::new());
    let empty = Board::new(square(9));
    for number in 0..2_000 {
        let mut board = empty.clone();
        playout::uniform(&mut board, Color::Black, number % 200, &mut rng);
        let stones: Vec<_> = board.size().points().filter_map(|p| board.color(p).map(|c| (c, p))).collect();
        let position = Position::from_setup(board.size(), Rules::JAPANESE, stones, Color::Black)
            .expect("the end of a playout can be set up");
        let territory = score::territory(&position, &[]).expect("no dead stones are named").margin();
        hash.add(score::area(&board).margin() as u64);
        hash.add(territory as u64);
        count += 1;
    }
    Signature { count, hash: hash.0 }
}

/// The five strongest moves of each position are hashed: their order does not depend on how a logarithm is rounded.
fn rated() -> Signature {
    let (mut scratch, mut hash) = (Scratch::new(), Hash::new());
    seen_at_random(|context, strengths| {
        Predictor::shipped().rate(context, &mut scratch, strengths);
        strengths.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        strengths.iter().take(5).for_each(|(point, _)| hash.add(point.index() as u64));
    });
    Signature { count: 2_000, hash: hash.0 }
}

/// Sums are rounded as the processor's instructions have it, so the hash is of the moves that are rated, not of how.
fn rated_by_network() -> Signature {
    let (mut memory, mut hash) = (NetMemory::default(), Hash::new());
    let network = Network::shipped().expect("a test reads the file");
    seen_at_random(|context, strengths| {
        network.rate(context, Predictor::shipped(), &mut memory, strengths);
        strengths.iter().for_each(|(point, _)| hash.add(point.index() as u64));
    });
    Signature { count: 2_000, hash: hash.0 }
}

/// Shows the positions of ten games of 200 random moves.
fn seen_at_random(mut see: impl FnMut(&Context, &mut Vec<(Point, f32)>)) {
    let (mut rng, mut strengths) = (stream("bench"), Vec::new());
    for _ in 0..10 {
        let mut position = Position::new(square(19), Rules::CHINESE);
        for _ in 0..200 {
            let color = position.to_move();
            let back = |n: usize| {
                let moves = position.moves();
                moves.len().checked_sub(n).and_then(|at| moves[at].1.point())
            };
            see(
                &Context { board: position.board(), to_move: color, last: back(1), before: back(2) },
                &mut strengths,
            );
            let mv = random_move(&position, color, &mut rng);
            if position.play(color, mv).is_err() {
                break;
            }
        }
    }
}

/// Chains of the positions of [`read_captures`].
const READ_CHAINS: u64 = 3_000;

/// The count is that of moves read, the hash that of answers.
fn read_captures() -> Signature {
    let (mut rng, mut hash) = (stream("bench"), Hash::new());
    let mut reader = Reader::default();
    let (mut count, mut chains) = (0, 0);
    while chains < READ_CHAINS {
        let mut position = Position::new(square(19), Rules::CHINESE);
        for _ in 0..120 {
            let color = position.to_move();
            let mv = random_move(&position, color, &mut rng);
            if position.play(color, mv).is_err() {
                break;
            }
        }
        for chain in position.board().chains().take((READ_CHAINS - chains) as usize) {
            let answer = reader.attack(position.board(), chain.head());
            chains += 1;
            count += u64::from(answer.nodes);
            hash.add(answer.outcome as u64);
            hash.add(answer.mv.map_or(0, |point| point.index() as u64));
        }
    }
    Signature { count, hash: hash.0 }
}

/// A game that goes on as strong players' games do: moves are drawn by their learned strengths. `see` is told of the last 70 boards.
fn middle_game(mut see: impl FnMut(&Board, bool)) {
    let (mut rng, mut scratch, mut rated) = (stream("middle game"), Scratch::new(), Vec::new());
    let mut position = Position::new(square(19), Rules::CHINESE);
    for number in 1..=150 {
        let moves = position.moves();
        let back = |n: usize| moves.len().checked_sub(n).and_then(|at| moves[at].1.point());
        let color = position.to_move();
        let context = Context { board: position.board(), to_move: color, last: back(1), before: back(2) };
        Predictor::shipped().rate(&context, &mut scratch, &mut rated);
        rated.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        // One of the two likeliest: how logarithms are rounded does not matter.
        let Some(&(point, _)) = rated.get(rng.below(2) as usize) else { break };
        if position.play(color, Move::Play(point)).is_err() {
            break;
        }
        see(position.board(), number > 80);
    }
}

fn add_levels(hash: &mut Hash, levels: &Tactical) -> u64 {
    for (name, status) in &levels.status {
        hash.add(name.index() as u64);
        hash.add(u64::from(matches!(status, Status::Captured { .. })));
        hash.add(u64::from(matches!(status, Status::Safe)));
    }
    for link in &levels.links {
        hash.add(link.stones[0].index() as u64);
        hash.add(link.strength as u64);
        hash.add(link.cut.map_or(0, |point| point.index() as u64));
    }
    (levels.status.len() + levels.links.len()) as u64
}

/// The count is that of questions of level 2, the hash that of answers.
fn levels_kept() -> Signature {
    let (mut hash, mut count, mut keeper) = (Hash::new(), 0, Keeper::new());
    let mut last = None;
    middle_game(|board, is_counted| {
        if is_counted {
            // The move before the first that counts is where keeping begins.
            if let Some(before) = last.take() {
                keeper.tactical(&before);
            }
            count += add_levels(&mut hash, &keeper.tactical(board));
        } else {
            last = Some(board.clone());
        }
    });
    Signature { count, hash: hash.0 }
}

fn levels_from_scratch() {
    let mut hash = Hash::new();
    middle_game(|board, is_counted| {
        if is_counted {
            add_levels(&mut hash, &Tactical::of(board));
        }
    });
    std::hint::black_box(hash.0);
}

/// The count is that of moves, the hash that of bytes.
fn joseki() -> Signature {
    let joseki = Joseki::shipped();
    let mut hash = Hash::new();
    packed::pack(&joseki).into_iter().for_each(|byte| hash.add(u64::from(byte)));
    Signature { count: joseki.moves() as u64, hash: hash.0 }
}

/// Moves of [`shapes`].
const SHAPE_MOVES: u64 = 1_000;

/// The count is that of matches, the hash that of what matches; the same in both ways.
fn shapes(incremental: bool) -> Signature {
    let (mut rng, mut hash, mut count) = (stream("bench"), Hash::new(), 0);
    let index = Index::shipped();
    for _ in 0..SHAPE_MOVES / 200 {
        let mut board = Board::new(square(19));
        let mut matcher = Matcher::new(index, &board);
        let mut color = Color::Black;
        for _ in 0..200 {
            let mut points: Vec<_> =
                board.empties().filter(|&point| board.is_sensible(color, point)).collect();
            points.sort_unstable();
            board.play_unchecked(color, rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point)));
            color = !color;
            let found = if incremental {
                matcher.update(&board);
                matcher.matches(&board, &NoFates)
            } else {
                index.matches(&board, &NoFates)
            };
            count += found.len() as u64;
            for matched in found {
                hash.add(matched.pattern as u64);
                hash.add(matched.at.index() as u64);
            }
        }
    }
    Signature { count, hash: hash.0 }
}

fn engine(spec: &str, games: u64, most_moves: usize) -> Signature {
    let (mut moves, mut hash) = (0, Hash::new());
    for game in 0..games {
        let mut engine = catalog::create(spec, Seed::new(game)).expect("the catalog has it");
        let mut position = Position::new(square(9), Rules::CHINESE);
        while !position.is_over() && position.moves().len() < most_moves {
            let color = position.to_move();
            let mut nobody = |_: &ishi_engine::Report| ();
            let choice = engine.choose(&position, color, &mut Control::quiet(Limits::default(), &mut nobody));
            let ishi_engine::Action::Move(mv) = choice.action else { break };
            if position.play(color, mv).is_err() {
                break;
            }
            moves += 1;
            hash.add(position.situation_hash());
            hash.add(choice.report.moves.iter().map(|m| m.visits).max().unwrap_or(0));
        }
    }
    Signature { count: moves, hash: hash.0 }
}

/// Games between the standard piece counter and one that was learned.
fn oneply(isa: Isa, games: u64) -> Signature {
    let other =
        Wpc::new(&[1.0, -0.18, 0.45, -0.08, -0.53, -0.08, -0.02, 0.02, 0.0, 0.0]).expect("ten weights");
    let results =
        play_games_with(isa, &Wpc::standard(), &other, &LeagueRules::default(), Seed::new(1), 0..games);
    let mut hash = Hash::new();
    for &result in &results {
        hash.add(result as u64);
    }
    Signature { count: games, hash: hash.0 }
}

/// The count is that of the nodes; the bytes of them all are in the hash.
fn searched(playouts: u64) -> Signature {
    let params = Params {
        widening_start: 4,
        expand_at: 30,
        stop_when_settled: false,
        memory: 1 << 30,
        ..Params::default()
    };
    let mut tree = Tree::new(params);
    let mut remaining = |done| playouts.saturating_sub(done);
    let mut budget = Budget { remaining: &mut remaining, threads: 1, check_every: 1_000 };
    tree.search(&Synthetic::new(361, 400, 1), &mut budget);
    let (nodes, bytes) = tree.memory();
    let mut hash = Hash::new();
    hash.add(bytes as u64);
    for child in tree.children() {
        hash.add(u64::from(child.action.0) << 32 | u64::from(child.visits));
        hash.add(u64::from(child.win_rate.to_bits()));
        hash.add(u64::from(child.amaf.0.to_bits()));
    }
    Signature { count: nodes as u64, hash: hash.0 }
}

fn judged() -> Signature {
    let mut rng = stream("bench");
    let (mut count, mut hash) = (0, Hash::new());
    for number in 0..10 {
        let mut position = Position::new(square(9), Rules::CHINESE);
        for _ in 0..40 + 5 * number {
            let color = position.to_move();
            let mv = random_move(&position, color, &mut rng);
            if position.play(color, mv).is_err() {
                break;
            }
        }
        for point in judge::dead_stones(&position, judge::DEFAULT_PLAYOUTS, Seed::new(1)) {
            count += 1;
            hash.add(point.index() as u64);
        }
    }
    Signature { count, hash: hash.0 }
}
