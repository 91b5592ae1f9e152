//! Main reasons and lessons as sentences, in English and Japanese.

use ishi_othello::{Color, Square};
use ishi_words::Language;

use super::words::color_name;
use super::{BoardEdge, LessonKind, MainReason, MistakeCause, ReviewLesson};

/// The main reason against a move of `mover`, as a sentence with the line that shows it:
/// `g2: White gets the corner h1 in 2 moves by g2 h3 g1 h1`.
pub fn describe_main_reason(reason: &MainReason, mover: Color, language: Language) -> String {
    let Some(&played) = reason.line.first() else { return String::new() };
    let names = SideNames { own: color_name(mover, language), other: color_name(mover.opponent(), language) };
    let line = spell_line(&reason.line);
    match language {
        Language::English => format!("{played}: {} by {line}", cause_in_english(reason.cause, names)),
        Language::Japanese => format!("{played}は{}（{line}）", cause_in_japanese(reason.cause, names)),
    }
}

/// A lesson, as a sentence: what went wrong, where, what it cost, and what to look at the next time.
pub fn describe_lesson(lesson: &ReviewLesson, language: Language) -> String {
    let numbers: Vec<String> = lesson.moves.iter().map(usize::to_string).collect();
    let (title, advice) = lesson_words(lesson.kind, language);
    let loss = lesson.loss;
    match language {
        Language::English => format!("{title} (moves {}, {loss} discs): {advice}", numbers.join(", ")),
        Language::Japanese => format!("{title}（{}手目、石損{loss}個）: {advice}", numbers.join("・")),
    }
}

/// What the two sides are called.
#[derive(Clone, Copy)]
struct SideNames {
    own: &'static str,
    other: &'static str,
}

fn spell_line(line: &[Square]) -> String {
    line.iter().map(Square::to_string).collect::<Vec<String>>().join(" ")
}

fn cause_in_english(cause: MistakeCause, names: SideNames) -> String {
    let SideNames { own, other } = names;
    match cause {
        MistakeCause::OpensCorner { corner, after, seed } => {
            let when = match after.div_ceil(2) {
                0 | 1 => "at once".to_string(),
                moves => format!("in {moves} moves"),
            };
            let seed = seed.map(|seed| format!(" (with the disc on {seed} behind it)")).unwrap_or_default();
            format!("{other} gets the corner {corner} {when}{seed}")
        }
        MistakeCause::MissesCorner { corner } => format!("{own} does not get the corner {corner}"),
        MistakeCause::MustPass => format!("{own} must pass"),
        MistakeCause::SparesPass => format!("{other} need not pass, as it must after the best move"),
        MistakeCause::GivesLastMove { whole: true, .. } => {
            format!("{other} gets the last move of the game (parity)")
        }
        MistakeCause::GivesLastMove { region, size, .. } => {
            format!("{other} gets the last move of the {size} squares around {region} (parity)")
        }
        MistakeCause::OpensEdge { edge, discs } => {
            format!("{other} gets {discs} more discs at the {} edge for good", edge_in_english(edge))
        }
        MistakeCause::GivesStable { discs } => {
            format!("{own} falls {discs} discs behind that nobody can turn")
        }
        MistakeCause::LosesTempo { safe, better } => format!(
            "{own} has {} safe moves left against {}, and {} against {} after the best move",
            safe.0, safe.1, better.0, better.1
        ),
        MistakeCause::GivesMobility { moves, better } => format!(
            "{other} has {} moves against {}, and {} against {} after the best move",
            moves.1, moves.0, better.1, better.0
        ),
        MistakeCause::BreaksQuiet { openness, better } => {
            format!("it turns discs beside {openness} empty squares, where a quieter move touches {better},")
        }
        MistakeCause::PoisonsSquare { corner, diagonal } => {
            let name = if diagonal { "X-square" } else { "C-square" };
            format!("the {name} makes the corner {corner} a burden for {own}")
        }
        MistakeCause::TurnsBack { discs, better } => {
            format!("{other} turns {discs} discs, and {better} after the best move,")
        }
        MistakeCause::Refuted { value, better } => format!("{own} stands at {value:+} instead of {better:+}"),
    }
}

