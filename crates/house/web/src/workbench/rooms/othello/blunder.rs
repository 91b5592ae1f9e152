//! The look at a person's move in a teaching game, before an engine answers it.

use ishi_arena::stopwatch::WallClock;
use ishi_othello_play::coach::{find_last_blunder, words};
use ishi_othello_play::levels::LevelLimits;
use ishi_othello_play::search::Searcher;
use ishi_work::Stop;

use super::findings::SEARCHER;
use super::game::OthelloGameState;
use crate::workbench::rooms::blunder::BlunderWarning;
use crate::workbench::rooms::both_languages::BothLanguages;

/// What is told of the last move of the game, if it is a blunder. None if somebody stops the search.
pub(super) fn find_warning(game: &OthelloGameState, stop: &(dyn Stop + Sync)) -> Option<BlunderWarning> {
    let clock = WallClock::start();
    let limits = LevelLimits { time: None, clock: &clock, stop };
    let position = game.position_after(game.moves.len());
    let blunder = find_last_blunder(&position, &mut Searcher::new(SEARCHER), limits)?;
    Some(BlunderWarning {
        vertex: blunder.square.to_string(),
        reason: BothLanguages::from_words(|language| words::describe_blunder(&blunder, language)),
    })
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::super::game::{LATE_GAME, Player};
    use super::*;
    use crate::workbench::visitor::Visitor;

    #[test]
    fn a_blunder_is_told_in_both_languages_and_a_good_move_is_not() {
        let after = |last: &str| {
            let mut game = OthelloGameState::new([Player::Person, Player::Person], 1);
            let squares = LATE_GAME.as_bytes().chunks(2).chain([last.as_bytes()]);
            squares.for_each(|square| {
                let square = std::str::from_utf8(square).unwrap().parse().unwrap();
                game.play(square, 0).unwrap();
            });
            find_warning(&game, &|| false)
        };
        let warning = after("b2").unwrap();
        assert_eq!(warning.vertex, "b2");
        let [english, japanese] = [Language::English, Language::Japanese]
            .map(|language| warning.reason.say(&Visitor::for_language(language)).to_string());
        assert!(
            english.starts_with("White b2 loses 26 discs.") && english.contains("Better: a7"),
            "{english}"
        );
        assert!(japanese.starts_with("白b2は26石の損です。") && japanese.contains("a7"), "{japanese}");
        assert_eq!(after("a7"), None);
    }
}
