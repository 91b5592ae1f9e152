//! What several tests compare with and none changes: made once in a run of the tests, also where each test is a process of its own.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

/// The text of this name, as `make` makes it. cargo-nextest, which starts a process for each test, names its run in the environment: the first test
/// of a run that asks makes the text, and the others read it.
pub(crate) fn text_of_run(name: &str, make: impl FnOnce() -> String) -> String {
    match std::env::var("NEXTEST_RUN_ID") {
        Ok(run) => text_for(Path::new(env!("CARGO_TARGET_TMPDIR")), name, &run, make),
        Err(_) => make(),
    }
}

/// The text of this name in the folder, if it is of this run. It is made anew, in place of what another run has left, if not. Who asks meanwhile waits.
fn text_for(folder: &Path, name: &str, run: &str, make: impl FnOnce() -> String) -> String {
    let lock = File::create(folder.join(format!("{name}.lock"))).unwrap();
    lock.lock().unwrap();
    let path = folder.join(name);
    if let Some(kept) = read_if_there(&path)
        && let Some((of_run, text)) = kept.split_once('\n')
        && of_run == run
    {
        return text.to_string();
    }
    let text = make();
    // Whole or not at all: who writes may be killed.
    let unfinished = folder.join(format!("{name}.unfinished"));
    std::fs::write(&unfinished, format!("{run}\n{text}")).unwrap();
    std::fs::rename(&unfinished, &path).unwrap();
    text
}

fn read_if_there(path: &Path) -> Option<String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

#[test]
fn a_text_is_made_once_in_a_run_and_anew_in_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let text = |run: &str, made: &str| text_for(folder.path(), "table", run, || made.to_string());
    assert_eq!(text("one", "1\n2\n"), "1\n2\n");
    assert_eq!(text("one", "another"), "1\n2\n");
    assert_eq!(text("two", "another"), "another");
    assert_eq!(text_for(folder.path(), "other", "two", || "its own".to_string()), "its own");
}

#[test]
fn who_asks_while_a_text_is_made_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::sync::atomic::AtomicU32::new(0);
    let ask = || {
        text_for(folder.path(), "table", "one", || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            made.fetch_add(1, std::sync::atomic::Ordering::SeqCst).to_string()
        })
    };
    let texts: Vec<String> = std::thread::scope(|scope| {
        let asking = [(); 4].map(|()| scope.spawn(ask));
        asking.map(|thread| thread.join().unwrap()).to_vec()
    });
    assert_eq!(texts, ["0", "0", "0", "0"]);
}
