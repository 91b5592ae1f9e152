//! Generated worlds: pieces, the decks that players would build of them, and the scores that follow from those decks.
//!
//! The article's table of scores is not public, so searches and proofs are measured on worlds of the same shape: a few elements,
//! rarities that cost, versions of one character that count as the same, leaders, a cost limit that binds. What makes deck
//! building hard for local search, and easy for bounds, is that players play *archetypes* (here: themes). So decks are drawn first, from themes
//! with noise, and scores are counted from the decks, as they would be from a game's log.
//!
//! How a world is drawn (all of it from the seed; the numbers are fields of [`WorldOptions`]):
//! - A piece has one element, a rarity and a cost: rare pieces cost 16 to 20, middle ones 11 to 15, common ones 5 to 10, in the shares
//!   25, 45 and 30 %; a deck of sixteen costs 200 at most, so sixteen pieces of a mean cost of 12.5 fit. Rare pieces are wanted more.
//! - Three pieces of ten are versions of a character, two to four of the same element; at most one (of every fifth character: two) may be in
//!   a deck.
//! - A theme has an element, a core of 10 to 14 pieces that most of its decks hold and a fringe of 15 to 30 that some do; one piece of ten
//!   is of another element. Themes overlap, because popular pieces are drawn into several.
//! - Three pieces of a hundred are staples, which go into any deck.
//! - A player draws a theme (popularity falls as 1 / rank^0.8), one of its leaders, then pieces of core, fringe, staples and, as
//!   noise, anything, by their weights, never above the cost limit or a group's limit, and with ten pieces of the element; when
//!   nothing drawn fits any more, the dearest piece is put back.
//!
//! With [`CostScheme::Tiers`] the three rarities cost 20, 10 and 5 and nothing between. Then many decks cost exactly 200, and between them no single swap
//! leads: three tens have to give way to a twenty and two fives at once, as in the article's worked example ([`worked_example`]).
//!
//! [`DeckWorld::build_pool`] scores a pair by the cosine of its counts, `n(a, b) / sqrt(n(a) n(b))`, where at least [`LEAST_TOGETHER`] decks hold
//! both, and 0 elsewhere; a leader's pairs are counted apart, over the decks that it leads.

use std::sync::Arc;

use ishi_rng::{Rng, Seed};

use crate::pool::{Piece, PieceGroup, PieceId, Pool};
use crate::problem::{Deck, Problem, Slot};
use crate::request::{AttributeQuota, DeckRequest, LeaderRule};
use crate::table::PairScoreTable;

/// Units in a score of 1.
const UNITS: f64 = 10_000.0;

/// A pair that fewer decks hold scores nothing: such counts are chance.
pub const LEAST_TOGETHER: usize = 3;

/// The names of the first elements.
const ELEMENTS: [&str; 5] = ["dragon", "god", "demon", "beast", "machine"];

/// The numbers of a generated world.
#[derive(Clone, PartialEq, Debug)]
pub struct WorldOptions {
    /// Pieces, at least [`LEAST_PIECES`].
    pub pieces: usize,
    /// Elements, at least 1.
    pub elements: usize,
    /// Themes, at least 1.
    pub themes: usize,
    /// Decks of players.
    pub decks: usize,
    /// Pieces of a deck, the leader among them.
    pub size: usize,
    /// What a deck may cost.
    pub limit: i64,
    /// Pieces of the chosen element, at least.
    pub quota: usize,
    /// The share of a deck's draws that take anything.
    pub noise: f64,
    /// What pieces cost.
    pub costs: CostScheme,
}

/// What pieces of a world cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CostScheme {
    /// Every cost from 5 to 20, by rarity.
    #[default]
    Even,
    /// 20, 10 or 5, by rarity: costs that trap searches by single swaps.
    Tiers,
}

/// A world with fewer pieces has no room for themes.
pub const LEAST_PIECES: usize = 60;

