//! What a record, a page, a picture or data that a visitor saves says of how it was made, as those of the commands do.

use ishi_lab::machine::Machine;
use ishi_sgf::Collection;
use serde_json::{Value, json};

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

/// The same in data (JSON) that is saved: each object that stands outermost has it as `made_by`.
pub(super) fn mark_document(mut document: Value, settings: &WorkbenchSettings, work: &str) -> Value {
    let Machine { cpu, system, build, .. } = Machine::current();
    let made_by = json!({
        "version": build,
        "seed": settings.seed.to_string(),
        "threads": settings.thinkers,
        "machine": format!("{cpu}, {system}"),
        "work": format!("workbench, {work}"),
    });
    insert_maker(&mut document, &made_by);
    document
}

fn insert_maker(document: &mut Value, made_by: &Value) {
    match document {
        Value::Array(items) => items.iter_mut().for_each(|item| insert_maker(item, made_by)),
        Value::Object(fields) => {
            fields.insert("made_by".to_string(), made_by.clone());
        }
        _ => {}
    }
}

fn describe_making(settings: &WorkbenchSettings, work: &str) -> String {
    let Machine { cpu, system, build, .. } = Machine::current();
    let (seed, threads) = (settings.seed, settings.thinkers);
    format!("{build}, seed {seed}, threads {threads}, {cpu}, {system}: workbench, {work}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_outermost_says_how_it_was_made() {
        let mut list = json!([{ "a": { "b": 1 } }, { "a": [{ "b": 2 }] }]);
        insert_maker(&mut list, &json!({ "seed": "1" }));
        assert_eq!(list[0], json!({ "made_by": { "seed": "1" }, "a": { "b": 1 } }));
        assert_eq!(list[1]["made_by"]["seed"], "1");
        assert_eq!(list[1]["a"], json!([{ "b": 2 }]), "only what stands outermost has it");
        let mut number = json!(3);
        insert_maker(&mut number, &json!({}));
        assert_eq!(number, json!(3));
    }
}
