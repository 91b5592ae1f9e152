//! Parameters of a player of Go as a TOML file.

use std::path::Path;

use ishi_engine::Engine;
use ishi_go_play::catalog;
use ishi_rng::Seed;
use toml::de::{DeTable, DeValue};

use crate::context::Failure;
use crate::files;

/// The key that names the player.
const PLAYER: &str = "engine";

/// The player and its parameters as a file that [`read_config`] reads, with a comment for each.
pub(super) fn config_text(engine: &dyn Engine) -> String {
    let name = engine.name();
    let mut text =
        format!("# Parameters of {name}. What is left out has its default.\n\n{PLAYER} = {name:?}\n");
    for setting in engine.settings() {
        text += &format!("\n# {}\n{} = {}\n", setting.about, setting.key, toml_value(&setting.value));
    }
    text
}

/// Numbers as they are, words in quotes.
fn toml_value(text: &str) -> String {
    if text.parse::<f64>().is_ok() { text.to_string() } else { format!("{text:?}") }
}

/// A value of a file as engines read it; the other way round than [`toml_value`]. None: an engine has no such values.
fn parameter_text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(word) => Some(word.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(yes) => Some((if *yes { "yes" } else { "no" }).to_string()),
        _ => None,
    }
}

/// What a file says of a player.
pub(super) struct EngineConfig {
    /// Its name.
    pub(super) name: String,
    /// Its parameters, as `KEY=VALUE,KEY=VALUE`; each is checked.
    pub(super) params: String,
}

/// Reads the parameters of the named player, or of the one that the file names, or of the usual one.
pub(super) fn read_config(path: &Path, named: Option<&str>, usual: &str) -> Result<EngineConfig, Failure> {
    let source = files::read_toml(path)?;
    let text = source.text();
    let table = DeTable::parse(text)
        .map_err(|error| Failure::input(source.error_at(error.span(), error.message())))?;
    let mut own = None;
    let mut written = Vec::new();
    for (key, value) in table.get_ref() {
        let Some(word) = parameter_text(value.get_ref()) else {
            let message = "a parameter must be a number, a word in quotes, true or false";
            return Err(Failure::input(source.error_at(Some(value.span()), message)));
        };
        if *key.get_ref() == PLAYER {
            own = Some((word, value.span()));
        } else {
            written.push((key.get_ref().to_string(), word, value.span()));
        }
    }
    let wrong = |span, message: String| Failure::input(source.error_at(span, message));
    let span = own.as_ref().map(|(_, span)| span.clone());
    let own = own.map(|(word, _)| word);
    if let (Some(own), Some(named)) = (&own, named)
        && own != named
    {
        return Err(wrong(span, format!("these are parameters of {own}, not of {named}")));
    }
    let name = named.map(str::to_string).or(own).unwrap_or_else(|| usual.to_string());
    let mut player =
        catalog::create_go_player(&name, Seed::new(0)).map_err(|error| wrong(span, error.to_string()))?;
    let mut pairs = Vec::new();
    for (key, word, span) in written {
        player.set_param(&key, &word).map_err(|error| wrong(Some(span), error))?;
        pairs.push(format!("{key}={word}"));
    }
    Ok(EngineConfig { name, params: pairs.join(",") })
}

#[cfg(test)]
mod tests {
    use ishi_fuzz_targets::list_mutants;
    use ishi_go_play::go_mcts::MctsParams;

    use super::*;

    fn read_text(text: &str) -> Result<String, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        read_config(file.path(), None, "go-mcts")
            .map(|config| config.params)
            .map_err(|failure| failure.to_string())
    }

    #[test]
    fn what_is_printed_is_read_back() {
        let spec = "go-mcts:preset=tabu18-hash,playouts=123,threads=2";
        let engine = ishi_go_play::catalog::create_go_player(spec, ishi_rng::Seed::new(1)).unwrap();
        let read: MctsParams = read_text(&config_text(&*engine)).unwrap().parse().unwrap();
        assert_eq!(format!("go-mcts:{}", read.spec()), engine.spec());
    }

    /// A file that was damaged, or is a stranger's, is read or refused in words.
    #[test]
    fn no_bytes_end_the_reader() {
        let text: &[u8] =
            b"# mine\nengine = \"go-mcts\"\nplayouts = 77\nreuse = false\npreset = \"uct\"\nexploration = 0.5\n";
        let words = ["[a]\n", "= ", "\"\"\"", "[[", "{", "1e308", "threads = 2\n"];
        for mutant in list_mutants(&[text], &words, Seed::new(1), 300) {
            if let Err(error) = read_text(&String::from_utf8_lossy(&mutant)) {
                assert!(!error.is_empty());
            }
        }
    }

    #[test]
    fn presets_come_first_and_words_may_be_truths() {
        let text = "playouts = 77\nreuse = false\npreset = \"uct\"\n";
        let params: MctsParams = read_text(text).unwrap().parse().unwrap();
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
        assert!(error.contains("a parameter must be a number, a word in quotes, true or false"), "{error}");
        let error = read_text("speed = 1\n").unwrap_err();
        assert!(error.contains("engine go-mcts has no parameter \"speed\""), "{error}");
    }
}