impl WorldOptions {
    /// The article's shape for so many pieces: three elements, a theme for every 40 pieces (6 to 80), ten decks a piece,
    /// sixteen pieces of at most 200, ten of the element.
    #[must_use]
    pub fn for_pieces(pieces: usize) -> WorldOptions {
        WorldOptions {
            pieces,
            elements: 3,
            themes: (pieces / 40).clamp(6, 80),
            decks: pieces * 10,
            size: 16,
            limit: 200,
            quota: 10,
            noise: 0.06,
            costs: CostScheme::Even,
        }
    }

    /// The same with costs of 20, 10 and 5 only.
    #[must_use]
    pub fn with_tiered_costs(pieces: usize) -> WorldOptions {
        WorldOptions { costs: CostScheme::Tiers, ..WorldOptions::for_pieces(pieces) }
    }
}

/// An archetype.
#[derive(Clone, PartialEq, Debug)]
pub struct DeckTheme {
    /// Its element.
    pub element: usize,
    /// Its pieces with their weights, the core first.
    pub pieces: Vec<(PieceId, f64)>,
    /// Pieces of the core.
    pub core: usize,
    /// The pieces that lead its decks.
    pub leaders: Vec<PieceId>,
    /// Its weight among the themes.
    pub popularity: f64,
}

/// A deck of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerDeck {
    /// Its theme.
    pub theme: usize,
    /// The leader first.
    pub pieces: Vec<PieceId>,
}

/// A generated world.
///
/// ```
/// use ishi_deck::generate::{DeckWorld, WorldOptions};
/// use ishi_rng::Seed;
/// let pool = DeckWorld::new(Seed::new(1), WorldOptions::for_pieces(60)).build_pool();
/// assert_eq!(pool.pieces.len(), 60);
/// assert_eq!(pool.check_parts(), Ok(()));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct DeckWorld {
    /// Its numbers.
    pub options: WorldOptions,
    /// The pieces, their own scores 0.
    pub pieces: Vec<Piece>,
    /// Versions of one character.
    pub groups: Vec<PieceGroup>,
    /// The archetypes.
    pub themes: Vec<DeckTheme>,
    /// Pieces that go anywhere.
    pub staples: Vec<PieceId>,
    /// What players play.
    pub decks: Vec<PlayerDeck>,
}

/// Who leads, in a [`RequestCase`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaderCase {
    /// Nobody.
    Nobody,
    /// One of the theme's leaders.
    Given,
    /// Whoever is best.
    Free,
}

/// What a request to a world looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestCase {
    /// Who leads.
    pub leading: LeaderCase,
    /// Pieces of one theme's core that are fixed.
    pub fixed: usize,
    /// Of the world's pieces so many are owned, the fixed ones and the leader among them; `None` means all.
    pub owned: Option<usize>,
}

impl DeckWorld {
    /// Draws a world.
    ///
    /// # Panics
    /// If there are fewer pieces than [`LEAST_PIECES`], or no elements, themes or pieces of a deck.
    #[must_use]
    pub fn new(seed: Seed, options: WorldOptions) -> DeckWorld {
        assert!(options.pieces >= LEAST_PIECES, "a world of at least {LEAST_PIECES} pieces");
        assert!(options.elements > 0 && options.themes > 0 && options.size > 0, "an empty world");
        let (mut pieces, wanted) = draw_pieces(&mut seed.stream("pieces", 0), &options);
        let groups = draw_groups(&mut seed.stream("groups", 0), &mut pieces);
        let mut rng = seed.stream("staples", 0);
        let staples: Vec<PieceId> = {
            let count = (options.pieces * 3 / 100).max(2);
            let weights: Vec<f64> = wanted.clone();
            sample_by_weight(&mut rng, &weights, count).into_iter().map(piece_id).collect()
        };
        let themes = (0..options.themes)
            .map(|at| draw_theme(&mut seed.stream("theme", at as u64), at, &pieces, &wanted))
            .collect();
        let mut world = DeckWorld { options, pieces, groups, themes, staples, decks: Vec::new() };
        let popularity: Vec<f64> = world.themes.iter().map(|theme| theme.popularity).collect();
        let chooser = WeightedChooser::new(popularity);
        world.decks = (0..world.options.decks)
            .filter_map(|at| world.draw_deck(&mut seed.stream("deck", at as u64), &chooser))
            .collect();
        world
    }

