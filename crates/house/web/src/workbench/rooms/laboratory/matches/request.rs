//! A match as it was asked for in a form: what is wrong with it, and its plan.

use std::sync::Arc;

use ishi_arena::{Contestant, GoMatchSettings, MatchPlan, Openings, OthelloMatchSettings, PlayerSpec};
use ishi_engine::{Go, Othello};
use ishi_go::picture::BoardPicture;
use ishi_go::{BoardSize, Rules};
use ishi_lab::store::KeptMatches;
use ishi_rng::Seed;
use ishi_stats::Sprt;
use maud::{PreEscaped, html};
use serde::{Deserialize, Serialize};

use crate::workbench::budget;
use crate::workbench::documents::RoomDocument;
use crate::workbench::error::PageError;
use crate::workbench::rooms::go::parse_komi;
use crate::workbench::rooms::laboratory::AllowedPrograms;
use crate::workbench::rooms::laboratory::games::render_othello_picture;
use crate::workbench::texts::{args, text_id};

/// The kind of document.
pub(super) const KIND: &str = "match";
/// Pairs of a match, at most.
pub(super) const MOST_PAIRS: u64 = 100_000;

/// A match as it was asked for; this is what the document holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MatchRequest {
    /// `go` or `othello`.
    pub(super) game: String,
    pub(super) a: String,
    pub(super) b: String,
    pub(super) pairs: u64,
    #[serde(default)]
    pub(super) size: String,
    #[serde(default)]
    pub(super) komi: String,
    #[serde(default)]
    pub(super) rules: String,
    /// Random moves at the beginning.
    #[serde(default)]
    pub(super) opening: String,
    #[serde(default)]
    pub(super) seed: String,
    /// Bounds of the sequential test, in Elo; empty: none.
    #[serde(default)]
    pub(super) elo0: String,
    #[serde(default)]
    pub(super) elo1: String,
    /// What may play besides built-in players.
    #[serde(skip)]
    pub(super) programs: Arc<AllowedPrograms>,
}

impl RoomDocument for MatchRequest {
    const KIND: &'static str = KIND;

    fn listed_title(&self) -> String {
        self.title()
    }

    fn not_found(_key: &str) -> PageError {
        PageError::not_found("laboratory-there-is-no-such-match")
    }
}

/// A field that cannot be used. The text of this name says so with `text`, what was written, and `right`, what would be right.
pub(super) fn field_error(id: &'static str, text: &str, right: &str) -> PageError {
    PageError::invalid_input_with(id, args![text = format!("{text:?}"), right])
}

/// The errors of [`field_error`].
const BAD_BOARD: &str = text_id("laboratory-board-it-must-be");
const BAD_SEED: &str = text_id("laboratory-seed-it-must-be");
const BAD_SPRT: &str = text_id("laboratory-sprt-elo-it-must-be");
pub(super) const BAD_PAIRS: &str = text_id("laboratory-pairs-it-must-be");
const BAD_OPENING: &str = text_id("laboratory-random-moves-it-must-be");

/// A player of the match is missing.
pub(super) const UNPLAYABLE: &str = text_id("laboratory-the-match-cannot-be-played");

/// A game that matches are offered of.
pub(super) trait OfferedGame: KeptMatches {
    fn parse_match_settings(asked: &MatchRequest) -> Result<Self::Settings, PageError>;
    /// Random moves at the beginning, at most.
    fn max_opening_moves(settings: &Self::Settings) -> usize;
    /// A game that is being played.
    fn draw_position(position: &Self::Position, title: &str) -> String;
}

impl OfferedGame for Go {
    fn parse_match_settings(asked: &MatchRequest) -> Result<GoMatchSettings, PageError> {
        let side = asked.size.trim();
        let size = if side.is_empty() { "9" } else { side };
        let size = size.parse().ok().and_then(|side| BoardSize::square(side).ok());
        let size = size.ok_or_else(|| field_error(BAD_BOARD, side, "2-25"))?;
        let rules = match asked.rules.trim() {
            "" => Rules::CHINESE,
            name => name.parse()?,
        };
        let komi = match asked.komi.trim() {
            "" => rules.default_komi,
            text => parse_komi(text)?,
        };
        let settings = GoMatchSettings { rules, komi, ..GoMatchSettings::for_board(size) };
        // Only a handicap or a komi that is no number leaves a match without a start, and both are excluded above.
        settings.start_position().map_err(PageError::from_system_error)?;
        Ok(settings)
    }

