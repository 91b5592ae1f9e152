//! A campaign's file: lines as one would type them after `ishi match`, `ishi lab run` and `ishi tune`.

use std::path::Path;

use clap::ValueEnum as _;
use ishi_arena::process::EngineCommand;
use ishi_lab::experiment::Variant;
use ishi_lab::source::TomlSource;
use serde::Deserialize;
use toml::Spanned;

use super::works::{PlannedWork, WorkKind};
use crate::commands::match_::share::MatchLine;
use crate::commands::tune::TuneLine;
use crate::context::Failure;
use crate::files;
use crate::program_files::ProgramsBy;

/// A campaign, read and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CampaignFile {
    /// The file's name without its ending.
    pub(crate) name: String,
    /// Where results are kept, if the file says.
    pub(crate) db: Option<String>,
    pub(crate) matches: Vec<PlannedMatch>,
    pub(crate) experiments: Vec<PlannedExperiment>,
    /// Labels and other works.
    pub(crate) works: Vec<PlannedWork>,
    /// The words after `ishi tune`, for each tuning.
    pub(crate) tunings: Vec<Vec<String>>,
}

/// A match of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedMatch {
    /// As after `ishi match`.
    pub(crate) words: Vec<String>,
    /// Where the line stands, for what is wrong with a file that it names: `ladder.toml:3:3`.
    pub(crate) place: String,
}

/// An experiment of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedExperiment {
    /// The experiment, named as after `ishi lab run`.
    pub(crate) name: String,
    pub(crate) variant: Variant,
    /// What tells workers its programs from others.
    pub(crate) programs_by: ProgramsBy,
    /// Where the line stands, for what is wrong with it: `ladder.toml:3:3`.
    pub(crate) place: String,
}

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CampaignText {
    db: Option<String>,
    #[serde(default)]
    matches: Vec<Spanned<String>>,
    #[serde(default)]
    experiments: Vec<Spanned<String>>,
    #[serde(default)]
    labels: Vec<Spanned<String>>,
    #[serde(default)]
    problems: Vec<Spanned<String>>,
    #[serde(default, rename = "self-play")]
    self_play: Vec<Spanned<String>>,
    #[serde(default)]
    endgames: Vec<Spanned<String>>,
    #[serde(default)]
    patterns: Vec<Spanned<String>>,
    #[serde(default)]
    decks: Vec<Spanned<String>>,
    #[serde(default)]
    sequences: Vec<Spanned<String>>,
    #[serde(default)]
    tunings: Vec<Spanned<String>>,
}

impl CampaignText {
    /// The lines of a kind of work.
    fn lines_of(&self, kind: WorkKind) -> &[Spanned<String>] {
        match kind {
            WorkKind::Labels => &self.labels,
            WorkKind::Problems => &self.problems,
            WorkKind::SelfPlay => &self.self_play,
            WorkKind::Endgames => &self.endgames,
            WorkKind::Patterns => &self.patterns,
            WorkKind::Decks => &self.decks,
            WorkKind::Sequences => &self.sequences,
        }
    }
}

impl CampaignFile {
    /// Reads the file, and every line in it.
    pub(crate) fn read(path: &Path) -> Result<CampaignFile, Failure> {
        let source = files::read_toml(path)?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        CampaignFile::parse(&name.unwrap_or_default(), &source).map_err(Failure::Input)
    }

