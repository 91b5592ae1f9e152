//! Lists of cards as people paste them, several decks in one text: as Magic Arena, Magic Online (MTGO) and Moxfield export them, as CSV with
//! counts, as names alone, and as the logs that [`super::log`] reads.
//!
//! A list has a card a line: `4 Lightning Bolt`, `4x Lightning Bolt`, `1 Sol Ring (C21) 263 *F*` or `2 Duress [M10]`; what names a printing is
//! left out. A deck ends at an empty line, at a line of dashes, or where a heading begins the next one. These belong to the deck before them:
//! - after `Commander` or `Leader` the card that leads, then (after `Deck`, or an empty line) the deck;
//! - below a comment (`// Lands`) or a heading such as `Creatures (12)` or `Lands:` more of its cards;
//! - after `Sideboard`, `Maybeboard`, `Companion` or `Tokens`, on lines with `SB:`, and in a block of at most 15 cards that follows one of 40 and
//!   more (as MTGO writes a sideboard): cards that are not counted.

use std::collections::BTreeSet;

use ishi_words::{CodedMessage, coded};

use super::log::{CardVocabulary, DeckLog, LogError, LogFormat, LogHeading, find_separator, split_fields};
use super::{CountOptions, LearnedScores, count_led_decks};

/// A deck of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedDeck {
    /// The card that leads.
    pub leader: Option<u32>,
    /// The other cards, once each, in the order in which they stand there.
    pub cards: Vec<u32>,
    /// All of its cards with their copies, the leader among them.
    pub copies: usize,
}

/// The decks of a text.
#[derive(Clone, Debug, Default)]
pub struct ListedDecks {
    /// The names of the cards.
    pub vocabulary: CardVocabulary,
    /// The decks, in the order of the text.
    pub decks: Vec<ListedDeck>,
}

/// Bytes for the counts of pairs: those of 11,000 cards.
const MEMORY: usize = 256 << 20;

impl ListedDecks {
    /// Counts the decks, as [`super::count_led_decks`] does.
    #[must_use]
    pub fn count(&self) -> LearnedScores {
        let decks = self.decks.iter().map(|deck| (deck.leader, deck.cards.as_slice()));
        count_led_decks(decks, &CountOptions { memory: MEMORY, ..CountOptions::default() })
    }

    /// Different cards of a deck, its leader among them, in the median; 0 if there is no deck.
    #[must_use]
    pub fn usual_size(&self) -> usize {
        let size = |deck: &ListedDeck| deck.cards.len() + usize::from(deck.leader.is_some());
        let mut sizes: Vec<usize> = self.decks.iter().map(size).collect();
        sizes.sort_unstable();
        sizes.get(sizes.len() / 2).copied().unwrap_or(0)
    }

    /// Adds a deck, each of its cards once.
    fn push(&mut self, mut deck: ListedDeck) {
        let mut seen: BTreeSet<u32> = deck.leader.into_iter().collect();
        deck.cards.retain(|&card| seen.insert(card));
        match self.decks.last_mut() {
            // Some programs name the leader below the deck.
            Some(last) if deck.cards.is_empty() && last.leader.is_none() && deck.leader.is_some() => {
                last.cards.retain(|card| Some(*card) != deck.leader);
                (last.leader, last.copies) = (deck.leader, last.copies + deck.copies);
            }
            _ if deck.cards.is_empty() => {}
            _ => self.decks.push(deck),
        }
    }
}

/// How a text holds decks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKind {
    /// A count and a card a line.
    Counted,
    /// A card a line, empty lines between decks.
    Names,
    /// CSV whose heading names a column of counts and one of names.
    Table,
    /// Anything that [`DeckLog`] reads.
    Log,
}

