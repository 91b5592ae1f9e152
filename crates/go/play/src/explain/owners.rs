//! Whose every point will be, and what changes that: the heart of what is said of a move.
//!
//! A judge says of every point how surely it will be Black's or White's. Two such maps, of two ways in which a position may go on, are held
//! against each other. Points that change together are an area, and the area that carries most of the difference is the reason.

use ishi_engine::SearchReport;
use ishi_go::{BoardSize, Color, Point};
use ishi_knowledge::{Analysis, ChainFacts, Group, LinkStrength};
use ishi_reading::PointSet;

use super::place::{BoardPlace, middle_point};

/// How much a point has to change, from a point that is lost for certain to one that is sure (2), before it is part of an area. Large
/// changes are looked for first: what changes by less everywhere is a reason only where nothing else is.
const LEAST_CHANGES: [f64; 3] = [0.5, 0.25, 0.12];
/// An area is the reason if it carries so much of the difference in lead.
const LEAST_SHARE: f64 = 1.0 / 3.0;
/// So much is enough where the moves are known and the area lies at one of them.
const LEAST_SHARE_NEAR: f64 = 0.2;
/// An area is at a move if one of its points lies within so many lines of it.
const REACH: usize = 3;
/// Differences in lead of less, in points, have no reason that is worth telling.
const LEAST_LEAD: f64 = 1.0;
/// Stones change hands if they are more one side's by so much in the one map, and more the other's by so much in the other.
const SIDED: f64 = 0.15;
/// The least change of stones that change hands, and of stones that become safer or weaker.
const CHANGES_HANDS: f64 = 0.5;
const BECOMES_SAFER: f64 = 0.3;
pub(super) const BECOMES_LITTLE_SAFER: f64 = 0.2;
/// Stones are what an area is about if they are so much of its gain: those that change hands, those that become safer, and those that
/// become a little safer.
const SHARE_OF_LIVES: f64 = 0.15;
const SHARE_OF_SAFETY: f64 = 0.25;
const SHARE_OF_LITTLE_SAFETY: f64 = 0.35;
/// Stones that are lost by so much in either way become neither safer nor weaker, nor do those that are safe by so much.
pub(super) const LOST: f64 = 0.5;
const SAFE: f64 = 0.6;
/// Another area is told besides if the first one carries less than this, and the other at least so much.
const LARGE_SHARE: f64 = 0.75;
const LEAST_SHARE_BESIDES: f64 = 0.25;
/// If the first one carries less than this, so much of the other is enough.
const LITTLE_SHARE: f64 = 0.5;
const LEAST_SHARE_BESIDE_LITTLE: f64 = 0.15;
/// Stones of the other side that change with those that an area is about are told, too, if they change by so much of what those do.
const SHARE_OF_RIVALS: f64 = 0.5;
/// A chain is named by its stone nearest to the moves if its usual name stands farther than so many lines from all of them. So is territory, by the
/// part of it that lies within so many lines.
const FAR_NAME: usize = 6;
/// Stones that are to live, or to die, do so for nearly certain from so much on.
const SURE_FATE: f64 = 0.5;
/// The rest of a difference lies close by an area if most of it lies within so many lines of that. Most is more than this share.
const CLOSE_BY: usize = 2;
const MOST_OF_REST: f64 = 0.5;
/// Points within so many lines of an area that change by so much in the same direction are counted with it: what it decides does not end where the
/// large changes do.
const AROUND: usize = 2;
const LEAST_AROUND: f64 = 0.05;
/// Territory is one side's from so much on.
pub(super) const OWNED: f64 = 0.3;

/// Whose every point will be: from -1 (White's for certain) to 1 (Black's).
#[derive(Clone, Debug, PartialEq)]
pub struct OwnerMap {
    size: BoardSize,
    /// By [`Point::index`].
    owners: Vec<f32>,
}

impl OwnerMap {
    /// Points with their owners, from -1 (White's) to 1 (Black's); others are nobody's.
    pub fn from_points(size: BoardSize, owners: impl IntoIterator<Item = (Point, f32)>) -> OwnerMap {
        let mut map = OwnerMap { size, owners: vec![0.0; Point::INDICES] };
        for (point, owner) in owners {
            map.owners[point.index()] = owner;
        }
        map
    }

    /// What a search says for the side that it chooses for; none if it does not say whose the points are.
    pub fn from_report(report: &SearchReport, chooser: Color, size: BoardSize) -> Option<OwnerMap> {
        let sign = if chooser == Color::Black { 1.0 } else { -1.0 };
        let owners = report.ownership.iter().map(|&(point, owner)| (point, sign * owner));
        (!report.ownership.is_empty()).then(|| OwnerMap::from_points(size, owners))
    }

    /// All points row by row from the upper left, in hundredths: -1 (White's) to 1 (Black's).
    pub fn to_rows(&self) -> Vec<f64> {
        let columns = 0..self.size.width();
        let points = (0..self.size.height()).rev().flat_map(|row| {
            let columns = columns.clone();
            columns.map(move |column| Point::new(column, row))
        });
        points.map(|point| (100.0 * self.owner_for(point, Color::Black)).round() / 100.0).collect()
    }

    /// How much a point is a side's: 1 for certain, -1 if it is the other's.
    pub fn owner_for(&self, point: Point, side: Color) -> f64 {
        let black = f64::from(self.owners[point.index()]);
        if side == Color::Black { black } else { -black }
    }

    /// The mean of the same over points; 0 if there are none.
    pub fn mean_for(&self, points: &PointSet, side: Color) -> f64 {
        let sum: f64 = points.iter().map(|point| self.owner_for(point, side)).sum();
        sum / points.len().max(1) as f64
    }
}

/// Points that become more one side's together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangedArea {
    /// The points.
    pub points: PointSet,
    /// What the side gains there, in points; a loss is negative.
    pub gain: f64,
}

/// What an area is about, as the side sees it that gains there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatterKind {
    /// Own stones live that die otherwise.
    SavesStones,
    /// The opponent's stones die that live otherwise.
    KillsStones,
    /// Own stones are safer.
    Strengthens,
    /// The opponent's stones are weaker.
    Weakens,
    /// Own territory.
    BuildsTerritory,
    /// The opponent has less territory.
    ReducesTerritory,
    /// What is the opponent's otherwise becomes one's own.
    TakesOver,
}

impl MatterKind {
    /// Is it about stones, and not about territory?
    pub fn is_about_stones(self) -> bool {
        use MatterKind::{KillsStones, SavesStones, Strengthens, Weakens};
        matches!(self, SavesStones | KillsStones | Strengthens | Weakens)
    }

