//! What is told before an explanation is ready: how a move looks at first sight, and then what reading proves, move by move.
//!
//! The first look is three short searches of ishi's own, whoever judges. It may be wrong: what is told while one waits corrects it then, and
//! finished texts do not have it.

use ishi_go::{Color, Move, Point, Position};
use ishi_judge::planes;
use ishi_knowledge::Reason;
use ishi_knowledge::words::{color_name, describe_reason};
use ishi_words::Language;
use ishi_work::Stop;

use super::explanation::{Explanation, SURE, position_after};
use super::say::points_text;
use super::teach::{VerdictKind, teach_move, teach_question};
use super::value::{ErrorModel, MoveVerdict, PositionValue};
use crate::analyst::OwnSearches;
use ishi_engine::SearchReport;

/// Positions judged by each search of a first look.
pub(super) const FIRST_VISITS: u64 = 8;

/// How good a move looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstImpression {
    /// It is the move that comes to mind.
    Best,
    /// It is not clearly worse than that.
    Good,
    /// It is clearly worse.
    Bad,
}

/// How a move looks at first sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstSight {
    /// Whose move.
    pub color: Color,
    /// The move that was asked about, or else the one that comes to mind.
    pub mv: Move,
    /// How good it looks.
    pub impression: FirstImpression,
    /// What a bad one loses, in points and of the probability of winning; 0 of others.
    pub lost: [f64; 2],
    /// The move that comes to mind instead of a bad one.
    pub better: Option<Move>,
}

/// Something that is known while an explanation is being made. The first look comes first; all steps come before the explanation.
#[derive(Clone, Debug, PartialEq)]
pub enum ExplanationStep {
    /// How the move looks.
    FirstSight(FirstSight),
    /// What reading proves of a move: the one that is explained first, then others.
    Proved {
        /// Whose move.
        color: Color,
        /// The move.
        mv: Point,
        /// What it does; one at least.
        deeds: Vec<Reason>,
    },
}

/// Looks at a move, or for one. None on boards that the network does not see, of a move that is illegal, where there is no move, and
/// after a stop.
pub(super) fn look_first(
    searches: &OwnSearches,
    position: &Position,
    mv: Option<Move>,
    stop: &(dyn Stop + Sync),
) -> Option<FirstSight> {
    if !planes::size_fits(position.size()) {
        return None;
    }
    let search = |position: &Position| {
        let report = searches.analyst.search_position(position, searches.seed, stop);
        (report.playouts > 0 && !stop.is_requested()).then_some(report)
    };
    let value_after = |mv: Move| {
        let report: SearchReport = search(&position_after(position, mv)?)?;
        Some(ErrorModel::NETWORK.value_of_report(&report).for_other_side())
    };
    let best = search(position)?.moves.first()?.mv;
    let color = position.to_move();
    match mv.filter(|&mv| mv != best) {
        None => Some(FirstSight {
            color,
            mv: best,
            impression: FirstImpression::Best,
            lost: [0.0; 2],
            better: None,
        }),
        Some(mv) => Some(compare_first(color, (mv, value_after(mv)?), (best, value_after(best)?))),
    }
}

/// A move beside the one that comes to mind, each with what its search says.
fn compare_first(color: Color, own: (Move, PositionValue), best: (Move, PositionValue)) -> FirstSight {
    let is_bad = own.1.compare_with(&best.1, SURE) == MoveVerdict::Worse;
    let (impression, lost, better) = match is_bad {
        true => (FirstImpression::Bad, best.1.difference_from(&own.1), Some(best.0)),
        false => (FirstImpression::Good, [0.0; 2], None),
    };
    FirstSight { color, mv: own.0, impression, lost, better }
}

impl FirstSight {
    /// Does the explanation say the same: a loss of a move that looks bad, no loss of another?
    pub fn is_upheld_by(&self, explanation: &Explanation) -> bool {
        let explained = explanation.mv.as_ref().map_or(Move::Pass, |told| told.reasons.mv.into());
        let asked = explanation.why_not.iter().find(|other| Move::Play(other.mv.reasons.mv) == self.mv);
        let verdict = match asked {
            _ if explained == self.mv => Some(teach_move(explanation).verdict),
            Some(asked) => teach_question(explanation, asked).map(|told| told.verdict),
            None => None,
        };
        let looks_bad = self.impression == FirstImpression::Bad;
        verdict.is_some_and(|verdict| (verdict.kind == VerdictKind::Loses) == looks_bad)
    }

