//! "Refused, or the same answer": what damage does to files from which answers come that are called exact, or that stand for long work.
//!
//! Damage is that of disks and copies ([`ishi_rng::damage`]); the files keep the checksums that they have.

use std::fmt::Write;
use std::io::Cursor;
use std::ops::ControlFlow;

use ishi_deck::generate::{DeckWorld, LEAST_PIECES, WorldOptions};
use ishi_deck_documents::pool::{TableFiles, read_pool, refuse_sibling_file, write_pool};
use ishi_deck_documents::seal_score_table;
use ishi_evolve::kept::{open_state_text, seal_state_text};
use ishi_evolve::problem::Minimize;
use ishi_evolve::{DeParams, DifferentialEvolution};
use ishi_grid::certificate::{check_certificate, parse_certificate};
use ishi_judge::{Network, SampleReader, TrainingSample};
use ishi_othello::games_index::find_position_games;
use ishi_othello::{Board, Wpc, seal_counter_text};
use ishi_othello_play::book::Book;
use ishi_othello_play::eval::file::unpack_weights;
use ishi_othello_play::eval::positions::decode_labels;
use ishi_othello_play::ntuple::NTupleNetwork;
use ishi_othello_play::practice::OpeningPractice;
use ishi_patterns::MoveNetwork;
use ishi_patterns::exercises::parse_exercises;
use ishi_patterns::joseki::packed::unpack_joseki;
use ishi_patterns::joseki::text::write_joseki;
use ishi_patterns::library::packed::unpack_library;
use ishi_patterns::library::text::write_library;
use ishi_patterns::table::{pack_models, unpack_models};
use ishi_rng::Seed;
use ishi_rng::checksum::{CHECKSUM_BYTES, append_checksum, fnv_checksum, seal_lines};
use ishi_rng::damage::{set_back_version, try_damaged_copies, try_mixed_copies};

use crate::kept::{network_learner, network_learner_of, resume_count, resume_td};
use crate::seeds;

/// What follows from a file, as bytes that are equal for equal answers; `None` if it is refused.
pub type AnswerOfFile = fn(&[u8]) -> Option<Vec<u8>>;

/// A kept file, and what is made of it.
pub struct ExactFormat {
    /// The format in words.
    pub name: &'static str,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// What the file had before, where it is written anew as work goes on.
    pub before: Option<Vec<u8>>,
    /// The answer that follows from it, or from a mutant.
    pub answer: AnswerOfFile,
}

/// What became of mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MutantTally {
    /// Refused.
    pub refused: u64,
    /// Taken, with the answer of the whole file.
    pub same: u64,
    /// Taken, with another answer: what was done to each.
    pub different: Vec<String>,
}

/// Damages the file in so many ways, and looks what is made of it. A damage that changes nothing is none, so the sum may be less. A file of an
/// older version is among them, and a quarter as many that have parts of what the file had before, if that is known.
///
/// # Panics
/// If the file as it is gives no answer.
#[must_use]
pub fn try_mutants(format: &ExactFormat, seed: Seed, number: u64) -> MutantTally {
    let whole = (format.answer)(&format.bytes);
    assert!(whole.is_some(), "{}: the file must be whole", format.name);
    let mut tally = MutantTally::default();
    let mut count = |what: &str, damaged: &[u8]| {
        let answer = (format.answer)(damaged);
        if answer.is_none() {
            tally.refused += 1;
        } else if answer == whole {
            tally.same += 1;
        } else {
            tally.different.push(what.to_string());
        }
    };
    try_damaged_copies(&format.bytes, seed, number, &mut count);
    make_older_versions(&format.bytes).iter().for_each(|older| count("of an older version", older));
    if let Some(before) = &format.before {
        try_mixed_copies(&format.bytes, before, seed, number / 4, &mut count);
    }
    tally
}

