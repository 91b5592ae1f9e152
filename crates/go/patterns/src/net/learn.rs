//! Learning a [`MoveNetwork`] from records or exercises: each step looks at some positions drawn from all games, each turned at random, and moves
//! the numbers against the gradient (Adam: Kingma and Ba, 2015), with a rate that falls along a cosine.
//!
//! A step's positions are dealt to a fixed number of shards whose gradients are added in their order: so the result does not
//! depend on the number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ishi_go::{Move, Point};
use ishi_rng::checksum::{append_checksum, fnv_checksum, split_checksum};
use ishi_rng::{Rng, Seed};
use pulp::{Arch, Simd, WithSimd};

use super::backward::{BackwardChanges, BackwardPass, Lesson, Losses};
use super::forward::{Activations, TrunkKernels, run_forward};
use super::kernel::{CHANNELS, KERNEL_ROWS, TAPS, untransform_gradient};
use super::layout::{HIDDEN, INPUT_TAPS, NetworkLayout, VALUE_INPUTS, as_channels_mut};
use super::planes::{InputPlanes, turn_point};
use super::{MoveNetwork, MoveNetworkError, NetMemory, network_error};
use crate::evaluate::{Accuracy, TOP};
use crate::exercises::RecordExercise;
use crate::features::FeatureScratch;
use crate::predictor::MovePredictor;
use crate::records::RecordedGame;

/// Parts of a step that are added up one after the other.
const SHARDS: usize = 8;
/// Adam's memories of gradients and of their squares.
const MOMENTUM: f32 = 0.9;
const SQUARES: f32 = 0.999;

/// How the head of a state begins; the last character is the version.
const STATE: &str = "ishi-network-state-2";

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetParams {
    /// Residual blocks, up to [`super::MOST_BLOCKS`].
    pub blocks: usize,
    /// Positions of a step.
    pub batch: usize,
    /// Steps.
    pub steps: usize,
    /// Adam's rate at the beginning; it falls to 0.
    pub rate: f32,
    /// Weight of the winner beside the move.
    pub value_weight: f32,
}

impl Default for NetParams {
    fn default() -> Self {
        NetParams { blocks: 4, batch: 128, steps: 14_000, rate: 3e-3, value_weight: 0.3 }
    }
}

/// What a number of positions said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LessonTally {
    /// Positions.
    pub positions: u64,
    /// Those whose move was the most probable.
    pub first: u64,
    /// Sum of minus the logarithm of the probability of the move played.
    pub policy: f64,
    /// Positions of games whose winner is known.
    pub decided: u64,
    /// Sum of minus the logarithm of the winner's probability.
    pub value: f64,
}

impl LessonTally {
    fn count_lesson(&mut self, lesson: Lesson, losses: Losses) {
        self.positions += 1;
        self.first += u64::from(losses.first);
        self.policy += losses.policy;
        self.decided += u64::from(lesson.won.is_some());
        self.value += losses.value;
    }

    /// Adds what was found elsewhere.
    pub fn add_tally(&mut self, other: LessonTally) {
        self.positions += other.positions;
        self.first += other.first;
        self.policy += other.policy;
        self.decided += other.decided;
        self.value += other.value;
    }
}

/// What is learned from.
#[derive(Debug)]
pub struct Lessons<'a> {
    source: LessonSource<'a>,
    total: usize,
}

