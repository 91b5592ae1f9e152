//! The plan of a match, made from its options.

use std::path::Path;

use ishi_arena::{Contestant, MatchPlan, MatchSettings, Openings, PlayerSpec, TimeControl};

use super::game::PlayedGame;
use super::options::MatchArgs;
use crate::context::{Context, Failure};
use crate::files::{self, ReadFile};

/// Is what the words themselves say right: players, conditions, the sequential test? No file is read for it, and no program started.
pub(super) fn check_options<G: PlayedGame>(args: &MatchArgs) -> Result<(), Failure> {
    let settings = G::match_settings(args)?;
    args.create_sprt()?;
    let named = [&args.a, &args.b].into_iter().flatten().filter(|text| !G::names_file(text));
    let players = named.map(|text| PlayerSpec::parse_for_game::<G>(text).map_err(Failure::input));
    let players: Vec<PlayerSpec> = players.collect::<Result<_, Failure>>()?;
    check_time(settings.time_control(), &players.iter().collect::<Vec<_>>())
}

/// Reads everything, tries the players and the referee out, and makes the plan. Files may be packed, as those are that a campaign reads.
pub(super) fn make_plan<G: PlayedGame>(args: &MatchArgs, context: &Context) -> Result<MatchPlan<G>, Failure> {
    make_plan_from(args, context, &mut files::read_unpacked)
}

/// As [`make_plan`], with files of openings and players that `read` gives.
pub(super) fn make_plan_from<G: PlayedGame>(
    args: &MatchArgs,
    context: &Context,
    read: &mut ReadFile<'_>,
) -> Result<MatchPlan<G>, Failure> {
    let settings = G::match_settings(args)?;
    let sprt = args.create_sprt()?;
    let openings = args.choose_openings::<G>(&settings, read)?;
    let [a, b] = [&args.a, &args.b].map(|text| {
        let text = G::catalog_player(text.as_deref().unwrap_or_default(), read)?;
        PlayerSpec::parse_for_game::<G>(&text).map_err(Failure::input)
    });
    let (a, b) = (a?, b?);
    check_time(settings.time_control(), &[&a, &b])?;
    let referee = G::choose_referee(args, &settings, context)?;
    let check = |name: &Option<String>, text: &Option<String>, spec: &PlayerSpec| {
        // A built-in player is called what the user calls it; a program what it calls itself.
        let (builtin, files) = match spec {
            PlayerSpec::Builtin(_) => (text.as_deref(), None),
            PlayerSpec::External(command) => (None, Some(args.programs_by.find_files(command))),
        };
        let name = name.as_deref().or(builtin);
        let tried = Contestant::try_out_until(name, spec, &settings, &context.stop);
        context.check_stop()?;
        let tried = tried.map_err(Failure::outside)?;
        let files = files.map_or(Ok(String::new()), |files| files.describe_contents())?;
        Ok::<Contestant, Failure>(Contestant { files, ..tried })
    };
    let (a, mut b) = (check(&args.name_a, &args.a, &a)?, check(&args.name_b, &args.b, &b)?);
    if a.name == b.name {
        b.name += " (2)";
    }
    let contestants = [a, b];
    Ok(MatchPlan {
        contestants,
        settings,
        referee,
        openings,
        pairs: args.pair_count(),
        seed: context.seed,
        sprt,
    })
}

/// GTP tells time in whole seconds.
fn check_time(time: &TimeControl, players: &[&PlayerSpec]) -> Result<(), Failure> {
    let program = players.iter().any(|spec| matches!(spec, PlayerSpec::External(_)));
    if program && !time.is_whole_seconds() {
        return Err(Failure::Input(format!(
            "invalid time {time}: GTP engines are told whole seconds only, so write whole seconds"
        )));
    }
    Ok(())
}

impl MatchArgs {
    fn choose_openings<G: PlayedGame>(
        &self,
        settings: &G::Settings,
        read: &mut ReadFile<'_>,
    ) -> Result<Openings<G>, Failure> {
        let opening = self.opening.as_deref().unwrap_or(G::USUAL_OPENING);
        if opening == "none" {
            return Ok(Openings::Empty);
        }
        if let Some(moves) = opening.strip_prefix("random:") {
            let limit = settings.move_limit().min(G::MOST_OPENING_MOVES + 1);
            let moves = moves.parse().ok().filter(|&moves| moves < limit);
            return moves.map(Openings::Random).ok_or_else(|| {
                let why = G::OPENING_LIMIT;
                Failure::Input(format!(
                    "invalid opening {opening:?}: write random:8 for 8 random moves, fewer than {why} of {limit}"
                ))
            });
        }
        let bytes = read(Path::new(opening)).map_err(|failure| {
            let said = failure.to_string();
            let cause = said.strip_prefix(&format!("cannot read {opening}: ")).unwrap_or(&said);
            Failure::outside(format!(
                "cannot read the openings {opening}: {cause}. They must be none, random:N or the name of a file"
            ))
        })?;
        let is_sgf = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(');
        let openings = if is_sgf {
            Openings::from_sgf(&bytes, settings)
        } else {
            Openings::from_text(&String::from_utf8_lossy(&bytes), settings)
        };
        openings.map_err(|error| Failure::Input(format!("{opening}: {error}")))
    }
}
