//! The style of the texts that people read, as far as a program can hold it. CONTRIBUTING.md has the whole list.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};

use crate::support::program::root;

/// Texts, or folders of them, and how many words their sentences may have in the mean of a file.
const TEXTS: &[(&str, f64)] = &[
    ("README.md", 12.0),
    ("guide/src", 12.0),
    ("CONTRIBUTING.md", 16.0),
    ("SECURITY.md", 16.0),
    ("docs", 15.8),
    ("docs/notes", 19.0),
    ("ARCHITECTURE.md", 17.0),
    ("CHANGELOG.md", 18.0),
];

/// The texts of users: no sentence of theirs is long, and they know no yardsticks of the project.
const OF_USERS: &[&str] = &["README.md", "guide/src", "docs"];

/// The most words of a sentence in the texts of users.
const MOST_WORDS: usize = 40;

/// The most letters of a Japanese sentence.
const MOST_LETTERS: usize = 90;

/// What only those know who build ishi: places of their data, and figures that they hoped for.
const YARDSTICKS: &[&str] =
    &["our half", "../shared", "was wanted", "were wanted", "| wanted", "figures to reach"];

/// What ends in a full stop and ends no sentence.
const ABBREVIATIONS: &[&str] = &["e.g", "i.e", "etc", "vs", "cf", "No", "Dr", "St", "Fig", "fig", "pp"];

/// The Markdown files that a name of [`TEXTS`] stands for, with their texts.
fn read_texts(name: &str) -> Vec<(String, String)> {
    let path = root().join(name);
    let mut files = vec![path.clone()];
    if path.is_dir() {
        files = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
        files.sort();
    }
    assert!(!files.is_empty(), "{name} has texts");
    let named = |file: PathBuf| (file.display().to_string(), std::fs::read_to_string(&file).unwrap());
    files.into_iter().map(named).collect()
}

/// The text of a line without the mark of an item of a list, if it has one.
fn strip_item(line: &str) -> Option<&str> {
    let after_number = line.trim_start_matches(|letter: char| letter.is_ascii_digit()).strip_prefix(". ");
    let numbered = after_number.filter(|_| line.starts_with(|letter: char| letter.is_ascii_digit()));
    numbered.or_else(|| line.strip_prefix("- ")).or_else(|| line.strip_prefix("* "))
}