    /// The pool with scores by association over the players' decks.
    #[must_use]
    pub fn build_pool(&self) -> Pool {
        let (pairs, leaders) = self.count_score_tables();
        self.build_pool_with(pairs, Some(leaders), UNITS)
    }

    /// The pool with scores that were counted elsewhere.
    #[must_use]
    pub fn build_pool_with(
        &self,
        pairs: PairScoreTable,
        leaders: Option<PairScoreTable>,
        units: f64,
    ) -> Pool {
        Pool {
            pieces: self.pieces.clone(),
            resources: vec!["cost".into()],
            attributes: (0..self.options.elements).map(element_name).collect(),
            groups: self.groups.clone(),
            pairs,
            leaders,
            units,
        }
    }

    /// The theme of request number `index`, by its place in [`DeckWorld::themes`].
    #[must_use]
    pub fn theme_of_request(&self, seed: Seed, index: u64) -> usize {
        seed.stream("request", index).next_index(self.themes.len())
    }

    /// A request of the article's shape, number `index`: its theme, fixed pieces, leader and owned pieces follow from the seed. The
    /// element asked for is the theme's.
    #[must_use]
    pub fn draw_request(&self, seed: Seed, index: u64, case: RequestCase) -> DeckRequest {
        let mut rng = seed.stream("request", index);
        let theme = &self.themes[rng.next_index(self.themes.len())];
        let fixed = self.draw_fixed(&mut rng, theme, case.fixed);
        let leader = match case.leading {
            LeaderCase::Nobody => LeaderRule::None,
            LeaderCase::Free => LeaderRule::Any,
            LeaderCase::Given => {
                let fits: Vec<PieceId> = theme
                    .leaders
                    .iter()
                    .copied()
                    .filter(|&leader| self.fits_group_limit(&fixed, leader))
                    .collect();
                LeaderRule::OneOf(vec![*rng.choose(&fits).or(fixed.first()).unwrap_or(&theme.leaders[0])])
            }
        };
        let needed = fixed.iter().chain(match &leader {
            LeaderRule::OneOf(ids) => ids.as_slice(),
            _ => &[],
        });
        let owned = case.owned.map(|count| self.draw_owned(&mut rng, needed.copied().collect(), count));
        let options = &self.options;
        DeckRequest {
            limits: vec![Some(options.limit)],
            quotas: vec![AttributeQuota { attribute: theme.element, at_least: options.quota, at_most: None }],
            leader,
            owned,
            fixed,
            ..DeckRequest::with_size(options.size..=options.size, 1)
        }
    }

    /// May the piece join these, as far as groups go?
    fn fits_group_limit(&self, chosen: &[PieceId], piece: PieceId) -> bool {
        let Some(group) = self.pieces[piece.index()].group else { return !chosen.contains(&piece) };
        let others = chosen.iter().filter(|&&other| self.pieces[other.index()].group == Some(group)).count();
        !chosen.contains(&piece) && others < self.groups[group].limit
    }

    fn draw_fixed(&self, rng: &mut Rng, theme: &DeckTheme, count: usize) -> Vec<PieceId> {
        let mut core: Vec<PieceId> = theme.pieces[..theme.core].iter().map(|&(id, _)| id).collect();
        rng.shuffle(&mut core);
        let mut fixed = Vec::new();
        for piece in core {
            if fixed.len() < count && self.fits_group_limit(&fixed, piece) {
                fixed.push(piece);
            }
        }
        fixed.sort_unstable();
        fixed
    }

    fn draw_owned(&self, rng: &mut Rng, needed: Vec<PieceId>, count: usize) -> Vec<(PieceId, usize)> {
        let mut others: Vec<PieceId> =
            (0..self.pieces.len()).map(piece_id).filter(|piece| !needed.contains(piece)).collect();
        rng.shuffle(&mut others);
        let mut owned = needed;
        owned.sort_unstable();
        owned.dedup();
        others.truncate(count.saturating_sub(owned.len()));
        owned.extend(others);
        owned.sort_unstable();
        owned.into_iter().map(|piece| (piece, 1)).collect()
    }

