//! A deck of one's own: what to take to a picnic, where some things go well together and the basket holds eight pounds.
//!
//! `cargo run -p ishi-deck --example picnic -- POUNDS`

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It is told what to do, and says what it found.

use std::ops::ControlFlow;
use std::sync::Arc;

use ishi_deck::{
    AnswerStatus, DeckRequest, PairScoreTable, Piece, Pool, Problem, RequestError, SolverOptions,
    solve_problem,
};
use ishi_rng::Seed;

/// Names, pounds, and how good each is alone.
const THINGS: [(&str, i64, i64); 7] = [
    ("bread", 1, 4),
    ("cheese", 1, 3),
    ("wine", 3, 5),
    ("melon", 4, 6),
    ("ham", 2, 3),
    ("tea", 2, 2),
    ("cake", 2, 4),
];

/// What goes well together, and how well.
const PAIRS: [(u32, u32, i32); 4] = [(0, 1, 5), (1, 2, 6), (3, 4, 9), (5, 6, 7)];

fn fill_pool() -> Pool {
    let piece = |&(name, pounds, score): &(&str, i64, i64)| Piece {
        name: name.to_string(),
        costs: vec![pounds],
        score,
        ..Piece::default()
    };
    Pool {
        pieces: THINGS.iter().map(piece).collect(),
        resources: vec!["pounds".to_string()],
        attributes: Vec::new(),
        groups: Vec::new(),
        pairs: PairScoreTable::from_symmetric_entries(THINGS.len(), &PAIRS),
        leaders: None,
        units: 1.0,
    }
}

fn main() -> Result<(), RequestError> {
    let pounds: i64 = std::env::args().nth(1).map_or(8, |text| text.parse().expect("a whole number"));
    let request = DeckRequest { limits: vec![Some(pounds)], ..DeckRequest::with_size(1..=THINGS.len(), 1) };
    let problem = Problem::new(Arc::new(fill_pool()), &request)?;
    let options = SolverOptions { seed: Seed::new(1), gap: 0, above: None };
    let answer = solve_problem(&problem, &options, &mut |_| ControlFlow::Continue(()));
    let Some(deck) = answer.deck else {
        println!("nothing is light enough");
        return Ok(());
    };
    let names: Vec<&str> = deck.slots.iter().map(|&slot| problem.piece_name(slot)).collect();
    let proof = if answer.status == AnswerStatus::Optimal { "nothing is better" } else { "not proved" };
    println!(
        "{}: {} pounds, value {}; {proof}",
        names.join(", "),
        problem.deck_cost(&deck, 0),
        problem.deck_value(&deck)
    );
    Ok(())
}
