//! What a proof teaches: the positions on its way in which few moves are known to get their way, and these moves.

use ishi_go::{Board, Point};
use ishi_rng::Rng;

use super::LifeReader;
use crate::lambda::KoRight;
use crate::point_set::PointSet;
use crate::proof::{FallSearch, ProofChild};

/// Walks through a proof, moves read for each exercise that is kept, and exercises kept at most.
const WALKS: usize = 30;
const MOVES_AN_EXERCISE: u32 = 60;
const MOST: usize = 60;
/// Longest way from the question to an exercise.
const LONGEST: usize = 24;
/// Fewer moves are no choice.
const LEAST_CHOICE: usize = 3;
/// At most one move in so many is good.
const GOOD_IN: usize = 3;
/// Replies that leave the winner more good moves are not worth a thought.
const MANY: usize = 60;

/// A position in which the side to move gets its way with a group, by few of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifeExercise {
    /// The moves that lead there from the question; None: a pass.
    pub moves: Vec<Option<Point>>,
    /// The moves that are known to get it, at least one: those that reading has found first. Others may, too.
    pub good: Vec<Point>,
    /// All moves of the fight.
    pub choice: PointSet,
}

impl LifeReader {
    /// From now on groups have walls with gaps, as they are drawn in problems: stones that stand in them are no prisoners.
    pub fn set_gaps(&mut self, has_gaps: bool) {
        self.has_gaps = has_gaps;
    }

    /// Reads whether the group of `stone` dies (`attacking`: its enemy moves first) or lives (its owner does), kos as they stand, and walks
    /// through what was found: the winner by any move that is known to be good, the loser by those that leave the fewest of them. The more had
    /// to be read, the more exercises there are, up to 60. `None` as for [`LifeReader::read_death`].
    pub fn find_exercises(
        &mut self,
        board: &Board,
        stone: Point,
        attacking: bool,
        rng: &mut Rng,
    ) -> Option<Vec<LifeExercise>> {
        self.set_question(board, stone)?;
        let (falls, _) = self.search_fall(attacking, KoRight::Nobody)?;
        let most = MOST.min((self.nodes / MOVES_AN_EXERCISE) as usize);
        let walks = if most == 0 { 0 } else { WALKS };
        let mut found: Vec<LifeExercise> = Vec::new();
        for _ in 0..walks {
            self.board.set_position(board);
            self.path.clear();
            self.walk_proof(attacking, falls, rng, &mut found);
        }
        self.path.clear();
        rng.shuffle(&mut found);
        found.truncate(most);
        Some(found)
    }

    /// One way through the proof; adds the positions in which few moves are known to be good.
    fn walk_proof(&mut self, mut attacking: bool, falls: bool, rng: &mut Rng, found: &mut Vec<LifeExercise>) {
        let mut moves: Vec<Option<Point>> = Vec::new();
        let mut passed = false;
        while moves.len() < LONGEST && self.board.color(self.target) == Some(self.owner) {
            self.path.push(self.position_key(attacking, passed));
            let children = self.all_children(attacking, passed);
            let next = if attacking == falls {
                let Some(good) = good_moves(&children, attacking) else { return };
                let choice: PointSet = children.iter().filter_map(|child| child.mv).collect();
                let are_few = choice.len() >= LEAST_CHOICE && good.len() * GOOD_IN <= choice.len();
                if are_few && found.iter().all(|other| other.moves != moves) {
                    found.push(LifeExercise { moves: moves.clone(), good: good.clone(), choice });
                }
                rng.choose(&good).copied()
            } else {
                let Some(reply) = self.choose_reply(&children, attacking, passed, rng) else { return };
                reply
            };
            passed = self.board.is_idle(next);
            self.play(attacking, next);
            moves.push(next);
            attacking = !attacking;
        }
    }

    /// What is known of the position after each move, and after a pass.
    fn all_children(&mut self, attacking: bool, passed: bool) -> Vec<ProofChild> {
        let moves = self.candidate_moves(attacking).into_iter().map(Some).chain([None]);
        moves.map(|mv| self.child_after(attacking, passed, mv)).collect()
    }