    /// A deck, or nothing if what was drawn leaves no way to complete it.
    fn draw_deck(&self, rng: &mut Rng, themes: &WeightedChooser) -> Option<PlayerDeck> {
        let at = themes.draw_index(rng);
        let theme = &self.themes[at];
        let leader = *rng.choose(&theme.leaders)?;
        let mut pieces = vec![leader];
        let weights: Vec<f64> = theme.pieces.iter().map(|&(_, weight)| weight).collect();
        let own = WeightedChooser::new(weights);
        let mut fruitless = 0;
        for _ in 0..self.options.size * 100 {
            if pieces.len() == self.options.size {
                return Some(PlayerDeck { theme: at, pieces });
            }
            let kind = rng.next_unit();
            let piece = if kind < self.options.noise {
                piece_id(rng.next_index(self.pieces.len()))
            } else if kind < self.options.noise + 0.08 {
                *rng.choose(&self.staples)?
            } else {
                theme.pieces[own.draw_index(rng)].0
            };
            if self.fits_group_limit(&pieces, piece) && self.can_complete_with(&pieces, piece, theme.element)
            {
                pieces.push(piece);
                fruitless = 0;
            } else {
                fruitless += 1;
            }
            if fruitless == 40 && pieces.len() > 1 {
                // Too dear: a player does without the dearest.
                let cost = |at: &usize| (self.pieces[pieces[*at].index()].costs[0], *at);
                if let Some(dearest) = (1..pieces.len()).max_by_key(cost) {
                    pieces.remove(dearest);
                }
                fruitless = 0;
            }
        }
        None
    }

    /// Can the deck still be completed with this piece: by pieces of the least cost, and with enough of the element?
    fn can_complete_with(&self, chosen: &[PieceId], piece: PieceId, element: usize) -> bool {
        const LEAST_COST: i64 = 5;
        let cost = |id: PieceId| self.pieces[id.index()].costs[0];
        let of_element = |id: PieceId| self.pieces[id.index()].attributes[0] == element;
        let left = self.options.size - chosen.len() - 1;
        let spent: i64 = chosen.iter().map(|&id| cost(id)).sum::<i64>() + cost(piece);
        let others = chosen.iter().filter(|&&id| !of_element(id)).count() + usize::from(!of_element(piece));
        spent + left as i64 * LEAST_COST <= self.options.limit
            && others + self.options.quota.min(self.options.size) <= self.options.size
    }

    /// Pair scores and leader scores by the cosine.
    fn count_score_tables(&self) -> (PairScoreTable, PairScoreTable) {
        let side = self.pieces.len();
        let mut single = vec![0u32; side];
        let mut led = vec![0u32; side];
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut leading: Vec<(u32, u32)> = Vec::new();
        for deck in &self.decks {
            let leader = deck.pieces[0];
            led[leader.index()] += 1;
            leading.extend(deck.pieces[1..].iter().map(|piece| (leader.0, piece.0)));
            for (at, &a) in deck.pieces.iter().enumerate() {
                single[a.index()] += 1;
                pairs.extend(deck.pieces[at + 1..].iter().map(|b| (a.0.min(b.0), a.0.max(b.0))));
            }
        }
        let score = |together: usize, a: u32, b: u32| {
            (together as f64 / (f64::from(a) * f64::from(b)).sqrt() * UNITS).round() as i32
        };
        let pairs: Vec<(u32, u32, i32)> = count_frequent_pairs(pairs)
            .map(|((a, b), count)| (a, b, score(count, single[a as usize], single[b as usize])))
            .collect();
        let leading = count_frequent_pairs(leading)
            .map(|((a, b), count)| (a, b, score(count, led[a as usize], single[b as usize])));
        (
            PairScoreTable::from_symmetric_entries(side, &pairs),
            PairScoreTable::from_entries(side, leading.collect()),
        )
    }
}

