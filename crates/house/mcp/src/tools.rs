//! The tools: what each takes, and the command that it becomes.

use serde_json::{Map, Value, json};

use crate::arguments::{ArgumentError, ToolArguments};
use crate::command::{GAME_FILE, ToolCommand};
use crate::fates;
use crate::record::{MOST_KOMI, find_faults, record_of_game, rule_names};

/// A tool for models.
#[derive(Clone, Copy, Debug)]
pub struct AssistantTool {
    /// Its name in the protocol.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for, as the model reads it.
    pub description: &'static str,
    /// What it takes: name, JSON Schema, whether it must be there.
    arguments: fn() -> Vec<ArgumentSchema>,
    command: fn(&ToolArguments) -> Result<ToolCommand, ArgumentError>,
}

struct ArgumentSchema {
    name: &'static str,
    schema: Value,
    needed: bool,
}

/// All tools.
pub const TOOLS: &[AssistantTool] = &[
    AssistantTool {
        name: "go_show_position",
        title: "Show a position of Go",
        description: "The board after a move of a game of Go, its rules, captures, score, and what ishi sees by reading: chains, \
                      links, groups with their safety, influence, territory. Every fact is checked on the board.",
        arguments: || game_schemas_and(vec![move_number_schema(), levels_schema()]),
        command: show_position,
    },
    AssistantTool {
        name: "go_explain_move",
        title: "Explain a move of Go",
        description: "Why a move was played: what it does by reading, its worth in points and chances by a search, what happens \
                      without it, and better moves with their reasons. Without `move` the best next move is explained.",
        arguments: || {
            game_schemas_and(vec![
                move_number_schema(),
                why_not_schema(false),
                effort_schema(),
                language_schema(),
                listener_schema(),
            ])
        },
        command: explain_move,
    },
    AssistantTool {
        name: "go_why_not",
        title: "Why not another move?",
        description: "Compares other moves with the one that was played at `move`: how many points and how much of the chance to \
                      win they lose or gain, and the line that shows it.",
        arguments: || {
            game_schemas_and(vec![
                move_number_schema(),
                why_not_schema(true),
                effort_schema(),
                language_schema(),
                listener_schema(),
            ])
        },
        command: explain_move,
    },
    AssistantTool {
        name: "go_review_game",
        title: "Review a game of Go",
        description: "The turning points and the worst moves of a whole game, with what was better and why, and the lead after \
                      every move. Takes about half a minute for a game on 19x19.",
        arguments: || game_schemas_and(vec![worst_schema(), effort_schema(), language_schema()]),
        command: review_game,
    },
    AssistantTool {
        name: "go_solve_problem",
        title: "Is a group of Go alive?",
        description: "Reads the fate of the group at a point: alive, dead, or whoever moves first decides; the move that kills it \
                      and the one that saves it; and the same for the capture of its chain.",
        arguments: || game_schemas_and(vec![move_number_schema(), group_schema()]),
        command: solve_problem,
    },
    AssistantTool {
        name: "othello_hint",
        title: "What to play in Othello",
        description: "Values every legal move of a position of Othello in discs, with reasons and lines. Late positions are \
                      solved exactly, and the answer says which values are exact.",
        arguments: || vec![othello_position_schema(), othello_effort_schema(), language_schema()],
        command: othello_hint,
    },
    AssistantTool {
        name: "othello_review_game",
        title: "Review a game of Othello",
        description: "What each move of a game of Othello lost, in discs, and why.",
        arguments: || vec![othello_game_schema(), othello_effort_schema(), language_schema()],
        command: othello_review,
    },
    AssistantTool {
        name: "othello_solve",
        title: "Solve endings of Othello",
        description: "Solves positions of Othello with few empty squares exactly: the score and the best line, proved.",
        arguments: || vec![othello_endings_schema()],
        command: othello_solve,
    },
    AssistantTool {
        name: "strings_solve",
        title: "The maximum string problem",
        description: "The most chains of stones that a legal board of this size can hold, with such a board and a proof that no \
                      board holds more.",
        arguments: || vec![columns_schema(), rows_schema()],
        command: solve_strings,
    },
    AssistantTool {
        name: "deck_build",
        title: "Build the best deck",
        description: "The best deck out of a pool of cards or pieces under limits, with a proof that it is the best, or with the \
                      gap that is left.",
        arguments: || {
            vec![
                pool_schema(),
                pool_format_schema(),
                pairs_schema(),
                deck_size_schema(),
                limits_schema(),
                at_least_schema(),
                at_most_schema(),
                fixed_schema(),
                banned_schema(),
                seconds_schema(),
            ]
        },
        command: build_deck,
    },
];

