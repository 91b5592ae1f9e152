//! What the network says of a position, for those who use it: probabilities of legal moves, and all values from Black's side.

use ishi_go::{Color, Move, Position};

use crate::network::{EvaluationMemory, Network, NetworkOutputs};
use crate::planes::{
    BoardTooLarge, POINTS, PlaneEncoder, Planes, PositionView, forbidden_points, point_from_index,
    point_index,
};

/// A judgement of a position. Points by [`point_index`].
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkVerdict {
    /// Probabilities of the side to move's moves as a strong judge would play; the last is the pass, illegal moves have 0.
    pub judge: MovePolicy,
    /// Probabilities of moves as strong people play.
    pub people: MovePolicy,
    /// Probability that Black wins.
    pub black_wins: f32,
    /// Black's lead in points, komi included.
    pub lead: f32,
    /// Standard deviation of the score in points.
    pub spread: f32,
    /// Whose every point will be: from -1 (White's for certain) to 1 (Black's); 0 outside the board.
    pub owners: [f32; POINTS],
}

/// Probabilities of moves: points by [`point_index`], then the pass.
#[derive(Clone, Debug, PartialEq)]
pub struct MovePolicy([f32; POINTS + 1]);

impl MovePolicy {
    /// From logits of all moves: the legal ones and the pass share all the probability.
    fn from_logits(logits: &[f32; POINTS + 1], view: &PositionView) -> MovePolicy {
        let mut policy = [0.0; POINTS + 1];
        let mut most = logits[POINTS];
        for point in view.board.empty_points().filter(|&point| view.is_legal(point)) {
            // Marks it as legal for now.
            policy[point_index(point)] = 1.0;
            most = most.max(logits[point_index(point)]);
        }
        policy[POINTS] = 1.0;
        let mut sum = 0.0;
        for (share, logit) in policy.iter_mut().zip(logits).filter(|(share, _)| **share > 0.0) {
            *share = (logit - most).exp();
            sum += *share;
        }
        policy.iter_mut().for_each(|share| *share /= sum);
        MovePolicy(policy)
    }

    /// The probability of a move; 0 if it is illegal.
    pub fn move_probability(&self, mv: Move) -> f32 {
        self.0[mv.point().map_or(POINTS, point_index)]
    }

    /// All numbers, the pass at the end.
    pub fn probabilities(&self) -> &[f32; POINTS + 1] {
        &self.0
    }

    /// The moves with a probability above 0, the most probable first.
    pub fn ranked_moves(&self) -> Vec<(Move, f32)> {
        let mv = |at| if at == POINTS { Move::Pass } else { Move::Play(point_from_index(at)) };
        let shares = self.0.iter().enumerate().filter(|(_, share)| **share > 0.0);
        let mut moves: Vec<_> = shares.map(|(at, &share)| (mv(at), share)).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        moves
    }
}

impl NetworkVerdict {
    /// What a network's outputs say of the position that it saw.
    pub fn new(outputs: &NetworkOutputs, view: &PositionView) -> NetworkVerdict {
        let sign = if view.to_move == Color::Black { 1.0 } else { -1.0 };
        NetworkVerdict {
            judge: MovePolicy::from_logits(&outputs.judge, view),
            people: MovePolicy::from_logits(&outputs.people, view),
            black_wins: 1.0 / (1.0 + (-sign * outputs.winner).exp()),
            lead: sign * outputs.lead,
            spread: outputs.spread,
            owners: outputs.owners.map(|owner| sign * owner),
        }
    }
}

/// A network with the memory of a thread: judges positions one at a time.
///
/// ```
/// use ishi_go::{BoardSize, Position, Rules};
/// use ishi_judge::{NetworkJudge, Network, NetworkShape};
/// // Weights drawn at random say nothing of use.
/// let network = Network::with_random_weights(NetworkShape::new(3, 16), ishi_rng::Seed::new(1)).unwrap();
/// let mut judge = NetworkJudge::new(&network);
/// let game = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
/// let verdict = judge.judge_position(&game).unwrap();
/// assert_eq!(verdict.judge.ranked_moves().len(), 82, "all points and the pass");
/// assert!((0.0..=1.0).contains(&verdict.black_wins));
/// ```
#[derive(Clone, Debug)]
pub struct NetworkJudge<'a> {
    network: &'a Network,
    encoder: PlaneEncoder,
    memory: EvaluationMemory,
}