    fn max_opening_moves(settings: &GoMatchSettings) -> usize {
        settings.size.area() / 2
    }

    fn draw_position(position: &ishi_go::Position, title: &str) -> String {
        let picture = BoardPicture::from_board(position.board()).with_depth().with_name(title).to_svg();
        html! { p { (title) } div.board.deep { (PreEscaped(picture)) } }.into_string()
    }
}

impl OfferedGame for Othello {
    fn parse_match_settings(_: &MatchRequest) -> Result<OthelloMatchSettings, PageError> {
        Ok(OthelloMatchSettings::default())
    }

    fn max_opening_moves(_: &OthelloMatchSettings) -> usize {
        40
    }

    fn draw_position(position: &ishi_othello::Position, title: &str) -> String {
        html! { p { (title) } (render_othello_picture(position, title)) }.into_string()
    }
}

impl MatchRequest {
    pub(super) fn is_othello(&self) -> bool {
        self.game == "othello"
    }

    /// Refuses what cannot be played.
    pub(super) fn check(&self, usual: Seed) -> Result<(), PageError> {
        match self.game.as_str() {
            "go" => self.make_plan::<Go>(usual).map(drop),
            "othello" => self.make_plan::<Othello>(usual).map(drop),
            other => Err(PageError::invalid_input_with(
                "laboratory-there-is-no-game-it-must",
                args![other = format!("{other:?}")],
            )),
        }
    }

    pub(super) fn title(&self) -> String {
        format!("{} – {}", self.a.trim(), self.b.trim())
    }

    pub(super) fn parse_sprt(&self) -> Result<Option<Sprt>, PageError> {
        match [self.elo0.trim(), self.elo1.trim()] {
            ["", ""] => Ok(None),
            texts => {
                let [elo0, elo1] =
                    texts.map(|text| text.parse().map_err(|_| field_error(BAD_SPRT, text, "0, 30")));
                let (elo0, elo1) = (elo0?, elo1?);
                let unfit = |_| field_error(BAD_SPRT, &texts.join(", "), "0, 30");
                Sprt::new(elo0, elo1, 0.05, 0.05).map(Some).map_err(unfit)
            }
        }
    }

    /// The plan of the match, checked.
    pub(super) fn make_plan<G: OfferedGame>(&self, usual: Seed) -> Result<MatchPlan<G>, PageError> {
        let settings = G::parse_match_settings(self)?;
        let contestants =
            [&self.a, &self.b].map(|text| parse_contestant::<G>(text, &settings, &self.programs));
        let [a, b] = contestants;
        let (a, mut b) = (a?, b?);
        // Tables and records tell the players apart by their names.
        if a.name == b.name {
            b.name += " (2)";
        }
        if !(1..=MOST_PAIRS).contains(&self.pairs) {
            return Err(field_error(BAD_PAIRS, &self.pairs.to_string(), "1-100000"));
        }
        let most = G::max_opening_moves(&settings);
        let moves: usize = match self.opening.trim() {
            "" => 0,
            text => text
                .parse()
                .ok()
                .filter(|moves: &usize| *moves <= most)
                .ok_or_else(|| field_error(BAD_OPENING, text, &format!("0-{most}")))?,
        };
        let seed = match self.seed.trim() {
            "" => usual,
            text => {
                text.parse::<Seed>().map_err(|_| field_error(BAD_SEED, text, &format!("0-{}", u64::MAX)))?
            }
        };
        Ok(MatchPlan {
            contestants: [a, b],
            referee: G::Referee::default(),
            openings: if moves == 0 { Openings::Empty } else { Openings::Random(moves) },
            pairs: self.pairs,
            seed,
            sprt: self.parse_sprt()?,
            settings,
        })
    }
}

