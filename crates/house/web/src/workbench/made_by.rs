//! What a record that a visitor saves says of how it was made, as those of the commands do.

use ishi_lab::machine::Machine;
use ishi_sgf::Collection;

use super::desk::WorkbenchSettings;

/// Says in the roots of a record how it was made: version, seed, threads, machine, and then the work that was done in the workbench, such as
/// `game k3x, black person, white go-mcts:level=5`. Addresses and names of files are not told, as the visitor may be somebody else.
pub(super) fn mark_record(record: &mut Collection, settings: &WorkbenchSettings, work: &str) {
    let Machine { cpu, system, build, .. } = Machine::current();
    let (seed, threads) = (settings.seed, settings.thinkers);
    record
        .set_made_by(&format!("{build}, seed {seed}, threads {threads}, {cpu}, {system}: workbench, {work}"));
}