/// Reads all decks of a text.
///
/// # Errors
/// Names the line that makes no sense, and what it must be.
///
/// ```
/// use ishi_deck::scores::lists::read_deck_lists;
/// let text = "Deck\n4 Lightning Bolt (M10) 146\n20 Mountain\n\nSideboard\n2 Duress\n\nDeck\n4 Lightning Bolt\n4 Shock\n";
/// let found = read_deck_lists(text).unwrap();
/// assert_eq!(found.decks.len(), 2);
/// assert_eq!(found.vocabulary.names(), ["Lightning Bolt", "Mountain", "Shock"]);
/// assert_eq!(found.decks[0].copies, 24);
/// ```
pub fn read_deck_lists(text: &str) -> Result<ListedDecks, LogError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match detect_kind(text) {
        TextKind::Counted => ListReader::new(false).read(text),
        TextKind::Names => ListReader::new(true).read(text),
        TextKind::Table => read_table(text),
        TextKind::Log => read_log(text),
    }
}

/// Does a text that begins like this hold lists? A log is read a deck at a time, however long it is, and lists need their whole text.
///
/// ```
/// use ishi_deck::scores::lists::are_lists;
/// assert!(are_lists("4 Lightning Bolt\n20 Mountain\n") && are_lists("Count,Name\n4,Lightning Bolt\n"));
/// assert!(!are_lists("2025-01-01\t4 Lightning Bolt\t20 Mountain\n") && !are_lists("deck,card,count\n1,Shock,4\n"));
/// ```
#[must_use]
pub fn are_lists(beginning: &str) -> bool {
    let text = beginning.strip_prefix('\u{feff}').unwrap_or(beginning);
    match detect_kind(text) {
        TextKind::Counted | TextKind::Names => true,
        // A column of decks makes it a log with a card a line.
        TextKind::Table => {
            let heading = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            LogFormat::detect_format(heading) != LogFormat::Long
        }
        TextKind::Log => false,
    }
}

fn detect_kind(text: &str) -> TextKind {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let filled: Vec<&str> = lines.iter().copied().filter(|line| !line.is_empty()).collect();
    let Some(first) = filled.first() else { return TextKind::Log };
    if TableColumns::from_heading(first).is_some() {
        return TextKind::Table;
    }
    if begins_log(first) {
        return TextKind::Log;
    }
    let [mut counted, mut others] = [0, 0];
    for line in &filled {
        match classify_line(line, false) {
            ListLine::Card(_, name) if !holds_another_card(name) => counted += 1,
            ListLine::Card(..) | ListLine::Other => others += 1,
            ListLine::End | ListLine::Heading(_) | ListLine::Category | ListLine::Beside => {}
        }
    }
    if counted > others {
        return TextKind::Counted;
    }
    let ends = lines.windows(2).any(|pair| pair[0].is_empty() && !pair[1].is_empty());
    let fields = |line: &str| split_fields(line, ',').map_or(1, |fields| fields.len());
    let have_most = |most: usize| {
        let is_name =
            |line: &&&str| !line.contains('\t') && !holds_another_card(line) && fields(line) <= most;
        4 * filled.iter().filter(is_name).count() > 3 * filled.len()
    };
    // A name may have a comma. Where no line is empty, such lines are decks of two cards, and lines without any are one deck.
    if have_most(if ends { 2 } else { 1 }) { TextKind::Names } else { TextKind::Log }
}

/// Does a log begin with this line: a date, whole numbers, or names of columns? Empty lines in it end no deck.
fn begins_log(first: &str) -> bool {
    let separator = find_separator(first);
    let fields = split_fields(first, separator).unwrap_or_default();
    let is_heading = fields.len() > 1 && LogHeading::from_fields(separator, &fields).names_columns();
    is_heading || LogFormat::detect_format(first) != LogFormat::Lines
}

/// Does a count and a card stand behind a comma or a tab? Then the line is a deck, not a card.
fn holds_another_card(line: &str) -> bool {
    line.split([',', '\t']).skip(1).any(|field| split_counted_card(field.trim()).is_some())
}

/// More copies of a card are not believed.
const MOST_COPIES: usize = 1000;

/// `4 Lightning Bolt` or `4x Lightning Bolt`: count and what follows it. `None` if that holds no letter.
fn split_counted_card(line: &str) -> Option<(usize, &str)> {
    let (count, rest) = line.split_once(char::is_whitespace)?;
    let digits = count.strip_suffix(['x', 'X']).unwrap_or(count);
    let count = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
    let name = rest.trim();
    ((1..=MOST_COPIES).contains(&count) && name.chars().any(char::is_alphabetic)).then_some((count, name))
}

