//! `ishi go records`: games as SGF, made into records to learn from.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use ishi_analysis::labels::sgf;
use ishi_patterns::records::{HEADER, RecordOrigin};
use ishi_sgf::{GameTree, GoGame};
use ishi_words::collapse_whitespace;
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;

pub(super) const HELP: &str = "\
Examples:
  ishi go records games/ --out games.txt.gz             all .sgf files of a folder and of its folders
  ishi go records a.sgf b.sgf --out games.txt           some files; a file may have many games
  ishi go records games/ --source club --out club.txt   say where they are from

A record is a line of text for each game: what the commands that learn read (`ishi go learn-patterns`, \
`learn-joseki`, `learn-shapes`, `label`, `positions`). docs/formats.md has its columns.

Main lines are taken, without passes at their ends. Games that a record cannot say are left out, and \
their number is told. Those are other games than Go, boards of more than 19 lines, set-up stones of \
White or in the middle, two moves in a row by one side, illegal moves, and no moves. Files that are no SGF end the \
command. --skip-broken passes over them.";

/// Options of `ishi go records`.
#[derive(Args, Debug)]
pub(super) struct RecordsArgs {
    /// SGF files, and folders with such files
    #[arg(value_name = "SGF", required = true)]
    paths: Vec<PathBuf>,
    /// Where the records go; packed if the name ends in .gz
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Where the games are from, a word or two
    #[arg(long, default_value = "", value_name = "NAME")]
    source: String,
    /// Pass over files that cannot be read
    #[arg(long)]
    skip_broken: bool,
}

/// Reads and writes.
pub(super) fn run(args: &RecordsArgs, context: &Context) -> Result<(), Failure> {
    if files::is_standard(&args.out) {
        return Err(Failure::input("--out: give a file"));
    }
    files::check_writable(&args.out, args.force)?;
    let mut records =
        RecordLines { ids: BTreeSet::new(), text: format!("{HEADER}\n"), report: RecordsReport::default() };
    let sources = sgf_files(&args.paths)?;
    if sources.is_empty() {
        let folders: Vec<String> = args.paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::input(format!("{}: there must be .sgf files in it", folders.join(", "))));
    }
    for (path, name) in sources {
        context.check_stop()?;
        match read_game_trees(&path) {
            Ok(games) => games.iter().enumerate().for_each(|(number, game)| {
                let id = if games.len() > 1 { format!("{name}-{}", number + 1) } else { name.clone() };
                records.add_game(game, id, &args.source);
            }),
            Err(failure) if args.skip_broken => {
                context.print_progress(format_args!("left out: {failure}"));
                records.report.broken_files += 1;
            }
            Err(failure) => return Err(failure),
        }
    }
    if records.report.games == 0 {
        let left_out = records.report.left_out.iter().map(|(why, count)| format!("{count}: {why}"));
        let reasons = left_out.collect::<Vec<_>>().join("; ");
        return Err(Failure::input(format!("there must be a game that makes a record; left out: {reasons}")));
    }
    files::write_file(&args.out, &encode_output(&args.out, records.text)?, args.force)?;
    files::print_result(context, &records.report, || records.report.to_text())
}

/// The files with the names that their games will have, in the order of the names: folders' files by their place in them.
fn sgf_files(paths: &[PathBuf]) -> Result<Vec<(PathBuf, String)>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut inside = Vec::new();
            collect_sgf_files(path, &mut inside)?;
            inside.sort();
            found.extend(inside.into_iter().map(|file| {
                let name = file.strip_prefix(path).unwrap_or(&file).with_extension("");
                (file.clone(), name.to_string_lossy().into_owned())
            }));
        } else {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push((path.clone(), name));
        }
    }
    Ok(found)
}

fn collect_sgf_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for path in files::list_folder(folder)? {
        // Links to folders are not followed: they may lead round in a circle.
        if path.is_dir() && !path.is_symlink() {
            collect_sgf_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
            found.push(path);
        }
    }
    Ok(())
}

fn read_game_trees(path: &Path) -> Result<Vec<GameTree>, Failure> {
    let reading = ishi_sgf::read_collection(&files::read_unpacked(path)?);
    Ok(reading.map_err(|error| Failure::in_file(path, error))?.collection.games)
}

fn encode_output(out: &Path, text: String) -> Result<Vec<u8>, Failure> {
    if !out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        return Ok(text.into_bytes());
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    let packed = packer.write_all(text.as_bytes()).and_then(|()| packer.finish());
    packed.map_err(|error| Failure::outside(format!("cannot pack {}: {error}", out.display())))
}

/// The lines so far.
struct RecordLines {
    ids: BTreeSet<String>,
    text: String,
    report: RecordsReport,
}

impl RecordLines {
    fn add_game(&mut self, tree: &GameTree, id: String, source: &str) {
        let game = match GoGame::read_main_line(tree) {
            Ok(game) => game,
            Err(error) => return self.count_left_out(error.to_string()),
        };
        match sgf::record_from_game(&game, &id) {
            Ok((mut record, origin)) => {
                record.id = self.unique_id(record.id);
                let origin = RecordOrigin { source: collapse_whitespace(source), ..origin };
                self.text += &record.to_line(&origin);
                self.text.push('\n');
                self.report.games += 1;
                self.report.moves += record.moves.len();
            }
            Err(why) => self.count_left_out(why.to_string()),
        }
    }

    /// Labels tell games apart by their ids.
    fn unique_id(&mut self, id: String) -> String {
        let numbered = (2..).map(|number| format!("{id}~{number}"));
        let own = std::iter::once(id.clone()).chain(numbered).find(|id| !self.ids.contains(id));
        let own = own.unwrap_or(id);
        self.ids.insert(own.clone());
        own
    }

    fn count_left_out(&mut self, why: String) {
        *self.report.left_out.entry(why).or_default() += 1;
    }
}

#[derive(Default, Serialize)]
struct RecordsReport {
    /// Games that were written.
    games: usize,
    /// Their moves.
    moves: usize,
    /// Games that were left out, by the reason.
    left_out: BTreeMap<String, usize>,
    /// Files that could not be read.
    broken_files: usize,
}

impl RecordsReport {
    fn to_text(&self) -> String {
        let mut text = format!("{} games with {} moves.\n", self.games, self.moves);
        for (why, count) in &self.left_out {
            text += &format!("Left out: {count} ({why}).\n");
        }
        if self.broken_files > 0 {
            text += &format!("Left out: {} (it could not be read).\n", self.broken_files);
        }
        text
    }
}
