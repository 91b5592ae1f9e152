//! Results that a task joins, written down one behind the other: together they may be more than the memory holds.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Lines, Seek, Write};

use serde_json::Value;

/// Takes results down in a temporary file, which is gone when nobody has it open any more.
pub(super) struct ResultSpool(BufWriter<File>);

impl ResultSpool {
    /// Begins with no result.
    pub(super) fn begin() -> io::Result<ResultSpool> {
        Ok(ResultSpool(BufWriter::new(tempfile::tempfile()?)))
    }

    /// Puts a result behind the others: a line of JSON, which is not parsed before somebody wants it.
    pub(super) fn append(&mut self, result: &str) -> io::Result<()> {
        self.0.write_all(result.as_bytes())?;
        self.0.write_all(b"\n")
    }

    /// All of them, to be read in the order in which they came.
    pub(super) fn into_results(self) -> io::Result<SpooledResults> {
        let mut file = self.0.into_inner()?;
        file.rewind()?;
        Ok(SpooledResults(BufReader::new(file).lines()))
    }
}

/// Gives the results back, one at a time.
pub(super) struct SpooledResults(Lines<BufReader<File>>);

impl Iterator for SpooledResults {
    type Item = Result<Value, String>;

    fn next(&mut self) -> Option<Result<Value, String>> {
        let line = self.0.next()?.map_err(|error| describe_spool_failure(&error));
        Some(line.and_then(|line| serde_json::from_str(&line).map_err(|error| error.to_string())))
    }
}

/// What is wrong, for whoever looks at the machine.
pub(super) fn describe_spool_failure(error: &io::Error) -> String {
    format!(
        "the results that it joins do not go through a temporary file ({}): {error}",
        std::env::temp_dir().display()
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_come_back_as_they_were_and_in_their_order() {
        let results =
            [json!([1, u64::MAX, 0]), json!({ "words": "two\nlines, \"quoted\", 囲碁" }), json!(null)];
        let mut spool = ResultSpool::begin().unwrap();
        results.iter().for_each(|result| spool.append(&result.to_string()).unwrap());
        let read: Result<Vec<Value>, String> = spool.into_results().unwrap().collect();
        assert_eq!(read.unwrap(), results);
        let mut spool = ResultSpool::begin().unwrap();
        spool.append("[1,").unwrap();
        assert!(spool.into_results().unwrap().next().unwrap().is_err(), "it is parsed when it is wanted");
        assert_eq!(ResultSpool::begin().unwrap().into_results().unwrap().count(), 0);
    }
}