/// A built-in player, or a program that is allowed.
fn parse_contestant<G: OfferedGame>(
    text: &str,
    settings: &G::Settings,
    programs: &AllowedPrograms,
) -> Result<Contestant, PageError> {
    if let Some(program) = programs.find_contestant::<G>(text.trim(), settings) {
        return program;
    }
    // Before it is made: to make it may already take too much memory.
    budget::check_player(text)?;
    let spec = PlayerSpec::parse_for_game::<G>(text)?;
    if let PlayerSpec::External(_) = spec {
        return Err(external_program_error(text, programs));
    }
    Contestant::try_out(Some(text.trim()), &spec, settings).map_err(PageError::from)
}

/// The names of the programs that are allowed, behind a colon; nothing if there is none.
fn external_program_error(text: &str, programs: &AllowedPrograms) -> PageError {
    let names = programs.names().collect::<Vec<&str>>().join(", ");
    if names.is_empty() {
        return PageError::invalid_input_with(
            "laboratory-is-a-program-here-built-in",
            args![text = format!("{text:?}")],
        );
    }
    PageError::invalid_input_with(
        "laboratory-is-a-program-here-built-in-value",
        args![text = format!("{text:?}"), names],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::visitor::Visitor;

    fn asked(a: &str, b: &str) -> MatchRequest {
        serde_json::from_value(serde_json::json!({ "game": "go", "a": a, "b": b, "pairs": 3, "size": "5", "rules": "chinese", "opening": "2" }))
            .unwrap()
    }

    fn error(asked: &MatchRequest) -> String {
        let words = asked.make_plan::<Go>(Seed::new(1)).unwrap_err();
        words.localized_message(&Visitor::from_headers(&Default::default()))
    }

    #[test]
    fn only_built_in_players_play_here() {
        assert!(asked("go-random", "go-random").make_plan::<Go>(Seed::new(1)).is_ok());
        assert!(error(&asked("go-random", "gnugo --mode gtp")).contains("is a program"));
        assert!(error(&asked("go-rndom", "go-random")).contains("there are go-random"));
        assert!(error(&asked("go-flat:playouts=x", "go-random")).contains("playouts"));
    }

    #[test]
    fn there_are_two_games_and_others_are_refused() {
        let error = |game: &str| {
            let asked = MatchRequest { game: game.into(), ..asked("go-random", "go-random") };
            let error = asked.check(Seed::new(1)).unwrap_err();
            error.localized_message(&Visitor::from_headers(&Default::default()))
        };
        assert!(asked("go-random", "go-random").check(Seed::new(1)).is_ok());
        assert!(error("othello").contains("go-random"), "Othello has no such player");
        for game in ["xx", "", "Go"] {
            assert_eq!(error(game), format!("there is no game {game:?}: it must be go or othello"));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let good = asked("go-random", "go-capture");
        for (wrong, words) in [
            (MatchRequest { size: "26".into(), ..good.clone() }, "board"),
            (MatchRequest { komi: "x".into(), ..good.clone() }, "komi"),
            (MatchRequest { komi: "1e9".into(), ..good.clone() }, "komi"),
            (MatchRequest { komi: "NaN".into(), ..good.clone() }, "komi"),
            (MatchRequest { pairs: 0, ..good.clone() }, "pairs"),
            (MatchRequest { opening: "13".into(), ..good.clone() }, "random moves"),
            (MatchRequest { elo0: "0".into(), ..good.clone() }, "SPRT"),
            (MatchRequest { seed: "-1".into(), ..good.clone() }, "seed"),
        ] {
            assert!(error(&wrong).contains(words), "{}", error(&wrong));
        }
        let plan = good.make_plan::<Go>(Seed::new(7)).unwrap();
        assert_eq!((plan.pairs, plan.openings), (3, Openings::Random(2)));
    }

    #[test]
    fn the_board_of_a_live_match_is_called_by_its_match() {
        let position = ishi_go::Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let drawn = Go::draw_position(&position, "3/1: a – b");
        assert!(drawn.contains("aria-label=\"3/1: a – b\"") && !drawn.contains("Go board"), "{drawn}");
        let drawn = Othello::draw_position(&ishi_othello::Position::start(), "3/1: a – b");
        assert!(drawn.contains("aria-label=\"3/1: a – b\""), "{drawn}");
    }
}
