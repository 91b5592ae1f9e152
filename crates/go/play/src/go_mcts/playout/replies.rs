//! Last good replies with forgetting: LGRF-1 and LGRF-2.
//!
//! Source: H. Baier, P. Drake, "The power of forgetting: improving the last-good-reply policy in Monte Carlo Go" (IEEE TCIAIG
//! 2, 2010). After a playout the winner's answers are kept, by the move (LGRF-1) or the two moves (LGRF-2) that they answered,
//! and the loser's are forgotten.

use ishi_go::{Color, Point};
use ishi_mcts::Action;

/// Entries of the table of answers to two moves, for each colour; pairs share entries.
const PAIRS: usize = 1 << 16;

/// No reply.
const NONE: u16 = 0;

/// The replies that one thread has learned.
#[derive(Clone, Debug)]
pub(crate) struct ReplyTable {
    /// How many moves are looked back: 0 (off), 1 or 2.
    order: u32,
    /// By colour and last move.
    single: [Vec<u16>; 2],
    /// By colour and a hash of the last two moves: those two, and the reply.
    double: [Vec<[u16; 3]>; 2],
}

impl ReplyTable {
    pub(crate) fn new(order: u32) -> ReplyTable {
        let pairs = if order >= 2 { PAIRS } else { 0 };
        let single = || vec![NONE; if order >= 1 { Point::INDICES } else { 0 }];
        ReplyTable {
            order,
            single: [single(), single()],
            double: [vec![[NONE; 3]; pairs], vec![[NONE; 3]; pairs]],
        }
    }

    fn pair_slot(before: u16, last: u16) -> usize {
        (u32::from(before) << 16 | u32::from(last)).wrapping_mul(0x9e37_79b1) as usize >> 16
    }

    /// What `color` is to answer; the move need not be legal. Passes are [`Action`] 0 and have no reply.
    pub(crate) fn get(&self, color: Color, before: Action, last: Action) -> Option<Point> {
        if self.order == 0 || last.0 == 0 {
            return None;
        }
        let mut reply = NONE;
        if self.order >= 2 {
            let [first, second, answer] = self.double[color.index()][Self::pair_slot(before.0, last.0)];
            if [first, second] == [before.0, last.0] {
                reply = answer;
            }
        }
        if reply == NONE {
            reply = self.single[color.index()][last.0 as usize];
        }
        (reply != NONE).then(|| Point::from_index(reply.into()))
    }

    /// Learns from a playout: `moves` with the two moves before them, the first of the rest by `color`.
    pub(crate) fn learn_playout(&mut self, moves: &[Action], color: Color, winner: Option<Color>) {
        let Some(winner) = winner.filter(|_| self.order > 0) else {
            return;
        };
        let mut side = color;
        for window in moves.windows(3) {
            self.learn_reply([window[0].0, window[1].0], window[2].0, side, side == winner);
            side = !side;
        }
    }

    fn learn_reply(&mut self, [before, last]: [u16; 2], reply: u16, side: Color, good: bool) {
        if last == NONE || reply == NONE {
            return;
        }
        let single = &mut self.single[side.index()][last as usize];
        if good {
            *single = reply;
        } else if *single == reply {
            *single = NONE;
        }
        if self.order >= 2 {
            let double = &mut self.double[side.index()][Self::pair_slot(before, last)];
            if good {
                *double = [before, last, reply];
            } else if *double == [before, last, reply] {
                *double = [NONE; 3];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(numbers: &[u16]) -> Vec<Action> {
        numbers.iter().copied().map(Action).collect()
    }

    #[test]
    fn the_winners_answers_are_kept_and_the_losers_forgotten() {
        for order in [1, 2] {
            let mut replies = ReplyTable::new(order);
            let game = moves(&[40, 41, 42, 43, 44]);
            replies.learn_playout(&game, Color::Black, Some(Color::Black));
            assert_eq!(replies.get(Color::Black, Action(40), Action(41)), Some(Point::from_index(42)));
            assert_eq!(replies.get(Color::White, Action(41), Action(42)), None, "the loser's");
            assert_eq!(replies.get(Color::Black, Action(42), Action(43)), Some(Point::from_index(44)));
            replies.learn_playout(&game, Color::Black, Some(Color::White));
            assert_eq!(replies.get(Color::Black, Action(40), Action(41)), None, "forgotten");
            assert_eq!(replies.get(Color::White, Action(41), Action(42)), Some(Point::from_index(43)));
        }
    }

    /// Two moves back decide where they are known, the last alone elsewhere.
    #[test]
    fn two_moves_go_before_one() {
        let mut replies = ReplyTable::new(2);
        replies.learn_playout(&moves(&[50, 41, 42]), Color::Black, Some(Color::Black));
        replies.learn_playout(&moves(&[60, 41, 43]), Color::Black, Some(Color::Black));
        assert_eq!(replies.get(Color::Black, Action(50), Action(41)), Some(Point::from_index(42)));
        assert_eq!(replies.get(Color::Black, Action(70), Action(41)), Some(Point::from_index(43)));
    }

    #[test]
    fn passes_draws_and_order_0_teach_nothing() {
        let mut replies = ReplyTable::new(2);
        replies.learn_playout(&moves(&[50, 0, 42, 0]), Color::Black, Some(Color::Black));
        replies.learn_playout(&moves(&[50, 41, 42]), Color::Black, None);
        assert_eq!(replies.get(Color::Black, Action(50), Action(41)), None);
        assert_eq!(replies.get(Color::Black, Action(50), Action(0)), None);
        let mut off = ReplyTable::new(0);
        off.learn_playout(&moves(&[50, 41, 42]), Color::Black, Some(Color::Black));
        assert_eq!(off.get(Color::Black, Action(50), Action(41)), None);
    }
}
