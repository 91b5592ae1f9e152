//! The components: small fixed work loads whose results are hashed.

use std::ops::ControlFlow;
use std::sync::Arc;

use ishi_deck::generate::{DeckWorld, LeaderCase, RequestCase, WorldOptions};
use ishi_deck::{Problem, SolverObserver, search};
use ishi_engine::{Control, Engine, SearchLimits, SearchReport};
#[cfg(feature = "goban")]
use ishi_experiments::ground::reference;
use ishi_go::{Board, BoardSize, Color, Move, Point, Position, Rules, playout, score};
use ishi_go_play::go_mcts::{MctsPlayer, PlayoutParams, PlayoutRunner};
use ishi_go_play::{catalog, judge};
use ishi_grid::domination::{self, BoardShape, DominationOptions};
use ishi_knowledge::{Keeper, Tactical};
use ishi_mcts::toy::Synthetic;
use ishi_mcts::{SearchBudget, Tree, TreeParams};
use ishi_othello::oneply::{LeagueRules, play_games_with};
use ishi_othello::{Isa, Wpc, perft};
use ishi_othello_play::search::{CutConfidence, FoundMove, SearchEffort, SearchParams, SearchTask, Searcher};
use ishi_patterns::joseki::book::Joseki;
use ishi_patterns::joseki::packed;
use ishi_patterns::library::{NoFates, PatternIndex, PatternMatcher};
use ishi_patterns::{FeatureScratch, MoveContext, MoveNetwork, MovePredictor, NetMemory};
use ishi_reading::{ChainReader, ChainStatus};
use ishi_rng::checksum::{extend_checksum, fnv_checksum};
use ishi_rng::{Rng, Seed};

/// What a component did: a count of work and a hash of its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorkSignature {
    pub(super) count: u64,
    pub(super) hash: u64,
}

/// A fixed work load.
pub(super) struct BenchComponent {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// What `amount` counts.
    pub(super) unit: &'static str,
    pub(super) amount: u64,
    pub(super) run: fn() -> WorkSignature,
    /// Another program's way of doing the same, for the ratio.
    pub(super) peer: Option<BenchPeer>,
}

/// A reference that does the same work.
pub(super) struct BenchPeer {
    pub(super) name: &'static str,
    pub(super) amount: u64,
    pub(super) run: fn(),
}

