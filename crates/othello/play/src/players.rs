//! The players of Othello that the catalog knows: one move ahead by an evaluation, and by search.
//!
//! They never resign: discs count, and a lost game is soon over.

use ishi_othello::oneply::Evaluator;
use ishi_othello::{Board, Color, Move, Position, Square, Wpc, iter_squares};
use ishi_rng::{Rng, Seed};
use ishi_words::facts;

use super::book::Book;
use super::human::{draw_erring_move, wanted_loss};
use super::levels::{self, Level, LevelPlayer};
use super::rating::Rating;
use super::search::{
    CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchMemoryError, SearchParams, SearchTables,
    SearchTask, Searcher,
};
use ishi_engine::Othello;
use ishi_engine::catalog::CatalogError;
use ishi_engine::numeric;
use ishi_engine::parameter::{
    Parameter, ParameterFault, YES_NO, bounds, format_params, name, number, word, word_list,
};
use ishi_engine::{Choice, Control, Engine, EngineAction, MoveReport, SearchReport};

/// The board as this colour sees it, whoever is to move.
fn board_of(position: &Position, color: Color) -> Board {
    Board { player: position.discs(color), opponent: position.discs(!color) }
}

/// The random numbers of a move.
fn move_stream(seed: Seed, position: &Position) -> Rng {
    seed.stream("move", position.moves().len() as u64)
}

/// The legal moves that `control` allows; all of them if it allows none.
fn allowed_squares(board: Board, control: &Control<'_, Othello>) -> Vec<Square> {
    let legal = || iter_squares(board.legal_moves());
    let allowed: Vec<Square> = legal().filter(|&square| control.allows_move(Move::Play(square))).collect();
    if allowed.is_empty() { legal().collect() } else { allowed }
}

/// Looks one move ahead: the move after which an evaluation is highest, one of the best at random.
pub(crate) struct OnePlyPlayer {
    name: &'static str,
    spec: String,
    evaluator: Box<dyn Evaluator + Send>,
    /// Probability of a move at random.
    epsilon: f64,
    seed: Seed,
}

/// Own discs less the opponent's.
struct MostDiscs;

impl Evaluator for MostDiscs {
    fn value_after_move(&self, after: Board, _: Color) -> f32 {
        -after.disc_difference() as f32
    }
}

/// Parameters of `othello-wpc`.
pub(crate) struct WpcParams {
    weights: Wpc,
    epsilon: f64,
}

impl Default for WpcParams {
    fn default() -> WpcParams {
        WpcParams { weights: Wpc::standard(), epsilon: 0.0 }
    }
}

impl WpcParams {
    /// All parameters.
    pub(crate) const ENTRIES: &'static [Parameter<WpcParams>] = &[
        Parameter {
            key: "weights",
            about: "standard, or 10 or 64 numbers with spaces between",
            japanese: "standard、または空白で区切った10個か64個の数",
            allowed: |_| "standard, or 10 or 64 numbers".to_string(),
            get: |params| match params.weights == Wpc::standard() {
                true => "standard".to_string(),
                false => weights_on_one_line(&params.weights),
            },
            set: |params, text| {
                let read = || text.parse().map_err(ParameterFault::own);
                params.weights = if text == "standard" { Wpc::standard() } else { read()? };
                Ok(())
            },
        },
        numeric!("epsilon", "probability of a move at random", "でたらめに打つ確率", 0.0, 1.0, epsilon),
    ];
}

impl OnePlyPlayer {
    fn new(name: &'static str, evaluator: Box<dyn Evaluator + Send>, seed: Seed) -> OnePlyPlayer {
        OnePlyPlayer { name, spec: name.to_string(), evaluator, epsilon: 0.0, seed }
    }

    pub(crate) fn with_random_moves(seed: Seed) -> OnePlyPlayer {
        OnePlyPlayer::new("othello-random", Box::new(Wpc::random()), seed)
    }

    pub(crate) fn with_most_discs(seed: Seed) -> OnePlyPlayer {
        OnePlyPlayer::new("othello-greedy", Box::new(MostDiscs), seed)
    }