impl<'a> NetworkJudge<'a> {
    /// A judge with fresh memory.
    pub fn new(network: &'a Network) -> NetworkJudge<'a> {
        NetworkJudge { network, encoder: PlaneEncoder::default(), memory: EvaluationMemory::default() }
    }

    /// Judges a game's position, its side to move moving.
    ///
    /// # Errors
    /// If the board has more than 19 lines.
    pub fn judge_position(&mut self, position: &Position) -> Result<NetworkVerdict, BoardTooLarge> {
        let forbidden = forbidden_points(position);
        self.judge_view(&PositionView::from_position(position, &forbidden))
    }

    /// Judges a position.
    ///
    /// # Errors
    /// If the board has more than 19 lines.
    pub fn judge_view(&mut self, view: &PositionView) -> Result<NetworkVerdict, BoardTooLarge> {
        let mut planes = Planes::default();
        self.encoder.encode(view, &mut planes)?;
        let outputs = self.network.evaluate(&[planes], &mut self.memory);
        Ok(NetworkVerdict::new(&outputs[0], view))
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Diagram, Rules};
    use ishi_rng::Seed;

    use super::*;
    use crate::network::NetworkShape;

    fn network() -> Network {
        Network::with_random_weights(NetworkShape::new(3, 16), Seed::new(11)).unwrap()
    }

    const POSITION: &str = "
        . X . . . O .
        X X . O O . O
        . . . X O O .
        . X O . X . .
        X . X O . . .
        . X O . . X .
        . . . . . . .
    ";

    /// The same stones with colours exchanged, komi the other way round: the same to whoever is to move.
    #[test]
    fn colours_exchanged_give_the_same_the_other_way_round() {
        let network = network();
        let mut judge = NetworkJudge::new(&network);
        let exchanged: String = POSITION
            .chars()
            .map(|c| match c {
                'X' => 'O',
                'O' => 'X',
                c => c,
            })
            .collect();
        let mut verdicts =
            [(POSITION, Color::Black, 3.5), (&exchanged, Color::White, -3.5)].map(|(text, color, komi)| {
                let mut game = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, color).unwrap();
                game.set_komi(komi).unwrap();
                judge.judge_position(&game).unwrap()
            });
        let [black, white] = &mut verdicts;
        assert!((black.black_wins + white.black_wins - 1.0).abs() < 1e-6);
        assert_ne!(black.lead, 0.0);
        white.black_wins = black.black_wins;
        white.lead = -white.lead;
        white.owners = white.owners.map(|owner| -owner);
        assert_eq!(black, white);
    }

    #[test]
    fn only_legal_moves_have_a_share() {
        let network = network();
        let mut judge = NetworkJudge::new(&network);
        let mut game =
            POSITION.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::White).unwrap();
        let size = game.size();
        let suicide = Rules { suicide: true, ..Rules::JAPANESE };
        // White takes a stone in a ko.
        game.play(Color::White, size.parse_move("B3").unwrap()).unwrap();
        assert_eq!(game.board().ko_point(), size.parse_point("C3").ok());
        for (color, rules) in
            [(Color::Black, Rules::CHINESE), (Color::White, Rules::CHINESE), (Color::White, suicide)]
        {
            game.set_rules(rules);
            game.set_to_move(color);
            let verdict = judge.judge_position(&game).unwrap();
            for policy in [&verdict.judge, &verdict.people] {
                let legal: Vec<_> =
                    game.legal_moves(color).into_iter().map(Move::Play).chain([Move::Pass]).collect();
                let sum: f32 = policy.probabilities().iter().sum();
                assert!((sum - 1.0).abs() < 1e-5);
                let mut moves: Vec<_> = policy.ranked_moves().into_iter().map(|(mv, _)| mv).collect();
                assert!(policy.move_probability(moves[0]) >= policy.move_probability(moves[1]));
                moves.sort();
                let mut expected = legal.clone();
                expected.sort();
                assert_eq!(moves, expected, "{color} {rules}");
            }
        }
        let white = judge.judge_position(&game).unwrap();
        assert!(
            white.judge.move_probability(size.parse_move("A7").unwrap()) > 0.0,
            "suicide of one stone is a move here"
        );
    }

    #[test]
    fn shares_follow_the_logits() {
        let size = BoardSize::square(2).unwrap();
        let game = Position::new(size, Rules::CHINESE);
        let mut outputs = NetworkOutputs { winner: -2.0, lead: 5.0, ..NetworkOutputs::default() };
        outputs.judge[0] = 2.0_f32.ln();
        outputs.judge[POINTS] = 6.0_f32.ln() + 200.0;
        outputs.people[1] = 3.0_f32.ln();
        // A point outside the board counts for nothing.
        outputs.people[2] = 50.0;
        let verdict = NetworkVerdict::new(&outputs, &PositionView::from_position(&game, &[]));
        assert!(verdict.judge.move_probability(Move::Pass) > 0.999_999);
        let shares = ["A1", "B1", "A2", "B2", "pass"]
            .map(|text| verdict.people.move_probability(size.parse_move(text).unwrap()));
        for (share, expected) in shares.into_iter().zip([1.0, 3.0, 1.0, 1.0, 1.0]) {
            assert!((share - expected / 7.0).abs() < 1e-6, "{shares:?}");
        }
        assert!((verdict.black_wins - 0.119_203).abs() < 1e-5);
        assert_eq!(verdict.lead, 5.0);
    }
}
