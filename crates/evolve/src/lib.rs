//! Learning by evolution: differential evolution and its family. It knows nothing of games.
