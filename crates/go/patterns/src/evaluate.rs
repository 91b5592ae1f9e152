//! How well moves of records are foretold.

use ishi_go::Move;
use ishi_work::Stop;

use crate::features::FeatureScratch;
use crate::model::StrengthModel;
use crate::records::RecordedGame;

/// How often the move played was among the first, and how probable it was held to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Positions looked at.
    pub positions: u64,
    /// Positions whose move was among the first 1, 5 and 20; of equally strong moves the played one counts last.
    pub top: [u64; 3],
    /// Sum of the logarithms of the probabilities.
    pub log_sum: f64,
}

/// The ranks that are counted.
pub const TOP: [usize; 3] = [1, 5, 20];

impl Accuracy {
    /// The shares of [`TOP`], 0 to 1.
    pub fn top_shares(&self) -> [f64; 3] {
        self.top.map(|count| count as f64 / self.positions.max(1) as f64)
    }

    /// The mean logarithm of the probability of the move played.
    pub fn log_likelihood(&self) -> f64 {
        self.log_sum / self.positions.max(1) as f64
    }

    /// Adds what was found elsewhere.
    pub fn add_counts(&mut self, other: &Accuracy) {
        self.positions += other.positions;
        for (sum, other) in self.top.iter_mut().zip(other.top) {
            *sum += other;
        }
        self.log_sum += other.log_sum;
    }
}

/// Foretells every move of the games but passes.
pub fn evaluate_model(
    model: &StrengthModel,
    games: &[RecordedGame],
    threads: usize,
    stopped: &(dyn Stop + Sync),
) -> Accuracy {
    let share = games.len().div_ceil(threads.max(1)).max(1);
    let parts: Vec<Vec<Accuracy>> = std::thread::scope(|scope| {
        let work = |part| scope.spawn(move || evaluate_games(model, part, stopped));
        let handles: Vec<_> = games.chunks(share).map(work).collect();
        handles.into_iter().map(|handle| handle.join().unwrap_or_default()).collect()
    });
    let mut sum = Accuracy::default();
    for game in parts.iter().flatten() {
        sum.add_counts(game);
    }
    sum
}

fn evaluate_games(
    model: &StrengthModel,
    games: &[RecordedGame],
    stopped: &(dyn Stop + Sync),
) -> Vec<Accuracy> {
    let (mut scratch, mut scores) = (FeatureScratch::new(), Vec::new());
    let mut found = Vec::new();
    for record in games {
        if stopped.is_requested() {
            break;
        }
        let mut accuracy = Accuracy::default();
        let mut replay = record.start_replay();
        while let Some(played) = replay.next_move(record) {
            let context = replay.context();
            scratch.prepare_position(&context);
            scores.clear();
            scores.extend(
                scratch
                    .candidates()
                    .iter()
                    .map(|&point| (point, model.score_move(&scratch, &context, point))),
            );
            accuracy.count_position(played, &scores);
            replay.play(Move::Play(played));
        }
        found.push(accuracy);
    }
    found
}

impl Accuracy {
    /// Counts one position, given the logarithms of all candidates' strengths.
    fn count_position(&mut self, played: ishi_go::Point, scores: &[(ishi_go::Point, f32)]) {
        self.positions += 1;
        let Some(&(_, score)) = scores.iter().find(|(point, _)| *point == played) else { return };
        let rank = scores.iter().filter(|&&(_, other)| other >= score).count();
        for (count, top) in self.top.iter_mut().zip(TOP) {
            *count += u64::from(rank <= top);
        }
        let all: f64 = scores.iter().map(|&(_, other)| f64::from(other - score).exp()).sum();
        self.log_sum -= all.ln();
    }
}
