//! What the parser of the command line says of a value that it cannot take, in our words: a value *must be* something. And what it says
//! of an option that a command does not have.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Parser};

/// Greatest values of types: a range that ends there has no end that a person would name.
const GREATEST_VALUES: [i128; 4] = [i32::MAX as i128, u32::MAX as i128, i64::MAX as i128, u64::MAX as i128];

/// How many commands that have an option are named.
const MOST_NAMED: usize = 8;

/// Reads the words of a command.
///
/// # Errors
/// What the parser answers: what is wrong, or the help or the version that is asked for.
pub(crate) fn parse_words<T: Parser, W: Into<OsString> + Clone>(
    words: impl IntoIterator<Item = W>,
) -> Result<T, clap::Error> {
    let mut commands = list_commands::<T>();
    let mut matches = commands.try_get_matches_from_mut(words)?;
    T::from_arg_matches_mut(&mut matches).map_err(|answer| answer.format(&mut commands))
}

/// The command and those below it. `-5` is a number and no option, wherever a value may stand: who reads it says what it must be.
pub(crate) fn list_commands<T: Parser>() -> Command {
    take_negative_numbers(T::command())
}

fn take_negative_numbers(commands: Command) -> Command {
    let take = |argument: Arg| {
        let has_value = argument.get_action().takes_values();
        argument.allow_negative_numbers(has_value)
    };
    commands.mut_args(take).mut_subcommands(take_negative_numbers)
}

/// The parser takes an option that a command does not have for a value, and says how to pass it. Who writes `--lang` wants no such
/// value: the answer says instead which of the program's commands have the option.
pub(crate) fn mend_tips(mut answer: clap::Error, commands: fn() -> Command) -> clap::Error {
    let (Some(ContextValue::String(option)), Some(ContextValue::StyledStrs(tips))) =
        (answer.get(ContextKind::InvalidArg), answer.get(ContextKind::Suggested))
    else {
        return answer;
    };
    let is_value = |tip: &StyledStr| tip.to_string().starts_with("to pass '");
    if !option.starts_with("--") || !tips.iter().any(is_value) {
        return answer;
    }
    let others = tips.iter().filter(|tip| !is_value(tip)).cloned();
    let tips: Vec<StyledStr> =
        others.chain(describe_owners(option, &commands()).map(StyledStr::from)).collect();
    if tips.is_empty() {
        answer.remove(ContextKind::Suggested);
    } else {
        answer.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    answer
}

/// Which commands have the option; `None` if none has.
fn describe_owners(option: &str, commands: &Command) -> Option<String> {
    let mut owners = Vec::new();
    find_owners(commands, option.trim_start_matches('-'), "", &mut owners);
    let more = owners.len().saturating_sub(MOST_NAMED);
    owners.truncate(MOST_NAMED);
    let end = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!owners.is_empty()).then(|| format!("{option} belongs to other commands: {}{end}", owners.join(", ")))
}

/// The commands below this one that have the option, by the words that call them.
fn find_owners(command: &Command, long: &str, path: &str, owners: &mut Vec<String>) {
    for inner in command.get_subcommands() {
        let path = format!("{path} {}", inner.get_name());
        if inner.get_arguments().any(|argument| argument.get_long() == Some(long)) {
            owners.push(path.trim_start().to_string());
        }
        find_owners(inner, long, &path, owners);
    }
}

/// Prints what the parser answers: a help, the version, or what is wrong.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn print_answer(answer: &clap::Error) -> io::Result<()> {
    let Some((said, ours)) = find_words(answer) else { return answer.print() };
    let text = answer.render().ansi().to_string();
    // It has colours, which are for a terminal alone.
    anstream::stderr().write_all(text.replacen(&format!(": {said}"), &format!(": {ours}"), 1).as_bytes())
}

/// What is wrong with the words of a command that stand in a file, in one line: all that the parser wants, and the option that it knows.
pub(crate) fn describe_in_one_line(answer: &clap::Error) -> String {
    if matches!(answer.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return "--help and --version must be left out".to_string();
    }
    let mut text = answer.render().to_string();
    if let Some((said, ours)) = find_words(answer) {
        text = text.replacen(&format!(": {said}"), &format!(": {ours}"), 1);
    }
    // Below the first empty line stand tips, and how the command is called.
    let said: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let said = said.join(" ");
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    let known = text.lines().find_map(|line| line.trim().strip_prefix("tip: a similar argument exists: "));
    known.map_or_else(|| said.to_string(), |known| format!("{said}; there is {known}"))
}

/// What the parser says of a value, and ours in its place.
fn find_words(answer: &clap::Error) -> Option<(String, String)> {
    if answer.kind() != ErrorKind::ValueValidation {
        return None;
    }
    let said = answer.source()?.to_string();
    let is_negative = match answer.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => value.starts_with('-'),
        _ => false,
    };
    let ours = value_words(&said, is_negative)?;
    Some((said, ours))
}

/// What a value must be, where the parser and the standard library only say what it is not. `None`: these are words of ours.
fn value_words(said: &str, is_negative: bool) -> Option<String> {
    if let Some((_, range)) = said.split_once(" is not in ") {
        return range_words(range);
    }
    let words = match said {
        "invalid digit found in string" if is_negative => "it must be a whole number, and not negative",
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "it must be a whole number"
        }
        "number too large to fit in target type" => "it must be a smaller number",
        "number too small to fit in target type" => "it must be a greater number",
        "invalid float literal" | "cannot parse float from empty string" => "it must be a number such as 0.5",
        _ => return None,
    };
    Some(words.to_string())
}

