//! Words for what is known, in English and Japanese.

use ishi_go::{Color, Point};
use ishi_words::{Language, format_count};

use crate::explain::{ChainDanger, NearbyChain};
use crate::oracle::GroupStrength;
use crate::reasons::{KnownPattern, Reason};
use crate::strategy::{GameBalance, GamePhase};

/// Moves of a sequence that are told.
const TOLD: usize = 8;

/// A colour's name.
pub fn color_name(color: Color, language: Language) -> &'static str {
    match (color, language) {
        (Color::Black, Language::English) => "Black",
        (Color::White, Language::English) => "White",
        (Color::Black, Language::Japanese) => "黒",
        (Color::White, Language::Japanese) => "白",
    }
}

/// A sequence of moves: `B D4, W E5`; cut after eight.
pub fn describe_sequence(moves: &[(Color, Point)], language: Language) -> String {
    let one = |&(by, point): &(Color, Point)| match language {
        Language::English => format!("{} {point}", by.letter()),
        Language::Japanese => format!("{}{point}", color_name(by, language)),
    };
    let told: Vec<String> = moves.iter().take(TOLD).map(one).collect();
    let rest = if moves.len() > TOLD { " ..." } else { "" };
    told.join(if language == Language::English { ", " } else { "・" }) + rest
}

/// The reason, as the end of a sentence that begins with the move.
///
/// ```
/// use ishi_go::{BoardSize, Position, Rules};
/// use ishi_knowledge::words::describe_reason;
/// use ishi_words::Language;
/// use ishi_knowledge::{Analysis, NoOracle, rules};
/// let position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
/// let suggestions = rules::suggest_moves(&position, &Analysis::analyze(&position, &mut NoOracle));
/// let text = describe_reason(&suggestions[0].reasons[0], Language::English);
/// assert!(text.starts_with("takes an empty corner"), "{text}");
/// ```
pub fn describe_reason(reason: &Reason, language: Language) -> String {
    let sentence = match language {
        Language::English => reason.rule.english,
        Language::Japanese => reason.rule.japanese,
    };
    let point = |point: Option<Point>| point.map_or(String::new(), |point| point.to_string());
    // Where nothing was read there is no sequence to tell.
    let sentence = match reason.sequence.is_empty() {
        true => sentence.replace(": {sequence}", "").replace("（{sequence}）", ""),
        false => sentence.to_string(),
    };
    let text = sentence
        .replace("{about}", &point(reason.about))
        .replace("{other}", &point(reason.other))
        .replace("{count}", &reason.count.to_string())
        .replace("{sequence}", &describe_sequence(&reason.sequence, language));
    let text = match &reason.pattern {
        Some(pattern) => fill_in_pattern(&text, pattern, language),
        None => text,
    };
    match (language, reason.count) {
        (Language::English, 1) => text.replace("1 stones", "1 stone"),
        _ => text,
    }
}

/// Puts in what the database says of a pattern.
fn fill_in_pattern(text: &str, pattern: &KnownPattern, language: Language) -> String {
    let (name, words) = match language {
        Language::English => (pattern.name.clone(), &pattern.words.en),
        Language::Japanese => (japanese_pattern_name(pattern), &pattern.words.ja),
    };
    // Where the words are the name already, they are told once.
    let text = match language == Language::Japanese && *words == pattern.title.ja {
        true => text.replace("：{words}", ""),
        false => text.to_string(),
    };
    text.replace("{pattern}", &name)
        .replace("{seen}", &pattern.seen.to_string())
        .replace("{played}", &pattern.played.to_string())
        .replace("{won}", &pattern.won_percent().to_string())
        .replace("{words}", words)
}

/// Patterns are named in English letters, by which `ishi go shapes --show` finds them. In Japanese one is called by its words, or by where
/// it lies and its number.
fn japanese_pattern_name(pattern: &KnownPattern) -> String {
    if !pattern.title.ja.is_empty() {
        return format!("「{}」", pattern.title.ja);
    }
    match pattern.name.split_once('-') {
        Some(("corner", number)) => format!("「隅{number}」"),
        Some(("side", number)) => format!("「辺{number}」"),
        Some(("centre", number)) => format!("「中央{number}」"),
        _ => format!("「{}」", pattern.name),
    }
}