fn cause_in_japanese(cause: MistakeCause, names: SideNames) -> String {
    let SideNames { own, other } = names;
    match cause {
        MistakeCause::OpensCorner { corner, after, seed } => {
            let when = match after.div_ceil(2) {
                0 | 1 => "すぐに".to_string(),
                moves => format!("{moves}手で"),
            };
            let seed = seed.map(|seed| format!("{seed}を種石に")).unwrap_or_default();
            format!("{other}に{seed}{when}隅{corner}を取られる")
        }
        MistakeCause::MissesCorner { corner } => format!("隅{corner}を取り損なう"),
        MistakeCause::MustPass => format!("{own}がパスになる"),
        MistakeCause::SparesPass => format!("{other}をパスさせる手を逃す"),
        MistakeCause::GivesLastMove { whole: true, .. } => {
            format!("偶数理論に反し、最後の手を{other}に打たれる")
        }
        MistakeCause::GivesLastMove { region, size, .. } => {
            format!("偶数理論に反し、{region}付近の{size}マス空きで手止まりを{other}に打たれる")
        }
        MistakeCause::OpensEdge { edge, discs } => {
            format!("{}を開けて{other}の確定石が{discs}個増える", edge_in_japanese(edge))
        }
        MistakeCause::GivesStable { discs } => format!("確定石で{discs}個の差がつく"),
        MistakeCause::LosesTempo { safe, better } => {
            format!("手損で、余裕手が{}対{}になる（最善なら{}対{}）", safe.0, safe.1, better.0, better.1)
        }
        MistakeCause::GivesMobility { moves, better } => format!(
            "着手可能な所が{own}{}、{other}{}になる（最善なら{}と{}）",
            moves.0, moves.1, better.0, better.1
        ),
        MistakeCause::BreaksQuiet { openness, better } => {
            format!("開放度{openness}で局面を開く（中割りや引っ張りなら{better}）")
        }
        MistakeCause::PoisonsSquare { corner, diagonal } => {
            let name = if diagonal { "X打ち" } else { "C打ち" };
            format!("空いた隅{corner}への{name}で、隅が{own}の負担になる")
        }
        MistakeCause::TurnsBack { discs, better } => {
            format!("次に{discs}個返される（最善なら{better}個）")
        }
        MistakeCause::Refuted { value, better } => format!("{better:+}のところを{value:+}にする"),
    }
}

fn edge_in_english(edge: BoardEdge) -> &'static str {
    match edge {
        BoardEdge::Top => "top",
        BoardEdge::Bottom => "bottom",
        BoardEdge::Left => "left",
        BoardEdge::Right => "right",
    }
}

fn edge_in_japanese(edge: BoardEdge) -> &'static str {
    match edge {
        BoardEdge::Top => "上辺",
        BoardEdge::Bottom => "下辺",
        BoardEdge::Left => "左辺",
        BoardEdge::Right => "右辺",
    }
}

