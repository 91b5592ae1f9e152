//! Parameters of a player of Go as a TOML file.

use std::path::Path;

use ishi_engines::Engine;
use ishi_engines::go_mcts::Params;
use ishi_lab::source::Source;
use toml::de::{DeTable, DeValue};

use crate::context::Failure;

/// The parameters of the player as a file that [`read`] reads, with a comment for each.
pub(super) fn print(engine: &dyn Engine) -> String {
    let mut text = format!("# Parameters of {}. What is left out has its default.\n", engine.name());
    for setting in engine.settings() {
        text += &format!("\n# {}\n{} = {}\n", setting.about, setting.key, value(&setting.value));
    }
    text
}

/// Numbers as they are, words in quotes.
fn value(text: &str) -> String {
    if text.parse::<f64>().is_ok() { text.to_string() } else { format!("{text:?}") }
}

/// The parameters of a file, as `KEY=VALUE,KEY=VALUE`; each is checked.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    let source = Source::read(path).map_err(Failure::input)?;
    let text = source.text();
    let table =
        DeTable::parse(text).map_err(|error| Failure::input(source.error(error.span(), error.message())))?;
    let mut pairs = Vec::new();
    for (key, value) in table.get_ref() {
        let written = match value.get_ref() {
            DeValue::String(word) => word.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(yes) => (if *yes { "yes" } else { "no" }).to_string(),
            _ => {
                let message = "a parameter is a number, a word in quotes, true or false";
                return Err(Failure::input(source.error(Some(value.span()), message)));
            }
        };
        let checked = Params::default().set(key.get_ref(), &written);
        checked.map_err(|error| Failure::input(source.error(Some(value.span()), error)))?;
        pairs.push(format!("{}={written}", key.get_ref()));
    }
    Ok(pairs.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<String, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        read(file.path()).map_err(|failure| failure.to_string())
    }

    #[test]
    fn what_is_printed_is_read_back() {
        let spec = "go-mcts:preset=tabu18-hash,playouts=123,threads=2";
        let engine = ishi_engines::catalog::create(spec, ishi_rng::Seed::new(1)).unwrap();
        let read: Params = read_text(&print(&*engine)).unwrap().parse().unwrap();
        assert_eq!(format!("go-mcts:{}", read.spec()), engine.spec());
    }

    #[test]
    fn presets_come_first_and_words_may_be_truths() {
        let text = "playouts = 77\nreuse = false\npreset = \"uct\"\n";
        let params: Params = read_text(text).unwrap().parse().unwrap();
        assert_eq!((params.playouts, params.reuse, params.tree.exploration), (77, false, 1.5));
    }

    #[test]
    fn mistakes_are_named_by_line() {
        let error = read_text("playouts = 100\nthreads = 0\n").unwrap_err();
        assert!(
            error.contains(":2:11: threads: threads=0 is out of range: write a number from 1"),
            "{error}"
        );
        let error = read_text("playouts = [1]\n").unwrap_err();
        assert!(error.contains("a parameter is a number, a word in quotes, true or false"), "{error}");
        let error = read_text("speed = 1\n").unwrap_err();
        assert!(error.contains("engine go-mcts has no parameter \"speed\""), "{error}");
    }
}