/// A chain close to a move that no rule speaks of, as the end of a sentence that begins with the move.
pub fn describe_nearby(chain: &NearbyChain, language: Language) -> String {
    let NearbyChain { stone, stones, touched, liberties, left, danger, .. } = chain;
    let name = color_name(chain.color, language);
    match language {
        Language::English => {
            let count = format_count(*stones, "stone");
            let verb = if *touched { "touches" } else { "is near" };
            let plural = if *liberties.max(left) == 1 { "liberty" } else { "liberties" };
            let change = if left == liberties {
                format!("{liberties} {plural}")
            } else {
                format!("{liberties} {plural} before it, {left} after")
            };
            let state = match danger {
                None => "",
                Some(ChainDanger::Open) => "; who moves first decides whether it is caught",
                Some(ChainDanger::Lost) => "; it could not get away before",
            };
            format!("{verb} {name} {stone} ({count}, {change}{state})")
        }
        Language::Japanese => {
            let verb = if *touched { "に接します" } else { "の近くです" };
            let change = if left == liberties {
                format!("呼吸点{liberties}")
            } else {
                format!("呼吸点{liberties}から{left}")
            };
            let state = match danger {
                None => "",
                Some(ChainDanger::Open) => "、先に打つ方が制します",
                Some(ChainDanger::Lost) => "、逃げられない石でした",
            };
            format!("{name}{stone}{verb}（{stones}子、{change}{state}）")
        }
    }
}

/// How a group stands.
pub fn describe_strength(strength: GroupStrength, language: Language) -> &'static str {
    match (strength, language) {
        (GroupStrength::Dead, Language::English) => "dead",
        (GroupStrength::Critical, Language::English) => "critical: the next move decides",
        (GroupStrength::Weak, Language::English) => "weak",
        (GroupStrength::Unsettled, Language::English) => "unsettled",
        (GroupStrength::Stable, Language::English) => "stable",
        (GroupStrength::Alive, Language::English) => "alive",
        (GroupStrength::Dead, Language::Japanese) => "死",
        (GroupStrength::Critical, Language::Japanese) => "次の一手で決まる",
        (GroupStrength::Weak, Language::Japanese) => "弱い",
        (GroupStrength::Unsettled, Language::Japanese) => "未定",
        (GroupStrength::Stable, Language::Japanese) => "安定",
        (GroupStrength::Alive, Language::Japanese) => "活",
    }
}

/// The phase of a game.
pub fn phase_name(phase: GamePhase, language: Language) -> &'static str {
    match (phase, language) {
        (GamePhase::Opening, Language::English) => "opening",
        (GamePhase::MiddleGame, Language::English) => "middle game",
        (GamePhase::Endgame, Language::English) => "endgame",
        (GamePhase::Opening, Language::Japanese) => "布石",
        (GamePhase::MiddleGame, Language::Japanese) => "中盤",
        (GamePhase::Endgame, Language::Japanese) => "ヨセ",
    }
}

/// How the game stands for a side.
pub fn describe_balance(balance: GameBalance, language: Language) -> &'static str {
    match (balance, language) {
        (GameBalance::WellAhead, Language::English) => "well ahead",
        (GameBalance::Ahead, Language::English) => "ahead",
        (GameBalance::Even, Language::English) => "even",
        (GameBalance::Behind, Language::English) => "behind",
        (GameBalance::WellBehind, Language::English) => "well behind",
        (GameBalance::WellAhead, Language::Japanese) => "大優勢",
        (GameBalance::Ahead, Language::Japanese) => "優勢",
        (GameBalance::Even, Language::Japanese) => "互角",
        (GameBalance::Behind, Language::Japanese) => "劣勢",
        (GameBalance::WellBehind, Language::Japanese) => "大劣勢",
    }
}

#[cfg(test)]
mod tests {
    use ishi_patterns::library::BilingualWords;

    use super::*;
    use crate::rules::rule_named;

    #[test]
    fn patterns_have_japanese_names() {
        let both = |en: &str, ja: &str| BilingualWords { en: en.into(), ja: ja.into() };
        let told = |rule: &str, name: &str, title: BilingualWords, words: BilingualWords| {
            let pattern = KnownPattern { name: name.into(), title, seen: 9, played: 4, won: 2, words };
            let reason = Reason { pattern: Some(pattern), ..Reason::for_rule(rule_named(rule)) };
            [Language::English, Language::Japanese].map(|language| describe_reason(&reason, language))
        };
        let jump = both("the monkey jump", "サルスベリ");
        let [en, ja] =
            told("hand-pattern", "monkey-jump", jump.clone(), both("slides far", "サルスベリで大きく荒らす"));
        assert_eq!(en, "follows pattern monkey-jump: slides far");
        assert_eq!(ja, "パターン「サルスベリ」の手です：サルスベリで大きく荒らす");
        let [_, ja] = told("hand-pattern", "monkey-jump", jump.clone(), jump);
        assert_eq!(ja, "パターン「サルスベリ」の手です");
        for (name, japanese) in
            [("corner-0277", "隅0277"), ("side-0007", "辺0007"), ("centre-0001", "中央0001")]
        {
            let [en, ja] = told("mined-pattern", name, BilingualWords::default(), BilingualWords::default());
            assert!(en.starts_with(&format!("follows pattern {name}: seen 9 times")), "{en}");
            assert!(ja.starts_with(&format!("パターン「{japanese}」の手です（9回現れて4回")), "{ja}");
        }
    }
}
