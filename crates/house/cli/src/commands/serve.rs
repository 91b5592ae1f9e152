//! `ishi serve`, and `ishi` alone: the workbench in a browser.

use std::io::{IsTerminal, Write};
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use ishi_lab::folder;
use ishi_web::{RequestLog, ServerError, Workbench, WorkbenchSettings};

use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi                                       the same as ishi serve
  ishi serve                                 http://127.0.0.1:8642, in your browser if there is one
  ishi serve --db games.db --no-open
  ishi serve --listen 0.0.0.0:8642 --token-file token.txt

Rooms: Go, Othello, joseki, patterns, laboratory, strings, decks. What you make there is kept in the database
(--db), which ishi match and ishi lab use, too. Only programs of this machine can connect, unless --listen
says otherwise: then every visitor has to give the token, and it is best to put a server with TLS before it.
Without --token-file a token is made and told. Ctrl-C ends it; nothing is lost.";

/// Options of `ishi serve`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ServeArgs {
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8642")]
    listen: String,
    /// The database of games, patterns and results
    #[arg(long, default_value = "ishi.db", value_name = "FILE")]
    db: PathBuf,
    /// The folder of experiments [default: `experiments`, here or above]
    #[arg(long, value_name = "DIR")]
    experiments: Option<PathBuf>,
    /// A file with the token that visitors must give
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A name besides 127.0.0.1 and localhost under which browsers ask for it; repeat for several
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Open no browser
    #[arg(long)]
    no_open: bool,
    /// Tell of every request on stderr
    #[arg(long)]
    log: bool,
}

impl Default for ServeArgs {
    fn default() -> ServeArgs {
        ServeArgs {
            listen: "127.0.0.1:8642".to_string(),
            db: "ishi.db".into(),
            experiments: None,
            token_file: None,
            host: Vec::new(),
            no_open: false,
            log: false,
        }
    }
}

/// Serves until Ctrl-C.
pub fn run(args: &ServeArgs, context: &Context) -> Result<(), Failure> {
    let settings = WorkbenchSettings {
        listen: args.listen.clone(),
        db: Some(args.db.clone()),
        token: read_token(args)?,
        hosts: args.host.clone(),
        experiments: find_experiments_folder(args)?,
        thinkers: context.threads,
        seed: context.seed,
    };
    let token = settings.token.clone().filter(|_| args.token_file.is_none());
    let workbench = Workbench::bind(settings).map_err(|error| match error {
        ServerError::Store(error) if error.is_input() => Failure::input(error),
        error => Failure::outside(error),
    })?;
    let url = format!("http://{}", workbench.address());
    // Who asked for any free port has to hear which it is.
    print_line(&format!(
        "the workbench is at {url}, what you make is kept in {}; Ctrl-C ends it",
        args.db.display()
    ));
    if let Some(token) = token {
        print_line(&format!("visitors are asked for this token: {token}"));
    }
    if !args.no_open && has_browser() {
        // Whoever sees the address can open it.
        let _ = open::that_detached(&url);
    }
    let log: RequestLog = Box::new(|line| print_line(&line.to_string()));
    workbench.run(&context.stop, args.log.then_some(log)).map_err(Failure::outside)
}

fn print_line(text: &str) {
    // Nobody reads it any more: that is no reason to stop serving.
    let _ = writeln!(anstream::stderr(), "ishi serve: {text}");
}

/// Somebody sits at this machine, with windows.
fn has_browser() -> bool {
    let windows = cfg!(any(target_os = "macos", target_os = "windows"));
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && (windows || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))
}

/// Experiments are wanted, but the other rooms need none.
fn find_experiments_folder(args: &ServeArgs) -> Result<PathBuf, Failure> {
    match &args.experiments {
        Some(path) if !path.is_dir() => {
            Err(Failure::Input(format!("--experiments: {} is no folder", path.display())))
        }
        Some(path) => Ok(path.clone()),
        None => {
            let here = std::env::current_dir().map_err(Failure::outside)?;
            Ok(folder::find_experiments(&here).unwrap_or_else(|_| here.join("experiments")))
        }
    }
}

/// The least length of a token, in characters.
const LEAST_TOKEN: usize = 12;

/// The token, where others than this machine can connect.
fn read_token(args: &ServeArgs) -> Result<Option<String>, Failure> {
    if let Some(path) = &args.token_file {
        let text = files::read_text(path)
            .map_err(|error| Failure::Input(format!("--token-file {}: {error}", path.display())))?;
        let token = text.trim();
        if token.chars().count() < LEAST_TOKEN {
            let message =
                format!("--token-file {}: a token has {LEAST_TOKEN} characters or more", path.display());
            return Err(Failure::Input(message));
        }
        return Ok(Some(token.to_string()));
    }
    Ok((!is_loopback(&args.listen)).then(ishi_web::new_token))
}

fn is_loopback(listen: &str) -> bool {
    let name = listen.rsplit_once(':').map_or(listen, |(name, _)| name);
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_needs_no_token() {
        for listen in ["127.0.0.1:0", "[::1]:80", "localhost:1", "127.1.2.3:9"] {
            assert!(is_loopback(listen), "{listen}");
        }
        for listen in
            ["0.0.0.0:8642", "[::]:80", "192.168.1.5:80", "example.org:80", "localhost.example.org:80"]
        {
            assert!(!is_loopback(listen), "{listen}");
        }
    }
}
