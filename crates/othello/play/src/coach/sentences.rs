//! Main reasons and lessons as sentences, in English and Japanese.

use ishi_othello::{Color, Square};
use ishi_words::{Language, format_count};

use super::words::{color_name, count_of_moves, describe_reason};
use super::{
    BoardArea, BoardEdge, CoachReason, LessonKind, MainReason, MistakeCause, MoveReview, ReviewLesson,
};

/// The main reason against a move of `mover`, as a sentence with the line that shows it:
/// `g2: White gets the corner h1 in 2 moves by g2 h3 g1 h1`.
pub fn describe_main_reason(reason: &MainReason, mover: Color, language: Language) -> String {
    let Some(&played) = reason.line.first() else { return String::new() };
    let cause = describe_cause(reason, mover, language);
    match language {
        Language::English => format!("{played}: {cause}"),
        Language::Japanese => format!("{played}と打つと、{cause}"),
    }
}

/// The same where the move stands before it already: `White gets the corner h1 in 2 moves by g2 h3 g1 h1`.
pub fn describe_cause(reason: &MainReason, mover: Color, language: Language) -> String {
    let Some(played) = reason.line.first() else { return String::new() };
    let telling = ReasonTelling {
        own: color_name(mover, language),
        other: color_name(mover.opponent(), language),
        played: played.to_string(),
        line: spell_line(&reason.line),
        is_one_move: reason.line.len() == 1,
        better: spell_line(&reason.better),
        best: reason.better.first().map(Square::to_string).unwrap_or_default(),
        answer: reason.answer.map(|answer| answer.to_string()),
    };
    match language {
        Language::English => cause_in_english(reason.cause, &telling),
        Language::Japanese => cause_in_japanese(reason.cause, &telling),
    }
}

/// What a teaching game tells of a blunder, a line each: what it loses, the main reason, and the better move.
pub fn describe_blunder(blunder: &MoveReview, language: Language) -> String {
    let MoveReview { color, square, value, best, .. } = blunder;
    let (own, loss) = (color_name(*color, language), blunder.loss.unsigned_abs());
    let about = if blunder.is_proved() { "" } else { language.choose("about ", "約") };
    let end = language.choose(".", "。");
    let lost = match language {
        Language::English => format!("{own} {square} loses {about}{}.", format_count(loss, "disc")),
        Language::Japanese => format!("{own}{square}は{about}{loss}石の損です。"),
    };
    let reason = blunder.reason.as_ref().map(|reason| describe_main_reason(reason, *color, language) + end);
    let better = best.mv.square().map(|better| match language {
        Language::English => format!("Better: {better}, which gives {:+} instead of {value:+}.", best.score),
        Language::Japanese => format!("最善手は{better}で、{value:+}ではなく{:+}になります。", best.score),
    });
    [Some(lost), reason, better].into_iter().flatten().collect::<Vec<String>>().join("\n")
}

/// A lesson, as a sentence: what went wrong, where, what it cost, and what to look at the next time.
pub fn describe_lesson(lesson: &ReviewLesson, language: Language) -> String {
    let numbers: Vec<String> = lesson.moves.iter().map(usize::to_string).collect();
    let (title, advice) = lesson_words(lesson.kind, language);
    let loss = lesson.loss;
    match language {
        Language::English => {
            format!(
                "{title} ({}, {}): {advice}",
                numbered_moves(&numbers),
                format_count(loss.unsigned_abs(), "disc")
            )
        }
        Language::Japanese => format!("{title}（{}手目、{loss}石損）：{advice}", numbers.join("・")),
    }
}

/// "move 7", "moves 7 and 9", "moves 7, 9 and 12".
fn numbered_moves(numbers: &[String]) -> String {
    match numbers.split_last() {
        Some((last, [])) => format!("move {last}"),
        Some((last, others)) => format!("moves {} and {last}", others.join(", ")),
        None => "no move".to_string(),
    }
}

/// What a sentence is made of besides the cause.
struct ReasonTelling {
    /// The side that erred.
    own: &'static str,
    other: &'static str,
    /// The mistake.
    played: String,
    /// The line that shows the cause.
    line: String,
    /// Is that the mistake alone?
    is_one_move: bool,
    /// The line of the best move.
    better: String,
    /// The best move.
    best: String,
    /// The other side's answer to the mistake.
    answer: Option<String>,
}

fn spell_line(line: &[Square]) -> String {
    line.iter().map(Square::to_string).collect::<Vec<String>>().join(" ")
}

