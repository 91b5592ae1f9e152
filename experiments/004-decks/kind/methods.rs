//! The methods that are measured, as `config.toml` lists them.

use ishi_deck::search::{
    self, FoundDeck, SearchOptions, StartDeck, SwapChoice, SwapTryOrder, VariableDepthOptions,
};
use ishi_deck::{Problem, SolverObserver};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_rng::Seed;
use ishi_words::coded;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A method as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MethodParams {
    name: Spanned<String>,
    search: SearchKind,
    starts: Option<Spanned<u64>>,
    #[serde(default)]
    begin: FirstDeck,
    #[serde(default)]
    take: TakenImprovement,
    #[serde(default)]
    order: SwapOrder,
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
    pub(super) search: SearchKind,
    /// `None`: until its time is up.
    pub(super) starts: Option<u64>,
    begin: FirstDeck,
    take: TakenImprovement,
    order: SwapOrder,
    fresh: bool,
    depth: usize,
    slack: i64,
    /// Another reading of the article, measured only where a shape asks for it.
    pub(super) reading: bool,
}

/// What searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SearchKind {
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
enum FirstDeck {
    #[default]
    Random,
    Greedy,
}

/// Which improvement is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TakenImprovement {
    #[default]
    First,
    Best,
}

/// In which order swaps are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SwapOrder {
    #[default]
    Shuffled,
    Listed,
    BestFirst,
}

/// Reads the list.
pub(super) fn read_methods(
    source: &TomlSource,
    params: &[MethodParams],
) -> Result<Vec<DeckMethod>, SourceError> {
    let mut methods: Vec<DeckMethod> = Vec::new();
    for params in params {
        let is_new = methods.iter().all(|method| &method.name != params.name.get_ref());
        let right = coded!["lab-source-method-name", "every method must have a name of its own"];
        source.require(is_new, &params.name, right)?;
        methods.push(DeckMethod::from_params(source, params)?);
    }
    Ok(methods)
}

impl DeckMethod {
    fn from_params(source: &TomlSource, params: &MethodParams) -> Result<DeckMethod, SourceError> {
        let usual = VariableDepthOptions::default();
        let starts = params.starts.as_ref();
        let starts =
            starts.map(|starts| source.check_range(starts, 1..=1_000_000, "starts must be 1 to 1000000"));
        let depth = params.depth.as_ref();
        let depth = depth.map(|depth| source.check_range(depth, 1..=16, "a depth must be 1 to 16"));
        let slack = params.slack.as_ref();
        let slack =
            slack.map(|slack| source.check_range(slack, 0..=1_000_000, "a slack must be 0 to 1000000"));
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
    pub(super) fn key_name(&self) -> String {
        self.name.to_lowercase().replace([',', '(', ')'], "").replace(' ', "-")
    }

    /// The same, from one deck to its end.
    pub(super) fn with_one_start(&self) -> DeckMethod {
        DeckMethod { starts: Some(1), ..self.clone() }
    }

    /// Does it end before its time is up?
    pub(super) fn ends_by_itself(&self) -> bool {
        matches!(self.search, SearchKind::Greedy | SearchKind::Exact) || self.starts.is_some()
    }

    /// Is it one climb by single swaps?
    pub(super) fn is_one_climb(&self) -> bool {
        self.search == SearchKind::HillClimbing && self.starts == Some(1)
    }

    /// Does it climb from a deck that can be given?
    pub(super) fn climbs_from_given_deck(&self) -> bool {
        !matches!(self.search, SearchKind::Greedy | SearchKind::Ours | SearchKind::Exact)
    }

    /// Searches; `begin` counts for methods that begin at random. The exact method is not run here.
    pub(super) fn run_search(
        &self,
        problem: &Problem,
        seed: Seed,
        begin: StartDeck,
        see: SolverObserver<'_>,
    ) -> Option<FoundDeck> {
        let begin = if self.begin == FirstDeck::Greedy { StartDeck::Greedy } else { begin };
        let options = SearchOptions { seed, steps: u64::MAX, starts: self.starts.unwrap_or(u64::MAX), begin };
        match self.search {
            SearchKind::Greedy => search::greedy_construction(problem, &options, see),
            SearchKind::HillClimbing => search::hill_climbing(problem, &options, see),
            SearchKind::VariableDepth => {
                search::variable_depth_search(problem, &options, &self.variable_depth_options(), see)
            }
            SearchKind::SwapChains => search::climb_by_swap_chains(problem, &options, see),
            SearchKind::Annealing => search::simulated_annealing(problem, &options, see),
            SearchKind::Ours | SearchKind::Exact => search::tabu_search(problem, &options, see),
        }
    }

    fn variable_depth_options(&self) -> VariableDepthOptions {
        VariableDepthOptions {
            depth: self.depth,
            slack: self.slack,
            take: match self.take {
                TakenImprovement::First => SwapChoice::First,
                TakenImprovement::Best => SwapChoice::Best,
            },
            order: match self.order {
                SwapOrder::Shuffled => SwapTryOrder::Shuffled,
                SwapOrder::Listed => SwapTryOrder::Listed,
                SwapOrder::BestFirst => SwapTryOrder::BestFirst,
            },
            fresh: self.fresh,
        }
    }
}
