//! Style sheet, scripts and icon: in the binary, under addresses that change with what is in them.

use std::sync::LazyLock;

use ishi_rng::checksum::fnv_checksum;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, type, text.
const FILES: [(&str, &str, &str); 6] = [
    (
        "style.css",
        "text/css; charset=utf-8",
        concat!(
            include_str!("assets/style.css"),
            include_str!("assets/texts.css"),
            include_str!("assets/charts.css"),
            include_str!("assets/go.css"),
            include_str!("assets/tree.css"),
            include_str!("assets/othello.css"),
            include_str!("assets/editors.css"),
            include_str!("assets/laboratory.css"),
            include_str!("assets/solvers.css"),
        ),
    ),
    ("htmx.js", JAVASCRIPT, include_str!("assets/htmx.min.js")),
    // Bundles of `ui/*.ts`: `npm run build --prefix crates/house/web/ui` makes them.
    ("events-worker.js", JAVASCRIPT, include_str!("assets/events-worker.js")),
    ("workbench.js", JAVASCRIPT, include_str!("assets/workbench.js")),
    // Asked for by the first chart of a page (`ui/value_chart.ts`).
    ("charts.js", JAVASCRIPT, include_str!("assets/charts.js")),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
];

/// The version of all of them.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    // Only a change has to be noticed.
    let all: String = FILES.iter().map(|(.., text)| *text).collect();
    format!("{:016x}", fnv_checksum(all.as_bytes()))
});

/// The address of a file.
pub(super) fn asset_path(name: &str) -> String {
    debug_assert!(FILES.iter().any(|(file, ..)| *file == name), "{name}");
    format!("/assets/{}/{name}", *VERSION)
}

/// Type and text of a file, by its name.
pub(super) fn find_asset(name: &str) -> Option<(&'static str, &'static str)> {
    let found = FILES.iter().find(|(file, ..)| *file == name);
    found.map(|(_, kind, text)| (*kind, *text))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use sha2::{Digest, Sha256};

    const SUMS: &str = include_str!("assets/bundles.sha256");

    /// A file of the sums: a source in `ui`, or a bundle in `assets`.
    fn path_of(name: &str) -> PathBuf {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        if name.starts_with("assets/") { here.join("src/workbench").join(name) } else { here.join(name) }
    }

    /// Where there is no node, this still finds a source that was changed without its bundle, and a bundle that was changed by hand.
    #[test]
    #[allow(clippy::disallowed_methods)] // A test may read files.
    fn bundles_are_those_of_these_sources() {
        let named: Vec<(&str, &str)> = SUMS.lines().filter_map(|line| line.split_once("  ")).collect();
        for (sum, name) in &named {
            let text = std::fs::read(path_of(name)).unwrap();
            let found: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(
                *sum, found,
                "{name}: npm run build --prefix crates/house/web/ui must follow a change"
            );
        }
        let sources = std::fs::read_dir(path_of("ui")).unwrap().map(|entry| entry.unwrap().file_name());
        let is_source = |name: &String| [".ts", ".tsx"].iter().any(|ending| name.ends_with(ending));
        for name in sources.map(|name| name.into_string().unwrap()).filter(is_source) {
            assert!(named.iter().any(|(_, known)| *known == format!("ui/{name}")), "{name} has no sum");
        }
        assert!(named.iter().filter(|(_, name)| name.starts_with("assets/")).count() >= 3, "{SUMS}");
    }

    /// The policy of the pages forbids it.
    #[test]
    fn no_bundle_runs_texts_as_code() {
        for (name, _, text) in super::FILES.iter().filter(|(name, ..)| *name != "htmx.js") {
            assert!(!text.contains("eval(") && !text.contains("new Function"), "{name}");
        }
    }
}