#[derive(Debug)]
enum LessonSource<'a> {
    /// Games, and where the moves of each begin in the count of all.
    Games(Vec<&'a RecordedGame>, Vec<usize>),
    Exercises(Vec<&'a RecordExercise>),
}

impl<'a> Lessons<'a> {
    /// The moves of games, those on square boards only: their positions are turned.
    pub fn from_games(games: &'a [RecordedGame]) -> Lessons<'a> {
        let games: Vec<&RecordedGame> =
            games.iter().filter(|game| game.size.width() == game.size.height()).collect();
        let mut total = 0;
        let starts = games.iter().map(|game| {
            let start = total;
            total += game.moves.len();
            start
        });
        let starts = starts.collect();
        Lessons { source: LessonSource::Games(games, starts), total }
    }

    /// The good moves of exercises on square boards, among those of their choice; nobody wins there.
    pub fn from_exercises(exercises: &'a [RecordExercise]) -> Lessons<'a> {
        let exercises: Vec<&RecordExercise> =
            exercises.iter().filter(|exercise| exercise.size.width() == exercise.size.height()).collect();
        Lessons { total: exercises.len(), source: LessonSource::Exercises(exercises) }
    }

    /// How many moves or exercises there are; those on boards that are not square do not count.
    pub fn len(&self) -> usize {
        self.total
    }

    /// Is there nothing to learn?
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Which of the two it is, as a part of a state's head; nothing for games.
    fn kind_suffix(&self) -> &'static str {
        match self.source {
            LessonSource::Games(..) => "",
            LessonSource::Exercises(_) => " exercises",
        }
    }

    /// A position drawn at random, and what it teaches; None where the record has a pass.
    fn draw_lesson(&self, rng: &mut Rng, memory: &mut LessonMemory) -> Option<Lesson> {
        let number = rng.next_index(self.total);
        let symmetry = rng.next_index(8);
        match &self.source {
            LessonSource::Games(games, starts) => {
                let game = starts.partition_point(|&start| start <= number) - 1;
                lesson_of_game(games[game], number - starts[game], symmetry, memory)
            }
            LessonSource::Exercises(exercises) => {
                Some(lesson_of_exercise(exercises[number], symmetry, rng, memory))
            }
        }
    }
}

fn lesson_of_game(
    record: &RecordedGame,
    next: usize,
    symmetry: usize,
    memory: &mut LessonMemory,
) -> Option<Lesson> {
    let mut replay = record.start_replay();
    record.moves[..next].iter().for_each(|&mv| replay.play(mv));
    let Move::Play(played) = record.moves[next] else { return None };
    let context = replay.context();
    memory.seen.fill_from_context(&context, MovePredictor::shipped(), &mut memory.scratch, &mut memory.rated);
    let played = memory.turn_planes(played, symmetry);
    Some(Lesson { played, won: record.winner.map(|winner| winner == context.to_move) })
}

/// One of the good moves.
fn lesson_of_exercise(
    exercise: &RecordExercise,
    symmetry: usize,
    rng: &mut Rng,
    memory: &mut LessonMemory,
) -> Lesson {
    let board = exercise.to_board();
    memory.seen.fill_from_context(
        &exercise.context_on(&board),
        MovePredictor::shipped(),
        &mut memory.scratch,
        &mut memory.rated,
    );
    memory.seen.choose_among(exercise.choice.iter());
    let played = exercise.good[rng.next_index(exercise.good.len())];
    Lesson { played: memory.turn_planes(played, symmetry), won: None }
}

/// A thread's memory for positions.
#[derive(Debug, Default)]
struct LessonMemory {
    scratch: FeatureScratch,
    rated: Vec<(Point, f32)>,
    seen: InputPlanes,
    planes: InputPlanes,
}

impl LessonMemory {
    /// Turns what is seen; gives where the point is then.
    fn turn_planes(&mut self, point: Point, symmetry: usize) -> usize {
        self.seen.turn_into(symmetry, &mut self.planes);
        turn_point(self.seen.point_number(point), self.seen.width, symmetry)
    }
}

/// A shard's memory.
#[derive(Debug)]
struct NetShard {
    looking: LessonMemory,
    activations: Activations,
    changes: BackwardChanges,
    gradient: Vec<f32>,
    progress: LessonTally,
}

impl NetShard {
    fn new(layout: NetworkLayout) -> NetShard {
        NetShard {
            looking: LessonMemory::default(),
            activations: Activations::for_learning(),
            changes: BackwardChanges::default(),
            gradient: vec![0.0; layout.total_count()],
            progress: LessonTally::default(),
        }
    }

    fn clear_gradients(&mut self, layout: NetworkLayout) {
        self.gradient.fill(0.0);
        self.changes.kernels.resize_with(layout.kernel_count(), || vec![[0.0; CHANNELS]; KERNEL_ROWS]);
        self.changes.kernels.iter_mut().for_each(|kernel| kernel.fill([0.0; CHANNELS]));
    }

    /// Brings the gradients of the kernels to their places.
    fn finish_gradients(&mut self, layout: NetworkLayout) {
        for (number, kernel) in self.changes.kernels.iter().enumerate() {
            untransform_gradient(kernel, as_channels_mut(&mut self.gradient[layout.kernel_range(number)]));
        }
    }
}

/// Learning under way.
#[derive(Debug)]
pub struct NetLearner<'a> {
    params: NetParams,
    lessons: Lessons<'a>,
    network: MoveNetwork,
    /// The checksum of the network that it began with, if one was given.
    origin: Option<u64>,
    seed: Seed,
    step: usize,
    back: TrunkKernels,
    shards: Vec<Mutex<NetShard>>,
    momentum: Vec<f32>,
    squares: Vec<f32>,
}

impl<'a> NetLearner<'a> {
    /// Begins to learn, with numbers drawn at random.
    pub fn new(lessons: Lessons<'a>, params: NetParams, seed: Seed) -> NetLearner<'a> {
        NetLearner::with_network(random_network(params.blocks, seed), None, lessons, params, seed)
    }

    /// Begins with what a network has learned before; the blocks are that network's. Another seed than the network's shows it other
    /// positions.
    pub fn from_network(
        network: MoveNetwork,
        lessons: Lessons<'a>,
        params: NetParams,
        seed: Seed,
    ) -> NetLearner<'a> {
        let origin = fnv_checksum(&network.to_bytes());
        let params = NetParams { blocks: network.blocks(), ..params };
        NetLearner::with_network(network, Some(origin), lessons, params, seed)
    }

    fn with_network(
        network: MoveNetwork,
        origin: Option<u64>,
        lessons: Lessons<'a>,
        params: NetParams,
        seed: Seed,
    ) -> NetLearner<'a> {
        let total = network.layout.total_count();
        NetLearner {
            params,
            lessons,
            origin,
            seed,
            step: 0,
            back: TrunkKernels::default(),
            shards: (0..SHARDS).map(|_| Mutex::new(NetShard::new(network.layout))).collect(),
            momentum: vec![0.0; total],
            squares: vec![0.0; total],
            network,
        }
    }

    /// The network as it is.
    pub fn network(&self) -> &MoveNetwork {
        &self.network
    }

    /// Steps done.
    pub fn steps_done(&self) -> usize {
        self.step
    }

    /// What a state belongs to.
    fn state_head(&self) -> String {
        let NetParams { blocks, batch, steps, rate, value_weight } = self.params;
        let (total, seed, kind) = (self.lessons.total, self.seed, self.lessons.kind_suffix());
        let origin = self.origin.map_or_else(String::new, |sum| format!(" {sum:016x}"));
        format!("{STATE} {blocks} {batch} {steps} {rate} {value_weight} {total} {seed}{kind}{origin}")
    }

    /// Where learning stands, as bytes: from them it goes on as if it had never stopped.
    pub fn save_state(&self) -> Vec<u8> {
        let head = format!("{} {}\n", self.state_head(), self.step);
        let mut bytes = head.into_bytes();
        for list in [&self.network.numbers, &self.momentum, &self.squares] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        append_checksum(&mut bytes);
        bytes
    }

    /// Goes on from a state of the same lessons, parameters and seed.
    ///
    /// # Errors
    /// If the bytes are no state, cut off, damaged, or one of something else; then nothing has changed.
    pub fn restore_state(&mut self, bytes: &[u8]) -> Result<(), MoveNetworkError> {
        let (head, numbers) = split_state(bytes)?;
        let (same, step) = head.rsplit_once(' ').unwrap_or((head, ""));
        if same != self.state_head() {
            return Err(network_error("the state belongs to other lessons, options or another seed"));
        }
        let step = step
            .parse()
            .map_err(|_| network_error(format!("the state's step must be a whole number, not {step:?}")))?;
        let total = self.network.layout.total_count();
        let numbers = read_state_numbers(numbers, total)?;
        self.network = MoveNetwork::new(self.network.layout, numbers[..total].to_vec());
        self.momentum = numbers[total..2 * total].to_vec();
        self.squares = numbers[2 * total..].to_vec();
        self.step = step;
        Ok(())
    }

    /// Is there anything left to do?
    pub fn is_done(&self) -> bool {
        self.step >= self.params.steps || self.lessons.total == 0
    }

    /// One step.
    pub fn run_step(&mut self, threads: usize) -> LessonTally {
        self.back.update_from(self.network.layout, &self.network.numbers, true);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let work = || {
                loop {
                    let shard = next.fetch_add(1, Relaxed);
                    if shard >= SHARDS {
                        return;
                    }
                    self.learn_shard(shard);
                }
            };
            for _ in 1..threads.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let progress = self.apply_gradients();
        let MoveNetwork { layout, numbers, kernels } = &mut self.network;
        kernels.update_from(*layout, numbers, false);
        self.step += 1;
        progress
    }

    /// The gradient of one shard's positions.
    fn learn_shard(&self, number: usize) {
        let mut shard = self.shards[number].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut rng = self.seed.stream("positions", (self.step * SHARDS + number) as u64);
        shard.clear_gradients(self.network.layout);
        shard.progress = LessonTally::default();
        for _ in 0..self.params.batch.div_ceil(SHARDS) {
            let Some(lesson) = self.lessons.draw_lesson(&mut rng, &mut shard.looking) else { continue };
            let losses = Arch::new().dispatch(PositionPass {
                network: &self.network,
                back: &self.back,
                value_weight: self.params.value_weight,
                lesson,
                shard: &mut shard,
            });
            shard.progress.count_lesson(lesson, losses);
        }
        shard.finish_gradients(self.network.layout);
    }

    /// Moves the numbers by the shards' gradients.
    fn apply_gradients(&mut self) -> LessonTally {
        let mut progress = LessonTally::default();
        let mut gradient = vec![0.0; self.network.layout.total_count()];
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            progress.add_tally(shard.progress);
            gradient.iter_mut().zip(&shard.gradient).for_each(|(sum, value)| *sum += value);
        }
        let count = progress.positions.max(1) as f32;
        let done = self.step as f32 / self.params.steps as f32;
        // A first hundred steps of smaller size, until the squares are known.
        let begun = ((self.step + 1) as f32 / 100.0).min(1.0);
        let rate = self.params.rate * begun * 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
        let steps = (self.step + 1) as i32;
        let (first, second) = (1.0 - MOMENTUM.powi(steps), 1.0 - SQUARES.powi(steps));
        for (((number, gradient), momentum), square) in
            self.network.numbers.iter_mut().zip(&gradient).zip(&mut self.momentum).zip(&mut self.squares)
        {
            let gradient = gradient / count;
            *momentum = MOMENTUM * *momentum + (1.0 - MOMENTUM) * gradient;
            *square = SQUARES * *square + (1.0 - SQUARES) * gradient * gradient;
            *number -= rate * (*momentum / first) / ((*square / second).sqrt() + 1e-8);
        }
        progress
    }
}