/// The name without what names a printing: `(M10) 146`, `[M10]`, `*F*`, tags after `^` or `#`.
fn strip_printing(name: &str) -> &str {
    let is_set = |inner: &str| {
        let same_case =
            |wanted: fn(&u8) -> bool| inner.bytes().all(|byte| byte.is_ascii_digit() || wanted(&byte));
        (2..=6).contains(&inner.len())
            && (same_case(u8::is_ascii_uppercase) || same_case(u8::is_ascii_lowercase))
    };
    let mut end = name.len();
    for (at, _) in name.match_indices(" (") {
        let inner = name[at + 2..].split(')').next().unwrap_or_default();
        if is_set(inner) && name[at..].contains(')') {
            end = end.min(at);
        }
    }
    for mark in [" [", " *", " ^", " #"] {
        end = end.min(name.find(mark).unwrap_or(end));
    }
    name[..end].trim()
}

/// What cards below a heading are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeckSection {
    Main,
    Leader,
    /// They are in no deck.
    Beside,
}

/// A line of a list.
enum ListLine<'a> {
    /// A line between decks.
    End,
    Heading(DeckSection),
    /// More of the same deck follows.
    Category,
    /// A card beside the deck.
    Beside,
    Card(usize, &'a str),
    Other,
}

/// The section that a heading begins.
fn find_section(words: &str) -> Option<DeckSection> {
    let plain = words.split('(').next().unwrap_or_default();
    match plain.trim().trim_end_matches(':').trim().to_lowercase().as_str() {
        "deck" | "main" | "mainboard" | "main deck" | "maindeck" => Some(DeckSection::Main),
        "commander" | "commanders" | "leader" => Some(DeckSection::Leader),
        "about" | "sideboard" | "side" | "maybeboard" | "considering" | "companion" | "tokens" => {
            Some(DeckSection::Beside)
        }
        _ => None,
    }
}

/// `Creatures (12)` or `Lands:`.
fn is_category(line: &str) -> bool {
    let count = line.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    let is_counted =
        count.is_some_and(|(_, count)| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()));
    line.ends_with(':') || is_counted
}

fn classify_line(line: &str, bare: bool) -> ListLine<'_> {
    let rule = line.trim_matches(['-', '=', '*', '_', '~']);
    if rule.is_empty() && line.len() >= 3 {
        return ListLine::End;
    }
    if let Some(comment) = line.strip_prefix("//").or_else(|| line.strip_prefix('#')) {
        return find_section(comment).map_or(ListLine::Category, ListLine::Heading);
    }
    if let Some(section) = find_section(line) {
        return ListLine::Heading(section);
    }
    if line.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("SB:")) {
        return ListLine::Beside;
    }
    if let Some((count, name)) = split_counted_card(line) {
        return ListLine::Card(count, name);
    }
    if is_category(line) {
        return ListLine::Category;
    }
    if bare { ListLine::Card(1, line) } else { ListLine::Other }
}

/// Copies of a deck from which on a small block behind it is a sideboard, and how many that has at most.
const CONSTRUCTED: usize = 40;
const SIDEBOARD: usize = 15;

/// Reads lists with a card a line.
struct ListReader {
    /// A line without a count is a card, too.
    bare: bool,
    found: ListedDecks,
    open: ListedDeck,
    section: DeckSection,
}

impl ListReader {
    fn new(bare: bool) -> ListReader {
        ListReader {
            bare,
            found: ListedDecks::default(),
            open: ListedDeck::default(),
            section: DeckSection::Main,
        }
    }

    fn read(mut self, text: &str) -> Result<ListedDecks, LogError> {
        let lines: Vec<(usize, &str)> = (1..).zip(text.lines().map(str::trim)).collect();
        for block in lines.split(|(_, line)| line.is_empty()).filter(|block| !block.is_empty()) {
            self.begin_block(block);
            for &(number, line) in block {
                self.read_line(number, line)?;
            }
        }
        self.close_deck();
        Ok(self.found)
    }