    /// The programs that its matches, works and tunings start.
    pub(crate) fn programs(&self) -> Vec<EngineCommand> {
        let lines = self.matches.iter().filter_map(|planned| MatchLine::parse_words(&planned.words).ok());
        let plans =
            self.tunings.iter().filter_map(|words| TuneLine::parse_words(words).ok()?.make_plan().ok());
        let works = self.works.iter().filter_map(PlannedWork::program);
        let all =
            lines.flat_map(|line| line.programs()).chain(plans.flat_map(|plan| plan.programs())).chain(works);
        let mut programs: Vec<EngineCommand> = Vec::new();
        for program in all {
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
        programs
    }

    fn parse(name: &str, source: &TomlSource) -> Result<CampaignFile, String> {
        let text: CampaignText = source.parse().map_err(|error| error.to_string())?;
        let wrong = |line: &Spanned<String>, why: &str| source.value_error(line, why).to_string();
        let place = |line: &Spanned<String>| source.name_place(line.span());
        let read = |lines: &[Spanned<String>], check: &dyn Fn(&[String]) -> Result<(), String>| {
            let words_of = |line: &Spanned<String>| {
                let words =
                    shlex::split(line.get_ref()).ok_or_else(|| "a quotation mark must be closed".to_string());
                let words = words.and_then(leave_no_command);
                let checked = words.and_then(|words| check(&words).map(|()| words));
                checked.map_err(|why| wrong(line, &why))
            };
            lines.iter().map(words_of).collect::<Result<Vec<Vec<String>>, String>>()
        };
        let lines = read(&text.matches, &|words| MatchLine::parse_words(words)?.check_for_file())?;
        let places = text.matches.iter().map(place);
        let matches: Vec<PlannedMatch> =
            lines.into_iter().zip(places).map(|(words, place)| PlannedMatch { words, place }).collect();
        let tunings = read(&text.tunings, &check_tuning)?;
        let mut works = Vec::new();
        for kind in WorkKind::ALL {
            let lines = read(text.lines_of(kind), &|words| kind.check_words(words))?;
            let places = text.lines_of(kind).iter().map(place);
            let planned = lines.into_iter().zip(places);
            works.extend(planned.map(|(words, place)| PlannedWork { kind, words, place }));
        }
        let experiment = |line: &Spanned<String>| {
            PlannedExperiment::parse(line.get_ref(), place(line))
                .ok_or_else(|| wrong(line, HOW_EXPERIMENTS_ARE_WRITTEN))
        };
        let experiments: Vec<PlannedExperiment> =
            text.experiments.iter().map(experiment).collect::<Result<_, _>>()?;
        if matches.is_empty() && experiments.is_empty() && works.is_empty() && tunings.is_empty() {
            return Err(source.error_at(None, NOTHING_TO_DO).to_string());
        }
        Ok(CampaignFile { name: name.to_string(), db: text.db, matches, experiments, works, tunings })
    }
}

const HOW_EXPERIMENTS_ARE_WRITTEN: &str = "write the name of an experiment, and after it, if you like, --quick and --programs-by contents or version";

impl PlannedExperiment {
    /// A name with its options; `None` if it is something else.
    fn parse(line: &str, place: String) -> Option<PlannedExperiment> {
        let (mut name, mut variant, mut programs_by) = (None, Variant::Full, ProgramsBy::default());
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "--quick" => variant = Variant::Quick,
                "--programs-by" => programs_by = ProgramsBy::from_str(words.next()?, false).ok()?,
                word if name.is_none() && !word.starts_with('-') => name = Some(word.to_string()),
                _ => return None,
            }
        }
        Some(PlannedExperiment { name: name?, variant, programs_by, place })
    }
}

const NOTHING_TO_DO: &str = "it must name work to do: matches, experiments, labels, problems, self-play, endgames, patterns, decks, sequences or tunings";

/// Options that say how a command goes about it. In a line they would make no difference.
const OF_THE_COMMAND: [&str; 4] = ["--threads", "--json", "--quiet", "-q"];

/// A line was copied from a shell, as a rule: its command does not belong to it, and some options belong to that of the campaign.
fn leave_no_command(words: Vec<String>) -> Result<Vec<String>, String> {
    if words.first().is_some_and(|word| word == "ishi") {
        let why = "it must be what stands after the command: leave `ishi` and the command's name out";
        return Err(why.to_string());
    }
    let option = |word: &String| word.split('=').next().unwrap_or_default().to_string();
    match words.iter().map(option).find(|option| OF_THE_COMMAND.contains(&option.as_str())) {
        Some(option) => Err(format!("{option} must stand with the campaign's command, not in its lines")),
        None => Ok(words),
    }
}