/// The article's worked example (section 「解を少し変える」方法を考える and those on depth 1 to 3), with a deck that is its start: 16 pieces of at most
/// 200, the deck 4 of cost 20 and 12 of cost 10 is worth 1500; 5, 11 and none of cost 5 are worth 1800 and cost 210; 5, 10 and 1 are worth
/// 1700 and cost 205; 5, 9 and 2 are worth 1600, which is the best within the limit.
///
/// The article gives these values and no scores. Here a pair's score depends on its two costs only: 59 for 20 and 20, 17 for 20 and 10, 5
/// for 10 and 10, 1 for 20 and 5, 3 for 10 and 5, 1 for 5 and 5. There are 5, 16 and 8 pieces of the three costs, so that a ten can take
/// the place of a ten.
///
/// # Panics
/// Never: the pool and the request are sound.
#[must_use]
pub fn worked_example() -> (Problem, Deck) {
    const NUMBERS: [(i64, usize); 3] = [(20, 5), (10, 16), (5, 8)];
    let costs: Vec<i64> =
        NUMBERS.iter().flat_map(|&(cost, number)| std::iter::repeat_n(cost, number)).collect();
    let piece = |(at, &cost): (usize, &i64)| Piece {
        name: format!("cost {cost}, number {}", at + 1),
        costs: vec![cost],
        ..Piece::default()
    };
    let side = costs.len();
    let cell =
        |at: usize| if at / side == at % side { 0 } else { tier_score(costs[at / side], costs[at % side]) };
    let pool = Pool {
        pieces: costs.iter().enumerate().map(piece).collect(),
        resources: vec!["cost".into()],
        attributes: Vec::new(),
        groups: Vec::new(),
        pairs: PairScoreTable::from_cells(side, (0..side * side).map(cell).collect()),
        leaders: None,
        units: 1.0,
    };
    let request = DeckRequest { limits: vec![Some(200)], ..DeckRequest::with_size(16..=16, 1) };
    let problem = Problem::new(Arc::new(pool), &request).expect("the request fits the pool");
    let twenties = 0..4;
    let tens = 5..17;
    (problem, Deck::new(twenties.chain(tens).map(Slot).collect(), None))
}

/// The score of a pair in the worked example, by its two costs.
fn tier_score(a: i64, b: i64) -> i32 {
    match (a.max(b), a.min(b)) {
        (20, 20) => 59,
        (20, 10) => 17,
        (10, 10) => 5,
        (10, 5) => 3,
        _ => 1,
    }
}

/// A pool that is all traps of tight costs: the [`worked_example`] with any number of pieces of each cost (a quarter of 20, 45 % of 10, the
/// rest of 5), every score multiplied by a number drawn evenly from 0.5 to 1.5. With 16 pieces of at most 200, decks of 4, 12 and 0 pieces
/// of the three costs, of 5, 9 and 2, and so on to 8, 0 and 8, grow better, and no single swap leads from one to the next. There are
/// no attributes and no groups.
#[must_use]
pub fn trap_pool(seed: Seed, pieces: usize) -> Pool {
    const SCALE: f64 = 1000.0;
    let mut rng = seed.stream("traps", 0);
    let mut cost = || match rng.next_unit() {
        rare if rare < 0.25 => 20,
        middle if middle < 0.70 => 10,
        _ => 5,
    };
    let costs: Vec<i64> = (0..pieces).map(|_| cost()).collect();
    let mut rng = seed.stream("trap scores", 0);
    let mut cells = vec![0; pieces * pieces];
    for a in 0..pieces {
        for b in a + 1..pieces {
            let score = f64::from(tier_score(costs[a], costs[b])) * SCALE * (0.5 + rng.next_unit());
            cells[a * pieces + b] = score.round() as i32;
            cells[b * pieces + a] = cells[a * pieces + b];
        }
    }
    let piece = |(at, &cost): (usize, &i64)| Piece {
        name: format!("piece {:04}", at + 1),
        costs: vec![cost],
        ..Piece::default()
    };
    Pool {
        pieces: costs.iter().enumerate().map(piece).collect(),
        resources: vec!["cost".into()],
        attributes: Vec::new(),
        groups: Vec::new(),
        pairs: PairScoreTable::from_cells(pieces, cells),
        leaders: None,
        units: SCALE,
    }
}

