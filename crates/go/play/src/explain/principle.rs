//! Principles in ordinary words. One is told only where a position is an instance of it, with what shows that it is.

use ishi_go::{Color, Point};
use ishi_knowledge::{GamePhase, Group, GroupStrength, Reason, RuleFamily};
use ishi_reading::PointSet;

use super::listener::Listener;
use super::owners::{CarryingReason, MatterKind};
use super::plan::kills_stones;

/// A move is elsewhere if it is farther than so many lines from all that a matter is about.
const ELSEWHERE: usize = 4;
/// A good move is about a matter within so many lines of it.
const AT_MATTER: usize = 3;
/// The opponent's move threatens what lies within so many lines of it.
const THREATENS: usize = 2;
/// What is left in the opening or middle game is a big point if it is worth so much.
const BIG: f64 = 6.0;

/// What a move is an instance of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrincipleKind {
    /// Dead stones are left alone.
    DeadStones,
    /// What the opponent threatens is answered first.
    AnswerFirst,
    /// A weak group comes first.
    WeakGroupFirst,
    /// The opponent's weak group is attacked before territory is taken.
    AttackFirst,
    /// The biggest point comes first.
    BiggestPoint,
    /// In the endgame the bigger border comes first.
    BiggerBorder,
    /// A ladder that works is worth looking for.
    LadderWorks,
    /// Stones that are cut off have to live alone.
    CutFirst,
    /// Connected stones need not live twice.
    ConnectFirst,
    /// Where the next move decides, it is worth playing first.
    DecidesFirst,
    /// The opponent's best point is one's own best point, too.
    SamePoint,
    /// What the opponent has to answer is played first.
    AnsweredFirst,
    /// Who pushes along from behind, far from the edge, gives the other side territory.
    PushFromBehind,
    /// An exchange that helps the opponent more is not made.
    LeaveExchange,
}

impl PrincipleKind {
    /// Is it for this listener? Beginners are told what comes first; dan players only what strong players forget.
    fn is_for(self, listener: Listener) -> bool {
        use PrincipleKind::{
            AnswerFirst, AnsweredFirst, AttackFirst, BiggerBorder, BiggestPoint, LeaveExchange, SamePoint,
        };
        match listener {
            Listener::Beginner => {
                !matches!(self, AnsweredFirst | AttackFirst | BiggerBorder | LeaveExchange | SamePoint)
            }
            Listener::Kyu => true,
            Listener::Dan => matches!(
                self,
                AnswerFirst | AnsweredFirst | AttackFirst | BiggestPoint | BiggerBorder | LeaveExchange
            ),
        }
    }
}

/// A principle with what shows that the move is an instance of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principle {
    /// Which.
    pub kind: PrincipleKind,
    /// The stone, or the move, that shows it.
    pub evidence: Point,
    /// Whose that is.
    pub color: Color,
    /// Stones of the group, where it is one: as many as the reason counts; 0 if the reason counts others with them.
    pub count: usize,
    /// The other one of two stones that show it, which are joined or cut, or of two moves that are exchanged.
    pub other: Option<Point>,
}

/// What principles are found by.
#[derive(Clone, Copy)]
pub struct PrincipleFacts<'a> {
    /// Who listens.
    pub listener: Listener,
    /// Who moves.
    pub color: Color,
    /// The groups before the move.
    pub groups: &'a [Group],
    /// How far the game is.
    pub phase: GamePhase,
    /// The opponent's move before.
    pub last: Option<Point>,
    /// The bad move that was played; none if it is not bad, or a pass.
    pub bad: Option<Point>,
    /// What is proved of it.
    pub bad_deeds: &'a [Reason],
    /// The good move.
    pub good: Point,
    /// What the opponent plays in place of the good move, or against the bad one.
    pub wanted: Option<Point>,
    /// What the good move has before the bad one, or before doing nothing.
    pub reason: &'a CarryingReason,
    /// What is proved of the good move.
    pub deeds: &'a [Reason],
    /// The opponent's stone, nearer to the edge, that the bad move pushes along from behind.
    pub pushed: Option<Point>,
    /// Where the mover plays once the good move is answered: elsewhere, or at the bad move's point.
    pub then: Option<Point>,
    /// Is the turn which the mover has then what the good move has before the bad one, as the reason says little of that?
    pub keeps_turn: bool,
    /// What the opponent answers the bad move with, beside it, if the mover then plays the good one at once: all else is the same.
    pub exchanged: Option<Point>,
}

