//! Explanations over GTP.

use ishi_words::Language;

use super::{Call, Session};
use crate::explain::{ExplainParams, Explainer, words};
use ishi_engine::session::Answered;

impl Session {
    /// Why a move, or the best one, in words. Empty lines would end the answer.
    pub(super) fn explain(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let language = match call.args.peek().and_then(|word| word.parse::<Language>().ok()) {
            Some(language) => {
                call.args.word("LANGUAGE")?;
                language
            }
            None => Language::English,
        };
        let mv = match call.args.peek() {
            Some(_) => Some(call.args.mv(self.position.size())?),
            None => None,
        };
        call.args.end()?;
        if let Some(mv) = mv {
            self.position.check(self.position.to_move(), mv)?;
        }
        let explanation = self.explainer().explain(&self.position, mv, &[]);
        Ok(without_gaps(&words::tell(&explanation, language)))
    }

    /// Why the last move, whoever made it.
    pub(super) fn explain_last_move(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let mut before = self.position.clone();
        let Some((color, mv)) = before.undo() else { return Err("no move has been played".into()) };
        before.set_to_move(color);
        let explanation = self.explainer().explain(&before, Some(mv), &[]);
        Ok(without_gaps(&words::comment(&explanation, Language::English)))
    }

    fn explainer(&self) -> Explainer {
        Explainer::new(ExplainParams::default(), self.settings.seed.child("explain", 0))
    }
}

/// The lines that are not empty: an empty one ends an answer of GTP.
fn without_gaps(text: &str) -> String {
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}
