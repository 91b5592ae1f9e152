//! What a playout is worth: who has won it, and by how much.
//!
//! On a large board the winner of a playout is mostly chance: the scores of playouts from one position differ by 65 points
//! (standard deviation, middle game on 19x19), those of good and bad moves by a few. Who has won is one bit of that; the score says
//! a little more. The score alone would risk won games for more points. docs/notes/mcts.md has what was measured.

/// How winner and score make a reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RewardParams {
    /// Share of the reward that the score decides, 0 to 1; the rest is the winner's.
    pub score_share: f32,
    /// The same where the position is studied, not played.
    pub study_share: f32,
    /// Lead that is worth all of it, as a share of the board's points.
    pub score_scale: f32,
}

impl Default for RewardParams {
    fn default() -> Self {
        RewardParams { score_share: 0.2, study_share: 0.65, ..RewardParams::WINNER_ONLY }
    }
}

impl RewardParams {
    /// The score does not count.
    pub const WINNER_ONLY: RewardParams =
        RewardParams { score_share: 0.0, study_share: 0.0, score_scale: 0.35 };

    /// The rewards where the position is studied.
    pub(crate) fn for_study(self) -> RewardParams {
        RewardParams { score_share: self.study_share, ..self }
    }

    /// The reward of a side that has won (1; 0.5: a draw; 0: lost) with this lead after komi, on a board of so many points.
    #[inline]
    pub(crate) fn compute_reward(&self, won: f32, lead: f32, area: usize) -> f32 {
        (1.0 - self.score_share) * won + self.score_share * self.reward_of_score(lead, area)
    }

    /// The win rate behind a mean reward and a mean lead; just that, as long as no lead is beyond the scale.
    ///
    /// Without a share of the winner nothing is known of it, and the reward stands for it.
    pub(crate) fn win_rate(&self, reward: f64, lead: f64, area: usize) -> f64 {
        let winners = f64::from(1.0 - self.score_share);
        if winners == 0.0 {
            return reward;
        }
        let of_score = f64::from(self.score_share * self.reward_of_score(lead as f32, area));
        ((reward - of_score) / winners).clamp(0.0, 1.0)
    }

    /// 0 to 1: 0.5 is an even score.
    #[inline]
    fn reward_of_score(&self, lead: f32, area: usize) -> f32 {
        0.5 + 0.5 * (lead / (self.score_scale * area as f32)).clamp(-1.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winning_counts_more_than_any_score_within_the_scale() {
        let params = RewardParams::default();
        let (close, clear) = (params.compute_reward(1.0, 0.5, 361), params.compute_reward(1.0, 20.5, 361));
        assert!(clear > close && params.compute_reward(0.0, -0.5, 361) < 0.5 && close > 0.5);
        assert_eq!(params.compute_reward(1.0, 400.0, 361), 1.0);
        assert_eq!(params.compute_reward(0.0, -400.0, 361), 0.0);
        assert_eq!(RewardParams::WINNER_ONLY.compute_reward(1.0, 0.5, 361), 1.0);
    }

    #[test]
    fn points_count_more_where_a_position_is_studied() {
        let play = RewardParams::default();
        let study = play.for_study();
        let more = |params: RewardParams| {
            params.compute_reward(1.0, 40.5, 361) - params.compute_reward(1.0, 0.5, 361)
        };
        assert!(more(study) > 3.0 * more(play) && more(play) > 0.0);
        assert_eq!(RewardParams::WINNER_ONLY.for_study(), RewardParams::WINNER_ONLY);
    }

    /// 100 playouts of different leads: the mean reward gives the share that was won back.
    #[test]
    fn win_rates_are_found_behind_rewards() {
        for params in [RewardParams::default(), RewardParams::WINNER_ONLY] {
            let leads = (0..100).map(|n| n as f32 * 1.3 - 40.5);
            let (mut wins, mut sum, mut rewards) = (0.0, 0.0, 0.0);
            for lead in leads {
                let won = if lead > 0.0 { 1.0 } else { 0.0 };
                wins += f64::from(won);
                sum += f64::from(lead);
                rewards += f64::from(params.compute_reward(won, lead, 361));
            }
            let found = params.win_rate(rewards / 100.0, sum / 100.0, 361);
            assert!((found - wins / 100.0).abs() < 1e-4, "{found}");
        }
        let score_only = RewardParams { score_share: 1.0, ..RewardParams::default() };
        assert_eq!(score_only.win_rate(0.7, 10.0, 361), 0.7);
    }
}
