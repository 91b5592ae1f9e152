//! What is seen of a match while it runs: a bar or lines on stderr, a board if asked for, SGF files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ishi_arena::{GameRecord, MatchObserver, MatchPlan, MatchStanding, PairRecord, PairTask};
use ishi_go::Color;
use ishi_rng::checksum::fnv_checksum;
use ishi_work::StopFlag;

use super::game::PlayedGame;
use super::game_files::{game_file, write_game};
use crate::context::{Context, Failure};
use crate::progress::ProgressDisplay;

/// The game that is drawn.
struct ShownGame<G: PlayedGame> {
    pair: u64,
    game: usize,
    position: G::Position,
}

/// The observer of a match.
pub(super) struct MatchDisplay<'a, G: PlayedGame> {
    plan: &'a MatchPlan<G>,
    display: ProgressDisplay,
    /// Is a game to be drawn?
    show: bool,
    shown: Option<ShownGame<G>>,
    /// Where records go.
    sgf: Option<PathBuf>,
    found: u64,
    /// Checksums of the moves of the pairs so far, and how many pairs were those of an earlier one.
    seen: BTreeSet<u64>,
    repeated: u64,
    failure: Option<Failure>,
    stop: StopFlag,
}

impl<'a, G: PlayedGame> MatchDisplay<'a, G> {
    pub(super) fn new(
        plan: &'a MatchPlan<G>,
        context: &Context,
        show: bool,
        sgf: Option<&Path>,
    ) -> MatchDisplay<'a, G> {
        let template = if show {
            "{msg}\n{bar:30} {pos}/{len} pairs  {prefix}"
        } else {
            "{bar:30} {pos}/{len} pairs  {prefix}  {eta} left"
        };
        MatchDisplay {
            plan,
            display: ProgressDisplay::bar(context, template, plan.pairs),
            show: show && !context.quiet,
            shown: None,
            sgf: sgf.map(Path::to_path_buf),
            found: 0,
            seen: BTreeSet::new(),
            repeated: 0,
            failure: None,
            stop: context.stop.clone(),
        }
    }

    /// Says what is going to be played.
    pub(super) fn announce_match(&self, database: &Path) {
        let MatchPlan { contestants: [a, b], settings, pairs, seed, .. } = self.plan;
        let place = if database == Path::new(":memory:") {
            "nothing is kept".to_string()
        } else {
            format!("kept in {}", database.display())
        };
        self.display.print_line(&format!(
            "{} against {}: pairs of games {}, {pairs} at most, seed {seed}; {place}",
            a.name,
            b.name,
            G::conditions_text(settings)
        ));
    }

    /// Ends the display.
    ///
    /// # Errors
    /// If a record could not be written.
    pub(super) fn close_display(&mut self) -> Result<(), Failure> {
        self.display.clear();
        self.print_found_pairs();
        self.warn_of_repeated_pairs();
        self.failure.take().map_or(Ok(()), Err)
    }

    fn print_found_pairs(&mut self) {
        match std::mem::take(&mut self.found) {
            0 => {}
            1 => self.display.print_line("1 pair was played before"),
            found => self.display.print_line(&format!("{found} pairs were played before")),
        }
    }

    /// Players without chance play the same game again and again where all games begin alike.
    fn count_if_repeated(&mut self, record: &PairRecord<G>) {
        let moves = record.games.each_ref().map(|game| &game.moves);
        self.repeated += u64::from(!self.seen.insert(fnv_checksum(format!("{moves:?}").as_bytes())));
    }

    fn warn_of_repeated_pairs(&self) {
        if self.repeated > 0 {
            let pairs = self.seen.len() as u64 + self.repeated;
            self.display.print_line(&format!(
                "{} of {pairs} pairs have the same moves as an earlier one, so intervals and tests say too much: --opening must give these \
                 players different games, such as --opening random:4",
                self.repeated
            ));
        }
    }

    /// The score so far: `ishi 3.5 - 2.5 GNU Go`.
    fn format_score(&self, standing: &MatchStanding) -> String {
        let [a, b] = &self.plan.contestants;
        let total = standing.total_tally();
        let points = |wins: u64| wins as f64 + total.draws as f64 / 2.0;
        format!("{} {} - {} {}", a.name, points(total.wins), points(total.losses), b.name)
    }

    fn draw_board(&self) {
        let (Some(bar), Some(shown)) = (self.display.as_bar(), &self.shown) else { return };
        bar.set_message(self.board_picture(shown));
    }

    /// The board with the players' names above it.
    fn board_picture(&self, shown: &ShownGame<G>) -> String {
        let name = |color: Color| {
            let contestant = if color == Color::Black { shown.game } else { 1 - shown.game };
            &self.plan.contestants[contestant].name
        };
        let (pair, game) = (shown.pair + 1, shown.game + 1);
        let (black, white) = (name(Color::Black), name(Color::White));
        format!(
            "Pair {pair}, game {game}: {black} (X, black) against {white} (O, white)\n{}",
            G::board_text(&shown.position)
        )
    }

    /// A record that cannot be written ends the match; what was played is in the database.
    fn write_games(&mut self, task: &PairTask<G>, record: &PairRecord<G>, found: bool) {
        let Some(folder) = &self.sgf else { return };
        if found && folder.join(game_file(task.index, 1, "sgf")).exists() {
            return;
        }
        let mut games = record.games.iter().enumerate();
        let written = games.try_for_each(|(number, game)| write_game(folder, task, number, game));
        if let Err(failure) = written {
            self.failure.get_or_insert(failure);
            self.stop.request();
        }
    }
}

impl<G: PlayedGame> MatchObserver<G> for MatchDisplay<'_, G> {
    fn wants_moves(&self) -> bool {
        self.show
    }

    fn on_move(&mut self, pair: u64, game: usize, position: &G::Position) {
        let shown = self.shown.get_or_insert_with(|| ShownGame { pair, game, position: position.clone() });
        if (shown.pair, shown.game) == (pair, game) {
            shown.position = position.clone();
            self.draw_board();
        }
    }

    fn on_game(&mut self, pair: u64, game: usize, record: &GameRecord<G>) {
        let Some(shown) = self.shown.take_if(|shown| (shown.pair, shown.game) == (pair, game)) else {
            return;
        };
        let result = format!("{} ({})", record.result, record.reason);
        self.display.print_line(&format!("{}Result: {result}\n", self.board_picture(&shown)));
    }

    fn on_pair(&mut self, task: &PairTask<G>, record: &PairRecord<G>, found: bool, standing: &MatchStanding) {
        self.write_games(task, record, found);
        self.count_if_repeated(record);
        let score = self.format_score(standing);
        if let Some(bar) = self.display.as_bar() {
            bar.set_prefix(score.clone());
            bar.inc(1);
        }
        if found {
            self.found += 1;
            return;
        }
        self.print_found_pairs();
        if self.display.is_lines() || record.games.iter().any(|game| game.reason.is_error()) {
            let [first, second] = &record.games;
            let game = |game: &GameRecord<G>| format!("{} ({})", game.result, game.reason);
            let pairs = self.plan.pairs;
            self.display.print_line(&format!(
                "pair {}/{pairs}: {}, {}; {score}",
                task.index + 1,
                game(first),
                game(second)
            ));
        }
    }
}
