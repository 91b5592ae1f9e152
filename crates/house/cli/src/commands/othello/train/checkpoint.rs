//! A run of learning by evolution as text, so that it can be gone on with.

use std::collections::BTreeSet;

use ishi_othello_learn::evolution::{
    EvolutionTraining, FixedOpponent, LearnerState, LearningMethod, LearningOptions, TrainingParams,
    TrainingState,
};
use ishi_rng::checksum::{NO_CHECKSUM, check_sealed_text, seal_text};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a kept run begins with, the version last.
const FORMAT: &str = "ishi-othello-evolution 2";
/// What stands before the checksum of the text.
const CHECKSUM_MARK: &str = "\"checksum\":\"";

/// A run as text.
#[derive(Serialize, Deserialize)]
struct KeptTraining {
    format: String,
    /// The checksum of the whole text, see [`ishi_rng::checksum::seal_text`].
    checksum: String,
    method: LearningMethod,
    options: LearningOptions,
    seed: String,
    /// What tells the players that stay as they are from others, where the method meets such.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    opponents: Vec<String>,
    standard: Option<f64>,
    populations: u64,
    state: Value,
}

/// The run as text. What cannot be written is a bug.
pub(super) fn training_to_text(training: &EvolutionTraining) -> Result<String, String> {
    let TrainingState { standard, populations, learner } = training.state();
    let params = training.params();
    let kept = KeptTraining {
        format: FORMAT.into(),
        checksum: NO_CHECKSUM.into(),
        method: params.method,
        options: params.options.clone(),
        seed: params.seed.to_string(),
        opponents: list_opponents(params),
        standard,
        populations,
        state: serde_json::to_value(&learner).map_err(|error| format!("a state cannot be kept: {error}"))?,
    };
    let text = serde_json::to_string(&kept).map_err(|error| format!("a run cannot be kept: {error}"))?;
    Ok(seal_text(&text, CHECKSUM_MARK))
}

/// The run that was kept, if it is one of this method and these settings, opponents and seed; the games may be more than before.
pub(super) fn resume_training(params: TrainingParams, text: &str) -> Result<EvolutionTraining, String> {
    check_kept_text(text)?;
    let kept: KeptTraining =
        serde_json::from_str(text).map_err(|error| format!("this is no kept run of learning: {error}"))?;
    check_same_run(&params, &kept)?;
    let learner =
        LearnerState::deserialize_as(params.method, &kept.state).map_err(|error| error.to_string())?;
    let state = TrainingState { standard: kept.standard, populations: kept.populations, learner };
    EvolutionTraining::resume(params, state).map_err(|error| error.to_string())
}

/// Is it a kept run of this version, as it was written?
fn check_kept_text(text: &str) -> Result<(), String> {
    if text.contains("\"ishi-othello-evolution 1\"") {
        let right = format!("its format must be {FORMAT:?}; remove the file, and begin the run again");
        return Err(format!("this is a kept run of an older ishi, without a checksum: {right}"));
    }
    check_sealed_text(text, CHECKSUM_MARK)
        .map_err(|error| format!("this is no kept run of learning, or a damaged one: {error}"))
}

fn list_opponents(params: &TrainingParams) -> Vec<String> {
    params.opponents.iter().map(FixedOpponent::describe_identity).collect()
}

/// What the kept run has that is not asked for.
fn check_same_run(params: &TrainingParams, kept: &KeptTraining) -> Result<(), String> {
    let pairs = [
        ("format", json!(FORMAT), json!(kept.format)),
        ("method", json!(params.method), json!(kept.method)),
        ("settings", json!(params.options), json!(kept.options)),
        ("seed", json!(params.seed.to_string()), json!(kept.seed)),
        ("opponent", json!(list_opponents(params)), json!(kept.opponents)),
    ];
    match pairs.iter().find(|(_, own, theirs)| own != theirs) {
        None => Ok(()),
        Some((what, own, theirs)) => Err(format!(
            "the kept run has {}; give the same, or another file",
            describe_difference(what, own, theirs)
        )),
    }
}

/// `another seed: "7", not "8"`; of settings only those that differ.
fn describe_difference(what: &str, own: &Value, theirs: &Value) -> String {
    let (Some(ours), Some(kept)) = (own.as_object(), theirs.as_object()) else {
        return format!("another {what}: {theirs}, not {own}");
    };
    let keys: BTreeSet<&String> = ours.keys().chain(kept.keys()).collect();
    let differing = keys.into_iter().filter(|&key| ours.get(key) != kept.get(key));
    let one = |key: &String| {
        let text = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
        format!("{key} {}, not {}", text(kept.get(key)), text(ours.get(key)))
    };
    format!("other {what}: {}", differing.map(one).collect::<Vec<_>>().join("; "))
}

/// A run that was stopped has written the player it had come to: to go on is to replace it.
pub(super) fn print_how_to_resume(done: u64, games: u64, force: bool) {
    let command = if force { "the same command" } else { "the same command with --force" };
    tell!("stopped after {done} of {games} games; {command} goes on and writes the player again");
}

#[cfg(test)]
mod tests {
    use ishi_fuzz_targets::number_from_environment;
    use ishi_othello::Wpc;
    use ishi_othello_play::league::LeagueMember;
    use ishi_rng::Seed;
    use ishi_rng::damage::{try_damaged_copies, try_mixed_copies};