fn cause_in_english(cause: MistakeCause, telling: &ReasonTelling) -> String {
    let ReasonTelling { own, other, line, better, best, answer, .. } = telling;
    match cause {
        MistakeCause::OpensCorner { corner, after, seed } => {
            let when = match after.div_ceil(2) {
                0 | 1 => "at once".to_string(),
                moves => format!("in {moves} moves"),
            };
            let seed = seed.map(|seed| format!(" (with the disc on {seed} behind it)")).unwrap_or_default();
            format!("{other} gets the corner {corner} {when}{seed} by {line}")
        }
        MistakeCause::MissesCorner { corner } if better == best => {
            format!("{own} could take the corner {corner} at once. Instead comes {line}")
        }
        MistakeCause::MissesCorner { corner } => {
            format!("{own} could have the corner {corner} by {better}. Instead comes {line}")
        }
        MistakeCause::LeavesSquare { square } => {
            format!("{other} gets {square}, the best square for both sides, by {line}")
        }
        MistakeCause::MustPass => format!("{own} must pass after {line}"),
        MistakeCause::SparesPass => {
            format!("{other} would have to pass after {better}. Instead comes {line}")
        }
        MistakeCause::GivesLastMove { region, size, whole } => {
            let answers = answer.as_ref().map(|answer| format!("answers {answer} and ")).unwrap_or_default();
            let place = match whole {
                true => "of the game".to_string(),
                false => format!("of the {size} squares around {region}"),
            };
            format!("{other} {answers}gets the last move {place} (parity) by {line}")
        }
        MistakeCause::EntersEven { size, odd, odd_size } => {
            format!(
                "it enters the even region of {size} squares, and {other} enters the odd one ({}) instead (parity), by {line}",
                region_in_english(odd, odd_size)
            )
        }
        MistakeCause::OpensEdge { edge, discs } => {
            let edge = edge_in_english(edge);
            format!("{other} gets {} more at the {edge} edge for good by {line}", format_count(discs, "disc"))
        }
        MistakeCause::GivesStable { discs } => {
            format!("after {line} {other} is {discs} stable discs better off than after {best}")
        }
        MistakeCause::LosesTempo { safe, better } => format!(
            "it loses tempo: after {line} {own} has {}, {other} {} (after {best}: {} and {})",
            format_count(safe.0, "safe move"),
            safe.1,
            better.0,
            better.1
        ),
        MistakeCause::GivesMobility { moves, better } => format!(
            "after {line} {other} has {} to choose from, {own} {} (after {best}: {} and {})",
            count_of_moves(moves.1),
            moves.0,
            better.1,
            better.0
        ),
        MistakeCause::BuildsWall { discs, better } => {
            format!(
                "after {line} {own} is left with a wall: {discs} discs beside empty squares ({better} after {best})"
            )
        }
        MistakeCause::BreaksQuiet { openness, better, pull, gives } => {
            let better = if better == 0 { "none".to_string() } else { better.to_string() };
            let joins = if pull { format!(", which joins {own}'s own,") } else { String::new() };
            let moves =
                if gives { format!("{other} gets moves") } else { format!("{own} is left with fewer moves") };
            format!(
                "it opens the position: the discs turned lie beside {openness} empty squares, those of {best}{joins} beside {better}, and {moves} by {line}"
            )
        }
        MistakeCause::PoisonsSquare { corner, diagonal } => {
            let name = if diagonal { "X-square" } else { "C-square" };
            let shown = if telling.is_one_move { String::new() } else { format!(", as {line} shows") };
            format!("the {name} makes the corner {corner} a burden for {own}{shown}")
        }
        MistakeCause::TurnsBack { discs, better } => {
            format!("{other} turns {} at once ({better} after {best}) by {line}", format_count(discs, "disc"))
        }
        MistakeCause::AllowsAnswer { square, discs, after_best, merit } => {
            let spared = match after_best {
                Some(loss) => format!("After {best} that answer would lose {}", format_count(loss, "disc")),
                None if square.to_string() == *best => format!("{own} could play there first"),
                None => format!("After {best} it could not"),
            };
            let merit = merit.map(|merit| format!(" ({})", merit_in_english(merit, own))).unwrap_or_default();
            let discs = format_count(discs, "disc");
            format!(
                "{other} can answer {square}{merit}, {discs} better than any other answer, as {line} shows. {spared}"
            )
        }
        MistakeCause::UnbalancesEdge { edge } => {
            format!(
                "it leaves {own} an unbalanced edge: five discs at the {}, with one square beside a corner empty",
                edge_in_english(edge)
            )
        }
        MistakeCause::LosesAccess { quarter, moves, better } => {
            let left = if moves.0 == 0 { "no move left".to_string() } else { count_of_moves(moves.0) };
            format!(
                "after {line} {own} has {left} in the {} quarter, {other} {} (after {best}: {} and {})",
                quarter_in_english(quarter),
                moves.1,
                better.0,
                better.1
            )
        }
        MistakeCause::MissesMerit { merit } => {
            let merit = missed_merit_in_english(merit, other);
            format!("{own} misses {best} ({merit}). Instead comes {line}")
        }
        MistakeCause::HasFault { fault } => format!("it {}", fault_in_english(fault, telling)),
        MistakeCause::WeakensArea { area, discs } => {
            let (area, verb) = area_in_english(area);
            let discs = format_count(discs, "disc");
            format!("after {line} {area} {verb} worth {discs} less to {own} than after {best}")
        }
        MistakeCause::LosesArea { area, discs } => {
            let place = place_in_english(area);
            format!(
                "{other} ends with {} more {place} than after {best}, by {line}",
                format_count(discs, "disc")
            )
        }
        MistakeCause::Refuted { value, better } => {
            let answers = answer.as_ref().map(|answer| format!("{other} answers {answer}, and "));
            let answers = answers.unwrap_or_default();
            format!("{answers}{own} stands at {value:+} after {line} ({better:+} after {best})")
        }
    }
}

