//! What reading knows of groups, told to the playouts: a group that is proved dead is dead at the end of a playout even if it lived
//! there, and one that is proved alive, be it in seki, lives even if it was captured.
//!
//! Groups whose fate the first playouts leave open are read at the root, and again in every leaf whose path has changed what the proof
//! looked at. Reading is paid by playouts: each that passes through the same local position brings a few moves, and when these
//! are enough the group is read with as many. So the cost is a share of the search's, however long it is, and
//! leaves that matter are read deeper.

use std::collections::HashMap;

use ishi_go::{Board, Color, Point, playout, zobrist};
use ishi_reading::{LifeReader, Outcome, PointSet, Zone};

/// How much groups are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofParams {
    /// Moves read for each playout, over all groups; 0: none are read.
    pub moves: u32,
}

impl Default for ProofParams {
    fn default() -> Self {
        ProofParams { moves: 20 }
    }
}

impl ProofParams {
    /// Nothing is read.
    pub const OFF: ProofParams = ProofParams { moves: 0 };
}

/// Playouts before it is looked which groups are in doubt.
const FIRST_LOOK: u64 = 64;
/// A chain is in doubt if its points are no surer than this, in either direction.
const SURE: f64 = 0.9;
/// Groups that are followed at most.
const MOST_GROUPS: usize = 8;
/// Moves of the first reading; each further one has [`MORE`] times as many, up to the last.
const FIRST_MOVES: u32 = 500;
const MORE: u32 = 4;
const LAST_MOVES: u32 = 128_000;
/// Local positions that are remembered of a group: what comes later is not read.
const MOST_FOUND: usize = 20_000;

/// How a group stands in a local position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Alive,
    Dead,
    /// Who moves first decides.
    Critical,
}

/// What is known of a local position.
#[derive(Clone, Copy, Debug, Default)]
struct Local {
    visits: u64,
    /// Moves of the last reading, 0 before the first.
    read: u32,
    standing: Option<Standing>,
}

/// A group that is followed.
struct Group {
    owner: Color,
    stone: Point,
    stones: PointSet,
    /// Its stones and the space that it could make eyes in.
    core: PointSet,
    /// What its fate depends on.
    zone: PointSet,
    /// By the hash of what stands in the zone.
    found: HashMap<u64, Local>,
}

impl Group {
    fn key(&self, board: &Board) -> u64 {
        let stones = self.zone.iter().filter_map(|point| Some(zobrist::key(board.color(point)?, point)));
        let ko = board.ko().filter(|&point| self.zone.contains(point));
        let ko = ko.map_or(0, |point| (point.index() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        stones.fold(ko, |hash, key| hash ^ key)
    }

    /// How it stands on this board, if that is known, or has been paid for.
    fn standing(&mut self, board: &Board, paid: f64, reader: &mut LifeReader) -> Option<Standing> {
        if board.color(self.stone) != Some(self.owner) {
            return None;
        }
        let key = self.key(board);
        if self.found.len() == MOST_FOUND && !self.found.contains_key(&key) {
            return None;
        }
        let local = self.found.entry(key).or_default();
        local.visits += 1;
        let next = if local.read == 0 { FIRST_MOVES } else { local.read * MORE };
        // Two questions.
        let due = local.standing.is_none() && local.visits as f64 * paid >= f64::from(2 * next);
        if due && next <= LAST_MOVES {
            local.read = next;
            reader.set_most(next);
            local.standing = read(reader, board, self.stone);
        }
        local.standing
    }

    /// The points that have another owner in truth than at the end of a playout, and that owner; none if the playout was right.
    fn wrong_points(&self, standing: Standing, end: &Board) -> (PointSet, Color) {
        let survived = end.color(self.stone) == Some(self.owner);
        match standing {
            Standing::Alive if !survived => (self.stones, self.owner),
            Standing::Dead if survived => (self.core, !self.owner),
            _ => (PointSet::EMPTY, self.owner),
        }
    }
}

fn read(reader: &mut LifeReader, board: &Board, stone: Point) -> Option<Standing> {
    let kill = reader.die(board, stone)?.outcome;
    if kill == Outcome::Fails {
        return Some(Standing::Alive);
    }
    let save = reader.live(board, stone)?.outcome;
    // What hangs on threats is for the playouts to say.
    let is_dead = kill >= Outcome::KoFirst && save == Outcome::Fails;
    Some(if is_dead { Standing::Dead } else { Standing::Critical })
}

/// A stone of each chain whose fate the playouts leave open, those first about which most is open.
fn doubtful(root: &Board, ownership: &[i32], playouts: u64) -> Vec<Point> {
    let mut doubtful: Vec<(f64, Point)> = Vec::new();
    for chain in root.chains() {
        let stones: Vec<Point> = root.chain_stones(chain).collect();
        let sum: i32 = stones.iter().map(|stone| ownership[stone.index()]).sum();
        let doubt = SURE - (f64::from(sum) / (stones.len() as f64 * playouts as f64)).abs();
        if stones.len() > 1 && doubt > 0.0 {
            doubtful.push((doubt * stones.len() as f64, stones[0]));
        }
    }
    doubtful.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    doubtful.into_iter().map(|(_, stone)| stone).collect()
}

/// A point that has another owner at the end of a playout than it should: 1 Black, -1 White, 0 nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) point: Point,
    owner: i8,
    real: i8,
}

impl Wrong {
    /// What it changes of Black's lead.
    pub(crate) fn change(self) -> i8 {
        self.real - self.owner
    }
}

/// The groups of a search, and what a thread knows of them.
pub(crate) struct Proofs {
    params: ProofParams,
    reader: Option<Box<LifeReader>>,
    /// None: nobody has looked yet.
    groups: Option<Vec<Group>>,
    /// Those that are settled in the leaf.
    settled: Vec<(usize, Standing)>,
    wrong: Vec<Wrong>,
}

impl Proofs {
    pub(crate) fn new(params: ProofParams) -> Proofs {
        Proofs { params, reader: None, groups: None, settled: Vec::new(), wrong: Vec::new() }
    }

