//! `ishi explain`: why a move of Go was played, or which one is best, in words.

mod answers;
mod folder;
mod game_review;
pub(crate) mod judging;
mod page;
pub(crate) mod record;
pub mod review;
mod review_text;

use std::path::{Path, PathBuf};

use clap::Args;
use ishi_go::picture::BoardPicture;
use ishi_go::{BoardSize, Point, Position};
use ishi_go_play::explain::first_sight::{ExplanationStep, FirstSight};
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::explain::picture::draw_explanation;
use ishi_go_play::explain::report::ExplanationReport;
use ishi_go_play::explain::{Explanation, words};
use ishi_words::Language;

use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::parse_move_number;
use judging::{AnswersArgs, JudgeArgs, check_judge};
use record::SgfRecord;

pub(crate) const HELP: &str = "\
Examples:
  ishi explain sample:lesson --move 15           what move 15 does, and what else there was
  ishi explain sample:lesson --move 15 --why-not D5,E7    why not these?
  ishi explain game.sgf                          what to play at the end of the record, and why
  ishi explain game.sgf --move 57 --details      with shapes, patterns, joseki, other moves and groups
  ishi explain game.sgf --move 57 --lang ja      in Japanese
  ishi explain game.sgf --move 57 --listener beginner    in short lines, with words explained
  ishi explain game.sgf --move 57 --json         as data: rules, stones, sequences; with --details whose each point will be
  ishi explain --schema                          what these data are, as a JSON schema
  ishi explain game.sgf --move 57 --sgf out.sgf  the record with the explanation as a comment
  ishi explain game.sgf --move 57 --svg out.svg  in pictures: the move and others, sequences, groups
  ishi explain game.sgf --move 57 --judge 'katago analysis -model M -config C'    KataGo says what moves are worth

A first line on stderr says at once how the move looks at first sight. If the search disagrees, another line says so. \
The text begins with the verdict and the one reason for it. Then come the refutation or the threat, the better move, and \
a principle, as far as there are any. The reason is found by comparing whose each point will be. What a move takes, \
captures, saves, connects and cuts is read out before it is said. Chances and points come from a search that ishi's \
network guides (50 positions at level 5, 800 at level 10). docs/explain.md says how it works, and how often what is \
said holds.";

/// Options of `ishi explain`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub(crate) struct ExplainArgs {
    /// A record (SGF); - is standard input
    #[arg(required_unless_present = "schema")]
    file: Option<PathBuf>,
    /// The move of the main line to explain, from 1; the best move at its end if not given
    #[arg(long = "move", value_name = "N", value_parser = parse_move_number)]
    number: Option<usize>,
    /// Other moves to ask about, as D4,E5
    #[arg(long, value_name = "VERTEX", value_delimiter = ',')]
    why_not: Vec<String>,
    /// Which game of the file, from 1
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
    /// Language: en or ja
    #[arg(long, default_value = "en")]
    lang: Language,
    /// For whom: beginner (short lines, words explained), kyu or dan (long lines, exact numbers, few principles)
    #[arg(long, default_value = "kyu")]
    listener: Listener,
    /// Tell also shapes, patterns, joseki, what rules say, other moves and groups; with --json whose the points are after each move
    #[arg(long)]
    details: bool,
    /// How much thought: 1 to 10
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// Write the record with the explanation as a comment of its move: that marked by a circle, others by A, B, those asked about by a, b
    #[arg(long, value_name = "OUT")]
    sgf: Option<PathBuf>,
    /// Draw it: the move, other moves, sequences, groups in doubt
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// Replace the files of --sgf and --svg if they exist
    #[arg(long)]
    force: bool,
    /// Print the JSON schema of what --json prints, and end
    #[arg(long)]
    schema: bool,
    #[command(flatten)]
    kept: AnswersArgs,
    #[command(flatten)]
    judge: JudgeArgs,
}

/// What `--json` prints, as a JSON schema.
const SCHEMA: &str = include_str!("schema.json");

/// Explains a move of a record, or prints the schema.
pub(crate) fn run(args: &ExplainArgs, context: &Context) -> Result<(), Failure> {
    match &args.file {
        Some(file) if !args.schema => explain_file(file, args, context),
        _ => files::print_bytes(SCHEMA.as_bytes()),
    }
}