/// The principle that a move is an instance of, if there is one.
pub fn find_principle(facts: &PrincipleFacts<'_>) -> Option<Principle> {
    let found = [
        facts.find_dead_stones(),
        facts.find_unanswered_threat(),
        facts.find_weak_group(),
        facts.find_push_from_behind(),
        facts.find_answered_first(),
        facts.find_bad_exchange(),
        facts.find_big_point(),
        facts.find_deed(),
        facts.find_same_point(),
    ];
    found.into_iter().flatten().find(|principle| principle.kind.is_for(facts.listener))
}

impl PrincipleFacts<'_> {
    fn new_principle(&self, kind: PrincipleKind, evidence: Point) -> Principle {
        Principle { kind, evidence, color: self.color, count: 0, other: None }
    }

    fn group_principle(&self, kind: PrincipleKind, group: &Group) -> Principle {
        let count = group.stones.len();
        Principle { kind, evidence: group.name(), color: group.color, count, other: None }
    }

    /// The bad move, if it is far from what the good one is about.
    fn bad_move_elsewhere(&self) -> Option<Point> {
        self.bad.filter(|bad| lines_between(*bad, &self.matter()) > ELSEWHERE)
    }

    /// All that the difference is about.
    fn matter(&self) -> PointSet {
        self.reason.area.points.union(&self.reason.stones)
    }

    /// The good move, if it is played where the matter is. What a bad move costs may lie where the opponent plays next instead.
    fn good_move_at_matter(&self) -> Option<Point> {
        Some(self.good).filter(|good| lines_between(*good, &self.matter()) <= AT_MATTER)
    }

    /// A bad move that adds to own stones which are dead, to no others, and not the good move's matter.
    fn find_dead_stones(&self) -> Option<Principle> {
        let bad = self.bad?;
        let is_helped = |group: &Group| {
            group.color == self.color
                && group.strength != GroupStrength::Dead
                && group.liberties.contains(bad)
        };
        if self.groups.iter().any(is_helped) {
            return None;
        }
        let is_fed = |group: &&Group| {
            group.color == self.color
                && !self.is_saved(group)
                && group.strength == GroupStrength::Dead
                && group.stones.len() > 1
                && group.liberties.contains(bad)
                && group.stones.intersection(&self.reason.stones).is_empty()
        };
        let group = self.groups.iter().find(is_fed)?;
        Some(self.group_principle(PrincipleKind::DeadStones, group))
    }

    /// Is the bad move proved to save a stone of a group? That is not told to be dead in the same text.
    fn is_saved(&self, group: &Group) -> bool {
        let is_of_group = |deed: &Reason| deed.about.is_some_and(|stone| group.stones.contains(stone));
        self.bad_deeds.iter().any(|deed| is_saving(deed) && is_of_group(deed))
    }

    /// The opponent has just played beside what a move elsewhere loses, and near the move that keeps it: the other end of a wide territory is
    /// another place.
    fn find_unanswered_threat(&self) -> Option<Principle> {
        let (last, _, _) = (self.last?, self.bad_move_elsewhere()?, self.good_move_at_matter()?);
        let is_beside = lines_between(last, &self.reason.area.points) <= THREATENS;
        let is_threat = is_beside && last.lines_to(self.good) <= ELSEWHERE && self.reason.kind.is_own();
        let threat = Principle { color: !self.color, ..self.new_principle(PrincipleKind::AnswerFirst, last) };
        is_threat.then_some(threat)
    }

    /// The group that the reason names was weak before the move, and the bad move was elsewhere, or there was none.
    fn find_weak_group(&self) -> Option<Principle> {
        self.good_move_at_matter()?;
        if self.bad.is_some() {
            self.bad_move_elsewhere()?;
        }
        let kind = match self.reason.kind {
            MatterKind::SavesStones | MatterKind::Strengthens => PrincipleKind::WeakGroupFirst,
            MatterKind::KillsStones | MatterKind::Weakens => PrincipleKind::AttackFirst,
            _ => return None,
        };
        let is_weak = |group: &&Group| {
            let weak = [GroupStrength::Critical, GroupStrength::Weak];
            weak.contains(&group.strength)
                && group.stones.len() > 1
                && !group.stones.intersection(&self.reason.stones).is_empty()
        };
        // Other stones may be weak, too: of these the text has told nothing.
        let is_named = |group: &&Group| self.reason.stone.is_none_or(|stone| group.stones.contains(stone));
        let weak = self.groups.iter().filter(is_weak).filter(is_named);
        let group = weak.max_by_key(|group| group.stones.len())?;
        // What is taken for good is no attack.
        let is_kill = self.reason.kind == MatterKind::KillsStones || kills_stones(self.deeds, self.reason);
        let hangs = self.bad.is_none() && is_kill && group.strength == GroupStrength::Critical;
        let told = self.group_principle(if hangs { PrincipleKind::DecidesFirst } else { kind }, group);
        // It has the name of the stones that the reason is about, and their number if all of these were weak and stand in one place.
        let was_weak =
            |stone: Point| self.groups.iter().any(|group| group.stones.contains(stone) && is_weak(&group));
        let is_one_place = self.reason.named_stones() == self.reason.stones;
        let count = match is_one_place && self.reason.stones.iter().all(was_weak) {
            true => self.reason.stones.len(),
            false => 0,
        };
        Some(Principle { evidence: self.reason.stone.unwrap_or(told.evidence), count, ..told })
    }

    /// The opponent would play, or plays, at the point of the good move.
    fn find_same_point(&self) -> Option<Principle> {
        let wanted = self.wanted.filter(|&wanted| wanted == self.good)?;
        Some(Principle { color: !self.color, ..self.new_principle(PrincipleKind::SamePoint, wanted) })
    }

    /// The good move is answered, and then the mover gets the very point of the bad one, too, or that where the opponent plays instead of
    /// answering it, or has at least the turn, which the bad one gives away.
    fn find_answered_first(&self) -> Option<Principle> {
        let gets_both = self.bad.is_some() && self.bad == self.then;
        let is_first = gets_both || self.is_first_elsewhere() || self.keeps_turn;
        is_first.then(|| self.new_principle(PrincipleKind::AnsweredFirst, self.good))
    }

    /// Does the mover play behind the good move where the opponent plays instead of answering the bad one?
    fn is_first_elsewhere(&self) -> bool {
        let next = self.then.filter(|&next| self.wanted == Some(next));
        self.bad.zip(next).is_some_and(|(bad, next)| bad.lines_to(next) > ELSEWHERE)
    }

    /// The bad move pushes along from behind, and the opponent has more territory there. The better move may be anywhere.
    fn find_push_from_behind(&self) -> Option<Principle> {
        let pushed = self.pushed?;
        let is_given = matches!(self.reason.kind, MatterKind::ReducesTerritory | MatterKind::TakesOver);
        let is_there = lines_between(pushed, &self.reason.area.points) <= THREATENS;
        let told =
            Principle { color: !self.color, ..self.new_principle(PrincipleKind::PushFromBehind, pushed) };
        (is_given && is_there).then_some(told)
    }

    /// The bad move and its answer are all that tells it from the good one.
    fn find_bad_exchange(&self) -> Option<Principle> {
        let (bad, answer) = (self.bad?, self.exchanged?);
        Some(Principle { other: Some(answer), ..self.new_principle(PrincipleKind::LeaveExchange, bad) })
    }

    fn find_big_point(&self) -> Option<Principle> {
        self.bad_move_elsewhere()?;
        self.good_move_at_matter()?;
        let kind = match self.phase {
            _ if self.reason.kind.is_about_stones() => return None,
            GamePhase::Endgame => PrincipleKind::BiggerBorder,
            _ if self.reason.points >= BIG => PrincipleKind::BiggestPoint,
            _ => return None,
        };
        Some(self.new_principle(kind, self.good))
    }

    /// A ladder, a cut, a connection that reading proves of the good move and of the stones that carry the difference.
    fn find_deed(&self) -> Option<Principle> {
        let is_of_reason = |deed: &&Reason| {
            [deed.about, deed.other].into_iter().flatten().any(|stone| self.reason.stones.contains(stone))
        };
        let mut deeds = self.deeds.iter().filter(is_of_reason);
        let ladder = deeds.clone().find(|deed| deed.rule.name == "ladder");
        let mut of_family = |family: RuleFamily| deeds.find(|deed| deed.rule.family == family);
        let (kind, deed) = match self.reason.kind {
            MatterKind::KillsStones if ladder.is_some() => (PrincipleKind::LadderWorks, ladder?),
            MatterKind::KillsStones | MatterKind::Weakens => {
                (PrincipleKind::CutFirst, of_family(RuleFamily::Cut)?)
            }
            MatterKind::SavesStones | MatterKind::Strengthens => {
                (PrincipleKind::ConnectFirst, of_family(RuleFamily::Connect)?)
            }
            _ => return None,
        };
        let evidence = deed.about.or(deed.other)?;
        let other = deed.other.filter(|&other| kind != PrincipleKind::LadderWorks && other != evidence);
        Some(Principle { color: self.reason.owner(), other, ..self.new_principle(kind, evidence) })
    }
}