    /// Looks which groups of the root are in doubt, once enough playouts have been counted.
    pub(crate) fn look(&mut self, root: &Board, ownership: &[i32], playouts: u64) {
        if self.params.moves == 0 || self.groups.is_some() || playouts < FIRST_LOOK {
            return;
        }
        let reader = self.reader.get_or_insert_with(|| Box::new(LifeReader::new(LAST_MOVES)));
        let mut groups: Vec<Group> = Vec::new();
        for stone in doubtful(root, ownership, playouts) {
            let Some(owner) = root.color(stone) else { continue };
            let is_known = |group: &Group| group.owner == owner && group.core.contains(stone);
            if groups.len() == MOST_GROUPS || groups.iter().any(is_known) {
                continue;
            }
            let Some(Zone { core, all }) = reader.zone(root, stone) else { continue };
            let stones = core.iter().filter(|&point| root.color(point) == Some(owner)).collect();
            groups.push(Group { owner, stone, stones, core, zone: all, found: HashMap::new() });
        }
        self.groups = Some(groups);
    }

    /// Notes which groups are settled in a leaf.
    pub(crate) fn arrive(&mut self, leaf: &Board) {
        self.settled.clear();
        let (Some(groups), Some(reader)) = (&mut self.groups, &mut self.reader) else { return };
        let paid = f64::from(self.params.moves) / groups.len().max(1) as f64;
        for (number, group) in groups.iter_mut().enumerate() {
            let standing = group.standing(leaf, paid, reader);
            if let Some(standing) = standing.filter(|&standing| standing != Standing::Critical) {
                self.settled.push((number, standing));
            }
        }
    }

    /// What is wrong at the end of the playout from that leaf.
    pub(crate) fn correct(&mut self, end: &Board) -> &[Wrong] {
        self.wrong.clear();
        let mut seen = PointSet::EMPTY;
        for &(number, standing) in &self.settled {
            let Some(group) = self.groups.as_ref().and_then(|groups| groups.get(number)) else { continue };
            let (points, owner) = group.wrong_points(standing, end);
            let real = if owner == Color::Black { 1 } else { -1 };
            let points = points.without(&seen);
            seen.add(&points);
            let owners = points.iter().map(|point| Wrong { point, owner: playout::owner(end, point), real });
            self.wrong.extend(owners.filter(|point| point.change() != 0));
        }
        &self.wrong
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Diagram, Move};