/// The head of a state without its end of line, and the bytes of its numbers.
fn split_state(bytes: &[u8]) -> Result<(&str, &[u8]), MoveNetworkError> {
    let name = &STATE.as_bytes()[..STATE.len() - 1];
    if !bytes.starts_with(name) {
        return Err(network_error(format!("not a state of learning: byte 0: it must begin with {STATE}")));
    }
    if !bytes.starts_with(STATE.as_bytes()) {
        let place = name.len();
        let problem = format!(
            "the state is that of an older or newer ishi: byte {place}: the version must be 2; begin again without it"
        );
        return Err(network_error(problem));
    }
    let content = split_checksum(bytes).map_err(|error| network_error(format!("the state: {error}")))?;
    let end = content.iter().position(|&byte| byte == b'\n').unwrap_or(content.len());
    let head = std::str::from_utf8(&content[..end]).unwrap_or_default();
    Ok((head, content.get(end + 1..).unwrap_or_default()))
}

/// The network's numbers, then their momentum and squares: `total` of each.
fn read_state_numbers(bytes: &[u8], total: usize) -> Result<Vec<f32>, MoveNetworkError> {
    if bytes.len() != 12 * total {
        let problem = format!("the state must have {} bytes of numbers, and has {}", 12 * total, bytes.len());
        return Err(network_error(problem));
    }
    let numbers: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    let is_possible = |(at, number): (usize, &f32)| number.is_finite() && (at < 2 * total || *number >= 0.0);
    match numbers.iter().enumerate().position(|entry| !is_possible(entry)) {
        None => Ok(numbers),
        Some(at) => Err(network_error(format!(
            "number {at} of the state must be a number, and not below 0 if it is a square"
        ))),
    }
}