impl AssistantTool {
    /// The tool of this name.
    pub fn find(name: &str) -> Option<&'static AssistantTool> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// The JSON Schema of what it takes.
    pub fn input_schema(&self) -> Map<String, Value> {
        let arguments = (self.arguments)();
        let needed: Vec<&str> = arguments.iter().filter(|each| each.needed).map(|each| each.name).collect();
        let properties: Map<String, Value> =
            arguments.into_iter().map(|each| (each.name.to_string(), each.schema)).collect();
        let schema = json!({"type": "object", "properties": properties, "required": needed, "additionalProperties": false});
        schema.as_object().cloned().unwrap_or_default()
    }

    /// The command for what a model sent.
    ///
    /// # Errors
    /// Says which argument cannot be used, and what it must be.
    pub fn command_for(&self, sent: Map<String, Value>) -> Result<ToolCommand, ArgumentError> {
        let arguments = (self.arguments)();
        let known: Vec<&str> = arguments.iter().map(|each| each.name).collect();
        (self.command)(&ToolArguments::new(sent, &known)?)
    }
}

// What tools take.

fn optional_argument(name: &'static str, schema: Value) -> ArgumentSchema {
    ArgumentSchema { name, schema, needed: false }
}

fn needed_argument(name: &'static str, schema: Value) -> ArgumentSchema {
    ArgumentSchema { name, schema, needed: true }
}

/// What says which game is meant, and what else a tool takes.
fn game_schemas_and(others: Vec<ArgumentSchema>) -> Vec<ArgumentSchema> {
    let moves = "Instead of a record: moves in turn, Black first, such as D4, pass, or W:D4 where the turn is not kept.";
    let mut schemas = vec![
        optional_argument("record", json!({"type": "string", "description": "The game as SGF."})),
        optional_argument(
            "moves",
            json!({"type": "array", "items": {"type": "string"}, "description": moves}),
        ),
        optional_argument(
            "size",
            json!({"type": "integer", "minimum": 2, "maximum": 25, "description": "Lines of the board, with `moves`; 19 if left out."}),
        ),
        optional_argument(
            "komi",
            json!({"type": "number", "minimum": -MOST_KOMI, "maximum": MOST_KOMI, "description": "Points for White, with `moves`; what the rules have if left out."}),
        ),
        optional_argument(
            "rules",
            json!({"type": "string", "enum": rule_names(), "description": "The rules, with `moves`; chinese if left out."}),
        ),
    ];
    schemas.extend(others);
    schemas
}

fn move_number_schema() -> ArgumentSchema {
    let about = "The move of the main line, from 1. Left out: the end of the game.";
    optional_argument(
        "move",
        json!({"type": "integer", "minimum": 1, "maximum": 10_000, "description": about}),
    )
}

fn levels_schema() -> ArgumentSchema {
    let about = "Which levels are told; all if left out.";
    let levels = json!({"type": "string", "enum": LEVELS});
    optional_argument("levels", json!({"type": "array", "items": levels, "description": about}))
}

fn why_not_schema(is_needed: bool) -> ArgumentSchema {
    let about = "Other moves to compare, such as D4.";
    let schema = json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "description": about});
    ArgumentSchema { name: "why_not", schema, needed: is_needed }
}

fn effort_schema() -> ArgumentSchema {
    let about = "How much thought, 5 if left out. Twice as long for each level more.";
    optional_argument("level", json!({"type": "integer", "minimum": 1, "maximum": 10, "description": about}))
}

fn othello_effort_schema() -> ArgumentSchema {
    let about = "How hard to look, 14 if left out.";
    optional_argument("level", json!({"type": "integer", "minimum": 1, "maximum": 20, "description": about}))
}

