//! What only a server can do: refuse a password, go away and come back, speak TLS.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ishi_lab::store::{NewResult, ServerNews, Store, StoreError, StoreTask, TaskCost, TaskKind, WorkerNote};
use serde_json::json;

use crate::postgres_server::{PASSWORD, PostgresServer, shared_server};
use crate::store::{DAMAGES, WITHOUT_LATER_CHECKSUMS, fill_every_table, read_every_table};

fn task(number: u64) -> StoreTask {
    StoreTask::new(TaskKind::new("test"), json!({ "number": number }))
}

fn result(value: u64) -> NewResult {
    NewResult { result: json!(value), seed: "1".into(), cost: TaskCost::default(), games: Vec::new() }
}

#[test]
fn a_server_that_refuses_or_is_not_there_is_told_without_the_password() {
    let Some(server) = shared_server() else { return };
    let address = server.new_database();
    let wrong = address.replace("of%20the%20tests", "a-wrong-one");
    let error = Store::open(Path::new(&wrong)).unwrap_err();
    assert!(matches!(error, StoreError::Refused { .. }) && error.is_input(), "{error}");
    assert!(!error.to_string().contains("a-wrong-one"), "{error}");
    let without = address.replace(":of%20the%20tests", "");
    let error = Store::open(Path::new(&without)).unwrap_err();
    assert!(error.to_string().contains("it wants a password: PGPASSWORD"), "{error}");
    let missing = server.address("no_such_database");
    let error = Store::open(Path::new(&missing)).unwrap_err();
    assert!(matches!(error, StoreError::Refused { .. }), "{error}");
    let told = "does not exist; `createdb` of PostgreSQL makes one";
    assert!(error.to_string().ends_with(told), "{error}");
    let nobody = "postgres://ishi@127.0.0.1:1/x";
    let error = Store::open(Path::new(nobody)).unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }) && !error.is_input(), "{error}");
    assert!(error.to_string().contains("postgres://ishi@127.0.0.1:1/x is out of reach"), "{error}");
    let store = Store::open(Path::new(&address)).unwrap();
    assert!(!store.path().to_str().unwrap().contains(PASSWORD));
}

#[test]
fn tables_of_others_and_of_newer_versions_are_left_alone() {
    let Some(server) = shared_server() else { return };
    let foreign = server.new_database();
    let name = foreign.rsplit('/').next().unwrap();
    server.ask(name, "CREATE TABLE t (x TEXT)").unwrap();
    assert!(matches!(Store::open(Path::new(&foreign)).unwrap_err(), StoreError::Foreign { .. }));
    let empty = server.new_database();
    assert!(matches!(Store::open_read_only(Path::new(&empty)).unwrap_err(), StoreError::Empty { .. }));
    drop(Store::open(Path::new(&empty)).unwrap());
    let mut reader = Store::open_read_only(Path::new(&empty)).unwrap();
    let error = reader.keep_result(&task(0), &result(0)).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    let name = empty.rsplit('/').next().unwrap();
    server.ask(name, "INSERT INTO schema_migrations VALUES (99, 'later', 0)").unwrap();
    let error = Store::open(Path::new(&empty)).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
}

/// Rows of the version before get their checksums, as in SQLite.
#[test]
fn rows_of_an_older_version_are_sealed_on_a_server() {
    let Some(server) = shared_server() else { return };
    let address = server.new_database();
    drop(fill_every_table(Path::new(&address)));
    let name = address.rsplit('/').next().unwrap();
    server.ask(name, WITHOUT_LATER_CHECKSUMS).unwrap();
    let mut store = Store::open(Path::new(&address)).unwrap();
    read_every_table(&mut store).unwrap();
}

#[test]
fn a_change_in_any_table_of_a_server_is_found_out() {
    let Some(server) = shared_server() else { return };
    for (table, change) in DAMAGES {
        let address = server.new_database();
        let mut store = fill_every_table(Path::new(&address));
        let name = address.rsplit('/').next().unwrap();
        server.ask(name, &format!("UPDATE {table} SET {change}")).unwrap();
        let error = read_every_table(&mut store).unwrap_err();
        assert!(
            error.is_input() && error.to_string().contains("does not fit its checksum"),
            "{change}: {error}"
        );
    }
}

/// A text that PostgreSQL cannot hold does not end a match.
#[test]
fn characters_that_the_server_cannot_hold_are_replaced() {
    let Some(server) = shared_server() else { return };
    let mut store = Store::open(Path::new(&server.new_database())).unwrap();
    let odd = NewResult { seed: "a\0b".into(), ..result(1) };
    assert!(store.keep_result(&task(1), &odd).unwrap());
    assert_eq!(store.find_result(&task(1).id()).unwrap().unwrap().seed, "a\u{fffd}b");
}