/// A network whose trunk is drawn at random (He et al., "Delving deep into rectifiers", 2015), with blocks that begin as nothing,
/// and scores that begin as the strengths'.
fn random_network(blocks: usize, seed: Seed) -> MoveNetwork {
    let layout = NetworkLayout { blocks };
    let mut numbers = vec![0.0; layout.total_count()];
    let mut rng = seed.stream("weights", 0);
    let mut draw = |numbers: &mut [f32], inputs: f64| {
        let scale = (6.0 / inputs).sqrt();
        numbers.iter_mut().for_each(|number| *number = ((2.0 * rng.next_unit() - 1.0) * scale) as f32);
    };
    // About three of the input's rows are not zero at a point.
    draw(&mut numbers[layout.input_range()], 3.0 * INPUT_TAPS as f64);
    for block in 0..blocks {
        draw(&mut numbers[layout.kernel_range(2 * block)], (TAPS * CHANNELS) as f64);
        draw(&mut numbers[layout.kernel_range(2 * block + 1)], 100.0 * (TAPS * CHANNELS) as f64);
    }
    draw(&mut numbers[layout.policy_range()], 100.0 * CHANNELS as f64);
    draw(&mut numbers[layout.hidden_range()], VALUE_INPUTS as f64);
    draw(&mut numbers[layout.value_range()][..HIDDEN], 100.0 * HIDDEN as f64);
    // Scores are logarithms; those of the strengths are a quarter of theirs.
    numbers[layout.policy_strength_index()] = 4.0;
    MoveNetwork::new(layout, numbers)
}

