//! What a move is like: the features of every candidate in a position.
//!
//! A feature is a number; a move has at most one of each [`Group`]. The tactical groups follow Coulom (2007, table 1) and
//! Pachi's prioritised features, refined by liberties and ladders; the keyed groups are shapes, named by hash numbers, of
//! which a table knows some.

use ishi_go::{Board, Chain, Color, Point, Position};
use ishi_reading::{Ladder, liberties_after};

use crate::shape::{LARGEST, SMALLEST, ShapeGrid, offset_distance, offset_key};

/// The position that is to be judged.
#[derive(Clone, Copy, Debug)]
pub struct MoveContext<'a> {
    /// The board, with its ko ban.
    pub board: &'a Board,
    /// Whose move it is.
    pub to_move: Color,
    /// The last move, the opponent's, if it was no pass.
    pub last: Option<Point>,
    /// The move before that, one's own.
    pub before: Option<Point>,
}

impl<'a> MoveContext<'a> {
    /// The position as it stands, with its last two moves.
    pub fn from_position(position: &'a Position) -> MoveContext<'a> {
        let moves = position.moves();
        let back = |count: usize| moves.len().checked_sub(count).and_then(|at| moves[at].1.point());
        MoveContext { board: position.board(), to_move: position.to_move(), last: back(1), before: back(2) }
    }
}

/// Takes the features of one candidate.
pub trait FeatureSink {
    /// A tactical feature.
    fn add_fixed(&mut self, feature: usize);
    /// A shape of a keyed group; is it known, so that larger ones are worth asking for?
    fn add_keyed(&mut self, group: usize, key: u64) -> bool;
}

/// The groups of tactical features, each with the number of its features.
macro_rules! groups {
    ($($name:ident = $count:expr, $about:expr;)*) => {
        /// A group of tactical features: a move has at most one of each group.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Group { $(#[doc = $about] $name),* }

        impl Group {
            /// All groups in order.
            pub const ALL: &'static [Group] = &[$(Group::$name),*];
            const COUNTS: &'static [usize] = &[$($count),*];
            /// What the features of a group tell.
            pub const fn about(self) -> &'static str {
                match self { $(Group::$name => $about),* }
            }
        }
    };
}

groups! {
    Capture = 128, "captures: size of the chain, what own chain it saves, last move, dead anyway, ko";
    Extend = 48, "saves a chain in atari: size, liberties then, lost in a ladder, put into atari by the last move";
    SelfAtari = 12, "puts itself into atari: size, whether it captures or gives atari";
    Atari = 144, "gives atari: size, ladder, last move, liberties then, ko";
    DoubleAtari = 1, "gives atari to two chains or more";
    DefendTwo = 48, "a liberty of an own chain with two: size, threatened by a ladder, liberties then, last move";
    AttackThree = 24, "a liberty of an enemy chain with three: size, last move, liberties then";
    DefendThree = 24, "a liberty of an own chain with three: size, last move, liberties then";
    Contact = 96, "liberties then, own and enemy chains that it touches";
    Place = 220, "the two distances to the edge, stage of the game";
    Last = 40, "distance to the last move; whether that one touched own stones";
    Before = 20, "distance to one's own last move";
    Eye = 4, "fills an own eye or plays into an enemy one";
    Ko = 4, "what it does while a ko may not be retaken";
    Nearest = 100, "distances to the nearest own and enemy stones";
    Race = 72, "liberties of an enemy chain and of the weakest own chain that touches it, sizes";
    Pressed = 30, "a liberty of an own chain that the last move touches";
    Counter = 16, "a liberty of an enemy chain that touches own chains in danger";
    Chase = 18, "a liberty of the chain that just moved";
}

/// Where the features of each group begin.
const STARTS: [usize; Group::ALL.len() + 1] = {
    let mut starts = [0; Group::ALL.len() + 1];
    let mut group = 0;
    while group < Group::ALL.len() {
        starts[group + 1] = starts[group] + Group::COUNTS[group];
        group += 1;
    }
    starts
};

/// Number of tactical features.
pub const FIXED: usize = STARTS[Group::ALL.len()];

impl Group {
    /// The features of the group.
    pub const fn feature_range(self) -> std::ops::Range<usize> {
        STARTS[self as usize]..STARTS[self as usize + 1]
    }

    #[inline(always)]
    fn feature_at(self, index: usize) -> usize {
        debug_assert!(index < Self::COUNTS[self as usize], "{self:?} {index}");
        STARTS[self as usize] + index
    }
}

