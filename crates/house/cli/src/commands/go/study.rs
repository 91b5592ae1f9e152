//! `ishi go study`: the moves that rules suggest, held against those that strong players chose; and claims read again.

mod cuts;
mod each;
mod places;
mod teach;

use std::path::PathBuf;

use clap::Args;
use ishi_knowledge::explain::{prove_effects, recheck_claim};
use ishi_knowledge::rules;
use ishi_knowledge::{Analysis, GamePhase, NoOracle, Style};
use ishi_reading::ReadingEffort;
use ishi_sheet::{SheetBlock, SheetTable, blocks_to_text};
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::number_in;
use cuts::PatternCuts;
use each::StudiedMove;
use places::{StudyCase, StudyPlacesArgs, build_case, percent_of};

pub(super) const HELP: &str = "\
Examples:
  ishi go study sample:lesson                  every move of a game: which rank does ishi give it?
  ishi go study games.txt.gz --moves 300       300 moves, evenly from many games
  ishi go study games.txt.gz --moves 2000 --no-each --missing 20    shares, and 20 missing moves
  ishi go study games.txt.gz --moves 200 --middle --claims    are the claims of explanations true?
  ishi go study game.sgf --json                the same as data
  ishi go study game.sgf --style many-faces    the same in the way of D. Fotland's program
  ishi go study game.sgf --cut my.txt          patterns for the moves that ishi lacks, to edit
  ishi go study games.txt.gz --teach --moves 50 --reviews 2    how good are explanations and reviews?
  ishi go study *.sgf --teach --judge 'katago analysis -model M -config C'    as KataGo sees it

Up to 400 moves get a line each (any number with --each, none with --no-each). It has the move, \
its rank among ishi's suggestions, how many there were, and the first of them with its weightiest \
rule. A move is missing if it is not among the first 20 (--candidates). For a single game the \
missing moves are listed again (--missing N: N of them). Then come the shares by phases.

Records are SGF, or games as `ishi go records` writes them. --claims takes what is said of \
each move (it captures, saves, connects, cuts, threatens) and reads it again ten times deeper. \
--cut takes 8x8 points around every move that is missing, moved so that the \
chains of a fight stay inside, and notes of those that do not how many liberties they have and \
whether they live. Windows with fewer than three stones, or none within two lines of the move, \
are left out, and so are those that were cut before in whatever way they lie. The file is one \
for `ishi go shapes`.

--teach explains --moves moves (50, drawn by the seed) at --level, and reviews --reviews games whole. \
It tells how many moves get a verdict and a proved reason, how long the texts are, how many claims \
hold when they are read ten times deeper, how many lines say nothing, and the time. It compares \
verdicts, blunders, worst moves and lessons with a judge. That is the program of --judge, or ishi's \
own search with ten times the visits, or both (--two-judges). A table shows how often comparisons \
hold that are sure by so many standard errors. docs/notes/explain.md has figures. After Ctrl-C, \
and if the judge fails, it tells what was measured until then. With --checkpoint FILE the same command \
goes on from there.";

/// Up to how many moves each gets a line, if nothing else is said.
const EACH_UP_TO: usize = 400;

/// Options of `ishi go study`.
#[derive(Args, Debug)]
pub(super) struct GoStudyArgs {
    #[command(flatten)]
    places: StudyPlacesArgs,
    /// Read the claims that explanations make again, ten times deeper
    #[arg(long)]
    claims: bool,
    /// A line for every move, however many they are
    #[arg(long)]
    each: bool,
    /// No line for every move, however few they are
    #[arg(long, conflicts_with = "each")]
    no_each: bool,
    /// How many suggestions count as candidates
    #[arg(long, default_value = "20", value_name = "N", value_parser = number_in::<usize>(1..))]
    candidates: usize,
    /// How positions are judged: ishi, many-faces, or KEY=VALUE,... as `ishi gtp --help` lists for go-knowledge
    #[arg(long, default_value = "ishi", value_name = "STYLE")]
    style: Style,
    /// List so many moves that are not among the candidates [default: all of a single game, else 0]
    #[arg(long, value_name = "N")]
    missing: Option<usize>,
    /// Write patterns cut out around the moves that are not among the candidates: text if the name ends in .txt, else packed
    #[arg(long, value_name = "OUT")]
    cut: Option<PathBuf>,
    /// Replace the file of --cut if it exists
    #[arg(long, requires = "cut")]
    force: bool,
    #[command(flatten)]
    teach: teach::TeachArgs,
}