/// What an answer has for itself; `own` is the side that it is played against.
fn merit_in_english(merit: CoachReason, own: &str) -> String {
    match merit {
        CoachReason::ForcesPass => format!("{own} must pass"),
        CoachReason::Wedges { .. } => "a wedge that is safe along the edge".to_string(),
        CoachReason::GainsStable { discs } => format!("gaining {discs} stable discs"),
        CoachReason::FewReplies { replies, .. } => format!("leaving {own} {}", count_of_moves(replies)),
        CoachReason::Quiet => "quiet, as it turns only discs inside".to_string(),
        CoachReason::Pulls { .. } => "joining its own discs".to_string(),
        CoachReason::KeepsParity { size } => format!("the odd region of {size}, by parity"),
        other => describe_reason(other, Language::English),
    }
}

/// What the best move has for itself, against the move played; `other` is the side that both are played against.
fn missed_merit_in_english(merit: CoachReason, other: &str) -> String {
    let said = merit_in_english(merit, other);
    match merit {
        CoachReason::FewReplies { usual, .. } => format!("{said}, not {usual}"),
        _ => said,
    }
}

/// What a move has against itself, behind "it".
fn fault_in_english(fault: CoachReason, telling: &ReasonTelling) -> String {
    let ReasonTelling { own, other, best, .. } = telling;
    match fault {
        CoachReason::AllowsWedge { square } => format!("lets {other} wedge in at {square}"),
        CoachReason::ManyReplies { replies, usual } => {
            format!("gives {other} {} ({usual} after {best})", count_of_moves(replies))
        }
        CoachReason::FewOwnMoves { moves, usual } => {
            format!("leaves {own} {} ({usual} after {best})", count_of_moves(moves))
        }
        CoachReason::Opens { openness, usual } => {
            format!("opens {openness} squares beside the discs turned ({usual} with {best})")
        }
        CoachReason::LongFrontier { discs, usual } => {
            format!("leaves {own} {discs} discs beside empty squares ({usual} after {best})")
        }
        CoachReason::Greedy { turned } => {
            format!("turns {turned} discs early, where fewer would do")
        }
        CoachReason::LosesParity { size } => {
            format!("enters a region with an even number of squares ({size}), though there is an odd one")
        }
        other => describe_reason(other, Language::English),
    }
}

/// What a move has against itself.
fn fault_in_japanese(fault: CoachReason, telling: &ReasonTelling) -> String {
    let ReasonTelling { own, other, best, .. } = telling;
    match fault {
        CoachReason::AllowsWedge { square } => format!("{other}に{square}へ割り込まれる（くさび）"),
        CoachReason::ManyReplies { replies, usual } => {
            format!("{other}の着手可能数が{replies}になる（{best}なら{usual}）")
        }
        CoachReason::FewOwnMoves { moves, usual } => {
            format!("{own}の着手可能数が{moves}になる（{best}なら{usual}）")
        }
        CoachReason::Opens { openness, usual } => {
            format!("開放度{openness}の手で外側を開く（{best}なら開放度{usual}）")
        }
        CoachReason::LongFrontier { discs, usual } => {
            format!("空きマスに接する{own}の石が{discs}個になる（{best}なら{usual}個）")
        }
        CoachReason::Greedy { turned } => format!("早くから{turned}個も返してしまう"),
        CoachReason::LosesParity { size } => {
            format!("奇数空きがあるのに、{size}マスの偶数空きに入る（偶数理論）")
        }
        other => describe_reason(other, Language::Japanese),
    }
}

/// What an answer has for itself; `own` is the side that it is played against.
fn merit_in_japanese(merit: CoachReason, own: &str) -> String {
    match merit {
        CoachReason::ForcesPass => format!("{own}はパス"),
        CoachReason::Wedges { .. } => "辺への割り込み".to_string(),
        CoachReason::FewReplies { replies, .. } => format!("{own}の着手可能数が{replies}"),
        CoachReason::Quiet => "中割り".to_string(),
        CoachReason::Pulls { .. } => "引っ張り".to_string(),
        CoachReason::KeepsParity { size } => format!("偶数理論で{size}マス空き"),
        other => describe_reason(other, Language::Japanese),
    }
}

/// What the best move has for itself, against the move `played`; `other` is the side that both are played against.
fn missed_merit_in_japanese(merit: CoachReason, other: &str, played: &str) -> String {
    let said = merit_in_japanese(merit, other);
    match merit {
        CoachReason::FewReplies { usual, .. } => format!("{said}、{played}なら{usual}"),
        _ => said,
    }
}

