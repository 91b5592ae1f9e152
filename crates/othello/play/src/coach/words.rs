//! Reasons, judgements and outcomes in English and Japanese.

use ishi_othello::Color;
use ishi_words::Language;

use super::{Judgement, Outcome, Phase, Reason};
use crate::search::{Found, Meaning};

/// A reason in words.
pub fn reason(reason: Reason, language: Language) -> String {
    match language {
        Language::English => english(reason),
        Language::Japanese => japanese(reason),
    }
}

/// Reasons in words, the first few, separated as the language does it; empty without reasons.
pub fn reasons(reasons: &[Reason], most: usize, language: Language) -> String {
    let words: Vec<String> = reasons.iter().take(most).map(|&each| reason(each, language)).collect();
    words.join(language.choose("; ", "、"))
}

fn english(reason: Reason) -> String {
    match reason {
        Reason::WipesOut => "turns the opponent's last discs".to_string(),
        Reason::TakesCorner { corner } => format!("takes the corner {corner}"),
        Reason::GivesCorner { corner } => format!("gives away the corner {corner}"),
        Reason::ForcesPass => "the opponent must pass".to_string(),
        Reason::Wedges { square } => format!("wedges in at {square}, safe along the edge"),
        Reason::AllowsWedge { square } => format!("allows a wedge at {square}"),
        Reason::XSquare { corner } => format!("X-square of the empty corner {corner}"),
        Reason::CSquare { corner } => format!("C-square of the empty corner {corner}"),
        Reason::GainsStable { discs } => format!("gains {discs} stable discs"),
        Reason::FewReplies { replies, usual } => {
            format!("leaves the opponent {} (otherwise {usual})", moves(replies))
        }
        Reason::ManyReplies { replies, usual } => {
            format!("gives the opponent {} (otherwise {usual})", moves(replies))
        }
        Reason::FewOwnMoves { moves: own, usual } => {
            format!("leaves itself {} (otherwise {usual})", moves(own))
        }
        Reason::Quiet => "quiet: turns only discs inside".to_string(),
        Reason::Opens { openness, usual } => {
            format!("opens {openness} squares beside the discs turned (otherwise {usual})")
        }
        Reason::LongFrontier { discs, usual } => format!("leaves {discs} frontier discs (otherwise {usual})"),
        Reason::Greedy { turned } => format!("turns {turned} discs early"),
        Reason::KeepsParity { size } => format!("keeps parity: plays into an odd region ({size})"),
        Reason::LosesParity { size } => format!("loses parity: plays into an even region ({size})"),
    }
}

fn moves(count: u32) -> String {
    match count {
        0 => "no move".to_string(),
        1 => "1 move".to_string(),
        _ => format!("{count} moves"),
    }
}

fn japanese(reason: Reason) -> String {
    match reason {
        Reason::WipesOut => "全滅させる".to_string(),
        Reason::TakesCorner { corner } => format!("隅{corner}を取る"),
        Reason::GivesCorner { corner } => format!("隅{corner}を取られる"),
        Reason::ForcesPass => "相手はパス".to_string(),
        Reason::Wedges { square } => format!("{square}に割り込み、辺では返されない"),
        Reason::AllowsWedge { square } => format!("{square}に割り込まれる"),
        Reason::XSquare { corner } => format!("空いた隅{corner}へのX打ち"),
        Reason::CSquare { corner } => format!("空いた隅{corner}へのC打ち"),
        Reason::GainsStable { discs } => format!("確定石が{discs}個増える"),
        Reason::FewReplies { replies, usual } => {
            format!("相手の着手可能な所を{replies}にする(ほかは{usual})")
        }
        Reason::ManyReplies { replies, usual } => {
            format!("相手の着手可能な所が{replies}になる(ほかは{usual})")
        }
        Reason::FewOwnMoves { moves, usual } => format!("自分の着手可能な所が{moves}になる(ほかは{usual})"),
        Reason::Quiet => "中割り(開放度0)".to_string(),
        Reason::Opens { openness, usual } => format!("開放度{openness}(ほかは{usual})"),
        Reason::LongFrontier { discs, usual } => format!("壁が{discs}個になる(ほかは{usual})"),
        Reason::Greedy { turned } => format!("早くから{turned}個も返す"),
        Reason::KeepsParity { size } => format!("偶数理論: 奇数空き({size})に打つ"),
        Reason::LosesParity { size } => format!("偶数理論に反する: 偶数空き({size})に打つ"),
    }
}