    pub(crate) fn with_wpc(params: WpcParams, seed: Seed) -> OnePlyPlayer {
        let spec = format!("othello-wpc:{}", format_params(WpcParams::ENTRIES, &params));
        let WpcParams { weights, epsilon } = params;
        OnePlyPlayer { spec, epsilon, ..OnePlyPlayer::new("othello-wpc", Box::new(weights), seed) }
    }

    /// The best of these moves, one of the equals at random.
    fn best_square(&self, board: Board, color: Color, moves: &[Square], rng: &mut Rng) -> Option<Square> {
        let value = |&square: &Square| self.evaluator.value_after_move(board.play_unchecked(square), color);
        let best = moves.iter().map(value).max_by(f32::total_cmp)?;
        let equals: Vec<Square> = moves.iter().copied().filter(|square| value(square) == best).collect();
        rng.choose(&equals).copied()
    }
}

/// The weights with spaces between.
fn weights_on_one_line(weights: &Wpc) -> String {
    ishi_words::collapse_whitespace(&weights.to_string())
}

impl Engine<Othello> for OnePlyPlayer {
    fn name(&self) -> &str {
        self.name
    }

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
    }

    fn choose(
        &mut self,
        position: &Position,
        color: Color,
        control: &mut Control<'_, Othello>,
    ) -> Choice<Othello> {
        let board = board_of(position, color);
        let moves = allowed_squares(board, control);
        let mut rng = move_stream(self.seed, position);
        let square = if self.epsilon > 0.0 && rng.next_unit() < self.epsilon {
            rng.choose(&moves).copied()
        } else {
            self.best_square(board, color, &moves, &mut rng)
        };
        Choice::without_search(square.map_or(Move::Pass, Move::Play))
    }
}

/// How hard the searching player looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchStrength {
    Level(Level),
    Rating(Rating),
    Own(SearchEffort),
}

/// Parameters of `othello`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchPlayerParams {
    strength: SearchStrength,
    threads: usize,
    hash_bits: u32,
    book: bool,
    reuse: bool,
    /// Tenths of a disc that it loses a move on average, as a person does; 0: none.
    errs: u32,
}

impl SearchPlayerParams {
    fn search_params(&self) -> SearchParams {
        SearchParams { hash_bits: self.hash_bits, threads: self.threads }
    }
}

/// Where neither a level nor something else is said.
const DEFAULT_LEVEL: Level = Level::new(10).expect("levels go to 20");

/// Where some of it is said.
const DEFAULT_EFFORT: SearchEffort =
    SearchEffort { depth: 8, exact: 14, win_loss: 16, confidence: CutConfidence::Good };

/// Discs that a move of the book may be worse than its best.
const BOOK_TOLERANCE: i32 = 0;

/// Empty squares that no search of ours asks for: more than there ever are.
const ALL_SQUARES: u32 = 60;

/// Tenths of a disc that a player may lose a move on average: about what random moves lose.
const MOST_ERRORS: u32 = 200;

/// Hash tables for quick searches and for others. But with `reuse` the table is empty for every move, so that a move depends on nothing that was
/// asked before.
const HASH_BITS: [u32; 2] = [16, 20];

/// The parameters of `othello` as they are written: what is not said follows from the rest.
#[derive(Default)]
pub(crate) struct SearchPlayerOptions {
    level: Option<Level>,
    rating: Option<Rating>,
    depth: Option<u32>,
    exact: Option<u32>,
    win_loss: Option<u32>,
    confidence: Option<CutConfidence>,
    threads: Option<usize>,
    hash_bits: Option<u32>,
    book: Option<bool>,
    reuse: Option<bool>,
    errs: Option<u32>,
}

