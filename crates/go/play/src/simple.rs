//! Players that look at the position once and choose: no search, no report.

use ishi_go::{Color, Move, Position};
use ishi_rng::{Rng, Seed};

use ishi_engine::{Choice, Control, Engine};

/// How a [`SimplePlayer`] chooses, drawing on random numbers that follow from its seed and the number of the move.
pub(crate) type ChoiceRule = fn(&Position, Color, &Control<'_>, &mut Rng) -> Move;

/// A rule with a name and a seed.
#[derive(Clone, Debug)]
pub(crate) struct SimplePlayer {
    name: &'static str,
    rule: ChoiceRule,
    seed: Seed,
}

impl SimplePlayer {
    pub(crate) fn new(name: &'static str, rule: ChoiceRule, seed: Seed) -> Self {
        SimplePlayer { name, rule, seed }
    }
}

impl Engine for SimplePlayer {
    fn name(&self) -> &str {
        self.name
    }

    fn spec(&self) -> String {
        self.name.to_string()
    }

    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
    }

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let mut rng = self.seed.stream("move", position.moves().len() as u64);
        Choice::without_search((self.rule)(position, color, control, &mut rng))
    }
}
