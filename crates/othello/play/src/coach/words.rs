//! Reasons, judgements and outcomes in English and Japanese.

use ishi_othello::Color;
use ishi_words::{Language, format_count};

pub use super::sentences::{describe_blunder, describe_cause, describe_lesson, describe_main_reason};
use super::{CoachReason, GameOutcome, MoveHint, MoveJudgement, OthelloPhase};
use crate::search::{FoundMove, ScoreMeaning};

/// A reason in words.
pub fn describe_reason(reason: CoachReason, language: Language) -> String {
    match language {
        Language::English => reason_in_english(reason),
        Language::Japanese => reason_in_japanese(reason),
    }
}

/// Reasons in words, the first few, separated as the language does it; empty without reasons.
pub fn describe_reasons(reasons: &[CoachReason], most: usize, language: Language) -> String {
    let words: Vec<String> = reasons.iter().take(most).map(|&each| describe_reason(each, language)).collect();
    words.join(language.choose("; ", "、"))
}

/// What is said beside a move of `mover`: the main reason if it loses, else the first three reasons. Where the main reason does not say by what
/// the move loses, a fact of the board stands behind it. The move itself is not named again.
pub fn describe_hint(hint: &MoveHint, mover: Color, language: Language) -> String {
    let Some(main) = &hint.main else { return describe_reasons(&hint.reasons, 3, language) };
    let cause = describe_cause(main, mover, language);
    let speaks_against = |fact: &&CoachReason| !fact.is_merit() && fact.is_fact();
    let fact = hint.reasons.iter().find(speaks_against).filter(|_| main.cause.says_only_where());
    match fact {
        Some(&fact) => [cause, describe_reason(fact, language)].join(language.choose("; ", "、")),
        None => cause,
    }
}

fn reason_in_english(reason: CoachReason) -> String {
    match reason {
        CoachReason::WipesOut => "turns the opponent's last discs".to_string(),
        CoachReason::TakesCorner { corner } => format!("takes the corner {corner}"),
        CoachReason::GivesCorner { corner } => format!("gives away the corner {corner}"),
        CoachReason::ForcesPass => "the opponent must pass".to_string(),
        CoachReason::Wedges { square } => format!("wedges in at {square}, safe along the edge"),
        CoachReason::AllowsWedge { square } => format!("allows a wedge at {square}"),
        CoachReason::XSquare { corner } => format!("X-square of the empty corner {corner}"),
        CoachReason::CSquare { corner } => format!("C-square of the empty corner {corner}"),
        CoachReason::GainsStable { discs } => format!("gains {discs} stable discs"),
        CoachReason::FewReplies { replies, usual } => {
            format!("leaves the opponent {} (otherwise {usual})", count_of_moves(replies))
        }
        CoachReason::ManyReplies { replies, usual } => {
            format!("gives the opponent {} (otherwise {usual})", count_of_moves(replies))
        }
        CoachReason::FewOwnMoves { moves: own, usual } => {
            format!("leaves itself {} (otherwise {usual})", count_of_moves(own))
        }
        CoachReason::Quiet => "quiet: turns only discs inside".to_string(),
        CoachReason::Pulls { openness } => {
            format!("joins its own discs, and opens only {}", format_count(openness, "square"))
        }
        CoachReason::Opens { openness, usual } => {
            format!("opens {openness} squares beside the discs turned (otherwise {usual})")
        }
        CoachReason::LongFrontier { discs, usual } => {
            format!("leaves {discs} frontier discs (otherwise {usual})")
        }
        CoachReason::Greedy { turned } => format!("turns {turned} discs early"),
        CoachReason::KeepsParity { size } => format!("keeps parity: plays into an odd region ({size})"),
        CoachReason::LosesParity { size } => format!("loses parity: plays into an even region ({size})"),
    }
}

/// `no move`, `1 move`, `3 moves`.
pub(super) fn count_of_moves(count: u32) -> String {
    if count == 0 { "no move".to_string() } else { format_count(count, "move") }
}