/// The file with the version before its own, with the checksum as it was and with the one that it must have at its end.
fn make_older_versions(bytes: &[u8]) -> Vec<Vec<u8>> {
    let Some(older) = set_back_version(bytes) else { return Vec::new() };
    let mut sealed = older[..older.len().saturating_sub(CHECKSUM_BYTES)].to_vec();
    append_checksum(&mut sealed);
    vec![older, sealed]
}

/// A table with a row for each format.
#[must_use]
pub fn tallies_to_text(rows: &[(&str, MutantTally)]) -> String {
    let mut text = format!("{:<28}{:>10}{:>10}{:>12}\n", "format", "refused", "the same", "different");
    for (name, MutantTally { refused, same, different }) in rows {
        let _ = writeln!(text, "{name:<28}{refused:>10}{same:>10}{:>12}", different.len());
    }
    text
}

/// The formats whose readers are in libraries. The others are held to the same in the tests beside their readers.
#[must_use]
pub fn list_exact_formats() -> Vec<ExactFormat> {
    let mut formats = list_rewritten_formats();
    let mut add = |name: &'static str, bytes: Vec<u8>, answer: AnswerOfFile| {
        formats.push(ExactFormat { name, bytes, before: None, answer })
    };
    add("certificate", seeds::make_certificate().into_bytes(), answer_certificate);
    add("evaluation of Othello", seeds::make_othello_weights(), answer_weights);
    add("piece counter", seal_counter_text(&Wpc::standard().to_string()).into_bytes(), answer_counter);
    add("index of games", seeds::make_games_index(), answer_games_index);
    add("packed joseki", seeds::make_packed_joseki(), |bytes| {
        Some(write_joseki(&unpack_joseki(bytes).ok()?).into_bytes())
    });
    add("packed patterns", seeds::make_packed_shapes(), |bytes| {
        Some(write_library(&unpack_library(bytes).ok()?).into_bytes())
    });
    add("exercises", seal_lines(EXERCISES).into_bytes(), answer_exercises);
    add("move strengths", seeds::make_move_strengths(), |bytes| {
        let (model, playouts) = unpack_models(bytes).ok()?;
        Some(pack_models(&model, &playouts))
    });
    add("network of moves", network_learner().network().to_bytes(), |bytes| {
        Some(MoveNetwork::from_bytes(bytes).ok()?.to_bytes())
    });
    add("pool of cards", write_generated_pool(), answer_pool);
    add("scores of pairs", write_pair_scores(), answer_pair_scores);
    add("network that judges", seeds::make_judge_network(), |bytes| {
        Some(Network::from_bytes(bytes).ok()?.to_bytes())
    });
    add("training sample", seeds::make_sample(), answer_sample);
    add("positions of self-play", seeds::make_self_play_position(), answer_self_play);
    formats
}

/// Formats of files that are written anew as work goes on, with what they had before.
fn list_rewritten_formats() -> Vec<ExactFormat> {
    let checkpoints = seeds::make_count_checkpoints();
    let befores = checkpoints.iter().cycle().skip(checkpoints.len() - 1);
    let mut formats: Vec<ExactFormat> = checkpoints
        .iter()
        .zip(befores)
        .map(|(bytes, before)| ExactFormat {
            name: "checkpoint of a count",
            bytes: bytes.clone(),
            before: Some(before.clone()),
            answer: answer_count,
        })
        .collect();
    let mut add = |name: &'static str, bytes: Vec<u8>, before: Vec<u8>, answer: AnswerOfFile| {
        formats.push(ExactFormat { name, bytes, before: Some(before), answer })
    };
    add("book of openings", Book::builtin().to_bytes(), Book::default().to_bytes(), |bytes| {
        Some(Book::from_bytes(bytes).ok()?.to_bytes())
    });
    let [half, whole] = [30, 60].map(seeds::make_td_checkpoint);
    let [half_network, network] = [&half, &whole].map(|checkpoint| seeds::make_othello_network(checkpoint));
    add("n-tuple network", network, half_network, |bytes| {
        Some(NTupleNetwork::from_bytes(bytes).ok()?.to_bytes())
    });
    add("checkpoint of its learning", whole, half, |bytes| Some(resume_td(bytes)?.to_checkpoint()));
    let [early, late] = [2, 5].map(run_evolution);
    add("state of an optimiser", late, early, answer_optimiser);
    let [fewer, more] = [1, 3].map(|missed| seeds::make_opening_practice(missed).into_bytes());
    add("openings that were missed", more, fewer, |bytes| {
        let practice: OpeningPractice = std::str::from_utf8(bytes).ok()?.parse().ok()?;
        Some(practice.to_string().into_bytes())
    });
    let [begun, other] = [Seed::new(1), Seed::new(2)].map(|seed| network_learner_of(seed).save_state());
    add("state of its learning", begun, other, answer_network_state);
    formats
}

