//! Manifests as their readers see them: the part of YAML that we write, and the fields of Kubernetes's Job and of the Compose
//! specification that we use, with what each may hold. A field that is not listed is refused, as both readers refuse it.

use serde_json::{Map, Value};

/// What a field may hold.
pub(super) enum Shape {
    /// A text that is not empty.
    Text,
    /// A whole number from this one on.
    Whole(u64),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A time such as `240s`.
    Seconds,
    /// Some of the same.
    List(&'static Shape),
    /// Fields with their names; `true` says that it must be there.
    Fields(&'static [(&'static str, bool, Shape)]),
    /// Any names, the same behind each.
    Named(&'static Shape),
}

use Shape::{Fields, List, Named, OneOf, Seconds, Text, Whole};

const SECRET: Shape = Fields(&[("name", true, Text), ("key", true, Text)]);
const VARIABLE: Shape = Fields(&[
    ("name", true, Text),
    ("value", false, Text),
    ("valueFrom", false, Fields(&[("secretKeyRef", true, SECRET)])),
]);
const CONTAINER: Shape = Fields(&[
    ("name", true, Text),
    ("image", true, Text),
    ("command", false, List(&Text)),
    ("env", false, List(&VARIABLE)),
    ("resources", false, Fields(&[("requests", false, Named(&Text)), ("limits", false, Named(&Text))])),
]);
const POD: Shape = Fields(&[
    // A Job's pods are not started again for ever.
    ("restartPolicy", true, OneOf(&["Never", "OnFailure"])),
    ("terminationGracePeriodSeconds", false, Whole(0)),
    ("containers", true, List(&CONTAINER)),
]);

/// `Job` of `batch/v1`.
pub(super) const KUBERNETES_JOB: Shape = Fields(&[
    ("apiVersion", true, OneOf(&["batch/v1"])),
    ("kind", true, OneOf(&["Job"])),
    ("metadata", true, Fields(&[("name", true, Text)])),
    (
        "spec",
        true,
        Fields(&[
            ("completionMode", false, OneOf(&["Indexed", "NonIndexed"])),
            ("completions", true, Whole(1)),
            ("parallelism", false, Whole(0)),
            ("backoffLimitPerIndex", false, Whole(0)),
            ("activeDeadlineSeconds", false, Whole(1)),
            ("template", true, Fields(&[("spec", true, POD)])),
        ]),
    ),
]);

const SERVICE: Shape = Fields(&[
    ("image", true, Text),
    ("command", false, List(&Text)),
    ("environment", false, Named(&Text)),
    ("ports", false, List(&Text)),
    ("volumes", false, List(&Text)),
    (
        "healthcheck",
        false,
        Fields(&[("test", true, List(&Text)), ("interval", false, Seconds), ("retries", false, Whole(1))]),
    ),
    (
        "depends_on",
        false,
        Named(&Fields(&[("condition", true, OneOf(&["service_started", "service_healthy"]))])),
    ),
    ("restart", false, OneOf(&["no", "always", "on-failure", "unless-stopped"])),
    ("stop_grace_period", false, Seconds),
    ("deploy", false, Fields(&[("replicas", false, Whole(0))])),
]);

/// A file of the Compose specification.
pub(super) const COMPOSE_FILE: Shape =
    Fields(&[("services", true, Named(&SERVICE)), ("volumes", false, Named(&Fields(&[])))]);

impl Shape {
    /// Does the value have this shape?
    pub(super) fn check(&self, value: &Value, place: &str) -> Result<(), String> {
        let wrong = |must: &str| Err(format!("{place} is {value} and must be {must}"));
        match self {
            Text if value.as_str().is_none_or(str::is_empty) => wrong("a text"),
            Whole(least) if value.as_u64().is_none_or(|number| number < *least) => {
                wrong(&format!("a whole number from {least} on"))
            }
            OneOf(words) if value.as_str().is_none_or(|text| !words.contains(&text)) => {
                wrong(&format!("one of {}", words.join(", ")))
            }
            Seconds if !is_seconds(value) => wrong("a time such as 240s"),
            Text | Whole(_) | OneOf(_) | Seconds => Ok(()),
            List(shape) => match value.as_array() {
                Some(items) => items.iter().try_for_each(|item| shape.check(item, &format!("{place}[]"))),
                None => wrong("a list"),
            },
            Named(shape) => match value.as_object() {
                Some(map) => {
                    map.iter().try_for_each(|(key, value)| shape.check(value, &format!("{place}.{key}")))
                }
                None => wrong("fields"),
            },
            Fields(fields) => match value.as_object() {
                Some(map) => check_fields(fields, map, place),
                None => wrong("fields"),
            },
        }
    }
}

fn is_seconds(value: &Value) -> bool {
    let digits = value.as_str().and_then(|text| text.strip_suffix('s'));
    digits.is_some_and(|digits| digits.parse::<u32>().is_ok())
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
    let check = |text: &str| KUBERNETES_JOB.check(&read_yaml(text).unwrap(), "job").unwrap_err();
    assert_eq!(check("apiVersion: batch/v2\n"), "job.apiVersion is \"batch/v2\" and must be one of batch/v1");
    assert_eq!(check("apiVersion: batch/v1\nkinds: Job\n"), "job.kinds is no field that we know");
    assert_eq!(check("apiVersion: batch/v1\n"), "job.kind is missing");
    let text = "services:\n  a:\n    image: x\n    stop_grace_period: 240\n";
    let error = COMPOSE_FILE.check(&read_yaml(text).unwrap(), "file").unwrap_err();
    assert_eq!(error, "file.services.a.stop_grace_period is 240 and must be a time such as 240s");
}