    fn move_name(&self, language: Language) -> String {
        let color = color_name(self.color, language);
        match self.mv {
            Move::Play(point) => language.choose(format!("{color} {point}"), format!("{color}{point}")),
            Move::Pass => language.choose(format!("{color}'s pass"), format!("{color}のパス")),
        }
    }

    /// What it loses: points, or where these are little, the chance to win.
    fn loss_text(&self, language: Language) -> String {
        let [points, share] = self.lost;
        let percent = (100.0 * share).round().max(1.0);
        match points >= 0.5 {
            true => points_text(points, language),
            false => language
                .choose(format!("about {percent:.0} % of the chance to win"), format!("勝率約{percent:.0}%")),
        }
    }

    /// It in words: `At first sight: Black J1 loses about 11 points, and C7 is better.`
    pub fn sentence(&self, language: Language) -> String {
        let name = self.move_name(language);
        match (self.impression, self.better) {
            (FirstImpression::Bad, Some(better)) => {
                let (lost, instead) = (self.loss_text(language), better_name(better, language));
                language.choose(
                    format!("At first sight: {name} loses {lost}, and {instead} is better."),
                    format!("第一感：{name}は{lost}の損で、{instead}が良さそうです。"),
                )
            }
            (FirstImpression::Best, _) => language.choose(
                format!("At first sight: {name} is the move to play."),
                format!("第一感：{name}が本命です。"),
            ),
            _ => language.choose(
                format!("At first sight: {name} is a good move."),
                format!("第一感：{name}は悪くない手です。"),
            ),
        }
    }

    /// What is said where it was told, before an explanation that does not uphold it.
    pub fn correction(language: Language) -> &'static str {
        language.choose(
            "The longer search does not confirm that first sight:",
            "詳しく調べた結果、第一感とは違う結論になりました：",
        )
    }
}

fn better_name(better: Move, language: Language) -> String {
    match better {
        Move::Play(point) => point.to_string(),
        Move::Pass => language.choose("a pass", "パス").to_string(),
    }
}

