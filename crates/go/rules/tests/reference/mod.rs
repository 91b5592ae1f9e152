//! The oracle of these tests: the rules of Go written down a second time, plainly and slowly. Stones in a grid, chains
//! by flood fill, repetition by comparing whole boards. It shares with the crate only the words [`Color`] and
//! [`KoRule`].

#![allow(dead_code, unreachable_pub)]

use ishi_go::{Color, KoRule};

/// A column and a row, from 0.
pub type Spot = (usize, usize);

/// Stones by row and column.
pub type Stones = Vec<Vec<Option<Color>>>;

/// Why the oracle refuses a move, in the order in which it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Occupied,
    Suicide,
    Ko,
    /// The move that made the repeated board; 0 is the setup.
    Superko(usize),
}

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub struct Oracle {
    pub width: usize,
    pub height: usize,
    pub ko: KoRule,
    pub suicide: bool,
    pub stones: Stones,
    /// By [`Color::index`].
    pub prisoners: [usize; 2],
    /// The board and the side to move at the setup and after each move.
    past: Vec<(Stones, Color)>,
}

/// What a move would leave: the board, and the stones it removes.
struct Outcome {
    stones: Stones,
    captured: Vec<Spot>,
    own: Vec<Spot>,
}

impl Oracle {
    pub fn new(width: usize, height: usize, ko: KoRule, suicide: bool) -> Oracle {
        let stones = vec![vec![None; width]; height];
        let past = vec![(stones.clone(), Color::Black)];
        Oracle { width, height, ko, suicide, stones, prisoners: [0; 2], past }
    }

    /// Puts stones on the board before the first move.
    pub fn set_up(&mut self, stones: impl IntoIterator<Item = (Color, Spot)>) {
        for (color, (x, y)) in stones {
            self.stones[y][x] = Some(color);
        }
        self.past = vec![(self.stones.clone(), Color::Black)];
    }

    pub fn spots(&self) -> Vec<Spot> {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))).collect()
    }

    pub fn at(&self, (x, y): Spot) -> Option<Color> {
        self.stones[y][x]
    }

    pub fn neighbours(&self, (x, y): Spot) -> Vec<Spot> {
        let mut found = Vec::new();
        if x > 0 {
            found.push((x - 1, y));
        }
        if y > 0 {
            found.push((x, y - 1));
        }
        if x + 1 < self.width {
            found.push((x + 1, y));
        }
        if y + 1 < self.height {
            found.push((x, y + 1));
        }
        found
    }

    /// The stones of the chain here and its liberties, both sorted.
    pub fn chain(&self, stones: &Stones, start: Spot) -> (Vec<Spot>, Vec<Spot>) {
        let color = stones[start.1][start.0];
        let (mut chain, mut liberties) = (vec![start], Vec::new());
        let mut next = 0;
        while next < chain.len() {
            for spot in self.neighbours(chain[next]) {
                match stones[spot.1][spot.0] {
                    None if !liberties.contains(&spot) => liberties.push(spot),
                    cell if cell == color && !chain.contains(&spot) => chain.push(spot),
                    _ => {}
                }
            }
            next += 1;
        }
        chain.sort();
        liberties.sort();
        (chain, liberties)
    }

    /// Would the move leave its own chain without a liberty?
    pub fn is_suicide(&self, color: Color, spot: Spot) -> bool {
        !self.outcome(color, spot).own.is_empty()
    }

    fn outcome(&self, color: Color, (x, y): Spot) -> Outcome {
        let mut stones = self.stones.clone();
        stones[y][x] = Some(color);
        let mut captured = Vec::new();
        for spot in self.neighbours((x, y)) {
            if stones[spot.1][spot.0] == Some(!color) {
                let (chain, liberties) = self.chain(&stones, spot);
                if liberties.is_empty() {
                    chain.iter().for_each(|&(x, y)| stones[y][x] = None);
                    captured.extend(chain);
                }
            }
        }
        let (mut own, liberties) = self.chain(&stones, (x, y));
        if liberties.is_empty() {
            own.iter().for_each(|&(x, y)| stones[y][x] = None);
        } else {
            own.clear();
        }
        captured.sort();
        Outcome { stones, captured, own }
    }

    /// May `color` play here, and if not, why?
    pub fn check(&self, color: Color, spot: Spot) -> Result<(), Refusal> {
        if self.at(spot).is_some() {
            return Err(Refusal::Occupied);
        }
        let outcome = self.outcome(color, spot);
        if !outcome.own.is_empty() && !self.suicide {
            return Err(Refusal::Suicide);
        }
        if self.takes_back(&outcome) {
            return Err(Refusal::Ko);
        }
        let repeats = |(board, next): &(Stones, Color)| {
            *board == outcome.stones && (self.ko == KoRule::Positional || *next == !color)
        };
        match self.past.iter().rposition(repeats) {
            Some(number) if self.ko != KoRule::Simple => Err(Refusal::Superko(number)),
            _ => Ok(()),
        }
    }

    /// The simple ko: a capture that restores the board as it stood before the opponent's last move.
    fn takes_back(&self, outcome: &Outcome) -> bool {
        let before_last = self.past.len().checked_sub(2).map(|n| &self.past[n].0);
        !outcome.captured.is_empty() && before_last == Some(&outcome.stones)
    }

    /// Plays a move that [`Oracle::check`] allows; gives the stones that left the board, sorted.
    pub fn play(&mut self, color: Color, spot: Spot) -> Vec<Spot> {
        let outcome = self.outcome(color, spot);
        self.prisoners[color.index()] += outcome.captured.len();
        self.prisoners[(!color).index()] += outcome.own.len();
        self.stones = outcome.stones;
        self.past.push((self.stones.clone(), !color));
        if outcome.own.is_empty() { outcome.captured } else { outcome.own }
    }

    pub fn pass(&mut self, color: Color) {
        self.past.push((self.stones.clone(), !color));
    }

    /// Black's area minus White's, all stones alive.
    pub fn area(&self) -> i32 {
        let reaches = |start: Spot, color: Color| {
            let (mut region, mut next) = (vec![start], 0);
            while next < region.len() {
                for spot in self.neighbours(region[next]) {
                    if self.at(spot) == Some(color) {
                        return true;
                    }
                    if self.at(spot).is_none() && !region.contains(&spot) {
                        region.push(spot);
                    }
                }
                next += 1;
            }
            false
        };
        let value = |spot: Spot| match self.at(spot) {
            Some(Color::Black) => 1,
            Some(Color::White) => -1,
            None => i32::from(reaches(spot, Color::Black)) - i32::from(reaches(spot, Color::White)),
        };
        self.spots().into_iter().map(value).sum()
    }
}
