//! What reading knows of groups, told to the playouts: stones that are proved dead are dead at the end of a playout even if they lived
//! there, and stones that are proved alive, be it in seki, live even if they were captured. As [`LifeReader`] has it, a group that gets out is
//! alive, too.
//!
//! Groups whose fate the first playouts leave open are read at the root, and again in every leaf whose path has changed something in
//! their zone. Reading is paid by playouts: each that passes through the same local position brings a few moves, and when these
//! are enough the group is read with as many. So the cost is a share of the search's, and leaves that matter are read deeper. Each thread
//! reads for itself.

use std::collections::HashMap;

use ishi_go::{Board, Color, Point, playout, zobrist};
use ishi_reading::{LifeReader, PointSet, ReadingOutcome};

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
const FIRST_LOOK: u32 = 64;
/// A chain is in doubt if its points are no surer than this, in either direction.
const SURE: f64 = 0.9;
/// Groups that are followed at most.
const MOST_GROUPS: usize = 8;
/// Moves of the first reading; each further one has [`MORE`] times as many, up to the last, which takes some 30 ms.
const FIRST_MOVES: u32 = 500;
const MORE: u32 = 4;
const LAST_MOVES: u32 = 32_000;
/// Local positions that are remembered of a group: what comes later is not read.
const MOST_FOUND: usize = 20_000;

/// How a group stands in a local position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProvedStatus {
    /// Its enemy cannot kill it, even if it moves first.
    Alive,
    /// Its owner cannot save it, even if it moves first.
    Dead,
    /// Who moves first decides, or a ko.
    Open,
}

/// What is known of a local position.
#[derive(Clone, Copy, Debug, Default)]
struct LocalRecord {
    visits: u64,
    /// Moves of the last reading at most, 0 before the first; and those played so far.
    read: u32,
    spent: u32,
    standing: Option<ProvedStatus>,
}

/// A group that is followed.
struct FollowedGroup {
    owner: Color,
    stone: Point,
    /// Its stones and the space that it could make eyes in.
    core: PointSet,
    /// What its fate depends on.
    zone: PointSet,
    /// By the hash of what stands in the zone.
    found: HashMap<u64, LocalRecord>,
}

impl FollowedGroup {
    fn zone_hash(&self, board: &Board) -> u64 {
        let stones =
            self.zone.iter().filter_map(|point| Some(zobrist::stone_key(board.color(point)?, point)));
        stones.fold(0, |hash, key| hash ^ key)
    }

    /// How it stands on this board, if that is known, or has been paid for.
    fn status_on(&mut self, board: &Board, paid: f64, reader: &mut LifeReader) -> Option<ProvedStatus> {
        // A ban on retaking is over in two moves: nothing that rests on it is proved.
        if board.color(self.stone) != Some(self.owner) || board.ko_point().is_some() {
            return None;
        }
        let key = self.zone_hash(board);
        if self.found.len() == MOST_FOUND && !self.found.contains_key(&key) {
            return None;
        }
        let local = self.found.entry(key).or_default();
        local.visits += 1;
        let next = if local.read == 0 { FIRST_MOVES } else { local.read * MORE };
        // Two questions.
        let is_paid = local.visits as f64 * paid >= f64::from(local.spent + 2 * next);
        if local.standing.is_none() && is_paid && next <= LAST_MOVES {
            local.read = next;
            reader.set_move_limit(next);
            let is_same_fight = reader
                .life_zone(board, self.stone)
                .is_some_and(|zone| zone.all.difference(&self.zone).is_empty());
            local.standing = if is_same_fight {
                read_group_status(reader, board, self.stone, &mut local.spent)
            } else {
                Some(ProvedStatus::Open)
            };
        }
        local.standing
    }
}

/// How the group of a stone stands, if that can be read to the end. Adds the moves played.
fn read_group_status(
    reader: &mut LifeReader,
    board: &Board,
    stone: Point,
    spent: &mut u32,
) -> Option<ProvedStatus> {
    let kill = reader.read_death(board, stone);
    *spent += reader.moves_read();
    let kill = kill?.outcome;
    if kill == ReadingOutcome::Fails {
        return Some(ProvedStatus::Alive);
    }
    let save = reader.read_life(board, stone);
    *spent += reader.moves_read();
    // What hangs on threats is for the playouts to say.
    let is_dead = kill >= ReadingOutcome::KoFirst && save?.outcome == ReadingOutcome::Fails;
    Some(if is_dead { ProvedStatus::Dead } else { ProvedStatus::Open })
}

