//! The address of a server, and what the environment adds to it, as all programs of PostgreSQL read it.
//!
//! `postgres://USER:PASSWORD@HOST:PORT/DATABASE?name=value&...`; what is missing comes from a service file (`PGSERVICE`),
//! from `PGHOST`, `PGPORT`, `PGUSER`, `PGDATABASE` and `PGPASSWORD`, and the password from the file `PGPASSFILE` or
//! `~/.pgpass`. <https://www.postgresql.org/docs/current/libpq-connect.html> and the pages after it describe them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::postgres::Config;
use ::postgres::config::SslMode;
use ishi_words::{is_unreserved, percent_encode};

use super::tls::{TlsConnector, default_roots};
use crate::StoreError;

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// After so long without a sign of the other side a connection counts as cut.
const SILENCE: Duration = Duration::from_secs(30);

/// What of an address is not part of `postgres://...` itself.
const OPTIONS: [&str; 10] = [
    "host",
    "port",
    "user",
    "password",
    "dbname",
    "passfile",
    "service",
    "sslmode",
    "sslrootcert",
    "options",
];

/// What other programs of PostgreSQL read in an address, and what makes no difference here.
const IGNORED: [&str; 9] = [
    "application_name",
    "fallback_application_name",
    "client_encoding",
    "connect_timeout",
    "gssencmode",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_count",
];

/// A server's address with everything that is needed to get in.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ServerAddress {
    host: String,
    port: u16,
    user: String,
    database: String,
    password: Option<String>,
    options: String,
    /// The certificates with which TLS begins; `None`: without TLS.
    tls_roots: Option<PathBuf>,
}

/// Where an address takes what it does not say.
pub struct AddressSurroundings<'a> {
    /// The value of a variable of the environment, if it has one.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The text of a file, if there is one.
    pub read: &'a dyn Fn(&Path) -> Option<String>,
    /// May others than its owner read the file? Then it is no place for passwords.
    pub is_open: &'a dyn Fn(&Path) -> bool,
}

/// The address of a server as it is shown, without its password, among these surroundings. No server is asked.
///
/// # Errors
/// What is wrong with the address.
pub fn describe_server(text: &str, around: &AddressSurroundings<'_>) -> Result<String, StoreError> {
    Ok(ServerAddress::parse_in(text, around)?.without_password())
}