impl ExplanationStep {
    /// It in words, a line.
    pub fn sentence(&self, language: Language) -> String {
        match self {
            ExplanationStep::FirstSight(sight) => sight.sentence(language),
            ExplanationStep::Proved { color, mv, deeds } => {
                let color = color_name(*color, language);
                let told: Vec<String> = deeds.iter().map(|deed| describe_reason(deed, language)).collect();
                language.choose(
                    format!("Proved by reading: {color} {mv} {}.", told.join("; ")),
                    format!("読み切り：{color}{mv}は{}。", told.join("、")),
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Rules};
    use ishi_rng::Seed;

    use super::super::scripted::{ScriptedJudge, position_of_game, position_of_moves};
    use super::super::{ExplainParams, Explainer};
    use super::*;

    fn explainer(judge: &ScriptedJudge) -> Explainer {
        let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
        Explainer::new(params, Seed::new(1)).with_judge(Box::new(judge.clone()))
    }

    /// The first look needs no answer of the judge: it is told before the judge is asked, and what is proved before the end.
    #[test]
    fn the_first_look_is_told_before_the_judge_is_asked() {
        let judge = ScriptedJudge::default();
        let position = position_of_game(4);
        let bad = position.size().parse_point("J1").unwrap();
        let mut heard = Vec::new();
        let mut tell = |step: &ExplanationStep| heard.push((step.clone(), judge.asked().len()));
        let explanation = explainer(&judge).explain_in_steps(&position, Some(bad.into()), &[], &mut tell);
        let Some((ExplanationStep::FirstSight(sight), 0)) = heard.first() else {
            panic!("the first look comes first: {heard:?}")
        };
        assert_eq!((sight.mv, sight.color), (bad.into(), Color::Black));
        let looks = heard.iter().filter(|(step, _)| matches!(step, ExplanationStep::FirstSight(_))).count();
        assert_eq!(looks, 1);
        assert!(heard[1..].iter().all(|(_, asked)| *asked > 0), "{heard:?}");
        // To look first changes nothing of what is found.
        let alone = explainer(&ScriptedJudge::default()).explain_move(&position, Some(bad.into()), &[]);
        assert_eq!(teach_move(&explanation), teach_move(&alone));
    }

    /// What is proved of the move that is explained is told once the move was read, before the others are compared.
    #[test]
    fn what_is_proved_is_told_as_soon_as_it_is_read() {
        let position = position_of_moves(&["E5", "E6", "D6", "A1", "F6", "A2"]);
        let take = position.size().parse_move("E7").unwrap();
        let mut steps = Vec::new();
        let judge = ScriptedJudge::default();
        let mut tell = |step: &ExplanationStep| steps.push((step.clone(), judge.asked().len()));
        explainer(&judge).explain_in_steps(&position, Some(take), &[], &mut tell);
        let proved = steps.iter().find(|(step, _)| matches!(step, ExplanationStep::Proved { .. }));
        let (step, asked) = proved.expect("it takes a stone");
        assert!(*asked < judge.asked().len(), "other moves are searched after it");
        let words = step.sentence(Language::English);
        assert!(words.starts_with("Proved by reading: Black E7 takes the stone at E6"), "{words}");
        let words = step.sentence(Language::Japanese);
        assert!(words.starts_with("読み切り：黒E7は") && words.ends_with('。'), "{words}");
    }

    #[test]
    fn a_first_look_is_told_as_one() {
        let size = BoardSize::square(9).unwrap();
        let [bad, good] = ["J1", "C7"].map(|vertex| size.parse_move(vertex).unwrap());
        let sight = FirstSight {
            color: Color::Black,
            mv: bad,
            impression: FirstImpression::Bad,
            lost: [10.6, 0.2],
            better: Some(good),
        };
        let words = |sight: FirstSight| {
            [Language::English, Language::Japanese].map(|language| sight.sentence(language))
        };
        let [english, japanese] = words(sight);
        assert_eq!(english, "At first sight: Black J1 loses about 11 points, and C7 is better.");
        assert_eq!(japanese, "第一感：黒J1は約11目の損で、C7が良さそうです。");
        let [english, japanese] = words(FirstSight { lost: [0.2, 0.08], better: Some(Move::Pass), ..sight });
        assert_eq!(
            english,
            "At first sight: Black J1 loses about 8 % of the chance to win, and a pass is better."
        );
        assert_eq!(japanese, "第一感：黒J1は勝率約8%の損で、パスが良さそうです。");
        let best = FirstSight { mv: good, impression: FirstImpression::Best, better: None, ..sight };
        assert_eq!(words(best)[0], "At first sight: Black C7 is the move to play.");
        let good = FirstSight { impression: FirstImpression::Good, ..best };
        assert_eq!(words(good)[1], "第一感：黒C7は悪くない手です。");
    }

    /// A first look that the explanation contradicts is not upheld.
    #[test]
    fn what_the_longer_search_contradicts_is_not_upheld() {
        let position = position_of_game(4);
        let bad = position.size().parse_move("J1").unwrap();
        let explanation = explainer(&ScriptedJudge::default()).explain_move(&position, Some(bad), &[]);
        assert_eq!(teach_move(&explanation).verdict.kind, VerdictKind::Loses);
        let sight = |impression| FirstSight {
            color: Color::Black,
            mv: bad,
            impression,
            lost: [8.0, 0.2],
            better: None,
        };
        assert!(sight(FirstImpression::Bad).is_upheld_by(&explanation));
        assert!(!sight(FirstImpression::Good).is_upheld_by(&explanation));
        let other = FirstSight { mv: Move::Pass, ..sight(FirstImpression::Best) };
        assert!(!other.is_upheld_by(&explanation), "another move is explained");
    }

    #[test]
    fn nobody_looks_at_large_boards_or_after_a_stop() {
        let params = ExplainParams::of_level(1);
        let searches = OwnSearches { analyst: params.analyst, seed: Seed::new(1) };
        let look = |size: usize, stop: &(dyn Stop + Sync)| {
            let position = Position::new(BoardSize::square(size).unwrap(), Rules::CHINESE);
            look_first(&searches, &position, None, stop)
        };
        assert!(look(9, &|| false).is_some_and(|sight| sight.impression == FirstImpression::Best));
        assert_eq!(look(21, &|| false), None);
        assert_eq!(look(9, &|| true), None);
    }
}