    /// Is it about what is, or becomes, the gaining side's own?
    pub fn is_own(self) -> bool {
        use MatterKind::{BuildsTerritory, SavesStones, Strengthens, TakesOver};
        matches!(self, SavesStones | Strengthens | BuildsTerritory | TakesOver)
    }
}

/// The area that carries most of a difference, and what it is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarryingReason {
    /// What it is about.
    pub kind: MatterKind,
    /// Who gains.
    pub side: Color,
    /// The stones that it is about; none for territory.
    pub stones: PointSet,
    /// The largest chain of these, by its name: of those in the place where most of them stand.
    pub stone: Option<Point>,
    /// Of these those that stand in a second place, and those in all others: in other groups, and more than two steps away.
    pub apart: [PointSet; 2],
    /// Are they the gaining side's for nearly certain in the better way, and the other's in the worse one? Always so of territory.
    pub is_sure: [bool; 2],
    /// Where.
    pub area: ChangedArea,
    /// The points around it that change by less in the same direction: they are counted with it.
    pub around: PointSet,
    /// The same in words.
    pub place: BoardPlace,
    /// The point in the middle of the area; an empty one, if it has some.
    pub middle: Option<Point>,
    /// What it carries of the difference in lead, up to 1.
    pub share: f64,
    /// What it is worth, in points: no more than the difference in lead.
    pub points: f64,
}

impl CarryingReason {
    /// The stones that its name stands for: without those that stand in another place.
    pub fn named_stones(&self) -> PointSet {
        let [second, others] = &self.apart;
        self.stones.difference(second).difference(others)
    }

    /// The points that are counted: those of its area, and those around it.
    pub fn counted_points(&self) -> PointSet {
        self.area.points.union(&self.around)
    }

    /// Whose stones or territory it is about.
    pub fn owner(&self) -> Color {
        if self.kind.is_own() { self.side } else { !self.side }
    }
}

/// Where most of a difference lies that no area carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestPlace {
    /// Right around the area that carries the other part.
    CloseBy,
    /// In a part of the board.
    In(BoardPlace),
}

/// Why one way to go on is better than another.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// One area carries a third of the difference at least.
    Carried(Box<CarryingReason>),
    /// No area does: there are small differences all over the board.
    Spread,
    /// The difference is too small for a reason, or nobody says whose the points are.
    Unknown,
}

impl Cause {
    fn carried_by(reason: CarryingReason) -> Cause {
        Cause::Carried(Box::new(reason))
    }

    /// The area that carries the difference, and what it is about.
    pub fn carrying(&self) -> Option<&CarryingReason> {
        match self {
            Cause::Carried(reason) => Some(reason),
            Cause::Spread | Cause::Unknown => None,
        }
    }

    /// The same, to be changed.
    pub(super) fn carrying_mut(&mut self) -> Option<&mut CarryingReason> {
        match self {
            Cause::Carried(reason) => Some(reason),
            Cause::Spread | Cause::Unknown => None,
        }
    }
}

/// Does an area lie at one of these moves?
pub(super) fn is_at(area: &PointSet, moves: &PointSet) -> bool {
    moves.iter().any(|mv| area.iter().any(|point| point.lines_to(mv) <= REACH))
}

/// The stone by which a chain is named where these moves are told: its usual one, unless that is far from all of them.
fn name_near(chain: &ChainFacts, moves: &PointSet) -> Point {
    let lines = |stone: Point| moves.iter().map(|mv| mv.lines_to(stone)).min();
    match lines(chain.name()) {
        Some(away) if away > FAR_NAME => {
            chain.stones.iter().min_by_key(|&stone| (lines(stone), stone)).unwrap_or(chain.name())
        }
        _ => chain.name(),
    }
}

/// The points by which an area is named where these moves are told: all, unless their middle is far from all of the moves and others are not.
fn part_near(points: PointSet, moves: &PointSet) -> PointSet {
    let is_near = |point: &Point| moves.iter().any(|mv| mv.lines_to(*point) <= FAR_NAME);
    let near: PointSet = points.iter().filter(is_near).collect();
    let is_far = middle_point(&points).is_some_and(|middle| !is_near(&middle));
    if is_far && !near.is_empty() { near } else { points }
}

/// Two ways in which a position goes on, held against each other.
#[derive(Clone, Copy)]
pub struct OwnerChange<'a> {
    /// What is known of the position.
    pub analysis: &'a Analysis,
    /// Who gains by the better way.
    pub side: Color,
    /// Whose the points are after the better way.
    pub gaining: &'a OwnerMap,
    /// Whose they are after the worse way.
    pub losing: &'a OwnerMap,
}