impl ServerAddress {
    /// Reads the address and what the environment adds.
    // Passwords stand in files and in the environment so that they do not stand in commands.
    #[allow(clippy::disallowed_methods)]
    pub(super) fn parse(text: &str) -> Result<ServerAddress, StoreError> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let read = |path: &Path| std::fs::read_to_string(path).ok();
        let around = AddressSurroundings { variable: &variable, read: &read, is_open: &is_open_to_others };
        ServerAddress::parse_in(text, &around)
    }

    fn parse_in(text: &str, around: &AddressSurroundings<'_>) -> Result<ServerAddress, StoreError> {
        let wrong = |cause: String| StoreError::Address { address: hide_password(text), cause };
        let said = split_address(text).map_err(&wrong)?;
        let service = read_service(&said, around).map_err(&wrong)?;
        let find = |option: &str, variable: &str| {
            let of_service = || service.get(option).cloned();
            said.get(option).cloned().or_else(of_service).or_else(|| (around.variable)(variable))
        };
        let host = find("host", "PGHOST").unwrap_or_else(|| "localhost".to_string());
        let port = find("port", "PGPORT").unwrap_or_else(|| "5432".to_string());
        let port: u16 =
            port.parse().map_err(|_| wrong(format!("the port {port:?} must be a number up to 65535")))?;
        let user = find("user", "PGUSER").or_else(|| (around.variable)("USER"));
        let user = user.ok_or_else(|| wrong("it must name a user".to_string()))?;
        let database = find("dbname", "PGDATABASE").unwrap_or_else(|| user.clone());
        let tls_roots =
            choose_roots(&host, find("sslmode", "PGSSLMODE"), find("sslrootcert", "PGSSLROOTCERT"), around)
                .map_err(&wrong)?;
        let options = find("options", "PGOPTIONS").unwrap_or_default();
        let mut address = ServerAddress { host, port, user, database, password: None, options, tls_roots };
        address.password = find("password", "PGPASSWORD");
        let file = find("passfile", "PGPASSFILE").map(PathBuf::from).or_else(|| in_home(".pgpass", around));
        let is_missing = address.password.is_none();
        if let Some(file) = file.filter(|_| is_missing) {
            address.password = address.read_password(&file, around)?;
        }
        Ok(address)
    }

    /// The password that a file has for this server. One that others may read is refused, as the programs of PostgreSQL leave it alone.
    fn read_password(
        &self,
        file: &Path,
        around: &AddressSurroundings<'_>,
    ) -> Result<Option<String>, StoreError> {
        let found = (around.read)(file).and_then(|text| self.find_password(&text));
        if found.is_some() && (around.is_open)(file) {
            let (path, file) = (PathBuf::from(self.without_password()), file.display());
            let cause = format!("others may read the passwords in {file}; `chmod 600 {file}` keeps them out");
            return Err(StoreError::Refused { path, cause });
        }
        Ok(found)
    }

    /// The address without its password, for people and for errors. It can be given again.
    pub(super) fn without_password(&self) -> String {
        let ServerAddress { host, port, user, database, .. } = self;
        let (user, database) = (encode_part(user), encode_part(database));
        let parts: Vec<String> = host.split(':').map(encode_part).collect();
        let host = if parts.len() > 1 { format!("[{}]", parts.join(":")) } else { parts.concat() };
        format!("postgres://{user}@{host}:{port}/{database}")
    }

    pub(super) fn client_config(&self) -> Config {
        let mut config = Config::new();
        config.host(&self.host).port(self.port).user(&self.user).dbname(&self.database);
        config.application_name("ishi").connect_timeout(CONNECT_TIMEOUT).tcp_user_timeout(SILENCE);
        // Three probes, each a third of the silence after the last, and then the line is taken for cut.
        config.keepalives_idle(SILENCE).keepalives_interval(SILENCE / 3).keepalives_retries(3);
        if !self.options.is_empty() {
            config.options(&self.options);
        }
        if let Some(password) = &self.password {
            config.password(password);
        }
        config.ssl_mode(if self.tls_roots.is_some() { SslMode::Require } else { SslMode::Disable });
        config
    }

    /// What TLS needs, if it is wanted.
    pub(super) fn tls_connector(&self) -> Result<Option<TlsConnector>, StoreError> {
        let Some(roots) = &self.tls_roots else { return Ok(None) };
        TlsConnector::with_roots(roots)
            .map(Some)
            .map_err(|cause| StoreError::Address { address: self.without_password(), cause })
    }

    /// The password in a file with lines `host:port:database:user:password`, where `*` stands for anything.
    fn find_password(&self, file: &str) -> Option<String> {
        let port = self.port.to_string();
        // The folder of a socket is called localhost there, as it is by other clients.
        let host = if self.host.starts_with('/') { "localhost" } else { &self.host };
        let ours = [host, &port, &self.database, &self.user];
        let fits = |line: &&str| {
            !line.starts_with('#') && {
                let fields = split_fields(line);
                let same = |(field, ours): (&String, &&str)| field == "*" || field == ours;
                fields.len() == 5 && fields.iter().zip(&ours).all(same)
            }
        };
        file.lines().find(fits).and_then(|line| split_fields(line).pop())
    }
}

/// May others than its owner read the file?
#[cfg(unix)]
#[allow(clippy::disallowed_methods)] // As for what stands in the file.
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o077 != 0)
}

/// Elsewhere the folder decides who may read.
#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

/// Fields between colons; a backslash takes the meaning from the character after it.
fn split_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let last = fields.len() - 1;
        match character {
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => fields[last].extend(characters.next()),
            other => fields[last].push(other),
        }
    }
    fields
}

/// What the address itself says, by the names of its options.
fn split_address(text: &str) -> Result<BTreeMap<String, String>, String> {
    let rest = text.strip_prefix("postgres://").or_else(|| text.strip_prefix("postgresql://"));
    let rest = rest.ok_or("it must begin with postgres://")?;
    if has_broken_password(rest) {
        return Err("a / or ? in a user's name or a password must be written as %2F or %3F, and an @ in a database's name as %40"
            .to_string());
    }
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (server, database) = rest.split_once('/').unwrap_or((rest, ""));
    let (login, place) = server.rsplit_once('@').unwrap_or(("", server));
    let (user, password) = login.split_once(':').unwrap_or((login, ""));
    let (host, port) = split_port(place);
    let mut said = BTreeMap::new();
    let parts =
        [("host", host), ("port", port), ("user", user), ("password", password), ("dbname", database)];
    for (name, value) in parts.into_iter().filter(|(_, value)| !value.is_empty()) {
        said.insert(name.to_string(), decode_percent(value)?);
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(|| format!("{pair:?} must be name=value"))?;
        if IGNORED.contains(&name) || (name, value) == ("channel_binding", "prefer") {
            continue;
        }
        if !OPTIONS.contains(&name) {
            return Err(format!("{name:?} is not known: the options are {}", OPTIONS.join(", ")));
        }
        let value = decode_percent(value)?;
        // An option without a value is as if it were not there.
        if !value.is_empty() {
            said.insert(name.to_string(), value);
        }
    }
    Ok(said)
}