/// Keyed groups: first the shapes by distance, then the three below.
pub const KEYED: usize = LARGEST - SMALLEST + 4;
/// The diamond of twelve points with the liberties of chains.
pub const NEAR: usize = LARGEST - SMALLEST + 1;
/// The same around the last move, and where the candidate lies from there.
pub const RESPONSE: usize = NEAR + 1;
/// The same around the candidate, and where the last move lies from there.
pub const NEAR_LAST: usize = NEAR + 2;

/// What is known of a chain.
#[derive(Clone, Copy, Debug, Default)]
struct ChainInfo {
    /// Up to [`COUNTED`].
    liberties: u8,
    /// 0 for one stone, 1 for two, 2 for up to four, 3 for more.
    size: u8,
    /// In atari: its owner cannot save it. Two liberties: its opponent catches it in a ladder by the first or the second (bits).
    ladder: u8,
    /// The last move touches it or belongs to it.
    last: bool,
    /// Liberties of the weakest chain of the other colour that touches it (9 if none), and whether that is lost in a ladder.
    weakest: u8,
    weakest_lost: bool,
    first: u16,
}

impl ChainInfo {
    /// Two liberties: is the chain caught in a ladder by the one that is played here?
    #[inline(always)]
    fn ladder_works_at(&self, point: Point) -> bool {
        let bit = u8::from(usize::from(self.first) != point.index());
        self.liberties == 2 && self.ladder >> bit & 1 != 0
    }
}

/// What a point is like for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointKind {
    /// A stone.
    Stone {
        /// Of the side to move?
        own: bool,
        /// The liberties of its chain, 1 to 5; 5: five or more.
        liberties: u8,
        /// At most two liberties: in atari and not to be saved, or caught in a ladder.
        ladder: bool,
    },
    /// No move of the side to move.
    Forbidden,
    /// A move.
    Free {
        /// The liberties of its chain after the move, 1 to 3; 3: three or more.
        liberties: u8,
        /// Does it capture?
        captures: bool,
        /// Does it catch a chain of two liberties in a ladder?
        ladder: bool,
    },
}

impl PointKind {
    /// Kinds in all.
    pub(crate) const COUNT: usize = 27;

    /// Its number, below [`PointKind::COUNT`].
    pub(crate) fn kind_number(self) -> usize {
        match self {
            PointKind::Stone { own, liberties, ladder } => {
                let liberties = usize::from(liberties);
                let kind =
                    if liberties <= 2 { 2 * (liberties - 1) + usize::from(ladder) } else { liberties + 1 };
                7 * usize::from(own) + kind
            }
            PointKind::Forbidden => 14,
            PointKind::Free { liberties, captures, ladder } => {
                15 + (usize::from(liberties) - 1) * 4 + usize::from(captures) * 2 + usize::from(ladder)
            }
        }
    }
}

/// Liberties are counted up to this.
const COUNTED: usize = 6;

/// A game's second, third and fourth stage begin when this share of the board is covered by stones.
const STAGES: [f64; 3] = [0.06, 0.2, 0.45];

/// Moves that a ladder may take.
const LADDER_LIMIT: u32 = 200;

/// Working memory for the features of a position; reused, so that nothing is allocated.
#[derive(Clone, Debug)]
pub struct FeatureScratch {
    infos: Vec<ChainInfo>,
    heads: Vec<Chain>,
    grid: ShapeGrid,
    ladder: Ladder,
    candidates: Vec<Point>,
    response: Option<crate::shape::ZobristSums>,
    stage: usize,
    last_touches: bool,
}

impl Default for FeatureScratch {
    fn default() -> Self {
        FeatureScratch::new()
    }
}

impl FeatureScratch {
    /// Working memory for boards of any size.
    pub fn new() -> FeatureScratch {
        FeatureScratch {
            infos: vec![ChainInfo::default(); Point::INDICES],
            heads: Vec::with_capacity(400),
            grid: ShapeGrid::new(),
            ladder: Ladder::new(LADDER_LIMIT),
            candidates: Vec::with_capacity(625),
            response: None,
            stage: 0,
            last_touches: false,
        }
    }

    /// The candidates of the prepared position: the moves that are neither suicide nor forbidden by ko, row by row from A1.
    pub fn candidates(&self) -> &[Point] {
        &self.candidates
    }

    /// Looks at chains and ladders of a position, and lists its candidates.
    pub fn prepare_position(&mut self, context: &MoveContext) {
        self.prepare_shapes(context);
        self.read_ladders(context);
        self.find_contacts(context);
    }

