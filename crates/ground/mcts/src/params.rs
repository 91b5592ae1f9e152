//! Parameters of the tree.

use std::fmt;

/// How the next child is chosen. Rates are those of the side to move, `n` are the visits of the node, `n_i` those of the
/// child, `C` is [`TreeParams::exploration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Selection {
    /// UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine Learning 47,
    /// 2002, figure 1): `rate + C sqrt(2 ln n / n_i)`. `C` = 1 is theirs; it multiplies the root with the 2 in it.
    Ucb1,
    /// UCB1-tuned (the same, section 4): `rate + C sqrt(ln n / n_i min(1/4, V + sqrt(2 ln n / n_i)))`, with the variance
    /// `V = rate (1 - rate)`: that of rewards 0 and 1, and the most it can be for rewards between. `C` = 1 is theirs.
    Ucb1Tuned,
    /// The rate mixed with the AMAF rate (Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in
    /// computer Go", Artificial Intelligence 175, 2011, section 4): `(1 - beta) rate + beta amaf + C sqrt(2 ln n / (n_i + 1))`
    /// with `beta = m / (n_i + m + 4 n_i m b^2)`, `m` AMAF playouts, and `b` [`TreeParams::rave_bias`].
    Rave,
    /// PUCT as in AlphaGo (Silver et al., "Mastering the game of Go without human knowledge", Nature 550, 2017):
    /// `rate + C prior sqrt(n) / (1 + n_i)`. The rate of a child without visits and opinion is the first-play urgency.
    Puct,
}

/// How the move to play is chosen at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum FinalMove {
    /// The child with most visits.
    Visits,
    /// The child with the highest win rate among those with [`TreeParams::final_share`] of the most visits.
    WinRate,
    /// The child with the highest lower confidence bound of its win rate (Wilson's interval with [`TreeParams::lcb_z`]), among
    /// the same.
    Lcb,
}

/// Which statistics the opinion of a [`crate::Candidate`] starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Opinion {
    /// AMAF under [`Selection::Rave`], otherwise the rate.
    Auto,
    /// The rate: as if `weight` playouts (rounded to a whole number, at most 65535) had brought `value` each.
    Rate,
    /// AMAF: as if `weight` AMAF playouts had. Only [`Selection::Rave`] looks at it.
    Amaf,
    /// Both.
    Both,
}

/// Parameters of a [`crate::Tree`].
///
/// The paper's plain UCB, `X + C sqrt(2 ln n / n_u)` with C = 1.5 and expansion of a leaf when its playouts exceed 30:
///
/// ```
/// use ishi_mcts::{FinalMove, TreeParams, Selection};
/// let plain = TreeParams {
///     selection: Selection::Ucb1,
///     exploration: 1.5,
///     expand_at: 30,
///     final_move: FinalMove::WinRate,
///     final_share: 0.0,
///     ..TreeParams::default()
/// };
/// assert!(plain.check().is_ok());
/// let wrong = TreeParams { amaf_horizon: 1.5, ..plain };
/// assert_eq!(wrong.check().unwrap_err().to_string(), "amaf_horizon = 1.5: it must be a number from 0 to 1");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TreeParams {
    /// How the next child is chosen. Default: RAVE.
    pub selection: Selection,
    /// Exploration constant C of the selection rule, in units of the reward; 0 or more. Default: 0, as in MoGo with RAVE
    /// (Gelly and Silver 2011, section 5).
    pub exploration: f32,
    /// Value of a child without visits and without opinion, 0 or more (first-play urgency, Gelly and Wang, "Exploration
    /// exploitation in Go: UCT for Monte-Carlo Go", 2006). Above 1 (and above what exploration adds): every child is tried
    /// once first. Default: 1.1. With [`Selection::Puct`] rather below 1/2.
    pub first_play_urgency: f32,
    /// RAVE: the constant b of the schedule, the presumed bias of AMAF, in units of the reward; above 0. The rate has the
    /// weight of AMAF after about `1 / (4 b^2)` playouts. Default: 0.02.
    pub rave_bias: f32,
    /// RAVE: share of the playout's moves that count for AMAF, from its start, 0 to 1. Default: 1.
    pub amaf_horizon: f32,
    /// RAVE: what the weight of a playout's move loses from the first to the last that counts, 0 to 1. Default: 0, all alike.
    /// Moves in the tree weigh 1.
    pub amaf_fade: f32,
    /// RAVE: children beyond those considered (see `widening_start`) that gather AMAF too, so that something is known of them
    /// when their time comes. More of them cost time. Default: 16.
    pub amaf_margin: u32,
    /// Which statistics opinions start. Default: AMAF under RAVE, otherwise the rate.
    pub opinion: Opinion,
    /// Progressive bias (Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008): this times
    /// `prior / (1 + n_i)` is added; 0 or more. Default: 0.
    pub bias: f32,
    /// Progressive bias: it is multiplied by the visits of the node to this power, 0 to 1. 0 is Chaslot's, 1/2 makes it
    /// PUCT's exploration, beside whatever selection rule. Default: 0.
    pub bias_growth: f32,
    /// Progressive widening (Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007, section 4; the same
    /// as progressive unpruning in Chaslot et al.): children, by prior, considered before any growth; 0: all at once, always.
    /// Default: 0.
    pub widening_start: u32,
    /// Progressive widening: the k-th further child (k = 0, 1, ...) is considered from `widening_visits *
    /// widening_growth^k` visits of the node on; 1 or more. Default: 1.4 (Coulom's).
    pub widening_growth: f32,
    /// See `widening_growth`; visits, above 0. Default: 40 (Coulom's).
    pub widening_visits: f32,
    /// A leaf with this many playouts is expanded when the next one comes, which then goes on to a child: 30 is "when its
    /// playouts exceed 30". At most one node is expanded on the way of a playout, not counting the root. Default: 8.
    pub expand_at: u32,
    /// Lost playouts that a thread pretends on its way, in search with several threads (Chaslot, Winands and van den Herik,
    /// "Parallel Monte-Carlo tree search", 2008), 0 to 255. Default: 1.
    pub virtual_loss: u32,
    /// How the move to play is chosen. Default: visits.
    pub final_move: FinalMove,
    /// A child can be chosen by rate or bound if it has at least this share of the visits of the most visited, 0 to 1; 0: if
    /// it has any visits. Default: 0.1.
    pub final_share: f32,
    /// Standard deviations of the lower confidence bound, 0 or more. Default: 1.645, which is 95 % on one side.
    pub lcb_z: f32,
    /// Stop when no further playout can change the choice. Default: yes.
    pub stop_when_settled: bool,
    /// Playouts of a search before which it does not stop for that, for domains that learn more from them than the choice.
    /// Default: 0.
    pub settle_after: u32,
    /// Most memory for nodes, in bytes, at 32 bytes a node; at least 1024. When it is full, the least visited half is
    /// dropped. Default: 512 MiB.
    pub memory: usize,
}

