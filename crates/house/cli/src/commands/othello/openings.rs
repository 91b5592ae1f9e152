//! `ishi othello openings`: the names of openings.

use std::fmt::Write;

use clap::Args;
use ishi_othello_play::openings::{NamedOpening, OpeningNames};
use serde::Serialize;

use super::coach::{Language, input, moves_text, print_json, print_text};
use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi othello openings                  all names with their moves
  ishi othello openings f5d6c3d3c4f4f6   which opening is this?
  ishi othello openings c4e3f6e6f5       turned as the players liked it
  ishi othello openings --find rose --lang ja

A name belongs to a position: the order of the moves and the orientation do not matter.";

/// Names the openings of a game, or lists them all.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct OpeningsArgs {
    /// Moves such as f5d6c3; without them all openings are listed
    #[arg(value_name = "TRANSCRIPT", allow_hyphen_values = true)]
    moves: Option<String>,
    /// Only openings with this in their name
    #[arg(long, value_name = "TEXT", conflicts_with = "moves")]
    find: Option<String>,
    /// Which name comes first
    #[arg(long, default_value = "en", value_name = "en|ja")]
    lang: Language,
}

#[derive(Serialize)]
struct PassedOpening<'a> {
    after: usize,
    #[serde(flatten)]
    opening: &'a NamedOpening,
}

/// Prints names of openings.
pub fn run(args: &OpeningsArgs, context: &Context) -> Result<(), Failure> {
    match &args.moves {
        Some(moves) => print_game_openings(moves, args, context),
        None => print_all_openings(args, context),
    }
}

fn print_game_openings(moves: &str, args: &OpeningsArgs, context: &Context) -> Result<(), Failure> {
    let game = input::parse_position(moves)?;
    let passed = OpeningNames::builtin().openings_passed(&game);
    if context.json {
        let json = passed.into_iter().map(|(after, opening)| PassedOpening { after, opening });
        return print_json(&json.collect::<Vec<PassedOpening>>());
    }
    if passed.is_empty() {
        return print_text(args.lang.choose(
            "No name is known for any position of this game.\n",
            "この手順には、名前の付いた局面がありません。\n",
        ));
    }
    let mut text = String::new();
    for (after, opening) in passed {
        let squares: Vec<_> = game.moves()[..after].iter().filter_map(|(_, mv)| mv.square()).collect();
        let _ = writeln!(text, "{after:2}  {}  {}", both_names(opening, args.lang), moves_text(&squares));
    }
    print_text(text)
}

fn print_all_openings(args: &OpeningsArgs, context: &Context) -> Result<(), Failure> {
    let wanted = args.find.as_deref().unwrap_or_default().to_lowercase();
    let holds = |name: &Option<String>| name.as_deref().unwrap_or_default().to_lowercase().contains(&wanted);
    let found = OpeningNames::builtin().list().iter();
    let found: Vec<&NamedOpening> =
        found.filter(|opening| holds(&opening.english) || holds(&opening.japanese)).collect();
    if context.json {
        return print_json(&found);
    }
    if found.is_empty() {
        return Err(Failure::Negative(format!("no opening has {wanted:?} in its name")));
    }
    let lines =
        found.iter().map(|opening| format!("{}  {}\n", opening.transcript(), both_names(opening, args.lang)));
    print_text(lines.collect::<String>())
}

/// Both names, that of the language first.
fn both_names(opening: &NamedOpening, language: Language) -> String {
    let names = language.choose([&opening.english, &opening.japanese], [&opening.japanese, &opening.english]);
    let names: Vec<&str> = names.into_iter().filter_map(|name| name.as_deref()).collect();
    names.join("  ")
}
