//! `ishi token`: what a workbench asks its visitors for. It is kept beside the database, so that cookies, bookmarks and scripts outlive the
//! server.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_web::load::{LoadError, LoadTarget};
use ishi_web::{AccessToken, TokenError};
use serde_json::json;

use crate::context::{Context, Failure};
use crate::files::{self, print_bytes};
use crate::places;

const HELP: &str = "\
Examples:
  ishi token                                   the token, for the page that asks for it
  ishi token http://127.0.0.1:8642             an address that lets a browser in once, from the workbench that runs there
  ishi token --db games.db http://127.0.0.1:8642
  printf 'Authorization: Bearer %s' \"$(ishi token)\" | curl -H @- http://127.0.0.1:8642/healthz

ishi serve makes the token at its first start and keeps it beside the database, in a file that nobody else can read \
(ishi.db.token). Scripts send it with every request. Browsers have a cookie for it, which ends after 30 days. Who \
removes the file and starts the workbench again sends all visitors out. An address is good for an hour.";

/// Options of `ishi token`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct TokenArgs {
    /// A workbench that runs, such as http://127.0.0.1:8642: print an address there that lets one visitor in, once
    url: Option<String>,
    #[command(flatten)]
    place: TokenPlace,
}

/// Where the token of a workbench is kept.
#[derive(Args, Clone, Debug)]
pub struct TokenPlace {
    /// The database of the workbench, beside which its token is kept [default: ishi.db of this folder, if there is one, else that of the data folder]
    #[arg(long, default_value_os_t = places::default_database(), hide_default_value = true, value_name = "FILE")]
    pub db: PathBuf,
    /// The file with the token, if the workbench was started with one
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

impl TokenPlace {
    /// The file that holds it.
    pub fn path(&self) -> PathBuf {
        self.token_file.clone().unwrap_or_else(|| path_beside(&self.db, ".token"))
    }

    /// The token; none if no workbench has made one yet.
    ///
    /// # Errors
    /// If the file cannot be read, is none of ours, or is open to others.
    pub fn read(&self) -> Result<Option<AccessToken>, Failure> {
        match &self.token_file {
            Some(path) => read_chosen_token(path).map(Some),
            None => read_kept_token(&self.path()),
        }
    }

    /// The token; a new one, which is kept, if there is none yet.
    ///
    /// # Errors
    /// As [`TokenPlace::read`], or if it cannot be kept.
    pub fn read_or_make(&self) -> Result<AccessToken, Failure> {
        match &self.token_file {
            Some(path) => {
                let token = read_chosen_token(path)?;
                warn_if_open(path);
                Ok(token.with_cookie_key(&read_or_make_secret(&path_beside(&self.db, ".cookies"))?))
            }
            None => read_or_make_secret(&self.path()),
        }
    }
}

/// The secret in this file; a new one, which is kept there, if there is none yet.
fn read_or_make_secret(path: &Path) -> Result<AccessToken, Failure> {
    if let Some(secret) = read_kept_token(path)? {
        return Ok(secret);
    }
    let secret = AccessToken::draw();
    match files::write_private_file(path, format!("{}\n", secret.as_str()).as_bytes(), false) {
        Ok(()) => Ok(secret),
        // Another workbench with the same database began at the same moment.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            read_kept_token(path)?.ok_or_else(|| no_token(path))
        }
        Err(error) => Err(Failure::outside(format!("cannot write {}: {error}", path.display()))),
    }
}

/// A file that a person made is theirs to open. They should know of it.
fn warn_if_open(path: &Path) {
    if let Ok(Some(why)) = files::find_openness(path) {
        tell!(
            "ishi serve: WARNING: --token-file {}: {why}, so it is no secret: chmod 600 keeps it for you",
            path.display()
        );
    }
}

/// A file beside the database, with a name that is longer; for a server's, in the data folder.
pub(crate) fn path_beside(db: &Path, ending: &str) -> PathBuf {
    let mut name = places::file_of_database(db).into_os_string();
    name.push(ending);
    name.into()
}

fn read_chosen_token(path: &Path) -> Result<AccessToken, Failure> {
    let refuse =
        |error: &dyn std::fmt::Display| Failure::Input(format!("--token-file {}: {error}", path.display()));
    let text = files::read_text(path).map_err(|error| refuse(&error))?;
    AccessToken::from_chosen_text(&text).map_err(|error| refuse(&error))
}