impl BenchComponent {
    /// Work that is measured alone: so much of what the unit says.
    const fn new(
        name: &'static str,
        about: &'static str,
        (amount, unit): (u64, &'static str),
        run: fn() -> WorkSignature,
    ) -> BenchComponent {
        BenchComponent { name, about, unit, amount, run, peer: None }
    }

    /// The same component beside a reference, which does so much.
    const fn with_peer(self, name: &'static str, amount: u64, run: fn()) -> BenchComponent {
        BenchComponent { peer: Some(BenchPeer { name, amount, run }), ..self }
    }

    /// Playouts on a board of `SIDE` lines, beside so many of the crate `goban`.
    #[cfg(feature = "goban")]
    const fn with_goban<const SIDE: u8, const PLAYOUTS: u32>(self) -> BenchComponent {
        self.with_peer("goban 0.20", PLAYOUTS as u64, run_goban_playouts::<SIDE, PLAYOUTS>)
    }

    /// What is shipped is built without the crate, and measures playouts alone.
    #[cfg(not(feature = "goban"))]
    const fn with_goban<const SIDE: u8, const PLAYOUTS: u32>(self) -> BenchComponent {
        self
    }
}

/// What `go-levels-kept` does.
const KEPT_LEVELS: &str = "chains, readings, links and eyes after each of 70 moves of a middle game on 19x19, kept from move to move";

pub(super) const COMPONENTS: &[BenchComponent] = &[
    BenchComponent::new("rng", "random numbers below 361", (10_000_000, "numbers"), bench_rng),
    BenchComponent::new(
        "go-playout-9x9",
        "uniformly random playouts from the empty board",
        (20_000, "playouts"),
        || bench_playouts(9, 20_000),
    )
    .with_goban::<9, 500>(),
    BenchComponent::new(
        "go-playout-19x19",
        "uniformly random playouts from the empty board",
        (4_000, "playouts"),
        || bench_playouts(19, 4_000),
    )
    .with_goban::<19, 30>(),
    BenchComponent::new(
        "go-position",
        "random 9x9 games with positional superko, half of the moves taken back",
        (200, "games"),
        bench_positions,
    ),
    BenchComponent::new(
        "go-score",
        "area and territory of the ends of random games",
        (2_000, "boards"),
        bench_scores,
    ),
    BenchComponent::new(
        "go-patterns",
        "strengths of all moves of random 19x19 positions, by the shipped table",
        (2_000, "positions"),
        bench_move_strengths,
    ),
    BenchComponent::new(
        "go-network",
        "the moves of random 19x19 positions rated by the network, strengths and ladders included",
        (2_000, "positions"),
        bench_network_strengths,
    )
    .with_peer("strengths alone", 2_000, || {
        bench_move_strengths();
    }),
    BenchComponent::new(
        "go-reading",
        "can it be captured? of all chains in random 19x19 positions",
        (READ_CHAINS, "chains"),
        bench_capture_reading,
    ),
    BenchComponent::new(
        "go-joseki",
        "the shipped joseki, unpacked and packed again",
        (29_732, "moves"),
        bench_joseki,
    ),
    BenchComponent::new(
        "go-shapes",
        "the shipped patterns kept up to date in random 19x19 games",
        (SHAPE_MOVES, "moves"),
        || bench_shapes(true),
    )
    .with_peer("from scratch after every move", SHAPE_MOVES, || {
        bench_shapes(false);
    }),
    BenchComponent::new(
        "engine-go-capture",
        "games of go-capture against itself, 9x9",
        (10, "games"),
        || bench_engine("go-capture", 10, 200),
    ),
    BenchComponent::new(
        "engine-go-flat",
        "the first moves of go-flat:playouts=1000, 9x9",
        (10, "moves"),
        || bench_engine("go-flat:playouts=1000", 1, 10),
    ),
    BenchComponent::new(
        "othello-perft",
        "sequences of nine plies from the start, without a table",
        (perft::PUBLISHED[9], "leaves"),
        || bench_perft(Isa::best()),
    )
    .with_peer("the portable path", perft::PUBLISHED[9], || {
        bench_perft(Isa::Portable);
    }),
    BenchComponent::new(
        "othello-solve",
        "exact scores of positions with 16 empty squares from random games",
        (20, "positions"),
        bench_othello_solve,
    ),
    BenchComponent::new(
        "othello-oneply",
        "games of two piece counters that look one move ahead, by the league's rules",
        (100_000, "games"),
        || bench_oneply(Isa::best(), 100_000),
    )
    .with_peer("the portable path", 10_000, || {
        bench_oneply(Isa::Portable, 10_000);
    }),
    BenchComponent::new(
        "strings-solve",
        "the most strings on 16x16 to 24x24, proved",
        (9, "boards"),
        bench_strings_solve,
    ),
    BenchComponent::new(
        "strings-count",
        "optimal boards of 17x17, counted",
        (1, "boards"),
        bench_strings_count,
    ),
    BenchComponent::new(
        "deck-search",
        "decks of a generated world of 500 pieces by tabu search, 2000 steps each",
        (6, "decks"),
        || bench_deck_search(search::tabu_search, 2_000),
    )
    .with_peer("the article's search", 6, || {
        bench_deck_search(article_search, 2_000);
    }),
    BenchComponent::new(
        "mcts-tree",
        "the tree alone: RAVE and widening among 361 moves, playouts of 400 moves that cost nothing",
        (200_000, "playouts"),
        || bench_tree_search(200_000),
    ),
    BenchComponent::new(
        "go-mcts-playout-19x19",
        "playouts that answer: captures, ladders, shapes, eye spaces",
        (3_000, "playouts"),
        || bench_answering_playouts(19, 3_000),
    )
    .with_peer("uniformly random playouts", 3_000, || {
        bench_playouts(19, 3_000);
    }),
    BenchComponent::new(
        "go-mcts-19x19",
        "a search of the player go-mcts:preset=strong from the empty board: tree, priors and playouts",
        (2_000, "playouts"),
        || bench_mcts_player(19, 2_000),
    ),
    BenchComponent::new("go-mcts-9x9", "the same on 9x9", (5_000, "playouts"), || {
        bench_mcts_player(9, 5_000)
    }),
    BenchComponent::new("go-levels-kept", KEPT_LEVELS, (70, "positions"), bench_level_keeper).with_peer(
        "from scratch",
        70,
        run_levels_from_scratch,
    ),
    BenchComponent::new("judge", "dead stones in random 9x9 positions", (10, "positions"), bench_judge),
];

/// FNV-1a over 64-bit words.
struct WorkHash(u64);

impl WorkHash {
    fn new() -> Self {
        WorkHash(fnv_checksum(&[]))
    }