/// A pool of the hopeless structure: every pair scores 0 to 1, each score equally likely, whatever the pieces are. Costs are drawn as in a
/// world, nothing counts as the same.
#[must_use]
pub fn random_dense_pool(seed: Seed, pieces: usize) -> Pool {
    let options = WorldOptions::for_pieces(pieces);
    let (drawn, _) = draw_pieces(&mut seed.stream("pieces", 0), &options);
    let mut rng = seed.stream("scores", 0);
    let mut cells = vec![0; pieces * pieces];
    for a in 0..pieces {
        for b in a + 1..pieces {
            let score = rng.next_below(UNITS as u32 + 1) as i32;
            cells[a * pieces + b] = score;
            cells[b * pieces + a] = score;
        }
    }
    Pool {
        pieces: drawn,
        resources: vec!["cost".into()],
        attributes: (0..options.elements).map(element_name).collect(),
        groups: Vec::new(),
        pairs: PairScoreTable::from_cells(pieces, cells),
        leaders: None,
        units: UNITS,
    }
}

/// A pool of real cards with scores that were counted elsewhere. Real decks have no costs here, so they are made up by a rule: cards are
/// ranked by the number of decks that hold them, `share` is the share of cards with a lower rank, and a card costs
/// `5 + round(11 share + 4 u)`, where `u` is drawn evenly from 0 to 1 by the seed and the card's place. So what everybody plays is dear, and
/// sixteen cards of the limit of 200 cannot all be popular. There are no attributes and no groups.
///
/// # Panics
/// If names, counts and tables are not of the same cards.
#[must_use]
pub fn real_pool(
    seed: Seed,
    names: &[String],
    counts: &[u64],
    pairs: PairScoreTable,
    leaders: Option<PairScoreTable>,
    units: f64,
) -> Pool {
    assert!(names.len() == counts.len() && names.len() == pairs.side(), "tables of other cards");
    let mut ranked: Vec<usize> = (0..names.len()).collect();
    ranked.sort_by_key(|&at| (counts[at], at));
    let mut costs = vec![0; names.len()];
    for (rank, &at) in ranked.iter().enumerate() {
        let share = rank as f64 / names.len() as f64;
        let drawn = seed.stream("cost", at as u64).next_unit();
        costs[at] = 5 + (11.0 * share + 4.0 * drawn).round() as i64;
    }
    let piece =
        |(name, cost): (&String, i64)| Piece { name: name.clone(), costs: vec![cost], ..Piece::default() };
    Pool {
        pieces: names.iter().zip(costs).map(piece).collect(),
        resources: vec!["cost".into()],
        attributes: Vec::new(),
        groups: Vec::new(),
        pairs,
        leaders,
        units,
    }
}

/// The pairs that are there [`LEAST_TOGETHER`] times, with their counts.
fn count_frequent_pairs(mut pairs: Vec<(u32, u32)>) -> impl Iterator<Item = ((u32, u32), usize)> {
    pairs.sort_unstable();
    let runs: Vec<((u32, u32), usize)> =
        pairs.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
    runs.into_iter().filter(|&(_, count)| count >= LEAST_TOGETHER)
}

fn piece_id(at: usize) -> PieceId {
    PieceId(at as u32)
}

fn element_name(at: usize) -> String {
    ELEMENTS.get(at).map_or_else(|| format!("element {}", at + 1), ToString::to_string)
}

