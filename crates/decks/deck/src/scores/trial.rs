//! The methods of the completion test by name, the test as a whole, and decks completed by the deck builder.

use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;

use ishi_rng::Seed;
use ishi_work::{Progress, continue_unless};
#[cfg(feature = "serde")]
use serde::Serializer;

use super::completion::{
    CompletionQuestion, CompletionScore, HidingTask, SplitDecks, ask_questions, draw_questions,
};
use super::counts::{CountOptions, DeckCounts};
use super::fitted::{FitOptions, fit_pair_model};
use super::library::DeckLibrary;
use super::measure::{PairMeasure, ScoringOptions, places_by_card};
use super::predict::{ArchetypeModel, CardPredictor, NearestDecks, PairModel, StrayingOptions};
use super::{LearnedScores, count_decks};
use crate::answer::AnswerStatus;
use crate::pool::{Piece, PieceId, Pool};
use crate::problem::{Deck, Problem};
use crate::request::{DeckRequest, RequestError};
use crate::solve::{SolverOptions, solve_problem};
use crate::table::{MAX_SCORE, PairScoreTable};

/// How cards are named.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PredictionMethod {
    /// The cards of most decks.
    Popularity,
    /// A sum of a measure over the known cards.
    Measure(PairMeasure),
    /// EASE.
    Ease,
    /// The fitted pair model.
    Fitted,
    /// The 50 nearest decks vote.
    Nearest,
    /// Every deck an archetype.
    Archetypes,
    /// The same, younger decks counting more.
    Recent,
}

/// Pair models hold a number for all pairs of cards: of more cards than this they would take gigabytes and hours.
pub const MOST_CARDS: usize = 6_000;

/// The ridge of EASE in decks.
const RIDGE: f64 = 100.0;
/// Days after which a deck counts half.
const HALF_LIFE: f64 = 45.0;
/// Voters of [`PredictionMethod::Nearest`].
const VOTERS: usize = 50;

impl PredictionMethod {
    /// All of them.
    pub const ALL: [PredictionMethod; 12] = [
        PredictionMethod::Popularity,
        PredictionMethod::Measure(PairMeasure::Support),
        PredictionMethod::Measure(PairMeasure::Confidence),
        PredictionMethod::Measure(PairMeasure::Lift),
        PredictionMethod::Measure(PairMeasure::Pmi),
        PredictionMethod::Measure(PairMeasure::Cosine),
        PredictionMethod::Measure(PairMeasure::LogConditional),
        PredictionMethod::Ease,
        PredictionMethod::Fitted,
        PredictionMethod::Nearest,
        PredictionMethod::Archetypes,
        PredictionMethod::Recent,
    ];

    /// Its word on the command line.
    #[must_use]
    pub fn cli_word(self) -> &'static str {
        match self {
            PredictionMethod::Popularity => "popularity",
            PredictionMethod::Measure(measure) => measure.cli_word(),
            PredictionMethod::Ease => "ease",
            PredictionMethod::Fitted => "fitted",
            PredictionMethod::Nearest => "nearest",
            PredictionMethod::Archetypes => "archetypes",
            PredictionMethod::Recent => "recent",
        }
    }
}

impl PredictionMethod {
    /// Does it give the chance of every card to be in the deck?
    #[must_use]
    pub fn gives_chance(self) -> bool {
        matches!(self, PredictionMethod::Archetypes | PredictionMethod::Recent)
    }
}

impl fmt::Display for PredictionMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.cli_word())
    }
}

impl FromStr for PredictionMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<PredictionMethod, String> {
        PredictionMethod::ALL.into_iter().find(|method| method.cli_word() == text).ok_or_else(|| {
            let words: Vec<&str> = PredictionMethod::ALL.iter().map(|method| method.cli_word()).collect();
            format!("no method {text:?}: {}", words.join(", "))
        })
    }
}