/// An option that is a number within bounds.
macro_rules! optional_number {
    ($key:literal, $about:literal, $japanese:literal, $least:expr, $most:expr, $usual:expr, $field:ident) => {
        Parameter {
            key: $key,
            about: $about,
            japanese: $japanese,
            allowed: |options| bounds(&options.$field.unwrap_or($usual), $least, $most),
            get: |options| options.$field.unwrap_or($usual).to_string(),
            set: |options, text| {
                options.$field = Some(number(text, $least, $most)?);
                Ok(())
            },
        }
    };
}

/// An option that is yes or no.
macro_rules! optional_yes_or_no {
    ($key:literal, $about:literal, $japanese:literal, $usual:expr, $field:ident) => {
        Parameter {
            key: $key,
            about: $about,
            japanese: $japanese,
            allowed: |_| word_list(&YES_NO),
            get: |options| name(options.$field.unwrap_or($usual), &YES_NO),
            set: |options, text| {
                let unknown = |_| ParameterFault::Unknown("write yes or no".to_string());
                options.$field = Some(word(text, &YES_NO).map_err(unknown)?);
                Ok(())
            },
        }
    };
}

impl SearchPlayerOptions {
    /// All parameters.
    pub(crate) const ENTRIES: &'static [Parameter<SearchPlayerOptions>] = &[
        Parameter {
            key: "level",
            about: "1 to 20: how strong; or instead of it the next four",
            japanese: "1から20：強さ。または代わりに次の四つ",
            allowed: |_| "1 to 20".to_string(),
            get: |options| options.level.unwrap_or(DEFAULT_LEVEL).to_string(),
            set: |options, text| {
                options.level = Some(text.parse().map_err(ParameterFault::own)?);
                Ok(())
            },
        },
        Parameter {
            key: "rating",
            about: "instead of a level: as strong as so many points of ishi's own scale, without the book",
            japanese: "レベルの代わりに：ishi独自のレーティングの強さで打つ。定石は使わない",
            allowed: |_| format!("{} to {}", Rating::LOWEST, Rating::HIGHEST),
            get: |options| options.rating.unwrap_or(Rating::OF_LEVEL_1).to_string(),
            set: |options, text| {
                options.rating = Some(text.parse().map_err(ParameterFault::own)?);
                Ok(())
            },
        },
        optional_number!(
            "depth",
            "plies it looks ahead, 1 to 60",
            "先読みの手数、1から60",
            1,
            ALL_SQUARES,
            DEFAULT_EFFORT.depth,
            depth
        ),
        optional_number!(
            "exact",
            "empty squares from which on it plays perfectly, 0 to 60",
            "完全に読み切る空きマスの数、0から60",
            0,
            ALL_SQUARES,
            DEFAULT_EFFORT.exact,
            exact
        ),
        optional_number!(
            "win_loss",
            "empty squares from which on it knows who wins; not fewer than exact",
            "勝敗を読み切る空きマスの数。exact より少なくはできない",
            0,
            ALL_SQUARES,
            DEFAULT_EFFORT.win_loss,
            win_loss
        ),
        Parameter {
            key: "confidence",
            about: "of selective cuts, in per cent: 63, 87, 95, 99 or 100 (none)",
            japanese: "選択的な枝刈りの信頼度（%）：63、87、95、99、100（枝刈りなし）",
            allowed: |_| "63, 87, 95, 99 or 100".to_string(),
            get: |options| options.confidence.unwrap_or(DEFAULT_EFFORT.confidence).percent().to_string(),
            set: |options, text| {
                options.confidence = Some(parse_confidence(text)?);
                Ok(())
            },
        },
        optional_number!(
            "threads",
            "more: quicker, and not the same moves every time",
            "増やすと速いが、毎回同じ手を打つとは限らない",
            1,
            256,
            1,
            threads
        ),
        optional_number!(
            "hash",
            "2 to this power entries of 16 bytes, 10 to 30; 16 if it needs no more",
            "16バイトの項目が2のこの乗数個、10から30。足りるときは16",
            10,
            30,
            HASH_BITS[1],
            hash_bits
        ),
        optional_yes_or_no!(
            "book",
            "yes or no; levels below 10 do without",
            "yes か no。レベル10未満は定石を使わない",
            true,
            book
        ),
        optional_yes_or_no!(
            "reuse",
            "yes or no: what one search has found serves the next ones of a game",
            "yes か no。一局の間、前の探索の結果を次の手にも使う",
            false,
            reuse
        ),
        optional_number!(
            "errs",
            "tenths of a disc that it loses a move on average, as people do: a review tells yours; 0 to 200, without the book",
            "人のように一手平均で損をする石数の10倍。検討で分かる自分の値を書く。0から200、定石は使わない",
            0,
            MOST_ERRORS,
            0,
            errs
        ),
    ];

    /// What the player is made of.
    ///
    /// # Errors
    /// If a level or a rating and something else of it are given, a winner is to be known later than the score, or a level is to err twice.
    pub(crate) fn to_params(&self) -> Result<SearchPlayerParams, CatalogError> {
        let strength = self.strength()?;
        let errs = self.errs.unwrap_or(0);
        if errs > 0 && strength.blur_deviation() > 0.0 {
            let problem =
                format!("errs={errs} and a level that errs by itself together: level must be 10 or more");
            return Err(CatalogError::new(problem, facts!["othello-errs-and-level", errs]));
        }
        Ok(SearchPlayerParams {
            errs,
            strength,
            threads: self.threads.unwrap_or(1),
            hash_bits: self.hash_bits.unwrap_or(default_hash_bits(strength)),
            book: self.book.unwrap_or(true),
            reuse: self.reuse.unwrap_or(false),
        })
    }

    fn strength(&self) -> Result<SearchStrength, CatalogError> {
        let given = [
            ("depth", self.depth.is_some()),
            ("exact", self.exact.is_some()),
            ("win_loss", self.win_loss.is_some()),
            ("confidence", self.confidence.is_some()),
        ];
        if let Some(rating) = self.rating {
            let others = [("level", self.level.is_some()), ("errs", self.errs.is_some())];
            return match others.into_iter().chain(given).find(|&(_, is_given)| is_given) {
                Some((own, _)) => Err(CatalogError::new(
                    format!(
                        "rating and {own} together: a rating says all about strength, so give one of them"
                    ),
                    facts!["othello-rating-and-own", own],
                )),
                None => Ok(SearchStrength::Rating(rating)),
            };
        }
        match (self.level, given.into_iter().find(|&(_, is_given)| is_given)) {
            (Some(_), Some((own, _))) => Err(CatalogError::new(
                format!("level and {own} together: give either a level or how far to look"),
                facts!["othello-level-and-own", own],
            )),
            (None, Some(_)) => self.effort().map(SearchStrength::Own),
            (level, None) => Ok(SearchStrength::Level(level.unwrap_or(DEFAULT_LEVEL))),
        }
    }

    fn effort(&self) -> Result<SearchEffort, CatalogError> {
        let exact = self.exact.unwrap_or(DEFAULT_EFFORT.exact);
        let win_loss = self.win_loss.unwrap_or(DEFAULT_EFFORT.win_loss.max(exact));
        if win_loss < exact {
            let message = format!("win_loss={win_loss} is less than exact={exact}");
            return Err(CatalogError::new(message, facts!["othello-win-loss", win_loss, exact]));
        }
        let depth = self.depth.unwrap_or(DEFAULT_EFFORT.depth);
        let confidence = self.confidence.unwrap_or(DEFAULT_EFFORT.confidence);
        Ok(SearchEffort { depth, exact, win_loss, confidence })
    }
}

