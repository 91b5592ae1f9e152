//! Work with a content-derived id.

use std::fmt;
use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The version of the results of every kind that has not got one of its own.
pub const FIRST_RESULTS_VERSION: u32 = 3;

/// A kind of task: its word, and the version of its results.
///
/// The version is part of each task's id. It is raised by one when a change of ishi makes the same description give
/// another result, so that old results are not taken for new ones. Those of other kinds stay valid.
///
/// ```
/// use ishi_store::{StoreTask, TaskKind};
/// use serde_json::json;
/// let before = TaskKind::new("match-pair");
/// let after = before.with_results_version(4);
/// assert_eq!(before.name(), after.name());
/// assert_ne!(StoreTask::new(before, json!({})).id(), StoreTask::new(after, json!({})).id());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskKind {
    name: &'static str,
    results_version: u32,
}

impl TaskKind {
    /// The kind with this word, such as `match-pair`, whose results are of the first version.
    pub const fn new(name: &'static str) -> TaskKind {
        TaskKind { name, results_version: FIRST_RESULTS_VERSION }
    }

    /// The same kind with results of this version.
    ///
    /// # Panics
    /// If it is below the first version: such results were made by another ishi than this one.
    #[must_use]
    pub const fn with_results_version(self, version: u32) -> TaskKind {
        assert!(version >= FIRST_RESULTS_VERSION, "versions of results are only raised");
        TaskKind { name: self.name, results_version: version }
    }

    /// Its word.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The version of its results.
    pub const fn results_version(self) -> u32 {
        self.results_version
    }
}

/// The id of a task: SHA-256 of its canonical form, 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(String);

impl TaskId {
    /// The id that somebody has read somewhere; there may be no such task.
    pub fn from_text(text: &str) -> TaskId {
        TaskId(text.to_string())
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn from_database(text: String) -> TaskId {
        TaskId(text)
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Work whose result follows from its kind and description alone.
///
/// ```
/// use ishi_store::{StoreTask, TaskKind};
/// use serde_json::json;
/// let kind = TaskKind::new("match-pair");
/// let task = StoreTask::new(kind, json!({ "size": "9x9", "komi": 7.5 }));
/// let same = StoreTask::new(kind, json!({ "komi": 7.5, "size": "9x9" }));
/// assert_eq!(task.id(), same.id(), "the order of keys does not count");
/// assert_ne!(task.id(), StoreTask::new(kind, json!({ "size": "9x9", "komi": 6.5 })).id());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StoreTask {
    kind: TaskKind,
    spec: Value,
}

impl StoreTask {
    /// A task of this kind with everything that its result depends on.
    pub fn new(kind: TaskKind, spec: Value) -> StoreTask {
        StoreTask { kind, spec }
    }

    /// The kind.
    pub fn kind(&self) -> TaskKind {
        self.kind
    }

    /// The description.
    pub fn spec(&self) -> &Value {
        &self.spec
    }

    /// The description as it is hashed and kept: keys in order, no spaces.
    pub fn canonical_spec(&self) -> String {
        canonical_json(&self.spec)
    }

    /// The id.
    pub fn id(&self) -> TaskId {
        let kind = canonical_json(&Value::String(self.kind.name.to_string()));
        let version = self.kind.results_version;
        let spec = self.canonical_spec();
        let text = format!(r#"{{"kind":{kind},"results_version":{version},"spec":{spec}}}"#);
        let mut hex = String::with_capacity(64);
        for byte in Sha256::digest(text.as_bytes()) {
            // Writing to a string does not fail.
            let _ = write!(hex, "{byte:02x}");
        }
        TaskId(hex)
    }
}

/// JSON with sorted keys and without spaces, whatever order the map type has.
pub(super) fn canonical_json(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical_json).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let text = |(key, value): (&String, &Value)| {
                format!("{}:{}", canonical_json(&Value::String(key.clone())), canonical_json(value))
            };
            format!("{{{}}}", entries.into_iter().map(text).collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn canonical_text_is_sorted_and_dense() {
        let value = json!({ "b": [1, 2.5, null, true], "a": { "z": "\"\n", "y": {} } });
        assert_eq!(canonical_json(&value), r#"{"a":{"y":{},"z":"\"\n"},"b":[1,2.5,null,true]}"#);
    }

    /// Ids are kept in databases: they must stay as they are while the version of their kind stays.
    /// printf '%s' '{"kind":"k","results_version":3,"spec":{"a":1}}' | sha256sum
    #[test]
    fn ids_are_sha256_of_the_documented_text() {
        let id = |kind: TaskKind| StoreTask::new(kind, json!({ "a": 1 })).id();
        let first = "8b164d54f1db5eb60789e6586b4f7ef41ab7cf77d1722dd9bc592c8d87d0909c";
        assert_eq!(id(TaskKind::new("k")).as_str(), first);
        let second = "316af6127aaec140e6689b2c02e068c41fd964f332e454da7ec614443114bb1d";
        assert_eq!(id(TaskKind::new("k").with_results_version(4)).as_str(), second);
    }
}
