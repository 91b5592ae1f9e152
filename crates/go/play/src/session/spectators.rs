//! What a player says to those who look on: what its move does, as reading proves, and what its search expects.
//!
//! Bridges to servers pass on what an engine writes to standard error in lines that begin with `MALKOVICH:` (online-go.com calls a commentary
//! that the opponent does not see during the game a Malkovich log).

use ishi_go::{Color, Move, Position};
use ishi_knowledge::explain::find_move_reasons;
use ishi_knowledge::words::{color_name, describe_reason, describe_sequence};
use ishi_knowledge::{Analysis, NoOracle, rules};
use ishi_words::Language;

use super::Session;
use ishi_engine::{Choice, EngineAction, SearchReport};

impl Session {
    /// Tells those who look on about a move that the engine has chosen, before it is played. Nothing unless the settings ask for it.
    pub(super) fn tell_spectators(&self, color: Color, choice: &Choice) {
        if let (Some(language), EngineAction::Move(mv)) = (self.settings.spectators, choice.action) {
            let mut position = self.position.clone();
            position.set_to_move(color);
            self.host.tell_spectators(&describe_choice(&position, mv, &choice.report, language));
        }
    }
}

/// A chosen move of the side to move, in a line.
fn describe_choice(position: &Position, mv: Move, report: &SearchReport, language: Language) -> String {
    let color = color_name(position.to_move(), language);
    let name = match mv {
        Move::Play(point) => language.choose(format!("{color} {point}"), format!("{color}{point}")),
        Move::Pass => language.choose(format!("{color} passes"), format!("{color}はパス")),
    };
    let deed = proved_deed(position, mv, language);
    let told = match deed {
        Some(deed) => language.choose(format!("{name} {deed}."), format!("{name}は{deed}。")),
        None => language.choose(format!("{name}."), format!("{name}。")),
    };
    told + &describe_outlook(position.to_move(), mv, report, language)
}

/// The weightiest of what is proved of a move.
fn proved_deed(position: &Position, mv: Move, language: Language) -> Option<String> {
    let point = mv.point().filter(|&point| position.is_legal(position.to_move(), point.into()))?;
    let analysis = Analysis::analyze(position, &mut NoOracle);
    let suggestions = rules::suggest_moves(position, &analysis);
    let reasons = find_move_reasons(position, &analysis, &suggestions, point, &mut NoOracle);
    reasons.effects.first().map(|deed| describe_reason(deed, language))
}

/// What the search thinks of the move, and how it expects it to go on; nothing if it did not look at it.
fn describe_outlook(color: Color, mv: Move, report: &SearchReport, language: Language) -> String {
    let Some(found) = report.moves.iter().find(|found| found.mv == mv && found.visits > 0) else {
        return String::new();
    };
    let colors = [color, !color].into_iter().cycle();
    let line: Vec<_> =
        colors.zip(&found.variation).map_while(|(color, mv)| Some((color, mv.point()?))).collect();
    let (lead, share) = (found.score, 100.0 * found.win_rate);
    let outlook = language.choose(
        format!(" Lead {lead:+.1}, {share:.0} % to win."),
        format!("リード{lead:+.1}目、勝率{share:.0}%。"),
    );
    let expected = describe_sequence(&line, language);
    // The dots of a long line end the sentence.
    let english = || format!(" Expected: {expected}.").replace(" ....", " ...");
    match line.len() {
        0 | 1 => outlook,
        _ => outlook + &language.choose(english(), format!("予想：{expected}。")),
    }
}

#[cfg(test)]
mod tests {
    use ishi_engine::MoveReport;
    use ishi_go::Point;

    use super::*;

    /// What is expected of a line of so many moves.
    fn outlook(moves: usize) -> String {
        let variation: Vec<Move> = (0..moves).map(|column| Point::new(column, 0).into()).collect();
        let first = variation[0];
        let found = MoveReport { visits: 8, variation, ..MoveReport::unsearched_move(first) };
        let report = SearchReport { moves: vec![found], ..SearchReport::default() };
        describe_outlook(Color::Black, first, &report, Language::English)
    }

    #[test]
    fn a_line_ends_with_a_full_stop_or_with_dots() {
        assert!(outlook(2).ends_with(" Expected: B A1, W B1."), "{}", outlook(2));
        let long = outlook(12);
        assert!(long.ends_with(" ...") && !long.ends_with("...."), "{long}");
        assert!(!outlook(1).contains("Expected"), "nothing follows");
    }
}
