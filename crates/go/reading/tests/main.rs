//! The tests of `ishi-reading` that need nothing but its public face, in one executable.

mod captures;
mod closed_regions;
mod connections;
mod diagrams;
mod ladders;
mod life;
mod life_closed;
mod life_exhaustive;
mod quick;
mod races;
mod races_exhaustive;
mod seki;