fn read_kept_token(path: &Path) -> Result<Option<AccessToken>, Failure> {
    let cannot_read = |error| Failure::outside(format!("cannot read {}: {error}", path.display()));
    let openness = match files::find_openness(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        openness => openness.map_err(cannot_read)?,
    };
    if let Some(why) = openness {
        let message = format!(
            "{}: {why}, so it is no secret: remove it, and the next start makes a new one",
            path.display()
        );
        return Err(Failure::Input(message));
    }
    let text = files::read_text(path).map_err(cannot_read)?;
    let token = AccessToken::from_kept_text(&text);
    token.map(Some).map_err(|error: TokenError| Failure::in_file(path, error))
}

fn no_token(path: &Path) -> Failure {
    Failure::Input(format!(
        "there is no token in {}: ishi serve makes it at its first start; --db names its database",
        path.display()
    ))
}

/// Prints the token, or asks a workbench for an address.
pub fn run(args: &TokenArgs, context: &Context) -> Result<(), Failure> {
    let token = args.place.read()?.ok_or_else(|| no_token(&args.place.path()))?;
    let Some(url) = &args.url else {
        return print_answer("token", token.as_str(), context);
    };
    let failure = |error: LoadError| match error {
        LoadError::Address(_) | LoadError::Refused { .. } => Failure::input(error),
        LoadError::Connection { .. } => {
            Failure::outside(format!("no workbench answers: {error}. `ishi serve` starts one"))
        }
        error => Failure::outside(error),
    };
    let target = LoadTarget::new(url).map_err(failure)?.with_token(Some(token));
    let address = target.request_entry_address().map_err(failure)?;
    print_answer("address", &address, context)
}

fn print_answer(name: &str, answer: &str, context: &Context) -> Result<(), Failure> {
    if context.json {
        // An answer of a moment and no result: it does not say how it was made.
        return print_bytes(format!("{:#}\n", json!({ name: answer })).as_bytes());
    }
    print_bytes(format!("{answer}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No file is named after a server, whose address may have a password and is no path.
    #[test]
    fn what_belongs_to_a_servers_database_has_a_name_of_its_own() {
        let token = |address: &str| path_beside(Path::new(address), ".token");
        let path = token("postgres://me:secret@far/games");
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("server-") && name.ends_with(".db.token"), "{name}");
        assert!(!path.display().to_string().contains("secret"));
        assert_eq!(path, token("postgres://me:other@far/games"), "the password does not count");
        assert_ne!(path, token("postgres://me@far/other"));
    }

    fn place(db: PathBuf) -> TokenPlace {
        TokenPlace { db, token_file: None }
    }

    #[test]
    fn a_token_is_made_once_and_kept_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path().join("games.db"));
        assert_eq!(place.read().unwrap(), None);
        let token = place.read_or_make().unwrap();
        assert_eq!(place.read_or_make().unwrap(), token);
        assert_eq!(place.path(), folder.path().join("games.db.token"));
        assert_eq!(files::find_openness(&place.path()).unwrap(), None);
        files::remove_if_possible(&place.path());
        assert_ne!(place.read_or_make().unwrap(), token);
    }

    #[test]
    fn cookies_of_a_chosen_token_outlive_the_workbench_by_a_key_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let token_file = folder.path().join("token.txt");
        files::write_private_file(&token_file, b"correct horse battery", false).unwrap();
        let place = TokenPlace { db: folder.path().join("games.db"), token_file: Some(token_file) };
        let token = place.read_or_make().unwrap();
        assert_eq!(place.read_or_make().unwrap(), token);
        let key = folder.path().join("games.db.cookies");
        assert_eq!(files::find_openness(&key).unwrap(), None, "it is for its owner only");
        files::remove_if_possible(&key);
        assert_ne!(place.read_or_make().unwrap(), token, "a new key sends all visitors out");
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_can_read_or_that_was_cut_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path().join("games.db"));
        let token = place.read_or_make().unwrap();
        std::fs::set_permissions(place.path(), std::fs::Permissions::from_mode(0o640)).unwrap();
        let why = place.read_or_make().unwrap_err();
        assert!(why.exit_code() == 3 && why.to_string().contains("mode 640"), "{why}");
        files::write_private_file(&place.path(), &token.as_str().as_bytes()[..12], true).unwrap();
        let why = place.read_or_make().unwrap_err();
        assert!(why.exit_code() == 3 && why.to_string().contains("no token of ours"), "{why}");
    }
}