    fn add_word(&mut self, word: u64) {
        self.0 = extend_checksum(self.0, &word.to_le_bytes());
    }
}

/// The count is that of moves, the hash that of scores.
fn bench_answering_playouts(side: usize, playouts: u64) -> WorkSignature {
    let empty = Board::new(square_size(side));
    let mut board = empty.clone();
    let mut player = PlayoutRunner::new(&PlayoutParams::default(), Seed::new(1));
    let (mut count, mut hash) = (0, WorkHash::new());
    for _ in 0..playouts {
        board.copy_from(&empty);
        let (score, moves) = player.run_playout(&mut board, Color::Black);
        count += u64::from(moves);
        hash.add_word(score as u64);
    }
    WorkSignature { count, hash: hash.0 }
}

/// The count is that of candidates, the hash that of their visits.
fn bench_mcts_player(side: usize, playouts: u64) -> WorkSignature {
    let position = Position::new(square_size(side), Rules::CHINESE);
    let mut player = MctsPlayer::new("preset=strong,settle=no".parse().expect("a parameter"), Seed::new(1));
    let mut nobody = |_: &SearchReport| {};
    let limits = SearchLimits { playouts: Some(playouts), ..SearchLimits::default() };
    let choice = player.choose(&position, Color::Black, &mut Control::with_limits(limits, &mut nobody));
    let mut hash = WorkHash::new();
    choice.report.moves.iter().for_each(|one| hash.add_word(one.visits));
    WorkSignature { count: choice.report.moves.len() as u64, hash: hash.0 }
}

/// The count is that of the states.
fn bench_strings_solve() -> WorkSignature {
    let (mut count, mut hash) = (0, WorkHash::new());
    for size in 16..=24 {
        let solution = domination::solve_domination(
            &BoardShape::new(size, size),
            DominationOptions::default(),
            &mut |_| ControlFlow::Continue(()),
        );
        count += solution.states;
        hash.add_word(solution.bound as u64);
    }
    WorkSignature { count, hash: hash.0 }
}

/// The count is that of the states.
fn bench_strings_count() -> WorkSignature {
    let shape = BoardShape::new(17, 17);
    let counts = domination::count_boards(&shape, 68, 1, DominationOptions::default(), &mut |_| {
        ControlFlow::Continue(())
    });
    let mut hash = WorkHash::new();
    let Ok(counts) = counts else { return WorkSignature { count: 0, hash: 0 } };
    for byte in counts.boards[0].to_string().bytes() {
        hash.add_word(u64::from(byte));
    }
    WorkSignature { count: counts.states, hash: hash.0 }
}

type DeckSearch = fn(&Problem, &search::SearchOptions, SolverObserver<'_>) -> Option<search::FoundDeck>;

/// The article's search in its usual form.
fn article_search(
    problem: &Problem,
    options: &search::SearchOptions,
    observer: SolverObserver<'_>,
) -> Option<search::FoundDeck> {
    search::variable_depth_search(problem, options, &search::VariableDepthOptions::default(), observer)
}

/// The count is that of the steps; leaders of every kind, with fixed pieces and without.
fn bench_deck_search(by: DeckSearch, steps: u64) -> WorkSignature {
    let (mut count, mut hash) = (0, WorkHash::new());
    let seed = Seed::new(1).child_seed("deck-search", 0);
    let world = DeckWorld::new(seed, WorldOptions::for_pieces(500));
    let pool = Arc::new(world.build_pool());
    for (index, leading) in [LeaderCase::Nobody, LeaderCase::Given, LeaderCase::Free].into_iter().enumerate()
    {
        for fixed in [0, 3] {
            let request = world.draw_request(seed, index as u64, RequestCase { leading, fixed, owned: None });
            let Ok(problem) = Problem::new(Arc::clone(&pool), &request) else { continue };
            let options = search::SearchOptions { steps, starts: 10, ..search::SearchOptions::new(seed) };
            let Some(found) = by(&problem, &options, &mut |_| ControlFlow::Continue(())) else { continue };
            count += found.moves;
            hash.add_word(found.value as u64);
            for slot in found.deck.slots {
                hash.add_word(u64::from(slot.0));
            }
        }
    }
    WorkSignature { count, hash: hash.0 }
}

fn bench_perft(isa: Isa) -> WorkSignature {
    let count = perft::perft_with(ishi_othello::Board::START, 9, isa);
    WorkSignature { count, hash: count }
}

/// The count is that of the positions visited.
fn bench_othello_solve() -> WorkSignature {
    let effort = SearchEffort { depth: 60, exact: 60, win_loss: 60, confidence: CutConfidence::Full };
    let mut searcher = Searcher::new(SearchParams { hash_bits: 16, threads: 1 });
    let (mut rng, mut count, mut hash) = (bench_rng_stream("bench"), 0, WorkHash::new());
    for _ in 0..20 {
        searcher.clear_table();
        let board = random_othello_board(16, &mut rng);
        let mut nobody = |_: &FoundMove| {};
        let found = searcher.search_board(board, &mut SearchTask::new(effort, &mut nobody));
        count += found.nodes;
        hash.add_word(found.score as u64);
    }
    WorkSignature { count, hash: hash.0 }
}

/// A position of a random game with so many empty squares, or the end of one.
fn random_othello_board(empties: u32, rng: &mut Rng) -> ishi_othello::Board {
    let mut board = ishi_othello::Board::START;
    while board.empty_count() > empties && !board.is_over() {
        let moves: Vec<_> = ishi_othello::iter_squares(board.legal_moves()).collect();
        board = rng.choose(&moves).map_or(board.pass(), |&square| board.play_unchecked(square));
    }
    board
}

fn bench_rng_stream(name: &str) -> Rng {
    Seed::new(1).stream(name, 0)
}

fn square_size(side: usize) -> BoardSize {
    BoardSize::square(side).expect("a board has 2 to 25 lines")
}

fn bench_rng() -> WorkSignature {
    let mut rng = bench_rng_stream("bench");
    let sum = (0..10_000_000).map(|_| u64::from(rng.next_below(361))).sum();
    WorkSignature { count: 10_000_000, hash: sum }
}

fn bench_playouts(side: usize, number: u32) -> WorkSignature {
    let empty = Board::new(square_size(side));
    let limit = playout::default_move_limit(&empty);
    let mut board = empty.clone();
    let mut rng = bench_rng_stream("bench");
    let (mut moves, mut hash) = (0, WorkHash::new());
    for _ in 0..number {
        board.copy_from(&empty);
        let end = playout::play_random_playout(&mut board, Color::Black, limit, &mut rng);
        moves += u64::from(end.moves);
        hash.add_word(board.hash() ^ end.score as u64);
    }
    WorkSignature { count: moves, hash: hash.0 }
}

/// The same playouts with the crate `goban`.
#[cfg(feature = "goban")]
fn run_goban_playouts<const SIDE: u8, const PLAYOUTS: u32>() {
    let mut rng = bench_rng_stream("bench");
    for _ in 0..PLAYOUTS {
        std::hint::black_box(reference::random_playout(SIDE, 3 * u32::from(SIDE).pow(2), &mut rng));
    }
}

/// A random legal move that is no own eye.
fn random_move(position: &Position, color: Color, rng: &mut Rng) -> Move {
    let board = position.board();
    let playable = |&point: &ishi_go::Point| {
        !board.is_eyelike(color, point) && position.is_legal(color, Move::Play(point))
    };
    let mut points: Vec<_> = board.empty_points().filter(playable).collect();
    points.sort_unstable();
    rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point))
}