fn reason_in_japanese(reason: CoachReason) -> String {
    match reason {
        CoachReason::WipesOut => "全滅させる".to_string(),
        CoachReason::TakesCorner { corner } => format!("隅{corner}を取る"),
        CoachReason::GivesCorner { corner } => format!("隅{corner}を取られる"),
        CoachReason::ForcesPass => "相手はパス".to_string(),
        CoachReason::Wedges { square } => format!("{square}に割り込み、辺では返されない"),
        CoachReason::AllowsWedge { square } => format!("{square}に割り込まれる"),
        CoachReason::XSquare { corner } => format!("空いた隅{corner}へのX打ち"),
        CoachReason::CSquare { corner } => format!("空いた隅{corner}へのC打ち"),
        CoachReason::GainsStable { discs } => format!("確定石が{discs}個増える"),
        CoachReason::FewReplies { replies, usual } => {
            format!("相手の着手可能数を{replies}にする（ほかは{usual}）")
        }
        CoachReason::ManyReplies { replies, usual } => {
            format!("相手の着手可能数が{replies}になる（ほかは{usual}）")
        }
        CoachReason::FewOwnMoves { moves, usual } => {
            format!("自分の着手可能数が{moves}になる（ほかは{usual}）")
        }
        CoachReason::Quiet => "中割り（開放度0）".to_string(),
        CoachReason::Pulls { openness } => format!("引っ張り（開放度{openness}）"),
        CoachReason::Opens { openness, usual } => format!("開放度{openness}（ほかは{usual}）"),
        CoachReason::LongFrontier { discs, usual } => format!("壁が{discs}個になる（ほかは{usual}）"),
        CoachReason::Greedy { turned } => format!("早くから{turned}個も返す"),
        CoachReason::KeepsParity { size } => format!("偶数理論：奇数空き（{size}）に打つ"),
        CoachReason::LosesParity { size } => format!("偶数理論に反する：偶数空き（{size}）に打つ"),
    }
}

/// `Black` or `黒`.
pub fn color_name(color: Color, language: Language) -> &'static str {
    match color {
        Color::Black => language.choose("Black", "黒"),
        Color::White => language.choose("White", "白"),
    }
}

/// A judgement in words; nothing for a good move.
pub fn judgement_name(judgement: MoveJudgement, language: Language) -> &'static str {
    match judgement {
        MoveJudgement::Best => language.choose("best", "最善"),
        MoveJudgement::Good => language.choose("good", "好手"),
        MoveJudgement::Inaccuracy => language.choose("inaccuracy", "緩手"),
        MoveJudgement::Mistake => language.choose("mistake", "疑問手"),
        MoveJudgement::Blunder => language.choose("blunder", "悪手"),
    }
}

/// `win`, `draw` or `loss`.
pub fn outcome_name(outcome: GameOutcome, language: Language) -> &'static str {
    match outcome {
        GameOutcome::Win => language.choose("win", "勝ち"),
        GameOutcome::Draw => language.choose("draw", "引き分け"),
        GameOutcome::Loss => language.choose("loss", "負け"),
    }
}

/// How sure a value is: `exact`, or the depth and the confidence: `12@95%`.
pub fn sureness_text(found: &FoundMove, language: Language) -> String {
    match found.meaning {
        ScoreMeaning::Exact => language.choose("exact", "完全").to_string(),
        ScoreMeaning::WinLoss => language.choose("win/loss", "勝敗").to_string(),
        ScoreMeaning::Estimate | ScoreMeaning::Selective => format!("{}@{}", found.depth, found.confidence),
    }
}