    /// An empty line ends a deck, unless what follows it belongs to the same one.
    fn begin_block(&mut self, block: &[(usize, &str)]) {
        let first = classify_line(block[0].1, self.bare);
        if !matches!(first, ListLine::Card(..)) {
            return;
        }
        let copies: usize = block
            .iter()
            .map(|(_, line)| match classify_line(line, self.bare) {
                ListLine::Card(count, _) => count,
                _ => 0,
            })
            .sum();
        let is_sideboard = self.open.copies >= CONSTRUCTED && copies <= SIDEBOARD;
        match self.section {
            DeckSection::Leader => self.section = DeckSection::Main,
            DeckSection::Main if is_sideboard => self.section = DeckSection::Beside,
            DeckSection::Main | DeckSection::Beside => {
                self.close_deck();
                self.section = DeckSection::Main;
            }
        }
    }

    fn read_line(&mut self, number: usize, line: &str) -> Result<(), LogError> {
        match classify_line(line, self.bare) {
            ListLine::End => {
                self.close_deck();
                self.section = DeckSection::Main;
            }
            ListLine::Heading(section) => self.begin_section(section),
            ListLine::Category if self.section == DeckSection::Leader => self.section = DeckSection::Main,
            ListLine::Category | ListLine::Beside => {}
            ListLine::Card(count, name) => self.add_card(count, name),
            ListLine::Other if self.section == DeckSection::Beside => {}
            ListLine::Other => {
                let what = coded![
                    "deck-list-line",
                    "{text} must be a count and a card's name, such as \"4 Lightning Bolt\"",
                    text = format!("{line:?}")
                ];
                return Err(LogError::Line { line: number, field: None, what });
            }
        }
        Ok(())
    }

    /// A deck begins with its leader or its cards.
    fn begin_section(&mut self, section: DeckSection) {
        let is_next = match section {
            DeckSection::Main => !self.open.cards.is_empty(),
            DeckSection::Leader => self.open != ListedDeck::default(),
            DeckSection::Beside => false,
        };
        if is_next {
            self.close_deck();
        }
        self.section = section;
    }

    fn add_card(&mut self, count: usize, name: &str) {
        if self.section == DeckSection::Beside {
            return;
        }
        let card = self.found.vocabulary.intern_name(strip_printing(name));
        self.open.copies += count;
        if self.section == DeckSection::Leader && self.open.leader.is_none() {
            self.open.leader = Some(card);
        } else {
            self.open.cards.push(card);
        }
    }

    fn close_deck(&mut self) {
        self.found.push(std::mem::take(&mut self.open));
    }
}

/// Which column of a table is what, from 0.
struct TableColumns {
    separator: char,
    count: usize,
    name: usize,
    deck: Option<usize>,
    board: Option<usize>,
}

impl TableColumns {
    /// None if the line is no heading with counts and names; one with leaders or dates is of a log.
    fn from_heading(line: &str) -> Option<TableColumns> {
        let separator = find_separator(line);
        let fields = split_fields(line, separator).ok()?;
        let find = |wanted: &[&str]| {
            fields.iter().position(|field| wanted.iter().any(|name| field.trim().eq_ignore_ascii_case(name)))
        };
        if find(&["leader", "date"]).is_some() {
            return None;
        }
        Some(TableColumns {
            separator,
            count: find(&["count", "quantity", "qty", "amount", "copies"])?,
            name: find(&["name", "card", "card name"])?,
            deck: find(&["deck", "deck name"]),
            board: find(&["board", "section", "zone"]),
        })
    }
}