/// The words for `A..=B` or `A..B`. Without an end of its own `B` is the greatest value of the type.
fn range_words(range: &str) -> Option<String> {
    let (first, end) = range.split_once("..")?;
    let last: i128 = end.trim_start_matches('=').parse().ok()?;
    if GREATEST_VALUES.contains(&last) {
        return Some(format!("it must be a whole number from {first}"));
    }
    let last = if end.starts_with('=') { last } else { last - 1 };
    Some(format!("it must be a whole number from {first} to {last}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    #[test]
    fn values_must_be_something() {
        for (said, words) in [
            ("99 is not in 1..=10", "it must be a whole number from 1 to 10"),
            ("0 is not in 1..18446744073709551615", "it must be a whole number from 1"),
            ("0 is not in 100..=4294967295", "it must be a whole number from 100"),
            ("9 is not in 0..9", "it must be a whole number from 0 to 8"),
            ("cannot parse integer from empty string", "it must be a whole number"),
            ("invalid float literal", "it must be a number such as 0.5"),
        ] {
            assert_eq!(value_words(said, false).as_deref(), Some(words), "{said}");
        }
        assert_eq!(value_words("a level must be a number from 1 to 20", false), None);
    }

    #[test]
    fn a_number_below_0_is_a_value() {
        for (arguments, words) in [
            ("--seed -1 go legal 3", "'-1' for '--seed <NUMBER>': invalid seed \"-1\": a seed must be"),
            ("go legal 3 --threads -2", "'-2' for '--threads <N>': it must be a whole number from 0 to 1024"),
            ("strings prove -5", "'-5' for '<SIZE>': write lines such as 19"),
            ("stats binom -1 5", "'-1' for '<WINS>': it must be a whole number, and not negative"),
        ] {
            let line = std::iter::once("ishi").chain(arguments.split(' '));
            let answer = parse_words::<Cli, _>(line).expect_err(arguments);
            let ours = find_words(&answer).map_or(String::new(), |(_, ours)| ours);
            let text = format!("{}{ours}", answer.render());
            assert!(text.contains(words.split(": ").next().unwrap()), "{text}");
            assert!(text.contains(words.split_once(": ").unwrap().1), "{text}");
        }
        let difference = ["ishi", "stats", "elo", "--difference", "-100"];
        assert!(parse_words::<Cli, _>(difference).is_ok(), "a number below 0 that can be used");
    }

    #[test]
    fn an_option_of_other_commands_is_no_value() {
        let told = |arguments: &[&str]| {
            let answer = Cli::try_parse_from(["ishi"].iter().chain(arguments)).unwrap_err();
            mend_tips(answer, Cli::command).render().to_string()
        };
        let text = told(&["match", "a", "b", "--lang", "ja"]);
        let tip = "tip: --lang belongs to other commands: ";
        assert!(text.contains(tip) && text.contains("explain") && !text.contains("as a value"), "{text}");
        assert!(told(&["match", "a", "b", "--hand-out"]).contains("other commands: campaign run\n"));
        assert!(!told(&["match", "a", "b", "--nonsense"]).contains("tip:"));
        assert!(told(&["match", "a", "b", "--pears", "3"]).contains("tip: a similar argument exists"));
        assert!(told(&["deck", "build", "-x"]).contains("to pass '-x' as a value"));
    }

    #[test]
    fn a_line_of_a_file_is_told_all_that_is_wrong() {
        let told = |arguments: &[&str]| {
            describe_in_one_line(&Cli::try_parse_from(["ishi"].iter().chain(arguments)).unwrap_err())
        };
        let cases: [(&[&str], &str); 5] = [
            (
                &["othello", "evaluation", "self-play"],
                "the following required arguments were not provided: --out <OUT>",
            ),
            (
                &["match", "a", "b", "--pairs", "0"],
                "invalid value '0' for '--pairs <N>': it must be a whole number from 1",
            ),
            (&["match", "a", "b", "--pears", "3"], "unexpected argument '--pears' found; there is '--pairs'"),
            (
                &["match", "a", "b", "--game", "chess"],
                "invalid value 'chess' for '--game <GAME>' [possible values: go, othello]",
            ),
            (&["match", "--help"], "--help and --version must be left out"),
        ];
        for (arguments, words) in cases {
            assert_eq!(told(arguments), words, "{arguments:?}");
        }
    }

    /// Should the parser or the standard library choose other words one day, this tells of it.
    #[test]
    fn the_words_of_the_parser_are_known() {
        let cases: [(&[&str], &str); 7] = [
            (&["--threads", "100000", "lab", "list"], "it must be a whole number from 0 to 1024"),
            (&["explain", "sample:lesson", "--level", "99"], "it must be a whole number from 1 to 10"),
            (&["match", "a", "b", "--pairs", "0"], "it must be a whole number from 1"),
            (&["match", "a", "b", "--pairs", "x"], "it must be a whole number"),
            (&["match", "a", "b", "--pairs", ""], "it must be a whole number"),
            (&["match", "a", "b", "--pairs=-1"], "it must be a whole number, and not negative"),
            (&["match", "a", "b", "--pairs", "99999999999999999999999"], "it must be a smaller number"),
        ];
        for (arguments, words) in cases {
            let answer = Cli::try_parse_from(["ishi"].iter().chain(arguments)).unwrap_err();
            let found = find_words(&answer).map(|(_, ours)| ours);
            assert_eq!(found.as_deref(), Some(words), "{arguments:?}: {answer}");
        }
        let ours = Cli::try_parse_from(["ishi", "match", "a", "b", "--size", "1"]).unwrap_err();
        assert_eq!(find_words(&ours), None);
    }
}
