//! Commands that say what moves are worth, and why.

use std::fmt::Write;

use ishi_gtp::CommandExchange;
use ishi_othello::Move;

use super::text::{capitalized_name, square_text, sureness_text, value_text, vertex_text, vertices_text};
use super::{CommandAnswer, CommandRefusal, OthelloCall, OthelloSession};
use crate::coach::words::describe_cause;
use crate::coach::{MoveHint, find_hints};
use crate::depth::analysis_efforts;
use crate::levels::LevelLimits;
use crate::openings::OpeningNames;
use crate::search::{
    FoundMove, ScoreMeaning, SearchEffort, SearchMemoryError, SearchParams, SearchTables, SearchTask,
    Searcher,
};
use ishi_words::Language;

impl OthelloSession {
    /// GoGui's graphics: every legal move is labelled with its value, the best in colour.
    pub(super) fn ishi_values(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let hints = self.hints_for_game(call.exchange)?;
        let Some(best) = hints.first() else { return Ok(format!("TEXT {}", self.describe_no_choice())) };
        let labels: Vec<String> = hints
            .iter()
            .map(|hint| format!("{} {}", square_text(hint.square), value_text(&hint.found)))
            .collect();
        let good: Vec<String> =
            hints.iter().filter(|hint| hint.loss == 0).map(|hint| square_text(hint.square)).collect();
        let turn = capitalized_name(self.game.to_move());
        let (square, worth, sure) =
            (square_text(best.square), value_text(&best.found), sureness_text(&best.found));
        let (labels, good) = (labels.join(" "), good.join(" "));
        Ok(format!("LABEL {labels}\nCOLOR yellow {good}\nTEXT {turn}: {square} {worth} ({sure})"))
    }

    /// A line for every legal move, best first: value, how sure, opening, reasons.
    pub(super) fn ishi_hints(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let hints = self.hints_for_game(call.exchange)?;
        if hints.is_empty() {
            return Ok(self.describe_no_choice());
        }
        Ok(hints.iter().map(|hint| self.hint_line(hint)).collect())
    }

    fn hint_line(&self, hint: &MoveHint) -> String {
        let MoveHint { square, found, reasons, opening, main, .. } = hint;
        let mut line = format!("{} {} ({})", square_text(*square), value_text(found), sureness_text(found));
        if let Some(name) = opening.and_then(|opening| opening.english.as_deref()) {
            line += &format!(" {name}");
        }
        let words: Vec<String> = match main {
            Some(main) => vec![describe_cause(main, self.game.to_move(), Language::English)],
            None => reasons.iter().map(|&reason| (self.settings.words)(reason)).collect(),
        };
        if !words.is_empty() {
            line += &format!(": {}", words.join("; "));
        }
        line + "\n"
    }

    /// The best continuation, for GoGui's "var".
    pub(super) fn ishi_variation(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        if self.game.is_over() {
            return Ok(self.describe_no_choice());
        }
        let effort = self.settings.level.effort_in_discs(self.game.board().empty_count());
        let found = self.search_game(effort, call.exchange)?;
        Ok(format!(
            "{} {} ({})",
            variation_text(&self.game, &found),
            value_text(&found),
            sureness_text(&found)
        ))
    }

    pub(super) fn ishi_opening(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let title = |language| OpeningNames::builtin().title_of_game(&self.game, language);
        Ok(match (title(Language::English), title(Language::Japanese)) {
            (Some(english), Some(japanese)) if english != japanese => format!("{english} / {japanese}"),
            (title, other) => title.or(other).unwrap_or("no opening that has a name").to_string(),
        })
    }

    /// Deeper and deeper, a line for every look with all legal moves, until anything is sent, a depth is reached, or
    /// everything is proved.
    pub(super) fn ishi_analyze(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let most: u32 = if call.args.peek().is_some() { call.args.take_number("DEPTH")? } else { 60 };
        call.args.expect_end()?;
        if most == 0 {
            return Err(call.args.syntax_error("DEPTH must be 1 or more"));
        }
        let empties = self.game.board().empty_count();
        for (look, effort) in analysis_efforts(most, empties).into_iter().enumerate() {
            let moves = self.search_each_move(effort, call.exchange)?;
            let stopped = call.exchange.has_pending_input();
            if !moves.is_empty() && (look == 0 || !stopped) {
                call.exchange.write_line(&self.info_line(&moves));
            }
            if stopped || moves.iter().all(|found| found.meaning == ScoreMeaning::Exact) {
                break;
            }
        }
        Ok(String::new())
    }