fn bench_positions() -> WorkSignature {
    let mut rng = bench_rng_stream("bench");
    let (mut moves, mut hash) = (0, WorkHash::new());
    for _ in 0..200 {
        let mut position = Position::new(square_size(9), Rules::TROMP_TAYLOR);
        while !position.is_over() && position.moves().len() < 250 {
            let color = position.to_move();
            let mv = random_move(&position, color, &mut rng);
            if position.play(color, mv).is_err() {
                break;
            }
            moves += 1;
            hash.add_word(position.situation_hash());
        }
        for _ in 0..position.moves().len() / 2 {
            position.undo();
            hash.add_word(position.situation_hash());
        }
    }
    WorkSignature { count: moves, hash: hash.0 }
}

fn bench_scores() -> WorkSignature {
    let mut rng = bench_rng_stream("bench");
    let (mut count, mut hash) = (0, WorkHash::new());
    let empty = Board::new(square_size(9));
    for number in 0..2_000 {
        let mut board = empty.clone();
        playout::play_random_playout(&mut board, Color::Black, number % 200, &mut rng);
        let stones: Vec<_> = board.size().points().filter_map(|p| board.color(p).map(|c| (c, p))).collect();
        let position = Position::from_setup(board.size(), Rules::JAPANESE, stones, Color::Black)
            .expect("the end of a playout can be set up");
        let territory =
            score::tally_territory(&position, &[]).expect("no dead stones are named").black_lead();
        hash.add_word(score::tally_area(&board).black_lead() as u64);
        hash.add_word(territory as u64);
        count += 1;
    }
    WorkSignature { count, hash: hash.0 }
}

