//! Life and death.

mod region;
mod tsumego;

use ishi_go::{Board, BoardSize, Color, Point};

use crate::board::ReadingBoard;
use crate::eyes;
use crate::lambda::{Answer, Ko, Outcome};
use crate::point_set::PointSet;
use crate::proof::{Child, Memory, Numbers, Summary};
use region::Region;

const DEPTH: usize = 100;

pub fn ev(name: &str, d: usize) -> usize {
    static E: std::sync::OnceLock<Vec<Option<usize>>> = std::sync::OnceLock::new();
    const N: [&str; 15] = ["TOT", "MOST", "MAKE", "ESC", "STEPS", "ROOM", "WEAK", "INIT", "BITS", "EPS", "WPN", "ESCD", "X1", "X2", "X3"];
    let all = E.get_or_init(|| N.iter().map(|n| std::env::var(n).ok().and_then(|v| v.parse().ok())).collect());
    all[N.iter().position(|n| *n == name).unwrap()].unwrap_or(d)
}

#[derive(Clone, Debug)]
pub struct LifeReader {
    pub board: ReadingBoard,
    owner: Color,
    target: Point,
    pub region: Region,
    ko: Ko,
    ko_seen: bool,
    nodes: u32,
    pub most: u32,
    limit: u32,
    memory: Memory,
    path: Vec<u64>,
    calls: u64,
    salt: u64,
    /// First moves that are tried.
    pub first: Option<PointSet>,
    pub room: usize,
    pub steps: usize,
    pub root: Vec<Child>,
    pub open: Numbers,
    history: Vec<[u32; 2]>,
}

impl LifeReader {
    pub fn new(most: u32) -> LifeReader {
        let size = BoardSize::square(19).expect("a size");
        LifeReader {
            board: ReadingBoard::new(&Board::new(size)),
            owner: Color::Black,
            target: Point::new(0, 0),
            region: Region::default(),
            ko: Ko::Nobody,
            ko_seen: false,
            nodes: 0,
            most,
            limit: 0,
            memory: Memory::new(ev("BITS", 20) as u32),
            path: Vec::new(),
            calls: 0,
            salt: 0,
            first: None,
            room: ev("ROOM", 20),
            steps: ev("STEPS", 4),
            root: vec![],
            open: Numbers::ANY,
            history: vec![[0; 2]; Point::INDICES],
        }
    }

    pub fn die(&mut self, board: &Board, stone: Point) -> Option<Answer> {
        self.ask(board, stone, true)
    }

    pub fn live(&mut self, board: &Board, stone: Point) -> Option<Answer> {
        self.ask(board, stone, false)
    }

    pub fn ask(&mut self, board: &Board, target: Point, attacking: bool) -> Option<Answer> {
        self.owner = board.color(target)?;
        self.board.set(board);
        self.target = target;
        self.region = Region::of(&self.board, target, self.room, self.steps)?;
        self.answer(attacking)
    }

    fn answer(&mut self, attacking: bool) -> Option<Answer> {
        (self.nodes, self.ko_seen) = (0, false);
        let (falls, mv) = self.search(attacking, Ko::Nobody)?;
        let works = falls == attacking;
        let plain = if works { Outcome::Works } else { Outcome::Fails };
        if !self.ko_seen {
            return Some(Answer { outcome: plain, mv, nodes: self.nodes });
        }
        // If it works, does it against threats? If it fails, would a threat do?
        let ko = if works == attacking { Ko::Opponent } else { Ko::Seeker };
        let (falls_again, other) = self.search(attacking, ko)?;
        let (outcome, mv) = match (works, falls_again == attacking) {
            (true, true) => (Outcome::Works, other),
            (true, false) => (Outcome::KoFirst, mv),
            (false, true) => (Outcome::KoSecond, other),
            (false, false) => (Outcome::Fails, mv),
        };
        Some(Answer { outcome, mv, nodes: self.nodes })
    }

    fn search(&mut self, attacking: bool, ko: Ko) -> Option<(bool, Option<Point>)> {
        self.calls += 1;
        self.salt = self.calls.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.path.clear();
        self.ko = ko;
        self.limit = self.nodes + self.most;
        self.history.fill([0; 2]);
        let (numbers, mv) = self.node(attacking, false, Numbers::ANY);
        self.open = numbers;
        numbers.is_known().then_some((numbers.proof == 0, mv))
    }

    fn color(&self, attacking: bool) -> Color {
        if attacking { !self.owner } else { self.owner }
    }

    fn key(&self, attacking: bool, passed: bool) -> u64 {
        let ko = self.board.ko().map_or(0, |point| point.index() as u64 + 1);
        let state = ko << 2 | u64::from(attacking) << 1 | u64::from(passed);
        let mixed = self.board.hash() ^ self.salt ^ state.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ mixed >> 32
    }

    fn play(&mut self, attacking: bool, mv: Option<Point>) {
        let Some(point) = mv else { return self.board.pass() };
        self.nodes += 1;
        self.board.play(self.color(attacking), point);
        if self.board.ko().is_some() {
            self.ko_seen = true;
            if self.ko == if attacking { Ko::Opponent } else { Ko::Seeker } {
                self.board.lift_ko();
            }
        }
    }

