//! Commands that say what moves are worth, and why.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use ishi_gtp::Exchange;
use ishi_othello::Move;

use super::text::{capital, point, sureness, value, vertex, vertices};
use super::{Answered, Call, OthelloSession};
use crate::coach::{Hint, hints};
use crate::depth::effort_of_depth;
use crate::levels::Limits;
use crate::openings::OpeningNames;
use crate::search::{Effort, Found, Meaning, SearchParams, Searcher, Task};

impl OthelloSession {
    /// GoGui's graphics: every legal move is labelled with its value, the best in colour.
    pub(super) fn ishi_values(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let hints = self.hints(call.exchange);
        let Some(best) = hints.first() else { return Ok(format!("TEXT {}", self.no_choice())) };
        let labels: Vec<String> =
            hints.iter().map(|hint| format!("{} {}", point(hint.square), value(&hint.found))).collect();
        let good: Vec<String> =
            hints.iter().filter(|hint| hint.loss == 0).map(|hint| point(hint.square)).collect();
        let turn = capital(self.game.to_move());
        let (square, worth, sure) = (point(best.square), value(&best.found), sureness(&best.found));
        let (labels, good) = (labels.join(" "), good.join(" "));
        Ok(format!("LABEL {labels}\nCOLOR yellow {good}\nTEXT {turn}: {square} {worth} ({sure})"))
    }

    /// A line for every legal move, best first: value, how sure, opening, reasons.
    pub(super) fn ishi_hints(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let hints = self.hints(call.exchange);
        if hints.is_empty() {
            return Ok(self.no_choice());
        }
        Ok(hints.iter().map(|hint| self.hint(hint)).collect())
    }

    fn hint(&self, hint: &Hint) -> String {
        let Hint { square, found, reasons, opening, .. } = hint;
        let mut line = format!("{} {} ({})", point(*square), value(found), sureness(found));
        if let Some(name) = opening.and_then(|opening| opening.english.as_deref()) {
            line += &format!(" {name}");
        }
        let words: Vec<String> = reasons.iter().map(|&reason| (self.settings.words)(reason)).collect();
        if !words.is_empty() {
            line += &format!(": {}", words.join("; "));
        }
        line + "\n"
    }

    /// The best continuation, for GoGui's "var".
    pub(super) fn ishi_variation(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        if self.game.is_over() {
            return Ok(self.no_choice());
        }
        let effort = self.settings.level.effort_in_discs(self.game.board().empties());
        let found = self.search(effort, call.exchange);
        Ok(format!("{} {} ({})", variation(&self.game, &found), value(&found), sureness(&found)))
    }

    pub(super) fn ishi_opening(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.end()?;
        let opening = OpeningNames::builtin().of_game(&self.game);
        let Some(opening) = opening else { return Ok("no opening that has a name".to_string()) };
        let names = [opening.english.as_deref(), opening.japanese.as_deref()];
        Ok(names.into_iter().flatten().collect::<Vec<_>>().join(" / "))
    }

    /// Deeper and deeper, a line for every depth with all legal moves, until anything is sent, a depth is reached, or
    /// everything is known.
    pub(super) fn ishi_analyze(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let most: u32 = if call.args.peek().is_some() { call.args.number("DEPTH")? } else { 60 };
        call.args.end()?;
        if most == 0 {
            return Err(call.args.error("DEPTH must be 1 or more"));
        }
        let empties = self.game.board().empties();
        for depth in 1..=most.min(empties.max(1)) {
            let moves = self.each_move(effort_of_depth(depth, empties), call.exchange);
            let stopped = call.exchange.pending();
            if !moves.is_empty() && (depth == 1 || !stopped) {
                call.exchange.line(&self.info(&moves));
            }
            if stopped || moves.iter().all(|found| found.meaning == Meaning::Exact) {
                break;
            }
        }
        Ok(String::new())
    }

    /// `info move F5 value 2 sure 8@95% nodes 1200 pv F5 D6 ...` for every move, as one line.
    fn info(&self, moves: &[Found]) -> String {
        let mut line = String::new();
        for found in moves {
            let (mv, worth, sure) = (vertex(found.mv), found.score, sureness(found));
            let pv = variation(&self.game, found);
            // Writing to a string cannot fail.
            let _ = write!(line, "info move {mv} value {worth} sure {sure} nodes {} pv {pv} ", found.nodes);
        }
        line
    }

    /// What there is to say where there is no move.
    fn no_choice(&self) -> String {
        let turn = capital(self.game.to_move());
        if self.game.is_over() { "The game is over.".to_string() } else { format!("{turn} must pass.") }
    }

    /// Every legal move with value and reasons, as hard as the session's level looks.
    fn hints(&mut self, exchange: &mut Exchange<'_>) -> Vec<Hint> {
        let board = self.game.board();
        let effort = self.settings.level.effort_in_discs(board.empties());
        let listener = exchange.listener();
        let stop = || listener.interrupted();
        let limits = Limits { time: None, clock: &*self.host, stop: &stop };
        hints(board, searcher(&mut self.searcher, self.settings.search), effort, limits)
    }

    /// All moves, until anything is sent. A forced pass counts as a move, with the value of what follows.
    fn each_move(&mut self, effort: Effort, exchange: &mut Exchange<'_>) -> Vec<Found> {
        let board = self.game.board();
        let listener = exchange.listener();
        let deaf = AtomicBool::new(exchange.failed());
        let stop = || deaf.load(Ordering::Relaxed) || listener.pending();
        let mut silent = |_: &Found| {};
        let mut task = Task { clock: &*self.host, stop: &stop, ..Task::new(effort, &mut silent) };
        let searcher = searcher(&mut self.searcher, self.settings.search);
        if board.moves() == 0 && !board.is_over() {
            return vec![searcher.search(board, &mut task)];
        }
        searcher.each_move(board, &mut task)
    }

    fn search(&mut self, effort: Effort, exchange: &mut Exchange<'_>) -> Found {
        let listener = exchange.listener();
        let stop = || listener.interrupted();
        let mut silent = |_: &Found| {};
        let mut task = Task { clock: &*self.host, stop: &stop, ..Task::new(effort, &mut silent) };
        searcher(&mut self.searcher, self.settings.search).search(self.game.board(), &mut task)
    }
}

/// The searcher, made if there is none yet.
fn searcher(kept: &mut Option<Searcher>, params: SearchParams) -> &mut Searcher {
    kept.get_or_insert_with(|| Searcher::new(params))
}

/// The expected moves, with the passes that the search leaves out.
fn variation(game: &ishi_othello::Position, found: &Found) -> String {
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
    vertices(moves)
}