const EXERCISES: &str =
    "5x5\tbbcbdb\tbcccdc\tB\t....\t-\tbd\tbdcd\n5x5\tbbcbdb\tbcccdc\tB\t....\t-\tbdcd\tbdcd\n";

/// The number of boards. Most states of a mutant that is taken are counted on from, so that this is the count itself.
fn answer_count(bytes: &[u8]) -> Option<Vec<u8>> {
    let counts = resume_count(bytes.to_vec()).ok()?;
    Some(format!("{} {:?}", counts.empties, counts.boards).into_bytes())
}

/// The claim, if it is proved.
fn answer_certificate(bytes: &[u8]) -> Option<Vec<u8>> {
    let certificate = parse_certificate(std::str::from_utf8(bytes).ok()?).ok()?;
    let verdict = check_certificate(&certificate, &mut |_| ControlFlow::Continue(())).ok()?;
    let claim = format!("{}x{} {}", certificate.width, certificate.height, certificate.empties);
    verdict.is_accepted().then_some(claim.into_bytes())
}

/// The weights, as a checksum: they are many.
fn answer_weights(bytes: &[u8]) -> Option<Vec<u8>> {
    let weights = unpack_weights(bytes).ok()?;
    let numbers: Vec<u8> = weights.iter().flatten().flat_map(|weight| weight.to_le_bytes()).collect();
    Some(fnv_checksum(&numbers).to_le_bytes().to_vec())
}

/// What is known of the start and of what follows from it move by move. All its places are read.
fn answer_games_index(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut answers, mut boards) = (Vec::new(), vec![Board::START]);
    while let Some(board) = boards.pop() {
        let found = find_position_games(&mut Cursor::new(bytes), board, 9).ok()?;
        boards.extend(found.moves.iter().map(|played| board.play_unchecked(played.square)));
        answers.extend(format!("{found:?}").into_bytes());
    }
    (answers.len() > 500).then_some(answers)
}

fn write_generated_pool() -> Vec<u8> {
    let world = DeckWorld::new(Seed::new(1), WorldOptions::for_pieces(LEAST_PIECES));
    write_pool(&world.build_pool(), Some("of a world")).into_bytes()
}

/// The whole pool: every score of it may change a deck.
fn answer_pool(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = read_pool("pool.json", bytes, &refuse_sibling_file, &TableFiles::default()).ok()?;
    let copies = format!("{:?}", file.copies);
    Some([write_pool(&file.pool, file.name.as_deref()), copies].concat().into_bytes())
}

/// Cards of the table of [`write_pair_scores`].
const CARDS: u32 = 12;

fn write_pair_scores() -> Vec<u8> {
    let mut table = "a,b,score,both\n".to_string();
    for a in 0..CARDS {
        for b in a + 1..CARDS {
            let _ = writeln!(table, "card {a},card {b},{}.25,{b}", a * b);
        }
    }
    seal_score_table(table).expect("it is CSV").into_bytes()
}