#[test]
fn a_server_that_is_killed_and_comes_back_costs_time_only() {
    let Some(mut server) = PostgresServer::start(&[]) else { return };
    let address = server.new_database();
    let mut store = Store::open(Path::new(&address)).unwrap();
    let (news, heard) = std::sync::mpsc::channel();
    store.watch_server(move |told| match told {
        ServerNews::Away(cause) => news.send((false, !cause.is_empty())).unwrap(),
        ServerNews::Back(absence) => news.send((true, absence.as_secs_f64() > 0.4)).unwrap(),
    });
    store.start_run("r", "test", &json!({})).unwrap();
    assert!(store.keep_result_in_run(&task(0), &result(0), Some(("r", 0))).unwrap());
    server.kill();
    let restart = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(2));
        server.run(&[]);
        server
    });
    assert!(
        store.keep_result_in_run(&task(1), &result(1), Some(("r", 1))).unwrap(),
        "it waits for the server"
    );
    let _server = restart.join().unwrap();
    assert_eq!(store.results_of_run("r").unwrap().len(), 2);
    drop(store);
    let told: Vec<(bool, bool)> = heard.iter().collect();
    assert_eq!(told, [(false, true), (true, true)], "once that it is away, and once that it is back");
}

/// A server with a certificate for localhost, signed by an authority of its own; `None` where openssl is missing.
fn start_tls_server() -> Option<(PostgresServer, String)> {
    let mut server = PostgresServer::start(&[])?;
    let script = "openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=ishi-ca && \
         openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost && \
         printf 'subjectAltName=DNS:localhost' > names && \
         openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt && \
         chmod 600 server.key && chown --reference=password server.key server.crt";
    let made = Command::new("sh").args(["-c", script]).current_dir(server.folder()).output().unwrap();
    if !made.status.success() {
        use std::io::Write as _;
        let why = String::from_utf8_lossy(&made.stderr);
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs openssl (apt-get install openssl): {why}");
        return None;
    }
    let (key, certificate) = (server.folder().join("server.key"), server.folder().join("server.crt"));
    server.kill();
    let settings = [
        "ssl=on".into(),
        format!("ssl_key_file={}", key.display()),
        format!("ssl_cert_file={}", certificate.display()),
    ];
    server.run(&settings.each_ref().map(|setting: &String| setting.as_str()));
    let authority = server.folder().join("ca.crt").display().to_string();
    Some((server, authority))
}

#[test]
fn tls_checks_the_certificate_and_the_name() {
    let Some((server, authority)) = start_tls_server() else { return };
    let address = server.new_database().replace("127.0.0.1", "localhost");
    let open = |text: String| Store::open(Path::new(&text));
    let mut store = open(format!("{address}?sslmode=verify-full&sslrootcert={authority}")).unwrap();
    assert!(store.keep_result(&task(0), &result(0)).unwrap());
    let name = address.rsplit('/').next().unwrap();
    let tls =
        server.ask(name, "SELECT COUNT(*) FROM pg_stat_ssl WHERE ssl AND pid <> pg_backend_pid()").unwrap();
    assert_eq!(tls.trim(), "1", "the store's connection is by TLS");

    let by_number = address.replace("localhost", "127.0.0.1");
    let other = server.folder().join("server.crt").display().to_string();
    let plain = shared_server().expect("there is PostgreSQL").new_database();
    for (address, cause) in [
        (format!("{by_number}?sslmode=verify-full&sslrootcert={authority}"), "invalid peer certificate"),
        (format!("{address}?sslmode=verify-full&sslrootcert={other}"), "invalid peer certificate"),
        (format!("{plain}?sslmode=verify-full&sslrootcert={authority}"), "server does not support TLS"),
    ] {
        let error = open(address).unwrap_err();
        assert!(matches!(error, StoreError::Refused { .. }), "nobody waits for what stays so: {error}");
        assert!(
            error.to_string().contains(cause) && error.to_string().contains("sslmode=disable"),
            "{error}"
        );
    }
}

/// Damaged rows are taken out where they stand. A worker that notes itself meanwhile would move its row, or take the place of another.
#[test]
fn who_takes_out_damaged_rows_waits_for_others_that_change_them() {
    let Some(server) = shared_server() else { return };
    let address = server.new_database();
    let name = address.rsplit('/').next().unwrap();
    let ask = |sql: &str| server.ask(name, sql).unwrap();
    let mut store = Store::open(Path::new(&address)).unwrap();
    for id in ["a", "b"] {
        store.note_worker(&WorkerNote { id: id.into(), ..WorkerNote::default() }).unwrap();
    }
    ask("UPDATE workers SET done = 9 WHERE id = 'a'");
    std::thread::scope(|scope| {
        // Both statements are one transaction.
        let other = scope.spawn(|| ask("UPDATE workers SET seen = 1 WHERE id = 'b'; SELECT pg_sleep(2)"));
        let held = "SELECT COUNT(*) FROM pg_locks WHERE relation = 'workers'::regclass \
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
                    AND mode = 'RowExclusiveLock'";
        while !other.is_finished() && ask(held).trim() == "0" {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(store.remove_damaged_campaign_rows().unwrap(), 1);
        assert_eq!(ask("SELECT id, seen FROM workers").trim(), "b|1", "it has waited for the other one");
        other.join().unwrap();
    });
}
