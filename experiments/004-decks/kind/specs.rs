//! What is measured: the experiment as it was read, and what its tasks say.

use std::path::PathBuf;

use ishi_lab::experiment::Variant;
use ishi_mip::{InstalledSolver, MipSolver};
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};

use super::methods::DeckMethod;

/// The name of the task of the worked example.
pub(super) const EXAMPLE_NAME: &str = "example";

/// Requests of one form, checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RequestShape {
    pub(super) name: String,
    pub(super) world: WorldKind,
    /// The log of real decks, from the experiment's folder.
    pub(super) log: Option<String>,
    pub(super) pieces: usize,
    pub(super) owned: Option<usize>,
    pub(super) leading: LeadingRule,
    pub(super) fixed: usize,
    pub(super) worlds: u64,
    pub(super) cases: u64,
    /// The attribute of the deck.
    pub(super) attribute: AttributeRule,
    /// The measure of association that scores pairs of a generated world, if it is not the world's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) scores: Option<String>,
    /// Are the other readings of the article's search measured too?
    pub(super) readings: bool,
    /// Pieces outside the theme that the article counts: of the method in use, of its own.
    pub(super) article_outside: Option<[u64; 2]>,
}

/// The attribute that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AttributeRule {
    /// Ten pieces of the element of the request's theme.
    #[default]
    Theme,
    /// At most nine pieces of every element.
    Mixed,
    /// None.
    None,
}

/// Where the scores come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WorldKind {
    /// Archetypes: `ishi_deck::generate::DeckWorld`.
    Generated,
    /// Archetypes whose pieces cost 20, 10 or 5.
    Tiers,
    /// The worked example with any number of pieces and some chance: `ishi_deck::generate::trap_pool`.
    Traps,
    /// By chance.
    Random,
    /// A log of decks.
    Real,
}

/// Who leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LeadingRule {
    Nobody,
    Given,
    Free,
}

/// The experiment.
pub(super) struct DecksExperiment {
    pub(super) variant: Variant,
    pub(super) seed: Seed,
    pub(super) folder: PathBuf,
    pub(super) search_seconds: f64,
    pub(super) proof_seconds: f64,
    pub(super) example_seeds: u64,
    pub(super) deck_methods: Vec<DeckMethod>,
    pub(super) shapes: Vec<RequestShape>,
    pub(super) programmes: Vec<MipSeries>,
    pub(super) logs: Vec<String>,
    pub(super) methods: Vec<String>,
    pub(super) tested: usize,
    pub(super) installed: Vec<InstalledSolver>,
}

/// Runs of solvers of integer programmes.
pub(super) struct MipSeries {
    pub(super) solvers: Vec<MipSolver>,
    pub(super) formulation: String,
    pub(super) pieces: Vec<usize>,
    pub(super) cases: u64,
    pub(super) limit: u64,
}

/// The worked example.
#[derive(Serialize, Deserialize)]
pub(super) struct ExampleSpec {
    pub(super) variant: Variant,
    pub(super) seed: Seed,
    pub(super) seeds: u64,
    pub(super) methods: Vec<DeckMethod>,
}

/// A shape in one world.
#[derive(Serialize, Deserialize)]
pub(super) struct ShapeSpec {
    pub(super) variant: Variant,
    pub(super) seed: Seed,
    pub(super) methods: Vec<DeckMethod>,
    pub(super) shape: RequestShape,
    pub(super) world: u64,
    pub(super) search_seconds: f64,
    pub(super) proof_seconds: f64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct DeckMipSpec {
    pub(super) variant: Variant,
    pub(super) seed: Seed,
    pub(super) solver: String,
    pub(super) formulation: String,
    pub(super) pieces: usize,
    pub(super) case: u64,
    pub(super) time_limit: u64,
}

#[derive(Serialize, Deserialize)]
pub(super) struct CompletionSpec {
    pub(super) variant: Variant,
    pub(super) seed: Seed,
    pub(super) log: String,
    pub(super) split: String,
    pub(super) methods: Vec<String>,
    pub(super) decks: usize,
}