/// Reads a table of cards with counts; a deck ends at an empty line, at another heading, or where the column of decks changes.
fn read_table(text: &str) -> Result<ListedDecks, LogError> {
    let mut reader = ListReader::new(false);
    let (mut columns, mut deck) = (None, None);
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            reader.close_deck();
            continue;
        }
        if let Some(heading) = TableColumns::from_heading(line) {
            reader.close_deck();
            columns = Some(heading);
            continue;
        }
        let wrong = |field: Option<usize>, what: CodedMessage| LogError::Line { line: number, field, what };
        let Some(columns) = &columns else {
            let what =
                coded!["deck-list-no-heading", "must be a heading that names the columns Count and Name"];
            return Err(wrong(None, what));
        };
        let fields = split_fields(line, columns.separator).map_err(|what| wrong(None, what))?;
        let field = |at: usize| fields.get(at).map_or("", |field| field.trim());
        let copies = field(columns.count).parse().ok().filter(|copies| (1..=MOST_COPIES).contains(copies));
        let Some(copies) = copies else {
            let what = coded![
                "deck-list-count",
                "{text} must be a count from 1 to {most}",
                text = format!("{:?}", field(columns.count)),
                most = MOST_COPIES
            ];
            return Err(wrong(Some(columns.count + 1), what));
        };
        if field(columns.name).is_empty() {
            let what = coded!["deck-list-no-name", "must be the name of a card"];
            return Err(wrong(Some(columns.name + 1), what));
        }
        let of = columns.deck.map(|at| field(at).to_string());
        if of != deck {
            reader.close_deck();
            deck = of;
        }
        let board = columns.board.and_then(|at| find_section(field(at)));
        reader.section = board.unwrap_or(DeckSection::Main);
        reader.add_card(copies, field(columns.name));
    }
    reader.close_deck();
    Ok(reader.found)
}