fn parse_confidence(text: &str) -> Result<CutConfidence, ParameterFault> {
    let known = CutConfidence::ALL.into_iter().find(|confidence| confidence.percent().to_string() == text);
    known.ok_or_else(|| ParameterFault::Unknown("write 63, 87, 95, 99 or 100".to_string()))
}

fn default_hash_bits(strength: SearchStrength) -> u32 {
    let effort = strength.effort_at(ALL_SQUARES);
    let quick = effort.depth <= 8 && effort.win_loss <= 14;
    HASH_BITS[usize::from(!quick)]
}

impl SearchStrength {
    fn effort_at(self, empties: u32) -> SearchEffort {
        match self {
            SearchStrength::Level(level) => level.effort(empties),
            SearchStrength::Rating(rating) => rating.strength().level.effort_in_discs(empties),
            SearchStrength::Own(effort) => effort,
        }
    }

    fn blur_deviation(self) -> f64 {
        match self {
            SearchStrength::Level(level) => level.blur_deviation(),
            SearchStrength::Rating(rating) => rating.strength().error,
            SearchStrength::Own(_) => 0.0,
        }
    }

    /// Does a player of this strength know the book? One that errs would play the opening far better than the rest with it, and ratings were
    /// measured without.
    fn knows_book(self) -> bool {
        self.blur_deviation() == 0.0 && !matches!(self, SearchStrength::Rating(_))
    }
}