fn cause_in_japanese(cause: MistakeCause, telling: &ReasonTelling) -> String {
    let ReasonTelling { own, other, played, line, better, best, answer, is_one_move } = telling;
    let answered = answer.as_ref().map(|answer| format!("{other}に{answer}と応じられ、")).unwrap_or_default();
    let by_other = if answered.is_empty() { format!("{other}に") } else { answered.clone() };
    let said = match cause {
        MistakeCause::OpensCorner { corner, after, seed } => {
            let when = match after.div_ceil(2) {
                0 | 1 => "すぐに".to_string(),
                moves => format!("{moves}手で"),
            };
            let seed = seed.map(|seed| format!("{seed}の石を種石に、")).unwrap_or_default();
            format!("{seed}{when}{other}に隅{corner}を取られる")
        }
        MistakeCause::MissesCorner { corner } if better == best => {
            format!("すぐに取れる隅{corner}を逃す")
        }
        MistakeCause::MissesCorner { corner } => format!("{better}で取れる隅{corner}を逃す"),
        MistakeCause::LeavesSquare { square } => {
            format!("双方の急所である{square}を{other}に打たれる")
        }
        MistakeCause::MustPass => format!("{own}がパスになる"),
        MistakeCause::SparesPass => format!("{better}で{other}をパスさせる機会を逃す"),
        MistakeCause::GivesLastMove { whole: true, .. } => {
            format!("偶数理論に反し、{by_other}最後の手を打たれる")
        }
        MistakeCause::GivesLastMove { region, size, .. } => {
            format!("偶数理論に反し、{by_other}{region}付近の{size}マス空きで手止まりを打たれる")
        }
        MistakeCause::EntersEven { size, odd, odd_size: 1 } => {
            format!("偶数理論に反して{size}マス空きに入り、1マス空きの{odd}を{other}に打たれる")
        }
        MistakeCause::EntersEven { size, odd, odd_size } => {
            format!(
                "偶数理論に反して{size}マス空きに入り、{odd}付近の{odd_size}マス空きに{other}から入られる"
            )
        }
        MistakeCause::OpensEdge { edge, discs } => {
            format!("{}を開け、{other}の確定石が{discs}個増える", edge_in_japanese(edge))
        }
        MistakeCause::GivesStable { discs } => {
            format!("{best}と比べて、確定石で{other}が{discs}個得をする")
        }
        MistakeCause::LosesTempo { safe, better } => format!(
            "余裕手が{own}{}、{other}{}となり、手数で損をする（{best}なら{}と{}）",
            safe.0, safe.1, better.0, better.1
        ),
        MistakeCause::GivesMobility { moves, better } => format!(
            "着手可能数が{own}{}、{other}{}になる（{best}なら{}と{}）",
            moves.0, moves.1, better.0, better.1
        ),
        MistakeCause::BuildsWall { discs, better } => {
            format!("壁を作り、空きマスに接する石が{discs}個残る（{best}なら{better}個）")
        }
        MistakeCause::BreaksQuiet { openness, better, pull, gives } => {
            let moves = match gives {
                true => format!("開放度{openness}の手で{other}の打てる所を増やす"),
                false => format!("開放度{openness}の手で{own}の打てる所を減らす"),
            };
            match (better, pull) {
                (0, _) => format!("{best}の中割りがあるのに、{moves}"),
                (_, true) => format!("{best}の引っ張り（開放度{better}）があるのに、{moves}"),
                (_, false) => format!("{moves}（{best}なら開放度{better}）"),
            }
        }
        MistakeCause::PoisonsSquare { corner, diagonal } => {
            let name = if diagonal { "X打ち" } else { "C打ち" };
            format!("空いた隅{corner}への{name}で、その隅が{own}の弱点になる")
        }
        MistakeCause::TurnsBack { discs, better } => {
            format!("{by_other}{discs}個返される（{best}なら{better}個）")
        }
        MistakeCause::AllowsAnswer { square, discs, after_best, merit } => {
            let merit =
                merit.map(|merit| format!("（{}）", merit_in_japanese(merit, own))).unwrap_or_default();
            let answered = format!("{other}に{square}{merit}と応じられる。");
            let spared = match after_best {
                Some(loss) => format!("{answered}{best}なら{loss}石損になる手で、"),
                None if square.to_string() == *best => {
                    format!("先に打てた{square}を{other}に打たれる{merit}。")
                }
                None => format!("{answered}{best}なら打てなかった手で、"),
            };
            format!("{spared}ほかの応手より{discs}石良い")
        }
        MistakeCause::UnbalancesEdge { edge } => {
            format!("{}に{own}のウイングが残る", edge_in_japanese(edge))
        }
        MistakeCause::LosesAccess { quarter, moves, better } => format!(
            "{}に打てる所が{own}{}、{other}{}になる（{best}なら{}と{}）",
            quarter_in_japanese(quarter),
            moves.0,
            moves.1,
            better.0,
            better.1
        ),
        MistakeCause::MissesMerit { merit } => {
            format!("{best}（{}）を逃す", missed_merit_in_japanese(merit, other, played))
        }
        MistakeCause::HasFault { fault } => fault_in_japanese(fault, telling),
        MistakeCause::WeakensArea { area, discs } => {
            format!("{best}と比べて、{}の形が{discs}石分悪くなる", area_in_japanese(area))
        }
        MistakeCause::LosesArea { area, discs } => {
            format!("{best}と比べて、{}で{other}に{discs}石多く取られる", area_in_japanese(area))
        }
        MistakeCause::Refuted { value, better } => {
            format!("{answered}形勢が{value:+}になる（{best}なら{better:+}）")
        }
    };
    // The mistake itself stands before the sentence.
    if *is_one_move { said } else { format!("{said}（{line}）") }
}