fn language_schema() -> ArgumentSchema {
    optional_argument(
        "language",
        json!({"type": "string", "enum": ["en", "ja"], "description": "Language of the sentences; en if left out."}),
    )
}

fn listener_schema() -> ArgumentSchema {
    let about = "For whom the sentences are: beginner (short, words explained), kyu (if left out) or dan (long lines, exact numbers).";
    optional_argument("listener", json!({"type": "string", "enum": LISTENERS, "description": about}))
}

fn worst_schema() -> ArgumentSchema {
    let about = "How many lessons for each player at most; 3 if left out.";
    optional_argument("worst", json!({"type": "integer", "minimum": 1, "maximum": 50, "description": about}))
}

fn group_schema() -> ArgumentSchema {
    needed_argument("at", json!({"type": "string", "description": "A point of the group, such as C3."}))
}

fn othello_position_schema() -> ArgumentSchema {
    let about = "Moves from the start such as f5d6c3, `start`, or a board of 64 squares (X, O, -) and the side to move.";
    needed_argument("position", json!({"type": "string", "description": about}))
}

fn othello_game_schema() -> ArgumentSchema {
    needed_argument(
        "game",
        json!({"type": "string", "description": "Moves such as f5d6c3, or a record (SGF, GGF)."}),
    )
}

fn othello_endings_schema() -> ArgumentSchema {
    let about = "Positions in the OBF format, one a line: 64 squares (X, O, -), a space, the side to move (X or O), a semicolon.";
    needed_argument("positions", json!({"type": "string", "description": about}))
}

fn columns_schema() -> ArgumentSchema {
    needed_argument(
        "columns",
        json!({"type": "integer", "minimum": 1, "maximum": 64, "description": "Columns of the board."}),
    )
}

fn rows_schema() -> ArgumentSchema {
    let about = "Rows of the board; as many as columns if left out.";
    optional_argument("rows", json!({"type": "integer", "minimum": 1, "maximum": 64, "description": about}))
}

fn pool_schema() -> ArgumentSchema {
    let about =
        "The pool: CSV with a line of titles (name, costs, attributes, group, score), or JSON, or TOML.";
    needed_argument("pool", json!({"type": "string", "description": about}))
}

fn pool_format_schema() -> ArgumentSchema {
    optional_argument(
        "pool_format",
        json!({"type": "string", "enum": POOL_FORMATS, "description": "csv if left out."}),
    )
}

fn pairs_schema() -> ArgumentSchema {
    optional_argument(
        "pairs",
        json!({"type": "string", "description": "Scores of pairs as CSV: lines of a,b,score."}),
    )
}

fn deck_size_schema() -> ArgumentSchema {
    optional_argument(
        "size",
        json!({"type": ["string", "integer"], "description": "Pieces of a deck, such as 16 or 15-16; 16 if left out."}),
    )
}

fn texts_schema(name: &'static str, about: &str) -> ArgumentSchema {
    optional_argument(name, json!({"type": "array", "items": {"type": "string"}, "description": about}))
}

fn limits_schema() -> ArgumentSchema {
    texts_schema("limits", "What a deck may cost, such as cost=200.")
}

fn at_least_schema() -> ArgumentSchema {
    texts_schema("at_least", "At least so many of an attribute, such as fire=10.")
}

fn at_most_schema() -> ArgumentSchema {
    texts_schema("at_most", "At most so many of an attribute, such as ice=3.")
}

fn fixed_schema() -> ArgumentSchema {
    texts_schema("fixed", "Pieces that are in the deck.")
}

fn banned_schema() -> ArgumentSchema {
    texts_schema("banned", "Pieces that are not in the deck.")
}

fn seconds_schema() -> ArgumentSchema {
    let about = "Seconds after which the best deck so far is the answer, with its gap; 20 if left out.";
    optional_argument(
        "seconds",
        json!({"type": "number", "minimum": 0.1, "maximum": 600, "description": about}),
    )
}

// What tools become.