#[derive(Default, Serialize)]
struct PhaseCounts {
    moves: usize,
    first: usize,
    among_5: usize,
    among_20: usize,
    suggested: usize,
}

#[derive(Default, Serialize)]
struct ClaimCounts {
    read: usize,
    hold: usize,
    by_rule: std::collections::BTreeMap<&'static str, [usize; 2]>,
    broken: Vec<String>,
}

#[derive(Default, Serialize)]
struct StudyReport {
    rules: usize,
    games: usize,
    /// If there is a line for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<StudiedMove>>,
    opening: PhaseCounts,
    middle_game: PhaseCounts,
    endgame: PhaseCounts,
    suggestions_per_move: f64,
    /// Moves that patterns of a purpose suggest, and how many of them were played; in a style whose patterns have purposes.
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    purposes: std::collections::BTreeMap<&'static str, [usize; 2]>,
    claims: Option<ClaimCounts>,
    missing: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cuts: Option<PatternCuts>,
}

/// Studies records.
pub(super) fn run(args: &GoStudyArgs, context: &Context) -> Result<(), Failure> {
    teach::check_options(&args.teach)?;
    if args.teach.teach {
        return teach::run(&args.places, &args.teach, context);
    }
    files::check_all_writable(&args.cut, args.force)?;
    let games = args.places.read_all_games(context)?;
    let places = args.places.choose_evenly(&games);
    if places.is_empty() {
        return Err(args.places.nothing_to_study_failure());
    }
    let mut report =
        StudyReport { rules: rules::all_rules().count(), games: games.len(), ..StudyReport::default() };
    report.claims = args.claims.then(ClaimCounts::default);
    report.cuts = args.cut.is_some().then(PatternCuts::default);
    let is_each = args.each || !args.no_each && places.len() <= EACH_UP_TO;
    report.moves = is_each.then(Vec::new);
    let missing = args.missing.unwrap_or(if games.len() == 1 { usize::MAX } else { 0 });
    let bar = context.progress_bar(places.len(), "moves");
    let (mut suggested, mut studied) = (0, 0);
    for &(game, number) in &places {
        if context.is_stop_requested() {
            break;
        }
        if let Some(case) = build_case(&games[game], game, number) {
            suggested += report.study_move(&case, args, missing)?;
        }
        studied += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let looked_at = report.opening.moves + report.middle_game.moves + report.endgame.moves;
    report.suggestions_per_move = suggested as f64 / looked_at.max(1) as f64;
    let is_stopped = studied < places.len();
    if is_stopped {
        // What was looked at is told; a file with a part of the patterns would look like one with all.
        report.cuts = None;
    }
    if let (Some(out), Some(cuts)) = (&args.cut, &report.cuts) {
        files::write_file(out, &super::shapes::encode_library(&cuts.library, out), args.force)?;
    }
    files::print_result_beside(args.cut.as_deref(), context, &report, || {
        blocks_to_text(&report.to_blocks())
    })?;
    if is_stopped { Err(Failure::Interrupted) } else { Ok(()) }
}

impl StudyReport {
    /// Looks at a move; tells how many suggestions there are.
    fn study_move(&mut self, case: &StudyCase, args: &GoStudyArgs, missing: usize) -> Result<usize, Failure> {
        let analysis = Analysis::analyze_in_style(args.style, &case.position, &mut NoOracle);
        let suggestions = rules::suggest_moves(&case.position, &analysis);
        let studied = StudiedMove::from_case(case, &suggestions, args.candidates);
        self.count_move(analysis.phase, &studied);
        for suggestion in &suggestions {
            for reason in &suggestion.reasons {
                if let Some(purpose) = reason.rule.name.strip_prefix("pattern-") {
                    let [suggested, played] = self.purposes.entry(purpose).or_default();
                    *suggested += 1;
                    *played += usize::from(suggestion.mv == case.mv);
                }
            }
        }
        let is_missing = studied.missing;
        if is_missing && self.missing.len() < missing {
            self.missing.push(studied.describe_lack());
        }
        if let Some(moves) = &mut self.moves {
            moves.push(studied);
        }
        if let Some(claims) = &mut self.claims {
            claims.check_case(case, &analysis);
        }
        if let Some(cuts) = &mut self.cuts {
            cuts.add_case(case, &analysis, is_missing)?;
        }
        Ok(suggestions.len())
    }

    fn count_move(&mut self, phase: GamePhase, studied: &StudiedMove) {
        let counts = match phase {
            GamePhase::Opening => &mut self.opening,
            GamePhase::MiddleGame => &mut self.middle_game,
            GamePhase::Endgame => &mut self.endgame,
        };
        counts.moves += 1;
        if let Some(rank) = studied.rank {
            counts.suggested += 1;
            counts.first += usize::from(rank == 1);
            counts.among_5 += usize::from(rank <= 5);
            counts.among_20 += usize::from(rank <= 20);
        }
    }

    /// The moves, what our candidates lack, the shares by phases, and what else was asked for.
    fn to_blocks(&self) -> Vec<SheetBlock> {
        let mut blocks = self.moves.as_deref().map(each::move_blocks).unwrap_or_default();
        let lack = |missing: &String| SheetBlock::Text(format!("our candidates lack {missing}"));
        blocks.extend(self.missing.iter().map(lack));
        if !blocks.is_empty() {
            blocks.push(SheetBlock::Text(String::new()));
        }
        let rules = format!("{} rules, {:.0} suggestions a move", self.rules, self.suggestions_per_move);
        blocks.extend([SheetBlock::Text(rules), SheetBlock::Table(self.phase_table())]);
        if !self.purposes.is_empty() {
            blocks.push(SheetBlock::Table(self.purpose_table()));
        }
        blocks.extend(self.claims.iter().flat_map(ClaimCounts::to_blocks));
        blocks.extend(self.cuts.iter().flat_map(PatternCuts::to_blocks));
        blocks
    }

    fn phase_table(&self) -> SheetTable {
        let mut table = SheetTable::new(["", "#moves", "#first", "#among 5", "#among 20", "#suggested"])
            .with_text_widths(&[12, 5, 7, 7, 8, 9])
            .with_text_gaps(&[1, 1, 2, 2, 2]);
        let phases =
            [("opening", &self.opening), ("middle game", &self.middle_game), ("endgame", &self.endgame)];
        for (name, counts) in phases.into_iter().filter(|(_, counts)| counts.moves > 0) {
            let parts = [counts.first, counts.among_5, counts.among_20, counts.suggested];
            let shares = parts.map(|part| format!("{:.1} %", percent_of(part, counts.moves)));
            table.add_row([name.to_string(), counts.moves.to_string()].into_iter().chain(shares));
        }
        table
    }

    fn purpose_table(&self) -> SheetTable {
        let mut table = SheetTable::new(["patterns of", "#suggest", "#played", ""])
            .with_text_widths(&[12, 9, 6])
            .with_text_gaps(&[1, 2, 1])
            .with_indented_rows();
        for (purpose, &[suggested, played]) in &self.purposes {
            let share = format!("({:.1} %)", percent_of(played, suggested));
            table.add_row([purpose.to_string(), suggested.to_string(), played.to_string(), share]);
        }
        table
    }
}

/// Ten times the usual.
fn deeper_effort() -> ReadingEffort {
    ReadingEffort { nodes: ReadingEffort::default().nodes.map(|nodes| 10 * nodes) }
}

impl ClaimCounts {
    fn check_case(&mut self, case: &StudyCase, analysis: &Analysis) {
        for reason in prove_effects(&case.position, analysis, case.mv, &mut NoOracle) {
            let Some(holds) = recheck_claim(&reason, &case.position, case.mv, deeper_effort()) else {
                continue;
            };
            self.read += 1;
            self.hold += usize::from(holds);
            let [hold, read] = self.by_rule.entry(reason.rule.name).or_default();
            *read += 1;
            *hold += usize::from(holds);
            if !holds {
                let text = ishi_knowledge::words::describe_reason(&reason, ishi_words::Language::English);
                self.broken.push(format!("{}: {} {text}", case.format_place(), case.mv));
            }
        }
    }

    /// How many hold, in all and by rule, and the first that do not.
    fn to_blocks(&self) -> Vec<SheetBlock> {
        let (hold, read) = (self.hold, self.read);
        let share = format!("claims that hold: {hold} of {read} ({:.1} %)", percent_of(hold, read));
        let mut table = SheetTable::new(["", "#", ""]).with_text_widths(&[28, 4]).with_indented_rows();
        for (rule, [hold, read]) in &self.by_rule {
            table.add_row([rule.to_string(), hold.to_string(), format!("of {read}")]);
        }
        let mut blocks = vec![SheetBlock::Text(share), SheetBlock::Table(table)];
        let broken = self.broken.iter().take(10);
        blocks.extend(broken.map(|broken| SheetBlock::Text(format!("  does not hold: {broken}"))));
        blocks
    }
}