/// Pieces, and how much players want each.
fn draw_pieces(rng: &mut Rng, options: &WorldOptions) -> (Vec<Piece>, Vec<f64>) {
    let mut pieces = Vec::with_capacity(options.pieces);
    let mut wanted = Vec::with_capacity(options.pieces);
    for at in 0..options.pieces {
        let element = rng.next_index(options.elements.max(1));
        let rarity = rng.next_unit();
        let (least, kinds, want) = match rarity {
            rare if rare < 0.25 => (16, 5, 2.0),
            middle if middle < 0.70 => (11, 5, 1.0),
            _ => (5, 6, 0.6),
        };
        let drawn = i64::from(rng.next_below(kinds));
        let cost = match options.costs {
            CostScheme::Even => least + drawn,
            CostScheme::Tiers => *[5, 10, 20].iter().rfind(|&&tier| tier <= least + 4).unwrap_or(&5),
        };
        // A few pieces of any rarity are much better than the rest.
        wanted.push(want * (0.3 + rng.next_unit().powi(3) * 3.0));
        pieces.push(Piece {
            name: format!("piece {:04}", at + 1),
            costs: vec![cost],
            attributes: vec![element],
            ..Piece::default()
        });
    }
    (pieces, wanted)
}

/// Versions of characters: neighbours of one element.
fn draw_groups(rng: &mut Rng, pieces: &mut [Piece]) -> Vec<PieceGroup> {
    let mut groups = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let versions = 2 + rng.next_index(3);
        // Three of ten pieces: groups have three pieces on average, so one start in eight.
        if rng.chance(0.125) && at + versions <= pieces.len() {
            let limit = if rng.chance(0.2) { 2 } else { 1 };
            let element = pieces[at].attributes.clone();
            for piece in &mut pieces[at..at + versions] {
                piece.group = Some(groups.len());
                piece.attributes.clone_from(&element);
            }
            groups.push(PieceGroup { name: format!("character {}", groups.len() + 1), limit });
            at += versions;
        } else {
            at += 1;
        }
    }
    groups
}

fn draw_theme(rng: &mut Rng, at: usize, pieces: &[Piece], wanted: &[f64]) -> DeckTheme {
    let elements = pieces.iter().flat_map(|piece| &piece.attributes).max().map_or(1, |&most| most + 1);
    // In turn, so that every element has themes.
    let element = at % elements;
    let core = 10 + rng.next_index(5);
    let count = (core + 15 + rng.next_index(16)).min(pieces.len() / 2);
    let weights: Vec<f64> = (0..pieces.len())
        .map(|piece| wanted[piece] * if pieces[piece].attributes[0] == element { 1.0 } else { 0.05 })
        .collect();
    let drawn = sample_by_weight(rng, &weights, count);
    let weight = |place: usize, rng: &mut Rng| {
        if place < core { 2.0 + rng.next_unit() * 2.0 } else { 0.15 + rng.next_unit() * 0.45 }
    };
    let members: Vec<(PieceId, f64)> =
        drawn.iter().enumerate().map(|(place, &piece)| (piece_id(piece), weight(place, rng))).collect();
    // Leaders are the dearest of the core.
    let mut leaders: Vec<PieceId> = members[..core].iter().map(|&(piece, _)| piece).collect();
    leaders.sort_by_key(|piece| (std::cmp::Reverse(pieces[piece.index()].costs[0]), *piece));
    leaders.truncate(1 + rng.next_index(3));
    let popularity = 1.0 / ((at + 1) as f64).powf(0.8);
    DeckTheme { element, pieces: members, core, leaders, popularity }
}

/// Draws places by weight.
struct WeightedChooser {
    sums: Vec<f64>,
}

impl WeightedChooser {
    fn new(weights: Vec<f64>) -> WeightedChooser {
        let mut sum = 0.0;
        let sums = weights.into_iter().map(|weight| {
            sum += weight;
            sum
        });
        WeightedChooser { sums: sums.collect() }
    }

    fn draw_index(&self, rng: &mut Rng) -> usize {
        let all = self.sums.last().copied().unwrap_or(0.0);
        let at = rng.next_unit() * all;
        self.sums.partition_point(|&sum| sum <= at).min(self.sums.len() - 1)
    }
}