/// One empty square, or a region around it.
fn region_in_english(square: Square, size: u32) -> String {
    if size == 1 { square.to_string() } else { format!("{size} squares around {square}") }
}

/// What the part of the board is called, and the verb that agrees with it.
fn area_in_english(area: BoardArea) -> (String, &'static str) {
    match area {
        BoardArea::Edge(edge) => (format!("the {} edge", edge_in_english(edge)), "is"),
        BoardArea::Corner(corner) => (format!("the squares at the corner {corner}"), "are"),
        BoardArea::Quarter(corner) => (format!("the {} quarter", quarter_in_english(corner)), "is"),
        BoardArea::Middle => ("the middle of the board".to_string(), "is"),
    }
}

/// The quarter with this corner.
fn quarter_in_english(corner: Square) -> &'static str {
    match (corner.row() < 4, corner.column() < 4) {
        (true, true) => "upper left",
        (true, false) => "upper right",
        (false, true) => "lower left",
        (false, false) => "lower right",
    }
}

/// The quarter with this corner.
fn quarter_in_japanese(corner: Square) -> &'static str {
    match (corner.row() < 4, corner.column() < 4) {
        (true, true) => "左上",
        (true, false) => "右上",
        (false, true) => "左下",
        (false, false) => "右下",
    }
}

fn place_in_english(area: BoardArea) -> String {
    match area {
        BoardArea::Edge(edge) => format!("at the {} edge", edge_in_english(edge)),
        BoardArea::Corner(corner) => format!("at the corner {corner}"),
        BoardArea::Quarter(corner) => format!("in the {} quarter", quarter_in_english(corner)),
        BoardArea::Middle => "in the middle".to_string(),
    }
}