/// Does what stands behind `postgres://` have a password with a bare `/` or `?`, so that its beginning would be taken for a port? Then no
/// part of it may be shown. If it begins with a number before its `/`, its rest would be taken for the name of a database.
fn has_broken_password(rest: &str) -> bool {
    let (server, beyond) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let port = server.rsplit_once(':').map(|(_, port)| port);
    let is_plain = !server.contains('@') && !server.starts_with('[');
    let database = beyond.split('?').next().unwrap_or_default();
    let is_broken =
        |port: &str| database.contains('@') || beyond.contains('@') && port.parse::<u16>().is_err();
    is_plain && port.is_some_and(is_broken)
}

/// Host and port; an address of IPv6 stands in brackets.
fn split_port(place: &str) -> (&str, &str) {
    if let Some((host, rest)) = place.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        return (host, rest.strip_prefix(':').unwrap_or(""));
    }
    place.rsplit_once(':').unwrap_or((place, ""))
}

/// `%2F` is a slash.
fn decode_percent(text: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
        let (Some(high), Some(low)) = (digit(), digit()) else {
            return Err("after % two hexadecimal digits must follow".to_string());
        };
        bytes.push((16 * high + low) as u8);
    }
    String::from_utf8(bytes).map_err(|_| "it must be UTF-8".to_string())
}

/// The text as it stands in an address that people read: letters of all languages stay.
fn encode_part(text: &str) -> String {
    percent_encode(text, |character| character.is_alphanumeric() || is_unreserved(character))
}

/// The address as it may be shown.
pub(crate) fn hide_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_string() };
    if has_broken_password(rest) {
        return format!("{scheme}://{}@...", rest.split(':').next().unwrap_or_default());
    }
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let shown = match rest.rsplit_once('@') {
        Some((login, place)) => format!("{}@{place}", login.split(':').next().unwrap_or_default()),
        None => rest.to_string(),
    };
    let open: Vec<&str> =
        query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("password=")).collect();
    let query = if open.is_empty() { String::new() } else { format!("?{}", open.join("&")) };
    format!("{scheme}://{shown}{query}")
}

fn in_home(file: &str, around: &AddressSurroundings<'_>) -> Option<PathBuf> {
    (around.variable)("HOME").map(|home| Path::new(&home).join(file))
}

/// The options of the service that is named, if one is: `[name]` and lines `option=value`.
fn read_service(
    said: &BTreeMap<String, String>,
    around: &AddressSurroundings<'_>,
) -> Result<BTreeMap<String, String>, String> {
    let named = said.get("service").cloned().or_else(|| (around.variable)("PGSERVICE"));
    let Some(name) = named else { return Ok(BTreeMap::new()) };
    let file = (around.variable)("PGSERVICEFILE").map(PathBuf::from);
    let file = file.or_else(|| in_home(".pg_service.conf", around));
    let text = file.as_deref().and_then(around.read).unwrap_or_default();
    let header = format!("[{name}]");
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != header);
    if lines.next().is_none() {
        let file = file.map_or_else(|| "~/.pg_service.conf".to_string(), |file| file.display().to_string());
        return Err(format!("there is no service {name:?} in {file}"));
    }
    let of_service = lines.take_while(|line| !line.starts_with('['));
    let pairs = of_service.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    let said =
        pairs.map(|(option, value)| (option.trim(), value.trim())).filter(|(_, value)| !value.is_empty());
    Ok(said.map(|(option, value)| (option.to_string(), value.to_string())).collect())
}

