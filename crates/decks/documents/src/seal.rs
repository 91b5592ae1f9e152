//! Checksums of what pools and tables of scores say, whatever text says it: line ends, spaces and the order of fields do not matter.
//!
//! A pool's is that of the checked pool, in which scores are whole units. So no way to write a decimal is another content.

use ishi_deck::{PairScoreTable, Piece, PieceId, Pool};
use ishi_rng::checksum::{extend_checksum, fnv_checksum};

/// What a pool's checksum begins with. Another order of what follows needs another number.
const POOL_FORM: &[u8] = b"ishi-pool 1";

/// What the checksum of a table in CSV begins with.
const TABLE_FORM: &[u8] = b"ishi-pairs 1";

/// A checksum as documents have it: sixteen digits.
pub(super) fn format_checksum(sum: u64) -> String {
    format!("{sum:016x}")
}

/// The checksum of a pool with all that its document says besides. `units` are those that are read out of the document.
pub(super) fn pool_checksum(
    pool: &Pool,
    units: f64,
    name: Option<&str>,
    copies: Option<&[(PieceId, usize)]>,
) -> u64 {
    let mut sum = ContentSum::new(POOL_FORM);
    sum.add_count(usize::from(name.is_some()));
    sum.add_text(name.unwrap_or_default());
    sum.add_bytes(&units.to_bits().to_le_bytes());
    sum.add_texts(&pool.resources);
    sum.add_texts(&pool.attributes);
    sum.add_groups(pool);
    sum.add_count(pool.pieces.len());
    pool.pieces.iter().for_each(|piece| sum.add_piece(pool, piece));
    sum.add_table(&pool.pairs, true);
    sum.add_count(usize::from(pool.leaders.is_some()));
    if let Some(leaders) = &pool.leaders {
        sum.add_table(leaders, false);
    }
    sum.add_count(usize::from(copies.is_some()));
    for &(piece, copies) in copies.unwrap_or_default() {
        sum.add_count(piece.index());
        sum.add_count(copies);
    }
    sum.0
}

/// A checksum of values in turn. Before each text and list stands how long it is, so that no two contents are the same bytes.
pub(super) struct ContentSum(u64);

impl ContentSum {
    fn new(form: &[u8]) -> ContentSum {
        ContentSum(fnv_checksum(form))
    }

    /// The sum of a table without records.
    pub(super) fn of_table() -> ContentSum {
        ContentSum::new(TABLE_FORM)
    }

