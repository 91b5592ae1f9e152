//! Explanations over GTP.

use ishi_words::Language;

use super::{Session, SessionCall};
use crate::explain::{ExplainParams, Explainer, words};
use ishi_engine::session::CommandAnswer;

impl Session {
    /// Why a move, or the best one, in words. Empty lines would end the answer.
    pub(super) fn explain(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let language = match call.args.peek().and_then(|word| word.parse::<Language>().ok()) {
            Some(language) => {
                call.args.take_word("LANGUAGE")?;
                language
            }
            None => Language::English,
        };
        let mv = match call.args.peek() {
            Some(_) => Some(call.args.take_move(self.position.size())?),
            None => None,
        };
        call.args.expect_end()?;
        if let Some(mv) = mv {
            self.position.check_move(self.position.to_move(), mv)?;
        }
        let explanation = self.new_explainer().explain_move(&self.position, mv, &[]);
        Ok(remove_empty_lines(&words::explanation_text(&explanation, language)))
    }

    /// Why the last move, whoever made it.
    pub(super) fn explain_last_move(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let mut before = self.position.clone();
        let Some((color, mv)) = before.undo() else { return Err("no move has been played".into()) };
        before.set_to_move(color);
        let explanation = self.new_explainer().explain_move(&before, Some(mv), &[]);
        Ok(remove_empty_lines(&words::move_comment(&explanation, Language::English)))
    }

    fn new_explainer(&self) -> Explainer {
        Explainer::new(ExplainParams::default(), self.settings.seed.child_seed("explain", 0))
    }
}

/// The lines that are not empty: an empty one ends an answer of GTP.
fn remove_empty_lines(text: &str) -> String {
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}