/// The levels that `ishi go show` tells.
const LEVELS: [&str; 6] = ["chains", "links", "groups", "influence", "territory", "strategy"];
/// How a pool may be written.
const POOL_FORMATS: [&str; 3] = ["csv", "json", "toml"];
fn show_position(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let levels = arguments.texts("levels")?;
    if let Some(unknown) = levels.iter().find(|level| !LEVELS.contains(level)) {
        return Err(ArgumentError::new("levels", format!("some of {}", LEVELS.join(", ")), unknown));
    }
    let level = if levels.is_empty() { "all".to_string() } else { levels.join(",") };
    let command = ToolCommand::new(&["go", "show", "--json", "--quiet"])
        .with_option("level", Some(level))
        .with_option("move", arguments.whole_number("move", 1, 10_000)?);
    Ok(command.with_game(&record_of_game(arguments)?))
}

/// For whom moves of Go are explained.
const LISTENERS: [&str; 3] = ["beginner", "kyu", "dan"];

fn explain_move(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let others = arguments.texts("why_not")?;
    let command = ToolCommand::new(&["explain", "--json", "--quiet"])
        .with_option("move", arguments.whole_number("move", 1, 10_000)?)
        .with_option("why-not", (!others.is_empty()).then(|| others.join(",")))
        .with_option("level", arguments.whole_number("level", 1, 10)?)
        .with_option("lang", arguments.word("language", &["en", "ja"])?)
        .with_option("listener", arguments.word("listener", &LISTENERS)?);
    Ok(command.with_game(&record_of_game(arguments)?))
}

fn review_game(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let command = ToolCommand::new(&["review", "--json", "--quiet"])
        .with_option("worst", arguments.whole_number("worst", 1, 50)?)
        .with_option("level", arguments.whole_number("level", 1, 10)?)
        .with_option("lang", arguments.word("language", &["en", "ja"])?);
    Ok(command.with_game(&record_of_game(arguments)?))
}

fn solve_problem(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let at = arguments.needed_text("at", "a point of the group, such as C3")?;
    if at.contains(char::is_whitespace) {
        return Err(ArgumentError::new("at", "one point, such as C3", at));
    }
    let after = arguments.whole_number("move", 1, 10_000)?;
    let record = record_of_game(arguments)?;
    let command = fates::fate_command(&record, GAME_FILE, after, at);
    Ok(ToolCommand { record_faults: find_faults(&record), ..command })
}

fn othello_hint(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let position = arguments.needed_text("position", "moves such as f5d6c3, or a board")?;
    Ok(othello_command("hint", arguments)?.with_last_word(position))
}

fn othello_command(name: &str, arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let command = ToolCommand::new(&["othello", name, "--json", "--quiet"])
        .with_option("level", arguments.whole_number("level", 1, 20)?)
        .with_option("lang", arguments.word("language", &["en", "ja"])?);
    Ok(command)
}

fn othello_review(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let game = arguments.needed_text("game", "moves such as f5d6c3, or a record")?;
    Ok(othello_command("analyze", arguments)?.with_file("game.txt", game))
}

fn othello_solve(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let positions = arguments.needed_text("positions", "positions in the OBF format")?;
    Ok(ToolCommand::new(&["othello", "solve", "--json", "--quiet"]).with_file("positions.obf", positions))
}

fn solve_strings(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let columns = arguments.whole_number("columns", 1, 64)?;
    let columns =
        columns.ok_or_else(|| ArgumentError::new("columns", "a whole number from 1 to 64", "left out"))?;
    let rows = arguments.whole_number("rows", 1, 64)?.unwrap_or(columns);
    Ok(ToolCommand::new(&["strings", &format!("{columns}x{rows}"), "--json", "--quiet"]))
}

