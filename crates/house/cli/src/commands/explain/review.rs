//! `ishi review`: whole games: how the lead went, and what the players learn from it.

use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{Color, Move, Position};
use ishi_go_play::explain::lesson::{
    Lesson, PhaseSummary, Praise, lesson_question, lesson_text, lesson_title, phase_sentence, praise_sentence,
};
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::explain::owners::MatterKind;
use ishi_go_play::explain::picture::{draw_explanation, draw_question};
use ishi_go_play::explain::place::BoardPlace;
use ishi_go_play::explain::problem::cut_problem;
use ishi_go_play::explain::report::ExplanationReport;
use ishi_go_play::explain::review::LessonWish;
use ishi_go_play::explain::say::teaching_text;
use ishi_go_play::explain::{Explainer, review, words};
use ishi_knowledge::words::{color_name, phase_name};
use ishi_sgf::{Collection, GameTree};
use ishi_words::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::folder::ReviewFolder;
use super::judging::{JudgeArgs, check_judge};
use super::page;
use super::record::SgfRecord;
use crate::context::{Context, Failure};
use crate::files::{self, print_json};
use crate::numbers::parse_move_count;

pub(crate) const HELP: &str = "\
Examples:
  ishi review sample:lesson                three lessons for each player, turning points, the parts of the game
  ishi review game.sgf --player black      for Black alone
  ishi review *.sgf --lessons 1            of several games
  ishi review game.sgf --sgf out.sgf       the record with comments at the moves of the lessons
  ishi review game.sgf --problems out.sgf  the lessons as problems, for programs that open SGF collections
  ishi review game.sgf --html out.html     one file to share: board, graph and lessons that are answered on the board
  ishi review *.sgf --out pages            a page for each game, and pages/index.html
  ishi review game.sgf --json              the lead after every move, and all that is known of each lesson
  ishi review game.sgf --judge 'katago analysis -model M -config C'    KataGo says what moves are worth

Every position gets a search (50 positions judged by the network at level 5: about half a minute for a game on 19x19). \
What a move loses is the difference between two equal searches, after it and after the best \
move. The search's own best move loses nothing. A loss that lies within the searches' error is not told, nor one that \
a second search does not confirm. Mistakes about the same place are one lesson. \
Pages need nothing but a browser. Games that are in the folder already, with the same options, are not \
reviewed again by the same program, so an interrupted review goes on where it stopped. If a file cannot be read, the \
others are reviewed, and the exit code is 3.";

/// Options of `ishi review`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
#[command(group = ArgGroup::new("written").multiple(true))]
pub(crate) struct ReviewArgs {
    /// Records (SGF)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Whose lessons: black or white; both if not given
    #[arg(long, value_name = "COLOUR")]
    player: Option<Color>,
    /// How many lessons for each player
    #[arg(long, alias = "worst", default_value_t = 3, value_name = "N", allow_negative_numbers = true, value_parser = parse_move_count)]
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
    /// Write the record with comments at the moves of the lessons (one file of one game only; not with --out)
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
    #[command(flatten)]
    judge: JudgeArgs,
}

/// What is known of a game's moves.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct GameReview {
    pub(super) file: String,
    pub(super) game: usize,
    pub(super) black: String,
    pub(super) white: String,
    #[serde(default)]
    pub(super) black_rank: Option<String>,
    #[serde(default)]
    pub(super) white_rank: Option<String>,
    /// As the record has it.
    pub(super) result: Option<String>,
    pub(super) moves: Vec<MoveValue>,
    /// Numbers of the moves after which another side is ahead, for good.
    pub(super) turning_points: Vec<usize>,
    /// Their pictures, for pages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) turning_pictures: Vec<String>,
    /// In the order of the game.
    pub(super) lessons: Vec<LessonReport>,
    /// What went well, a sentence each.
    pub(super) praise: Vec<String>,
    /// Opening, middle game and endgame.
    pub(super) phases: Vec<PhaseReport>,
    /// The problems that were asked for.
    #[serde(skip)]
    pub(super) problems: Vec<GameTree>,
}

/// A part of the game.
#[derive(Serialize, Deserialize)]
pub(super) struct PhaseReport {
    pub(super) phase: String,
    pub(super) first: usize,
    pub(super) last: usize,
    /// What Black gained in it, and its lead after it, in points.
    pub(super) black_gain: f64,
    pub(super) black_lead: f64,
    pub(super) text: String,
}

