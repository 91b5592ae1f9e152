//! Inputs that the program holds, by name: `sample:lesson` stands for a file wherever a command reads one, so that all can be tried at once.

use std::path::Path;

use ishi_deck_documents::samples;

/// What a path begins with that names a sample.
const PREFIX: &str = "sample:";

/// Name and content; data/samples/SOURCE.md says where each comes from. The build script names the folder.
const SAMPLES: &[(&str, &[u8])] = &[
    ("lesson", include_bytes!(concat!(env!("ISHI_SAMPLES"), "/lesson.sgf"))),
    ("problems", include_bytes!(concat!(env!("ISHI_SAMPLES"), "/problems.txt"))),
    ("othello", include_bytes!(concat!(env!("ISHI_SAMPLES"), "/othello.sgf"))),
    ("endgames", include_bytes!(concat!(env!("ISHI_SAMPLES"), "/endgames.obf"))),
    ("deck", samples::POOL.as_bytes()),
    ("request", samples::REQUEST.as_bytes()),
];

/// The content of the sample that a path names; `None` if it is the path of a file.
///
/// # Errors
/// If there is no sample of the name: says which there are.
pub(crate) fn find_sample(path: &Path) -> Option<Result<&'static [u8], String>> {
    let name = path.to_str()?.strip_prefix(PREFIX)?;
    let found = SAMPLES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes);
    Some(found.ok_or_else(|| {
        let names: Vec<&str> = SAMPLES.iter().map(|(name, _)| *name).collect();
        format!("there is no sample {name:?}: it must be one of {}", names.join(", "))
    }))
}

/// Does the path stand for a sample? The name of one that there is not counts: reading it says which there are.
pub(crate) fn names_sample(path: &Path) -> bool {
    find_sample(path).is_some()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::files;

    /// Whoever reads a text that names a sample finds it, and where it comes from.
    #[test]
    fn texts_name_samples_that_there_are() {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let sources = files::read_text(&checkout.join("data/samples/SOURCE.md")).unwrap();
        for (name, _) in SAMPLES {
            assert!(sources.contains(&format!("| `{name}` |")), "SOURCE.md has no row for {name}");
        }
        let help = crate::Cli::command().render_help().to_string();
        for (name, _) in SAMPLES {
            assert!(help.contains(&format!("{PREFIX}{name}")), "the help does not name the sample {name}");
        }
        let readme = files::read_text(&checkout.join("README.md")).unwrap();
        let mut named = readme.split(PREFIX).skip(1).peekable();
        assert!(named.peek().is_some(), "the README names samples");
        for rest in named {
            let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
            assert!(SAMPLES.iter().any(|(known, _)| *known == name), "README: there is no sample {name}");
        }
    }

    #[test]
    fn samples_have_names_and_paths_have_none() {
        let lesson = find_sample(Path::new("sample:lesson")).unwrap().unwrap();
        assert!(lesson.starts_with(b"(;FF[4]"));
        assert!(find_sample(Path::new("lesson")).is_none() && find_sample(Path::new("-")).is_none());
        assert!(names_sample(Path::new("sample:less")) && !names_sample(Path::new("lesson")));
        let error = find_sample(Path::new("sample:less")).unwrap().unwrap_err();
        assert!(
            error.starts_with("there is no sample \"less\": it must be one of lesson, problems"),
            "{error}"
        );
    }
}