    /// What can be said of a position without searching it, or is remembered of it.
    fn look(&self, attacking: bool, passed: bool) -> Numbers {
        let board = &self.board;
        if board.color(self.target) != Some(self.owner) {
            return Numbers::FALLS;
        }
        let liberties = board.liberty_count(self.target);
        if attacking && liberties == 1 {
            let last = board.liberties(self.target).first().expect("one");
            if board.is_legal(!self.owner, last) {
                return Numbers::FALLS;
            }
        }
        let key = self.key(attacking, passed);
        if self.path.contains(&key) {
            return if self.ko == Ko::Seeker { Numbers::FALLS } else { Numbers::HOLDS };
        }
        if let Some(numbers) = self.memory.get(key) {
            return numbers;
        }
        if attacking && (self.has_escaped() || eyes::has_two_eyes(board, self.target, self.owner, &self.region.reach)) {
            return Numbers::HOLDS;
        }
        self.guess(attacking)
    }

    fn guess(&self, _attacking: bool) -> Numbers {
        let liberties = self.board.liberty_count(self.target) as u32;
        match ev("INIT", 0) {
            0 => Numbers { proof: 1 + liberties.min(6) / 2, disproof: 1 },
            1 => Numbers { proof: 1, disproof: 1 },
            2 => Numbers { proof: liberties, disproof: 1 },
            3 => {
                // points that may still become eyes
                let b = &self.board;
                let stones = b.of(self.owner).and(&self.region.reach);
                let eyes = b.empty().and(&self.region.core).without(&b.of(!self.owner).without(&self.region.core).grown());
                let n = eyes.and(&stones.grown()).len() as u32;
                Numbers { proof: 1 + n, disproof: 1 + 8u32.saturating_sub(n) }
            }
            _ => Numbers { proof: liberties * 2, disproof: 1 },
        }
    }

    fn has_escaped(&self) -> bool {
        let outside = self.board.liberties(self.target).without(&self.region.reach);
        outside.len() >= ev("ESC", 3)
    }

    fn moves(&self, attacking: bool) -> PointSet {
        let board = &self.board;
        let (target, reach) = (self.target, &self.region.reach);
        if !attacking && board.liberty_count(target) == 1 {
            let mut forced = *board.liberties(target);
            for n in board.stones(target).flat_map(Point::neighbours) {
                if board.color(n) == Some(!self.owner) && board.liberty_count(n) == 1 {
                    forced.add(board.liberties(n));
                }
            }
            return forced;
        }
        let wide = if ev("X1",1)==1 {reach.grown()} else {*reach}; let own = board.of(self.owner).and(&wide).grown();
        let mut all = self.region.core.or(&own);
        let mut enemies = own.and(board.of(!self.owner));
        let weak = ev("WEAK", 2);
        while let Some(enemy) = enemies.first() {
            let chain: PointSet = board.stones(enemy).collect();
            enemies = enemies.without(&chain);
            if board.liberty_count(enemy) <= weak {
                all.add(board.liberties(enemy));
            }
        }
        if !attacking { all = all.and(reach); } else if ev("X2",1)==1 { all = all.and(&reach.grown().or(board.liberties(target))); }
        all.and(board.empty())
    }

    fn children(&mut self, attacking: bool, passed: bool) -> Vec<Child> {
        let color = self.color(attacking);
        let mut children = Vec::with_capacity(24);
        let mut moves = self.moves(attacking);
        let root = self.path.len() == 1;
        if root && let Some(first) = self.first { moves = moves.and(&first); }
        let make = ev("MAKE", 0);
        let mut list: Vec<Point> = moves.iter().collect();
        if ev("X3", 1) == 1 { list.sort_by_key(|p| std::cmp::Reverse(self.history[p.index()][attacking as usize])); }
        for point in list {
            if !self.board.is_legal(color, point) || eyes::is_own_eye(&self.board, point, color) {
                continue;
            }
            self.play(attacking, Some(point));
            let numbers = self.look(!attacking, false);
            self.board.undo();
            children.push(Child { mv: Some(point), numbers });
            if numbers.is_won(attacking) {
                return children;
            }
        }
        if (attacking || make == 0 || children.is_empty()) && !(root && self.first.is_some() && !children.is_empty()) {
            self.play(attacking, None);
            let numbers = if !attacking && make == 1 { Numbers::FALLS } else if passed { Numbers::HOLDS } else { self.look(!attacking, true) };
            self.board.undo();
            children.push(Child { mv: None, numbers });
        }
        children
    }

    fn node(&mut self, attacking: bool, passed: bool, threshold: Numbers) -> (Numbers, Option<Point>) {
        let key = self.key(attacking, passed);
        self.path.push(key);
        let mut children = self.children(attacking, passed);
        let (numbers, mv) = loop {
            let summary = Summary::of(&children, attacking);
            let (numbers, child) = (summary.numbers, children[summary.best]);
            let is_over = self.nodes >= self.limit || self.path.len() > DEPTH;
            if numbers.is_known() || numbers.reach(threshold) || is_over {
                break (numbers, child.mv);
            }
            let below = summary.threshold(threshold, child.numbers, attacking);
            self.play(attacking, child.mv);
            children[summary.best].numbers = self.node(!attacking, child.mv.is_none(), below).0;
            self.board.undo();
        };
        if self.path.len() == 1 { self.root = children; }
        if numbers.is_won(attacking) && let Some(p) = mv { self.history[p.index()][attacking as usize] += 1; }
        self.path.pop();
        self.memory.put(key, numbers);
        (numbers, mv)
    }
}
impl LifeReader { pub fn region_room(&self) -> usize { self.region.core.and(self.board.empty()).len() } }
impl LifeReader { pub fn open_numbers(&self) -> (u32, u32) { (self.open.proof, self.open.disproof) }
 pub fn region_points(&self)->(PointSet,PointSet){(self.region.core,self.region.reach)}
 pub fn root_moves(&self)->Vec<(Option<Point>,u32,u32)>{self.root.iter().map(|c|(c.mv,c.numbers.proof,c.numbers.disproof)).collect()} }