/// The parameters as they are written: `level=10`.
impl std::fmt::Display for SearchStrength {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SearchStrength::Level(level) => write!(f, "level={level}"),
            SearchStrength::Rating(rating) => write!(f, "rating={rating}"),
            SearchStrength::Own(SearchEffort { depth, exact, win_loss, confidence }) => {
                let percent = confidence.percent();
                write!(f, "depth={depth},exact={exact},win_loss={win_loss},confidence={percent}")
            }
        }
    }
}

/// Searches, with the book before.
pub(crate) struct SearchPlayer {
    params: SearchPlayerParams,
    seed: Seed,
    /// Of the searcher that the first move makes.
    tables: Option<SearchTables>,
    /// One for all moves, as its table is large. It is emptied before each; with `reuse` only when a game begins.
    searcher: Option<Searcher>,
}

impl SearchPlayer {
    /// # Errors
    /// If there is no memory for the player's table.
    pub(crate) fn new(params: SearchPlayerParams, seed: Seed) -> Result<SearchPlayer, SearchMemoryError> {
        let tables = SearchTables::reserve(params.search_params())?;
        Ok(SearchPlayer { params, seed, tables: Some(tables), searcher: None })
    }

    /// The searcher, to be put back into its place: with an empty table, or with what was found in this game.
    fn take_searcher(&mut self) -> Searcher {
        match self.searcher.take() {
            Some(used) if self.params.reuse => used,
            Some(mut used) => {
                used.clear_table();
                used
            }
            None => match self.tables.take() {
                Some(tables) => Searcher::with_tables(tables),
                None => Searcher::new(self.params.search_params()),
            },
        }
    }

    /// A move of the book, if this player knows it.
    fn book_move(&self, position: &Position, board: Board, control: &Control<'_, Othello>) -> Option<Move> {
        let knows_book = self.params.errs == 0 && self.params.strength.knows_book();
        let book = self.params.book && knows_book && !control.limits.infinite;
        let mut rng = move_stream(self.seed, position);
        let known = book.then(|| Book::builtin().choose_move(board, BOOK_TOLERANCE, &mut rng)).flatten()?;
        Some(Move::Play(known.square)).filter(|&mv| control.allows_move(mv))
    }

    /// The move of a level or a rating that errs.
    fn erring_move(
        &mut self,
        make_player: impl FnOnce(Seed, Searcher) -> LevelPlayer,
        board: Board,
        control: &Control<'_, Othello>,
    ) -> FoundMove {
        let limits =
            levels::LevelLimits { time: control.limits.time, clock: control.clock, stop: control.stop };
        let mut player = make_player(self.seed, self.take_searcher());
        let found = player.choose_move(board, limits);
        self.searcher = Some(player.into_searcher());
        found
    }

