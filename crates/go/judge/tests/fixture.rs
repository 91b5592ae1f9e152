//! The training program and this crate say the same of the same positions. `python -m ishi_train check FOLDER` (in `train/`) wrote the files: a
//! small network of random weights, samples of boards of several sizes, and what PyTorch answers.

use ishi_judge::planes::POINTS;
use ishi_judge::{EvaluationMemory, Network, NetworkOutputs, Planes, SampleReader, TrainingSample};

static NETWORK: &[u8] = include_bytes!("fixture-network.bin");
static SAMPLES: &[u8] = include_bytes!("fixture-samples.bin");
static ANSWERS: &[u8] = include_bytes!("fixture-answers.bin");

/// Numbers of an answer.
const ANSWER: usize = 2 * (POINTS + 1) + 3 + POINTS;

fn samples() -> Vec<TrainingSample> {
    SampleReader::new(SAMPLES).unwrap().map(Result::unwrap).collect()
}

/// In the order of the file of answers.
fn flattened(outputs: &NetworkOutputs) -> Vec<f32> {
    let mut numbers = outputs.judge[..POINTS].to_vec();
    numbers.extend(&outputs.people[..POINTS]);
    numbers.extend([outputs.judge[POINTS], outputs.people[POINTS]]);
    numbers.extend([outputs.winner, outputs.lead, outputs.spread]);
    numbers.extend(outputs.owners);
    numbers
}

#[test]
fn rust_and_python_evaluate_alike() {
    let network = Network::from_bytes(NETWORK).unwrap();
    assert!(network.shape().blocks >= 3, "a block that pools is among them");
    let planes: Vec<Planes> = samples().iter().map(|sample| sample.planes).collect();
    let answers: Vec<f32> = ANSWERS.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    assert_eq!(answers.len(), ANSWER * planes.len());
    let mut memory = EvaluationMemory::with_instructions(ishi_judge::network::Instructions::best_exact());
    let outputs = network.evaluate(&planes, &mut memory);
    let mut largest = 0.0_f32;
    for (n, (outputs, answers)) in outputs.iter().zip(answers.chunks_exact(ANSWER)).enumerate() {
        for (at, (ours, theirs)) in flattened(outputs).into_iter().zip(answers).enumerate() {
            let error = (ours - theirs).abs();
            assert!(
                error <= 1e-3 * theirs.abs().max(1.0),
                "sample {n}, number {at}: {ours}, Python {theirs}"
            );
            largest = largest.max(theirs.abs());
        }
    }
    assert!(largest > 1.0, "the network says something");
}

/// What Python wrote, byte for byte.
#[test]
fn samples_and_network_are_written_as_python_does() {
    let mut file = ishi_judge::SampleWriter::new(Vec::new()).unwrap();
    samples().iter().for_each(|sample| file.write_sample(sample).unwrap());
    assert_eq!(file.finish().unwrap(), SAMPLES);
    assert_eq!(Network::from_bytes(NETWORK).unwrap().to_bytes(), NETWORK);
}

/// Boards of different sizes, each known in part.
#[test]
fn the_samples_differ() {
    let samples = samples();
    let mut sizes: Vec<_> =
        samples.iter().map(|sample| (sample.planes.width, sample.planes.height)).collect();
    sizes.sort();
    sizes.dedup();
    assert!(sizes.len() >= 4, "{sizes:?}");
    for sample in &samples {
        assert!(sample.policy.as_ref().is_some_and(|policy| !policy.is_empty()));
        assert_eq!(
            sample.planes.numbers[6],
            f32::from(sample.planes.width) * f32::from(sample.planes.height) / 361.0
        );
    }
}
