//! Races to capture: two chains that touch, neither of which lives, and whose liberties decide.

use ishi_go::Point;
use ishi_reading::{RaceReader, ReadingOutcome};

use super::{Condition, Rule, RuleContext, RuleFindings, new_rule};
use crate::chains::ChainFacts;
use crate::groups::Group;
use crate::oracle::GroupStrength;
use crate::reasons::{Reason, RuleFamily};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    new_rule("win-race", RuleFamily::Race, 5.0, "wins the race of {about} against the {count} stones at {other}", "{about}と{other}の{count}子との攻め合いに勝ちます", Condition::Find(suggest_winning_races)),
    new_rule("hold-race", RuleFamily::Race, 4.0, "saves {about} in its race with the {count} stones at {other}", "{other}の{count}子との攻め合いで{about}を助けます", Condition::Read),
    new_rule("race-ko", RuleFamily::Race, 2.5, "makes a ko of the race of {about} against {other}", "{about}と{other}の攻め合いをコウにします", Condition::Read),
    new_rule("race-liberty", RuleFamily::Race, 1.5, "takes an outer liberty of {other} in its race with {about}", "{about}との攻め合いで{other}の外ダメを詰めます", Condition::Find(suggest_taking_liberties)),
];

/// Chains with more liberties are not in a race yet.
const MOST_LIBERTIES: usize = 7;
/// Ways out that are worth as much together, in half eyes, lead somewhere.
const REAL_WAY_OUT: f32 = 1.0;
/// Races that are read at most, those about most stones first, and the moves played for a question.
const MOST_READ: usize = 4;
const READ_MOVES: u32 = 3000;

/// A race: an own chain and one of the other side, by their names.
struct CaptureRace<'a> {
    own: &'a ChainFacts,
    rival: &'a ChainFacts,
}

impl CaptureRace<'_> {
    fn stone_count(&self) -> usize {
        self.own.stones.len() + self.rival.stones.len()
    }

    fn race_reason(&self, rule: &'static Rule) -> Reason {
        Reason::for_rule(rule)
            .about_stone(self.own.name())
            .with_other_stone(self.rival.name())
            .with_count(self.rival.stones.len())
    }
}

/// The races of a position, those about most stones first.
fn find_races<'a>(view: &'a RuleContext<'_>) -> Vec<CaptureRace<'a>> {
    let chains = &view.analysis.chains;
    let own = chains.iter().filter(|chain| chain.color == Some(view.color) && may_race(view, chain));
    let rivals = |own: &'a ChainFacts| {
        chains
            .enemy_neighbours(own)
            .into_iter()
            .filter_map(|name| chains.chain_at(name))
            .filter(|rival| may_race(view, rival))
    };
    let mut races: Vec<CaptureRace<'_>> =
        own.flat_map(|own| rivals(own).map(move |rival| CaptureRace { own, rival })).collect();
    races.sort_by_key(|race| std::cmp::Reverse(race.stone_count()));
    races.truncate(MOST_READ);
    races
}

/// Two stones or more, between two liberties and many, in a group that neither lives nor is dead, and cannot get out.
fn may_race(view: &RuleContext<'_>, chain: &ChainFacts) -> bool {
    let group = view.analysis.group_at(chain.name());
    chain.stones.len() > 1
        && (2..=MOST_LIBERTIES).contains(&chain.liberties.len())
        && group.is_some_and(|group| is_open(group) && is_shut_in(group))
}

fn is_open(group: &Group) -> bool {
    (GroupStrength::Critical..=GroupStrength::Unsettled).contains(&group.strength)
}

/// Who could run, or join friends, has no need of a race.
fn is_shut_in(group: &Group) -> bool {
    group.ways_out().into_iter().sum::<f32>() < REAL_WAY_OUT
}

/// Races that whoever moves first decides, read to their end.
fn suggest_winning_races(view: &RuleContext<'_>, _: &'static Rule, out: &mut RuleFindings) {
    let races = find_races(view);
    if races.is_empty() {
        return;
    }
    let mut reader = RaceReader::new(READ_MOVES);
    for race in races {
        if let Some((mv, rule)) = deciding_move(view, &mut reader, race.own.name(), race.rival.name()) {
            out.suggest(
                view,
                mv,
                race.race_reason(super::rule_named(rule)).with_added_value(race.stone_count() as f64),
            );
        }
    }
}

/// The move that decides a race, and the rule that says how; none if it is settled, or could not be read.
fn deciding_move(
    view: &RuleContext<'_>,
    reader: &mut RaceReader,
    own: Point,
    rival: Point,
) -> Option<(Point, &'static str)> {
    let falls = reader.read_fall(view.board, own, rival)?;
    let takes = reader.read_fall(view.board, rival, own)?;
    let survives = reader.read_survival(view.board, own, rival)?;
    let named =
        |outcome: ReadingOutcome, rule| if outcome == ReadingOutcome::Works { rule } else { "race-ko" };
    let is_open = |outcome: ReadingOutcome| outcome != ReadingOutcome::Fails;
    if takes.outcome >= ReadingOutcome::KoFirst
        && is_open(reader.read_survival(view.board, rival, own)?.outcome)
    {
        return Some((takes.mv?, named(takes.outcome, "win-race")));
    }
    if is_open(falls.outcome) && survives.outcome >= ReadingOutcome::KoFirst {
        return Some((survives.mv?, named(survives.outcome, "hold-race")));
    }
    None
}

/// Liberties of the rival that the own chain does not share.
fn suggest_taking_liberties(view: &RuleContext<'_>, rule: &'static Rule, out: &mut RuleFindings) {
    for race in find_races(view) {
        for mv in race.rival.liberties.difference(&race.own.liberties).iter() {
            out.suggest(view, mv, race.race_reason(rule));
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Diagram, Position, Rules};

    use crate::analysis::Analysis;
    use crate::oracle::NoOracle;
    use crate::rules::suggest_moves;

    /// The rules of this file by which moves are suggested.
    fn suggested(text: &str, to_move: Color) -> Vec<&'static str> {
        let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
        let stones = board.size().points().filter_map(|point| Some((board.color(point)?, point)));
        let position = Position::from_setup(board.size(), Rules::CHINESE, stones, to_move).unwrap();
        let suggestions = suggest_moves(&position, &Analysis::analyze(&position, &mut NoOracle));
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