    use super::*;

    fn params(method: LearningMethod) -> TrainingParams {
        let options = match method {
            LearningMethod::Individual => "population=6,t_max=4,games=4,series=2",
            LearningMethod::Group => "population=6,t_max=4,games=4,group=3,admission=1510",
            LearningMethod::Population => "population=6,t_max=4,games=4",
            LearningMethod::HallOfFame => "population=6,games=4,group=3,opponents=2,every=2",
            LearningMethod::CmaEs => "population=6,games=4,opponents=2,every=2",
            LearningMethod::FixedOpponents => "population=6,games=4",
        };
        let (options, opponents) = (options.parse().unwrap(), Vec::new());
        TrainingParams { method, options, games: 4000, seed: Seed::new(7), opponents }
    }

    #[test]
    fn runs_go_on_as_if_they_had_not_stopped() {
        for method in [
            LearningMethod::Individual,
            LearningMethod::Group,
            LearningMethod::Population,
            LearningMethod::HallOfFame,
            LearningMethod::CmaEs,
            LearningMethod::FixedOpponents,
        ] {
            let mut whole = EvolutionTraining::start(params(method)).unwrap();
            while whole.run_generation().unwrap() {}
            let mut parts =
                EvolutionTraining::start(TrainingParams { games: 1500, ..params(method) }).unwrap();
            while parts.run_generation().unwrap() {}
            assert!(parts.games() < whole.games(), "{method}");
            let mut parts = resume_training(params(method), &training_to_text(&parts).unwrap()).unwrap();
            while parts.run_generation().unwrap() {}
            assert_eq!(training_to_text(&parts).unwrap(), training_to_text(&whole).unwrap(), "{method}");
            assert!(whole.populations() > 0 && whole.standard_score().is_some(), "{method}");
        }
    }

    #[test]
    fn other_runs_are_not_gone_on_with() {
        let kept =
            training_to_text(&EvolutionTraining::start(params(LearningMethod::Group)).unwrap()).unwrap();
        let error = |params, text: &str| resume_training(params, text).err().unwrap();
        let others = [
            (params(LearningMethod::Individual), "another method: \"group\", not \"individual\""),
            (TrainingParams { seed: Seed::new(8), ..params(LearningMethod::Group) }, "another seed: "),
            (
                TrainingParams {
                    options: "population=6,t_max=4,games=6,group=3,admission=1510".parse().unwrap(),
                    ..params(LearningMethod::Group)
                },
                "the kept run has other settings: games 4, not 6; give the same",
            ),
        ];
        for (params, text) in others {
            let error = error(params, &kept);
            assert!(error.contains(text), "{error}");
        }
        assert!(error(params(LearningMethod::Group), "{}").starts_with("this is no kept run of learning"));
        assert!(error(params(LearningMethod::Group), &kept[..kept.len() / 2]).contains("no kept run"));
        let older = kept.replacen("evolution 2", "evolution 1", 1);
        assert!(error(params(LearningMethod::Group), &older).contains("a kept run of an older ishi"));
    }

    #[test]
    fn damaged_runs_are_refused() {
        let mut training = EvolutionTraining::start(params(LearningMethod::Group)).unwrap();
        let before = training_to_text(&training).unwrap();
        training.run_generation().unwrap();
        let kept = training_to_text(&training).unwrap();
        let mutants = number_from_environment("ISHI_MUTANTS", 400);
        let check_refused = |what: &str, damaged: &[u8]| {
            let text = String::from_utf8_lossy(damaged);
            assert!(resume_training(params(LearningMethod::Group), &text).is_err(), "{what}");
        };
        try_damaged_copies(kept.as_bytes(), Seed::new(1), mutants, check_refused);
        try_mixed_copies(kept.as_bytes(), before.as_bytes(), Seed::new(1), mutants / 4, check_refused);
    }

    #[test]
    fn runs_against_other_players_are_not_gone_on_with() {
        let against = |wpc, share| TrainingParams {
            opponents: vec![FixedOpponent { member: LeagueMember::Counter(wpc), share }],
            ..params(LearningMethod::FixedOpponents)
        };
        let kept = EvolutionTraining::start(against(Wpc::standard(), 1)).unwrap();
        let kept = training_to_text(&kept).unwrap();
        assert!(resume_training(against(Wpc::standard(), 1), &kept).is_ok());
        for other in [against(Wpc::random(), 1), against(Wpc::standard(), 2)] {
            let error = resume_training(other, &kept).err().unwrap();
            assert!(error.starts_with("the kept run has another opponent: ["), "{error}");
        }
    }

    /// A file of before opponents were kept: the text of such a run stays as it was.
    #[test]
    fn texts_of_methods_without_opponents_name_none() {
        let training = EvolutionTraining::start(params(LearningMethod::Group)).unwrap();
        let text = training_to_text(&training).unwrap();
        assert!(text.starts_with("{\"format\":\"ishi-othello-evolution 2\",\"checksum\":\""), "{text}");
        assert!(text[65..].starts_with("\",\"method\":\"group\",\"options\":{"), "{text}");
        let kept: Value = serde_json::from_str(&text).unwrap();
        let keys: Vec<&str> = kept.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            ["checksum", "format", "method", "options", "populations", "seed", "standard", "state"]
        );
    }
}