/// Draws so many different places by weight, one after the other.
fn sample_by_weight(rng: &mut Rng, weights: &[f64], count: usize) -> Vec<usize> {
    // The largest keys u^(1/w): Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006.
    let mut keys: Vec<(f64, usize)> = weights
        .iter()
        .enumerate()
        .map(|(at, &weight)| (rng.next_unit().max(f64::MIN_POSITIVE).ln() / weight.max(1e-9), at))
        .collect();
    keys.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    keys.into_iter().take(count).map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_keeps_its_own_rules() {
        let world = DeckWorld::new(Seed::new(7), WorldOptions::for_pieces(300));
        assert_eq!(world, DeckWorld::new(Seed::new(7), WorldOptions::for_pieces(300)));
        assert!(world.decks.len() > 2_900, "{} decks of 3000", world.decks.len());
        let pool = Arc::new(world.build_pool());
        pool.check_parts().unwrap();
        let mut dear = 0;
        for deck in world.decks.iter().step_by(17) {
            let mut request = DeckRequest::with_size(16..=16, 1);
            request.limits = vec![Some(200)];
            let attribute = world.themes[deck.theme].element;
            request.quotas = vec![AttributeQuota { attribute, at_least: 10, at_most: None }];
            request.fixed.clone_from(&deck.pieces);
            request.leader = LeaderRule::OneOf(vec![deck.pieces[0]]);
            let problem = Problem::new(Arc::clone(&pool), &request).unwrap();
            let deck = crate::Deck::new(problem.fixed().to_vec(), Some(problem.leaders().unwrap()[0]));
            assert_eq!(problem.check_deck(&deck), Ok(()));
            dear += usize::from(problem.deck_cost(&deck, 0) > 185);
        }
        assert!(dear > world.decks.len() / 17 / 2, "the limit binds: {dear}");
    }

    #[test]
    fn tiers_are_three_costs_and_bind() {
        let world = DeckWorld::new(Seed::new(7), WorldOptions::with_tiered_costs(300));
        let costs: std::collections::BTreeSet<i64> =
            world.pieces.iter().map(|piece| piece.costs[0]).collect();
        assert_eq!(costs.into_iter().collect::<Vec<_>>(), [5, 10, 20]);
        let cost = |deck: &PlayerDeck| -> i64 {
            deck.pieces.iter().map(|piece| world.pieces[piece.index()].costs[0]).sum()
        };
        let full = world.decks.iter().filter(|deck| cost(deck) == 200).count();
        assert!(full * 3 > world.decks.len(), "{full} of {} decks cost all", world.decks.len());
        let request = world.draw_request(
            Seed::new(1),
            4,
            RequestCase { leading: LeaderCase::Nobody, fixed: 3, owned: None },
        );
        let theme = &world.themes[world.theme_of_request(Seed::new(1), 4)];
        let core = &theme.pieces[..theme.core];
        assert!(request.fixed.iter().all(|piece| core.iter().any(|(other, _)| other == piece)));
    }

    #[test]
    fn requests_of_every_kind_make_problems() {
        let world = DeckWorld::new(Seed::new(3), WorldOptions::for_pieces(200));
        let pool = Arc::new(world.build_pool());
        for leading in [LeaderCase::Nobody, LeaderCase::Given, LeaderCase::Free] {
            for (fixed, owned) in [(0, None), (3, Some(120))] {
                for index in 0..5 {
                    let request =
                        world.draw_request(Seed::new(1), index, RequestCase { leading, fixed, owned });
                    assert_eq!(request.fixed.len(), fixed);
                    let problem = Problem::new(Arc::clone(&pool), &request).unwrap();
                    assert_eq!(problem.len(), owned.unwrap_or(200));
                }
            }
        }
    }

    #[test]
    fn dense_and_real_pools_are_sound() {
        let traps = trap_pool(Seed::new(1), 80);
        traps.check_parts().unwrap();
        assert!((1..80).all(|at| traps.pieces[at].costs[0] != 20 || traps.pairs.get(0, at) > 0));
        random_dense_pool(Seed::new(1), 80).check_parts().unwrap();
        let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5)]);
        let pool = real_pool(Seed::new(1), &names, &[9, 1, 4], pairs, None, 1.0);
        pool.check_parts().unwrap();
        let costs: Vec<i64> = pool.pieces.iter().map(|piece| piece.costs[0]).collect();
        assert!((12..=16).contains(&costs[0]) && (5..=9).contains(&costs[1]), "{costs:?}");
    }
}