/// What methods learn from: decks of cards by their places among the frequent ones.
#[derive(Clone, Debug)]
pub struct TrainingDecks {
    /// The frequent cards, by their numbers in the log, those of most decks first.
    pub cards: Vec<u32>,
    /// The place of each card of the log, where it has one.
    pub places: Vec<Option<u32>>,
    /// The decks.
    pub library: DeckLibrary,
    /// Their counts.
    pub counts: DeckCounts,
    seed: Seed,
    threads: usize,
}

impl TrainingDecks {
    /// From these decks of a library; cards of fewer than `min_support` decks are left out.
    #[must_use]
    pub fn new(
        library: &DeckLibrary,
        decks: &[usize],
        min_support: u32,
        seed: Seed,
        threads: usize,
    ) -> TrainingDecks {
        let mut of = vec![0u32; library.card_count()];
        for &card in decks.iter().flat_map(|&at| library.deck(at)) {
            of[card as usize] += 1;
        }
        let mut cards: Vec<u32> =
            (0..).zip(&of).filter(|&(_, &of)| of >= min_support.max(1)).map(|(card, _)| card).collect();
        cards.sort_by_key(|&card| (std::cmp::Reverse(of[card as usize]), card));
        let places = places_by_card(&cards);
        let library = library.restrict_to_places(decks, &places);
        let LearnedScores { counts } =
            count_decks(library.decks(), &CountOptions { threads, ..CountOptions::default() });
        TrainingDecks { cards, places, library, counts, seed, threads }
    }

