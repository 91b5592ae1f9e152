//! The files of the experiments, for a program that is not run in a checkout.

/// The files of an experiment that a program holds.
pub struct ShippedExperiment {
    /// The folder's name, such as `010-ground`.
    pub name: &'static str,
    /// The name of each file and its text.
    pub files: [(&'static str, &'static str); 4],
}

macro_rules! shipped_experiments {
    ($($name:literal),* $(,)?) => {
        &[$(ShippedExperiment {
            name: $name,
            files: [
                ("README.md", include_str!(concat!("../", $name, "/README.md"))),
                ("README.ja.md", include_str!(concat!("../", $name, "/README.ja.md"))),
                ("config.toml", include_str!(concat!("../", $name, "/config.toml"))),
                ("expected.toml", include_str!(concat!("../", $name, "/expected.toml"))),
            ],
        }),*]
    };
}

/// All experiments of the checkout that the program was built from.
pub const SHIPPED: &[ShippedExperiment] = shipped_experiments![
    "000-othello-learning",
    "001-go-tabu",
    "002-many-faces",
    "003-strings",
    "004-decks",
    "010-ground",
    "020-best-wpc",
    "021-networks",
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ishi_lab::folder::list_folders;

    use super::*;

    /// What stands in the checkout is what the program holds.
    #[test]
    fn every_experiment_of_the_checkout_is_shipped() {
        let there = list_folders(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        let names: Vec<&str> = there.iter().map(|folder| folder.name.as_str()).collect();
        let shipped: Vec<&str> = SHIPPED.iter().map(|experiment| experiment.name).collect();
        assert_eq!(shipped, names);
        for (experiment, there) in SHIPPED.iter().zip(&there) {
            let is_readme = |name: &str| name.starts_with("README.");
            let held: Vec<&str> =
                experiment.files.map(|(name, _)| name).into_iter().filter(|name| is_readme(name)).collect();
            let files = std::fs::read_dir(&there.path).unwrap();
            let mut found: Vec<String> = files
                .map(|file| file.unwrap().file_name().into_string().unwrap())
                .filter(|name| is_readme(name))
                .collect();
            found.sort_by_key(|name| std::cmp::Reverse(name.clone()));
            assert_eq!(held, found, "{}", experiment.name);
        }
    }
}