    /// A reply of the side that loses: those that leave the winner fewer good moves are more likely. None: all is over.
    fn choose_reply(
        &mut self,
        children: &[ProofChild],
        attacking: bool,
        passed: bool,
        rng: &mut Rng,
    ) -> Option<Option<Point>> {
        let weights: Vec<usize> =
            children.iter().map(|child| self.reply_weight(child, attacking, passed)).collect();
        let mut number = rng.next_index(weights.iter().sum::<usize>().max(1));
        let chosen = weights.iter().position(|&weight| {
            let is_here = number < weight;
            number = number.saturating_sub(weight);
            is_here
        })?;
        Some(children[chosen].mv)
    }

    fn reply_weight(&mut self, child: &ProofChild, attacking: bool, passed: bool) -> usize {
        let passes = self.board.is_idle(child.mv);
        if !child.numbers.is_known() || passed && passes {
            return 0;
        }
        self.play(attacking, child.mv);
        let stands = self.board.color(self.target) == Some(self.owner);
        let answers = if stands { self.all_children(!attacking, passes) } else { Vec::new() };
        self.board.undo();
        let good = answers.iter().filter(|answer| answer.numbers.is_won(!attacking)).count();
        if (1..=MANY).contains(&good) { MANY * MANY / (good * good) } else { 0 }
    }
}

/// The moves that are known to win; None if there are none, or a pass wins.
fn good_moves(children: &[ProofChild], attacking: bool) -> Option<Vec<Point>> {
    let good: Option<Vec<Point>> =
        children.iter().filter(|child| child.numbers.is_won(attacking)).map(|child| child.mv).collect();
    good.filter(|good| !good.is_empty())
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Diagram, Move};
    use ishi_rng::Seed;

    use super::*;
    use crate::lambda::ReadingOutcome;

    /// What is said to be good is: read again from there.
    #[test]
    fn exercises_are_what_reading_finds_from_there() {
        let walls = [
            ". . . . . . . .\n. O O O O O O .\nO X X X X X O .\n. X . . . X O .\n. . . . . X O .\n",
            ". . . . . . . .\nO O O O O . . .\nO X X X O . . .\nX X . X O . . .\n. . . . X O . .\n. . . X X O . .\n",
            ". . . . . . . .\nO O O O O O . .\nX X X X X O . .\n. . . . X O . .\n. . . . X O . .\n",
        ];
        let mut reader = LifeReader::default();
        let mut rng = Seed::new(1).stream("exercises", 0);
        let mut checked = [0, 0];
        for board in walls.map(|text| text.parse::<Diagram>().unwrap().to_board().unwrap()) {
            let stone = board.size().parse_point("B3").unwrap();
            for attacking in [true, false] {
                let first = if attacking { Color::White } else { Color::Black };
                for exercise in reader.find_exercises(&board, stone, attacking, &mut rng).unwrap() {
                    let here = after(&board, first, &exercise.moves);
                    if here.ko_point().is_none() {
                        let color = if exercise.moves.len() % 2 == 0 { first } else { !first };
                        check(&mut reader, &here, stone, color, &exercise, &mut checked);
                    }
                }
            }
        }
        assert!(checked[0] > 100 && checked[1] > 20, "{checked:?}");
    }

    fn after(board: &Board, mut color: Color, moves: &[Option<Point>]) -> Board {
        let mut board = board.clone();
        for mv in moves {
            board.play_unchecked(color, mv.map_or(Move::Pass, Move::Play));
            color = !color;
        }
        board
    }

    fn check(
        reader: &mut LifeReader,
        here: &Board,
        stone: Point,
        color: Color,
        exercise: &LifeExercise,
        checked: &mut [usize; 2],
    ) {
        for point in exercise.choice.iter() {
            let then = after(here, color, &[Some(point)]);
            // Does the other side get its way?
            let answer = if color == Color::White {
                reader.read_life(&then, stone)
            } else {
                reader.read_death(&then, stone)
            };
            let Some(answer) = answer.filter(|_| then.ko_point().is_none()) else { continue };
            let works = matches!(answer.outcome, ReadingOutcome::Fails | ReadingOutcome::KoSecond);
            let is_good = exercise.good.contains(&point);
            assert!(works || !is_good, "{color} {point} {answer:?}\n{here}");
            checked[usize::from(is_good)] += 1;
        }
    }
}