/// Forward and back for one position.
struct PositionPass<'a> {
    network: &'a MoveNetwork,
    back: &'a TrunkKernels,
    value_weight: f32,
    lesson: Lesson,
    shard: &'a mut NetShard,
}

impl WithSimd for PositionPass<'_> {
    type Output = Losses;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Losses {
        let MoveNetwork { layout, numbers, kernels } = self.network;
        let NetShard { looking, activations, changes, gradient, .. } = self.shard;
        run_forward(simd, *layout, numbers, kernels, &looking.planes, activations);
        let way = BackwardPass {
            layout: *layout,
            numbers,
            back: self.back,
            planes: &looking.planes,
            lesson: self.lesson,
            value_weight: self.value_weight,
            activations,
        };
        way.run_backward(simd, changes, gradient)
    }
}

/// How well a network foretells the moves (passes left out) of one position in `every` of the games, and their winners.
pub fn evaluate_network(
    network: &MoveNetwork,
    games: &[RecordedGame],
    every: usize,
    threads: usize,
) -> (Accuracy, LessonTally) {
    let share = games.len().div_ceil(threads.max(1)).max(1);
    let parts: Vec<(Accuracy, LessonTally)> = std::thread::scope(|scope| {
        let work =
            |(n, part)| scope.spawn(move || evaluate_network_part(network, part, n * share, every.max(1)));
        let handles: Vec<_> = games.chunks(share).enumerate().map(work).collect();
        handles.into_iter().map(|handle| handle.join().unwrap_or_default()).collect()
    });
    let mut sum = (Accuracy::default(), LessonTally::default());
    for (accuracy, progress) in &parts {
        sum.0.add_counts(accuracy);
        sum.1.add_tally(*progress);
    }
    sum
}