fn area_in_japanese(area: BoardArea) -> String {
    match area {
        BoardArea::Edge(edge) => edge_in_japanese(edge).to_string(),
        BoardArea::Corner(corner) => format!("隅{corner}の周り"),
        BoardArea::Quarter(corner) => quarter_in_japanese(corner).to_string(),
        BoardArea::Middle => "中央".to_string(),
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
                "ほかに打てる所があるうちは、空いた隅の隣を避ける",
            ),
        ),
        LessonKind::Passes => (
            language.choose("Passes", "パス"),
            language.choose(
                "near the end, count who runs out of moves",
                "終盤は、どちらの打てる所が先になくなるかを数える",
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
            language.choose("Mobility", "着手可能数"),
            language.choose(
                "leave the opponent few moves, and do not build a wall",
                "相手の打てる所を減らし、壁を作らない",
            ),
        ),
        LessonKind::QuietMoves => (
            language.choose("Quiet moves", "開放度"),
            language.choose(
                "turn discs inside (few empty squares beside them) rather than at the rim",
                "外側より、開放度の小さい中割りや引っ張りを選ぶ",
            ),
        ),
        LessonKind::KeySquares => (
            language.choose("Key squares", "急所"),
            language.choose(
                "before you move, see where the opponent would like to play, and whether you can play there first or keep it from that square",
                "打つ前に、相手の次の好手はどこかを考え、先に打つか、打てなくしておけないか確かめる",
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
            MistakeCause::LeavesSquare { square: square("h3") },
            MistakeCause::MustPass,
            MistakeCause::SparesPass,
            MistakeCause::GivesLastMove { region: square("a1"), size: 3, whole: false },
            MistakeCause::GivesLastMove { region: square("a1"), size: 3, whole: true },
            MistakeCause::EntersEven { size: 4, odd: square("a6"), odd_size: 5 },
            MistakeCause::EntersEven { size: 4, odd: square("a6"), odd_size: 1 },
            MistakeCause::OpensEdge { edge: BoardEdge::Left, discs: 4 },
            MistakeCause::GivesStable { discs: 5 },
            MistakeCause::LosesTempo { safe: (1, 4), better: (3, 3) },
            MistakeCause::GivesMobility { moves: (3, 9), better: (6, 7) },
            MistakeCause::BuildsWall { discs: 11, better: 6 },
            MistakeCause::BreaksQuiet { openness: 5, better: 1, pull: false, gives: true },
            MistakeCause::BreaksQuiet { openness: 5, better: 1, pull: true, gives: true },
            MistakeCause::BreaksQuiet { openness: 5, better: 0, pull: false, gives: true },
            MistakeCause::BreaksQuiet { openness: 5, better: 0, pull: false, gives: false },
            MistakeCause::PoisonsSquare { corner, diagonal: true },
            MistakeCause::PoisonsSquare { corner, diagonal: false },
            MistakeCause::TurnsBack { discs: 9, better: 2 },
            allows_answer(Some(5), None),
            allows_answer(None, None),
            allows_answer(None, Some(CoachReason::Wedges { square: square("h3") })),
            MistakeCause::UnbalancesEdge { edge: BoardEdge::Top },
            MistakeCause::LosesAccess { quarter: corner, moves: (0, 3), better: (2, 2) },
            MistakeCause::LosesAccess { quarter: corner, moves: (1, 3), better: (2, 2) },
            MistakeCause::MissesMerit { merit: CoachReason::Quiet },
            MistakeCause::MissesMerit { merit: CoachReason::FewReplies { replies: 3, usual: 8 } },
            MistakeCause::HasFault { fault: CoachReason::AllowsWedge { square: square("c1") } },
            MistakeCause::HasFault { fault: CoachReason::ManyReplies { replies: 12, usual: 8 } },
            MistakeCause::HasFault { fault: CoachReason::FewOwnMoves { moves: 3, usual: 8 } },
            MistakeCause::HasFault { fault: CoachReason::Opens { openness: 6, usual: 2 } },
            MistakeCause::HasFault { fault: CoachReason::LongFrontier { discs: 14, usual: 9 } },
            MistakeCause::HasFault { fault: CoachReason::Greedy { turned: 7 } },
            MistakeCause::HasFault { fault: CoachReason::LosesParity { size: 4 } },
            MistakeCause::WeakensArea { area: BoardArea::Edge(BoardEdge::Top), discs: 4 },
            MistakeCause::WeakensArea { area: BoardArea::Corner(corner), discs: 1 },
            MistakeCause::WeakensArea { area: BoardArea::Quarter(corner), discs: 4 },
            MistakeCause::WeakensArea { area: BoardArea::Quarter(square("a8")), discs: 4 },
            MistakeCause::WeakensArea { area: BoardArea::Middle, discs: 4 },
            MistakeCause::LosesArea { area: BoardArea::Edge(BoardEdge::Right), discs: 6 },
            MistakeCause::LosesArea { area: BoardArea::Corner(corner), discs: 3 },
            MistakeCause::LosesArea { area: BoardArea::Middle, discs: 3 },
            MistakeCause::Refuted { value: -6, better: 2 },
        ]
    }

    /// h3, 4 discs better than other answers.
    fn allows_answer(after_best: Option<u32>, merit: Option<CoachReason>) -> MistakeCause {
        MistakeCause::AllowsAnswer { square: square("h3"), discs: 4, after_best, merit }
    }

    fn say(cause: MistakeCause, language: Language) -> String {
        let line = ["g2", "h3", "g1", "h1"].map(square).to_vec();
        let (better, answer) = (["c2", "b1"].map(square).to_vec(), Some(line[1]));
        describe_main_reason(&MainReason { cause, cost: 4, line, better, answer }, Color::Black, language)
    }

    #[test]
    fn sentences_name_the_sides_and_the_line() {
        assert_eq!(
            say(all_causes()[0], Language::English),
            "g2: White gets the corner h1 in 2 moves (with the disc on d5 behind it) by g2 h3 g1 h1"
        );
        assert_eq!(
            say(all_causes()[0], Language::Japanese),
            "g2と打つと、d5の石を種石に、2手で白に隅h1を取られる（g2 h3 g1 h1）"
        );
    }

    /// What is held against the best move names it, and what is answered names the answer.
    #[test]
    fn sentences_name_the_best_move_and_the_answer() {
        let corner = square("h1");
        let said = |cause| (say(cause, Language::English), say(cause, Language::Japanese));
        let (english, japanese) = said(MistakeCause::MissesCorner { corner });
        assert_eq!(english, "g2: Black could have the corner h1 by c2 b1. Instead comes g2 h3 g1 h1");
        assert_eq!(japanese, "g2と打つと、c2 b1で取れる隅h1を逃す（g2 h3 g1 h1）");
        let (english, japanese) = said(MistakeCause::LeavesSquare { square: square("h3") });
        assert_eq!(english, "g2: White gets h3, the best square for both sides, by g2 h3 g1 h1");
        assert_eq!(japanese, "g2と打つと、双方の急所であるh3を白に打たれる（g2 h3 g1 h1）");
        let (english, japanese) = said(MistakeCause::Refuted { value: -6, better: 2 });
        assert_eq!(english, "g2: White answers h3, and Black stands at -6 after g2 h3 g1 h1 (+2 after c2)");
        assert_eq!(japanese, "g2と打つと、白にh3と応じられ、形勢が-6になる（c2なら+2）（g2 h3 g1 h1）");
        let edge = BoardArea::Edge(BoardEdge::Top);
        let (english, japanese) = said(MistakeCause::WeakensArea { area: edge, discs: 1 });
        assert_eq!(english, "g2: after g2 h3 g1 h1 the top edge is worth 1 disc less to Black than after c2");
        assert_eq!(japanese, "g2と打つと、c2と比べて、上辺の形が1石分悪くなる（g2 h3 g1 h1）");
        let (english, japanese) = said(MistakeCause::GivesMobility { moves: (1, 9), better: (6, 7) });
        assert_eq!(
            english,
            "g2: after g2 h3 g1 h1 White has 9 moves to choose from, Black 1 (after c2: 7 and 6)"
        );
        assert_eq!(japanese, "g2と打つと、着手可能数が黒1、白9になる（c2なら6と7）（g2 h3 g1 h1）");
        let (english, japanese) = said(MistakeCause::LosesTempo { safe: (1, 4), better: (3, 3) });
        assert_eq!(
            english,
            "g2: it loses tempo: after g2 h3 g1 h1 Black has 1 safe move, White 4 (after c2: 3 and 3)"
        );
        assert_eq!(
            japanese,
            "g2と打つと、余裕手が黒1、白4となり、手数で損をする（c2なら3と3）（g2 h3 g1 h1）"
        );
        let (english, japanese) =
            said(MistakeCause::BreaksQuiet { openness: 5, better: 0, pull: false, gives: true });
        assert_eq!(
            english,
            "g2: it opens the position: the discs turned lie beside 5 empty squares, those of c2 beside none, and White gets moves by g2 h3 g1 h1"
        );
        assert_eq!(
            japanese,
            "g2と打つと、c2の中割りがあるのに、開放度5の手で白の打てる所を増やす（g2 h3 g1 h1）"
        );
        let (english, japanese) =
            said(MistakeCause::BreaksQuiet { openness: 5, better: 0, pull: false, gives: false });
        assert!(
            english.ends_with("those of c2 beside none, and Black is left with fewer moves by g2 h3 g1 h1")
        );
        assert_eq!(
            japanese,
            "g2と打つと、c2の中割りがあるのに、開放度5の手で黒の打てる所を減らす（g2 h3 g1 h1）"
        );
        let (english, japanese) =
            said(MistakeCause::BreaksQuiet { openness: 5, better: 1, pull: true, gives: true });
        assert!(english.contains("those of c2, which joins Black's own, beside 1,"), "{english}");
        assert_eq!(
            japanese,
            "g2と打つと、c2の引っ張り（開放度1）があるのに、開放度5の手で白の打てる所を増やす（g2 h3 g1 h1）"
        );
        let (english, _) = said(MistakeCause::GivesLastMove { region: square("g8"), size: 3, whole: false });
        assert_eq!(
            english,
            "g2: White answers h3 and gets the last move of the 3 squares around g8 (parity) by g2 h3 g1 h1"
        );
    }

    /// An answer is told with what it is worth, how the best move would have spared it, and what it has for itself.
    #[test]
    fn answers_that_are_allowed_are_told_with_what_would_have_spared_them() {
        let wedge = Some(CoachReason::Wedges { square: square("h3") });
        assert_eq!(
            say(allows_answer(Some(5), None), Language::English),
            "g2: White can answer h3, 4 discs better than any other answer, as g2 h3 g1 h1 shows. After c2 that answer would lose 5 discs"
        );
        assert_eq!(
            say(allows_answer(Some(5), None), Language::Japanese),
            "g2と打つと、白にh3と応じられる。c2なら5石損になる手で、ほかの応手より4石良い（g2 h3 g1 h1）"
        );
        assert_eq!(
            say(allows_answer(None, wedge), Language::English),
            "g2: White can answer h3 (a wedge that is safe along the edge), 4 discs better than any other answer, as g2 h3 g1 h1 shows. After c2 it could not"
        );
        assert_eq!(
            say(allows_answer(None, wedge), Language::Japanese),
            "g2と打つと、白にh3（辺への割り込み）と応じられる。c2なら打てなかった手で、ほかの応手より4石良い（g2 h3 g1 h1）"
        );
        // The best move stands there itself.
        let (line, better) = (vec![square("g2"), square("h3")], vec![square("h3")]);
        let reason = MainReason {
            cause: allows_answer(None, None),
            cost: 4,
            line,
            better,
            answer: Some(square("h3")),
        };
        let said = |language| describe_cause(&reason, Color::Black, language);
        assert!(said(Language::English).ends_with("shows. Black could play there first"));
        assert!(said(Language::Japanese).starts_with("先に打てたh3を白に打たれる。ほかの応手より4石良い"));
    }

    /// An odd region of one square is called by its square.
    #[test]
    fn entering_an_even_region_is_told_with_the_odd_one() {
        let enters = |odd_size| MistakeCause::EntersEven { size: 4, odd: square("a6"), odd_size };
        assert_eq!(
            say(enters(5), Language::English),
            "g2: it enters the even region of 4 squares, and White enters the odd one (5 squares around a6) instead (parity), by g2 h3 g1 h1"
        );
        assert_eq!(
            say(enters(5), Language::Japanese),
            "g2と打つと、偶数理論に反して4マス空きに入り、a6付近の5マス空きに白から入られる（g2 h3 g1 h1）"
        );
        assert!(say(enters(1), Language::English).contains("White enters the odd one (a6) instead"));
        assert!(say(enters(1), Language::Japanese).contains("1マス空きのa6を白に打たれる"));
    }

    /// Whatever speaks for an answer has words of its own, and they name the side that must bear it.
    #[test]
    fn every_merit_of_an_answer_has_words_in_both_languages() {
        let merits = [
            CoachReason::WipesOut,
            CoachReason::ForcesPass,
            CoachReason::Wedges { square: square("h3") },
            CoachReason::GainsStable { discs: 3 },
            CoachReason::FewReplies { replies: 2, usual: 6 },
            CoachReason::Quiet,
            CoachReason::Pulls { openness: 1 },
            CoachReason::KeepsParity { size: 3 },
        ];
        for language in [Language::English, Language::Japanese] {
            let said = merits.map(|merit| say(allows_answer(None, Some(merit)), language));
            let distinct: std::collections::BTreeSet<&String> = said.iter().collect();
            assert_eq!(distinct.len(), merits.len(), "{said:?}");
            let own = color_name(Color::Black, language);
            assert!(said[1].contains(own) && said[4].contains(own), "{said:?}");
        }
    }

    #[test]
    fn a_lesson_of_one_move_and_of_several_is_told_by_their_numbers() {
        let told = |moves: Vec<usize>, loss, language| {
            let kind = all_causes()[0].kind();
            let text = describe_lesson(&ReviewLesson { kind, moves, loss }, language);
            text.split([':', '：']).next().unwrap().split_once(['(', '（']).unwrap().1.to_string()
        };
        assert_eq!(told(vec![7], 1, Language::English), "move 7, 1 disc)");
        assert_eq!(told(vec![7, 9], 8, Language::English), "moves 7 and 9, 8 discs)");
        assert_eq!(told(vec![7, 9, 21], 8, Language::English), "moves 7, 9 and 21, 8 discs)");
        assert_eq!(told(vec![7, 9], 8, Language::Japanese), "7・9手目、8石損）");
    }

    /// What the move or the best one has is compared with the other of them. None of it says that a figure has changed.
    #[test]
    fn facts_are_told_beside_those_of_the_other_move() {
        let said = |cause| {
            let (line, better) = (vec![square("g2")], vec![square("c2")]);
            let reason = MainReason { cause, cost: 4, line, better, answer: None };
            [Language::English, Language::Japanese]
                .map(|language| describe_main_reason(&reason, Color::Black, language))
        };
        let merit = CoachReason::FewReplies { replies: 3, usual: 8 };
        assert_eq!(
            said(MistakeCause::MissesMerit { merit }),
            [
                "g2: Black misses c2 (leaving White 3 moves, not 8). Instead comes g2",
                "g2と打つと、c2（白の着手可能数が3、g2なら8）を逃す"
            ]
        );
        let few = CoachReason::FewOwnMoves { moves: 0, usual: 4 };
        assert_eq!(
            said(MistakeCause::HasFault { fault: few }),
            ["g2: it leaves Black no move (4 after c2)", "g2と打つと、黒の着手可能数が0になる（c2なら4）"]
        );
        let opens = CoachReason::Opens { openness: 6, usual: 2 };
        assert_eq!(
            said(MistakeCause::HasFault { fault: opens }),
            [
                "g2: it opens 6 squares beside the discs turned (2 with c2)",
                "g2と打つと、開放度6の手で外側を開く（c2なら開放度2）"
            ]
        );
        assert_eq!(
            said(MistakeCause::UnbalancesEdge { edge: BoardEdge::Top })[1],
            "g2と打つと、上辺に黒のウイングが残る"
        );
    }

    /// A line of one move is not told once more.
    #[test]
    fn the_mistake_alone_is_no_line() {
        let cause = MistakeCause::PoisonsSquare { corner: square("h1"), diagonal: true };
        let (line, better) = (vec![square("g2")], vec![square("c2")]);
        let reason = MainReason { cause, cost: 4, line, better, answer: None };
        let said = |language| describe_main_reason(&reason, Color::Black, language);
        assert_eq!(said(Language::English), "g2: the X-square makes the corner h1 a burden for Black");
        assert_eq!(said(Language::Japanese), "g2と打つと、空いた隅h1へのX打ちで、その隅が黒の弱点になる");
    }

    /// A corner that the better move itself takes needs no line.
    #[test]
    fn a_corner_that_could_be_taken_at_once_is_told_so() {
        let (line, corner) = (vec![square("g2"), square("h3")], square("h1"));
        let cause = MistakeCause::MissesCorner { corner };
        let reason = MainReason { cause, cost: 4, line, better: vec![corner], answer: None };
        let said = |language| describe_cause(&reason, Color::Black, language);
        assert_eq!(said(Language::English), "Black could take the corner h1 at once. Instead comes g2 h3");
        assert_eq!(said(Language::Japanese), "すぐに取れる隅h1を逃す（g2 h3）");
    }

    /// Every cause and every lesson has words of its own in both languages.
    #[test]
    fn every_cause_and_lesson_has_words_in_both_languages() {
        for language in [Language::English, Language::Japanese] {
            let mut said: Vec<String> = all_causes().into_iter().map(|cause| say(cause, language)).collect();
            let is_told_of_a_line = |cause: &MistakeCause| {
                !matches!(cause, MistakeCause::UnbalancesEdge { .. } | MistakeCause::HasFault { .. })
            };
            for (cause, text) in all_causes().iter().zip(&said).filter(|(cause, _)| is_told_of_a_line(cause))
            {
                assert!(text.contains("g2 h3 g1 h1"), "{cause:?}: {text}");
            }
            let lesson =
                |cause: &MistakeCause| ReviewLesson { kind: cause.kind(), moves: vec![7, 9], loss: 8 };
            let mut lessons: Vec<String> =
                all_causes().iter().map(|cause| describe_lesson(&lesson(cause), language)).collect();
            said.sort();
            said.dedup();
            assert_eq!(said.len(), all_causes().len());
            lessons.sort();
            lessons.dedup();
            assert_eq!(lessons.len(), LessonKind::ALL.len());
            assert!(
                lessons.iter().all(|text| text.contains('7') && text.contains('9') && text.contains('8'))
            );
        }
    }
}