    /// A record of a table, with so many fields.
    pub(super) fn add_record<'a>(&mut self, length: usize, fields: impl Iterator<Item = &'a str>) {
        self.add_count(length);
        fields.for_each(|field| self.add_text(field));
    }

    /// The checksum of all so far.
    pub(super) fn value(&self) -> u64 {
        self.0
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        self.0 = extend_checksum(self.0, bytes);
    }

    fn add_count(&mut self, count: usize) {
        self.add_bytes(&(count as u64).to_le_bytes());
    }

    fn add_number(&mut self, number: i64) {
        self.add_bytes(&number.to_le_bytes());
    }

    fn add_text(&mut self, text: &str) {
        self.add_count(text.len());
        self.add_bytes(text.as_bytes());
    }

    fn add_texts(&mut self, texts: &[String]) {
        self.add_record(texts.len(), texts.iter().map(String::as_str));
    }

    /// Groups in the order of their names, as a document that is read has them.
    fn add_groups(&mut self, pool: &Pool) {
        let mut groups: Vec<(&str, usize)> =
            pool.groups.iter().map(|group| (group.name.as_str(), group.limit)).collect();
        groups.sort_unstable();
        self.add_count(groups.len());
        for (name, limit) in groups {
            self.add_text(name);
            self.add_count(limit);
        }
    }

    fn add_piece(&mut self, pool: &Pool, piece: &Piece) {
        self.add_text(&piece.name);
        self.add_count(piece.costs.len());
        piece.costs.iter().for_each(|&cost| self.add_number(cost));
        let mut attributes = piece.attributes.clone();
        attributes.sort_unstable();
        attributes.dedup();
        self.add_count(attributes.len());
        attributes.into_iter().for_each(|at| self.add_count(at));
        self.add_count(usize::from(piece.group.is_some()));
        self.add_text(piece.group.map_or("", |group| pool.groups[group].name.as_str()));
        self.add_number(piece.score);
        self.add_number(piece.leader_score);
    }

    /// The cells that are not 0, row by row. Of a symmetric table each pair counts once.
    fn add_table(&mut self, table: &PairScoreTable, symmetric: bool) {
        self.add_count(table.side());
        for row in 0..table.side() {
            let cells = table.nonzero_entries(row).filter(|&(column, _)| !symmetric || column >= row);
            for (column, score) in cells {
                self.add_bytes(&(column as u32).to_le_bytes());
                self.add_bytes(&score.to_le_bytes());
            }
            // No column has this number: it ends the row.
            self.add_bytes(&u32::MAX.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;

    use crate::PoolFile;
    use crate::pool::{TableFiles, read_pool, refuse_sibling_file, write_pool};

    fn read(name: &str, bytes: &[u8]) -> Result<PoolFile, String> {
        read_pool(name, bytes, &refuse_sibling_file, &TableFiles::default())
            .map_err(|error| error.to_string())
    }

    /// As ishi writes it. Its checksum was computed by another program, so that files of today can be read in a later version.
    const KEPT: &str = r#"{
  "checksum": "883ef5d30dd607f7",
  "name": "two",
  "units": 10,
  "resources": ["cost"],
  "attributes": ["red"],
  "groups": {"g": 2},
  "pieces": [
    {"name": "Ant", "cost": {"cost": 3}, "attributes": ["red"], "group": "g", "score": 0.5},
    {"name": "Bee"}
  ],
  "pairs": {"list": [
    [0,1,1.5]
  ]},
  "leaders": {"list": [
    [1,0,-0.2]
  ]}
}
"#;

    /// The same, as people may write it.
    const IN_TOML: &str = r#"
name = "two"
units = 10.0
pairs = [["Bee", "Ant", 1.50], ["Ant", "Ant", 0]]
leaders.list = [[1, "Ant", -2e-1]]
groups = { g = 2 }
checksum = "883ef5d30dd607f7"
pieces = [
    { group = "g", name = "Ant", attributes = ["red"], score = 0.5, cost = 3 },
    { name = "Bee", cost = 0 },
]
"#;

    #[test]
    fn the_checksum_is_that_of_the_content() {
        let kept = read("pool.json", KEPT.as_bytes()).unwrap();
        assert_eq!(write_pool(&kept.pool, kept.name.as_deref()), KEPT);
        for (name, text) in [
            ("pool.toml", IN_TOML.to_string()),
            ("pool.json", KEPT.replace('\n', "\r\n")),
            ("pool.json", KEPT.replace("\n  ", "").replace("1.5", "15e-1")),
            ("pool.json", format!("\u{feff}{}", KEPT.trim_end())),
        ] {
            let other = read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!((other.pool, other.name), (kept.pool.clone(), kept.name.clone()), "{text}");
        }
    }

    #[test]
    fn who_edits_a_pool_takes_its_checksum_out() {
        let edited = KEPT.replace("1.5", "1.6");
        let error = read("pool.json", edited.as_bytes()).unwrap_err();
        assert!(
            error.starts_with(
                "pool.json:2:15: checksum: the pool is damaged, or was edited: the checksum of what it says must be "
            ) && error.contains("Whoever edited it must take the field `checksum` out"),
            "{error}"
        );
        let by_hand = edited.replace("  \"checksum\": \"883ef5d30dd607f7\",\n", "");
        assert_eq!(read("pool.json", by_hand.as_bytes()).unwrap().pool.pairs.get(1, 0), 16);
        for wrong in ["883EF5D30DD607F7", "0x883ef5d30dd607f7", "", "883ef5d30dd607f"] {
            let text = KEPT.replace("883ef5d30dd607f7", wrong);
            assert!(read("pool.json", text.as_bytes()).is_err(), "{wrong}");
        }
        for (what, with) in [
            ("\"two\"", "\"too\""),
            ("\"red\"", "\"rad\""),
            ("\"g\": 2", "\"g\": 3"),
            ("\"cost\": 3", "\"cost\": 4"),
            ("\"Bee\"", "\"Bee\", \"copies\": 2"),
            ("[0,1,1.5]", "[1,1,1.5]"),
            ("[1,0,-0.2]", "[0,1,-0.2]"),
        ] {
            let text = KEPT.replace(what, with);
            assert!(text != KEPT && read("pool.json", text.as_bytes()).is_err(), "{text}");
        }
    }

    /// Every flipped bit, every other digit, every cut end, and what disks do besides.
    #[test]
    fn a_damaged_pool_is_refused_or_the_same() {
        let kept = read("pool.json", KEPT.as_bytes()).unwrap();
        let (mut tried, mut refused) = (0, 0);
        let mut check = |what: &str, damaged: &[u8]| {
            tried += 1;
            match read("pool.json", damaged) {
                Err(_) => refused += 1,
                Ok(file) => assert_eq!((&file.pool, &file.name), (&kept.pool, &kept.name), "{what}"),
            }
        };
        let bytes = KEPT.as_bytes();
        for at in 0..bytes.len() {
            let others = (0..8).map(|bit| bytes[at] ^ (1 << bit)).chain(b'0'..=b'9');
            for other in others.filter(|&other| other != bytes[at]) {
                let mut damaged = bytes.to_vec();
                damaged[at] = other;
                check(&format!("byte {at} is {other}"), &damaged);
            }
            check(&format!("cut off at byte {at}"), &bytes[..at]);
        }
        try_damaged_copies(bytes, Seed::new(1), 2000, &mut check);
        assert!(tried > 5_000 && refused * 10 > tried * 9, "{refused} of {tried}");
    }
}