/// The pool with these scores of pairs.
fn answer_pair_scores(bytes: &[u8]) -> Option<Vec<u8>> {
    let pieces: Vec<String> = (0..CARDS).map(|card| format!("{{\"name\": \"card {card}\"}}")).collect();
    let pool = format!("{{\"pieces\": [{}], \"pairs\": \"pairs.csv\"}}", pieces.join(","));
    let beside = |_: &str| Ok(bytes.to_vec());
    let file = read_pool("pool.json", pool.as_bytes(), &beside, &TableFiles::default()).ok()?;
    Some(write_pool(&file.pool, None).into_bytes())
}

fn answer_counter(bytes: &[u8]) -> Option<Vec<u8>> {
    let counter: Wpc = std::str::from_utf8(bytes).ok()?.parse().ok()?;
    Some(counter.to_string().into_bytes())
}

/// Who learns from no exercises at all is refused (`ishi go learn-network`).
fn answer_exercises(bytes: &[u8]) -> Option<Vec<u8>> {
    let exercises = parse_exercises(std::str::from_utf8(bytes).ok()?).ok()?;
    if exercises.is_empty() {
        return None;
    }
    let lines: Vec<String> = exercises.iter().map(ToString::to_string).collect();
    Some(lines.join("\n").into_bytes())
}

/// Who learns from no samples at all is refused (`train/`).
fn answer_sample(bytes: &[u8]) -> Option<Vec<u8>> {
    let samples: Vec<TrainingSample> = SampleReader::new(bytes).ok()?.collect::<Result<_, _>>().ok()?;
    let records: Vec<u8> = samples.iter().flat_map(TrainingSample::to_record).collect();
    (!records.is_empty()).then_some(records)
}

/// A file without positions is that of work which was killed as it began.
fn answer_self_play(bytes: &[u8]) -> Option<Vec<u8>> {
    let labels = decode_labels(bytes).ok().filter(|labels| !labels.is_empty())?;
    let rows = labels.iter().map(|(game, sample)| format!("{game} {:?} {}\n", sample.board, sample.score));
    Some(rows.collect::<String>().into_bytes())
}

fn evolution_params() -> DeParams {
    DeParams { population: 8, ..DeParams::new(3) }
}

/// The state of a run after so many generations, as it is kept.
fn run_evolution(generations: u64) -> Vec<u8> {
    let mut run = DifferentialEvolution::start(evolution_params(), Seed::new(3)).expect("good parameters");
    let mut sphere = Minimize(|point: &[f64]| point.iter().map(|number| number * number).sum::<f64>());
    for _ in 0..generations {
        run.run_generation(&mut sphere).expect("a generation");
    }
    seal_state_text(&serde_json::to_string(run.state()).expect("a state is JSON")).into_bytes()
}

fn answer_optimiser(bytes: &[u8]) -> Option<Vec<u8>> {
    let state = serde_json::from_str(open_state_text(std::str::from_utf8(bytes).ok()?).ok()?).ok()?;
    let run = DifferentialEvolution::resume(evolution_params(), state).ok()?;
    serde_json::to_vec(run.state()).ok()
}

fn answer_network_state(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut learner = network_learner();
    learner.restore_state(bytes).ok()?;
    Some(learner.save_state())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tally itself finds what it is there for: a format without a checksum takes other contents.
    #[test]
    fn an_answer_that_is_another_is_told() {
        let format = ExactFormat {
            name: "a number without a checksum",
            bytes: b"1234567890 # boards".to_vec(),
            before: Some(b"1234567889 # boards".to_vec()),
            answer: |bytes| {
                let number = std::str::from_utf8(bytes).ok()?.split(' ').next()?.parse::<u64>().ok()?;
                Some(number.to_string().into_bytes())
            },
        };
        let tally = try_mutants(&format, Seed::new(1), 300);
        assert!(tally.refused > 20 && tally.same > 20 && tally.different.len() > 20, "{tally:?}");
        let table = tallies_to_text(&[(format.name, tally.clone())]);
        assert!(table.ends_with(&format!("{:>12}\n", tally.different.len())), "{table}");
    }
}