impl OwnerChange<'_> {
    /// Why the better way is better by so many points.
    pub fn find_cause(&self, lead: f64) -> Cause {
        if lead < LEAST_LEAD {
            return Cause::Unknown;
        }
        let carrying = self.find_carrying(lead, LEAST_SHARE, |_| true, &PointSet::EMPTY);
        carrying.map_or(Cause::Spread, Cause::carried_by)
    }

    /// The same where the moves are known that make the difference: an area that is far from all of them is what happens later by chance,
    /// and no reason.
    pub fn find_cause_near(&self, lead: f64, moves: &PointSet) -> Cause {
        if lead < LEAST_LEAD {
            return Cause::Unknown;
        }
        let is_near = |area: &ChangedArea| is_at(&area.points, moves);
        let found = [LEAST_SHARE, LEAST_SHARE_NEAR]
            .into_iter()
            .find_map(|share| self.find_carrying(lead, share, is_near, moves));
        found.map_or(Cause::Spread, Cause::carried_by)
    }

    /// What is told beside what carries a difference in lead, at the moves that make it: stones of a group that change beside territory,
    /// stones of the other side that change beside stones, or else the next area, if the first is little of the difference.
    pub fn find_besides(
        &self,
        carrying: &CarryingReason,
        lead: f64,
        moves: &PointSet,
    ) -> Option<CarryingReason> {
        let beside = match carrying.kind.is_about_stones() {
            true => self.find_rival_stones(carrying, moves),
            false => self.find_stones_beside(carrying, BECOMES_SAFER, moves),
        };
        beside.or_else(|| self.find_next_area(carrying, lead, moves))
    }

    /// What is told beside territory where [`OwnerChange::find_besides`] finds nothing: stones at the moves that become a little safer or weaker.
    pub fn find_little_beside(&self, carrying: &CarryingReason, moves: &PointSet) -> Option<CarryingReason> {
        if carrying.kind.is_about_stones() {
            return None;
        }
        self.find_stones_beside(carrying, BECOMES_LITTLE_SAFER, moves)
    }

    /// The stones of one group in an area of territory that become safer or weaker with it by so much: those that change most, at the moves.
    fn find_stones_beside(
        &self,
        carrying: &CarryingReason,
        least: f64,
        moves: &PointSet,
    ) -> Option<CarryingReason> {
        let changed_stones = |group: &Group| self.changed_stones_of_group(&carrying.area, group, least);
        let changed = self.analysis.groups.iter().map(|group| (group.color, changed_stones(group)));
        let (color, stones) = changed
            .filter(|(_, stones)| is_at(stones, moves))
            .max_by(|(_, one), (_, other)| self.worth_of(one).total_cmp(&self.worth_of(other)))?;
        Some(self.describe_stones_beside(carrying, color, stones, moves))
    }

    /// The other side's stones in the area of stones, if they change half as much at least: such fights and races have two sides.
    fn find_rival_stones(&self, carrying: &CarryingReason, moves: &PointSet) -> Option<CarryingReason> {
        let color = !carrying.owner();
        let chains = self.changed_chains(&carrying.area, color, BECOMES_LITTLE_SAFER, false);
        let stones: PointSet = chains.into_iter().flat_map(|chain| chain.stones.iter()).collect();
        let is_much = self.worth_of(&stones) >= SHARE_OF_RIVALS * self.worth_of(&carrying.stones);
        let is_told = is_much && !stones.is_empty();
        is_told.then(|| self.describe_stones_beside(carrying, color, stones, moves))
    }

    /// Stones of a colour that are told beside what carries a difference.
    fn describe_stones_beside(
        &self,
        carrying: &CarryingReason,
        color: Color,
        stones: PointSet,
        moves: &PointSet,
    ) -> CarryingReason {
        let worth = self.worth_of(&stones);
        let places = self.places_of_stones(&stones);
        CarryingReason {
            kind: self.kind_of_stones(color, &stones),
            stones,
            stone: self.name_of_place(&places[0], moves),
            apart: [places[1], places[2]],
            is_sure: self.sure_fates(&stones),
            place: BoardPlace::of_points(self.gaining.size, &stones),
            points: worth,
            share: carrying.share * worth / self.worth_of(&carrying.counted_points()),
            ..*carrying
        }
    }

    /// What the side gains on points, in points.
    pub(super) fn worth_of(&self, points: &PointSet) -> f64 {
        points.iter().map(|point| self.change_of(point)).sum()
    }

    /// The stones of a group in an area whose chains become safer, or weaker, by so much.
    fn changed_stones_of_group(&self, area: &ChangedArea, group: &Group, least: f64) -> PointSet {
        let chains = self.changed_chains(area, group.color, least, false);
        let own = chains.into_iter().filter(|chain| group.stones.contains(chain.name()));
        own.flat_map(|chain| chain.stones.iter()).collect()
    }

    /// Are stones nearly certainly the gaining side's in the better way, and the other's in the worse one?
    fn sure_fates(&self, stones: &PointSet) -> [bool; 2] {
        let [better, worse] = [self.gaining, self.losing].map(|map| map.mean_for(stones, self.side));
        [better >= SURE_FATE, worse <= -SURE_FATE]
    }

    /// What becomes of stones of a colour.
    fn kind_of_stones(&self, color: Color, stones: &PointSet) -> MatterKind {
        let [better, worse] = [self.gaining, self.losing].map(|map| map.mean_for(stones, self.side));
        let change_hands = better >= SIDED && worse <= -SIDED && better - worse >= CHANGES_HANDS;
        match (color == self.side, change_hands) {
            (true, true) => MatterKind::SavesStones,
            (true, false) => MatterKind::Strengthens,
            (false, true) => MatterKind::KillsStones,
            (false, false) => MatterKind::Weakens,
        }
    }

    /// The largest area at the moves beside the one that carries the difference, if that leaves much of it open.
    pub(super) fn find_next_area(
        &self,
        carrying: &CarryingReason,
        lead: f64,
        moves: &PointSet,
    ) -> Option<CarryingReason> {
        if carrying.share >= LARGE_SHARE {
            return None;
        }
        let is_other = |area: &ChangedArea| {
            is_at(&area.points, moves) && area.points.intersection(&carrying.area.points).is_empty()
        };
        let is_little = carrying.share < LITTLE_SHARE;
        let share = if is_little { LEAST_SHARE_BESIDE_LITTLE } else { LEAST_SHARE_BESIDES };
        let found = self.find_carrying(lead, share, is_other, moves)?;
        // One chain may border both areas: it would be told twice. So would points that are counted with the first one.
        let is_told = found.stone.is_some_and(|stone| carrying.stones.contains(stone));
        let points = self.worth_of(&found.counted_points().difference(&carrying.counted_points()));
        let is_enough = points >= share * lead && !is_told;
        // Together both cost no more than the move.
        let points = points.min(lead - carrying.points);
        is_enough.then_some(CarryingReason { points, share: (points / lead).min(1.0), ..found })
    }

    /// The largest area that is asked for and carries such a share of a difference in lead; areas of large changes go before. Its stones are
    /// named near the moves that make the difference, if some are given.
    fn find_carrying(
        &self,
        lead: f64,
        share: f64,
        is_asked_for: impl Fn(&ChangedArea) -> bool,
        moves: &PointSet,
    ) -> Option<CarryingReason> {
        LEAST_CHANGES.into_iter().find_map(|least| {
            let areas = self.find_areas(least).into_iter().filter(&is_asked_for);
            let best = areas.max_by(|a, b| a.gain.total_cmp(&b.gain))?;
            (best.gain >= share * lead).then(|| self.describe_area(best, lead, moves))
        })
    }

    /// The areas that change by `least` and more a point: points within two steps of each other, or with stones of one group, that change
    /// in the same direction.
    pub fn find_areas(&self, least: f64) -> Vec<ChangedArea> {
        let mut found = Vec::new();
        for sign in [1.0, -1.0] {
            let changes = |point: &Point| sign * self.change_of(*point) >= least;
            let mut rest: PointSet = self.gaining.size.points().filter(changes).collect();
            while let Some(first) = rest.first() {
                let points = self.grow_area(first, &rest);
                rest = rest.difference(&points);
                found.push(ChangedArea { points, gain: self.worth_of(&points) });
            }
        }
        found
    }

    /// The points around an area that change by a little in the same direction, from one to the next.
    fn points_around(&self, area: &PointSet) -> PointSet {
        let is_near = |point: Point| area.iter().any(|of_area| of_area.lines_to(point) <= AROUND);
        let changes = |&point: &Point| self.change_of(point) >= LEAST_AROUND && is_near(point);
        let all: PointSet = self.gaining.size.points().filter(changes).collect();
        let mut grown = *area;
        loop {
            let next = grown.union(&grown.with_neighbours().intersection(&all));
            if next == grown {
                return grown.difference(area);
            }
            grown = next;
        }
    }

    /// Where most of a difference in lead lies beside an area: right around it, or in one part of the board, where one of these moves is played.
    /// None if it is spread, or less than a point. The changes may be too small for an area: they are counted all the same.
    pub(super) fn find_rest(&self, area: &PointSet, lead: f64, moves: &PointSet) -> Option<RestPlace> {
        let rest = lead - self.worth_of(area);
        if rest < LEAST_LEAD {
            return None;
        }
        let size = self.gaining.size;
        let is_most = |is_there: &dyn Fn(Point) -> bool| {
            let there = size.points().filter(|&point| !area.contains(point) && is_there(point));
            self.worth_of(&there.collect()) > MOST_OF_REST * rest
        };
        if is_most(&|point| area.iter().any(|near| near.lines_to(point) <= CLOSE_BY)) {
            return Some(RestPlace::CloseBy);
        }
        let is_played_in = |place: BoardPlace| moves.iter().any(|mv| BoardPlace::of_point(size, mv) == place);
        BoardPlace::all()
            .filter(|&place| is_played_in(place))
            .find(|&place| is_most(&|point| BoardPlace::of_point(size, point) == place))
            .map(RestPlace::In)
    }

    /// Own stones that live in the worse way and are given up in the better one.
    pub fn stones_given_up(&self) -> PointSet {
        let mut given = PointSet::EMPTY;
        for chain in self.analysis.chains.iter().filter(|chain| chain.color == Some(self.side)) {
            let [better, worse] =
                [self.gaining, self.losing].map(|map| map.mean_for(&chain.stones, self.side));
            if better <= -SIDED && worse >= SIDED && worse - better >= CHANGES_HANDS {
                given.add_set(&chain.stones);
            }
        }
        given
    }

    /// What the side gains at a point, in points.
    fn change_of(&self, point: Point) -> f64 {
        self.gaining.owner_for(point, self.side) - self.losing.owner_for(point, self.side)
    }

    fn grow_area(&self, first: Point, within: &PointSet) -> PointSet {
        let mut area = PointSet::from_point(first);
        loop {
            let mut grown = area.with_neighbours().with_neighbours();
            for group in &self.analysis.groups {
                if !group.stones.intersection(&area).is_empty() {
                    grown.add_set(&group.stones);
                }
            }
            let grown = grown.intersection(within);
            if grown == area {
                return area;
            }
            area = grown;
        }
    }

    /// The stones in one place with a first one: those of one group, or within two steps of each other, but for chains that reading finds cut from
    /// them.
    fn grow_place(&self, first: Point, stones: &PointSet) -> PointSet {
        let mut place = PointSet::from_point(first);
        loop {
            let joined = self.stones_linked_with(&place, |strength| strength != LinkStrength::Cut);
            let cut = self.stones_linked_with(&place, |strength| strength == LinkStrength::Cut);
            let near = place.with_neighbours().with_neighbours();
            let mut grown = near.difference(&cut.difference(&joined)).union(&place);
            for group in &self.analysis.groups {
                if !group.stones.intersection(&place).is_empty() {
                    grown.add_set(&group.stones);
                }
            }
            let grown = grown.intersection(stones);
            if grown == place {
                return place;
            }
            place = grown;
        }
    }

    /// The chains that have a link of such a strength with a chain in a place.
    fn stones_linked_with(&self, place: &PointSet, is_asked_for: impl Fn(LinkStrength) -> bool) -> PointSet {
        let chains = &self.analysis.chains;
        let mut linked = PointSet::EMPTY;
        for link in self.analysis.links.iter().filter(|link| is_asked_for(link.strength)) {
            let ends = link.stones.map(|stone| chains.chain_at(stone).map(|chain| chain.stones));
            let [Some(one), Some(other)] = ends else { continue };
            if !one.intersection(place).is_empty() {
                linked.add_set(&other);
            }
            if !other.intersection(place).is_empty() {
                linked.add_set(&one);
            }
        }
        linked
    }

    /// Stones by the places where they stand: where most of them do, where most of the others do, and all that are left.
    fn places_of_stones(&self, stones: &PointSet) -> [PointSet; 3] {
        let (mut places, mut rest) = (Vec::new(), *stones);
        while let Some(first) = rest.first() {
            let place = self.grow_place(first, &rest);
            rest = rest.difference(&place);
            places.push(place);
        }
        places.sort_by_key(|place| std::cmp::Reverse(place.len()));
        let mut told = [PointSet::EMPTY; 3];
        for (n, place) in places.iter().enumerate() {
            told[n.min(2)].add_set(place);
        }
        told
    }

    /// The name of the largest chain in a place where stones stand; none if there are none.
    fn name_of_place(&self, place: &PointSet, moves: &PointSet) -> Option<Point> {
        let chains = self.analysis.chains.iter().filter(|chain| place.contains(chain.name()));
        chains.max_by_key(|chain| chain.stones.len()).map(|chain| name_near(chain, moves))
    }

    fn describe_area(&self, area: ChangedArea, lead: f64, moves: &PointSet) -> CarryingReason {
        let (kind, chains) = self.matter_of(&area);
        let mut stones = PointSet::EMPTY;
        chains.iter().for_each(|chain| stones.add_set(&chain.stones));
        let is_empty = |point: &Point| self.analysis.chains.chain_at(*point).is_none();
        let empty: PointSet = area.points.iter().filter(is_empty).collect();
        let middle = middle_point(&part_near(if empty.is_empty() { area.points } else { empty }, moves));
        // Territory is named by both: they have to fit.
        let centre = if stones.is_empty() { middle.into_iter().collect() } else { stones };
        let places = self.places_of_stones(&stones);
        let around = self.points_around(&area.points);
        let gain = area.gain + self.worth_of(&around);
        CarryingReason {
            kind,
            side: self.side,
            stones,
            stone: self.name_of_place(&places[0], moves),
            apart: [places[1], places[2]],
            is_sure: if stones.is_empty() { [true; 2] } else { self.sure_fates(&stones) },
            area,
            around,
            place: BoardPlace::of_points(self.gaining.size, &centre),
            middle,
            share: (gain / lead).min(1.0),
            points: gain.min(lead),
        }
    }

    /// What an area is about, with the chains that it is about.
    fn matter_of(&self, area: &ChangedArea) -> (MatterKind, Vec<&ChainFacts>) {
        let of_stones = [
            (CHANGES_HANDS, SHARE_OF_LIVES, [MatterKind::SavesStones, MatterKind::KillsStones]),
            (BECOMES_SAFER, SHARE_OF_SAFETY, [MatterKind::Strengthens, MatterKind::Weakens]),
            (BECOMES_LITTLE_SAFER, SHARE_OF_LITTLE_SAFETY, [MatterKind::Strengthens, MatterKind::Weakens]),
        ];
        for (least, share, kinds) in of_stones {
            let must_turn = kinds[0] == MatterKind::SavesStones;
            let found =
                [self.side, !self.side].map(|color| self.changed_chains(area, color, least, must_turn));
            let worth = |chains: &[&ChainFacts]| -> f64 {
                chains.iter().flat_map(|chain| chain.stones.iter()).map(|stone| self.change_of(stone)).sum()
            };
            let [own, other] = [worth(&found[0]), worth(&found[1])];
            let [own_chains, other_chains] = found;
            if own.max(other) >= share * area.gain && own.max(other) > 0.0 {
                return if own >= other { (kinds[0], own_chains) } else { (kinds[1], other_chains) };
            }
        }
        (self.territory_kind(&area.points), Vec::new())
    }

    /// Chains of a colour in an area, or at its border, that become more the gaining side's by so much, and change hands, if they must.
    /// What is lost, or safe, in either way is none of them.
    fn changed_chains(
        &self,
        area: &ChangedArea,
        color: Color,
        least: f64,
        must_turn: bool,
    ) -> Vec<&ChainFacts> {
        let place = area.points.with_neighbours();
        let changes = |chain: &&ChainFacts| {
            let [better, worse] =
                [self.gaining, self.losing].map(|map| map.mean_for(&chain.stones, self.side));
            let turns = better >= SIDED && worse <= -SIDED;
            let is_in_doubt = match color == self.side {
                true => better > -LOST && worse < SAFE,
                false => worse < LOST && better > -SAFE,
            };
            chain.color == Some(color)
                && !chain.stones.intersection(&place).is_empty()
                && better - worse >= least
                && (turns || !must_turn)
                && is_in_doubt
        };
        self.analysis.chains.iter().filter(changes).collect()
    }

    fn territory_kind(&self, points: &PointSet) -> MatterKind {
        let [better, worse] = [self.gaining, self.losing].map(|map| map.mean_for(points, self.side));
        if better >= OWNED && worse <= -OWNED {
            MatterKind::TakesOver
        } else if better + worse >= 0.0 {
            MatterKind::BuildsTerritory
        } else {
            MatterKind::ReducesTerritory
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use ishi_go::Position;
    use ishi_knowledge::{Link, NoOracle};

    use super::*;
    use crate::test_boards::position_of_rows;

    /// A position with what is known of it, and maps made by hand.
    pub(crate) struct HandMade {
        pub(crate) position: Position,
        pub(crate) analysis: Analysis,
    }

    impl HandMade {
        pub(crate) fn from_diagram(text: &str, to_move: Color) -> HandMade {
            let position = position_of_rows(text, to_move);
            let analysis = Analysis::analyze(&position, &mut NoOracle);
            HandMade { position, analysis }
        }

        pub(crate) fn point(&self, vertex: &str) -> Point {
            self.position.size().parse_point(vertex).unwrap()
        }

        /// Stones are their owners', empty points nobody's, but for these points.
        pub(crate) fn map(&self, changed: &[(&str, f32)]) -> OwnerMap {
            let board = self.position.board();
            let stone = |point: Point| match board.color(point) {
                Some(Color::Black) => 0.9,
                Some(Color::White) => -0.9,
                None => 0.0,
            };
            let size = self.position.size();
            let mut map = OwnerMap::from_points(size, size.points().map(|point| (point, stone(point))));
            for &(vertices, owner) in changed {
                for vertex in vertices.split_whitespace() {
                    map.owners[self.point(vertex).index()] = owner;
                }
            }
            map
        }

        fn change<'a>(&'a self, side: Color, gaining: &'a OwnerMap, losing: &'a OwnerMap) -> OwnerChange<'a> {
            OwnerChange { analysis: &self.analysis, side, gaining, losing }
        }
    }

    /// Three black stones in White's corner, a black wall on the right.
    pub(crate) const CORNER: &str = "
        . . . . . . . . .
        . O O O O . X . .
        . O . . O . X . .
        . O X X O . X . .
        . . X . O . X . .
        . O O O O . X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";
    pub(crate) const BLACK_CORNER: &str = "C6 D6 C5";
    const AROUND: &str = "C7 D7 D5";
    const WHITE_WALL: &str = "B8 C8 D8 E8 B7 E7 B6 E6 E5 B4 C4 D4 E4";

    #[test]
    fn rows_begin_in_the_upper_left() {
        let size = BoardSize::new(3, 2).unwrap();
        let point = |vertex: &str| size.parse_point(vertex).unwrap();
        let map =
            OwnerMap::from_points(size, [(point("A2"), 0.504), (point("C2"), -1.0), (point("B1"), 0.25)]);
        assert_eq!(map.to_rows(), [0.5, 0.0, -1.0, 0.0, 0.25, 0.0]);
    }

    #[test]
    fn stones_that_die_by_the_one_and_live_by_the_other_move_are_the_reason() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let lives = made.map(&[(AROUND, 0.9)]);
        let dies = made.map(&[(BLACK_CORNER, -0.9), (AROUND, -0.9)]);
        let cause = made.change(Color::Black, &lives, &dies).find_cause(11.0);
        let reason = cause.carrying().unwrap();
        assert_eq!((reason.kind, reason.stones.len()), (MatterKind::SavesStones, 3));
        assert_eq!((reason.owner(), reason.place), (Color::Black, BoardPlace::Left));
        assert!((reason.area.gain - 6.0 * 1.8).abs() < 1e-3 && reason.share > 0.9, "{reason:?}");
        // The other side sees the same as stones that it kills.
        let cause = made.change(Color::White, &dies, &lives).find_cause(11.0);
        let reason = cause.carrying().unwrap();
        assert_eq!((reason.kind, reason.owner()), (MatterKind::KillsStones, Color::Black));
    }

    #[test]
    fn territory_is_built_reduced_or_taken() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let side = "H7 J7 H6 J6 H5 J5 H4 J4 H3 J3";
        let kind = |side_of: Color, better: f32, worse: f32| {
            let (better, worse) = (made.map(&[(side, better)]), made.map(&[(side, worse)]));
            let cause = made.change(side_of, &better, &worse).find_cause(5.0);
            cause.carrying().map(|reason| (reason.kind, reason.owner(), reason.place))
        };
        let right = BoardPlace::Right;
        assert_eq!(kind(Color::Black, 0.9, 0.1), Some((MatterKind::BuildsTerritory, Color::Black, right)));
        assert_eq!(kind(Color::White, 0.1, 0.9), Some((MatterKind::ReducesTerritory, Color::Black, right)));
        assert_eq!(kind(Color::White, -0.8, 0.8), Some((MatterKind::TakesOver, Color::White, right)));
    }

    /// Stones that change hands by little neither live nor die for certain.
    #[test]
    fn fates_are_sure_where_the_judge_is() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let is_sure = |better: f32, worse: f32| {
            let maps = [better, worse].map(|owner| made.map(&[(BLACK_CORNER, owner), (AROUND, owner)]));
            let cause = made.change(Color::Black, &maps[0], &maps[1]).find_cause(4.0);
            let reason = cause.carrying().unwrap();
            assert_eq!(reason.kind, MatterKind::SavesStones);
            reason.is_sure
        };
        assert_eq!(is_sure(0.9, -0.9), [true, true]);
        assert_eq!(is_sure(0.3, -0.7), [false, true]);
        assert_eq!(is_sure(0.8, -0.2), [true, false]);
    }

    /// What changes by little around an area is counted with it, from one point to the next, but not what lies farther off or is lost there.
    #[test]
    fn small_changes_around_an_area_are_counted_with_it() {
        let made = HandMade::from_diagram(&". . . . . . . . .\n".repeat(9), Color::Black);
        let counted = |around: f32| {
            let better = made.map(&[("A1 B1 C1", 0.6), ("A2 B2 C2 D1", around), ("F1 G1 J9", around)]);
            let worse = made.map(&[]);
            let cause = made.change(Color::Black, &better, &worse).find_cause(4.0);
            let reason = *cause.carrying().unwrap();
            assert_eq!(reason.area.points.len(), 3);
            assert!((reason.share - reason.points / 4.0).abs() < 1e-9);
            (reason.counted_points().len(), (10.0 * reason.points).round())
        };
        assert_eq!(counted(0.2), (7, 26.0), "three points of 0.6, and four of 0.2");
        assert_eq!(counted(0.04), (3, 18.0));
        assert_eq!(counted(-0.2), (3, 18.0));
    }

    /// What lies between two areas is counted once.
    #[test]
    fn two_areas_do_not_count_the_same_points() {
        let made = HandMade::from_diagram(&". . . . . . . . .\n".repeat(9), Color::Black);
        let better = made.map(&[("A1 B1 C1 F1 G1 H1", 0.6), ("D1 E1", 0.2)]);
        let worse = made.map(&[]);
        let change = made.change(Color::Black, &better, &worse);
        let moves = ["B1", "G1"].into_iter().map(|vertex| made.point(vertex)).collect();
        let cause = change.find_cause_near(5.0, &moves);
        let first = *cause.carrying().unwrap();
        let besides = change.find_besides(&first, 5.0, &moves).unwrap();
        let points = [first.points, besides.points].map(|points| (10.0 * points).round());
        assert_eq!(points, [22.0, 18.0], "1.8 each, and 0.4 between them");
    }

    #[test]
    fn stones_that_stay_but_weaken_are_told_as_such() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (safe, weak) = (made.map(&[(BLACK_CORNER, 0.8)]), made.map(&[(BLACK_CORNER, 0.25)]));
        let cause = made.change(Color::Black, &safe, &weak).find_cause(2.0);
        assert_eq!(cause.carrying().unwrap().kind, MatterKind::Strengthens);
    }

    /// A quarter of the gain in stones that become clearly safer is what an area is about; the least that is told is a third in stones that
    /// become a little safer. What is lost in either way is not.
    #[test]
    fn stones_in_an_area_of_territory_are_what_it_is_about() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let kind = |safe: f32, weak: f32, territory: f32| {
            let better = made.map(&[(BLACK_CORNER, safe), (AROUND, territory)]);
            let worse = made.map(&[(BLACK_CORNER, weak), (AROUND, 0.0)]);
            let cause = made.change(Color::Black, &better, &worse).find_cause(3.0);
            cause.carrying().map(|reason| reason.kind)
        };
        assert_eq!(kind(0.9, 0.5, 0.9), Some(MatterKind::Strengthens), "1.2 points beside 2.7");
        assert_eq!(kind(0.9, 0.5, 1.8), Some(MatterKind::BuildsTerritory), "1.2 beside 5.4");
        assert_eq!(kind(0.8, 0.55, 0.4), Some(MatterKind::Strengthens), "0.75 beside 1.2");
        assert_eq!(kind(0.8, 0.55, 0.9), Some(MatterKind::BuildsTerritory), "0.75 beside 2.7");
        assert_eq!(kind(1.0, 0.7, 0.4), Some(MatterKind::BuildsTerritory), "they are safe anyway");
        assert_eq!(kind(-0.55, -0.95, 0.7), Some(MatterKind::BuildsTerritory), "they are lost anyway");
    }

    /// A wide territory whose middle is far from the moves is named by the part near them.
    #[test]
    fn wide_territory_is_named_near_the_moves() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let better = made.map(&[("D1 E1 F1 G1 H1 J1 J2 J3 J4 J5 J6 J7 J8 J9", 0.9)]);
        let worse = made.map(&[]);
        let change = made.change(Color::Black, &better, &worse);
        let name = |moves: PointSet| {
            let cause = change.find_cause_near(12.6, &moves);
            let reason = cause.carrying().unwrap();
            assert_eq!(reason.area.points.len(), 14, "it is all told");
            (reason.place, reason.middle)
        };
        let near = |vertex: &str| name(PointSet::from_point(made.point(vertex)));
        assert_eq!(near("J9"), (BoardPlace::Right, Some(made.point("J4"))));
        assert_eq!(near("A1"), (BoardPlace::Lower, Some(made.point("E1"))));
        let both = ["A1", "J9"].map(|vertex| made.point(vertex)).into_iter().collect();
        assert_eq!(name(both), near("J9"), "one of the moves is near the middle");
    }

    /// Territory that lies around the middle of the board is named by a point of its own, and by the part of the board in which that lies.
    #[test]
    fn the_two_names_of_a_territory_fit() {
        let made = HandMade::from_diagram(&". . . . . . . . .\n".repeat(9), Color::Black);
        let ring = "B2 C2 D2 E2 F2 G2 H2 B3 H3 B4 H4 B5 H5 B6 H6 B7 H7 B8 C8 D8 E8 F8 G8 H8";
        let (better, worse) = (made.map(&[(ring, 0.9)]), made.map(&[]));
        let cause = made.change(Color::Black, &better, &worse).find_cause(20.0);
        let reason = cause.carrying().unwrap();
        let middle = reason.middle.unwrap();
        assert!(reason.stones.is_empty() && reason.area.points.contains(middle));
        assert_eq!(reason.place, BoardPlace::of_point(made.position.size(), middle));
        assert_ne!(reason.place, BoardPlace::Centre, "all of it is at the sides");
    }

    /// Beside territory the stones are told that change with it; beside a small area the next one.
    #[test]
    fn what_changes_besides_is_told_of_stones_or_of_another_area() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let moves = PointSet::from_point(made.point("C7"));
        let (better, worse) = (
            made.map(&[(BLACK_CORNER, 0.9), (AROUND, 1.8)]),
            made.map(&[(BLACK_CORNER, 0.5), (AROUND, 0.0)]),
        );
        let change = made.change(Color::Black, &better, &worse);
        let cause = change.find_cause_near(6.6, &moves);
        let carrying = cause.carrying().unwrap();
        assert!(
            AROUND.split(' ').any(|vertex| carrying.middle == Some(made.point(vertex))),
            "an empty point"
        );
        let besides = change.find_besides(carrying, 6.6, &moves).unwrap();
        assert_eq!((besides.kind, besides.stones.len()), (MatterKind::Strengthens, 3));
        assert_eq!(besides.stone, Some(made.point("C5")));
        let far = PointSet::from_point(made.point("J1"));
        assert_eq!(change.find_besides(carrying, 6.6, &far), None, "far from the moves");
        // Two areas of territory.
        let sides = [("H9 J9 H8 J8", 0.9), ("E1 F1 E2", 0.9)];
        let (better, worse) = (made.map(&sides), made.map(&[]));
        let change = made.change(Color::Black, &better, &worse);
        let moves: PointSet = ["J9", "E1"].into_iter().map(|vertex| made.point(vertex)).collect();
        let cause = change.find_cause_near(6.3, &moves);
        let carrying = cause.carrying().unwrap();
        assert!(carrying.area.points.contains(made.point("J9")) && carrying.share < 0.6);
        let besides = change.find_besides(carrying, 6.3, &moves).unwrap();
        assert!(besides.area.points.contains(made.point("E1")) && besides.area.points.len() == 3);
        let smaller = change.find_cause_near(5.5, &moves);
        let first = smaller.carrying().unwrap();
        let second = change.find_besides(first, 5.5, &moves).unwrap();
        assert!((second.share - second.points / 5.5).abs() < 1e-9, "its share is that of what is told");
        let both = first.points + second.points;
        assert!((both - 5.5).abs() < 0.01, "two areas cost {both} of 5.5 points");
        assert_eq!(change.find_besides(carrying, 30.0, &moves), None, "it is too little of the difference");
        let whole = CarryingReason { share: 0.9, ..*carrying };
        assert_eq!(change.find_besides(&whole, 6.3, &moves), None, "the first area is nearly all");
    }

    /// One chain may border two areas. It is told with the first of them.
    #[test]
    fn the_same_stones_are_not_told_again_besides() {
        let made = HandMade::from_diagram(
            "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            X X X X X X X X .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            ",
            Color::Black,
        );
        let line = "A5 B5 C5 D5 E5 F5 G5 H5";
        let moves: PointSet = ["A6", "J6"].into_iter().map(|vertex| made.point(vertex)).collect();
        let kinds = |safer: f32| {
            let better = made.map(&[(line, safer), ("A6 B6 A4 B4", 0.9), ("H6 J6 J5", 0.9)]);
            let worse = made.map(&[(line, 0.0)]);
            let change = made.change(Color::Black, &better, &worse);
            let cause = change.find_cause_near(8.0, &moves);
            let carrying = *cause.carrying().unwrap();
            assert!(carrying.area.points.contains(made.point("A4")), "{carrying:?}");
            (carrying.kind, change.find_besides(&carrying, 8.0, &moves).map(|besides| besides.kind))
        };
        assert_eq!(kinds(0.24), (MatterKind::Strengthens, None));
        let territory = MatterKind::BuildsTerritory;
        assert_eq!(kinds(0.0), (territory, Some(territory)), "no stones are told");
    }

    /// Stones that fight each other are told with both sides, if both change.
    #[test]
    fn stones_of_the_other_side_are_told_beside_stones() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let moves = PointSet::from_point(made.point("C7"));
        let besides = |wall: f32| {
            let (lives, dies) = (
                made.map(&[(AROUND, 0.9), (WHITE_WALL, wall)]),
                made.map(&[(BLACK_CORNER, -0.9), (AROUND, -0.9)]),
            );
            let change = made.change(Color::Black, &lives, &dies);
            let cause = change.find_cause_near(20.0, &moves);
            let carrying = *cause.carrying().unwrap();
            assert_eq!((carrying.kind, carrying.stones.len()), (MatterKind::SavesStones, 3));
            change.find_besides(&carrying, 20.0, &moves)
        };
        let rivals = besides(-0.3).unwrap();
        assert_eq!((rivals.kind, rivals.owner()), (MatterKind::Weakens, Color::White));
        assert_eq!((rivals.stones.len(), rivals.stone), (13, Some(made.point("B4"))));
        assert!(rivals.points > 2.7, "more than half of the 5.4 points of the three stones: {rivals:?}");
        assert_eq!(besides(-0.9), None, "they are safe in either way");
    }

    /// One name stands for the stones of one place: those in another place are told with their own.
    #[test]
    fn stones_in_different_places_are_told_apart() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let map = |owner: f32| made.map(&[(BLACK_CORNER, owner), ("F6 G8 G7 G6 G5 G4", owner)]);
        let (safe, weak) = (map(0.5), map(0.0));
        let cause = made.change(Color::Black, &safe, &weak).find_cause(4.5);
        let reason = cause.carrying().unwrap();
        assert_eq!((reason.kind, reason.stones.len()), (MatterKind::Strengthens, 8));
        let [second, others] = reason.apart;
        let corner: PointSet = BLACK_CORNER.split(' ').map(|vertex| made.point(vertex)).collect();
        assert_eq!((reason.stone, second, others), (Some(made.point("G4")), corner, PointSet::EMPTY));
        assert_eq!(reason.named_stones(), reason.stones.difference(&corner));
    }

    /// Stones of two groups that are cut from each other stand in two places, however near.
    #[test]
    fn stones_that_are_cut_have_two_names() {
        let made = HandMade::from_diagram(
            "
            . . . . . . . . .
            . . . X . O . . .
            . . O X . . . . .
            . . O X . . O . .
            . . O O . . . . .
            . . . X X . O . .
            . . . O . X O . .
            . . . . . O . . .
            . . . . . . . . .
            ",
            Color::White,
        );
        let map = |owner: f32| made.map(&[("D8 D7 D6 D4 E4 F3", owner)]);
        let (weak, safe) = (map(0.0), map(0.5));
        let cause = made.change(Color::White, &weak, &safe).find_cause(3.0);
        let reason = cause.carrying().unwrap();
        assert_eq!((reason.kind, reason.stones.len()), (MatterKind::Weakens, 6));
        let upper: PointSet = ["D8", "D7", "D6"].into_iter().map(|vertex| made.point(vertex)).collect();
        assert_eq!((reason.stone, reason.apart), (Some(made.point("D4")), [upper, PointSet::EMPTY]));
        // Where the one link holds they are one place.
        let mut joined = HandMade { position: made.position.clone(), analysis: made.analysis.clone() };
        let ends = ["E4", "D6"].map(|vertex| made.point(vertex));
        let of_ends = |link: &&mut Link| ends.iter().all(|end| link.stones.contains(end));
        joined.analysis.links.iter_mut().find(of_ends).unwrap().strength = LinkStrength::FirstMove;
        let cause = joined.change(Color::White, &weak, &safe).find_cause(3.0);
        assert_eq!(cause.carrying().unwrap().named_stones().len(), 6);
    }

    /// Where a long chain is named far from the moves, the stone nearest to them gives the name.
    #[test]
    fn stones_are_named_near_the_moves() {
        let made = HandMade::from_diagram(
            "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            X X X X X X X X .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            ",
            Color::Black,
        );
        let line = "A5 B5 C5 D5 E5 F5 G5 H5";
        let (safe, weak) = (made.map(&[(line, 0.5)]), made.map(&[(line, 0.0)]));
        let change = made.change(Color::Black, &safe, &weak);
        let named = |mv: &str| {
            let cause = change.find_cause_near(4.0, &PointSet::from_point(made.point(mv)));
            cause.carrying().unwrap().stone
        };
        let usual = made.analysis.chains.chain_at(made.point("E5")).unwrap().name();
        assert_eq!(usual, made.point("A5"));
        assert_eq!(named("G6"), Some(usual), "six lines are not far");
        assert_eq!(named("J6"), Some(made.point("H5")));
        assert_eq!(change.find_cause(4.0).carrying().unwrap().stone, Some(usual), "no moves are given");
    }

    /// What no area carries may still lie in one place, in changes that are too small for an area.
    #[test]
    fn the_rest_of_a_difference_lies_close_by_or_where_a_move_is_played() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let right = "H8 J8 H7 J7 H6 J6 H5 J5 H4 J4 H3 J3 H2 J2";
        let (better, worse) = (made.map(&[("J9", 0.9), (right, 0.1)]), made.map(&[]));
        let change = made.change(Color::Black, &better, &worse);
        let point = |vertex: &str| PointSet::from_point(made.point(vertex));
        let rest = |area: &str, lead: f64, mv: &str| change.find_rest(&point(area), lead, &point(mv));
        assert_eq!(rest("A1", 2.3, "H5"), None, "the corner with 1.3 points is another place");
        assert_eq!(rest("A1", 2.3, "J9"), Some(RestPlace::In(BoardPlace::UpperRight)));
        assert_eq!(rest("J6", 2.3, "A1"), None, "within two lines are 9 of the 14 points, with 0.9");
        assert_eq!(rest("J9", 2.3, "H5"), None, "0.6 points are on the right side");
        assert_eq!(rest("J8", 2.3, "A1"), Some(RestPlace::CloseBy), "the corner, too");
        assert_eq!(rest("J9", 1.8, "H5"), None, "less than a point is left");
        assert_eq!(rest("A1", 5.0, "J9"), None, "owners do not say where most of it is");
    }

    #[test]
    fn what_is_spread_over_the_board_has_no_one_reason() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (better, worse) =
            (made.map(&[("A9 J9 A1 J1", 0.5), ("E1", 0.3)]), made.map(&[("A9 J9 A1 J1", 0.0)]));
        let change = made.change(Color::Black, &better, &worse);
        assert_eq!(change.find_cause(2.3), Cause::Spread, "the largest of five areas is a fifth");
        assert_eq!(change.find_cause(0.4), Cause::Unknown, "too little for a reason");
        assert!(change.find_cause(1.2).carrying().is_some());
    }

    #[test]
    fn stones_that_are_given_up_are_found() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let (given, kept) = (made.map(&[(BLACK_CORNER, -0.9)]), made.map(&[]));
        assert_eq!(made.change(Color::Black, &given, &kept).stones_given_up().len(), 3);
        assert_eq!(made.change(Color::Black, &kept, &given).stones_given_up().len(), 0);
    }

    /// A report speaks for the side that chooses.
    #[test]
    fn owners_are_read_from_the_side_that_chooses() {
        let size = BoardSize::square(5).unwrap();
        let report = SearchReport { ownership: vec![(Point::new(1, 1), 0.75)], ..SearchReport::default() };
        let map = OwnerMap::from_report(&report, Color::White, size).unwrap();
        assert_eq!(
            [Color::Black, Color::White].map(|side| map.owner_for(Point::new(1, 1), side)),
            [-0.75, 0.75]
        );
        assert_eq!(OwnerMap::from_report(&SearchReport::default(), Color::White, size), None);
    }
}