    /// The pair model of a method; `None` if it is none. `observer` can stop the fit.
    pub fn learn_pair_model(
        &self,
        method: PredictionMethod,
        observer: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Option<PairModel> {
        let cards = self.cards.len();
        match method {
            PredictionMethod::Popularity => Some(PairModel::from_popularity(&self.counts, cards)),
            PredictionMethod::Measure(measure) => {
                Some(PairModel::from_measure(&self.counts, &ScoringOptions::for_measure(measure), cards))
            }
            PredictionMethod::Ease => Some(PairModel::from_ease(&self.counts, RIDGE, cards)),
            PredictionMethod::Fitted => {
                let fitting = FitOptions { threads: self.threads, ..FitOptions::new(self.seed) };
                let mut told = |Progress { done, total, .. }: Progress| {
                    observer(&format!("fitting: step {done} of {total}"))
                };
                Some(fit_pair_model(&self.library, &self.counts, cards, &fitting, &mut told))
            }
            _ => None,
        }
    }

    /// A method, ready. `observer` can stop what takes long.
    pub fn build_predictor(
        &self,
        method: PredictionMethod,
        observer: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Box<dyn CardPredictor> {
        let cards = self.cards.len();
        let archetypes = |half_life| {
            ArchetypeModel::new(
                self.library.clone(),
                cards,
                StrayingOptions { half_life, ..StrayingOptions::default() },
            )
        };
        match method {
            PredictionMethod::Nearest => Box::new(NearestDecks::new(self.library.clone(), cards, VOTERS)),
            PredictionMethod::Archetypes => Box::new(archetypes(None)),
            PredictionMethod::Recent => Box::new(archetypes(Some(HALF_LIFE))),
            pairs => Box::new(self.learn_pair_model(pairs, observer).expect("all others are pair models")),
        }
    }
}

/// Units in a score of 1, of pools that are made of models.
const UNITS: f64 = 1e5;

impl TrainingDecks {
    /// A pool of the frequent cards in which a deck scores as the pair model says: for the deck builder. `names` are those of the log's
    /// cards.
    #[must_use]
    pub fn build_pool(&self, names: &[String], model: &PairModel) -> Pool {
        let cards = self.cards.len();
        let mut cells = vec![0; cards * cards];
        for row in 0..cards {
            for column in 0..row {
                let score = score_to_units(model.mean_pair_term(row, column)) as i32;
                cells[row * cards + column] = score;
                cells[column * cards + row] = score;
            }
        }
        self.pool_with_scores(
            names,
            |card| score_to_units(model.own_term(card)),
            PairScoreTable::from_cells(cards, cells),
        )
    }

    /// A pool for decks that hold the known cards: a card's own score is how much the predictor wants it beside them (the chance that
    /// it is in the deck, for archetypes), and pairs score nothing besides. So the builder completes a deck within costs, groups
    /// and quotas as well as the predictor can, though that looks at whole decks and not at pairs.
    #[must_use]
    pub fn build_pool_beside(&self, names: &[String], predictor: &dyn CardPredictor, known: &[u32]) -> Pool {
        let mut wanted = vec![0.0; self.cards.len()];
        predictor.predict(known, &mut wanted);
        for &card in known {
            // Known cards are in every deck: what they score would only shift all values alike.
            wanted[card as usize] = 0.0;
        }
        self.pool_with_scores(
            names,
            |card| score_to_units(wanted[card]),
            PairScoreTable::empty(self.cards.len()),
        )
    }

    fn pool_with_scores(
        &self,
        names: &[String],
        score: impl Fn(usize) -> i64,
        pairs: PairScoreTable,
    ) -> Pool {
        let piece = |(place, &card): (usize, &u32)| Piece {
            name: names.get(card as usize).cloned().unwrap_or_else(|| card.to_string()),
            score: score(place),
            ..Piece::default()
        };
        Pool {
            pieces: self.cards.iter().enumerate().map(piece).collect(),
            resources: Vec::new(),
            attributes: Vec::new(),
            groups: Vec::new(),
            pairs,
            leaders: None,
            units: UNITS,
        }
    }
}

fn score_to_units(score: f64) -> i64 {
    let most = f64::from(MAX_SCORE);
    (score * UNITS).round().clamp(-most, most) as i64
}

/// What the deck builder makes of known cards.
#[derive(Clone, PartialEq, Debug)]
pub struct CompletedDeck {
    /// The cards that it adds.
    pub added: Vec<u32>,
    /// The value of the deck in units.
    pub value: i64,
    /// Is it proved that no deck is better?
    pub proved: bool,
}

/// Completes a deck of `known` and `missing` cards: the best deck of the pool that holds the known ones and no banned ones. The builder may ask `patience`
/// times whether to go on; `None` if it found no deck.
///
/// # Errors
/// If a known card is banned or not in the pool, or there are no cards at all.
pub fn complete_deck(
    pool: &Arc<Pool>,
    known: &[u32],
    missing: usize,
    banned: &[PieceId],
    seed: Seed,
    patience: u64,
) -> Result<Option<CompletedDeck>, RequestError> {
    let size = known.len() + missing.min(pool.pieces.len().saturating_sub(known.len()));
    let mut request = DeckRequest::with_size(size..=size, pool.resources.len());
    request.banned = banned.to_vec();
    request.fixed = known.iter().map(|&card| PieceId(card)).collect();
    let problem = Problem::new(Arc::clone(pool), &request)?;
    let mut asked = 0;
    let options = SolverOptions { seed, gap: 0, above: None };
    let answer = solve_problem(&problem, &options, &mut |_| {
        asked += 1;
        continue_unless(asked > patience)
    });
    let Some(Deck { slots, .. }) = &answer.deck else { return Ok(None) };
    let added =
        slots.iter().map(|&slot| problem.piece_of(slot).0).filter(|card| !known.contains(card)).collect();
    Ok(Some(CompletedDeck {
        added,
        value: answer.value.unwrap_or_default(),
        proved: answer.status == AnswerStatus::Optimal,
    }))
}

/// What is tried.
#[derive(Clone, Debug)]
pub struct CompletionTrial<'a> {
    /// The methods.
    pub methods: &'a [PredictionMethod],
    /// The tasks.
    pub tasks: &'a [HidingTask],
    /// So many of the tested decks are also given to the deck builder, for methods that are pair models (and for those that give chances, by
    /// [`TrainingDecks::build_pool_beside`]).
    pub built: usize,
    /// How often the builder may ask whether to go on, a deck.
    pub patience: u64,
    /// The seed of what is hidden.
    pub seed: Seed,
    /// Threads.
    pub threads: usize,
}

/// What a method found in a task.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TrialRow {
    /// The method.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_text"))]
    pub method: PredictionMethod,
    /// The task.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_text"))]
    pub task: HidingTask,
    /// What it found by naming the cards it wants most.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub named: CompletionScore,
    /// What the deck builder found with the method's scores, in fewer decks.
    #[cfg_attr(feature = "serde", serde(rename = "builder"))]
    pub built: Option<BuilderTrialRow>,
}