/// A stone of each chain whose fate the playouts leave open, those first about which most is open.
fn doubtful_stones(root: &Board, ownership: &[i32], playouts: u32) -> Vec<Point> {
    let mut doubtful: Vec<(f64, Point)> = Vec::new();
    for chain in root.chains() {
        let stones: Vec<Point> = root.chain_stones(chain).collect();
        let sum: i32 = stones.iter().map(|stone| ownership[stone.index()]).sum();
        let doubt = SURE - (f64::from(sum) / (stones.len() as f64 * f64::from(playouts))).abs();
        if stones.len() > 1 && doubt > 0.0 {
            doubtful.push((doubt * stones.len() as f64, stones[0]));
        }
    }
    doubtful.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    doubtful.into_iter().map(|(_, stone)| stone).collect()
}

/// A chain that is settled in a leaf.
struct SettledChain {
    owner: Color,
    stone: Point,
    stones: PointSet,
    lives: bool,
}

/// A point that has another owner at the end of a playout than it should: 1 Black, -1 White, 0 nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrongOwner {
    pub(crate) point: Point,
    owner: i8,
    real: i8,
}

impl WrongOwner {
    /// What it changes of Black's lead.
    pub(crate) fn change_of_lead(self) -> i8 {
        self.real - self.owner
    }
}

/// The groups of a search, and what a thread knows of them.
pub(crate) struct GroupProofs {
    params: ProofParams,
    reader: Option<Box<LifeReader>>,
    /// Owners of points in the first playouts, and how many these were.
    ownership: Vec<i32>,
    playouts: u32,
    /// None: nobody has looked yet.
    groups: Option<Vec<FollowedGroup>>,
    settled: Vec<SettledChain>,
    wrong: Vec<WrongOwner>,
}

