//! The methods that are measured, as `config.toml` lists them.

use ishi_deck::Problem;
use ishi_deck::search::{self, Begin, Found, Options, Order, Take, VariableDepth};
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::measure::See;
use crate::source::{Source, SourceError};

/// A method as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MethodParams {
    name: Spanned<String>,
    search: Search,
    starts: Option<Spanned<u64>>,
    #[serde(default)]
    begin: First,
    #[serde(default)]
    take: Taken,
    #[serde(default)]
    order: Tried,
    #[serde(default)]
    fresh: bool,
    depth: Option<Spanned<usize>>,
    slack: Option<Spanned<i64>>,
    #[serde(default)]
    reading: bool,
}

/// A method, checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct DeckMethod {
    pub(super) name: String,
    pub(super) search: Search,
    /// `None`: until its time is up.
    pub(super) starts: Option<u64>,
    begin: First,
    take: Taken,
    order: Tried,
    fresh: bool,
    depth: usize,
    slack: i64,
    /// Another reading of the article, measured only where a shape asks for it.
    pub(super) reading: bool,
}

/// What searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Search {
    Greedy,
    HillClimbing,
    VariableDepth,
    SwapChains,
    Annealing,
    Ours,
    Exact,
}

/// The first deck of a climb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum First {
    #[default]
    Random,
    Greedy,
}

/// Which improvement is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Taken {
    #[default]
    First,
    Best,
}

/// In which order swaps are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Tried {
    #[default]
    Shuffled,
    Listed,
    BestFirst,
}

/// Reads the list.
pub(super) fn read(source: &Source, params: &[MethodParams]) -> Result<Vec<DeckMethod>, SourceError> {
    let mut methods: Vec<DeckMethod> = Vec::new();
    for params in params {
        if methods.iter().any(|method| &method.name == params.name.get_ref()) {
            return Err(source.wrong(&params.name, "every method must have a name of its own"));
        }
        methods.push(DeckMethod::read(source, params)?);
    }
    Ok(methods)
}

impl DeckMethod {
    fn read(source: &Source, params: &MethodParams) -> Result<DeckMethod, SourceError> {
        let usual = VariableDepth::default();
        let starts = params.starts.as_ref();
        let starts = starts.map(|starts| source.within(starts, 1..=1_000_000, "1 to 1000000 starts"));
        let depth = params.depth.as_ref();
        let depth = depth.map(|depth| source.within(depth, 1..=16, "a depth must be 1 to 16"));
        let slack = params.slack.as_ref();
        let slack = slack.map(|slack| source.within(slack, 0..=1_000_000, "a slack must be 0 to 1000000"));
        Ok(DeckMethod {
            name: params.name.get_ref().clone(),
            search: params.search,
            starts: starts.transpose()?,
            begin: params.begin,
            take: params.take,
            order: params.order,
            fresh: params.fresh,
            depth: depth.transpose()?.unwrap_or(usual.depth),
            slack: slack.transpose()?.unwrap_or(usual.slack),
            reading: params.reading,
        })
    }

    /// Its name in keys, such as `hill-climbing-one-start`.
    pub(super) fn word(&self) -> String {
        self.name.to_lowercase().replace([',', '(', ')'], "").replace(' ', "-")
    }

    /// The same, from one deck to its end.
    pub(super) fn with_one_start(&self) -> DeckMethod {
        DeckMethod { starts: Some(1), ..self.clone() }
    }

    /// Does it end before its time is up?
    pub(super) fn ends_by_itself(&self) -> bool {
        matches!(self.search, Search::Greedy | Search::Exact) || self.starts.is_some()
    }

    /// Is it one climb by single swaps?
    pub(super) fn is_one_climb(&self) -> bool {
        self.search == Search::HillClimbing && self.starts == Some(1)
    }

    /// Does it climb from a deck that can be given?
    pub(super) fn climbs(&self) -> bool {
        !matches!(self.search, Search::Greedy | Search::Ours | Search::Exact)
    }

    /// Searches; `begin` counts for methods that begin at random. The exact method is not run here.
    pub(super) fn run(&self, problem: &Problem, seed: Seed, begin: Begin, see: See<'_>) -> Option<Found> {
        let begin = if self.begin == First::Greedy { Begin::Greedy } else { begin };
        let options = Options { seed, steps: u64::MAX, starts: self.starts.unwrap_or(u64::MAX), begin };
        match self.search {
            Search::Greedy => search::greedy(problem, &options, see),
            Search::HillClimbing => search::hill_climbing(problem, &options, see),
            Search::VariableDepth => search::variable_depth(problem, &options, &self.variable_depth(), see),
            Search::SwapChains => search::swap_chains(problem, &options, see),
            Search::Annealing => search::annealing(problem, &options, see),
            Search::Ours | Search::Exact => search::tabu(problem, &options, see),
        }
    }

    fn variable_depth(&self) -> VariableDepth {
        VariableDepth {
            depth: self.depth,
            slack: self.slack,
            take: match self.take {
                Taken::First => Take::First,
                Taken::Best => Take::Best,
            },
            order: match self.order {
                Tried::Shuffled => Order::Shuffled,
                Tried::Listed => Order::Listed,
                Tried::BestFirst => Order::BestFirst,
            },
            fresh: self.fresh,
        }
    }
}
