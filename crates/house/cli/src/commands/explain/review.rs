//! `ishi review`: whole games: how the lead went, and what the players learn from it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use ishi_go::{Color, Move};
use ishi_go_play::explain::lesson::Lesson;
use ishi_go_play::explain::lesson_words::{
    first_mistake_sentence, lesson_text, phase_sentence, praise_sentence, tried_line_name,
};
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::explain::problem::cut_problem;
use ishi_go_play::explain::review::{self, LessonWish, MoveValue};
use ishi_go_play::explain::{Explainer, words};
use ishi_sgf::{Collection, GameTree};
use ishi_words::Language;
use serde_json::Value;

use super::folder::ReviewFolder;
use super::game_review::GameReview;
use super::judging::{AnswersArgs, JudgeArgs, check_judge};
use super::record::{RecordFile, SgfRecord};
use super::review_text::format_review;
use crate::context::{Context, Failure};
use crate::files::{self, print_json};
use crate::numbers::parse_move_count;

pub(crate) const HELP: &str = "\
Examples:
  ishi review sample:lesson                up to three lessons for each player, turning points, the parts of the game
  ishi review game.sgf --player black      for Black alone
  ishi review *.sgf --lessons 1            of several games
  ishi review game.sgf --sgf out.sgf       the record with comments at the moves of the lessons
  ishi review game.sgf --problems out.sgf  the lessons as problems, for programs that open SGF collections
  ishi review game.sgf --html out.html     one file to share: board, graph and lessons that are answered on the board
  ishi review *.sgf --out pages            a page for each game, and pages/index.html
  ishi review game.sgf --answers kept      what is judged is kept: when it was interrupted, the same command goes on
  ishi review game.sgf --json              the lead after every move, and all that is known of each lesson
  ishi review --schema                     what these data are, as a JSON schema
  ishi review game.sgf --judge 'katago analysis -model M -config C'    KataGo says what moves are worth

Every position gets a search (50 positions judged by the network at level 5: about half a minute for a game on 19x19). \
What a move loses is the difference between two equal searches, after it and after the best \
move. The search's own best move loses nothing. A loss that lies within the searches' error is not told, nor one that \
a second search does not confirm. Mistakes about the same place are one lesson. A lesson asks for a loss \
that is large and sure, so that a player may get fewer than --lessons. \
Pages need nothing but a browser. Games that are in the folder already, with the same options, are not \
reviewed again by the same program. An interrupted review goes on with the position where it stopped, if it has --out or \
--answers. If a file cannot be read, the \
others are reviewed, and the exit code is 3.";

/// Options of `ishi review`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
#[command(group = ArgGroup::new("written").multiple(true))]
pub(crate) struct ReviewArgs {
    /// Records (SGF)
    #[arg(required_unless_present = "schema")]
    files: Vec<PathBuf>,
    /// Whose lessons: black or white; both if not given
    #[arg(long, value_name = "COLOUR")]
    player: Option<Color>,
    /// How many lessons for each player at most
    #[arg(long, alias = "worst", default_value_t = 3, value_name = "N", value_parser = parse_move_count)]
    lessons: usize,
    /// Language: en or ja
    #[arg(long, default_value = "en")]
    lang: Language,
    /// For whom: beginner (short lines, words explained), kyu or dan (long lines, exact numbers, few principles)
    #[arg(long, default_value = "kyu")]
    listener: Listener,
    /// How much thought: 1 to 10
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// Write the record with comments at its beginning and at the moves of the lessons (one file of one game only; not with --out)
    #[arg(long, value_name = "OUT", group = "written")]
    sgf: Option<PathBuf>,
    /// Write the lessons as problems, a collection (SGF) with right and wrong moves and their refutations (not with --out)
    #[arg(long, value_name = "OUT", group = "written")]
    problems: Option<PathBuf>,
    /// Write one HTML file that works anywhere: board, variations, graph, lessons to be answered on the board, in both languages (one file of one
    /// game only; not with --out)
    #[arg(long, value_name = "OUT", group = "written")]
    html: Option<PathBuf>,
    /// Replace the files of --sgf, --problems and --html if they exist
    #[arg(long, requires = "written")]
    force: bool,
    /// Write a page for each game into this folder, and an index (not with --sgf)
    #[arg(long, value_name = "DIR", conflicts_with_all = ["sgf", "problems", "html"])]
    out: Option<PathBuf>,
    /// Print the JSON schema of what --json prints, and end
    #[arg(long)]
    schema: bool,
    #[command(flatten)]
    kept: AnswersArgs,
    #[command(flatten)]
    judge: JudgeArgs,
}