/// The five strongest moves of each position are hashed: their order does not depend on how a logarithm is rounded.
fn bench_move_strengths() -> WorkSignature {
    let (mut scratch, mut hash) = (FeatureScratch::new(), WorkHash::new());
    visit_random_positions(|context, strengths| {
        MovePredictor::shipped().rate_moves(context, &mut scratch, strengths);
        strengths.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        strengths.iter().take(5).for_each(|(point, _)| hash.add_word(point.index() as u64));
    });
    WorkSignature { count: 2_000, hash: hash.0 }
}

/// Sums are rounded as the processor's instructions have it, so the hash is of the moves that are rated, not of how.
fn bench_network_strengths() -> WorkSignature {
    let (mut memory, mut hash) = (NetMemory::default(), WorkHash::new());
    let network = MoveNetwork::shipped().expect("a test reads the file");
    visit_random_positions(|context, strengths| {
        network.rate_moves(context, MovePredictor::shipped(), &mut memory, strengths);
        strengths.iter().for_each(|(point, _)| hash.add_word(point.index() as u64));
    });
    WorkSignature { count: 2_000, hash: hash.0 }
}

/// Shows the positions of ten games of 200 random moves.
fn visit_random_positions(mut see: impl FnMut(&MoveContext, &mut Vec<(Point, f32)>)) {
    let (mut rng, mut strengths) = (bench_rng_stream("bench"), Vec::new());
    for _ in 0..10 {
        let mut position = Position::new(square_size(19), Rules::CHINESE);
        for _ in 0..200 {
            let color = position.to_move();
            let back = |n: usize| {
                let moves = position.moves();
                moves.len().checked_sub(n).and_then(|at| moves[at].1.point())
            };
            see(
                &MoveContext { board: position.board(), to_move: color, last: back(1), before: back(2) },
                &mut strengths,
            );
            let mv = random_move(&position, color, &mut rng);
            if position.play(color, mv).is_err() {
                break;
            }
        }
    }
}

/// Chains of the positions of [`bench_capture_reading`].
const READ_CHAINS: u64 = 3_000;

