//! Races to capture: two chains that touch, neither of which lives, and whose liberties decide.

use ishi_go::Point;
use ishi_reading::{Outcome, RaceReader};

use super::{Condition, Found, Rule, View, rule};
use crate::chains::ChainFacts;
use crate::groups::Group;
use crate::oracle::Strength;
use crate::reasons::{Family, Reason};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule("win-race", Family::Race, 5.0, "wins the race of {about} against the {count} stones at {other}", "{about}と{other}の{count}子との攻め合いに勝ちます", Condition::Find(win)),
    rule("hold-race", Family::Race, 4.0, "saves {about} in its race with the {count} stones at {other}", "{other}の{count}子との攻め合いで{about}を助けます", Condition::Read),
    rule("race-ko", Family::Race, 2.5, "makes a ko of the race of {about} against {other}", "{about}と{other}の攻め合いをコウにします", Condition::Read),
    rule("race-liberty", Family::Race, 1.5, "takes an outer liberty of {other} in its race with {about}", "攻め合いの{other}の外ダメを詰めます", Condition::Find(take_liberty)),
];

/// Chains with more liberties are not in a race yet.
const MOST_LIBERTIES: usize = 7;
/// Ways out that are worth as much together, in half eyes, lead somewhere.
const REAL_WAY_OUT: f32 = 1.0;
/// Races that are read at most, those about most stones first, and the moves played for a question.
const MOST_READ: usize = 4;
const READ_MOVES: u32 = 3000;

/// A race: an own chain and one of the other side, by their names.
struct Race<'a> {
    own: &'a ChainFacts,
    rival: &'a ChainFacts,
}

impl Race<'_> {
    fn stones(&self) -> usize {
        self.own.stones.len() + self.rival.stones.len()
    }

    fn reason(&self, rule: &'static Rule) -> Reason {
        Reason::of(rule).about(self.own.name()).with(self.rival.name()).count(self.rival.stones.len())
    }
}

/// The races of a position, those about most stones first.
fn races<'a>(view: &'a View<'_>) -> Vec<Race<'a>> {
    let chains = &view.analysis.chains;
    let own = chains.iter().filter(|chain| chain.color == Some(view.color) && may_race(view, chain));
    let rivals = |own: &'a ChainFacts| {
        chains
            .enemies(own)
            .into_iter()
            .filter_map(|name| chains.at(name))
            .filter(|rival| may_race(view, rival))
    };
    let mut races: Vec<Race<'_>> =
        own.flat_map(|own| rivals(own).map(move |rival| Race { own, rival })).collect();
    races.sort_by_key(|race| std::cmp::Reverse(race.stones()));
    races.truncate(MOST_READ);
    races
}

/// Two stones or more, between two liberties and many, in a group that neither lives nor is dead, and cannot get out.
fn may_race(view: &View<'_>, chain: &ChainFacts) -> bool {
    let group = view.analysis.group(chain.name());
    chain.stones.len() > 1
        && (2..=MOST_LIBERTIES).contains(&chain.liberties.len())
        && group.is_some_and(|group| is_open(group) && is_shut_in(group))
}

fn is_open(group: &Group) -> bool {
    (Strength::Critical..=Strength::Unsettled).contains(&group.strength)
}

/// Who could run, or join friends, has no need of a race.
fn is_shut_in(group: &Group) -> bool {
    group.ways_out().into_iter().sum::<f32>() < REAL_WAY_OUT
}

/// Races that whoever moves first decides, read to their end.
fn win(view: &View<'_>, _: &'static Rule, out: &mut Found) {
    let races = races(view);
    if races.is_empty() {
        return;
    }
    let mut reader = RaceReader::new(READ_MOVES);
    for race in races {
        if let Some((mv, rule)) = deciding(view, &mut reader, race.own.name(), race.rival.name()) {
            out.suggest(view, mv, race.reason(super::named(rule)).plus(race.stones() as f64));
        }
    }
}

/// The move that decides a race, and the rule that says how; none if it is settled, or could not be read.
fn deciding(
    view: &View<'_>,
    reader: &mut RaceReader,
    own: Point,
    rival: Point,
) -> Option<(Point, &'static str)> {
    let falls = reader.fall(view.board, own, rival)?;
    let takes = reader.fall(view.board, rival, own)?;
    let survives = reader.survive(view.board, own, rival)?;
    let named = |outcome: Outcome, rule| if outcome == Outcome::Works { rule } else { "race-ko" };
    let is_open = |outcome: Outcome| outcome != Outcome::Fails;
    if takes.outcome >= Outcome::KoFirst && is_open(reader.survive(view.board, rival, own)?.outcome) {
        return Some((takes.mv?, named(takes.outcome, "win-race")));
    }
    if is_open(falls.outcome) && survives.outcome >= Outcome::KoFirst {
        return Some((survives.mv?, named(survives.outcome, "hold-race")));
    }
    None
}

/// Liberties of the rival that the own chain does not share.
fn take_liberty(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    for race in races(view) {
        for mv in race.rival.liberties.without(&race.own.liberties).iter() {
            out.suggest(view, mv, race.reason(rule));
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Diagram, Position, Rules};

    use crate::analysis::Analysis;
    use crate::oracle::NoOracle;
    use crate::rules::suggest;

    /// The rules of this file by which moves are suggested.
    fn suggested(text: &str, to_move: Color) -> Vec<&'static str> {
        let board = text.parse::<Diagram>().unwrap().board().unwrap();
        let stones = board.size().points().filter_map(|point| Some((board.color(point)?, point)));
        let position = Position::from_setup(board.size(), Rules::CHINESE, stones, to_move).unwrap();
        let suggestions = suggest(&position, &Analysis::of(&position, &mut NoOracle));
        let names =
            suggestions.iter().flat_map(|suggestion| &suggestion.reasons).map(|reason| reason.rule.name);
        let mut names: Vec<&str> =
            names.filter(|name| super::RULES.iter().any(|rule| rule.name == *name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    #[test]
    fn who_moves_first_wins_an_even_race() {
        let even = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . O O O X X X . .
            O O O O X X X X .
            O X X X O O O X .
            . . . . . . . . .
        ";
        assert_eq!(suggested(even, Color::Black), ["race-liberty", "win-race"]);
        assert_eq!(suggested(even, Color::White), ["race-liberty", "win-race"]);
    }

    /// Two walls in the open: nobody is in a hurry to fill liberties.
    #[test]
    fn stones_that_can_run_are_in_no_race() {
        let open = "
            . . . . . . . . . . .
            . . . . . . . . . . .
            . . . . . . . . . . .
            . . . . . . . . . . .
            . . . . X O . . . . .
            . . . . X O . . . . .
            . . . . X O . . . . .
            . . . . . . . . . . .
            . . . . . . . . . . .
            . . . . . . . . . . .
            . . . . . . . . . . .
        ";
        assert_eq!(suggested(open, Color::Black), [""; 0]);
        assert_eq!(suggested(open, Color::White), [""; 0]);
    }

    #[test]
    fn a_race_that_is_decided_needs_no_move() {
        let decided = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . O O O X X X . .
            O . . O X X X X .
            O X X X O O O X .
            . . . . . . O X .
        ";
        assert!(!suggested(decided, Color::Black).contains(&"win-race"));
        assert!(!suggested(decided, Color::White).contains(&"hold-race"));
    }
}
