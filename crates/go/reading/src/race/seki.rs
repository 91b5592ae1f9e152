//! Seki of few stones that their enemies would lose by capturing: what takes them has no room for two eyes in their place.

use ishi_go::{Board, Color, Point};

use super::RaceReader;
use crate::board::ReadingBoard;
use crate::lambda::ReadingOutcome;
use crate::point_set::PointSet;
use crate::region::NAKADE;

impl RaceReader {
    /// The stones of a seki in which the chain of `stone` stands: the chain, of six stones at most, and all enemy chains beside it. In the race with each
    /// of these neither side falls, whoever moves first and without a ko. So the enemies that capture the chain are captured in turn.
    ///
    /// So ask about a chain that looks dead. It shares a liberty with one of these enemies at least: where none is shared nobody is afraid to fill it, and
    /// two groups that live side by side are no seki.
    ///
    /// Such a race must lie in points that stones close in all around. Of these stones none may be among `doubtful`, as a dead group saves nobody.
    ///
    /// `None`: there is no stone, it is no such seki, or that could not be read to the end. A ban on retaking is taken for lifted.
    ///
    /// ```
    /// use ishi_go::Diagram;
    /// use ishi_reading::{PointSet, RaceReader};
    /// let diagram: Diagram = "
    ///     . . . . . . . . .
    ///     . . . . . . . . .
    ///     O O O O O O O O .
    ///     X X X X X X X O .
    ///     . O O O O . X O .
    /// ".parse().unwrap();
    /// let board = diagram.to_board().unwrap();
    /// let white = board.size().parse_point("B1").unwrap();
    /// let seki = RaceReader::default().read_seki(&board, white, &PointSet::EMPTY).unwrap();
    /// assert_eq!(seki.len(), 12);
    /// ```
    pub fn read_seki(&mut self, board: &Board, stone: Point, doubtful: &PointSet) -> Option<PointSet> {
        let mut board = board.clone();
        board.set_ko(None);
        let owner = board.color(stone)?;
        let reading = ReadingBoard::new(&board);
        let chain: PointSet = reading.stones(stone).collect();
        if chain.len() > NAKADE {
            return None;
        }
        let mut rivals = chain.with_neighbours().intersection(reading.stones_of(!owner));
        let (mut seki, mut shares_liberty) = (chain, false);
        while let Some(rival) = rivals.first() {
            if !self.neither_falls(&board, [stone, rival], doubtful) {
                return None;
            }
            shares_liberty |= !reading.liberties(stone).intersection(reading.liberties(rival)).is_empty();
            let rival: PointSet = reading.stones(rival).collect();
            rivals = rivals.difference(&rival);
            seki.add_set(&rival);
        }
        shares_liberty.then_some(seki)
    }

    /// Do both chains stand, whoever of the two moves first, and do they need each other for that?
    fn neither_falls(&mut self, board: &Board, pair: [Point; 2], doubtful: &PointSet) -> bool {
        let [stone, rival] = pair;
        self.set_question(board, stone, rival).is_some()
            && self.is_closed_in(doubtful)
            && pair.into_iter().all(|stone| !self.is_alive(stone))
            && [[stone, rival], [rival, stone]].into_iter().all(|[stone, rival]| {
                let fall = self.read_fall(board, stone, rival);
                fall.is_some_and(|answer| answer.outcome == ReadingOutcome::Fails)
            })
    }

    /// Do stones alone lie around the region, and none of these?
    fn is_closed_in(&self, doubtful: &PointSet) -> bool {
        let wall = self.region.wall(Color::Black).union(self.region.wall(Color::White));
        self.region.openings().is_empty() && wall.intersection(doubtful).is_empty()
    }
}
