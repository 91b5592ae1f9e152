//! Tables of scores that ishi writes as CSV: before them stand, as remarks, the checksum of their records and the version. Line ends, remarks
//! and quotation marks are not part of it. Tables that are written by hand have none.

use ishi_rng::checksum::check_sealed_lines;
use ishi_words::{CodedMessage, coded};

use super::csv::CsvRecords;
use super::error::DocumentError;
use super::seal::{ContentSum, format_checksum};
use super::text::decode_utf8;

/// What stands before the checksum.
const MARK: &str = "# checksum ";

/// What the second line begins with.
const HEAD: &str = "# ishi-pairs ";

/// Characters of a table in which parts of [`HEAD`] are looked for.
const BEGINNING: usize = 1024;

/// A table of scores in CSV with its checksum before it, as the readers of such tables check it.
///
/// ```
/// let table = ishi_deck_documents::seal_score_table("a,b,score\nAnt,Bee,1.5\n").unwrap();
/// assert!(table.starts_with("# checksum ") && table.ends_with("\n# ishi-pairs 1\na,b,score\nAnt,Bee,1.5\n"));
/// ```
///
/// # Errors
/// If the text is no CSV.
pub fn seal_score_table(text: impl Into<String>) -> Result<String, DocumentError> {
    let mut table = text.into();
    let sum = sum_records("table", table.as_bytes())?;
    // No second copy: tables of many pairs have a hundred megabytes.
    table.insert_str(0, &format!("{MARK}{}\n{HEAD}1\n", format_checksum(sum)));
    Ok(table)
}

/// Does a table say what it said when ishi wrote it? One without a checksum is taken as it is.
///
/// # Errors
/// If its checksum is another one, or damaged itself.
pub(super) fn check_score_table(name: &str, bytes: &[u8]) -> Result<(), DocumentError> {
    let text = decode_utf8(name, bytes)?;
    let wrong = |what: CodedMessage| Err(DocumentError::on_line(name, 1, "", what));
    let Some(behind) = text.strip_prefix(MARK) else {
        if !has_lost_checksum(text) {
            return Ok(());
        }
        return wrong(coded![
            "deck-csv-lost-checksum",
            "the table is damaged: the line `# checksum` must stand first, with its sixteen digits. Whoever edits the table must take \
             it out, and the line `# ishi-pairs`, too"
        ]);
    };
    let found = format_checksum(sum_records(name, bytes)?);
    // As text: other ways to write the same number are damage, too.
    if behind.starts_with(&found) {
        return Ok(());
    }
    wrong(coded![
        "deck-csv-checksum",
        "the table is damaged, or was edited: the checksum of its records must be {found}. Take a copy of it or have it written \
         anew. Whoever edited it must take the line `# checksum` out",
        found
    ])
}

/// Has a text that does not begin with a checksum parts of one, or one elsewhere?
fn has_lost_checksum(text: &str) -> bool {
    let beginning = text.char_indices().nth(BEGINNING).map_or(text, |(end, _)| &text[..end]);
    text.contains(MARK) || check_sealed_lines(beginning, HEAD).is_err()
}

fn sum_records(name: &str, bytes: &[u8]) -> Result<u64, DocumentError> {
    let mut records = CsvRecords::new(name, bytes)?;
    let mut sum = ContentSum::of_table();
    while let Some((record, _)) = records.next_record()? {
        sum.add_record(record.len(), record.iter());
    }
    Ok(sum.value())
}

#[cfg(test)]
mod tests {
    use ishi_deck::PairScoreTable;
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;

    use super::*;
    use crate::pool::{TableFiles, read_pool};

    /// As ishi writes it. Its checksum was computed by another program.
    const KEPT: &str = "# checksum b187b2350b4b2d93\n# ishi-pairs 1\na,b,score\nAnt,Bee,1.5\nAnt,Cow,-0.25\n";

    /// The scores of a pool of three pieces with this table beside it.
    fn read(table: &[u8]) -> Result<PairScoreTable, String> {
        let pool = br#"{"pieces": [{"name": "Ant"}, {"name": "Bee"}, {"name": "Cow"}], "units": 100, "pairs": "pairs.csv"}"#;
        let file = read_pool("pool.json", pool, &|_: &str| Ok(table.to_vec()), &TableFiles::default());
        file.map(|file| file.pool.pairs.clone()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_checksum_is_that_of_the_records() {
        let kept = read(KEPT.as_bytes()).unwrap();
        assert_eq!((kept.get(1, 0), kept.get(0, 2)), (150, -25));
        assert_eq!(seal_score_table("a,b,score\nAnt,Bee,1.5\nAnt,Cow,-0.25\n").unwrap(), KEPT);
        for text in [
            KEPT.replace('\n', "\r\n"),
            KEPT.replace("Ant,Bee", "\"Ant\", Bee ").replace("a,b", "# mine\na,b"),
            format!("\u{feff}{}", KEPT.trim_end()),
            KEPT.replace("# ishi-pairs 1\n", ""),
            // As a spreadsheet saves it: each line has as many fields.
            format!("\u{feff}{}", KEPT.replace("d93\n", "d93,,\n").replace("1\na", "1,,\na"))
                .replace('\n', "\r\n"),
            KEPT[KEPT.find("a,b").unwrap()..].to_string(),
        ] {
            assert_eq!(read(text.as_bytes()).as_ref(), Ok(&kept), "{text}");
        }
    }

    #[test]
    fn who_edits_a_table_takes_its_checksum_out() {
        let edited = KEPT.replace("1.5", "1.6");
        let error = read(edited.as_bytes()).unwrap_err();
        assert!(
            error.starts_with(
                "pairs.csv:1: the table is damaged, or was edited: the checksum of its records must be "
            ) && error.contains("Whoever edited it must take the line `# checksum` out"),
            "{error}"
        );
        let by_hand = &edited[edited.find("# ishi").unwrap()..];
        assert_eq!(read(by_hand.as_bytes()).unwrap().get(0, 1), 160);
        let error = read(edited.replace("# checksum", "# chacksum").as_bytes()).unwrap_err();
        assert!(error.starts_with("pairs.csv:1: the table is damaged: the line `# checksum`"), "{error}");
        // Some programs put every field in quotation marks, so that both lines are remarks no more.
        let quoted = "\"# ishi-pairs 1\"\n\"a\",\"b\",\"score\"\n\"Ant\",\"Bee\",1.5\n";
        let error = read(quoted.as_bytes()).unwrap_err();
        assert!(error.contains("must take it out, and the line `# ishi-pairs`, too"), "{error}");
        assert!(read(b"").unwrap_err().starts_with("pairs.csv: empty: a header such as a,b,score is needed"));
    }

    /// Every flipped bit, every cut end, and what disks do besides.
    #[test]
    fn a_damaged_table_is_refused_or_the_same() {
        let kept = read(KEPT.as_bytes()).unwrap();
        let (mut tried, mut refused) = (0, 0);
        let mut check = |what: &str, damaged: &[u8]| {
            tried += 1;
            match read(damaged) {
                Err(_) => refused += 1,
                Ok(scores) => assert_eq!(scores, kept, "{what}"),
            }
        };
        let bytes = KEPT.as_bytes();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.to_vec();
                damaged[at] ^= 1 << bit;
                check(&format!("bit {bit} of byte {at} flipped"), &damaged);
            }
            check(&format!("cut off at byte {at}"), &bytes[..at]);
        }
        try_damaged_copies(bytes, Seed::new(1), 2000, &mut check);
        assert!(tried > 2000 && refused * 2 > tried, "{refused} of {tried}");
    }
}