/// The file of certificates that TLS trusts; `None`: no TLS. Without a word about it a server on this machine is asked without
/// TLS, and every other with TLS, its name and certificate checked. There is nothing between.
fn choose_roots(
    host: &str,
    mode: Option<String>,
    roots: Option<String>,
    around: &AddressSurroundings<'_>,
) -> Result<Option<PathBuf>, String> {
    let is_near = host.starts_with('/') || ["localhost", "127.0.0.1", "::1"].contains(&host);
    let wanted = match mode.as_deref() {
        None => !is_near || roots.is_some(),
        Some("disable") => false,
        Some("require" | "verify-full") => true,
        Some(other) => {
            return Err(format!(
                "sslmode is {other:?} and must be disable or verify-full (require means the same here)"
            ));
        }
    };
    if !wanted {
        return Ok(None);
    }
    let of_user = || in_home(".postgresql/root.crt", around).filter(|path| (around.read)(path).is_some());
    match roots.as_deref() {
        None | Some("system") => {
            let system =
                || default_roots((around.variable)("SSL_CERT_FILE"), |path| (around.read)(path).is_some());
            let found = if roots.is_none() { of_user().or_else(system) } else { system() };
            found.map(Some).ok_or_else(|| {
                "TLS needs certificates to trust: name a file with sslrootcert=FILE".to_string()
            })
        }
        Some(file) => Ok(Some(PathBuf::from(file))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads an address among these variables and files.
    fn parse(
        text: &str,
        variables: &[(&str, &str)],
        files: &[(&str, &str)],
    ) -> Result<ServerAddress, String> {
        let find = |pairs: &[(&str, &str)], name: &str| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
        };
        let variable = |name: &str| find(variables, name);
        let read = |path: &Path| find(files, path.to_str().unwrap());
        let is_open = |path: &Path| path.ends_with("open");
        ServerAddress::parse_in(
            text,
            &AddressSurroundings { variable: &variable, read: &read, is_open: &is_open },
        )
        .map_err(|error| error.to_string())
    }

    #[test]
    fn an_address_says_everything_or_the_environment_does() {
        let whole = parse("postgres://me:se%3Acret@127.0.0.1:5433/games", &[], &[]).unwrap();
        assert_eq!(whole.without_password(), "postgres://me@127.0.0.1:5433/games");
        assert_eq!((whole.password.as_deref(), &whole.tls_roots), (Some("se:cret"), &None));
        let around = [("PGHOST", "localhost"), ("PGUSER", "you"), ("PGPASSWORD", "x"), ("PGPORT", "6000")];
        let bare = parse("postgres://", &around, &[]).unwrap();
        assert_eq!(bare.without_password(), "postgres://you@localhost:6000/you");
        assert_eq!(bare.password.as_deref(), Some("x"));
        let socket = parse("postgresql://me@/db?host=/run/postgresql", &[], &[]).unwrap();
        assert_eq!(socket.without_password(), "postgres://me@%2Frun%2Fpostgresql:5432/db");
        let again = parse(&socket.without_password(), &[], &[]).unwrap();
        assert!(again == socket, "what is shown can be given again");
    }

    #[test]
    fn what_is_shown_is_the_same_server_when_it_is_given_again() {
        let files = [("/h/.postgresql/root.crt", "")];
        let read = |text: &str| parse(text, &[("HOME", "/h")], &files).unwrap();
        for (text, shown) in [
            ("postgres://a%3Ab:c%40d@far/e%2Ff%3F", "postgres://a%3Ab@far:5432/e%2Ff%3F"),
            ("postgres://u@[::1]:7/d", "postgres://u@[::1]:7/d"),
            ("postgres://u%0A@far/d", "postgres://u%0A@far:5432/d"),
            ("postgres://u@/d?host=&port=", "postgres://u@localhost:5432/d"),
            ("postgres://\u{e9}@far", "postgres://\u{e9}@far:5432/\u{e9}"),
        ] {
            let address = read(text);
            assert_eq!(address.without_password(), shown);
            let again = read(shown);
            assert_eq!((&again.host, again.port), (&address.host, address.port), "{text}");
            assert_eq!((&again.user, &again.database), (&address.user, &address.database), "{text}");
        }
    }

    #[test]
    fn passwords_come_from_files_and_are_never_shown() {
        let files = [("/home/me/.pgpass", "# mine\nother:*:*:me:no\n*:5432:db:me:a\\:b\n")];
        let home = [("HOME", "/home/me")];
        let found = parse("postgres://me@localhost/db", &home, &files).unwrap();
        assert_eq!(found.password.as_deref(), Some("a:b"));
        let named = [("HOME", "/home/me"), ("PGPASSFILE", "/p")];
        let found = parse("postgres://me@localhost/db", &named, &[("/p", "localhost:*:*:*:z")]).unwrap();
        assert_eq!(found.password.as_deref(), Some("z"));
        let open = [("PGPASSFILE", "/h/open")];
        let error =
            parse("postgres://me@localhost/db", &open, &[("/h/open", "*:*:*:me:secret")]).err().unwrap();
        assert!(error.contains("`chmod 600 /h/open`") && !error.contains("secret"), "{error}");
        let of_others = [("/h/open", "other:*:*:me:secret")];
        let found = parse("postgres://me@localhost/db", &open, &of_others).unwrap();
        assert_eq!(found.password, None, "a file without a password for this server is nobody's business");
        for text in ["postgres://me:secret@h:x/db", "postgres://h/db?password=secret&sslmode=x"] {
            let error = parse(text, &[("USER", "u")], &[]).err().unwrap();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_password_with_bare_signs_is_told_and_not_shown() {
        for text in [
            "postgres://me:top?secret@h/db",
            "postgres://me:top/secret@h/db?sslmode=disable",
            "postgres://me:12/secret@h/db",
        ] {
            let error = parse(text, &[], &[]).err().unwrap();
            assert!(error.contains("must be written as %2F or %3F"), "{error}");
            assert!(error.contains("postgres://me@...") && !error.contains("top"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
        assert!(
            parse("postgres://h:5432/db?user=a@b", &[("HOME", "/h")], &[("/h/.postgresql/root.crt", "")])
                .is_ok()
        );
    }

    #[test]
    fn a_service_file_names_a_server() {
        let files = [(
            "/s",
            "[other]\nhost=h\n[games]\n# ours\nhost = localhost\nport=7000\ndbname=g\nuser=u\npassword=p\n[x]\nport=1\n",
        )];
        let around = [("PGSERVICEFILE", "/s"), ("PGPASSWORD", "of the environment")];
        let found = parse("postgres://?service=games", &around, &files).unwrap();
        assert_eq!(found.without_password(), "postgres://u@localhost:7000/g");
        assert_eq!(found.password.as_deref(), Some("p"), "a service counts more than the environment");
        let named = [("PGSERVICE", "games"), ("HOME", "/h")];
        let of_user = [
            ("/h/.pg_service.conf", "[games]\nhost=localhost\nuser=u\npassfile=/p\n"),
            ("/p", "*:*:*:u:q\n"),
        ];
        let found = parse("postgres://", &named, &of_user).unwrap();
        assert_eq!(
            (found.without_password().as_str(), found.password.as_deref()),
            ("postgres://u@localhost:5432/u", Some("q"))
        );
        let error = parse("postgres://?service=none", &around, &files).err().unwrap();
        assert!(error.contains("there is no service \"none\" in /s"), "{error}");
    }

    #[test]
    fn an_address_for_other_programs_is_taken() {
        let text =
            "postgres://me@localhost/db?application_name=psql&connect_timeout=9&channel_binding=prefer";
        assert!(parse(text, &[], &[]).unwrap() == parse("postgres://me@localhost/db", &[], &[]).unwrap());
    }

    #[test]
    fn far_servers_are_asked_by_tls_with_their_names_checked() {
        let roots = |text: &str, files: &[(&str, &str)]| -> Result<String, String> {
            let address = parse(text, &[("USER", "u"), ("HOME", "/h")], files)?;
            Ok(address.tls_roots.map_or_else(|| "none".to_string(), |roots| roots.display().to_string()))
        };
        let is = |text: &str| -> Result<String, String> { Ok(text.to_string()) };
        let own = [("/h/.postgresql/root.crt", ""), ("/etc/ssl/certs/ca-certificates.crt", "")];
        let system = "/etc/ssl/certs/ca-certificates.crt";
        assert_eq!(roots("postgres://far/db", &own), is("/h/.postgresql/root.crt"));
        assert_eq!(roots("postgres://far/db", &own[1..]), is(system));
        assert_eq!(roots("postgres://far/db?sslrootcert=system", &own), is(system));
        assert_eq!(roots("postgres://far/db?sslmode=disable", &own), is("none"));
        assert_eq!(roots("postgres://localhost/db", &own), is("none"));
        assert_eq!(roots("postgres://localhost/db?sslmode=require&sslrootcert=/r", &[]), is("/r"));
        let error = roots("postgres://far/db?sslmode=prefer", &own).unwrap_err();
        assert!(error.contains("must be disable or verify-full"), "{error}");
        let error = roots("postgres://far/db", &[]).unwrap_err();
        assert!(error.contains("sslrootcert=FILE"), "{error}");
    }

    #[test]
    fn wrong_addresses_say_what_would_be_right() {
        for (text, cause) in [
            ("postgres://u@h:70000/d", "must be a number up to 65535"),
            ("postgres://h/d", "it must name a user"),
            ("postgres://u@h/d?hots=1", "\"hots\" is not known: the options are host"),
            ("postgres://u@h/d?channel_binding=require", "\"channel_binding\" is not known"),
            ("postgres://u%4@h/d", "two hexadecimal digits"),
        ] {
            let error = parse(text, &[], &[]).err().unwrap();
            assert!(error.contains(cause), "{text}: {error}");
        }
    }
}