    /// [`FeatureScratch::prepare_position`] without what only tactical features need.
    pub(crate) fn prepare_shapes(&mut self, context: &MoveContext) {
        let board = context.board;
        self.gather_chains(context);
        let infos = &self.infos;
        self.grid.fill_from(board, context.to_move, |point| {
            board.chain(point).map_or(0, |chain| infos[chain.head().index()].liberties)
        });
        self.response =
            context.last.filter(|&last| board.color(last).is_some()).map(|last| self.grid.near_sums(last));
        let stones = board.stone_count(Color::Black) + board.stone_count(Color::White);
        let share = stones as f64 / board.size().area() as f64;
        self.stage = STAGES.iter().filter(|&&limit| share >= limit).count();
        self.last_touches = context.last.is_some_and(|last| {
            last.neighbours().into_iter().any(|n| board.color(n) == Some(context.to_move))
        });
        self.candidates.clear();
        self.candidates.extend(board.size().points().filter(|&point| board.is_legal(context.to_move, point)));
    }

    fn gather_chains(&mut self, context: &MoveContext) {
        let board = context.board;
        self.heads.clear();
        self.heads.extend(board.chains());
        for &chain in &self.heads {
            let (points, liberties) = board.first_liberties::<COUNTED>(chain);
            let size = match board.chain_length(chain) {
                1 => 0,
                2 => 1,
                3 | 4 => 2,
                _ => 3,
            };
            let first = points[0].index() as u16;
            let info =
                ChainInfo { liberties: liberties as u8, size, first, weakest: 9, ..ChainInfo::default() };
            self.infos[chain.head().index()] = info;
        }
        if let Some(last) = context.last {
            for point in last.neighbours().into_iter().chain([last]) {
                if let Some(chain) = board.chain(point) {
                    self.infos[chain.head().index()].last = true;
                }
            }
        }
    }

    fn read_ladders(&mut self, context: &MoveContext) {
        let board = context.board;
        for &chain in &self.heads {
            let info = &mut self.infos[chain.head().index()];
            info.ladder = match info.liberties {
                1 => u8::from(self.ladder.captures(board, chain)),
                2 if board.color(chain.head()) == Some(context.to_move) => {
                    u8::from(self.ladder.find_attack(board, chain).is_some())
                }
                2 => {
                    let (points, _) = board.first_liberties::<2>(chain);
                    let works = points.map(|point| self.ladder.does_catch(board, chain, point));
                    u8::from(works[0]) | u8::from(works[1]) << 1
                }
                _ => 0,
            };
        }
    }

    /// For the enemy's chains: the weakest own chain that touches them.
    fn find_contacts(&mut self, context: &MoveContext) {
        let board = context.board;
        for &chain in &self.heads {
            if board.color(chain.head()) != Some(context.to_move) {
                continue;
            }
            let own = self.infos[chain.head().index()];
            let lost = own.ladder != 0 && own.liberties <= 2;
            for stone in board.chain_stones(chain) {
                for n in stone.neighbours() {
                    if board.color(n) == Some(!context.to_move)
                        && let Some(enemy) = board.chain(n)
                    {
                        let info = &mut self.infos[enemy.head().index()];
                        if (own.liberties, !lost) < (info.weakest, !info.weakest_lost) {
                            info.weakest = own.liberties;
                            info.weakest_lost = lost;
                        }
                    }
                }
            }
        }
    }

    /// Tells the features of a candidate of the prepared position.
    #[inline(always)]
    pub fn emit_features(&self, context: &MoveContext, point: Point, sink: &mut impl FeatureSink) {
        self.emit_tactics(context, point, sink);
        self.emit_location(context, point, sink);
        self.emit_shapes(context, point, sink);
    }

    /// The shapes around the candidate and around the last move.
    #[inline(always)]
    pub(crate) fn emit_shapes(&self, context: &MoveContext, point: Point, sink: &mut impl FeatureSink) {
        self.grid.visit_shapes(point, |distance, key| sink.add_keyed(distance - SMALLEST, key));
        let near = self.grid.near_sums(point);
        sink.add_keyed(NEAR, near.shape_key(NEAR));
        if let Some(last) = context.last {
            if let Some(place) = offset_key(point, last) {
                let mut sums = near;
                sums.add_sums(place);
                sink.add_keyed(NEAR_LAST, sums.shape_key(NEAR_LAST));
            }
            if let Some(mut sums) = self.response
                && let Some(place) = offset_key(last, point)
            {
                sums.add_sums(place);
                sink.add_keyed(RESPONSE, sums.shape_key(RESPONSE));
            }
        }
    }