    /// `info move F5 value 2 sure 8@95% nodes 1200 pv F5 D6 ...` for every move, as one line.
    fn info_line(&self, moves: &[FoundMove]) -> String {
        let mut line = String::new();
        for found in moves {
            let (mv, worth, sure) = (vertex_text(found.mv), found.score, sureness_text(found));
            let pv = variation_text(&self.game, found);
            // Writing to a string cannot fail.
            let _ = write!(line, "info move {mv} value {worth} sure {sure} nodes {} pv {pv} ", found.nodes);
        }
        line
    }

    /// What there is to say where there is no move.
    fn describe_no_choice(&self) -> String {
        let turn = capitalized_name(self.game.to_move());
        if self.game.is_over() { "The game is over.".to_string() } else { format!("{turn} must pass.") }
    }

    /// Every legal move with value and reasons, as hard as the session's level looks.
    fn hints_for_game(
        &mut self,
        exchange: &mut CommandExchange<'_>,
    ) -> Result<Vec<MoveHint>, CommandRefusal> {
        let board = self.game.board();
        let effort = self.settings.level.effort_in_discs(board.empty_count());
        let listener = exchange.input_listener();
        let stop = || listener.is_interrupted();
        let limits = LevelLimits { time: None, clock: &*self.host, stop: &stop };
        let searcher = get_searcher(&mut self.searcher, self.settings.search)?;
        Ok(find_hints(board, searcher, effort, limits))
    }

    /// All moves, until anything is sent. A forced pass counts as a move, with the value of what follows.
    fn search_each_move(
        &mut self,
        effort: SearchEffort,
        exchange: &mut CommandExchange<'_>,
    ) -> Result<Vec<FoundMove>, CommandRefusal> {
        let board = self.game.board();
        let listener = exchange.input_listener();
        let nobody_reads = exchange.has_failed();
        let stop = || nobody_reads || listener.has_pending_input();
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask { clock: &*self.host, stop: &stop, ..SearchTask::new(effort, &mut silent) };
        let searcher = get_searcher(&mut self.searcher, self.settings.search)?;
        if board.legal_moves() == 0 && !board.is_over() {
            return Ok(vec![searcher.search_board(board, &mut task)]);
        }
        Ok(searcher.search_each_move(board, &mut task))
    }

    fn search_game(
        &mut self,
        effort: SearchEffort,
        exchange: &mut CommandExchange<'_>,
    ) -> Result<FoundMove, CommandRefusal> {
        let listener = exchange.input_listener();
        let stop = || listener.is_interrupted();
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask { clock: &*self.host, stop: &stop, ..SearchTask::new(effort, &mut silent) };
        let searcher = get_searcher(&mut self.searcher, self.settings.search)?;
        Ok(searcher.search_board(self.game.board(), &mut task))
    }
}

/// The searcher, made if there is none yet.
fn get_searcher(
    kept: &mut Option<Searcher>,
    params: SearchParams,
) -> Result<&mut Searcher, SearchMemoryError> {
    let searcher = match kept.take() {
        Some(searcher) => searcher,
        None => Searcher::with_tables(SearchTables::reserve(params)?),
    };
    Ok(kept.insert(searcher))
}

/// The expected moves, with the passes that the search leaves out.
fn variation_text(game: &ishi_othello::Position, found: &FoundMove) -> String {
    let mut game = game.clone();
    let mut moves = Vec::new();
    for &square in &found.variation {
        if game.pass_if_forced() {
            moves.push(Move::Pass);
        }
        if game.play(Move::Play(square)).is_err() {
            break;
        }
        moves.push(Move::Play(square));
    }
    if moves.is_empty() {
        moves.push(found.mv);
    }
    vertices_text(moves)
}