/// What the deck builder found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BuilderTrialRow {
    /// Decks.
    pub decks: usize,
    /// Decks of which it was proved that none scores more.
    pub proved: usize,
    /// Cards.
    #[cfg_attr(feature = "serde", serde(rename = "share", serialize_with = "serialize_share"))]
    pub found: CompletionScore,
    /// What the method found by itself in the same decks.
    #[cfg_attr(feature = "serde", serde(rename = "method_share", serialize_with = "serialize_share"))]
    pub named: CompletionScore,
}

#[cfg(feature = "serde")]
fn serialize_text<S: Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[cfg(feature = "serde")]
fn serialize_share<S: Serializer>(score: &CompletionScore, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(score.found_share())
}

/// The whole test: every method answers every task for the tested decks. `observer` is told what is at work; `None` if it stops
/// that.
pub fn run_trial(
    library: &DeckLibrary,
    parts: &SplitDecks,
    training: &TrainingDecks,
    trial: &CompletionTrial<'_>,
    observer: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Option<Vec<TrialRow>> {
    let mut rows = Vec::new();
    for &method in trial.methods {
        let stopped = Cell::new(false);
        let mut watch = |line: &str| {
            let flow = observer(&format!("{method}: {line}"));
            stopped.set(stopped.get() || flow.is_break());
            flow
        };
        watch("learning").continue_value()?;
        let model = training.learn_pair_model(method, &mut watch);
        // A fit that is told to stop gives the model that it has, so only this shows that it was cut short.
        if stopped.get() {
            return None;
        }
        let pool =
            model.as_ref().filter(|_| trial.built > 0).map(|model| Arc::new(training.build_pool(&[], model)));
        let predictor = match model {
            Some(model) => Box::new(model),
            None => training.build_predictor(method, &mut watch),
        };
        for &task in trial.tasks {
            let questions = draw_questions(library, parts, task, &training.places, trial.seed);
            let named = ask_questions(
                &*predictor,
                &questions,
                training.cards.len(),
                trial.threads,
                &mut |Progress { done, total, unit, .. }| watch(&format!("{done} of {total} {unit}")),
            )?;
            let few = &questions[..trial.built.min(questions.len())];
            let by_builder = !few.is_empty() && (pool.is_some() || method.gives_chance());
            let built = if by_builder {
                Some(training.try_builder(pool.as_ref(), &*predictor, few, trial, &mut watch)?)
            } else {
                None
            };
            rows.push(TrialRow { method, task, named, built });
        }
    }
    Some(rows)
}

impl TrainingDecks {
    fn try_builder(
        &self,
        pool: Option<&Arc<Pool>>,
        predictor: &dyn CardPredictor,
        questions: &[CompletionQuestion],
        trial: &CompletionTrial<'_>,
        watch: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Option<BuilderTrialRow> {
        let mut row = BuilderTrialRow { decks: questions.len(), ..BuilderTrialRow::default() };
        for (at, question) in questions.iter().enumerate() {
            watch(&format!("the builder's deck {at} of {}", questions.len())).continue_value()?;
            let beside;
            let pool = match pool {
                Some(pool) => pool,
                None => {
                    beside = Arc::new(self.build_pool_beside(&[], predictor, &question.known));
                    &beside
                }
            };
            let built =
                complete_deck(pool, &question.known, question.wanted, &[], trial.seed, trial.patience);
            let built = built.expect("known cards are in the pool");
            row.proved += usize::from(built.as_ref().is_some_and(|built| built.proved));
            row.found.add_answer(question, built.as_ref().map_or(&[], |built| &built.added));
            let wanted = super::completion::most_wanted_cards(
                predictor,
                &question.known,
                question.wanted,
                self.cards.len(),
            );
            row.named.add_answer(question, &wanted);
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::super::completion::{TestSplit, split_library};
    use super::*;

    /// Four themes of twelve cards, of which a deck has ten, in 300 decks.
    fn library() -> DeckLibrary {
        let mut rng = Seed::new(3).stream("themes", 0);
        let mut library = DeckLibrary::default();
        for at in 0..300u32 {
            let mut cards: Vec<u32> = (0..12).map(|card| at % 4 * 12 + card).collect();
            rng.shuffle(&mut cards);
            library.push(None, cards.into_iter().take(10));
        }
        library
    }

    #[test]
    fn methods_find_the_theme_and_popularity_does_not() {
        let library = library();
        let parts = split_library(&library, TestSplit::Distinct, 40, Seed::new(1), 0);
        let training = TrainingDecks::new(&library, &parts.learned, 2, Seed::new(1), 1);
        assert_eq!((training.cards.len(), training.library.len()), (48, parts.learned.len()));
        let trial = CompletionTrial {
            methods: &PredictionMethod::ALL,
            tasks: &[HidingTask::Keep(3)],
            built: 4,
            patience: 100,
            seed: Seed::new(1),
            threads: 1,
        };
        let rows =
            run_trial(&library, &parts, &training, &trial, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(rows.len(), PredictionMethod::ALL.len());
        for row in &rows {
            // Of nine cards that the theme has besides, seven are hidden: 7/9 by luck.
            let share = row.named.found_share();
            assert_eq!(row.named.hidden, 7 * 40);
            assert_eq!(share > 0.7, row.method != PredictionMethod::Popularity, "{}: {share}", row.method);
            let built = row.built.is_some_and(|built| built.decks == 4 && built.found.found_share() > 0.6);
            assert_eq!(
                built,
                !matches!(row.method, PredictionMethod::Nearest | PredictionMethod::Popularity),
                "{:?}",
                row
            );
        }
        let threads = CompletionTrial { threads: 3, ..trial };
        let again = run_trial(&library, &parts, &training, &threads, &mut |_| ControlFlow::Continue(()));
        assert_eq!(again, Some(rows));
        assert_eq!(run_trial(&library, &parts, &training, &trial, &mut |_| ControlFlow::Break(())), None);
    }

    #[test]
    fn the_builder_keeps_known_cards_and_bans() {
        let library = library();
        let all: Vec<usize> = (0..library.len()).collect();
        let training = TrainingDecks::new(&library, &all, 1, Seed::new(1), 1);
        let model = training.learn_pair_model(PredictionMethod::Measure(PairMeasure::Cosine), &mut |_| {
            ControlFlow::Continue(())
        });
        let pool = training.build_pool(&[], &model.unwrap());
        pool.check_parts().unwrap();
        let place = |card: u32| training.places[card as usize].unwrap();
        let known = [place(13), place(14)];
        let built = complete_deck(&Arc::new(pool), &known, 9, &[PieceId(place(20))], Seed::new(1), 1000)
            .unwrap()
            .unwrap();
        let mut cards: Vec<u32> = built.added.iter().map(|&card| training.cards[card as usize]).collect();
        cards.sort_unstable();
        assert_eq!(cards, [12, 15, 16, 17, 18, 19, 21, 22, 23]);
        assert!(built.proved);
        let words: Vec<PredictionMethod> =
            PredictionMethod::ALL.iter().map(|method| method.cli_word().parse().unwrap()).collect();
        assert_eq!(words, PredictionMethod::ALL);
    }
}