impl ReviewArgs {
    /// Are there files that hold one game alone?
    fn writes_one_game(&self) -> bool {
        self.sgf.is_some() || self.html.is_some()
    }
}

impl GameReview {
    /// Without its pictures, which only pages show.
    fn drop_pictures(&mut self) {
        self.turning_pictures.clear();
        self.lessons.iter_mut().for_each(|lesson| lesson.pictures.clear());
    }

    /// Is no move worse than another beyond the search's noise?
    pub(super) fn lost_nothing(&self) -> bool {
        self.moves.iter().all(|row| row.lost_points == 0.0 && row.lost_win_rate == 0.0)
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct MoveValue {
    pub(super) number: usize,
    pub(super) color: String,
    pub(super) vertex: String,
    /// After the move, in points.
    pub(super) black_lead: f64,
    pub(super) black_win_rate: f64,
    /// What the move lost, for its side.
    pub(super) lost_points: f64,
    pub(super) lost_win_rate: f64,
}

/// A lesson: mistakes that belong together, and the one that lost most.
#[derive(Serialize, Deserialize)]
pub(super) struct LessonReport {
    /// The move that lost most.
    pub(super) number: usize,
    /// All of them.
    pub(super) numbers: Vec<usize>,
    pub(super) color: String,
    pub(super) vertex: String,
    /// What that move lost.
    pub(super) lost_points: f64,
    pub(super) lost_win_rate: f64,
    /// What all of them lost.
    pub(super) lost_in_all: f64,
    pub(super) better: Option<String>,
    /// Where it is, and what it is about, if one area carries it.
    pub(super) place: Option<BoardPlace>,
    pub(super) matter: Option<MatterKind>,
    pub(super) title: String,
    pub(super) question: String,
    /// The verdict, its reason, the refutation, the better move.
    pub(super) text: String,
    /// All that is known of that move, as `ishi explain --json` has it.
    #[serde(default)]
    pub(super) explanation: Value,
    /// For pages: the question, then the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pictures: Vec<String>,
}

/// Reviews records.
pub(crate) fn run(args: &ReviewArgs, context: &Context) -> Result<(), Failure> {
    files::check_all_writable(args.sgf.iter().chain(&args.problems).chain(&args.html), args.force)?;
    let mut run = ReviewRun::start(args, context)?;
    for path in &args.files {
        run.review_file(path)?;
    }
    run.finish()
}

/// The files of a command, one after another.
struct ReviewRun<'a> {
    args: &'a ReviewArgs,
    context: &'a Context,
    folder: Option<ReviewFolder>,
    reviews: Vec<GameReview>,
    /// Files and games that could not be reviewed.
    faulty: usize,
}

impl<'a> ReviewRun<'a> {
    fn start(args: &'a ReviewArgs, context: &'a Context) -> Result<ReviewRun<'a>, Failure> {
        let folder = args.out.as_deref().map(ReviewFolder::open_or_create).transpose()?;
        if args.writes_one_game() && args.files.len() > 1 {
            return Err(one_game_only());
        }
        Ok(ReviewRun { args, context, folder, reviews: Vec::new(), faulty: 0 })
    }

