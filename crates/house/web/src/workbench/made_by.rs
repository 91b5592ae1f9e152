//! What a record, a page or a picture that a visitor saves says of how it was made, as those of the commands do.

use ishi_lab::machine::Machine;
use ishi_sgf::Collection;

use super::desk::WorkbenchSettings;

/// The work that a game is: `game k3x, black person, white go-mcts:level=5`. Where no engine sits, a person does. Black comes first.
pub(super) fn describe_game(key: &str, engines: [Option<&str>; 2]) -> String {
    let [black, white] = engines.map(|engine| engine.unwrap_or("person"));
    format!("game {key}, black {black}, white {white}")
}

/// Says in the roots of a record how it was made: version, seed, threads, machine, and then the work that was done in the workbench, such as
/// [`describe_game`]. Addresses and names of files are not told, as the visitor may be somebody else.
pub(super) fn mark_record(record: &mut Collection, settings: &WorkbenchSettings, work: &str) {
    record.set_made_by(&describe_making(settings, work));
}

/// What [`mark_record`] says, in the head of a page that is saved.
pub(super) fn mark_page(page: &str, settings: &WorkbenchSettings, work: &str) -> String {
    ishi_draw::put_maker_into_page(page, &describe_making(settings, work))
}

/// What [`mark_record`] says, in a picture (SVG) that is saved; it is not drawn.
pub(super) fn mark_picture(picture: &str, settings: &WorkbenchSettings, work: &str) -> String {
    ishi_draw::put_maker_into_picture(picture, &describe_making(settings, work))
}

fn describe_making(settings: &WorkbenchSettings, work: &str) -> String {
    let Machine { cpu, system, build, .. } = Machine::current();
    let (seed, threads) = (settings.seed, settings.thinkers);
    format!("{build}, seed {seed}, threads {threads}, {cpu}, {system}: workbench, {work}")
}