fn read_log(text: &str) -> Result<ListedDecks, LogError> {
    let mut found = ListedDecks::default();
    let mut log = DeckLog::new(text.as_bytes(), None);
    while let Some(entry) = log.next_deck(&mut found.vocabulary)? {
        let deck =
            ListedDeck { leader: entry.leader, cards: entry.cards.to_vec(), copies: entry.cards.len() };
        found.push(deck);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decks with their cards' names; leaders stand first, with an exclamation mark.
    fn decks(text: &str) -> Vec<Vec<String>> {
        let found = read_deck_lists(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let name = |card: &u32| found.vocabulary.names()[*card as usize].clone();
        let deck = |deck: &ListedDeck| {
            let leader = deck.leader.iter().map(|card| name(card) + "!");
            leader.chain(deck.cards.iter().map(name)).collect()
        };
        found.decks.iter().map(deck).collect()
    }

    fn error(text: &str) -> String {
        read_deck_lists(text).unwrap_err().to_string()
    }

    #[test]
    fn lists_of_arena_have_headings_and_printings() {
        let text = "About\nName Mine\n\nCommander\n1 Sol Ring (C21) 263\n\nDeck\n4 Bolt (M10) 146\n16 Hill (XLN) 5\n\nSideboard\n3 Duress (M19) 94\n\n\
                    About\nName Other\n\nDeck\n4 Fire // Ice (APC) 128\n4 Bolt (M10) 146\n";
        assert_eq!(decks(text), [vec!["Sol Ring!", "Bolt", "Hill"], vec!["Fire // Ice", "Bolt"]]);
    }

    #[test]
    fn lists_of_mtgo_have_a_small_sideboard_behind_them() {
        let text =
            "36 Hill\n4 Bolt\n\n15 Duress\n\n40 Swamp\n4 Bolt\n\nSideboard\n2 Duress\n\n3 Ant\n\n3 Bee\n";
        assert_eq!(decks(text), [vec!["Hill", "Bolt"], vec!["Swamp", "Bolt"], vec!["Ant"], vec!["Bee"]]);
        assert_eq!(decks("4 Bolt\nSB: 2 Duress\n4 Hill\n"), [vec!["Bolt", "Hill"]]);
    }

    #[test]
    fn lists_of_moxfield_have_marks_and_categories() {
        let text = "1x Sol Ring (c21) 263 *F* [Ramp] ^Have,#37d67a^\n// Lands\n20 Hill\n\n// Creatures\n1 B.F.M. (Big Furry Monster)\n\
                    SIDEBOARD:\n1 Duress\n---\nCreatures (2)\n2 Ant\n\nLands:\n9 Hill\n\nCommander\n1 Queen\n";
        assert_eq!(
            decks(text),
            [vec!["Sol Ring", "Hill", "B.F.M. (Big Furry Monster)"], vec!["Queen!", "Ant", "Hill"]]
        );
    }

    #[test]
    fn names_tables_and_logs_are_read_too() {
        assert_eq!(decks("Ant\nUrza, Lord\n\nAnt\nBee\n"), [vec!["Ant", "Urza, Lord"], vec!["Ant", "Bee"]]);
        let csv = "\"Count\",\"Name\",\"Edition\",Board\n\"4\",\"Urza, Lord\",\"mh1\",main\n\"2\",Duress,m19,sideboard\n\nCount,Name\n1,Bee\n";
        assert_eq!(decks(csv), [vec!["Urza, Lord"], vec!["Bee"]]);
        assert_eq!(decks("Deck,Count,Name\na,1,Ant\na,2,Bee\nb,1,Ant\n"), [vec!["Ant", "Bee"], vec!["Ant"]]);
        assert_eq!(decks("deck,card,count\n1,Ant,2\n1,Bee,1\n2,Ant,1\n"), [vec!["Ant", "Bee"], vec!["Ant"]]);
        assert_eq!(decks("Ant,Bee\nBee,Cow\n"), [vec!["Ant", "Bee"], vec!["Bee", "Cow"]]);
        assert_eq!(
            decks("Ant\nBee\nUrza, Lord\nCow\nDog\n"),
            [vec!["Ant", "Bee", "Urza, Lord", "Cow", "Dog"]]
        );
        assert_eq!(decks("17: 3 5\n3 5 9\n"), [vec!["17!", "3", "5"], vec!["3", "5", "9"]]);
        assert!(decks("").is_empty());
    }

    /// Logs may have empty lines, and cards or decks that begin with a number.
    #[test]
    fn logs_are_not_taken_for_lists() {
        for log in [
            "1 2\n\n3 5\n",
            "17: 3\n\n3 5\n",
            "deck,card\n1,Ant\n1,Bee\n\n2,Ant\n2,Cow\n",
            "deck,card\n4 Color,Ant\n4 Color,Bee\n5 Color,Ant\n5 Color,Cow\n",
            "leader,card1\nAnt,Bee\n\nCow,Bee\n",
            "2025-01-01\t4 Ant\t2 Bee\n\n2025-01-02\t4 Ant\t2 Cow\n",
            "4 Ant,20 Bee\n4 Cow,20 Bee\n",
            "4 Ant\t20 Bee\n\n4 Cow\t20 Bee\n",
        ] {
            assert!(!are_lists(log), "{log}");
            let sizes: Vec<usize> =
                read_deck_lists(log).unwrap().decks.iter().map(|deck| deck.copies).collect();
            assert_eq!(sizes.len(), 2, "{log}: {sizes:?}");
        }
        for lists in
            ["4 Ant, the Small\n1 Borrowing 100,000 Arrows\n", "Leader\nQueen\n\nAnt\n", "4\tAnt\n2\tBee\n"]
        {
            assert!(are_lists(lists), "{lists}");
        }
    }

    #[test]
    fn a_line_that_is_no_card_is_named() {
        assert!(
            error("4 Ant\nwhat is this\n4 Bee\n").starts_with("line 2: \"what is this\" must be a count")
        );
        assert!(error("Count,Name\nfour,Ant\n").starts_with("line 2, field 1: \"four\" must be a count"));
        assert!(error("Count,Name\n4,\n").starts_with("line 2, field 2: must be the name"));
    }

    #[test]
    fn copies_count_once_in_scores_and_all_in_sizes() {
        let found = read_deck_lists("4 Ant\n2 Bee\n\n1 Ant\n\n3 Ant\n1 Bee\n1 Cow\n").unwrap();
        assert_eq!(found.decks.iter().map(|deck| deck.copies).collect::<Vec<_>>(), [6, 1, 5]);
        assert_eq!(found.usual_size(), 2);
        let counts = found.count().counts;
        assert_eq!((counts.deck_count(), counts.decks_with(0), counts.decks_with_pair(0, 1)), (3, 3, 2));
    }
}