    /// Reviews all games of a file. One file or game of several that cannot be read is no reason to leave the others.
    fn review_file(&mut self, path: &Path) -> Result<(), Failure> {
        let read = files::read_file_or_stdin(path)
            .and_then(|bytes| Ok((SgfRecord::parse_bytes(path, &bytes, 1)?.game_count(), bytes)));
        let (games, bytes) = match read {
            Ok(read) => read,
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) if self.args.files.len() > 1 => {
                self.tell_fault(&failure);
                return Ok(());
            }
            Err(failure) => return Err(failure),
        };
        if self.args.writes_one_game() && games > 1 {
            return Err(one_game_only());
        }
        for number in 1..=games {
            match self.load_or_review(path, &bytes, number) {
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
    fn load_or_review(&self, path: &Path, bytes: &[u8], number: usize) -> Result<GameReview, Failure> {
        let (args, context) = (self.args, self.context);
        let review = || review_file_game(path, bytes, number, args, context);
        let Some(folder) = &self.folder else { return review() };
        let key = ReviewFolder::file_key(path, bytes, number, &describe_options(args, context));
        folder.load_or_review(&key, args.lang, review)
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
        if let Some(folder) = &self.folder {
            folder.write_index(self.args.lang)?;
        }
        if let Some(out) = &self.args.problems {
            write_problems(&mut self.reviews, out, self.args, self.context)?;
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
    reviews: &mut [GameReview],
    out: &Path,
    args: &ReviewArgs,
    context: &Context,
) -> Result<(), Failure> {
    let games: Vec<GameTree> =
        reviews.iter_mut().flat_map(|review| std::mem::take(&mut review.problems)).collect();
    if games.is_empty() {
        context.print_progress(format_args!(
            "ishi: no lesson makes a problem whose answer two searches agree on: {} is not written",
            out.display()
        ));
        return Ok(());
    }
    files::write_sgf(out, &Collection { games }.to_sgf(), args.force)
}

/// Reviews one game of a file that was read.
fn review_file_game(
    path: &Path,
    bytes: &[u8],
    number: usize,
    args: &ReviewArgs,
    context: &Context,
) -> Result<GameReview, Failure> {
    let mut record = SgfRecord::parse_bytes(path, bytes, number)?;
    record.print_warnings(context);
    let review = review_game(&mut record, &path.display().to_string(), number, args, context)?;
    let review = review.ok_or(Failure::Interrupted)?;
    if let Some(out) = &args.sgf {
        files::write_sgf(out, &record.to_sgf(), args.force)?;
    }
    Ok(review)
}

/// Reviews a game; none if it was stopped.
fn review_game(
    record: &mut SgfRecord,
    file: &str,
    number: usize,
    args: &ReviewArgs,
    context: &Context,
) -> Result<Option<GameReview>, Failure> {
    let mut explainer = args.judge.create_explainer(args.level, context).with_listener(args.listener);
    let Some(found) = find_review(&mut explainer, record, args, context)? else { return Ok(None) };
    let asked = found.lessons.iter().filter(|_| args.problems.is_some());
    let problems: Vec<GameTree> =
        asked.filter_map(|lesson| Some(cut_problem(&explainer, lesson)?.to_tree(args.lang))).collect();
    check_judge(&explainer)?;
    if context.is_stop_requested() {
        return Ok(None);
    }
    write_shared_page(record, &found, args)?;
    write_lessons_into_record(record, &found, args.lang);
    let head =
        GameReview { file: file.to_string(), game: number, problems, ..head_of_record(record, args.lang) };
    let review = add_found_review(head, found, args);
    Ok(Some(if args.out.is_some() { with_turning_pictures(review, record, args.lang)? } else { review }))
}

/// What the explainer says of the record's game, with a bar while it searches; none if it was stopped.
fn find_review(
    explainer: &mut Explainer,
    record: &SgfRecord,
    args: &ReviewArgs,
    context: &Context,
) -> Result<Option<review::GameReview>, Failure> {
    let moves: Vec<(Color, Move)> = record.game.moves().map(|played| (played.color, played.mv)).collect();
    let progress = context.progress_bar(moves.len(), args.lang.choose("moves", "手"));
    let goes_on = |done: usize| {
        progress.set_position(done as u64);
        !context.is_stop_requested()
    };
    let position = |played: usize| record.position_after(played);
    let wish = LessonWish { player: args.player, most: args.lessons };
    let found = review::review_game(explainer, &moves, wish, position, goes_on)?;
    check_judge(explainer)?;
    if found.is_some() {
        progress.finish_and_clear();
    }
    Ok(found)
}

/// Who played, and how it ended; nothing of the game itself.
fn head_of_record(record: &SgfRecord, language: Language) -> GameReview {
    let info = &record.game.info;
    let name = |name: &Option<String>, side: Color| {
        name.clone().unwrap_or_else(|| language.choose(side.to_string(), "無名".to_string()))
    };
    GameReview {
        black: name(&info.black.name, Color::Black),
        white: name(&info.white.name, Color::White),
        black_rank: info.black.rank.clone(),
        white_rank: info.white.rank.clone(),
        result: info.result.as_ref().map(ToString::to_string),
        ..GameReview::default()
    }
}

/// The review with what was found of the game.
fn add_found_review(head: GameReview, found: review::GameReview, args: &ReviewArgs) -> GameReview {
    let sentence = |(color, praise): &(Color, Praise)| praise_sentence(praise, *color, args.lang);
    GameReview {
        moves: found.moves.iter().map(MoveValue::from_value).collect(),
        lessons: found.lessons.iter().map(|lesson| LessonReport::from_lesson(lesson, args)).collect(),
        praise: found.praise.iter().map(sentence).collect(),
        phases: found.phases.iter().map(|part| PhaseReport::from_part(part, args.lang)).collect(),
        turning_points: found.turning_points,
        ..head
    }
}

/// The review with a picture of each turning point, for pages.
fn with_turning_pictures(
    mut review: GameReview,
    record: &SgfRecord,
    language: Language,
) -> Result<GameReview, Failure> {
    for &number in &review.turning_points {
        let position = record.position_after(number)?;
        review.turning_pictures.push(turning_picture(&position, &review.moves[number - 1], language));
    }
    Ok(review)
}

/// Writes the page of `--html`, if one is asked for. It has the record as it came, and the lessons beside it.
fn write_shared_page(
    record: &SgfRecord,
    found: &review::GameReview,
    args: &ReviewArgs,
) -> Result<(), Failure> {
    let Some(out) = &args.html else { return Ok(()) };
    let page = ishi_web::render_shared_review(record.to_sgf().as_bytes(), found, args.lang);
    files::write_page(out, &page.map_err(Failure::input)?, args.force)
}

/// Puts each lesson where its move is, as a comment and marks, with its lines as variations.
fn write_lessons_into_record(record: &mut SgfRecord, found: &review::GameReview, lang: Language) {
    for lesson in &found.lessons {
        let (number, size) = (lesson.head.key.number, lesson.position.size());
        record.add_comment(Some(number), &lesson_comment(lesson, lang));
        record.add_marks(Some(number), size, &lesson.explanation);
        let [better, followed] = [("The better line", "正解の進行"), ("What followed", "実戦への応手")];
        record.add_line_instead(number, size, lang.choose(better.0, better.1), &lesson.better_line());
        record.add_line_after(number, size, lang.choose(followed.0, followed.1), lesson.refutation());
    }
}

fn render_svgs(pictures: &[BoardPicture]) -> Vec<String> {
    pictures.iter().map(BoardPicture::to_svg).collect()
}

/// The position after a turning point.
fn turning_picture(position: &Position, row: &MoveValue, language: Language) -> String {
    let leader = color_name(if row.black_win_rate > 0.5 { Color::Black } else { Color::White }, language);
    let title = match language {
        Language::English => format!("{leader} ahead from move {} ({})", row.number, row.vertex),
        Language::Japanese => format!("{}手目（{}）から{leader}優勢", row.number, row.vertex),
    };
    let picture = BoardPicture::from_board(position.board()).with_title(title);
    let last = position.last_move().and_then(|(_, mv)| mv.point());
    last.map_or(picture.clone(), |last| picture.with_mark(last, PictureMark::Circle, PictureTone::Bad))
        .to_svg()
}

/// A lesson as a comment in the record, with the names of the marks.
fn lesson_comment(lesson: &Lesson, language: Language) -> String {
    format!("{}{}", lesson_text(lesson, language), words::marks_text(&lesson.explanation, language))
        .trim()
        .to_string()
}

/// All that is known of the move of a lesson, with what the lesson says of it.
fn explanation_value(lesson: &Lesson, language: Language) -> Value {
    let report = ExplanationReport::from_explanation(&lesson.explanation, language);
    serde_json::to_value(report.with_teaching(&lesson.teaching, language)).unwrap_or_default()
}

impl LessonReport {
    fn from_lesson(lesson: &Lesson, args: &ReviewArgs) -> LessonReport {
        let Lesson { head, position, explanation, teaching } = lesson;
        LessonReport {
            number: head.key.number,
            numbers: head.numbers.clone(),
            color: head.color.to_string(),
            vertex: head.key.mv.to_string(),
            lost_points: head.key.lost_points,
            lost_win_rate: head.key.lost_win_rate,
            lost_in_all: head.lost_points,
            better: head.key.better.map(|better| better.to_string()),
            place: head.place,
            matter: head.cause.carrying().map(|reason| reason.kind),
            title: lesson_title(head, args.lang),
            question: lesson_question(head, args.lang),
            text: teaching_text(teaching, args.lang),
            explanation: explanation_value(lesson, args.lang),
            pictures: match args.out {
                Some(_) => {
                    let question = draw_question(position, &lesson_question(head, args.lang));
                    let answer = draw_explanation(position, explanation, args.lang);
                    render_svgs(&[vec![question], answer].concat())
                }
                None => Vec::new(),
            },
        }
    }

    /// What its worst move lost, in words: what is nothing is not told.
    pub(super) fn format_loss(&self, language: Language) -> String {
        let difference = words::difference_text(self.lost_points, 100.0 * self.lost_win_rate, language);
        match language {
            Language::English => format!("lost {difference}"),
            Language::Japanese => format!("{difference}の損"),
        }
    }
}

impl PhaseReport {
    fn from_part(part: &PhaseSummary, language: Language) -> PhaseReport {
        PhaseReport {
            phase: phase_name(part.phase, Language::English).to_string(),
            first: part.first,
            last: part.last,
            black_gain: part.lead_after - part.lead_before,
            black_lead: part.lead_after,
            text: phase_sentence(part, language),
        }
    }
}

impl MoveValue {
    fn from_value(value: &review::MoveValue) -> MoveValue {
        MoveValue {
            number: value.number,
            color: value.color.to_string(),
            vertex: value.mv.to_string(),
            black_lead: value.black_lead,
            black_win_rate: value.black_win_rate,
            lost_points: value.lost_points,
            lost_win_rate: value.lost_win_rate,
        }
    }
}

/// File, players with their ranks, length, result.
fn format_header(review: &GameReview, language: Language) -> String {
    let player = |name: &String, rank: &Option<String>| match (rank, language) {
        (None, _) => name.clone(),
        (Some(rank), Language::English) => format!("{name} ({rank})"),
        (Some(rank), Language::Japanese) => format!("{name}（{rank}）"),
    };
    let [black, white] =
        [player(&review.black, &review.black_rank), player(&review.white, &review.white_rank)];
    let (file, moves) = (&review.file, review.moves.len());
    match language {
        Language::English => {
            let result = review.result.as_ref().map_or(String::new(), |result| format!(", {result}"));
            format!("{file}: {black} - {white}, {moves} moves{result}")
        }
        Language::Japanese => {
            let result = review.result.as_ref().map_or(String::new(), |result| format!("、結果{result}"));
            format!("{file}：黒 {black} 対 白 {white}、{moves}手{result}")
        }
    }
}

fn format_review(review: &GameReview, language: Language) -> String {
    let english = language == Language::English;
    let mut text = format_header(review, language) + "\n";
    let rates: Vec<f64> = review.moves.iter().map(|row| row.black_win_rate).collect();
    let turn = |&number: &usize| {
        let (leader, share, moves) = review::find_leader(&rates, number);
        let (leader, share) = (color_name(leader, language), 100.0 * share);
        if english {
            let plural = if moves == 1 { "" } else { "s" };
            format!("{leader} ahead from move {number} ({share:.0} %, the mean of {moves} move{plural})")
        } else {
            format!("{number}手目から{leader}優勢（{moves}手の平均{share:.0}%）")
        }
    };
    let turns: Vec<String> = review.turning_points.iter().map(turn).collect();
    let none = if english { "the lead never changed for long" } else { "大きな逆転なし" };
    let words = page::page_words(language);
    let colon = if english { ": " } else { "：" };
    let _ = writeln!(
        text,
        "{}{colon}{}",
        words.turning,
        if turns.is_empty() { none.to_string() } else { turns.join(", ") }
    );
    if review.lost_nothing() {
        let _ = writeln!(text, "{}", words.no_worst);
    }
    for sentence in review.phases.iter().map(|part| &part.text).chain(&review.praise) {
        let _ = writeln!(text, "{sentence}");
    }
    for (n, lesson) in review.lessons.iter().enumerate() {
        let LessonReport { title, question, text: told, .. } = lesson;
        let head = if english { "Lesson" } else { "教訓" };
        let _ = writeln!(text, "\n{head} {}{colon}{title}\n{question}\n{}", n + 1, told.trim());
    }
    text.push('\n');
    text
}
