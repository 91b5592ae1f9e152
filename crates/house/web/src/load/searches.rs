//! Searches that a workbench has to do beside what is measured: positions of games that are analysed while somebody looks.

use std::io::BufReader;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use ishi_work::StopFlag;

use super::connection::{HttpConnection, LoadError, LoadTarget};
use super::visits::{FORM, PART, drain_events, new_game_form, new_game_path, open_event_stream};

/// An analysis has seen enough after about half a minute: it is begun again before.
const ANALYSIS_TIME: Duration = Duration::from_secs(10);

/// How often it is looked whether the work has ended, and events are taken from the connection.
const LOOK: Duration = Duration::from_millis(100);

/// Does the work while the server analyses so many positions.
///
/// # Errors
/// If the work fails, or the server cannot be reached or does not answer as a workbench does.
pub fn run_beside_searches<T>(
    target: &LoadTarget,
    count: usize,
    work: impl FnOnce() -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    let games = (0..count).map(|_| AnalysedGame::begin(target)).collect::<Result<Vec<_>, _>>()?;
    let has_ended = StopFlag::default();
    std::thread::scope(|scope| {
        // Dropped before the threads are waited for, even if the work panics.
        let end = EndOfWork(&has_ended);
        let has_ended = &has_ended;
        let keepers: Vec<_> =
            games.into_iter().map(|game| scope.spawn(move || game.keep_analysing(has_ended))).collect();
        let result = work();
        drop(end);
        let kept = keepers.into_iter().map(|keeper| keeper.join().unwrap_or(Ok(())));
        kept.collect::<Result<(), LoadError>>()?;
        result
    })
}

/// Tells the others when it is dropped.
struct EndOfWork<'a>(&'a StopFlag);

impl Drop for EndOfWork<'_> {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// A game whose position is analysed, and that is looked at.
struct AnalysedGame<'a> {
    connection: HttpConnection<'a>,
    ears: BufReader<TcpStream>,
    /// The path of the game's page, such as `/go/abc`.
    game: String,
}

impl<'a> AnalysedGame<'a> {
    fn begin(target: &'a LoadTarget) -> Result<AnalysedGame<'a>, LoadError> {
        let mut connection = HttpConnection::open(target)?;
        let answer = connection.send_request("POST", "/go/new", FORM, new_game_form().as_bytes())?;
        let game = new_game_path(target, answer)?;
        let ears = open_event_stream(target, &game)?;
        let mut begun = AnalysedGame { connection, ears, game };
        begun.start_analysis()?;
        Ok(begun)
    }

    fn start_analysis(&mut self) -> Result<(), LoadError> {
        let path = format!("{}/analysis", self.game);
        let answer = self.connection.send_request("POST", &path, PART, b"on=1")?;
        match answer.status {
            200 => Ok(()),
            status => Err(self.connection.target.protocol_error(&format!("{status} to an analysis"))),
        }
    }

    fn keep_analysing(mut self, has_ended: &StopFlag) -> Result<(), LoadError> {
        let mut begun = Instant::now();
        while !has_ended.is_requested() {
            std::thread::sleep(LOOK);
            drain_events(&mut self.ears);
            if begun.elapsed() > ANALYSIS_TIME {
                self.start_analysis()?;
                begun = Instant::now();
            }
        }
        Ok(())
    }
}
