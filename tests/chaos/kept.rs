//! The rounds that were run, as lines of a file: seed, round, scenario, blows and what came of it, with tabs between. A sitting appends, and
//! the next one leaves out what is there.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use super::blows::BlowKind;
use super::{BlowResult, Plan};

/// What the last column says where nothing went wrong.
const RIGHT: &str = "right";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RoundResult {
    pub(super) seed: String,
    pub(super) round: u64,
    pub(super) scenario: String,
    pub(super) blows: Vec<BlowResult>,
    /// What went wrong.
    pub(super) fault: Option<String>,
}

impl RoundResult {
    pub(super) fn to_line(&self) -> String {
        let blow = |&(kind, is_done): &BlowResult| {
            format!("{} {}", kind.name(), if is_done { "(done)" } else { "(left)" })
        };
        let blows: Vec<String> = self.blows.iter().map(blow).collect();
        let fault =
            self.fault.as_ref().map(|fault| format!("wrong: {}", fault.replace(['\n', '\r', '\t'], " ")));
        let RoundResult { seed, round, scenario, .. } = self;
        format!("{seed}\t{round}\t{scenario}\t{}\t{}", blows.join(", "), fault.as_deref().unwrap_or(RIGHT))
    }

    pub(super) fn from_line(line: &str) -> Option<RoundResult> {
        let [seed, round, scenario, blows, outcome] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
        let blow = |text: &str| {
            let (name, end) = text.rsplit_once(' ')?;
            let kind = BlowKind::ALL.into_iter().find(|kind| kind.name() == name)?;
            Some((kind, end == "(done)"))
        };
        let blows =
            blows.split(", ").filter(|text| !text.is_empty()).map(blow).collect::<Option<Vec<_>>>()?;
        let fault = if outcome == RIGHT { None } else { Some(outcome.strip_prefix("wrong: ")?.to_string()) };
        let (seed, scenario) = (seed.to_string(), scenario.to_string());
        Some(RoundResult { seed, round: round.parse().ok()?, scenario, blows, fault })
    }
}

/// The rounds of all sittings.
pub(super) struct KeptRounds {
    /// Nothing if they are not kept.
    file: Option<File>,
    results: Vec<RoundResult>,
}

impl KeptRounds {
    /// Reads what is there. A last line without its end is that of a sitting that was killed: it is taken away.
    pub(super) fn open(path: Option<&Path>) -> KeptRounds {
        let Some(path) = path else { return KeptRounds { file: None, results: Vec::new() } };
        let shown = path.display();
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.unwrap_or_else(|error| panic!("ISHI_CHAOS_TABLE, {shown}: {error}"));
        let text = std::fs::read_to_string(path).unwrap();
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).unwrap();
        let read = |(number, line): (usize, &str)| {
            RoundResult::from_line(line)
                .unwrap_or_else(|| panic!("{shown}, line {}: must be that of a round: {line}", number + 1))
        };
        let results = text[..whole].lines().enumerate().map(read).collect();
        KeptRounds { file: Some(file), results }
    }

    /// Takes note, in the file at once.
    pub(super) fn add(&mut self, result: RoundResult) {
        if let Some(file) = &mut self.file {
            file.write_all(format!("{}\n", result.to_line()).as_bytes()).unwrap();
        }
        self.results.push(result);
    }

    /// What was run of this plan.
    pub(super) fn of_plan(&self, plan: &Plan) -> Vec<&RoundResult> {
        let seed = plan.seed.to_string();
        let rounds = plan.first..plan.first + plan.rounds;
        self.results.iter().filter(|result| result.seed == seed && rounds.contains(&result.round)).collect()
    }

    /// The rounds of this plan that were not run.
    pub(super) fn missing_rounds(&self, plan: &Plan) -> Vec<u64> {
        let run: Vec<u64> = self.of_plan(plan).iter().map(|result| result.round).collect();
        (plan.first..plan.first + plan.rounds).filter(|round| !run.contains(round)).collect()
    }
}

#[test]
fn rounds_of_several_sittings_make_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chaos.tsv");
    let plan = Plan { seed: ishi_rng::Seed::new(7), first: 2, rounds: 4 };
    let result = |round, fault: Option<&str>| RoundResult {
        seed: plan.seed.to_string(),
        round,
        scenario: "match".to_string(),
        blows: vec![(BlowKind::Kill, false), (BlowKind::FullDisk, true)],
        fault: fault.map(String::from),
    };
    let mut first = KeptRounds::open(Some(&path));
    assert_eq!(first.missing_rounds(&plan), [2, 3, 4, 5]);
    first.add(result(2, None));
    first.add(result(4, Some("a is another:\n\tline")));
    first.add(RoundResult { seed: "8".to_string(), ..result(3, None) });
    // Killed while it wrote.
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{whole}7\t5\tmatch\tkil")).unwrap();
    let mut second = KeptRounds::open(Some(&path));
    assert_eq!(second.missing_rounds(&plan), [3, 5]);
    second.add(result(5, None));
    let last = KeptRounds::open(Some(&path));
    let expected = [result(2, None), result(4, Some("a is another:  line")), result(5, None)];
    assert_eq!(last.of_plan(&plan), expected.iter().collect::<Vec<_>>());
    let table = super::Table::of(&last.of_plan(&plan)).to_text(&plan);
    assert!(table.starts_with("chaos: seed 7, 3 of 4 rounds from 2, 6 blows"), "{table}");
    let row: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(row[..4], ["match", "3", "/", "3"], "killed, and each time work was left: {table}");
    assert_eq!(row[row.len() - 2..], ["3", "1"], "rounds, and those that went wrong: {table}");
}
