use ishi_go::*;
use ishi_rng::Seed;
fn main() {
    for (side, n) in [(9, 200_000), (19, 40_000)] {
        let size = BoardSize::square(side).unwrap();
        let empty = Board::new(size);
        let mut board = empty.clone();
        let limit = playout::default_limit(&empty);
        let mut rng = Seed::new(1).stream("bench", 0);
        let start = std::time::Instant::now();
        let (mut score, mut moves, mut cut) = (0i64, 0u64, 0);
        for _ in 0..n {
            board.copy_from(&empty);
            let end = playout::uniform(&mut board, Color::Black, limit, &mut rng);
            score += end.score as i64;
            moves += end.moves as u64;
            cut += end.cut as u32;
        }
        let t = start.elapsed().as_secs_f64();
        println!(
            "{side}: {:.0}/s, {:.1} ns/move, {:.2} moves, mean {:.3}, cut {cut}",
            n as f64 / t,
            t * 1e9 / moves as f64,
            moves as f64 / n as f64,
            score as f64 / n as f64
        );
    }
}