impl Default for TreeParams {
    fn default() -> TreeParams {
        TreeParams {
            selection: Selection::Rave,
            exploration: 0.0,
            first_play_urgency: 1.1,
            rave_bias: 0.02,
            amaf_horizon: 1.0,
            amaf_fade: 0.0,
            amaf_margin: 16,
            opinion: Opinion::Auto,
            bias: 0.0,
            bias_growth: 0.0,
            widening_start: 0,
            widening_growth: 1.4,
            widening_visits: 40.0,
            expand_at: 8,
            virtual_loss: 1,
            final_move: FinalMove::Visits,
            final_share: 0.1,
            lcb_z: 1.645,
            stop_when_settled: true,
            settle_after: 0,
            memory: 512 << 20,
        }
    }
}

impl TreeParams {
    /// Are all values in their ranges?
    ///
    /// ```
    /// use ishi_mcts::TreeParams;
    /// assert!(TreeParams::default().check().is_ok());
    /// assert!(TreeParams { exploration: -1.0, ..TreeParams::default() }.check().is_err());
    /// ```
    ///
    /// # Errors
    /// Names the first that is not, its value, and the range.
    pub fn check(&self) -> Result<(), TreeParamsError> {
        let from_zero = "a number that is 0 or more";
        let share = "a number from 0 to 1";
        let checks = [
            ("exploration", self.exploration, 0.0..=f32::MAX, from_zero),
            ("first_play_urgency", self.first_play_urgency, 0.0..=f32::MAX, from_zero),
            ("rave_bias", self.rave_bias, 1e-6..=100.0, "a number from 0.000001 to 100"),
            ("amaf_horizon", self.amaf_horizon, 0.0..=1.0, share),
            ("amaf_fade", self.amaf_fade, 0.0..=1.0, share),
            ("bias", self.bias, 0.0..=f32::MAX, from_zero),
            ("bias_growth", self.bias_growth, 0.0..=1.0, share),
            ("widening_growth", self.widening_growth, 1.0..=f32::MAX, "a number that is 1 or more"),
            ("widening_visits", self.widening_visits, f32::MIN_POSITIVE..=f32::MAX, "a number above 0"),
            ("final_share", self.final_share, 0.0..=1.0, share),
            ("lcb_z", self.lcb_z, 0.0..=f32::MAX, from_zero),
        ];
        for (name, value, range, expected) in checks {
            if !range.contains(&value) {
                return Err(TreeParamsError { name, value: value.to_string(), expected });
            }
        }
        if self.virtual_loss > 255 {
            let value = self.virtual_loss.to_string();
            return Err(TreeParamsError {
                name: "virtual_loss",
                value,
                expected: "a whole number from 0 to 255",
            });
        }
        if self.memory < 1024 {
            let value = self.memory.to_string();
            return Err(TreeParamsError { name: "memory", value, expected: "1024 bytes or more" });
        }
        Ok(())
    }
}

/// A parameter is out of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeParamsError {
    /// The field of [`TreeParams`].
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// What would be right.
    pub expected: &'static str,
}

impl fmt::Display for TreeParamsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: it must be {}", self.name, self.value, self.expected)
    }
}

impl std::error::Error for TreeParamsError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(params: TreeParams) -> String {
        params.check().unwrap_err().to_string()
    }

    #[test]
    fn defaults_are_in_range() {
        assert_eq!(TreeParams::default().check(), Ok(()));
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let base = TreeParams::default;
        assert_eq!(
            complaint(TreeParams { exploration: -1.0, ..base() }),
            "exploration = -1: it must be a number that is 0 or more"
        );
        assert_eq!(
            complaint(TreeParams { widening_growth: f32::NAN, ..base() }),
            "widening_growth = NaN: it must be a number that is 1 or more"
        );
        assert_eq!(
            complaint(TreeParams { memory: 1, ..base() }),
            "memory = 1: it must be 1024 bytes or more"
        );
        assert_eq!(
            complaint(TreeParams { virtual_loss: 256, ..base() }),
            "virtual_loss = 256: it must be a whole number from 0 to 255"
        );
    }
}
