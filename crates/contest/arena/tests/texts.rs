//! Texts from the command line and from files: no bytes make the readers panic.

use ishi_arena::{EndReason, GoMatchSettings, MatchSettings, OthelloMatchSettings, PlayerSpec, TimeControl};
use ishi_engine::{Go, Othello};
use proptest::prelude::*;

type Openings = ishi_arena::Openings<Go>;
type OthelloOpenings = ishi_arena::Openings<Othello>;

proptest! {
    #[test]
    fn no_bytes_make_them_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = text.parse::<PlayerSpec>();
        let _ = text.parse::<TimeControl>();
        let _ = text.parse::<EndReason>();
        let _ = Openings::from_text(&text, &GoMatchSettings::default());
        let _ = Openings::from_sgf(&bytes, &GoMatchSettings::default());
        let _ = PlayerSpec::parse_for_game::<Othello>(&text);
        let _ = OthelloOpenings::from_text(&text, &OthelloMatchSettings::default());
        let _ = OthelloOpenings::from_sgf(&bytes, &OthelloMatchSettings::default());
    }

    #[test]
    fn times_read_back(main in 0_u32..100_000, more in 1_u32..1000, n in 1_u32..100, form in 0_usize..4) {
        let (main, more) = (f64::from(main) / 8.0, f64::from(more) / 8.0);
        let first = main + 0.125;
        let text = [
            format!("{first}"), format!("{first}+{more}"), format!("{main}+{more}x{n}"), format!("{main}+{more}/{n}"),
        ][form].clone();
        prop_assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
    }

    #[test]
    fn commands_read_back(words in prop::collection::vec("[ -~]{0,8}", 1..4)) {
        let program = format!("x{}", words[0]);
        let args = words[1..].to_vec();
        let command = ishi_arena::process::EngineCommand { program, args, directory: None };
        let spec = PlayerSpec::External(command);
        prop_assert_eq!(spec.to_string().parse::<PlayerSpec>(), Ok(spec));
    }

    #[test]
    fn openings_are_legal_or_refused(moves in prop::collection::vec("[A-HJ][1-9]|pass", 1..30)) {
        let settings = GoMatchSettings::default();
        let Ok(openings) = Openings::from_text(&moves.join(" "), &settings) else { return Ok(()) };
        let mut position = settings.start_position().unwrap();
        for mv in openings.opening_for_pair(0, &settings, ishi_rng::Seed::new(1)) {
            prop_assert!(position.play(position.to_move(), mv).is_ok());
        }
        prop_assert!(!position.is_over());
    }

    #[test]
    fn openings_of_othello_are_legal_or_refused(moves in "([a-h][1-8]|--){1,12}") {
        let settings = OthelloMatchSettings::default();
        let Ok(openings) = OthelloOpenings::from_text(&moves, &settings) else { return Ok(()) };
        let mut position = settings.start_position().unwrap();
        for mv in openings.opening_for_pair(0, &settings, ishi_rng::Seed::new(1)) {
            prop_assert!(position.play(mv).is_ok());
        }
        prop_assert!(!position.is_over());
    }
}