impl ReviewArgs {
    /// Are there files that hold one game alone?
    fn writes_one_game(&self) -> bool {
        self.sgf.is_some() || self.html.is_some()
    }
}

/// What `--json` prints, as a JSON schema, but for the explanations of lessons.
const SCHEMA: &str = include_str!("review_schema.json");

/// What `--json` prints, as a JSON schema. The explanations in it are as `ishi explain --schema` says.
fn describe_json() -> Value {
    let read = |text: &str| -> Value { serde_json::from_str(text).expect("a schema of ours") };
    let (mut schema, mut explanation) = (read(SCHEMA), read(super::SCHEMA));
    let parts = explanation.as_object_mut().and_then(|schema| schema.remove("$defs"));
    if let (Some(known), Some(Value::Object(parts))) = (schema["$defs"].as_object_mut(), parts) {
        known.extend(parts);
        known.insert("explanation".to_string(), explanation);
    }
    schema
}

/// Reviews records, or prints the schema.
pub(crate) fn run(args: &ReviewArgs, context: &Context) -> Result<(), Failure> {
    if args.schema {
        return files::print_bytes(format!("{:#}\n", describe_json()).as_bytes());
    }
    files::check_all_writable(args.sgf.iter().chain(&args.problems).chain(&args.html), args.force)?;
    let folder = args.out.as_deref().map(ReviewFolder::open_or_create).transpose()?;
    if args.writes_one_game() && args.files.len() > 1 {
        return Err(one_game_only());
    }
    let mut run = ReviewRun::new(args, context, folder.as_ref());
    for path in &args.files {
        run.review_file(path)?;
    }
    run.finish()
}

/// The files of a command, one after another.
struct ReviewRun<'a> {
    args: &'a ReviewArgs,
    context: &'a Context,
    folder: Option<&'a ReviewFolder>,
    reviews: Vec<GameReview>,
    /// Those that were asked for, of all games.
    problems: Vec<GameTree>,
    /// Files and games that could not be reviewed.
    faulty: usize,
}

impl<'a> ReviewRun<'a> {
    fn new(args: &'a ReviewArgs, context: &'a Context, folder: Option<&'a ReviewFolder>) -> ReviewRun<'a> {
        ReviewRun { args, context, folder, reviews: Vec::new(), problems: Vec::new(), faulty: 0 }
    }

    /// Reviews all games of a file. One file or game of several that cannot be read is no reason to leave the others.
    fn review_file(&mut self, path: &Path) -> Result<(), Failure> {
        let file = match RecordFile::read(path) {
            Ok(file) => file,
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) if self.args.files.len() > 1 => {
                self.tell_fault(&failure);
                return Ok(());
            }
            Err(failure) => return Err(failure),
        };
        let games = file.game_count();
        if self.args.writes_one_game() && games > 1 {
            return Err(one_game_only());
        }
        for number in 1..=games {
            match self.load_or_review(&file, number) {
                Err(Failure::Input(fault)) if self.args.files.len() + games > 2 => self.tell_fault(&fault),
                review => self.add_review(review?)?,
            }
        }
        Ok(())
    }

    fn tell_fault(&mut self, fault: &dyn Display) {
        self.context.print_progress(format_args!("ishi: {fault}"));
        self.faulty += 1;
    }

    /// The review of a game of a file: the folder's, where it has one.
    fn load_or_review(&mut self, file: &RecordFile<'_>, number: usize) -> Result<GameReview, Failure> {
        let args = self.args;
        let named = args.kept.answers.as_deref();
        let Some(folder) = self.folder else { return self.review_game(file, number, named) };
        let key = ReviewFolder::file_key(file, number, &describe_options(args, self.context));
        let review = match folder.find_review(&key) {
            Some(kept) => kept,
            None => {
                let own = folder.answers_path(&key);
                let fresh = self.review_game(file, number, Some(named.unwrap_or(&own)))?;
                folder.keep_review(&key, &fresh)?;
                // All is in the review.
                files::remove_if_possible(&own);
                fresh
            }
        };
        folder.write_game_page(&key, &review, args.lang)?;
        Ok(review)
    }