fn evaluate_network_part(
    network: &MoveNetwork,
    games: &[RecordedGame],
    first: usize,
    every: usize,
) -> (Accuracy, LessonTally) {
    let (mut accuracy, mut sum) = (Accuracy::default(), LessonTally::default());
    let (mut memory, mut rated) = (NetMemory::default(), Vec::new());
    for (n, record) in games.iter().enumerate() {
        let mut replay = record.start_replay();
        // Different moves of different games.
        let mut number = first + n;
        while let Some(point) = replay.next_move(record) {
            if number.is_multiple_of(every) {
                let context = replay.context();
                let won = network.rate_moves(&context, MovePredictor::shipped(), &mut memory, &mut rated);
                let lesson = Lesson { played: 0, won: record.winner.map(|winner| winner == context.to_move) };
                let strength = rated.iter().find(|&&(other, _)| other == point).map_or(0.0, |&(_, s)| s);
                let total: f32 = rated.iter().map(|&(_, strength)| strength).sum();
                let rank = rated.iter().filter(|&&(other, s)| s >= strength && other != point).count();
                accuracy.positions += 1;
                for (count, top) in accuracy.top.iter_mut().zip(TOP) {
                    *count += u64::from(rank < top);
                }
                let log = f64::from((strength / total).max(1e-30).ln());
                accuracy.log_sum += log;
                let told = lesson.won.map(|side| if side { won } else { 1.0 - won });
                let value = told.map_or(0.0, |told| -f64::from(told.max(1e-30).ln()));
                sum.count_lesson(lesson, Losses { policy: -log, value, first: rank == 0 });
            }
            number += 1;
            replay.play(Move::Play(point));
        }
    }
    (accuracy, sum)
}

