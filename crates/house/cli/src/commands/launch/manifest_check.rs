//! Manifests as their readers see them: the part of YAML that we write, and every field that we write with its type, its values and
//! whether it must be there. A field that is not listed is refused, as both readers refuse it.
//!
//! The facts are those of the public references:
//! - Kubernetes: the API's OpenAPI document (`Job` of `batch/v1`, `PodSpec`, `Container`, `EnvVar` and `SecretKeySelector` of `v1`,
//!   `Quantity`), and its page "Object Names and IDs" for names.
//! - Compose: `schema/compose-spec.json` of the Compose Specification (`service`, `healthcheck`, `deployment`, `volume`), and its pages
//!   on services for the short forms of ports and volumes and for the words of `restart` and `test`.
//!
//! Where the tools that have the published schemas are installed, `tests/campaigns.rs` holds the manifests to these, too.

use serde_json::{Map, Value};

/// What a field may hold.
enum Shape {
    /// A text that is not empty.
    Text,
    /// A whole number in these bounds.
    Whole(u64, u64),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A text of this form, and what it must be in words.
    Form(fn(&str) -> bool, &'static str),
    /// Some of the same.
    List(&'static Shape),
    /// A list of at least one of the same shape.
    NonEmpty(&'static Shape),
    /// Fields with their names; `true` says that it must be there.
    Fields(&'static [(&'static str, bool, Shape)]),
    /// Names of this form, the same behind each.
    Named(fn(&str) -> bool, &'static Shape),
}

use Shape::{Fields, Form, List, Named, NonEmpty, OneOf, Text, Whole};

/// Numbers of Kubernetes have 32 bits, but for times, which have 64.
const INT32: u64 = i32::MAX as u64;
const INT64: u64 = i64::MAX as u64;

/// Pods of an indexed Job that run at once, at most.
const MOST_PARALLEL: u64 = 100_000;

const DNS_LABEL: Shape = Form(is_dns_label, "a name of lower-case letters, digits and dashes, of 63 at most");
const QUANTITY: Shape = Form(is_quantity, "a quantity such as 2, 0.5 or 500m");
const DURATION: Shape = Form(is_duration, "a time such as 240s");

const SECRET: Shape = Fields(&[
    ("name", true, Form(is_dns_subdomain, "the name of a Secret")),
    ("key", true, Form(is_secret_key, "a key of a Secret")),
]);
const VARIABLE: Shape = Fields(&[
    ("name", true, Form(is_variable, "the name of a variable")),
    ("value", false, Text),
    ("valueFrom", false, Fields(&[("secretKeyRef", true, SECRET)])),
]);
const QUANTITIES: Shape = Named(is_resource, &QUANTITY);
const CONTAINER: Shape = Fields(&[
    ("name", true, DNS_LABEL),
    // The API lets it out for templates; a Job without it never starts.
    ("image", true, Text),
    ("command", false, NonEmpty(&Text)),
    ("args", false, List(&Text)),
    ("env", false, List(&VARIABLE)),
    ("resources", false, Fields(&[("requests", false, QUANTITIES), ("limits", false, QUANTITIES)])),
]);
const POD: Shape = Fields(&[
    // `Always` is for pods that are no Job's.
    ("restartPolicy", true, OneOf(&["Never", "OnFailure"])),
    ("terminationGracePeriodSeconds", false, Whole(0, INT64)),
    ("containers", true, NonEmpty(&CONTAINER)),
]);

/// `Job` of `batch/v1`.
const KUBERNETES_JOB: Shape = Fields(&[
    ("apiVersion", true, OneOf(&["batch/v1"])),
    ("kind", true, OneOf(&["Job"])),
    ("metadata", true, Fields(&[("name", true, DNS_LABEL)])),
    (
        "spec",
        true,
        Fields(&[
            ("completionMode", false, OneOf(&["Indexed", "NonIndexed"])),
            ("completions", false, Whole(0, INT32)),
            ("parallelism", false, Whole(0, INT32)),
            ("backoffLimit", false, Whole(0, INT32)),
            ("backoffLimitPerIndex", false, Whole(0, INT32)),
            ("activeDeadlineSeconds", false, Whole(1, INT64)),
            ("template", true, Fields(&[("spec", true, POD)])),
        ]),
    ),
]);

const RESTART: Shape = Form(is_restart, "no, always, on-failure, on-failure:N or unless-stopped");
const CONDITIONS: &[&str] = &["service_started", "service_healthy", "service_completed_successfully"];
const SERVICE: Shape = Fields(&[
    ("image", true, Text),
    ("command", false, List(&Text)),
    ("environment", false, Named(is_variable, &Text)),
    ("ports", false, List(&Form(is_port, "a port such as 127.0.0.1:5432:5432"))),
    ("volumes", false, List(&Form(is_mount, "a volume such as results:/folder"))),
    (
        "healthcheck",
        false,
        Fields(&[
            ("test", true, NonEmpty(&Text)),
            ("interval", false, DURATION),
            ("timeout", false, DURATION),
            ("start_period", false, DURATION),
            ("retries", false, Whole(0, INT32)),
        ]),
    ),
    ("depends_on", false, Named(is_compose_name, &Fields(&[("condition", true, OneOf(CONDITIONS))]))),
    ("restart", false, RESTART),
    ("stop_grace_period", false, DURATION),
    ("deploy", false, Fields(&[("replicas", false, Whole(0, INT32))])),
]);

/// A file of the Compose specification.
const COMPOSE_FILE: Shape = Fields(&[
    ("services", true, Named(is_compose_name, &SERVICE)),
    ("volumes", false, Named(is_compose_name, &Fields(&[]))),
]);

/// A Job as Kubernetes takes it: each field, and what they must be together.
pub(super) fn check_job(job: &Value) -> Result<(), String> {
    KUBERNETES_JOB.check(job, "job")?;
    let (spec, pod) = (&job["spec"], &job["spec"]["template"]["spec"]);
    let is_indexed = spec["completionMode"] == "Indexed";
    let rules = [
        (!is_indexed || spec["completions"].is_u64(), "an indexed Job must have completions"),
        (
            !is_indexed || spec["parallelism"].as_u64().is_none_or(|pods| pods <= MOST_PARALLEL),
            "an indexed Job must have a parallelism of 100,000 at most",
        ),
        (
            spec["backoffLimitPerIndex"].is_null() || (is_indexed && pod["restartPolicy"] == "Never"),
            "backoffLimitPerIndex must stand in an indexed Job whose pods are not started again (Never)",
        ),
        (fits_hostnames(job), "the name, a dash and the last index must have 63 letters at most together"),
    ];
    first_broken(&rules)?;
    let containers = pod["containers"].as_array().into_iter().flatten();
    containers.clone().try_for_each(check_variables)?;
    has_no_double(containers.map(|container| &container["name"]), "name of a container")
}

/// The host of a pod is called after the Job and the pod's index.
fn fits_hostnames(job: &Value) -> bool {
    let name = job["metadata"]["name"].as_str().unwrap_or_default();
    let last = job["spec"]["completions"].as_u64().unwrap_or(1).saturating_sub(1);
    name.len() + 1 + last.to_string().len() <= 63
}

/// A variable has its value from one place.
fn check_variables(container: &Value) -> Result<(), String> {
    let variables = container["env"].as_array().into_iter().flatten();
    for variable in variables.clone() {
        if variable["value"].is_null() == variable["valueFrom"].is_null() {
            return Err(format!("{variable} must have either value or valueFrom"));
        }
    }
    has_no_double(variables.map(|variable| &variable["name"]), "name of a variable")
}

/// A Compose file as its readers take it: each field, and what they must be together.
pub(super) fn check_compose(file: &Value) -> Result<(), String> {
    COMPOSE_FILE.check(file, "file")?;
    let services = file["services"].as_object().into_iter().flatten();
    for (name, service) in services {
        check_service(file, name, service)?;
    }
    Ok(())
}

fn check_service(file: &Value, name: &str, service: &Value) -> Result<(), String> {
    for (needed, how) in service["depends_on"].as_object().into_iter().flatten() {
        let other = &file["services"][needed];
        let rules = [
            (other.is_object() && needed != name, "a service must depend on another one of the file"),
            (
                how["condition"] != "service_healthy" || other["healthcheck"].is_object(),
                "a service that must be healthy must have a healthcheck",
            ),
        ];
        first_broken(&rules).map_err(|rule| format!("{name} and {needed}: {rule}"))?;
    }
    for mount in service["volumes"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let volume = mount.split(':').next().unwrap_or_default();
        if is_compose_name(volume) && !volume.starts_with('.') && !file["volumes"][volume].is_object() {
            return Err(format!("{name}: the volume {volume} must stand among the volumes of the file"));
        }
    }
    let test = &service["healthcheck"]["test"];
    let is_test = test.is_null() || ["NONE", "CMD", "CMD-SHELL"].iter().any(|word| test[0] == *word);
    first_broken(&[(is_test, "test must begin with NONE, CMD or CMD-SHELL")])?;
    for list in ["ports", "volumes"] {
        has_no_double(service[list].as_array().into_iter().flatten(), list)?;
    }
    Ok(())
}

fn first_broken(rules: &[(bool, &str)]) -> Result<(), String> {
    let broken = rules.iter().find(|(holds, _)| !holds);
    broken.map_or(Ok(()), |(_, rule)| Err((*rule).to_string()))
}

fn has_no_double<'a>(values: impl Iterator<Item = &'a Value>, what: &str) -> Result<(), String> {
    let mut seen: Vec<&Value> = Vec::new();
    for value in values {
        if seen.contains(&value) {
            return Err(format!("{what}: {value} stands twice"));
        }
        seen.push(value);
    }
    Ok(())
}

impl Shape {
    /// Does the value have this shape?
    fn check(&self, value: &Value, place: &str) -> Result<(), String> {
        let wrong = |must: &str| Err(format!("{place} is {value} and must be {must}"));
        let in_list = |shape: &Shape, items: &[Value]| {
            items.iter().try_for_each(|item| shape.check(item, &format!("{place}[]")))
        };
        match (self, value) {
            (Text, Value::String(text)) if !text.is_empty() => Ok(()),
            (Text, _) => wrong("a text"),
            (Whole(least, most), Value::Number(number))
                if number.as_u64().is_some_and(|number| (*least..=*most).contains(&number)) =>
            {
                Ok(())
            }
            (Whole(least, most), _) => wrong(&format!("a whole number from {least} to {most}")),
            (OneOf(words), Value::String(text)) if words.contains(&text.as_str()) => Ok(()),
            (OneOf(words), _) => wrong(&format!("one of {}", words.join(", "))),
            (Form(has_form, _), Value::String(text)) if has_form(text.as_str()) => Ok(()),
            (Form(_, words), _) => wrong(words),
            (List(shape), Value::Array(items)) => in_list(shape, items),
            (NonEmpty(shape), Value::Array(items)) if !items.is_empty() => in_list(shape, items),
            (List(_), _) => wrong("a list"),
            (NonEmpty(_), _) => wrong("a list with something in it"),
            (Named(has_form, shape), Value::Object(map)) => map.iter().try_for_each(|(key, value)| {
                if !has_form(key) {
                    return Err(format!("{place}.{key} must have another name"));
                }
                shape.check(value, &format!("{place}.{key}"))
            }),
            (Fields(fields), Value::Object(map)) => check_fields(fields, map, place),
            (Named(..) | Fields(_), _) => wrong("fields"),
        }
    }
}

/// Is it a label of a name as RFC 1123 has it?
fn is_dns_label(text: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_end = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    text.len() <= 63
        && text.chars().all(is_inner)
        && is_end(text.chars().next())
        && is_end(text.chars().next_back())
}

/// Labels with dots between.
fn is_dns_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_dns_label)
}