fn explain_file(file: &Path, args: &ExplainArgs, context: &Context) -> Result<(), Failure> {
    files::check_all_writable(args.sgf.iter().chain(&args.svg), args.force)?;
    let mut record = SgfRecord::read_file(file, args.game)?;
    // A move may be missing because it was left out, which the warnings say.
    let before = record.position_before(args.number);
    let (position, mv) = before.inspect_err(|_| record.print_warnings(context))?;
    args.number.map_or(Ok(()), |number| record.check_legal(number))?;
    record.print_warnings(context);
    let why_not = parse_legal_points(&args.why_not, &position)?;
    let answers = args.kept.answers.as_deref();
    let explainer = args.judge.create_explainer(args.level, answers, context)?;
    let mut explainer = explainer.with_listener(args.listener);
    let mut head = PrintedHead::new(args, context, &position);
    let explanation = match head.is_wanted {
        true => explainer.explain_in_steps(&position, mv, &why_not, &mut |step| head.hear_step(step)),
        false => explainer.explain_move(&position, mv, &why_not),
    };
    check_judge(&explainer)?;
    context.check_stop()?;
    let printed = head.printed?;
    write_record(&mut record, &position, &explanation, args)?;
    write_drawing(&position, &explanation, args)?;
    if args.svg.as_deref().is_some_and(files::is_standard) {
        return Ok(());
    }
    if context.json {
        return files::print_json(&match args.details {
            true => ExplanationReport::with_owners(&explanation, args.lang),
            false => ExplanationReport::from_explanation(&explanation, args.lang),
        });
    }
    if printed.is_some_and(|first| !first.is_upheld_by(&explanation)) {
        context.print_progress(FirstSight::correction(args.lang));
    }
    print_text(&position, &explanation, printed.is_some(), args)
}

/// Points that the side to move may be asked about: those of `--why-not`.
fn parse_legal_points(vertices: &[String], position: &Position) -> Result<Vec<Point>, Failure> {
    let points = parse_points(vertices, position.size())?;
    let color = position.to_move();
    for &point in &points {
        position.clone().play(color, point.into()).map_err(|error| {
            Failure::input(format!("--why-not {point}: {color} cannot play there: {}", error.rule))
        })?;
    }
    Ok(points)
}

/// Writes the record of `--sgf`, with the explanation at its move.
fn write_record(
    record: &mut SgfRecord,
    position: &Position,
    explanation: &Explanation,
    args: &ExplainArgs,
) -> Result<(), Failure> {
    let Some(out) = &args.sgf else { return Ok(()) };
    let head = match (args.number, args.lang) {
        (Some(_), _) => "",
        (None, Language::English) => "Suggested next:\n",
        (None, Language::Japanese) => "次の一手：\n",
    };
    let text = words::marked_explanation_text(explanation, args.lang, args.details);
    record.add_comment(args.number, &format!("{head}{text}"));
    record.add_marks(args.number, position.size(), explanation);
    files::write_sgf(out, &record.to_sgf(), args.force)
}

/// Writes the pictures of `--svg`.
fn write_drawing(position: &Position, explanation: &Explanation, args: &ExplainArgs) -> Result<(), Failure> {
    let Some(out) = &args.svg else { return Ok(()) };
    let pictures = draw_explanation(position, explanation, args.lang);
    let sheet = BoardPicture::sheet_svg(&pictures, pictures.len());
    files::write_picture(out, &sheet, args.force)
}

/// Prints the text, with the board before it if that was not printed before the search.
fn print_text(
    position: &Position,
    explanation: &Explanation,
    has_board: bool,
    args: &ExplainArgs,
) -> Result<(), Failure> {
    let tell = if args.details { words::detailed_text } else { words::explanation_text };
    let text = tell(explanation, args.lang);
    let rest = if has_board { text } else { format!("{}\n{text}", position.board()) };
    files::print_bytes(rest.as_bytes())
}

/// The board and the first look, which are printed before the search begins; not where data or a file goes to standard output. The look goes to
/// stderr: the finished text must not have what it takes back.
struct PrintedHead<'a> {
    args: &'a ExplainArgs,
    context: &'a Context,
    position: &'a Position,
    is_wanted: bool,
    /// How the move looks, once that and the board were printed.
    printed: Result<Option<FirstSight>, Failure>,
}

impl<'a> PrintedHead<'a> {
    fn new(args: &'a ExplainArgs, context: &'a Context, position: &'a Position) -> PrintedHead<'a> {
        let to_output = args.sgf.iter().chain(&args.svg).any(|out| files::is_standard(out));
        PrintedHead { args, context, position, is_wanted: !context.json && !to_output, printed: Ok(None) }
    }

    fn hear_step(&mut self, step: &ExplanationStep) {
        let ExplanationStep::FirstSight(sight) = step else { return };
        let board = format!("{}\n", self.position.board());
        self.printed = files::print_bytes(board.as_bytes()).map(|()| Some(*sight));
        self.context.print_progress(sight.sentence(self.args.lang));
    }
}

fn parse_points(vertices: &[String], size: BoardSize) -> Result<Vec<Point>, Failure> {
    if vertices.iter().any(|text| text.eq_ignore_ascii_case("pass")) {
        return Err(Failure::input("--why-not: a pass is no point; write one such as D4"));
    }
    let point = |text: &String| size.parse_point(text);
    vertices
        .iter()
        .map(point)
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::input(format!("--why-not: {error}")))
}