    /// A move with errors like a person's; `None` without moves.
    fn human_move(
        &mut self,
        position: &Position,
        board: Board,
        control: &Control<'_, Othello>,
    ) -> Option<FoundMove> {
        let effort = self.params.strength.effort_at(board.empty_count());
        // What a move loses is asked in discs.
        let effort = SearchEffort { win_loss: effort.exact, ..effort };
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask {
            time: control.limits.time.map(|time| time / board.legal_moves().count_ones().max(1)),
            nodes: control.limits.playouts,
            clock: control.clock,
            stop: control.stop,
            ..SearchTask::new(effort, &mut silent)
        };
        let mut searcher = self.take_searcher();
        let mut moves = searcher.search_each_move(board, &mut task);
        self.searcher = Some(searcher);
        moves.sort_by_key(|found| (-found.score, found.mv));
        let best = moves.first()?.score;
        let losses: Vec<f64> = moves.iter().map(|found| f64::from(best - found.score)).collect();
        let wanted = wanted_loss(f64::from(self.params.errs) / 10.0, board.empty_count());
        let place = draw_erring_move(&losses, wanted, &mut move_stream(self.seed, position))?;
        Some(moves.swap_remove(place))
    }

    fn search_moves(&mut self, board: Board, control: &mut Control<'_, Othello>) -> Vec<FoundMove> {
        let mut effort = self.params.strength.effort_at(board.empty_count());
        if control.limits.infinite {
            effort = SearchEffort { depth: ALL_SQUARES, exact: ALL_SQUARES, win_loss: ALL_SQUARES, ..effort };
        }
        let all = control.allowed.is_none();
        let observer = &mut *control.observer;
        let mut told = |found: &FoundMove| {
            if all {
                observer(&build_report(std::slice::from_ref(found)));
            }
        };
        // Where moves are searched one by one they share the time.
        let searches = if all { 1 } else { board.legal_moves().count_ones().max(1) };
        let mut task = SearchTask {
            time: control.limits.time.map(|time| time / searches),
            nodes: control.limits.playouts,
            clock: control.clock,
            stop: control.stop,
            ..SearchTask::new(effort, &mut told)
        };
        let mut searcher = self.take_searcher();
        let found = if all {
            vec![searcher.search_board(board, &mut task)]
        } else {
            searcher.search_each_move(board, &mut task)
        };
        self.searcher = Some(searcher);
        found
    }
}

/// Discs by which the side that is ahead in an estimate wins about three games in four: how far estimates of a
/// middling search are from the result.
const DISCS_OF_DOUBT: f64 = 6.0;

/// The chance to win with such a score: known, or by a logistic curve.
fn win_rate(found: &FoundMove) -> f64 {
    match (found.meaning, found.score.signum()) {
        (ScoreMeaning::Exact | ScoreMeaning::WinLoss, sign) => f64::from(sign + 1) / 2.0,
        _ => 1.0 / (1.0 + (-f64::from(found.score) / DISCS_OF_DOUBT).exp()),
    }
}

/// What was found, in the words that all games share; nodes stand for playouts.
fn build_report(found: &[FoundMove]) -> SearchReport<Othello> {
    let line = |found: &FoundMove| MoveReport {
        mv: found.mv,
        visits: found.nodes,
        win_rate: win_rate(found),
        lower_bound: win_rate(found),
        score: f64::from(found.score),
        variation: found.variation.iter().map(|&square| Move::Play(square)).collect(),
        ..MoveReport::unsearched_move(found.mv)
    };
    let moves: Vec<MoveReport<Othello>> = found.iter().map(line).collect();
    let Some(best) = moves.first() else { return SearchReport::default() };
    let (win_rate, score) = (best.win_rate, best.score);
    let playouts = moves.iter().map(|mv| mv.visits).sum();
    SearchReport { playouts, win_rate, score, moves, ..SearchReport::default() }
}

impl Engine<Othello> for SearchPlayer {
    fn name(&self) -> &str {
        "othello"
    }

    fn spec(&self) -> String {
        let SearchPlayerParams { strength, threads, hash_bits, book, reuse, errs } = self.params;
        let book = if book { "yes" } else { "no" };
        let reuse = if reuse { ",reuse=yes" } else { "" };
        let errs = if errs > 0 { format!(",errs={errs}") } else { String::new() };
        format!("othello:{strength},threads={threads},hash={hash_bits},book={book}{reuse}{errs}")
    }