fn is_secret_key(text: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !text.is_empty() && text.len() <= 253 && text.chars().all(is_inner)
}

fn is_variable(text: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(is_inner) && text.chars().next().is_some_and(|c| !c.is_ascii_digit())
}

/// The resources that every cluster knows.
fn is_resource(text: &str) -> bool {
    ["cpu", "memory", "ephemeral-storage"].contains(&text)
}

/// A number without a sign, and one of the suffixes of SI or of powers of two.
fn is_quantity(text: &str) -> bool {
    const SUFFIXES: [&str; 13] = ["m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    let number = SUFFIXES.iter().find_map(|suffix| text.strip_suffix(suffix)).unwrap_or(text);
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(part)
}

/// Whole numbers with units, the largest first, such as `1m30s`.
fn is_duration(text: &str) -> bool {
    let mut rest = text;
    for unit in ["h", "m", "s", "ms", "us"] {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = &rest[digits..];
        let here =
            behind.strip_prefix(unit).filter(|next| !next.starts_with(|c: char| c.is_ascii_alphabetic()));
        if digits > 0
            && let Some(next) = here
        {
            rest = next;
        }
    }
    rest.is_empty() && !text.is_empty()
}

fn is_restart(text: &str) -> bool {
    let retries = text.strip_prefix("on-failure:");
    ["no", "always", "on-failure", "unless-stopped"].contains(&text)
        || retries.is_some_and(|retries| retries.parse::<u32>().is_ok())
}

/// Names of services and volumes.
fn is_compose_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

/// `[[ADDRESS:]HOST:]CONTAINER`, each a port, of IPv4.
fn is_port(text: &str) -> bool {
    let words: Vec<&str> = text.split(':').collect();
    let is_number = |word: &&str| word.parse::<u16>().is_ok_and(|port| port > 0);
    match &words[..] {
        [address, host, container] => {
            address.parse::<std::net::Ipv4Addr>().is_ok() && is_number(host) && is_number(container)
        }
        ports => ports.len() <= 2 && ports.iter().all(is_number),
    }
}

/// `SOURCE:FOLDER`, perhaps with `:ro` or `:rw`: a volume's name or a path, and where it is in the container.
fn is_mount(text: &str) -> bool {
    let words: Vec<&str> = text.split(':').collect();
    let is_source = |word: &str| is_compose_name(word) || word.starts_with(['/', '.', '~']);
    match words[..] {
        [source, folder] => is_source(source) && folder.starts_with('/'),
        [source, folder, mode] => {
            is_source(source) && folder.starts_with('/') && ["ro", "rw"].contains(&mode)
        }
        _ => false,
    }
}

fn check_fields(
    fields: &[(&'static str, bool, Shape)],
    map: &Map<String, Value>,
    place: &str,
) -> Result<(), String> {
    for (name, value) in map {
        let (_, _, shape) = fields
            .iter()
            .find(|(known, _, _)| known == name)
            .ok_or_else(|| format!("{place}.{name} is no field that we know"))?;
        shape.check(value, &format!("{place}.{name}"))?;
    }
    let missing = fields.iter().find(|(name, must, _)| *must && !map.contains_key(*name));
    missing.map_or(Ok(()), |(name, _, _)| Err(format!("{place}.{name} is missing")))
}

/// Reads the part of YAML that we write: blocks of fields and lists by indentation, plain words, and JSON.
pub(super) fn read_yaml(text: &str) -> Result<Value, String> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let content = line.trim_start_matches(' ');
        if content.is_empty() || content.ends_with(' ') || line.contains('\t') {
            return Err(format!("line {}: {line:?}", number + 1));
        }
        lines.push((line.len() - content.len(), content.to_string()));
    }
    let mut reader = YamlReader { lines, at: 0 };
    let value = reader.read_block(0)?;
    match reader.lines.get(reader.at) {
        None => Ok(value),
        Some(line) => Err(format!("{line:?} belongs to nothing")),
    }
}

/// Indentations and contents of lines, and the line that comes next.
struct YamlReader {
    lines: Vec<(usize, String)>,
    at: usize,
}

impl YamlReader {
    fn is_here(&self, indent: usize, dash: bool) -> bool {
        self.lines
            .get(self.at)
            .is_some_and(|(here, content)| *here == indent && content.starts_with("- ") == dash)
    }

    fn read_block(&mut self, indent: usize) -> Result<Value, String> {
        if self.is_here(indent, true) { self.read_list(indent) } else { self.read_fields(indent) }
    }

    fn read_list(&mut self, indent: usize) -> Result<Value, String> {
        let mut items = Vec::new();
        while self.is_here(indent, true) {
            let item = self.lines[self.at].1[2..].to_string();
            if split_field(&item).is_none() {
                items.push(read_scalar(&item)?);
                self.at += 1;
                continue;
            }
            // The fields of an item begin behind its dash.
            self.lines[self.at] = (indent + 2, item);
            items.push(self.read_fields(indent + 2)?);
        }
        Ok(Value::Array(items))
    }

    fn read_fields(&mut self, indent: usize) -> Result<Value, String> {
        let mut map = Map::new();
        while self.is_here(indent, false) {
            let content = self.lines[self.at].1.clone();
            let (key, text) = split_field(&content).ok_or_else(|| format!("{content:?} is no field"))?;
            self.at += 1;
            let value = if text.is_empty() {
                let deeper = self.lines.get(self.at).map_or(0, |(deeper, _)| *deeper);
                if deeper <= indent {
                    return Err(format!("{key:?} has nothing"));
                }
                self.read_block(deeper)?
            } else {
                read_scalar(text)?
            };
            if map.insert(key.to_string(), value).is_some() {
                return Err(format!("{key:?} stands twice"));
            }
        }
        if map.is_empty() { Err("fields must stand here".to_string()) } else { Ok(Value::Object(map)) }
    }
}

/// `key: text` or `key:`.
fn split_field(content: &str) -> Option<(&str, &str)> {
    if content.starts_with(['"', '[', '{']) {
        return None;
    }
    content.split_once(": ").or_else(|| Some((content.strip_suffix(':')?, "")))
}

/// JSON, a whole number, or a plain word without what YAML reads otherwise.
fn read_scalar(text: &str) -> Result<Value, String> {
    if text.starts_with(['"', '[', '{']) {
        return serde_json::from_str(text).map_err(|error| format!("{text:?}: {error}"));
    }
    if let Ok(number) = text.parse::<u64>() {
        return Ok(number.into());
    }
    let is_special = text.starts_with(['&', '*', '!', '|', '>', '%', '@', '`', '\'', '#', '-', '?', ','])
        || text.contains(": ")
        || text.contains(" #")
        || ["true", "false", "yes", "no", "on", "off", "null", "~"].contains(&text);
    if is_special { Err(format!("{text:?} must be quoted")) } else { Ok(text.into()) }
}

#[test]
fn yaml_is_read_as_it_is_written() {
    let text = "a: 1\nb:\n  - x: p:q\n    y: \"1\"\n  - x: [\"r\", 2]\nc:\n  d: {}\n";
    let read = read_yaml(text).unwrap();
    assert_eq!(
        read,
        serde_json::json!({ "a": 1, "b": [{ "x": "p:q", "y": "1" }, { "x": ["r", 2] }], "c": { "d": {} } })
    );
    for wrong in
        ["a: 1\n   b: 2\n", "a:\nb: 1\n", "a: 1\na: 2\n", "a: no\n", "a: *x\n", "a\n", "a: [\n", "a: 1 \n"]
    {
        assert!(read_yaml(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_field_that_is_unknown_missing_or_wrong_is_named() {
    let check = |text: &str| check_job(&read_yaml(text).unwrap()).unwrap_err();
    assert_eq!(check("apiVersion: batch/v2\n"), "job.apiVersion is \"batch/v2\" and must be one of batch/v1");
    assert_eq!(check("apiVersion: batch/v1\nkinds: Job\n"), "job.kinds is no field that we know");
    assert_eq!(check("apiVersion: batch/v1\n"), "job.kind is missing");
    let text = "services:\n  a:\n    image: x\n    stop_grace_period: 240\n";
    let error = check_compose(&read_yaml(text).unwrap()).unwrap_err();
    assert_eq!(error, "file.services.a.stop_grace_period is 240 and must be a time such as 240s");
}

/// Values of fields, by the references.
#[test]
fn forms_are_those_of_the_references() {
    type FormCase = (fn(&str) -> bool, &'static [&'static str], &'static [&'static str]);
    let table: [FormCase; 9] = [
        (is_dns_label, &["a", "ishi-1", "0a"], &["", "-a", "a-", "A", "a.b", "a_b"]),
        (is_dns_subdomain, &["ishi-postgres", "a.b"], &["a..b", ".a", "A"]),
        (is_variable, &["PGPASSWORD", "_a1"], &["", "1A", "A-B", "A B"]),
        (is_quantity, &["2", "0.5", "500m", "1Gi", "3k"], &["", "m", "2 ", "-1", "1.", "1Kb", "a"]),
        (is_duration, &["2s", "1m30s", "240s", "10ms", "1h"], &["", "2", "s", "2x", "30s1m", "1.5", "2s "]),
        (is_restart, &["no", "on-failure", "on-failure:3"], &["", "never", "on-failure:x", "Always"]),
        (
            is_port,
            &["80", "80:8080", "127.0.0.1:5432:5432"],
            &["", "a", "80:", "0", "70000", "1:2:3", "a:1:2"],
        ),
        (is_mount, &["results:/x", "./a:/b:ro", "/a:/b"], &["", "results", "results:x", "a b:/x", "a:/x:xx"]),
        (is_compose_name, &["results", "a.b_c-1"], &["", "a b", "a/b"]),
    ];
    for (has_form, right, wrong) in table {
        assert!(right.iter().all(|text| has_form(text)), "{right:?}");
        assert!(wrong.iter().all(|text| !has_form(text)), "{wrong:?}");
    }
}

/// What no field shows alone.
#[test]
fn fields_that_do_not_go_together_are_refused() {
    let job = |change: fn(&mut Value)| {
        let mut job = serde_json::json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": "ishi" },
            "spec": {
                "completionMode": "Indexed", "completions": 4, "parallelism": 4, "backoffLimitPerIndex": 3,
                "template": { "spec": { "restartPolicy": "Never", "containers": [
                    { "name": "a", "image": "x", "env": [{ "name": "A", "value": "1" }] }
                ] } }
            }
        });
        change(&mut job);
        check_job(&job)
    };
    job(|_| {}).unwrap();
    type Damage = (fn(&mut Value), &'static str);
    let wrong: [Damage; 8] = [
        (|job| job["spec"]["completions"] = Value::Null, "must be a whole number"),
        (|job| _ = job["spec"].as_object_mut().unwrap().remove("completions"), "must have completions"),
        (|job| job["spec"]["completionMode"] = "NonIndexed".into(), "backoffLimitPerIndex"),
        (|job| job["spec"]["template"]["spec"]["restartPolicy"] = "OnFailure".into(), "backoffLimitPerIndex"),
        (|job| job["spec"]["template"]["spec"]["restartPolicy"] = "Always".into(), "one of Never, OnFailure"),
        (|job| job["spec"]["parallelism"] = 100_001.into(), "100,000 at most"),
        (|job| job["metadata"]["name"] = "a".repeat(62).into(), "63 letters at most together"),
        (
            |job| {
                job["spec"]["template"]["spec"]["containers"][0]["env"][0]["valueFrom"] =
                    serde_json::json!({ "secretKeyRef": { "name": "s", "key": "k" } })
            },
            "either value or valueFrom",
        ),
    ];
    for (change, why) in wrong {
        let error = job(change).unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
    }
    for (text, why) in [
        ("depends_on:\n      b:\n        condition: service_started\n", "another one of the file"),
        ("volumes:\n      - results:/x\n", "among the volumes"),
        ("healthcheck:\n      test: [\"pg_isready\"]\n", "test must begin with"),
        ("ports:\n      - \"80:80\"\n      - \"80:80\"\n", "stands twice"),
    ] {
        let file = read_yaml(&format!("services:\n  a:\n    image: x\n    {text}")).unwrap();
        let error = check_compose(&file).unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
    }
    let sick = "services:\n  a:\n    image: x\n  b:\n    image: x\n    depends_on:\n      a:\n        condition: service_healthy\n";
    assert!(check_compose(&read_yaml(sick).unwrap()).unwrap_err().contains("must have a healthcheck"));
}
