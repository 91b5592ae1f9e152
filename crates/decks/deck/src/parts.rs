//! The decks of a request in parts, each of which is a request of its own, so that many programs can search for one best deck.
//!
//! Part `i` has the decks with the piece `i` of an order and none of the pieces before it. The last part has the decks with none of them. So
//! each deck is in one part. The order begins with what promises most: where that is banned, bounds are low and little is left to search.

use std::cmp::Reverse;

use crate::pool::PieceId;
use crate::problem::Problem;
use crate::request::DeckRequest;

/// The parts of a request.
///
/// ```
/// # use std::sync::Arc;
/// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, PieceId, Pool, Problem, Slot};
/// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
/// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
/// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
/// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
/// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
/// use ishi_deck::parts::DeckParts;
///
/// let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
/// let problem = Problem::new(Arc::new(pool), &request).unwrap();
/// let parts = DeckParts::new(&problem, request, 3);
/// assert_eq!(parts.count(), 3);
/// // Bee and Cat promise most.
/// assert_eq!(parts.request_of_part(0).fixed, [PieceId(1)]);
/// assert_eq!((parts.request_of_part(1).fixed, parts.request_of_part(1).banned), (vec![PieceId(2)], vec![PieceId(1)]));
/// assert_eq!(parts.request_of_part(2).banned, [PieceId(1), PieceId(2)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckParts {
    request: DeckRequest,
    /// The pieces that all parts but the last begin with.
    first: Vec<PieceId>,
}

impl DeckParts {
    /// Divides the decks of a request, whose problem is given, too, into so many parts at most. There is at least one.
    #[must_use]
    pub fn new(problem: &Problem, request: DeckRequest, most: usize) -> DeckParts {
        let mut first = order_pieces(problem);
        first.truncate(most.saturating_sub(1));
        DeckParts { request, first }
    }

    /// How many parts there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.first.len() + 1
    }

    /// What is wanted in a part. [`Problem::new`] refuses it with [`RequestError::NoLeader`](crate::RequestError::NoLeader) where no piece
    /// is left that may lead: the part has no deck then.
    ///
    /// # Panics
    /// If the part is not below [`DeckParts::count`].
    #[must_use]
    pub fn request_of_part(&self, part: usize) -> DeckRequest {
        let mut request = self.request.clone();
        request.banned.extend(&self.first[..part]);
        request.fixed.extend(self.first.get(part));
        request
    }
}

/// The pieces that may be in a deck and need not, the most promising first.
fn order_pieces(problem: &Problem) -> Vec<PieceId> {
    let mut pieces = problem.pieces().to_vec();
    pieces.dedup();
    let fixed: Vec<PieceId> = problem.fixed().iter().map(|&slot| problem.piece_of(slot)).collect();
    let free = pieces.iter().copied().filter(|piece| !fixed.contains(piece));
    let mut order: Vec<(Reverse<i64>, PieceId)> =
        free.map(|piece| (Reverse(piece_promise(problem, &pieces, piece)), piece)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, piece)| piece).collect()
}

/// What a piece scores by itself and with its best partners, as many as a deck has.
fn piece_promise(problem: &Problem, pieces: &[PieceId], piece: PieceId) -> i64 {
    let pool = problem.pool();
    let others = pieces.iter().filter(|&&other| other != piece);
    let mut scores: Vec<i32> =
        others.map(|other| pool.pairs.get(piece.index(), other.index())).filter(|&score| score > 0).collect();
    scores.sort_unstable_by_key(|&score| Reverse(score));
    let partners = problem.size().end().saturating_sub(1);
    pool.piece(piece).score + scores.iter().take(partners).map(|&score| i64::from(score)).sum::<i64>()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use ishi_rng::{Rng, Seed};

    use super::*;
    use crate::pool::{Piece, Pool};
    use crate::request::{LeaderRule, RequestError};
    use crate::solve::{SolverOptions, solve_problem};
    use crate::table::PairScoreTable;

    /// A pool of nine pieces with scores by chance, some of them below zero.
    fn draw_pool(rng: &mut Rng) -> Arc<Pool> {
        let piece = |at: u32, rng: &mut Rng| Piece {
            name: format!("piece {at}"),
            costs: vec![i64::from(rng.next_below(9)) + 1],
            score: i64::from(rng.next_below(9)) - 4,
            leader_score: i64::from(rng.next_below(5)),
            ..Piece::default()
        };
        let pieces: Vec<Piece> = (0..9).map(|at| piece(at, rng)).collect();
        let mut entries = Vec::new();
        for a in 0..9 {
            for b in 0..a {
                entries.push((b, a, rng.next_below(41) as i32 - 10));
            }
        }
        let pairs = PairScoreTable::from_symmetric_entries(9, &entries);
        let resources = vec!["cost".to_string()];
        Arc::new(Pool {
            pieces,
            resources,
            attributes: Vec::new(),
            groups: Vec::new(),
            pairs,
            leaders: None,
            units: 1.0,
        })
    }

    fn best_value(pool: &Arc<Pool>, request: &DeckRequest) -> Option<i64> {
        let problem = match Problem::new(Arc::clone(pool), request) {
            Ok(problem) => problem,
            Err(RequestError::NoLeader) => return None,
            Err(error) => panic!("{error}"),
        };
        let options = SolverOptions { seed: Seed::new(1), gap: 0, above: None };
        let answer = solve_problem(&problem, &options, &mut |_| ControlFlow::Continue(()));
        assert_eq!(answer.value, answer.bound, "proved");
        answer.value
    }

    #[test]
    fn the_best_of_all_parts_is_the_best_of_all_decks() {
        let mut rng = Seed::new(5).stream("parts", 0);
        for round in 0..40 {
            let pool = draw_pool(&mut rng);
            let mut request = DeckRequest::with_size(3..=4, 1);
            request.limits = vec![Some(6 + i64::from(rng.next_below(12)))];
            request.leader = match round % 3 {
                0 => LeaderRule::None,
                1 => LeaderRule::Any,
                _ => LeaderRule::OneOf(vec![PieceId(2), PieceId(5)]),
            };
            if round % 2 == 0 {
                request.fixed = vec![PieceId(7)];
                request.banned = vec![PieceId(0)];
            }
            if round % 5 == 0 {
                request.owned = Some((0..9).map(|at| (PieceId(at), 2)).collect());
            }
            let problem = Problem::new(Arc::clone(&pool), &request).unwrap();
            let whole = best_value(&pool, &request);
            for most in [1, 2, 4, 100] {
                let parts = DeckParts::new(&problem, request.clone(), most);
                assert!(parts.count() <= most);
                let best = (0..parts.count()).map(|part| best_value(&pool, &parts.request_of_part(part)));
                assert_eq!(best.max().flatten(), whole, "round {round}, {most} parts");
            }
        }
    }

    #[test]
    fn no_piece_that_is_fixed_or_banned_begins_a_part() {
        let pool = draw_pool(&mut Seed::new(6).stream("parts", 0));
        let mut request = DeckRequest::with_size(3..=4, 1);
        (request.fixed, request.banned) = (vec![PieceId(7)], vec![PieceId(0)]);
        let problem = Problem::new(pool, &request).unwrap();
        let parts = DeckParts::new(&problem, request, 100);
        let first: BTreeSet<PieceId> = parts.first.iter().copied().collect();
        assert_eq!(first.len(), parts.first.len(), "each of them once");
        assert_eq!(first, (1..9).filter(|&at| at != 7).map(PieceId).collect());
    }
}