/// The part of a game.
pub fn phase_name(phase: OthelloPhase, language: Language) -> &'static str {
    match phase {
        OthelloPhase::Opening => language.choose("opening", "序盤"),
        OthelloPhase::Midgame => language.choose("midgame", "中盤"),
        OthelloPhase::Endgame => language.choose("endgame", "終盤"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::{BoardArea, MainReason, MistakeCause};
    use ishi_othello::Square;

    /// One of each kind.
    fn all() -> Vec<CoachReason> {
        let square: Square = "a1".parse().unwrap();
        let corner = square;
        vec![
            CoachReason::WipesOut,
            CoachReason::TakesCorner { corner },
            CoachReason::GivesCorner { corner },
            CoachReason::ForcesPass,
            CoachReason::Wedges { square },
            CoachReason::AllowsWedge { square },
            CoachReason::XSquare { corner },
            CoachReason::CSquare { corner },
            CoachReason::GainsStable { discs: 3 },
            CoachReason::FewReplies { replies: 1, usual: 6 },
            CoachReason::ManyReplies { replies: 9, usual: 4 },
            CoachReason::FewOwnMoves { moves: 2, usual: 7 },
            CoachReason::Quiet,
            CoachReason::Pulls { openness: 1 },
            CoachReason::Opens { openness: 8, usual: 3 },
            CoachReason::LongFrontier { discs: 12, usual: 7 },
            CoachReason::Greedy { turned: 7 },
            CoachReason::KeepsParity { size: 3 },
            CoachReason::LosesParity { size: 2 },
        ]
    }

    /// Every reason has words of its own in both languages, and none shows a name of the program's.
    #[test]
    fn every_reason_has_words_in_both_languages() {
        for language in [Language::English, Language::Japanese] {
            let mut words: Vec<String> =
                all().into_iter().map(|each| describe_reason(each, language)).collect();
            assert!(words.iter().all(|text| !text.contains('{') && !text.contains("Reason")), "{words:?}");
            words.sort();
            words.dedup();
            assert_eq!(words.len(), all().len());
        }
    }

    /// A part of the board alone says little: the first fact against the move stands behind it, but no square beside a corner.
    #[test]
    fn a_fact_stands_behind_a_reason_that_says_only_where() {
        let (square, best): (Square, Square) = ("g2".parse().unwrap(), "c2".parse().unwrap());
        let found = FoundMove {
            mv: ishi_othello::Move::Play(square),
            score: -6,
            meaning: ScoreMeaning::Estimate,
            depth: 8,
            confidence: crate::search::CutConfidence::Good,
            variation: vec![square],
            nodes: 1,
        };
        let hint = |cause| MoveHint {
            square,
            found: found.clone(),
            loss: 6,
            main: Some(MainReason { cause, cost: 4, line: vec![square], better: vec![best], answer: None }),
            reasons: vec![
                CoachReason::XSquare { corner: "h1".parse().unwrap() },
                CoachReason::Opens { openness: 7, usual: 4 },
                CoachReason::Greedy { turned: 6 },
            ],
            opening: None,
        };
        let said = |cause, language| describe_hint(&hint(cause), Color::Black, language);
        let area = MistakeCause::WeakensArea { area: BoardArea::Middle, discs: 4 };
        assert_eq!(
            said(area, Language::English),
            "after g2 the middle of the board is worth 4 discs less to Black than after c2; opens 7 squares beside the discs turned (otherwise 4)"
        );
        assert_eq!(said(area, Language::Japanese), "c2と比べて、中央の形が4石分悪くなる、開放度7（ほかは4）");
        let wall = MistakeCause::BuildsWall { discs: 11, better: 6 };
        assert!(!said(wall, Language::English).contains("opens"));
    }

    #[test]
    fn reasons_are_joined() {
        let both = [CoachReason::Quiet, CoachReason::ForcesPass, CoachReason::WipesOut];
        assert_eq!(
            describe_reasons(&both, 2, Language::English),
            "quiet: turns only discs inside; the opponent must pass"
        );
        assert_eq!(describe_reasons(&both, 2, Language::Japanese), "中割り（開放度0）、相手はパス");
        assert_eq!(describe_reasons(&[], 2, Language::English), "");
    }
}