/// `Black` or `黒`.
pub fn color(color: Color, language: Language) -> &'static str {
    match color {
        Color::Black => language.choose("Black", "黒"),
        Color::White => language.choose("White", "白"),
    }
}

/// A judgement in words; nothing for a good move.
pub fn judgement(judgement: Judgement, language: Language) -> &'static str {
    match judgement {
        Judgement::Best => language.choose("best", "最善"),
        Judgement::Good => language.choose("good", "好手"),
        Judgement::Inaccuracy => language.choose("inaccuracy", "緩手"),
        Judgement::Mistake => language.choose("mistake", "疑問手"),
        Judgement::Blunder => language.choose("blunder", "悪手"),
    }
}

/// `win`, `draw` or `loss`.
pub fn outcome(outcome: Outcome, language: Language) -> &'static str {
    match outcome {
        Outcome::Win => language.choose("win", "勝ち"),
        Outcome::Draw => language.choose("draw", "引き分け"),
        Outcome::Loss => language.choose("loss", "負け"),
    }
}

/// How sure a value is: `exact`, or the depth and the confidence: `12@95%`.
pub fn sureness(found: &Found, language: Language) -> String {
    match found.meaning {
        Meaning::Exact => language.choose("exact", "完全").to_string(),
        Meaning::WinLoss => language.choose("win/loss", "勝敗").to_string(),
        Meaning::Estimate | Meaning::Selective => format!("{}@{}", found.depth, found.confidence),
    }
}

/// The part of a game.
pub fn phase(phase: Phase, language: Language) -> &'static str {
    match phase {
        Phase::Opening => language.choose("opening", "序盤"),
        Phase::Midgame => language.choose("midgame", "中盤"),
        Phase::Endgame => language.choose("endgame", "終盤"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_othello::Square;

    /// One of each kind.
    fn all() -> Vec<Reason> {
        let square: Square = "a1".parse().unwrap();
        let corner = square;
        vec![
            Reason::WipesOut,
            Reason::TakesCorner { corner },
            Reason::GivesCorner { corner },
            Reason::ForcesPass,
            Reason::Wedges { square },
            Reason::AllowsWedge { square },
            Reason::XSquare { corner },
            Reason::CSquare { corner },
            Reason::GainsStable { discs: 3 },
            Reason::FewReplies { replies: 1, usual: 6 },
            Reason::ManyReplies { replies: 9, usual: 4 },
            Reason::FewOwnMoves { moves: 2, usual: 7 },
            Reason::Quiet,
            Reason::Opens { openness: 8, usual: 3 },
            Reason::LongFrontier { discs: 12, usual: 7 },
            Reason::Greedy { turned: 7 },
            Reason::KeepsParity { size: 3 },
            Reason::LosesParity { size: 2 },
        ]
    }

    /// Every reason has words of its own in both languages, and none shows a name of the program's.
    #[test]
    fn every_reason_has_words_in_both_languages() {
        for language in [Language::English, Language::Japanese] {
            let mut words: Vec<String> = all().into_iter().map(|each| reason(each, language)).collect();
            assert!(words.iter().all(|text| !text.contains('{') && !text.contains("Reason")), "{words:?}");
            words.sort();
            words.dedup();
            assert_eq!(words.len(), all().len());
        }
    }

    #[test]
    fn reasons_are_joined() {
        let both = [Reason::Quiet, Reason::ForcesPass, Reason::WipesOut];
        assert_eq!(
            reasons(&both, 2, Language::English),
            "quiet: turns only discs inside; the opponent must pass"
        );
        assert_eq!(reasons(&both, 2, Language::Japanese), "中割り(開放度0)、相手はパス");
        assert_eq!(reasons(&[], 2, Language::English), "");
    }
}