/// The name of a lesson, and what to look at the next time.
fn lesson_words(kind: LessonKind, language: Language) -> (&'static str, &'static str) {
    match kind {
        LessonKind::Corners => (
            language.choose("Corners", "隅"),
            language.choose(
                "before you move, see which of your discs lead the opponent to a corner",
                "打つ前に、相手が隅を取る種石がないか確かめる",
            ),
        ),
        LessonKind::DangerousSquares => (
            language.choose("X-squares and C-squares", "X打ちとC打ち"),
            language.choose(
                "keep away from empty corners while other moves are left",
                "ほかに打つ所があるうちは空いた隅の隣を避ける",
            ),
        ),
        LessonKind::Passes => (
            language.choose("Passes", "パス"),
            language.choose(
                "near the end, count who runs out of moves",
                "終盤は、どちらの打つ所がなくなるかを数える",
            ),
        ),
        LessonKind::Parity => (
            language.choose("Parity", "偶数理論"),
            language.choose(
                "play into odd regions, and leave even ones to the opponent",
                "奇数空きに打ち、偶数空きは相手に先に打たせる",
            ),
        ),
        LessonKind::StableDiscs => (
            language.choose("Edges and stable discs", "辺と確定石"),
            language.choose(
                "see how an edge ends before you open it",
                "辺を開ける前に、その辺がどう終わるかを読む",
            ),
        ),
        LessonKind::Tempo => (
            language.choose("Safe moves", "余裕手"),
            language.choose(
                "count the safe moves of both sides, and keep yours",
                "双方の余裕手を数え、自分の分を残す",
            ),
        ),
        LessonKind::Mobility => (
            language.choose("Mobility", "手数"),
            language.choose(
                "leave the opponent few moves, and do not build a wall",
                "相手の打つ所を減らし、壁を作らない",
            ),
        ),
        LessonKind::QuietMoves => (
            language.choose("Quiet moves", "開放度"),
            language.choose(
                "turn discs inside (few empty squares beside them) rather than at the rim",
                "外側より、開放度の小さい中割りや引っ張りを選ぶ",
            ),
        ),
        LessonKind::Counting => (
            language.choose("Reading ahead", "読み"),
            language.choose(
                "play the opponent's best answer in your head before you move",
                "打つ前に相手の最善の応手まで読む",
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::square;

    /// One of each.
    fn all_causes() -> Vec<MistakeCause> {
        let corner = square("h1");
        vec![
            MistakeCause::OpensCorner { corner, after: 3, seed: Some(square("d5")) },
            MistakeCause::OpensCorner { corner, after: 1, seed: None },
            MistakeCause::MissesCorner { corner },
            MistakeCause::MustPass,
            MistakeCause::SparesPass,
            MistakeCause::GivesLastMove { region: square("a1"), size: 3, whole: false },
            MistakeCause::GivesLastMove { region: square("a1"), size: 3, whole: true },
            MistakeCause::OpensEdge { edge: BoardEdge::Left, discs: 4 },
            MistakeCause::GivesStable { discs: 5 },
            MistakeCause::LosesTempo { safe: (1, 4), better: (3, 3) },
            MistakeCause::GivesMobility { moves: (3, 9), better: (6, 7) },
            MistakeCause::BreaksQuiet { openness: 5, better: 1 },
            MistakeCause::PoisonsSquare { corner, diagonal: true },
            MistakeCause::PoisonsSquare { corner, diagonal: false },
            MistakeCause::TurnsBack { discs: 9, better: 2 },
            MistakeCause::Refuted { value: -6, better: 2 },
        ]
    }

    fn say(cause: MistakeCause, language: Language) -> String {
        let line = ["g2", "h3", "g1", "h1"].map(square).to_vec();
        describe_main_reason(&MainReason { cause, cost: 4, line }, Color::Black, language)
    }

    #[test]
    fn sentences_name_the_sides_and_the_line() {
        assert_eq!(
            say(all_causes()[0], Language::English),
            "g2: White gets the corner h1 in 2 moves (with the disc on d5 behind it) by g2 h3 g1 h1"
        );
        assert_eq!(
            say(all_causes()[0], Language::Japanese),
            "g2は白にd5を種石に2手で隅h1を取られる（g2 h3 g1 h1）"
        );
    }

    /// Every cause and every lesson has words of its own in both languages.
    #[test]
    fn every_cause_and_lesson_has_words_in_both_languages() {
        for language in [Language::English, Language::Japanese] {
            let mut said: Vec<String> = all_causes().into_iter().map(|cause| say(cause, language)).collect();
            assert!(said.iter().all(|text| text.contains("g2 h3 g1 h1")), "{said:?}");
            let lesson =
                |cause: &MistakeCause| ReviewLesson { kind: cause.kind(), moves: vec![7, 9], loss: 8 };
            let mut lessons: Vec<String> =
                all_causes().iter().map(|cause| describe_lesson(&lesson(cause), language)).collect();
            said.sort();
            said.dedup();
            assert_eq!(said.len(), all_causes().len());
            lessons.sort();
            lessons.dedup();
            assert_eq!(lessons.len(), 9);
            assert!(
                lessons.iter().all(|text| text.contains('7') && text.contains('9') && text.contains('8'))
            );
        }
    }
}
