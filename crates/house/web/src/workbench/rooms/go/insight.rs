//! What ishi knows of a position: levels of knowledge drawn over the board, and the reasons of moves in words.

use ishi_go::picture::BoardPicture;
use ishi_go::{Move, Point, Position};
use ishi_go_play::explain::picture::draw_explanation;
use ishi_go_play::explain::{ExplainParams, Explainer, words};
use ishi_go_play::tactics::Tactics;
use ishi_knowledge::show::{AnalysisLevel, AnalysisView};
use ishi_knowledge::{Analysis, rules};
use ishi_rng::Seed;
use ishi_words::Language;
use maud::{Markup, PreEscaped, html};

use crate::workbench::visitor::Visitor;
use crate::workers::CancelToken;

/// The levels that can be shown, with their names.
pub(super) const LEVELS: [(AnalysisLevel, &str, &str); 9] = [
    (AnalysisLevel::Groups, "Groups and their strength", "石の強弱"),
    (AnalysisLevel::Eyes, "Eyes", "眼"),
    (AnalysisLevel::Links, "Connections", "連絡"),
    (AnalysisLevel::Influence, "Influence", "勢力"),
    (AnalysisLevel::Territory, "Territory and moyos", "地と模様"),
    (AnalysisLevel::Status, "Ladders and captures", "シチョウと取り"),
    (AnalysisLevel::Chains, "Chains and liberties", "連と呼吸点"),
    (AnalysisLevel::Suggestions, "Suggested moves", "候補の手"),
    (AnalysisLevel::Strategy, "Strategy", "戦略"),
];

/// Playouts for the fate of each doubtful group: an answer within a second.
const GROUP_PLAYOUTS: u64 = 300;

/// A level as a picture and as the table that the commands print.
pub(super) struct LevelView {
    pub(super) picture: BoardPicture,
    pub(super) text: String,
}

/// Looks at a position.
pub(super) fn view_level(
    position: &Position,
    level: AnalysisLevel,
    language: Language,
    seed: Seed,
) -> LevelView {
    let mut tactics = Tactics::new(seed).with_playouts(GROUP_PLAYOUTS);
    let analysis = Analysis::analyze(position, &mut tactics);
    let suggestions = match level {
        AnalysisLevel::Suggestions => rules::suggest_moves(position, &analysis),
        _ => Vec::new(),
    };
    let shown =
        AnalysisView { position, analysis: &analysis, suggestions: &suggestions, outlooks: &[], language };
    LevelView { picture: shown.level_picture(level), text: shown.level_text(level) }
}

/// What a person asks of a position.
pub(super) enum PositionQuestion {
    /// What to play, and why.
    Best,
    /// Why this move was played.
    Played(Move),
    /// Why not here?
    WhyNot(Point),
}

/// The answer in words and pictures.
pub(super) struct QuestionAnswer {
    title: String,
    text: String,
    /// Shapes, patterns, other moves and groups, for whoever asks.
    details: String,
    details_title: &'static str,
    pictures: Vec<String>,
}

/// Answers, in seconds of thought; who does not wait any more ends it.
pub(super) fn answer_question(
    position: &Position,
    question: &PositionQuestion,
    seed: Seed,
    visitor: &Visitor,
    cancel: &CancelToken,
) -> QuestionAnswer {
    let cancel = cancel.clone();
    let params = ExplainParams { listener: visitor.listener, ..ExplainParams::of_level(5) };
    let mut explainer = Explainer::new(params, seed).with_stop(move || cancel.is_set());
    let language = visitor.language;
    let (mv, asked) = match question {
        PositionQuestion::Best => (None, Vec::new()),
        PositionQuestion::Played(mv) => (Some(*mv), Vec::new()),
        PositionQuestion::WhyNot(point) => (None, vec![*point]),
    };
    let explanation = explainer.explain_move(position, mv, &asked);
    let title = match question {
        PositionQuestion::Best => visitor.say("What to play, and why", "次の一手とその理由").to_string(),
        PositionQuestion::Played(mv) => match visitor.language_tag() {
            "ja" => format!("なぜ{mv}か"),
            _ => format!("Why {mv}"),
        },
        PositionQuestion::WhyNot(point) => match visitor.language_tag() {
            "ja" => format!("なぜ{point}ではないか"),
            _ => format!("Why not {point}?"),
        },
    };
    let text = match question {
        PositionQuestion::WhyNot(_) => {
            words::why_not_text(&explanation, language) + "\n" + &words::move_comment(&explanation, language)
        }
        _ => words::explanation_text(&explanation, language),
    };
    let details = words::details_text(&explanation, language);
    let details_title = language.choose("Details", "詳しく");
    let drawn = draw_explanation(position, &explanation, language);
    QuestionAnswer {
        title,
        text,
        details,
        details_title,
        pictures: drawn.iter().map(BoardPicture::to_svg).collect(),
    }
}

impl QuestionAnswer {
    pub(super) fn render_answer(&self) -> Markup {
        html! {
            h3 { (self.title) }
            p.told { (self.text.trim()) }
            details { summary { (self.details_title) } p.told { (self.details.trim()) } }
            div.cards { @for picture in &self.pictures { div { (PreEscaped(picture)) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Rules};

    use super::*;

    #[test]
    fn every_level_is_drawn_and_told() {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        for vertex in ["E5", "C3", "G3", "C7"] {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
        for (level, ..) in LEVELS {
            let seen = view_level(&position, level, Language::Japanese, Seed::new(1));
            assert!(seen.picture.to_svg().contains("<svg"), "{}", level.name());
            assert!(!seen.text.trim().is_empty(), "{}", level.name());
        }
    }
}