impl GroupProofs {
    pub(crate) fn new(params: ProofParams) -> GroupProofs {
        GroupProofs {
            params,
            reader: None,
            ownership: Vec::new(),
            playouts: 0,
            groups: None,
            settled: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Sees the end of a playout; after the first ones it looks which groups of the root are in doubt.
    pub(crate) fn observe_end(&mut self, root: &Board, end: &Board) {
        if self.params.moves == 0 || self.groups.is_some() {
            return;
        }
        self.ownership.resize(Point::INDICES, 0);
        playout::add_ownership(end, &mut self.ownership);
        self.playouts += 1;
        if self.playouts == FIRST_LOOK {
            self.groups = Some(self.find_followed_groups(root));
        }
    }

    /// The groups in doubt that are closed in.
    fn find_followed_groups(&mut self, root: &Board) -> Vec<FollowedGroup> {
        let reader = self.reader.get_or_insert_with(|| Box::new(LifeReader::new(LAST_MOVES)));
        let mut groups: Vec<FollowedGroup> = Vec::new();
        for stone in doubtful_stones(root, &self.ownership, self.playouts) {
            if groups.len() == MOST_GROUPS {
                break;
            }
            let Some(owner) = root.color(stone) else { continue };
            if groups.iter().any(|group| group.owner == owner && group.core.contains(stone)) {
                continue;
            }
            if let Some(zone) = reader.life_zone(root, stone) {
                groups.push(FollowedGroup {
                    owner,
                    stone,
                    core: zone.core,
                    zone: zone.all,
                    found: HashMap::new(),
                });
            }
        }
        groups
    }

    /// A playout begins: notes which chains are settled in its leaf.
    pub(crate) fn begin_at_leaf(&mut self, leaf: &Board) {
        self.begin_uncorrected();
        let (Some(groups), Some(reader)) = (&mut self.groups, &mut self.reader) else { return };
        let paid = f64::from(self.params.moves) / groups.len().max(1) as f64;
        for group in groups {
            let lives = match group.status_on(leaf, paid, reader) {
                Some(ProvedStatus::Alive) => true,
                Some(ProvedStatus::Dead) => false,
                Some(ProvedStatus::Open) | None => continue,
            };
            let (owner, stone) = (group.owner, group.stone);
            // Groups that the path has joined are one.
            if self.settled.iter().any(|settled| settled.stones.contains(stone)) {
                continue;
            }
            let stones =
                leaf.chain(stone).map(|chain| leaf.chain_stones(chain).collect()).unwrap_or_default();
            self.settled.push(SettledChain { owner, stone, stones, lives });
        }
    }

    /// A playout begins whose end stands as it is.
    pub(crate) fn begin_uncorrected(&mut self) {
        self.settled.clear();
        self.wrong.clear();
    }

    /// Finds what is wrong at the end of the playout from that leaf. Gives what it changes of Black's lead.
    pub(crate) fn correct_end(&mut self, end: &Board) -> i32 {
        for settled in &self.settled {
            if (end.color(settled.stone) == Some(settled.owner)) == settled.lives {
                continue;
            }
            let owner = if settled.lives { settled.owner } else { !settled.owner };
            let real = if owner == Color::Black { 1 } else { -1 };
            let points = settled.stones.iter().map(|point| WrongOwner {
                point,
                owner: playout::point_ownership(end, point),
                real,
            });
            self.wrong.extend(points.filter(|point| point.change_of_lead() != 0));
        }
        self.wrong.iter().map(|point| i32::from(point.change_of_lead())).sum()
    }

    /// What the last playout had wrong.
    pub(crate) fn wrong_owners(&self) -> &[WrongOwner] {
        &self.wrong
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Move;

    use super::*;
    use crate::test_boards::{board_of_rows, point_of};

    /// Reads at once what it meets.
    fn proofs(root: &Board) -> GroupProofs {
        doubting(root, 100_000)
    }

    /// After playouts that left everything open.
    fn doubting(root: &Board, moves: u32) -> GroupProofs {
        let mut proofs = GroupProofs::new(ProofParams { moves });
        (proofs.ownership, proofs.playouts) = (vec![0; Point::INDICES], FIRST_LOOK);
        proofs.groups = Some(proofs.find_followed_groups(root));
        proofs
    }

    /// Black's lead changes by so much where a playout from the leaf ends on this board.
    fn change(proofs: &mut GroupProofs, leaf: &Board, end: &Board) -> i32 {
        proofs.begin_at_leaf(leaf);
        proofs.correct_end(end)
    }

    const DEAD: &str = ". . . . . . .\n. . . . . . .\nO O O O O . .\nX X X X O . .\n. . X X O . .\n";
    const CRITICAL: &str = ". . . . . . .\n. . . . . . .\nO O O O O . .\nX X X X O . .\n. . . X O . .\n";

    const SEKI: &str = ". . . . . . . . . .\nO O O O O O O O . .\nX X X X X X X O . .\n. O O O O . X O . .\n";

    #[test]
    fn what_is_proved_dead_does_not_live_in_a_playout() {
        let root = board_of_rows(DEAD);
        let mut proofs = proofs(&root);
        // Six stones of Black's are White's.
        assert_eq!(change(&mut proofs, &root, &root), -12);
        let mut taken = root.clone();
        for vertex in ["A1", "B1"] {
            taken.play_unchecked(Color::White, Move::Play(point_of(&root, vertex)));
        }
        assert_eq!(taken.color(point_of(&root, "A2")), None, "captured");
        assert_eq!(change(&mut proofs, &root, &taken), 0, "nothing is wrong");
    }

    /// Who moves first decides: nothing is said at the root, and the leaves differ.
    #[test]
    fn leaves_are_read_where_the_path_has_changed_the_group() {
        let root = board_of_rows(CRITICAL);
        let mut proofs = proofs(&root);
        assert_eq!(change(&mut proofs, &root, &root), 0);
        let vital = Move::Play(point_of(&root, "B1"));
        let (mut killed, mut saved) = (root.clone(), root.clone());
        killed.play_unchecked(Color::White, vital);
        saved.play_unchecked(Color::Black, vital);
        assert_eq!(change(&mut proofs, &killed, &root), -10);
        assert_eq!(change(&mut proofs, &saved, &root), 0, "it lives there");
        let captured = board_of_rows(&DEAD.replace('X', "."));
        // Six stones with the one that saved them; a point in the middle of the empty corner was nobody's.
        assert_eq!(change(&mut proofs, &saved, &captured), 11, "and does not die");
    }

    /// Whoever plays on the last two liberties loses his stones.
    #[test]
    fn a_seki_is_life() {
        let root = board_of_rows(SEKI);
        let mut proofs = proofs(&root);
        // White has taken the corner in a playout: Black's eight stones stand, on points that were White's.
        let captured = board_of_rows(&SEKI.replace('X', "."));
        assert_eq!(change(&mut proofs, &root, &captured), 16);
        assert_eq!(change(&mut proofs, &root, &root), 0, "it stands");
    }

    #[test]
    fn what_is_sure_is_not_read_and_reading_is_paid() {
        let root = board_of_rows(DEAD);
        let mut sure = GroupProofs::new(ProofParams { moves: 100_000 });
        (0..FIRST_LOOK).for_each(|_| sure.observe_end(&root, &root));
        assert_eq!(sure.groups.as_ref().map(Vec::len), Some(0));
        let mut poor = doubting(&root, 10);
        let playouts = (1..1000).find(|_| change(&mut poor, &root, &root) != 0);
        // Two groups share what is paid, for two questions of 500 moves.
        assert_eq!(playouts, Some(200));
        let mut off = GroupProofs::new(ProofParams::OFF);
        (0..FIRST_LOOK).for_each(|_| off.observe_end(&root, &root));
        assert!(off.groups.is_none());
    }

    /// Wherever it is: what is found while it lasts is not used.
    #[test]
    fn a_ban_on_retaking_proves_nothing() {
        let root = board_of_rows(DEAD);
        let mut proofs = proofs(&root);
        let mut elsewhere = board_of_rows(DEAD);
        elsewhere.set_ko(Some(point_of(&root, "G5")));
        assert_eq!(change(&mut proofs, &elsewhere, &root), 0);
        assert_eq!(change(&mut proofs, &root, &root), -12);
    }

    fn play_at_random(board: &mut Board, color: Color, moves: usize, rng: &mut ishi_rng::Rng) {
        let mut color = color;
        for _ in 0..moves {
            let mut points: Vec<Point> =
                board.empty_points().filter(|&p| board.is_sensible(color, p)).collect();
            points.sort_unstable();
            board.play_unchecked(color, rng.choose(&points).map_or(Move::Pass, |&point| point.into()));
            color = !color;
        }
    }

    /// Where the zone is as it was, what was proved at the root is what is found by reading again.
    #[test]
    fn what_the_zone_says_holds_wherever_it_is_the_same() {
        let mut rng = ishi_rng::Seed::new(5).stream("zones", 0);
        let (mut same, mut proved) = (0, 0);
        for _ in 0..30 {
            let mut root = Board::new(ishi_go::BoardSize::square(13).unwrap());
            play_at_random(&mut root, Color::Black, 110, &mut rng);
            root.set_ko(None);
            let mut proofs = doubting(&root, 0);
            let (mut groups, mut reader) = (proofs.groups.take().unwrap(), LifeReader::new(8000));
            for group in &mut groups {
                let Some(found) = read_group_status(&mut reader, &root, group.stone, &mut 0) else {
                    continue;
                };
                for _ in 0..20 {
                    let mut leaf = root.clone();
                    play_at_random(&mut leaf, Color::White, 1 + rng.next_index(8), &mut rng);
                    leaf.set_ko(None);
                    if group.zone_hash(&leaf) == group.zone_hash(&root) && leaf.hash() != root.hash() {
                        let again = read_group_status(&mut reader, &leaf, group.stone, &mut 0);
                        assert!(
                            again.is_none_or(|again| again == found),
                            "{found:?} {again:?} {} {root}{leaf}",
                            group.stone
                        );
                        same += 1;
                        proved += usize::from(found != ProvedStatus::Open);
                    }
                }
            }
        }
        assert!(same > 50 && proved > 20, "{same} {proved}");
    }
}