    /// Reviews a game of a file that was read, and writes what is about this game alone. What is judged is kept in the file of answers.
    fn review_game(
        &mut self,
        file: &RecordFile<'_>,
        number: usize,
        answers: Option<&Path>,
    ) -> Result<GameReview, Failure> {
        let (args, context) = (self.args, self.context);
        let mut record = file.read_game(number)?;
        record.print_warnings(context);
        let explainer = args.judge.create_explainer(args.level, answers, context)?;
        let mut explainer = explainer.with_listener(args.listener);
        let found = find_review(&mut explainer, &record, args, context)
            .inspect_err(|failure| tell_what_is_kept(failure, answers, context))?;
        if args.problems.is_some() {
            let problem = |lesson| Some(cut_problem(&explainer, lesson)?.to_tree(args.lang));
            self.problems.extend(found.lessons.iter().filter_map(problem));
        }
        check_judge(&explainer)?;
        context.check_stop()?;
        write_shared_page(&record, &found, args)?;
        write_record(&mut record, &found, args)?;
        let review = GameReview::from_found(&record, number, &found, args.lang);
        if args.out.is_some() { review.with_pictures(&record, &found, args.lang) } else { Ok(review) }
    }

    fn add_review(&mut self, review: GameReview) -> Result<(), Failure> {
        if !self.context.json {
            files::print_bytes(format_review(&review, self.args.lang).as_bytes())?;
        }
        self.reviews.push(review);
        Ok(())
    }

    /// Writes what is about all games.
    fn finish(mut self) -> Result<(), Failure> {
        if let Some(folder) = self.folder {
            folder.write_index(self.args.lang)?;
        }
        if let Some(out) = &self.args.problems {
            write_problems(self.problems, out, self.args, self.context)?;
        }
        if self.context.json {
            self.reviews.iter_mut().for_each(GameReview::drop_pictures);
            print_json(&self.reviews)?;
        }
        match self.faulty {
            0 => Ok(()),
            faulty => Err(Failure::input(format!("not reviewed, for the faults told above: {faulty}"))),
        }
    }
}

/// After Ctrl-C: what was judged is not lost, if answers are kept.
fn tell_what_is_kept(failure: &Failure, answers: Option<&Path>, context: &Context) {
    if let Some(answers) = kept_answers(failure, answers) {
        let answers = answers.display();
        context.print_progress(format_args!(
            "ishi: what was judged is kept in {answers}: the same command goes on"
        ));
    }
}

/// The file of answers after Ctrl-C. There is none yet where nothing was judged.
fn kept_answers<'a>(failure: &Failure, answers: Option<&'a Path>) -> Option<&'a Path> {
    answers.filter(|answers| matches!(failure, Failure::Interrupted) && answers.exists())
}

fn one_game_only() -> Failure {
    Failure::input("--sgf and --html take one file with one game")
}

/// All that a review depends on besides its game.
fn describe_options(args: &ReviewArgs, context: &Context) -> String {
    let ReviewArgs { level, lessons, player, listener, .. } = args;
    let (language, judge) = (args.lang.choose("en", "ja"), args.judge.describe_for_key());
    let (listener, seed) = (listener.name(), context.seed);
    format!("level {level}, lessons {lessons} of {player:?} for {listener}, {language}, seed {seed}{judge}")
}

/// Writes the problems of all games as one collection; a file without a game would be none.
fn write_problems(
    games: Vec<GameTree>,
    out: &Path,
    args: &ReviewArgs,
    context: &Context,
) -> Result<(), Failure> {
    if games.is_empty() {
        context.print_progress(format_args!(
            "ishi: no lesson makes a problem whose answer two searches agree on: {} is not written",
            out.display()
        ));
        return Ok(());
    }
    files::write_sgf(out, &Collection { games }.to_sgf(), args.force)
}

/// The last known move in words, if it is of a player whose lessons are wanted and lost so much that a lesson may be about it.
fn find_first_mistake(rows: &[MoveValue], args: &ReviewArgs) -> Option<String> {
    let is_wanted = |row: &&MoveValue| args.player.is_none_or(|player| player == row.color);
    let mistake = rows.last().filter(is_wanted)?;
    first_mistake_sentence(mistake, args.lang)
}

