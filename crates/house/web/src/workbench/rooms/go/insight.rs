//! What ishi knows of a position: levels of knowledge drawn over the board, and the reasons of moves in words.

use ishi_go::picture::Picture;
use ishi_go::{Move, Point, Position};
use ishi_go_play::explain::picture::pictures;
use ishi_go_play::explain::{ExplainParams, Explainer, words};
use ishi_go_play::tactics::Tactics;
use ishi_knowledge::show::{Level, Shown};
use ishi_knowledge::{Analysis, rules};
use ishi_rng::Seed;
use ishi_words::Language;
use maud::{Markup, PreEscaped, html};

use crate::workbench::visitor::Visitor;

/// The levels that can be shown, with their names.
pub(super) const LEVELS: [(Level, &str, &str); 9] = [
    (Level::Groups, "Groups and their strength", "石の強弱"),
    (Level::Eyes, "Eyes", "眼"),
    (Level::Links, "Connections", "連絡"),
    (Level::Influence, "Influence", "勢力"),
    (Level::Territory, "Territory and moyos", "地と模様"),
    (Level::Status, "Ladders and captures", "シチョウと取り"),
    (Level::Chains, "Chains and liberties", "連と呼吸点"),
    (Level::Suggestions, "Suggested moves", "候補の手"),
    (Level::Strategy, "Strategy", "戦略"),
];

/// Playouts for the fate of each doubtful group: an answer within a second.
const GROUP_PLAYOUTS: u64 = 300;

/// A level as a picture and as the table that the commands print.
pub(super) struct Seen {
    pub(super) picture: Picture,
    pub(super) text: String,
}

/// Looks at a position.
pub(super) fn look(position: &Position, level: Level, language: Language, seed: Seed) -> Seen {
    let mut tactics = Tactics::new(seed).with_playouts(GROUP_PLAYOUTS);
    let analysis = Analysis::of(position, &mut tactics);
    let suggestions = match level {
        Level::Suggestions => rules::suggest(position, &analysis),
        _ => Vec::new(),
    };
    let shown = Shown { position, analysis: &analysis, suggestions: &suggestions, outlooks: &[], language };
    Seen { picture: shown.picture(level), text: shown.text(level) }
}

/// What a person asks of a position.
pub(super) enum Question {
    /// What to play, and why.
    Best,
    /// Why this move was played.
    Played(Move),
    /// Why not here?
    WhyNot(Point),
}

/// The answer in words and pictures.
pub(super) struct Told {
    title: String,
    text: String,
    pictures: Vec<String>,
}

/// Answers: about a second of thought.
pub(super) fn tell(position: &Position, question: &Question, seed: Seed, visitor: &Visitor) -> Told {
    let mut explainer = Explainer::new(ExplainParams::of_level(5), seed);
    let language = visitor.language;
    let (mv, asked) = match question {
        Question::Best => (None, Vec::new()),
        Question::Played(mv) => (Some(*mv), Vec::new()),
        Question::WhyNot(point) => (None, vec![*point]),
    };
    let explanation = explainer.explain(position, mv, &asked);
    let title = match question {
        Question::Best => visitor.say("What to play, and why", "次の一手とその理由").to_string(),
        Question::Played(mv) => match visitor.tag() {
            "ja" => format!("なぜ{mv}か"),
            _ => format!("Why {mv}"),
        },
        Question::WhyNot(point) => match visitor.tag() {
            "ja" => format!("なぜ{point}ではないか"),
            _ => format!("Why not {point}?"),
        },
    };
    let text = match question {
        Question::WhyNot(_) => {
            words::why_not(&explanation, language) + "\n" + &words::tell(&explanation, language)
        }
        _ => words::tell(&explanation, language),
    };
    let drawn = pictures(position, &explanation, language);
    Told { title, text, pictures: drawn.iter().map(Picture::svg).collect() }
}

impl Told {
    pub(super) fn show(&self) -> Markup {
        html! {
            h3 { (self.title) }
            p.told { (self.text.trim()) }
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
            let seen = look(&position, level, Language::Japanese, Seed::new(1));
            assert!(seen.picture.svg().contains("<svg"), "{}", level.name());
            assert!(!seen.text.trim().is_empty(), "{}", level.name());
        }
    }
}