fn build_deck(arguments: &ToolArguments) -> Result<ToolCommand, ArgumentError> {
    let pool = arguments.needed_text("pool", "a pool of pieces as CSV, JSON or TOML")?;
    let format = arguments.word("pool_format", &POOL_FORMATS)?.unwrap_or("csv");
    let command = ToolCommand::new(&["deck", "build", "--json", "--quiet"])
        .with_option("size", arguments.text_or_number("size")?)
        .with_options("limit", &arguments.texts("limits")?)
        .with_options("at-least", &arguments.texts("at_least")?)
        .with_options("at-most", &arguments.texts("at_most")?)
        .with_options("fix", &arguments.texts("fixed")?)
        .with_options("ban", &arguments.texts("banned")?)
        .with_option("time-limit", Some(arguments.number("seconds", 0.1, 600.0)?.unwrap_or(20.0)))
        .with_file_option("pairs", "pairs.csv", arguments.text("pairs")?);
    Ok(command.with_file(&format!("pool.{format}"), pool))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(tool: &str, sent: Value) -> Result<ToolCommand, String> {
        let sent = sent.as_object().unwrap().clone();
        AssistantTool::find(tool).unwrap().command_for(sent).map_err(|error| error.to_string())
    }

    #[test]
    fn names_are_unique_and_schemas_name_what_is_needed() {
        for (index, tool) in TOOLS.iter().enumerate() {
            assert!(TOOLS[..index].iter().all(|other| other.name != tool.name), "{}", tool.name);
            let schema = tool.input_schema();
            let properties = schema["properties"].as_object().unwrap();
            for needed in schema["required"].as_array().unwrap() {
                assert!(properties.contains_key(needed.as_str().unwrap()), "{}: {needed}", tool.name);
            }
            assert!(properties.values().all(|each| each["description"].is_string()), "{}", tool.name);
        }
    }

    #[test]
    fn a_move_is_explained_from_a_record() {
        let found = command(
            "go_explain_move",
            json!({"record": "(;B[dd])", "move": 1, "language": "ja", "listener": "dan"}),
        )
        .unwrap();
        let expected =
            ["explain", "--json", "--quiet", "--move=1", "--lang=ja", "--listener=dan", "{}game.sgf"];
        assert_eq!(found.arguments, expected);
        assert_eq!(found.files, [("game.sgf".to_string(), "(;B[dd])".to_string())]);
        assert!(found.record_faults.is_empty());
    }

    #[test]
    fn every_tool_that_takes_a_record_knows_its_faults() {
        let faulty = "(;SZ[9];B[ee];W[ee])";
        for tool in ["go_show_position", "go_explain_move", "go_review_game"] {
            let found = command(tool, json!({"record": faulty})).unwrap();
            assert_eq!(found.record_faults.len(), 1, "{tool}: {:?}", found.record_faults);
        }
        let fate = command("go_solve_problem", json!({"record": faulty, "at": "E5"})).unwrap();
        assert_eq!(fate.record_faults.len(), 1);
    }

    #[test]
    fn texts_are_never_taken_for_options() {
        let board = format!("{} X", "-".repeat(64));
        let found = command("othello_hint", json!({"position": board})).unwrap();
        assert_eq!(found.arguments[found.arguments.len() - 2..], ["--".to_string(), board]);
        let deck = command("deck_build", json!({"pool": "name,cost\na,1\n", "fixed": ["--ban=a"]})).unwrap();
        assert!(deck.arguments.contains(&"--fix=--ban=a".to_string()), "{:?}", deck.arguments);
        let sized = command("deck_build", json!({"pool": "name,cost\na,1\n", "size": 1})).unwrap();
        assert!(sized.arguments.contains(&"--size=1".to_string()), "{:?}", sized.arguments);
    }

    #[test]
    fn what_cannot_be_used_is_told_before_anything_starts() {
        let errors = [
            (
                "go_explain_move",
                json!({"record": "(;B[dd])", "level": 99}),
                "level must be a whole number from 1 to 10, not 99",
            ),
            (
                "go_show_position",
                json!({"record": "(;B[dd])", "levels": ["eyes"]}),
                "levels must be some of chains",
            ),
            (
                "go_solve_problem",
                json!({"record": "(;B[dd])", "at": "D4\nquit"}),
                "at must be one point, such as C3",
            ),
            ("strings_solve", json!({}), "columns must be a whole number from 1 to 64, not left out"),
            ("othello_solve", json!({"positions": 3}), "positions must be a text that is not empty, not 3"),
        ];
        for (tool, sent, expected) in errors {
            let error = command(tool, sent).unwrap_err();
            assert!(error.starts_with(expected), "{tool}: {error}");
        }
    }
}