/// How well a network finds the good moves of exercises among their choice: the best of them counts, and of the probability all of them.
pub fn evaluate_exercises(network: &MoveNetwork, exercises: &[RecordExercise]) -> Accuracy {
    let mut accuracy = Accuracy::default();
    let (mut memory, mut rated) = (NetMemory::default(), Vec::new());
    for exercise in exercises {
        let board = exercise.to_board();
        network.rate_moves(&exercise.context_on(&board), MovePredictor::shipped(), &mut memory, &mut rated);
        rated.retain(|&(point, _)| exercise.choice.contains(point));
        let (good, others): (Vec<_>, Vec<_>) =
            rated.iter().partition(|(point, _)| exercise.good.contains(point));
        let [good_sum, other_sum] =
            [&good, &others].map(|moves| moves.iter().map(|&&(_, s)| f64::from(s)).sum::<f64>());
        let best = good.iter().map(|&&(_, strength)| strength).fold(0.0, f32::max);
        let rank = others.iter().filter(|&&&(_, strength)| strength >= best).count();
        accuracy.positions += 1;
        for (count, top) in accuracy.top.iter_mut().zip(TOP) {
            *count += u64::from(rank < top);
        }
        accuracy.log_sum += (good_sum / (good_sum + other_sum)).max(1e-30).ln();
    }
    accuracy
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Color};
    use ishi_rng::damage::{try_damaged_copies, try_mixed_copies};

    use super::*;

    /// A short game on a small board.
    fn game(seed: u64) -> RecordedGame {
        let size = BoardSize::square(7).unwrap();
        let mut rng = Seed::new(seed).stream("game", 0);
        let mut record = RecordedGame {
            id: seed.to_string(),
            line: 1,
            size,
            komi: None,
            setup: Vec::new(),
            first: Color::Black,
            moves: Vec::new(),
            winner: Some(Color::White),
            year: None,
        };
        let mut replay = record.start_replay();
        for _ in 0..20 {
            let context = replay.context();
            let legal = size.points().filter(|&point| context.board.is_legal(context.to_move, point));
            let mv = Move::Play(*rng.choose(&legal.collect::<Vec<_>>()).unwrap());
            replay.play(mv);
            record.moves.push(mv);
        }
        record
    }

    fn loss(network: &MoveNetwork, planes: &InputPlanes, lesson: Lesson, shard: &mut NetShard) -> f64 {
        shard.clear_gradients(network.layout);
        shard.looking.planes.clone_from(planes);
        let mut back = TrunkKernels::default();
        back.update_from(network.layout, &network.numbers, true);
        let losses =
            Arch::new().dispatch(PositionPass { network, back: &back, value_weight: 0.5, lesson, shard });
        shard.finish_gradients(network.layout);
        losses.policy + 0.5 * losses.value
    }

    /// Each part's gradient is what a small change of its numbers does.
    #[test]
    fn gradients_are_slopes() {
        let games = [game(1)];
        let mut network = random_network(2, Seed::new(3));
        // Larger scores, so that there is something to measure.
        network
            .numbers
            .iter_mut()
            .skip(network.layout.policy_range().start)
            .for_each(|number| *number *= 3.0);
        let lessons = Lessons::from_games(&games);
        let mut looking = LessonMemory::default();
        let lesson = lessons.draw_lesson(&mut Seed::new(5).stream("draw", 0), &mut looking).unwrap();
        let mut shard = NetShard::new(network.layout);
        loss(&network, &looking.planes, lesson, &mut shard);
        let gradient = shard.gradient.clone();
        let layout = network.layout;
        let parts = [
            layout.input_range(),
            layout.kernel_range(0),
            layout.bias_range(1),
            layout.kernel_range(3),
            layout.policy_range(),
            layout.hidden_range(),
        ];
        for part in parts {
            // The number with the steepest slope.
            let at = part.max_by(|&a, &b| gradient[a].abs().total_cmp(&gradient[b].abs())).unwrap();
            let step = 2e-3;
            let mut moved = |by: f32| {
                let mut numbers = network.numbers.clone();
                numbers[at] += by;
                loss(&MoveNetwork::new(layout, numbers), &looking.planes, lesson, &mut shard)
            };
            let slope = (moved(step) - moved(-step)) / (2.0 * f64::from(step));
            let told = f64::from(gradient[at]);
            assert!((slope - told).abs() < 0.03 * told.abs() + 1e-4, "number {at}: {told} is not {slope}");
        }
    }

    #[test]
    fn what_is_learned_foretells_and_does_not_depend_on_threads() {
        let games: Vec<RecordedGame> = (0..3).map(game).collect();
        let params = NetParams { blocks: 1, batch: 16, steps: 150, rate: 5e-3, ..NetParams::default() };
        let learn = |threads: usize| {
            let mut learner = NetLearner::new(Lessons::from_games(&games), params, Seed::new(9));
            let first = learner.run_step(threads);
            let mut last = first;
            while !learner.is_done() {
                last = learner.run_step(threads);
            }
            let mean = |progress: LessonTally| progress.policy / progress.positions as f64;
            (mean(first), mean(last), learner.network().clone())
        };
        let (first, last, network) = learn(1);
        assert!(last < 0.8 * first, "{first} fell to {last} only");
        assert_eq!(learn(3).2, network);
        // The same in two parts.
        let mut half = NetLearner::new(Lessons::from_games(&games), params, Seed::new(9));
        (0..35).for_each(|_| _ = half.run_step(2));
        let before = half.save_state();
        (0..35).for_each(|_| _ = half.run_step(2));
        let mut other = NetLearner::new(Lessons::from_games(&games), params, Seed::new(9));
        other.restore_state(&half.save_state()).unwrap();
        while !other.is_done() {
            other.run_step(1);
        }
        assert_eq!(*other.network(), network);
        let error = NetLearner::new(Lessons::from_games(&games[1..]), params, Seed::new(9))
            .restore_state(&half.save_state())
            .unwrap_err();
        assert_eq!(error.to_string(), "the state belongs to other lessons, options or another seed");
        try_damaged_copies(&half.save_state(), Seed::new(1), 100, |what, damaged| {
            assert!(other.restore_state(damaged).is_err(), "{what}");
        });
        try_mixed_copies(&half.save_state(), &before, Seed::new(1), 60, |what, mixed| {
            assert!(other.restore_state(mixed).is_err(), "{what}");
        });
        assert_eq!(*other.network(), network, "a state that is refused changes nothing");
        let older =
            half.save_state().iter().map(|&byte| if byte == b'2' { b'1' } else { byte }).collect::<Vec<u8>>();
        let error = other.restore_state(&older).unwrap_err().to_string();
        assert!(error.contains("byte 19: the version must be 2; begin again without it"), "{error}");
        let (accuracy, progress) = evaluate_network(&network, &games, 1, 2);
        assert_eq!((accuracy.positions, progress.positions, progress.decided), (60, 60, 60));
    }

    /// One good move of two, on a board where the network knows nothing: half of the probability is right, and the better one counts.
    #[test]
    fn exercises_are_measured_by_their_good_moves() {
        let text = "5x5\tbbcbdb\tbcccdc\tB\t....\t-\tbd\tbdcd\n5x5\tbbcbdb\tbcccdc\tB\t....\t-\tbdcd\tbdcd\n";
        let exercises = crate::exercises::parse_exercises(text).unwrap();
        let network = random_network(1, Seed::new(1));
        let both = evaluate_exercises(&network, &exercises[1..]);
        assert_eq!((both.positions, both.top[0]), (1, 1));
        assert!(both.log_sum.abs() < 1e-6, "all moves are good");
        let other = exercises[0].clone();
        let swapped = RecordExercise {
            good: other.choice.iter().filter(|p| !other.good.contains(p)).collect(),
            ..other.clone()
        };
        let each = [other, swapped].map(|exercise| evaluate_exercises(&network, &[exercise]));
        assert_eq!(each[0].top[0] + each[1].top[0], 1, "one of the two is first");
        let sum: f64 = each.iter().map(|accuracy| accuracy.log_sum.exp()).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{sum}");
    }

    /// The network sees the same of a position when it learns from it as when it is asked; only the choice is smaller.
    #[test]
    fn an_exercise_is_seen_as_it_is_asked() {
        let exercises =
            crate::exercises::parse_exercises("5x5\tbbcbdb\tbcccdc\tB\t....\t-\tbd\tbdcd\n").unwrap();
        let (mut learned, mut asked) = (LessonMemory::default(), LessonMemory::default());
        lesson_of_exercise(&exercises[0], 0, &mut Seed::new(1).stream("exercise", 0), &mut learned);
        let board = exercises[0].to_board();
        let context = exercises[0].context_on(&board);
        asked.seen.fill_from_context(
            &context,
            MovePredictor::shipped(),
            &mut asked.scratch,
            &mut asked.rated,
        );
        let choices = |looking: &LessonMemory| looking.seen.points.iter().filter(|seen| seen.choice).count();
        assert_eq!((choices(&learned), choices(&asked)), (2, 25 - 6));
        learned.seen.points.iter_mut().for_each(|seen| seen.choice = seen.candidate);
        assert_eq!(learned.seen.points, asked.seen.points);
    }

    /// Only the moves of the choice are pushed up and down, and a state of exercises is not one of games.
    #[test]
    fn a_good_move_is_learned_from_an_exercise() {
        // No symmetry of the board makes another move of the good one.
        let text = "5x5\tbbcb\tbcccdc\tB\t....\t-\tbd\tbdcddd\n";
        let exercises = crate::exercises::parse_exercises(text).unwrap();
        let params = NetParams { blocks: 1, batch: 16, steps: 150, rate: 5e-3, ..NetParams::default() };
        let mut learner = NetLearner::new(Lessons::from_exercises(&exercises), params, Seed::new(9));
        let before = evaluate_exercises(learner.network(), &exercises).log_sum;
        while !learner.is_done() {
            learner.run_step(1);
        }
        let after = evaluate_exercises(learner.network(), &exercises).log_sum;
        assert!(after > 0.5 * before, "{before} {after}");
        let games = [game(1)];
        assert!(
            NetLearner::new(Lessons::from_games(&games), params, Seed::new(9))
                .restore_state(&learner.save_state())
                .is_err()
        );
        let flat = RecordExercise { size: BoardSize::new(5, 7).unwrap(), ..exercises[0].clone() };
        assert!(Lessons::from_exercises(&[flat]).is_empty());
    }
}