/// What the explainer says of the record's game, with a bar while it searches. The first large loss that it finds is told on stderr at once.
fn find_review(
    explainer: &mut Explainer,
    record: &SgfRecord,
    args: &ReviewArgs,
    context: &Context,
) -> Result<review::GameReview, Failure> {
    let moves: Vec<(Color, Move)> = record.game.moves().map(|played| (played.color, played.mv)).collect();
    let progress = context.progress_bar_in(args.lang, moves.len(), args.lang.choose("moves", "手"));
    let mut is_told = context.json;
    let goes_on = |done: usize, rows: &[MoveValue]| {
        progress.set_position(done as u64);
        if let Some(sentence) = find_first_mistake(rows, args).filter(|_| !is_told) {
            progress.suspend(|| context.print_progress(sentence));
            is_told = true;
        }
        !context.is_stop_requested()
    };
    let position = |played: usize| record.position_after(played);
    let wish = LessonWish { player: args.player, most: args.lessons };
    let found = review::review_game_row_by_row(explainer, &moves, wish, position, goes_on)?;
    check_judge(explainer)?;
    let found = found.ok_or(Failure::Interrupted)?;
    progress.finish_and_clear();
    Ok(found)
}

/// Writes the page of `--html`, if one is asked for. It has the record as it came, and the lessons beside it.
fn write_shared_page(
    record: &SgfRecord,
    found: &review::GameReview,
    args: &ReviewArgs,
) -> Result<(), Failure> {
    let Some(out) = &args.html else { return Ok(()) };
    let page = ishi_web::render_shared_review(record.tree(), found, args.lang);
    files::write_page(out, &page.map_err(Failure::input)?, args.force)
}

/// Writes the record of `--sgf`, if one is asked for.
fn write_record(
    record: &mut SgfRecord,
    found: &review::GameReview,
    args: &ReviewArgs,
) -> Result<(), Failure> {
    let Some(out) = &args.sgf else { return Ok(()) };
    record.add_root_comment(&game_comment(found, args.lang));
    found.lessons.iter().for_each(|lesson| add_lesson(record, lesson, args.lang));
    record.add_values(&found.moves);
    files::write_sgf(out, &record.to_sgf(), args.force)
}

/// How the parts of the game went, and what went well: for the beginning of the record.
fn game_comment(found: &review::GameReview, language: Language) -> String {
    let parts = found.phases.iter().map(|part| phase_sentence(part, language));
    let praise = found.praise.iter().map(|(color, praise)| praise_sentence(praise, *color, language));
    parts.chain(praise).collect::<Vec<String>>().join("\n")
}

/// Puts a lesson where its move is: a comment and marks, with its lines as variations.
fn add_lesson(record: &mut SgfRecord, lesson: &Lesson, lang: Language) {
    let (number, size) = (lesson.head.key.number, lesson.position.size());
    record.add_comment(Some(number), &lesson_comment(lesson, lang));
    record.add_marks(Some(number), size, &lesson.explanation);
    let [better, followed] = [("The better line", "正解の進行"), ("What followed", "実戦への応手")];
    record.add_line_instead(number, size, lang.choose(better.0, better.1), &lesson.better_line());
    record.add_line_after(number, size, lang.choose(followed.0, followed.1), lesson.refutation());
    let trees = [&lesson.trees.answer, &lesson.trees.refutation].into_iter().flatten();
    for (tree, line) in trees.flat_map(|tree| tree.lines().into_iter().map(move |line| (tree, line))) {
        record.add_line_instead(number, size, &tried_line_name(tree, lang), &line);
    }
}

/// A lesson as a comment in the record, with the names of the marks.
fn lesson_comment(lesson: &Lesson, language: Language) -> String {
    format!("{}{}", lesson_text(lesson, language), words::marks_text(&lesson.explanation, language))
        .trim()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_only_where_their_file_is() {
        let folder = tempfile::tempdir().unwrap();
        let answers = folder.path().join("answers");
        let kept = |failure: &Failure| kept_answers(failure, Some(&answers)).is_some();
        assert!(!kept(&Failure::Interrupted), "nothing was judged");
        std::fs::write(&answers, "").unwrap();
        assert!(kept(&Failure::Interrupted));
        assert!(!kept(&one_game_only()), "another failure says nothing of answers");
        assert_eq!(kept_answers(&Failure::Interrupted, None), None);
    }
}
