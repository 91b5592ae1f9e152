//! Strengths of Go moves, learned from game records: shapes and tactical features, each with a strength in the
//! generalised Bradley-Terry model, fitted by minorisation-maximisation (Coulom, "Computing Elo ratings of move patterns
//! in the game of Go", ICGA Journal 30, 2007).