/// The count is that of moves read, the hash that of answers.
fn bench_capture_reading() -> WorkSignature {
    let (mut rng, mut hash) = (bench_rng_stream("bench"), WorkHash::new());
    let mut reader = ChainReader::default();
    let (mut count, mut chains) = (0, 0);
    while chains < READ_CHAINS {
        let mut position = Position::new(square_size(19), Rules::CHINESE);
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
            hash.add_word(answer.outcome as u64);
            hash.add_word(answer.mv.map_or(0, |point| point.index() as u64));
        }
    }
    WorkSignature { count, hash: hash.0 }
}

/// A game that goes on as strong players' games do: moves are drawn by their learned strengths. `see` is told of the last 70 boards.
fn play_middle_game(mut see: impl FnMut(&Board, bool)) {
    let (mut rng, mut scratch, mut rated) =
        (bench_rng_stream("middle game"), FeatureScratch::new(), Vec::new());
    let mut position = Position::new(square_size(19), Rules::CHINESE);
    for number in 1..=150 {
        let moves = position.moves();
        let back = |n: usize| moves.len().checked_sub(n).and_then(|at| moves[at].1.point());
        let color = position.to_move();
        let context = MoveContext { board: position.board(), to_move: color, last: back(1), before: back(2) };
        MovePredictor::shipped().rate_moves(&context, &mut scratch, &mut rated);
        rated.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        // One of the two likeliest: how logarithms are rounded does not matter.
        let Some(&(point, _)) = rated.get(rng.next_below(2) as usize) else { break };
        if position.play(color, Move::Play(point)).is_err() {
            break;
        }
        see(position.board(), number > 80);
    }
}

fn hash_levels(hash: &mut WorkHash, levels: &Tactical) -> u64 {
    for (name, status) in &levels.status {
        hash.add_word(name.index() as u64);
        hash.add_word(u64::from(matches!(status, ChainStatus::Captured { .. })));
        hash.add_word(u64::from(matches!(status, ChainStatus::Safe)));
    }
    for link in &levels.links {
        hash.add_word(link.stones[0].index() as u64);
        hash.add_word(link.strength as u64);
        hash.add_word(link.cut.map_or(0, |point| point.index() as u64));
    }
    (levels.status.len() + levels.links.len()) as u64
}

/// The count is that of questions of level 2, the hash that of answers.
fn bench_level_keeper() -> WorkSignature {
    let (mut hash, mut count, mut keeper) = (WorkHash::new(), 0, Keeper::new());
    let mut last = None;
    play_middle_game(|board, is_counted| {
        if is_counted {
            // The move before the first that counts is where keeping begins.
            if let Some(before) = last.take() {
                keeper.tactical_for(&before);
            }
            count += hash_levels(&mut hash, &keeper.tactical_for(board));
        } else {
            last = Some(board.clone());
        }
    });
    WorkSignature { count, hash: hash.0 }
}

fn run_levels_from_scratch() {
    let mut hash = WorkHash::new();
    play_middle_game(|board, is_counted| {
        if is_counted {
            hash_levels(&mut hash, &Tactical::from_board(board));
        }
    });
    std::hint::black_box(hash.0);
}

/// The count is that of moves, the hash that of bytes.
fn bench_joseki() -> WorkSignature {
    let joseki = Joseki::shipped();
    let mut hash = WorkHash::new();
    packed::pack_joseki(&joseki).into_iter().for_each(|byte| hash.add_word(u64::from(byte)));
    WorkSignature { count: joseki.move_count() as u64, hash: hash.0 }
}

/// Moves of [`bench_shapes`].
const SHAPE_MOVES: u64 = 1_000;