/// Can it be tuned so?
fn check_tuning(words: &[String]) -> Result<(), String> {
    let plan = TuneLine::parse_words(words)?.make_plan().map_err(|failure| failure.to_string())?;
    plan.first_match()?.check_for_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<CampaignFile, String> {
        CampaignFile::parse("ladder", &TomlSource::new("ladder.toml", text))
    }

    #[test]
    fn lines_are_read_as_they_would_be_typed() {
        let text = "db = \"a.db\"\nmatches = [\"go-random 'gnugo --mode gtp' --pairs 3\"]\nexperiments = [\"010 --programs-by version\", \"020 --quick\"]\ntunings = [\"go-mcts:bias=0..1 --steps 7\"]\n";
        let campaign = parse(text).unwrap();
        assert_eq!((campaign.name.as_str(), campaign.db.as_deref()), ("ladder", Some("a.db")));
        assert_eq!(campaign.matches[0].words, ["go-random", "gnugo --mode gtp", "--pairs", "3"]);
        assert_eq!((campaign.matches.len(), campaign.matches[0].place.as_str()), (1, "ladder.toml:2:12"));
        assert_eq!(campaign.tunings, [["go-mcts:bias=0..1", "--steps", "7"]]);
        let programs: Vec<String> = campaign.programs().iter().map(ToString::to_string).collect();
        assert_eq!(programs, ["gnugo --mode gtp"]);
        let tuned = parse("tunings = [\"go-mcts:bias=0..1 --against 'gnugo --level 1'\"]\n").unwrap();
        let programs: Vec<String> = tuned.programs().iter().map(ToString::to_string).collect();
        assert_eq!(programs, ["gnugo --level 1"], "the opponent of a tuning may be started, too");
        let labels = parse("labels = [\"g.txt --judge 'katago analysis' --out l.tsv\"]\n").unwrap();
        assert_eq!(labels.works[0].words, ["g.txt", "--judge", "katago analysis", "--out", "l.tsv"]);
        let programs: Vec<String> = labels.programs().iter().map(ToString::to_string).collect();
        assert_eq!(programs, ["katago analysis"], "judges may be started, too");
        let variants: Vec<Variant> = campaign.experiments.iter().map(|planned| planned.variant).collect();
        assert_eq!(variants, [Variant::Full, Variant::Quick]);
        let by: Vec<ProgramsBy> = campaign.experiments.iter().map(|planned| planned.programs_by).collect();
        assert_eq!(by, [ProgramsBy::Version, ProgramsBy::Contents]);
    }

    /// A file that was damaged, or is a stranger's, is read or refused with its name.
    #[test]
    fn no_bytes_end_the_reader() {
        let text = "db = \"a.db\"\nmatches = [\"go-random 'gnugo --mode gtp' --pairs 3 --sprt 0 30\"]\nexperiments = [\"010 --quick\"]\nlabels = [\"g.txt --judge 'k a' --out l.tsv\"]\nproblems = [\"p.sgf --level 4\"]\nself-play = [\"--games 9 --out s.bin\"]\nendgames = [\"e.obf --only 1-3\"]\npatterns = [\"g.txt --out p.bin\"]\ndecks = [\"p.json --size 8\"]\nsequences = [\"out --to 6\"]\ntunings = [\"go-mcts:bias=0..1 --steps 7\"]\n";
        ishi_rng::damage::try_damaged_copies(
            text.as_bytes(),
            ishi_rng::Seed::new(1),
            300,
            |what, damaged| match parse(&String::from_utf8_lossy(damaged)) {
                Ok(campaign) => _ = campaign.programs(),
                Err(error) => assert!(error.contains("ladder.toml"), "{what}: {error}"),
            },
        );
    }

    /// Whether such files are there, nobody knows before the work begins: their players are read then.
    #[test]
    fn players_in_files_are_left_to_the_work() {
        let text =
            "matches = [\"wpc:none.txt othello-random --game othello\"]\nexperiments = [\n  \"020\",\n]\n";
        let campaign = parse(text).unwrap();
        assert_eq!(campaign.matches.len(), 1);
        assert_eq!(campaign.experiments[0].place, "ladder.toml:3:3");
        let works = parse("problems = [\"p.sgf\", \"q.sgf\"]\n").unwrap().works;
        assert_eq!(works[1].place, "ladder.toml:1:22");
    }

    #[test]
    fn a_wrong_line_is_shown_where_it_stands() {
        for (text, why) in [
            ("matches = [\n  \"go-random go-capture\",\n  \"go-random\",\n]\n", "ladder.toml:3:3: matches"),
            (
                "matches = [\"go-random go-capture --pears 3\"]\n",
                "--pears 3: unexpected argument '--pears' found; there is '--pairs'",
            ),
            ("self-play = [\"--games 10\"]\n", "were not provided: --out <OUT>"),
            ("matches = [\"a 'b\"]\n", "a quotation mark must be closed"),
            ("matches = [\"ishi match go-random go-capture\"]\n", "leave `ishi` and the command's name out"),
            ("problems = [\"ishi go problems p.sgf\"]\n", "ladder.toml:1:13: problems"),
            (
                "matches = [\"go-random go-capture --db postgres://me@h/d\"]\n",
                "--db must stand with the campaign",
            ),
            ("matches = [\"go-random go-capture --no-db\"]\n", "--no-db must be left out"),
            (
                "matches = [\"go-random go-capture --threads=2\"]\n",
                "--threads must stand with the campaign's command",
            ),
            ("sequences = [\"out --to 4 --json\"]\n", "--json must stand with the campaign's command"),
            ("matches = [\"go-random go-capture --sgf games\"]\n", "--sgf and --show must be left out"),
            ("experiments = [\"010 --slow\"]\n", "write the name of an experiment"),
            ("experiments = [\"010 --programs-by name\"]\n", "--programs-by contents or version"),
            ("experiments = [\"010 020\"]\n", "ladder.toml:1:16: experiments"),
            (
                "matches = [\n  \"go-random go-capture\",\n  \"go-foo go-random\",\n]\n",
                "ladder.toml:3:3: matches: go-foo go-random: invalid player: no built-in player \"go-foo\" of Go: there are go-random,",
            ),
            ("matches = [\"othello-random othello:level=99 --game othello\"]\n", "ladder.toml:1:12: matches"),
            ("matches = [\"go-random go-capture --sprt 30 0\"]\n", "it must be greater than elo0"),
            (
                "matches = [\"go-random go-capture --game othello\"]\n",
                "no built-in player \"go-random\" of Othello",
            ),
            ("tunings = [\"go-mcts:bias=0..1 --against go-foo\"]\n", "no built-in player \"go-foo\""),
            ("tunings = [\"go-mcts:threads=0..9@1\"]\n", "write a number from 1 to 256"),
            ("tunings = [\"go-mcts:bias=0..1 --stops 7\"]\n", "--stops"),
            ("db = \"a.db\"\n", "it must name work to do: matches, experiments,"),
            ("labels = [\"g.txt --out l.tsv\"]\n", "ladder.toml:1:11: labels"),
            ("decks = [\"p.json --method greedy\"]\n", "ladder.toml:1:10: decks"),
            ("sequences = [\"--list\"]\n", "ladder.toml:1:14: sequences"),
            ("match = []\n", "unknown field `match`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