    /// What a point of the prepared position is like.
    pub(crate) fn point_kind(&self, context: &MoveContext, point: Point) -> PointKind {
        let (board, to_move) = (context.board, context.to_move);
        if let Some(chain) = board.chain(point) {
            let info = self.infos[chain.head().index()];
            let own = board.color(point) == Some(to_move);
            return PointKind::Stone { own, liberties: info.liberties.min(5), ladder: info.ladder != 0 };
        }
        if !board.is_legal(to_move, point) {
            return PointKind::Forbidden;
        }
        let around = TouchedChains::touched_by(self, context, point);
        let enemy = &around.enemy[..around.enemies];
        PointKind::Free {
            liberties: liberties_after::<3>(board, to_move, point).len() as u8,
            captures: enemy.iter().any(|info| info.liberties == 1),
            ladder: enemy.iter().any(|info| info.ladder_works_at(point)),
        }
    }

    /// Where the candidate lies.
    fn emit_location(&self, context: &MoveContext, point: Point, sink: &mut impl FeatureSink) {
        let size = context.board.size();
        let (column, row) = (point.column(), point.row());
        let x = column.min(size.width() - 1 - column).min(9);
        let y = row.min(size.height() - 1 - row).min(9);
        let (low, high) = (x.min(y), x.max(y));
        sink.add_fixed(Group::Place.feature_at((high * (high + 1) / 2 + low) * 4 + self.stage));
        if let Some(last) = context.last {
            sink.add_fixed(
                Group::Last.feature_at(capped_distance(point, last) * 2 + usize::from(self.last_touches)),
            );
        }
        if let Some(before) = context.before {
            sink.add_fixed(Group::Before.feature_at(capped_distance(point, before)));
        }
        let (own, enemy) = self.grid.nearest_stones(point, 11);
        sink.add_fixed(Group::Nearest.feature_at((own - 2) * 10 + enemy - 2));
    }

    /// What the candidate does to the chains that it touches.
    fn emit_tactics(&self, context: &MoveContext, point: Point, sink: &mut impl FeatureSink) {
        let (board, to_move) = (context.board, context.to_move);
        let then = liberties_after::<COUNTED>(board, to_move, point).len();
        let around = TouchedChains::touched_by(self, context, point);
        let (own, enemy) = (&around.own[..around.owns], &around.enemy[..around.enemies]);
        sink.add_fixed(
            Group::Contact.feature_at(((then - 1) * 4 + own.len().min(3)) * 4 + enemy.len().min(3)),
        );
        if own.is_empty() && enemy.is_empty() {
            return;
        }
        if around.closed {
            let eye = usize::from(board.is_eyelike(to_move, point))
                + 2 * usize::from(board.is_eyelike(!to_move, point));
            sink.add_fixed(Group::Eye.feature_at(eye));
        }
        self.emit_attack(board, enemy, then, point, sink);
        self.emit_defence(own, then, sink);
        let ataris = enemy.iter().filter(|info| info.liberties == 2).count();
        let captures = enemy.iter().any(|info| info.liberties == 1);
        if then == 1 {
            let size = own.iter().map(|info| 1 + usize::from(info.size)).max().unwrap_or(0).min(3);
            let does = if captures { 2 } else { usize::from(ataris > 0) };
            sink.add_fixed(Group::SelfAtari.feature_at(size * 3 + does));
        }
        if ataris > 1 {
            sink.add_fixed(Group::DoubleAtari.feature_at(0));
        }
        if board.ko_point().is_some() {
            let does = if captures {
                3
            } else if ataris > 0 {
                2
            } else {
                usize::from(own.iter().any(|info| info.liberties == 1))
            };
            sink.add_fixed(Group::Ko.feature_at(does));
        }
    }