/// Does a deed keep own stones from being taken, or make them live?
fn is_saving(deed: &Reason) -> bool {
    deed.rule.family == RuleFamily::Save || matches!(deed.rule.name, "live" | "hold-race" | "save-by-ko")
}

/// Lines to the nearest of points; very many if there are none.
fn lines_between(point: Point, points: &PointSet) -> usize {
    points.iter().map(|other| other.lines_to(point)).min().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use ishi_knowledge::rules;

    use super::super::owners::tests::{BLACK_CORNER, CORNER, HandMade};
    use super::super::owners::{CarryingReason, ChangedArea};
    use super::super::place::BoardPlace;
    use super::*;

    fn set(made: &HandMade, vertices: &str) -> PointSet {
        vertices.split_whitespace().map(|vertex| made.point(vertex)).collect()
    }

    fn reason(made: &HandMade, kind: MatterKind, stones: &str, area: &str, points: f64) -> CarryingReason {
        CarryingReason {
            kind,
            side: Color::Black,
            stones: set(made, stones),
            stone: set(made, stones).first(),
            apart: [PointSet::EMPTY; 2],
            area: ChangedArea { points: set(made, area), gain: points },
            around: PointSet::EMPTY,
            place: BoardPlace::Left,
            middle: None,
            is_sure: [true; 2],
            share: 1.0,
            points,
        }
    }

    fn with_strength(made: &mut HandMade, strength: GroupStrength) {
        let name = made.point("C5");
        let groups = made.analysis.groups.iter_mut().filter(|group| group.stones.contains(name));
        groups.for_each(|group| group.strength = strength);
    }

    fn find(
        made: &HandMade,
        reason: &CarryingReason,
        bad: Option<&str>,
        last: Option<&str>,
    ) -> Option<PrincipleKind> {
        find_of_good(made, reason, "C7", bad, last)
    }

    /// What a good move at C7 is judged by, if there is nothing else to it than its reason.
    fn plain_facts<'a>(made: &'a HandMade, reason: &'a CarryingReason) -> PrincipleFacts<'a> {
        PrincipleFacts {
            listener: Listener::Kyu,
            color: Color::Black,
            groups: &made.analysis.groups,
            phase: GamePhase::MiddleGame,
            last: None,
            bad: None,
            bad_deeds: &[],
            good: made.point("C7"),
            wanted: None,
            reason,
            deeds: &[],
            pushed: None,
            then: None,
            keeps_turn: false,
            exchanged: None,
        }
    }

    fn deed_about(name: &str, about: Point, other: Option<Point>) -> Reason {
        Reason {
            rule: rules::find_rule(name).unwrap(),
            value: 1.0,
            about: Some(about),
            other,
            count: 0,
            sequence: vec![],
            variations: vec![],
            is_urgent: false,
            pattern: None,
        }
    }

    fn find_of_good(
        made: &HandMade,
        reason: &CarryingReason,
        good: &str,
        bad: Option<&str>,
        last: Option<&str>,
    ) -> Option<PrincipleKind> {
        let facts = PrincipleFacts {
            last: last.map(|vertex| made.point(vertex)),
            bad: bad.map(|vertex| made.point(vertex)),
            good: made.point(good),
            ..plain_facts(made, reason)
        };
        find_principle(&facts).map(|principle| principle.kind)
    }

    #[test]
    fn a_principle_needs_its_evidence() {
        let mut made = HandMade::from_diagram(CORNER, Color::Black);
        with_strength(&mut made, GroupStrength::Weak);
        let saves = reason(&made, MatterKind::SavesStones, BLACK_CORNER, BLACK_CORNER, 12.0);
        let find = |made: &HandMade, bad, last| find(made, &saves, bad, last);
        assert_eq!(find(&made, Some("J1"), None), Some(PrincipleKind::WeakGroupFirst));
        assert_eq!(find(&made, None, None), Some(PrincipleKind::WeakGroupFirst), "a good move");
        assert_eq!(find(&made, Some("D7"), None), None, "the bad move was about the same stones");
        assert_eq!(find(&made, Some("J1"), Some("D5")), Some(PrincipleKind::AnswerFirst));
        assert_eq!(
            find(&made, Some("J1"), Some("J9")),
            Some(PrincipleKind::WeakGroupFirst),
            "no threat there"
        );
        with_strength(&mut made, GroupStrength::Stable);
        assert_eq!(find(&made, Some("J1"), None), None, "it was not weak");
    }

    /// What the opponent plays at the far end of a wide territory threatens nothing at the near end.
    #[test]
    fn a_threat_is_near_the_move_that_answers_it() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let territory = "A9 B9 C9 D9 E9 F9";
        let builds = reason(&made, MatterKind::BuildsTerritory, "", territory, 4.0);
        let find = |last| find_of_good(&made, &builds, "A9", Some("C1"), Some(last));
        assert_eq!(find("C9"), Some(PrincipleKind::AnswerFirst));
        assert_ne!(find("G9"), Some(PrincipleKind::AnswerFirst));
    }

    /// A push from behind is what it costs only where the opponent gets territory beside it.
    #[test]
    fn a_push_from_behind_gives_territory() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let find = |kind: MatterKind, area: &str, pushed: Option<&str>, listener: Listener| {
            let reason = reason(&made, kind, "", area, 4.0);
            let (bad, pushed) = (Some(made.point("F4")), pushed.map(|vertex| made.point(vertex)));
            let facts = PrincipleFacts { bad, pushed, listener, ..plain_facts(&made, &reason) };
            find_principle(&facts).map(|principle| (principle.kind, principle.color))
        };
        let (keeps, kyu) = (MatterKind::ReducesTerritory, Listener::Kyu);
        let told = Some((PrincipleKind::PushFromBehind, Color::White));
        assert_eq!(find(keeps, "E2 F2 G2", Some("F3"), kyu), told);
        assert_eq!(find(keeps, "E2 F2 G2", None, kyu), None, "it pushes nothing");
        assert_eq!(find(keeps, "A9 B9", Some("F3"), kyu), None, "the territory is elsewhere");
        assert_eq!(find(MatterKind::BuildsTerritory, "E2 F2 G2", Some("F3"), kyu), None, "it is Black's own");
        assert_eq!(find(keeps, "E2 F2 G2", Some("F3"), Listener::Dan), None, "dan players know that");
    }

    #[test]
    fn a_point_that_both_want_and_what_hangs_are_principles() {
        let mut made = HandMade::from_diagram(CORNER, Color::Black);
        with_strength(&mut made, GroupStrength::Stable);
        let kills = reason(&made, MatterKind::KillsStones, BLACK_CORNER, BLACK_CORNER, 12.0);
        let facts = |wanted: Option<&str>, listener: Listener, groups: &[Group]| {
            let wanted = wanted.map(|vertex| made.point(vertex));
            let facts = PrincipleFacts { listener, groups, wanted, ..plain_facts(&made, &kills) };
            find_principle(&facts).map(|principle| principle.kind)
        };
        let stable = made.analysis.groups.clone();
        assert_eq!(facts(Some("C7"), Listener::Kyu, &stable), Some(PrincipleKind::SamePoint));
        assert_eq!(facts(Some("D7"), Listener::Kyu, &stable), None);
        assert_eq!(facts(Some("C7"), Listener::Beginner, &stable), None, "not for beginners");
        let mut critical = stable;
        critical.iter_mut().for_each(|group| group.strength = GroupStrength::Critical);
        assert_eq!(facts(None, Listener::Kyu, &critical), Some(PrincipleKind::DecidesFirst));
        // Stones that only become weaker by the owners, and are proved to be killed.
        let weakens = reason(&made, MatterKind::Weakens, BLACK_CORNER, BLACK_CORNER, 12.0);
        let told = |name: &str| {
            let (groups, deeds) = (&critical, [deed_about(name, made.point("C5"), None)]);
            let facts = PrincipleFacts { groups, deeds: &deeds, ..plain_facts(&made, &weakens) };
            find_principle(&facts).map(|principle| principle.kind)
        };
        assert_eq!(told("kill"), Some(PrincipleKind::DecidesFirst));
        assert_eq!(told("atari"), Some(PrincipleKind::AttackFirst));
    }

    /// A group is named, and counted, as the reason names and counts its stones.
    #[test]
    fn a_weak_group_is_named_as_the_reason_names_it() {
        let mut made = HandMade::from_diagram(CORNER, Color::Black);
        with_strength(&mut made, GroupStrength::Weak);
        let saves = reason(&made, MatterKind::SavesStones, "C6 D6", BLACK_CORNER, 12.0);
        let named = CarryingReason { stone: Some(made.point("D6")), ..saves };
        let told = find_principle(&plain_facts(&made, &named)).unwrap();
        assert_eq!(
            (told.kind, told.evidence, told.count),
            (PrincipleKind::WeakGroupFirst, made.point("D6"), 2),
            "of three stones two are told"
        );
        // Stones that were not weak are not counted among those that were.
        let wall = made.point("G5");
        let safe = made.analysis.groups.iter_mut().filter(|group| group.stones.contains(wall));
        safe.for_each(|group| group.strength = GroupStrength::Stable);
        let wide = CarryingReason { stones: set(&made, "C6 D6 G5 G4"), ..named };
        let told = find_principle(&plain_facts(&made, &wide)).unwrap();
        assert_eq!((told.evidence, told.count), (made.point("D6"), 0), "the reason counts others with them");
        // The reason names stones that were not weak: then nothing is said of those that were.
        let other = CarryingReason { stone: Some(made.point("G5")), ..wide };
        assert_eq!(find_principle(&plain_facts(&made, &other)), None);
    }

    #[test]
    fn dead_stones_and_big_points_have_their_principles() {
        let mut made = HandMade::from_diagram(CORNER, Color::Black);
        with_strength(&mut made, GroupStrength::Dead);
        let big = reason(&made, MatterKind::BuildsTerritory, "", "H1 J1 H2 J2", 9.0);
        assert_eq!(find(&made, &big, Some("C7"), None), Some(PrincipleKind::DeadStones));
        // A move that touches living stones, too, may be for those.
        let mut beside = HandMade::from_diagram(CORNER, Color::Black);
        with_strength(&mut beside, GroupStrength::Dead);
        let (mv, wall) = (made.point("C7"), made.point("G5"));
        let living = beside.analysis.groups.iter_mut().find(|group| group.stones.contains(wall));
        living.unwrap().liberties.insert(mv);
        assert_eq!(find_of_good(&beside, &big, "J3", Some("C7"), None), Some(PrincipleKind::BiggestPoint));
        let big_point =
            |reason: &CarryingReason, bad: &str| find_of_good(&made, reason, "J3", Some(bad), None);
        assert_eq!(big_point(&big, "A9"), Some(PrincipleKind::BiggestPoint));
        assert_eq!(big_point(&big, "H3"), None, "it was there");
        let small = CarryingReason { points: 2.0, ..big };
        assert_eq!(big_point(&small, "A9"), None, "no big point");
    }

    /// Stones that the bad move is told to save are not told to be dead in the same text.
    #[test]
    fn stones_that_are_saved_are_not_dead() {
        let mut made = HandMade::from_diagram(CORNER, Color::Black);
        with_strength(&mut made, GroupStrength::Dead);
        let big = reason(&made, MatterKind::BuildsTerritory, "", "H1 J1 H2 J2", 9.0);
        let told = |deed: &str| {
            let deeds = [deed_about(deed, made.point("C5"), None)];
            let (bad, good) = (Some(made.point("C7")), made.point("J3"));
            let facts = PrincipleFacts { bad, good, bad_deeds: &deeds, ..plain_facts(&made, &big) };
            find_principle(&facts).map(|principle| principle.kind)
        };
        assert_eq!(told("atari"), Some(PrincipleKind::DeadStones), "that saves nothing");
        assert_eq!(told("save"), Some(PrincipleKind::BiggestPoint));
        assert_eq!(told("live"), Some(PrincipleKind::BiggestPoint));
    }

    /// Only where the line comes to the bad move's own point is it an exchange that was left out.
    #[test]
    fn what_is_answered_comes_first_where_nothing_is_lost_by_it() {
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let big = reason(&made, MatterKind::BuildsTerritory, "", "H1 J1 H2 J2", 9.0);
        let told = |bad: Option<&str>, then: Option<&str>| {
            let facts = PrincipleFacts {
                bad: bad.map(|vertex| made.point(vertex)),
                good: made.point("J3"),
                then: then.map(|vertex| made.point(vertex)),
                ..plain_facts(&made, &big)
            };
            find_principle(&facts).map(|principle| (principle.kind, principle.evidence))
        };
        let first = Some((PrincipleKind::AnsweredFirst, made.point("J3")));
        assert_eq!(told(Some("A9"), Some("A9")), first);
        let biggest = Some((PrincipleKind::BiggestPoint, made.point("J3")));
        assert_eq!(told(Some("A9"), Some("A1")), biggest, "it goes on elsewhere");
        assert_eq!(told(None, None), None);
        // So is a move after which the mover plays where the opponent plays instead of answering the bad one.
        let (bad, good) = (Some(made.point("A9")), made.point("J3"));
        let wanted = |vertex: &str| {
            let wanted = Some(made.point(vertex));
            let facts = PrincipleFacts { bad, good, wanted, then: wanted, ..plain_facts(&made, &big) };
            find_principle(&facts).map(|principle| (principle.kind, principle.evidence))
        };
        assert_eq!(wanted("A1"), first);
        assert_eq!(wanted("A7"), biggest, "it is an answer to the bad one");
        // The turn alone is worth it, too, where the reason says little of the loss.
        let turn = PrincipleFacts { bad, good, keeps_turn: true, ..plain_facts(&made, &big) };
        assert_eq!(find_principle(&turn).map(|principle| (principle.kind, principle.evidence)), first);
        let beginner = PrincipleFacts { listener: Listener::Beginner, ..turn };
        assert_eq!(
            find_principle(&beginner).map(|principle| principle.kind),
            Some(PrincipleKind::BiggestPoint)
        );
    }

    /// A connection is told with both stones, and only if the reason is about one of them.
    #[test]
    fn a_connection_is_an_instance_by_the_stones_of_the_reason() {
        let mut made = HandMade::from_diagram(CORNER, Color::Black);
        with_strength(&mut made, GroupStrength::Stable);
        let saves = reason(&made, MatterKind::SavesStones, BLACK_CORNER, BLACK_CORNER, 12.0);
        let told = |about: &str, other: &str| {
            let deeds = [deed_about("connect", made.point(about), Some(made.point(other)))];
            let facts = PrincipleFacts { deeds: &deeds, ..plain_facts(&made, &saves) };
            find_principle(&facts).map(|principle| (principle.kind, principle.evidence, principle.other))
        };
        let [corner, wall] = ["C5", "G5"].map(|vertex| made.point(vertex));
        assert_eq!(told("C5", "G5"), Some((PrincipleKind::ConnectFirst, corner, Some(wall))));
        assert_eq!(told("G8", "G5"), None, "these are other stones");
    }

    /// What a bad move costs may lie where the opponent plays next, far from the better move: that is then no instance of anything.
    #[test]
    fn a_better_move_elsewhere_is_no_instance_of_what_is_lost() {
        let mut made = HandMade::from_diagram(CORNER, Color::Black);
        with_strength(&mut made, GroupStrength::Weak);
        let saves = reason(&made, MatterKind::SavesStones, BLACK_CORNER, BLACK_CORNER, 12.0);
        let big = reason(&made, MatterKind::BuildsTerritory, "", "H1 J1 H2 J2", 9.0);
        assert_eq!(find_of_good(&made, &saves, "J1", Some("J9"), None), None);
        assert_eq!(find_of_good(&made, &saves, "J1", Some("J9"), Some("D5")), None);
        assert_eq!(find_of_good(&made, &big, "C7", Some("A5"), None), None);
    }
}
