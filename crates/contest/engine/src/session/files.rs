//! Files of records as the commands name them.

use super::args::CommandArgs;
use super::{CommandAnswer, CommandRefusal, Host};

/// Answers `loadsgf FILE [MOVE_NUMBER]`. `load` shows the file's first game after so many moves, or at its end.
///
/// # Errors
/// If there is no file's name, the number is 0, or `load` refuses.
pub fn load_record(
    args: &mut CommandArgs<'_>,
    load: impl FnOnce(&str, Option<usize>) -> Result<(), CommandRefusal>,
) -> CommandAnswer {
    args.take_word("FILE")?;
    let (file, number) = split_file(args.rest());
    if number == Some(0) {
        return Err(args.syntax_error("moves count from 1"));
    }
    load(file, number.map(|number| number - 1))
        .map_err(|CommandRefusal(reason)| format!("cannot load file {file:?}: {reason}"))?;
    Ok(String::new())
}

/// Answers `printsgf [FILE]`: with the record, or by writing it into the file.
///
/// # Errors
/// If the file cannot be written.
pub fn print_record(args: &CommandArgs<'_>, host: &dyn Host, record: String) -> CommandAnswer {
    if args.peek().is_none() {
        return Ok(record);
    }
    let file = strip_quotes(args.rest());
    let written = host.write_file(file, record.as_bytes());
    written.map_err(|error| format!("cannot write file {file:?}: {error}"))?;
    Ok(String::new())
}

/// Splits `FILE [MOVE_NUMBER]`. The name may hold spaces, and may stand in quotes.
pub fn split_file(rest: &str) -> (&str, Option<usize>) {
    let numbered =
        rest.rsplit_once(char::is_whitespace).and_then(|(file, last)| Some((file, last.parse().ok()?)));
    let (file, number) = numbered.map_or((rest, None), |(file, number)| (file, Some(number)));
    (strip_quotes(file), number)
}

/// A name without the quotes around it.
fn strip_quotes(file: &str) -> &str {
    let file = file.trim();
    file.strip_prefix('"').and_then(|file| file.strip_suffix('"')).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_may_hold_spaces() {
        for (rest, file, number) in [
            ("game.sgf", "game.sgf", None),
            ("game.sgf 12", "game.sgf", Some(12)),
            ("my games/no 3.sgf", "my games/no 3.sgf", None),
            ("\"my games/3\" 7", "my games/3", Some(7)),
            ("12", "12", None),
        ] {
            assert_eq!(split_file(rest), (file, number), "{rest}");
        }
    }
}