    /// With `reuse` a game begins here: the table is emptied.
    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
        if let Some(searcher) = &mut self.searcher {
            searcher.clear_table();
        }
    }

    fn choose(
        &mut self,
        position: &Position,
        color: Color,
        control: &mut Control<'_, Othello>,
    ) -> Choice<Othello> {
        let board = board_of(position, color);
        if board.legal_moves() == 0 {
            return Choice::without_search(Move::Pass);
        }
        if let Some(mv) = self.book_move(position, board, control) {
            return Choice::without_search(mv);
        }
        let errs = self.params.errs > 0 && control.allowed.is_none() && !control.limits.infinite;
        let mut found = match self.params.strength {
            _ if errs => self.human_move(position, board, control).into_iter().collect::<Vec<FoundMove>>(),
            SearchStrength::Level(level) if level.blur_deviation() > 0.0 && control.allowed.is_none() => {
                let make = |seed, searcher| LevelPlayer::new(level, seed, searcher);
                vec![self.erring_move(make, board, control)]
            }
            SearchStrength::Rating(rating) if control.allowed.is_none() => {
                let make = |seed, searcher| LevelPlayer::rated(rating, seed, searcher);
                vec![self.erring_move(make, board, control)]
            }
            _ => self.search_moves(board, control),
        };
        let allowed = allowed_squares(board, control);
        found.retain(|found| found.mv.square().is_some_and(|square| allowed.contains(&square)));
        // A search that was stopped before it began may have looked at no allowed move.
        let first = || allowed.first().map_or(Move::Pass, |&square| Move::Play(square));
        let mv = found.first().map_or_else(first, |best| best.mv);
        let report = build_report(&found);
        (control.observer)(&report);
        Choice { action: EngineAction::Move(mv), report }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::create_othello_player;
    use ishi_engine::{AnswerPurpose, SearchLimits, StoppedClock};
    use std::time::Duration;

    /// The moves of a game that an engine plays with itself, and the positions that it visited.
    fn play_game(engine: &mut dyn Engine<Othello>, plies: usize) -> (String, u64) {
        let (mut game, mut visited) = (Position::from_transcript("f5d6c3d3c4f4f6").unwrap(), 0);
        for _ in 0..plies {
            game.pass_if_forced();
            let mut silent = |_: &SearchReport<Othello>| {};
            let mut control = Control {
                limits: SearchLimits::default(),
                clock: &StoppedClock,
                stop: &|| false,
                allowed: None,
                purpose: AnswerPurpose::Play,
                may_resign: false,
                move_ownership: false,
                observer: &mut silent,
                report_every: Duration::from_secs(3600),
            };
            let color = game.to_move();
            let choice = engine.choose(&game, color, &mut control);
            visited += choice.report.playouts;
            let EngineAction::Move(mv) = choice.action else { panic!("it never resigns") };
            game.play(mv).unwrap();
        }
        (game.to_transcript(), visited)
    }

    /// With `reuse` what was found serves the next move, so that fewer positions are visited; from `set_seed` on a game is as the first one.
    #[test]
    fn a_table_that_is_kept_saves_work_and_games_can_be_repeated() {
        let make = |reuse: &str| {
            let spec = format!("othello:depth=8,exact=12,confidence=95,book=no{reuse}");
            create_othello_player(&spec, Seed::new(1)).unwrap()
        };
        let (mut keeping, mut forgetting) = (make(",reuse=yes"), make(""));
        let first = play_game(&mut *keeping, 12);
        assert!(first.1 < play_game(&mut *forgetting, 12).1, "{first:?}");
        assert_ne!(play_game(&mut *keeping, 12).1, first.1, "the table knows the game now");
        keeping.set_seed(Seed::new(1));
        assert_eq!(play_game(&mut *keeping, 12), first);
        assert_eq!(
            keeping.spec(),
            "othello:depth=8,exact=12,win_loss=16,confidence=95,threads=1,hash=20,book=no,reuse=yes"
        );
    }

    /// A player that errs loses more the more it is told to, plays the same game again with the same seed, and another with another.
    #[test]
    fn errors_like_a_persons_are_as_large_as_is_told() {
        let player = |spec: &str, seed| create_othello_player(spec, Seed::new(seed)).unwrap();
        let spec = "othello:depth=3,exact=6,confidence=100,errs=30";
        let first = play_game(&mut *player(spec, 1), 20).0;
        assert_eq!(play_game(&mut *player(spec, 1), 20).0, first);
        assert_ne!(play_game(&mut *player(spec, 2), 20).0, first);
        let lost = |errs: u32| {
            let spec = format!("othello:depth=3,exact=6,confidence=100,book=no,errs={errs}");
            (1..=4).map(|seed| discs_lost(&play_game(&mut *player(&spec, seed), 20).0)).sum::<i32>()
        };
        let (few, many) = (lost(5), lost(60));
        assert!(few * 2 < many, "{few} discs lost, {many} when it errs more");
        let errors = create_othello_player("othello:level=3,errs=10", Seed::new(1)).err().unwrap();
        assert!(errors.to_string().contains("level must be 10 or more"));
        assert!(player(spec, 1).spec().ends_with(",errs=30"));
    }

    /// What the moves of a game lose beyond its opening, by the same shallow search.
    fn discs_lost(transcript: &str) -> i32 {
        let game = Position::from_transcript(transcript).unwrap();
        let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
        let effort = SearchEffort { depth: 3, exact: 6, win_loss: 6, confidence: CutConfidence::Full };
        let (mut at, mut lost) = (Position::start(), 0);
        for (number, &(_, mv)) in game.moves().iter().enumerate() {
            if number >= 7 && mv != Move::Pass {
                let mut silent = |_: &FoundMove| {};
                let found = searcher.search_each_move(at.board(), &mut SearchTask::new(effort, &mut silent));
                let played = found.iter().find(|found| found.mv == mv).unwrap().score;
                lost += found[0].score - played;
            }
            at.play(mv).unwrap();
        }
        lost
    }

    /// A rating is a player of its own: it plays what the player of the library plays, does without the book, and stands alone.
    #[test]
    fn a_rating_plays_as_its_player_does() {
        let mut engine = create_othello_player("othello:rating=1000", Seed::new(3)).unwrap();
        assert_eq!(engine.spec(), "othello:rating=1000,threads=1,hash=16,book=yes");
        let game = Position::from_transcript(&play_game(&mut *engine, 20).0).unwrap();
        let searcher = Searcher::new(SearchParams { hash_bits: 16, threads: 1 });
        let mut player = LevelPlayer::rated(Rating::new(1000).unwrap(), Seed::new(3), searcher);
        let (mut at, mut own) = (Position::start(), 0);
        for (number, &(_, mv)) in game.moves().iter().enumerate() {
            if number >= 7 && mv != Move::Pass {
                let limits = levels::LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
                player.searcher().clear_table();
                assert_eq!(player.choose_move(at.board(), limits).mv, mv, "move {number}");
                own += 1;
            }
            at.play(mv).unwrap();
        }
        assert_eq!(own, 20);
        for given in ["level=3", "depth=4", "exact=10", "win_loss=12", "confidence=95", "errs=0"] {
            let spec = format!("othello:rating=1000,{given}");
            let error = create_othello_player(&spec, Seed::new(1)).err().unwrap().to_string();
            let (key, _) = given.split_once('=').unwrap();
            assert!(error.starts_with(&format!("rating and {key} together:")), "{error}");
        }
        let error = create_othello_player("othello:rating=1", Seed::new(1)).err().unwrap().to_string();
        assert!(error.starts_with("invalid rating \"1\": a rating must be a number from "), "{error}");
    }

    /// Without it a move depends on nothing that was asked before.
    #[test]
    fn without_reuse_nothing_is_kept() {
        let mut engine = create_othello_player("othello:level=11,book=no", Seed::new(1)).unwrap();
        let first = play_game(&mut *engine, 8);
        assert_eq!(play_game(&mut *engine, 8), first);
    }
}