    use super::*;

    fn board(rows: &str) -> Board {
        rows.parse::<Diagram>().unwrap().board().unwrap()
    }

    fn point(board: &Board, vertex: &str) -> Point {
        board.size().parse_point(vertex).unwrap()
    }

    /// Reads at once what it meets.
    fn proofs(root: &Board) -> Proofs {
        let mut proofs = Proofs::new(ProofParams { moves: 100_000 });
        proofs.look(root, &[0; Point::INDICES], FIRST_LOOK);
        proofs
    }

    /// Black's lead changes by so much where a playout from the leaf ends on this board.
    fn change(proofs: &mut Proofs, leaf: &Board, end: &Board) -> i32 {
        proofs.arrive(leaf);
        proofs.correct(end).iter().map(|point| i32::from(point.change())).sum()
    }

    const DEAD: &str = ". . . . . . .\n. . . . . . .\nO O O O O . .\nX X X X O . .\n. . X X O . .\n";
    const CRITICAL: &str = ". . . . . . .\n. . . . . . .\nO O O O O . .\nX X X X O . .\n. . . X O . .\n";

    const SEKI: &str = ". . . . . . . . . .\nO O O O O O O O . .\nX X X X X X X O . .\n. O O O O . X O . .\n";

    #[test]
    fn what_is_proved_dead_does_not_live_in_a_playout() {
        let root = board(DEAD);
        let mut proofs = proofs(&root);
        // Six stones and two points of Black's go to White.
        assert_eq!(change(&mut proofs, &root, &root), -16);
        let mut taken = root.clone();
        for vertex in ["A1", "B1"] {
            taken.play_unchecked(Color::White, Move::Play(point(&root, vertex)));
        }
        assert_eq!(taken.color(point(&root, "A2")), None, "captured");
        assert_eq!(change(&mut proofs, &root, &taken), 0, "nothing is wrong");
    }

    /// Who moves first decides: nothing is said at the root, and the leaves differ.
    #[test]
    fn leaves_are_read_where_the_path_has_changed_the_group() {
        let root = board(CRITICAL);
        let mut proofs = proofs(&root);
        assert_eq!(change(&mut proofs, &root, &root), 0);
        let vital = Move::Play(point(&root, "B1"));
        let (mut killed, mut saved) = (root.clone(), root.clone());
        killed.play_unchecked(Color::White, vital);
        saved.play_unchecked(Color::Black, vital);
        assert!(change(&mut proofs, &killed, &root) < -10);
        assert_eq!(change(&mut proofs, &saved, &root), 0, "it lives there");
        let captured = board(&DEAD.replace('X', "."));
        assert!(change(&mut proofs, &saved, &captured) > 5, "and does not die");
    }

    /// Whoever plays on the last two liberties loses his stones.
    #[test]
    fn a_seki_is_life() {
        let root = board(SEKI);
        let mut proofs = proofs(&root);
        // White has taken the corner in a playout: eight stones of Black's are Black's, on points that were White's.
        let captured = board(&SEKI.replace('X', "."));
        assert_eq!(change(&mut proofs, &root, &captured), 16);
        assert_eq!(change(&mut proofs, &root, &root), 0, "it stands");
    }

    #[test]
    fn what_is_sure_is_not_read_and_reading_is_paid() {
        let root = board(DEAD);
        let mut sure = Proofs::new(ProofParams { moves: 100_000 });
        sure.look(&root, &[60; Point::INDICES], FIRST_LOOK);
        assert_eq!(change(&mut sure, &root, &root), 0);
        let mut poor = Proofs::new(ProofParams { moves: 10 });
        poor.look(&root, &[0; Point::INDICES], FIRST_LOOK);
        assert_eq!(change(&mut poor, &root, &root), 0, "not paid yet");
        let playouts = (2..1000).find(|_| change(&mut poor, &root, &root) != 0);
        // Two groups share what is paid.
        assert_eq!(playouts, Some(200));
        let mut off = Proofs::new(ProofParams::OFF);
        off.look(&root, &[0; Point::INDICES], FIRST_LOOK);
        assert!(off.groups.is_none());
    }
}