/// The count is that of matches, the hash that of what matches; the same in both ways.
fn bench_shapes(incremental: bool) -> WorkSignature {
    let (mut rng, mut hash, mut count) = (bench_rng_stream("bench"), WorkHash::new(), 0);
    let index = PatternIndex::shipped();
    for _ in 0..SHAPE_MOVES / 200 {
        let mut board = Board::new(square_size(19));
        let mut matcher = PatternMatcher::new(index, &board);
        let mut color = Color::Black;
        for _ in 0..200 {
            let mut points: Vec<_> =
                board.empty_points().filter(|&point| board.is_sensible(color, point)).collect();
            points.sort_unstable();
            board.play_unchecked(color, rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point)));
            color = !color;
            let found = if incremental {
                matcher.update_matches(&board);
                matcher.current_matches(&board, &NoFates)
            } else {
                index.find_matches(&board, &NoFates)
            };
            count += found.len() as u64;
            for matched in found {
                hash.add_word(matched.pattern as u64);
                hash.add_word(matched.at.index() as u64);
            }
        }
    }
    WorkSignature { count, hash: hash.0 }
}

fn bench_engine(spec: &str, games: u64, most_moves: usize) -> WorkSignature {
    let (mut moves, mut hash) = (0, WorkHash::new());
    for game in 0..games {
        let mut engine = catalog::create_go_player(spec, Seed::new(game)).expect("the catalog has it");
        let mut position = Position::new(square_size(9), Rules::CHINESE);
        while !position.is_over() && position.moves().len() < most_moves {
            let color = position.to_move();
            let mut nobody = |_: &ishi_engine::SearchReport| ();
            let choice = engine.choose(
                &position,
                color,
                &mut Control::with_limits(SearchLimits::default(), &mut nobody),
            );
            let ishi_engine::EngineAction::Move(mv) = choice.action else { break };
            if position.play(color, mv).is_err() {
                break;
            }
            moves += 1;
            hash.add_word(position.situation_hash());
            hash.add_word(choice.report.moves.iter().map(|m| m.visits).max().unwrap_or(0));
        }
    }
    WorkSignature { count: moves, hash: hash.0 }
}

/// Games between the standard piece counter and one that was learned.
fn bench_oneply(isa: Isa, games: u64) -> WorkSignature {
    let other =
        Wpc::new(&[1.0, -0.18, 0.45, -0.08, -0.53, -0.08, -0.02, 0.02, 0.0, 0.0]).expect("ten weights");
    let results =
        play_games_with(isa, &Wpc::standard(), &other, &LeagueRules::default(), Seed::new(1), 0..games);
    let mut hash = WorkHash::new();
    for &result in &results {
        hash.add_word(result as u64);
    }
    WorkSignature { count: games, hash: hash.0 }
}

/// The count is that of the nodes; the bytes of them all are in the hash.
fn bench_tree_search(playouts: u64) -> WorkSignature {
    let params = TreeParams {
        widening_start: 4,
        expand_at: 30,
        stop_when_settled: false,
        memory: 1 << 30,
        ..TreeParams::default()
    };
    let mut tree = Tree::new(params);
    let mut remaining = |done| playouts.saturating_sub(done);
    let mut budget = SearchBudget { remaining: &mut remaining, threads: 1, check_every: 1_000 };
    tree.search(&Synthetic::new(361, 400, 1), &mut budget);
    let (nodes, bytes) = tree.memory_use();
    let mut hash = WorkHash::new();
    hash.add_word(bytes as u64);
    for child in tree.ranked_children() {
        hash.add_word(u64::from(child.action.0) << 32 | u64::from(child.visits));
        hash.add_word(u64::from(child.win_rate.to_bits()));
        hash.add_word(u64::from(child.amaf.0.to_bits()));
    }
    WorkSignature { count: nodes as u64, hash: hash.0 }
}

fn bench_judge() -> WorkSignature {
    let mut rng = bench_rng_stream("bench");
    let (mut count, mut hash) = (0, WorkHash::new());
    for number in 0..10 {
        let mut position = Position::new(square_size(9), Rules::CHINESE);
        for _ in 0..40 + 5 * number {
            let color = position.to_move();
            let mv = random_move(&position, color, &mut rng);
            if position.play(color, mv).is_err() {
                break;
            }
        }
        for point in judge::find_dead_stones(&position, judge::DEFAULT_PLAYOUTS, Seed::new(1)) {
            count += 1;
            hash.add_word(point.index() as u64);
        }
    }
    WorkSignature { count, hash: hash.0 }
}