/// Paragraphs and items of lists, each as one line: no code, tables, headings, pictures and HTML.
fn find_paragraphs(markdown: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut in_fence = false;
    for line in markdown.lines() {
        let text = line.trim();
        let fence = text.starts_with("```");
        in_fence ^= fence;
        let open = paragraphs.last().is_some_and(|paragraph| !paragraph.is_empty());
        let indented_code = line.starts_with("    ") && !open;
        let is_prose =
            !text.is_empty() && !text.starts_with(['|', '#', '<', '!']) && !text.starts_with("---");
        if in_fence || fence || indented_code || !is_prose {
            paragraphs.push(String::new());
            continue;
        }
        let item = strip_item(text);
        if item.is_some() {
            paragraphs.push(String::new());
        }
        if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.push_str(item.unwrap_or(text));
            paragraph.push(' ');
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// The text with each piece of code as one word, links as their labels, and no stars.
fn strip_marks(paragraph: &str) -> String {
    let parts = paragraph.split('`').enumerate();
    let without_code: String = parts.map(|(at, part)| if at % 2 == 0 { part } else { "Code" }).collect();
    let mut plain = String::new();
    let mut rest = without_code.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        let (lead, label) = before.rsplit_once('[').unwrap_or(("", before));
        plain.extend([lead, label]);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain.replace('*', "")
}

/// Does a sentence end with this word, if that word follows?
fn ends_sentence(word: &str, next: Option<&str>) -> bool {
    let core = word.trim_end_matches([')', '"', '\'', '”']);
    let stem = core.trim_end_matches(['.', '!', '?']);
    let stem_is_word =
        stem.trim_start_matches(['(', '"']).chars().count() > 1 && !ABBREVIATIONS.contains(&stem);
    let first = next.and_then(|next| next.trim_start_matches(['(', '"', '“']).chars().next());
    core.ends_with(['.', '!', '?']) && stem_is_word && !first.is_some_and(char::is_lowercase)
}

/// The sentences of a text, each as its words. What has neither letter nor digit is no word.
fn find_sentences(markdown: &str) -> Vec<Vec<String>> {
    let mut sentences = Vec::new();
    for paragraph in find_paragraphs(markdown) {
        let plain = strip_marks(&paragraph);
        let words: Vec<&str> = plain.split_whitespace().collect();
        let mut sentence = Vec::new();
        for (at, word) in words.iter().enumerate() {
            if word.contains(char::is_alphanumeric) {
                sentence.push((*word).to_string());
            }
            if ends_sentence(word, words.get(at + 1).copied()) {
                sentences.push(std::mem::take(&mut sentence));
            }
        }
        sentences.push(sentence);
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

#[test]
fn sentences_are_short() {
    let mut faults = Vec::new();
    for (name, most) in TEXTS {
        for (file, text) in read_texts(name) {
            let sentences = find_sentences(&text);
            let words: usize = sentences.iter().map(Vec::len).sum();
            let mean = words as f64 / sentences.len() as f64;
            if mean > *most {
                faults.push(format!("{file}: {mean:.1} words a sentence, at most {most} must be"));
            }
            if OF_USERS.contains(name) {
                let long = sentences.iter().filter(|sentence| sentence.len() > MOST_WORDS);
                faults.extend(long.map(|long| format!("{file}: {} words: {}", long.len(), long.join(" "))));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn japanese_sentences_are_short() {
    let mut count = 0;
    for (file, text) in read_texts("guide/ja/src") {
        for paragraph in find_paragraphs(&text) {
            for sentence in strip_marks(&paragraph).split(['。', '？']) {
                let letters = sentence.chars().filter(|letter| !letter.is_whitespace()).count();
                assert!(letters <= MOST_LETTERS, "{file}: {letters} letters: {sentence}");
                count += 1;
            }
        }
    }
    assert!(count > 50, "the Japanese guide has only {count} sentences");
}

/// Browsers show the end of a line as a space, and Japanese has none between words.
#[test]
fn japanese_paragraphs_have_no_line_breaks() {
    let is_prose = |line: &str| !line.trim().is_empty() && !line.starts_with(['|', '#']);
    for (file, text) in read_texts("guide/ja/src") {
        let outside_fences: String = text.split("```").step_by(2).collect();
        let lines: Vec<&str> = outside_fences.lines().collect();
        let is_broken =
            |pair: &&[&str]| is_prose(pair[0]) && is_prose(pair[1]) && strip_item(pair[1].trim()).is_none();
        let broken = lines.windows(2).find(is_broken);
        assert_eq!(broken, None, "{file}: a paragraph must be one line");
    }
}

#[test]
fn users_meet_no_yardsticks_of_the_project() {
    for name in OF_USERS {
        for (file, text) in read_texts(name) {
            let text = text.to_lowercase();
            for word in YARDSTICKS {
                assert!(!text.contains(word), "{file}: {word:?} means nothing to a user");
            }
        }
    }
}

/// The reports of the experiments, and the page of all documents.
fn read_reports() -> Vec<(String, String)> {
    let folders = std::fs::read_dir(root().join("experiments")).unwrap().map(|entry| entry.unwrap().path());
    let reports = folders.map(|folder| folder.join("results/report.md")).filter(|report| report.is_file());
    let pages = reports.chain([root().join("experiments/papers.md")]);
    pages.map(|page| (page.display().to_string(), std::fs::read_to_string(&page).unwrap())).collect()
}

/// A line without what is the name of a method of decks, `ours`: in the first cell of a table, or behind a world.
fn without_the_method(line: &str) -> String {
    line.strip_prefix("| ours |").unwrap_or(line).replace(", ours: ", ": ")
}

/// Who reads a report did not make it: it says what was found here, and not what is ours.
#[test]
fn reports_are_in_plain_words_and_short_sentences() {
    let reports = read_reports();
    assert!(reports.len() > 5, "only {} reports were found", reports.len());
    for (file, text) in reports {
        for sentence in find_sentences(&text) {
            // Weights of a player are no words.
            let words = sentence.iter().filter(|word| word.contains(char::is_alphabetic)).count();
            assert!(words <= MOST_WORDS, "{file}: {words} words: {}", sentence.join(" "));
        }
        for line in text.lines().map(without_the_method) {
            let mut words = line.split(|letter: char| !letter.is_alphanumeric());
            let own = words.find(|word| ["our", "ours"].contains(&word.to_lowercase().as_str()));
            assert_eq!(own, None, "{file}: {line}");
        }
    }
}

/// In the README and the guide an idea is a sentence, and no chain of clauses.
#[test]
fn what_is_read_first_has_no_chains() {
    for name in ["README.md", "guide/src"] {
        for (file, text) in read_texts(name) {
            for paragraph in find_paragraphs(&text) {
                let plain = strip_marks(&paragraph);
                assert!(!plain.contains(';') && !plain.contains('—'), "{file}: {plain}");
            }
        }
    }
}

/// The targets of the links on a page, but for those on the net.
fn find_links(markdown: &str) -> Vec<&str> {
    let outside_fences = markdown.split("```").step_by(2);
    let rests = outside_fences.flat_map(|text| text.split("](").skip(1));
    let targets = rests.filter_map(|rest| rest.split([')', ' ']).next());
    targets.filter(|target| !target.starts_with("http")).collect()
}

/// The names by which links lead to the headings of a page, as mdbook and the sites of repositories make them.
fn find_heading_names(markdown: &str) -> Vec<String> {
    let outside_fences: String = markdown.split("```").step_by(2).collect();
    let mut names: Vec<String> = Vec::new();
    for heading in outside_fences.lines().filter(|line| line.starts_with('#')) {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|letter| letter.is_alphanumeric() || "-_ ".contains(*letter));
        let name: String = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let twins = names.iter().filter(|known| **known == name).count();
        names.push(name.clone());
        if twins > 0 {
            names.push(format!("{name}-{twins}"));
        }
    }
    names
}

/// The words in italics on a page, which are what the pages of the workbench call something.
fn find_italics(markdown: &str) -> Vec<String> {
    let mut found = Vec::new();
    for paragraph in find_paragraphs(markdown) {
        let without_code: String = paragraph.split('`').step_by(2).collect();
        let without_bold = without_code.replace("**", "");
        found.extend(without_bold.split('*').skip(1).step_by(2).map(str::to_string));
    }
    found
}

/// Who reads in the guide what to press finds it on the page.
#[test]
fn what_the_guide_names_stands_on_the_pages() {
    let folder = root().join("crates/house/web/texts/en");
    let rooms = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts: String = rooms.map(|room| std::fs::read_to_string(room).unwrap()).collect();
    let shown: Vec<&str> =
        texts.lines().filter_map(|line| line.split_once(" = ")).map(|(_, text)| text).collect();
    let mut count = 0;
    for (file, text) in read_texts("guide/src") {
        for name in find_italics(&text) {
            assert!(shown.contains(&name.as_str()), "{file}: no page has {name:?}");
            count += 1;
        }
    }
    assert!(count > 5, "only {count} names were found");
    assert_eq!(find_italics("Press *Play* in **bold**, `a*b`.\n\n- *Stop*"), ["Play", "Stop"]);
}

/// mdbook makes pages of a folder alone: a link out of it would lead nowhere in the book.
#[test]
fn no_page_of_a_book_leads_out_of_it() {
    for (file, text) in ["guide/src", "guide/ja/src"].into_iter().flat_map(read_texts) {
        let outside = find_links(&text).into_iter().find(|link| link.contains('/'));
        assert_eq!(outside, None, "{file}: the book has no such page");
        // Its name in the browser's tab.
        assert!(text.starts_with("# "), "{file} must begin with its heading");
    }
}

#[test]
fn links_lead_somewhere() {
    let names = TEXTS.iter().map(|(name, _)| *name).chain(["guide/ja/src"]);
    let mut count = 0;
    for (file, text) in names.flat_map(read_texts) {
        let folder = Path::new(&file).parent().unwrap();
        for link in find_links(&text) {
            let (target, heading) = link.split_once('#').unwrap_or((link, ""));
            let page = if target.is_empty() { PathBuf::from(&file) } else { folder.join(target) };
            assert!(page.exists(), "{file}: there is no {link}");
            if !heading.is_empty() {
                let names = find_heading_names(&std::fs::read_to_string(&page).unwrap());
                assert!(names.iter().any(|name| name == heading), "{file}: there is no heading {link}");
            }
            count += 1;
        }
    }
    assert!(count > 100, "only {count} links were found");
}

/// Who cites ishi cites this version.
#[test]
fn the_citation_names_this_version() {
    let citation = std::fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let version = format!("version: {}", env!("CARGO_PKG_VERSION"));
    assert!(citation.lines().any(|line| line == version), "CITATION.cff must say {version:?}");
}

/// The headings of a changelog: the version with its day, or `Unreleased`, and the kinds of changes below it.
fn find_releases(changelog: &str) -> Vec<(String, Vec<String>)> {
    let mut releases: Vec<(String, Vec<String>)> = Vec::new();
    for line in changelog.lines() {
        if let Some(release) = line.strip_prefix("## ") {
            releases.push((release.to_string(), Vec::new()));
        } else if let (Some(kind), Some((_, kinds))) = (line.strip_prefix("### "), releases.last_mut()) {
            kinds.push(kind.to_string());
        }
    }
    releases
}

/// The form of Keep a Changelog: what is not released stands first, then this version with the day that the citation has.
#[test]
fn the_changelog_has_this_version() {
    let (_, changelog) = read_texts("CHANGELOG.md").remove(0);
    let citation = std::fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let day = citation.lines().find_map(|line| line.strip_prefix("date-released: ")).unwrap();
    let releases = find_releases(&changelog);
    let names: Vec<&str> = releases.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..2], ["[Unreleased]", &format!("[{}] - {day}", env!("CARGO_PKG_VERSION"))]);
    for (name, kinds) in &releases {
        let order = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
        let places: Vec<_> = kinds.iter().map(|kind| order.iter().position(|known| known == kind)).collect();
        assert!(places.iter().all(Option::is_some), "{name}: {kinds:?} must be of {order:?}");
        assert!(
            places.windows(2).all(|pair| pair[0] < pair[1]),
            "{name}: {kinds:?} must be in that order, once each"
        );
    }
}

#[test]
fn a_word_stands_once_in_the_glossary() {
    let mut words = std::collections::BTreeSet::new();
    let (_, glossary) = read_texts("docs/glossary.md").remove(0);
    let rows = glossary.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    for (word, _) in rows.filter(|(word, _)| *word != "word" && *word != "---") {
        assert!(words.insert(word), "{word:?} stands twice in the glossary");
    }
    assert!(words.len() > 80, "the glossary has only {} words", words.len());
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// What stands behind three strokes in the commands is shown as it is: nobody reads a quotation mark with a stroke before it, or a link.
#[test]
fn helps_show_no_marks_of_the_sources() {
    let mut files = Vec::new();
    rust_files(&root().join("crates/house/cli/src/commands"), &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut shown = text.lines().map(str::trim).filter(|line| line.starts_with("/// "));
        let marked = shown.find(|line| line.contains("\\\"") || line.contains("<http"));
        assert_eq!(marked, None, "{}", file.display());
    }
}

/// Does a line of a program tell what a value is where it should tell what it must be?
fn tells_what_is(line: &str) -> bool {
    let says = |text: &str| line.contains(text);
    let tells_range = says("invalid ")
        && (says(": it is ") || says(": it lies ") || says(": a number ") || says("} is a "));
    let tells_range = tells_range || says("\"it is a number");
    let checks = (says("check_range(") || says("check_parameter(")) && says("\"");
    tells_range || (checks && says(" are ") && !says(" must "))
}

/// The sources of all crates.
fn list_sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["crates", "experiments"] {
        rust_files(&root().join(folder), &mut files);
    }
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "target"));
    files
}

#[test]
fn errors_say_what_must_be() {
    let mut faults = Vec::new();
    for file in list_sources() {
        let text = std::fs::read_to_string(&file).unwrap();
        let lines = (1..).zip(text.lines()).filter(|(_, line)| tells_what_is(line));
        faults.extend(lines.map(|(number, line)| format!("{}:{number}: {}", file.display(), line.trim())));
    }
    assert!(faults.is_empty(), "say \"it must be\":\n{}", faults.join("\n"));
}

/// The Python module refuses numbers with the words of the command line.
#[test]
fn both_doors_say_the_same_of_numbers() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let parser = read("crates/house/cli/src/parser_words.rs");
    let module = read("crates/house/python/src/whole.rs");
    for words in ["must be a whole number, and not negative", "must be a smaller number"] {
        assert!(parser.contains(words) && module.contains(words), "{words:?} must stand in both");
    }
}

/// The words of code, such as `go` and `Board` of `go::Board`.
fn split_code(code: &str) -> impl Iterator<Item = &str> {
    code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// The paths in the sources that a page names, such as `go::Board`.
fn find_code_paths(markdown: &str) -> Vec<&str> {
    let code = markdown.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    code.filter(|code| code.contains("::")).collect()
}

/// What gets another name in the sources gets it in the documentation, too.
#[test]
fn paths_in_the_sources_are_there() {
    let sources: Vec<String> =
        list_sources().into_iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let known: std::collections::BTreeSet<&str> = sources.iter().flat_map(|text| split_code(text)).collect();
    // Pages call a crate without the name of the project.
    let is_known = |word: &str| known.contains(word) || known.contains(format!("ishi_{word}").as_str());
    let (mut count, mut faults) = (0, Vec::new());
    let pages = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs", "docs/notes"];
    for (file, text) in pages.into_iter().flat_map(read_texts) {
        for path in find_code_paths(&text) {
            let unknown = split_code(path).find(|word| !is_known(word));
            faults.extend(unknown.map(|word| format!("{file}: `{path}`: no source has {word}")));
            count += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 100, "only {count} paths were found");
}

/// The commands on a page: its lines of code that begin with `ishi`.
fn find_commands(markdown: &str) -> Vec<&str> {
    let mut in_fence = false;
    let mut commands = Vec::new();
    for line in markdown.lines() {
        in_fence ^= line.trim_start().starts_with("```");
        let text = line.trim().trim_start_matches("$ ");
        if (in_fence || line.starts_with("    ")) && text.starts_with("ishi ") {
            commands.push(text);
        }
    }
    commands
}

/// Does something stand behind a command that a shell takes for more of its words? What is said of it must begin with `#`.
fn has_words_behind(command: &str) -> bool {
    let parts: Vec<&str> = command.split(['\'', '"']).step_by(2).collect();
    let outside_quotes = parts.join("quoted");
    let mut behind = outside_quotes.split("  ").skip(1);
    behind.any(|rest| !rest.trim().is_empty()) && !outside_quotes.contains('#')
}

/// Who copies a line of code with what is said of it gets the command.
#[test]
fn commands_can_be_copied_with_what_is_said_of_them() {
    let mut count = 0;
    for (file, text) in ["README.md", "guide/src", "guide/ja/src", "docs"].into_iter().flat_map(read_texts) {
        for command in find_commands(&text) {
            assert!(!has_words_behind(command), "{file}: put # before what is said of it: {command}");
            count += 1;
        }
    }
    assert!(count > 200, "only {count} commands were found");
}

#[test]
fn faults_of_style_are_found() {
    assert_eq!(find_commands("ishi a\n```\n$ ishi b\nishi: c\n```\n    ishi d"), ["ishi b", "ishi d"]);
    assert!(has_words_behind("ishi strings 9    a board"));
    assert!(!has_words_behind("ishi strings 9    # ishi's board"));
    assert!(!has_words_behind("ishi match 'gnugo  --mode gtp' go-random"));
    assert_eq!(find_code_paths("`go::Board` and `Board`\n`a` `b::c()`"), ["go::Board", "b::c()"]);
    let headings = "# One `two`, three\n```\n# no heading\n```\n## 保存 場所\n### Twin\n## Twin\n";
    assert_eq!(find_heading_names(headings), ["one-two-three", "保存-場所", "twin", "twin", "twin-1"]);
    let text = "# Title\nOne two. Three `a b` [four](x.md)!\n- five e.g. six\n\n    code here\n```\nmore. Code.\n```\n| a. B |\n";
    let found: Vec<String> = find_sentences(text).iter().map(|sentence| sentence.join(" ")).collect();
    assert_eq!(found, ["One two.", "Three Code four!", "five e.g. six"]);
    assert!(tells_what_is("\"invalid rank {rank}: it is 1 to 9\""));
    assert!(tells_what_is("let expected = \"it is a number, as 100\";"));
    assert!(tells_what_is("source.check_range(&value, 1..=9, \"ranks are 1 to 9\")"));
    assert!(!tells_what_is("\"invalid rank {rank}: it must be 1 to 9\""));
    assert!(!tells_what_is("source.check_range(&value, 1..=9, \"ranks must be 1 to 9\")"));
}

/// Every picture that the documentation shows is there, every one that is there is shown, and one script makes those of the pages anew.
#[test]
fn pictures_are_there_are_shown_and_can_be_made_anew() {
    let maker = std::fs::read_to_string(root().join("tests/clients/pictures.mjs")).unwrap();
    let texts: String =
        [read_texts("docs"), read_texts("README.md")].concat().into_iter().map(|(_, text)| text).collect();
    let shown: std::collections::BTreeSet<&str> = texts
        .split("pictures/")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(name, _)| name)
        .collect();
    assert!(shown.contains("step-lesson.jpg"), "{shown:?}");
    for name in &shown {
        assert!(root().join("docs/pictures").join(name).is_file(), "docs/pictures/{name} is not there");
        let is_made = name.ends_with(".svg") || maker.contains(&format!("picture(\"{name}\""));
        assert!(is_made, "tests/clients/pictures.mjs makes no {name}");
    }
    for entry in std::fs::read_dir(root().join("docs/pictures")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(shown.contains(name.as_str()), "no text shows docs/pictures/{name}");
    }
}