    /// Enemy chains around.
    #[inline(always)]
    fn emit_attack(
        &self,
        board: &Board,
        enemy: &[ChainInfo],
        then: usize,
        point: Point,
        sink: &mut impl FeatureSink,
    ) {
        // Ties are broken by all that counts below, so that the order of the sides does not matter.
        let rank = |info: &&ChainInfo| {
            let contact = (9 - info.weakest, info.weakest_lost);
            (7 - info.liberties, info.size, info.last, info.ladder_works_at(point), contact, info.ladder != 0)
        };
        let Some(weakest) = enemy.iter().max_by_key(rank) else { return };
        let (size, last) = (usize::from(weakest.size), usize::from(weakest.last));
        match weakest.liberties {
            1 => {
                let saves = match (weakest.weakest, weakest.weakest_lost) {
                    (1, true) => 3,
                    (1, false) => 2,
                    (2, true) => 1,
                    _ => 0,
                };
                let dead = usize::from(weakest.ladder != 0);
                let ko = usize::from(size == 0 && then == 1);
                sink.add_fixed(
                    Group::Capture.feature_at((((size * 4 + saves) * 2 + last) * 2 + dead) * 2 + ko),
                );
            }
            2 => {
                let works =
                    if weakest.ladder_works_at(point) { 1 } else { usize::from(weakest.ladder != 0) * 2 };
                let ko = usize::from(board.ko_point().is_some());
                let then = then.min(3) - 1;
                sink.add_fixed(
                    Group::Atari.feature_at((((size * 3 + works) * 2 + last) * 3 + then) * 2 + ko),
                );
            }
            3 => sink.add_fixed(Group::AttackThree.feature_at((size * 2 + last) * 3 + then.clamp(2, 4) - 2)),
            _ => {}
        }
        if weakest.weakest <= 6 {
            let sizes = usize::from(size >= 2);
            let race = (usize::from(weakest.liberties.min(6)) - 1) * 6 + usize::from(weakest.weakest) - 1;
            sink.add_fixed(Group::Race.feature_at(race * 2 + sizes));
        }
        let danger = enemy
            .iter()
            .filter(|info| info.weakest <= 2)
            .max_by_key(|info| (info.weakest_lost, 3 - info.weakest));
        if let Some(info) = danger {
            let kind = usize::from(info.weakest == 1) * 2 + usize::from(info.weakest_lost);
            sink.add_fixed(Group::Counter.feature_at(kind * 4 + usize::from(weakest.liberties.min(4)) - 1));
        }
        if let Some(info) = enemy.iter().filter(|info| info.last).min_by_key(|info| info.liberties) {
            sink.add_fixed(
                Group::Chase.feature_at((usize::from(info.liberties.min(6)) - 1) * 3 + then.min(3) - 1),
            );
        }
    }

    /// Own chains around.
    #[inline(always)]
    fn emit_defence(&self, own: &[ChainInfo], then: usize, sink: &mut impl FeatureSink) {
        let rank = |info: &&ChainInfo| (7 - info.liberties, info.size, info.last, info.ladder);
        let Some(weakest) = own.iter().max_by_key(rank) else { return };
        let (size, last) = (usize::from(weakest.size), usize::from(weakest.last));
        let ladder = usize::from(weakest.ladder != 0);
        match weakest.liberties {
            1 => sink
                .add_fixed(Group::Extend.feature_at(((size * 3 + then.min(3) - 1) * 2 + ladder) * 2 + last)),
            2 => sink.add_fixed(
                Group::DefendTwo.feature_at(((size * 3 + then.clamp(2, 4) - 2) * 2 + ladder) * 2 + last),
            ),
            3 => sink.add_fixed(Group::DefendThree.feature_at((size * 3 + then.clamp(3, 5) - 3) * 2 + last)),
            _ => {}
        }
        if let Some(info) = own.iter().filter(|info| info.last).min_by_key(|info| info.liberties) {
            let liberties = usize::from(info.liberties.min(5)) - 1;
            sink.add_fixed(Group::Pressed.feature_at(liberties * 6 + then - 1));
        }
    }
}

/// The different chains that a candidate touches.
struct TouchedChains {
    own: [ChainInfo; 4],
    owns: usize,
    enemy: [ChainInfo; 4],
    enemies: usize,
    /// No neighbour is empty.
    closed: bool,
}

impl TouchedChains {
    #[inline(always)]
    fn touched_by(scratch: &FeatureScratch, context: &MoveContext, point: Point) -> TouchedChains {
        let board = context.board;
        let mut around = TouchedChains {
            own: [ChainInfo::default(); 4],
            owns: 0,
            enemy: [ChainInfo::default(); 4],
            enemies: 0,
            closed: true,
        };
        let mut seen = [None; 4];
        for (side, n) in point.neighbours().into_iter().enumerate() {
            let chain = board.chain(n);
            around.closed &= board.cell(n) != ishi_go::Cell::Empty;
            let Some(head) = chain else { continue };
            if seen.contains(&chain) {
                continue;
            }
            seen[side] = chain;
            let info = scratch.infos[head.head().index()];
            if board.color(n) == Some(context.to_move) {
                around.own[around.owns] = info;
                around.owns += 1;
            } else {
                around.enemy[around.enemies] = info;
                around.enemies += 1;
            }
        }
        around
    }
}

/// The distance of two points, capped so that it is an index below 20.
fn capped_distance(a: Point, b: Point) -> usize {
    let (dx, dy) = (a.column().abs_diff(b.column()), a.row().abs_diff(b.row()));
    offset_distance(dx as i32, dy as i32).min(19)
}
