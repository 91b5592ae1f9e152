//! Explanations over GTP.

use ishi_words::Language;

use super::{Session, SessionCall};
use crate::explain::first_sight::{ExplanationStep, FirstSight};
use crate::explain::listener::Listener;
use crate::explain::{ExplainParams, Explainer, words};
use ishi_engine::session::args::CommandArgs;
use ishi_engine::session::{CommandAnswer, CommandRefusal};

impl Session {
    /// Why a move, or the best one, in words; how it looks at first sight is written before the search. Empty lines would end the answer.
    pub(super) fn explain(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let (language, listener) = take_audience(&mut call.args)?;
        let mv = match call.args.peek() {
            Some(_) => Some(call.args.take_move(self.position.size())?),
            None => None,
        };
        call.args.expect_end()?;
        if let Some(mv) = mv {
            self.position.check_move(self.position.to_move(), mv)?;
        }
        let mut first = None;
        let exchange = &mut *call.exchange;
        let mut tell = |step: &ExplanationStep| {
            if let ExplanationStep::FirstSight(sight) = step {
                exchange.write_line(&sight.sentence(language));
                first = Some(*sight);
            }
        };
        let mut explainer = self.new_explainer().with_listener(listener);
        let explanation = explainer.explain_in_steps(&self.position, mv, &[], &mut tell);
        let text = remove_empty_lines(&words::explanation_text(&explanation, language));
        Ok(match first.filter(|sight| !sight.is_upheld_by(&explanation)) {
            Some(_) => format!("{}\n{text}", FirstSight::correction(language)),
            None => text,
        })
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

/// The language and the listener, each if it is named, in any order.
fn take_audience(args: &mut CommandArgs<'_>) -> Result<(Language, Listener), CommandRefusal> {
    let (mut language, mut listener) = (Language::English, Listener::default());
    while let Some(word) = args.peek() {
        match (word.parse::<Language>(), word.parse::<Listener>()) {
            (Ok(found), _) => language = found,
            (_, Ok(found)) => listener = found,
            _ => break,
        }
        args.take_word("LANGUAGE")?;
    }
    Ok((language, listener))
}

/// The lines that are not empty: an empty one ends an answer of GTP.
fn remove_empty_lines(text: &str) -> String {
    text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}
