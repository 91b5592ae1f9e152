//! What all parts of the games say of each window, added up by the windows' keys, of which there may be more than the memory holds.
//!
//! Counts are collected in a table. A full table is written away as a *run*: its counts in the order of their keys. At the end all runs are
//! merged in this order, so that equal keys meet (external sorting by merging: D. E. Knuth, The Art of Computer Programming, volume 3,
//! section 5.4). Where the runs are is somebody else's business ([`NumberStore`]). Without a full table there is no run.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;
use std::io;
use std::ops::Range;

use super::{KeyedMap, MinedPartError, NumberReader, WRONG_PART};

/// Numbers that are kept one behind the other and read again from any place: a file where the memory should not hold them.
pub trait NumberStore {
    /// Puts numbers behind those that it has.
    ///
    /// # Errors
    /// What the system says.
    fn append_numbers(&mut self, numbers: &[u64]) -> io::Result<()>;

    /// Reads as many numbers as are asked for. The first is that with the number `place`, counted from 0.
    ///
    /// # Errors
    /// What the system says, or that there are not so many.
    fn read_numbers(&mut self, place: u64, numbers: &mut [u64]) -> io::Result<()>;
}

/// Everything in memory.
impl NumberStore for Vec<u64> {
    fn append_numbers(&mut self, numbers: &[u64]) -> io::Result<()> {
        self.extend_from_slice(numbers);
        Ok(())
    }

    fn read_numbers(&mut self, place: u64, numbers: &mut [u64]) -> io::Result<()> {
        let start = usize::try_from(place).unwrap_or(usize::MAX);
        let kept = self.get(start..start.saturating_add(numbers.len()));
        numbers.copy_from_slice(kept.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// What is counted under a key.
pub(super) trait KeyedCount: Copy {
    /// How many numbers it is, with its key.
    const LENGTH: usize;

    /// Writes it behind its key.
    fn write(&self, key: u64, numbers: &mut Vec<u64>);

    /// Reads a key and what stands behind it; `None` if it is something else.
    fn read(numbers: &mut NumberReader<'_>) -> Option<(u64, Self)>;

    /// Adds what another part says under the same key; `None` if that is more than can be counted.
    fn add(&mut self, other: &Self) -> Option<()>;
}

/// A table in the order of its keys, as numbers.
pub(super) fn write_in_order<T: KeyedCount>(table: KeyedMap<T>) -> Vec<u64> {
    let mut numbers = Vec::with_capacity(table.len() * T::LENGTH);
    sort_by_key(table).iter().for_each(|(key, count)| count.write(*key, &mut numbers));
    numbers
}

fn sort_by_key<T>(table: KeyedMap<T>) -> Vec<(u64, T)> {
    let mut counts: Vec<(u64, T)> = table.into_iter().collect();
    counts.sort_unstable_by_key(|(key, _)| *key);
    counts
}

/// Counts that are added up.
pub(super) struct KeyedSums<T> {
    table: KeyedMap<T>,
    /// A table of so many numbers is full.
    longest: usize,
    /// Where the runs lie in the store, the earliest first.
    runs: Vec<Range<u64>>,
}

impl<T: KeyedCount> KeyedSums<T> {
    /// No counts yet. At most about `longest` numbers are in memory.
    pub(super) fn new(longest: usize) -> KeyedSums<T> {
        KeyedSums { table: KeyedMap::default(), longest, runs: Vec::new() }
    }

    /// Adds what a part says.
    pub(super) fn add_part(
        &mut self,
        part: &[u64],
        store: &mut dyn NumberStore,
    ) -> Result<(), MinedPartError> {
        let mut reader = NumberReader(part);
        while !reader.0.is_empty() {
            let (key, new) = T::read(&mut reader).ok_or(WRONG_PART)?;
            match self.table.entry(key) {
                Entry::Occupied(mut known) => known.get_mut().add(&new).ok_or(WRONG_PART)?,
                Entry::Vacant(free) => _ = free.insert(new),
            }
            if self.table.len() * T::LENGTH >= self.longest {
                self.write_run(store)?;
            }
        }
        Ok(())
    }

    fn write_run(&mut self, store: &mut dyn NumberStore) -> Result<(), MinedPartError> {
        let numbers = write_in_order(std::mem::take(&mut self.table));
        let start = self.runs.last().map_or(0, |run| run.end);
        store.append_numbers(&numbers).map_err(|error| MinedPartError::NotKept(error.to_string()))?;
        self.runs.push(start..start + numbers.len() as u64);
        Ok(())
    }

    /// Tells all sums in the order of their keys. What is no number under a key is that of the earliest part.
    pub(super) fn tell_sums(
        mut self,
        store: &mut dyn NumberStore,
        mut tell: impl FnMut(u64, T) -> Result<(), MinedPartError>,
    ) -> Result<(), MinedPartError> {
        if self.runs.is_empty() {
            return sort_by_key(self.table).into_iter().try_for_each(|(key, sum)| tell(key, sum));
        }
        self.write_run(store)?;
        let each = (self.longest / self.runs.len() / T::LENGTH).max(1) * T::LENGTH;
        let readers =
            self.runs.into_iter().map(|rest| RunReader { rest, each, counts: Vec::new().into_iter() });
        merge_runs(readers.collect(), store, tell)
    }
}

/// Reads a run, some counts at a time.
struct RunReader<T> {
    /// What is not read yet, in the store.
    rest: Range<u64>,
    /// How many numbers are read at once.
    each: usize,
    /// What is read and not told yet.
    counts: std::vec::IntoIter<(u64, T)>,
}

impl<T: KeyedCount> RunReader<T> {
    /// The key of the count that is told next; `None` at the end.
    fn next_key(&mut self, store: &mut dyn NumberStore) -> Result<Option<u64>, MinedPartError> {
        if self.counts.as_slice().is_empty() && !self.rest.is_empty() {
            self.counts = self.read_counts(store)?.into_iter();
        }
        Ok(self.counts.as_slice().first().map(|(key, _)| *key))
    }

    fn read_counts(&mut self, store: &mut dyn NumberStore) -> Result<Vec<(u64, T)>, MinedPartError> {
        let left = self.rest.end - self.rest.start;
        let length = usize::try_from(left).map_or(self.each, |left| left.min(self.each));
        let mut numbers = vec![0; length];
        let read = store.read_numbers(self.rest.start, &mut numbers);
        read.map_err(|error| MinedPartError::NotKept(error.to_string()))?;
        self.rest.start += length as u64;
        let (mut reader, mut counts) = (NumberReader(&numbers), Vec::with_capacity(length / T::LENGTH));
        while !reader.0.is_empty() {
            let other = || MinedPartError::NotKept("they come back as other numbers".to_string());
            counts.push(T::read(&mut reader).ok_or_else(other)?);
        }
        Ok(counts)
    }
}

/// Tells the sums over all runs. The earliest run comes first of those with the same key.
fn merge_runs<T: KeyedCount>(
    mut runs: Vec<RunReader<T>>,
    store: &mut dyn NumberStore,
    mut tell: impl FnMut(u64, T) -> Result<(), MinedPartError>,
) -> Result<(), MinedPartError> {
    let mut least: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    for (number, run) in runs.iter_mut().enumerate() {
        least.extend(run.next_key(store)?.map(|key| Reverse((key, number))));
    }
    let mut sum: Option<(u64, T)> = None;
    while let Some(Reverse((key, number))) = least.pop() {
        let run = &mut runs[number];
        let Some((_, count)) = run.counts.next() else { continue };
        least.extend(run.next_key(store)?.map(|key| Reverse((key, number))));
        if let Some((_, known)) = sum.as_mut().filter(|(known, _)| *known == key) {
            known.add(&count).ok_or(WRONG_PART)?;
        } else if let Some((key, whole)) = sum.replace((key, count)) {
            tell(key, whole)?;
        }
    }
    sum.map_or(Ok(()), |(key, whole)| tell(key, whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::index::mix_bits;

    /// Parts whose keys come again and again, a few in each part and others in all.
    fn parts() -> Vec<Vec<u64>> {
        let part = |part: u64| {
            let count = |n: u64| {
                let key = mix_bits(if n.is_multiple_of(3) { n } else { n + 40 * part });
                (key, u32::try_from(1 + (part + n) % 7).unwrap())
            };
            write_in_order((0..50).map(count).collect::<KeyedMap<u32>>())
        };
        (0..30).map(part).collect()
    }

    fn sum_with(longest: usize, store: &mut dyn NumberStore) -> Result<Vec<(u64, u32)>, MinedPartError> {
        let (mut sums, mut told) = (KeyedSums::<u32>::new(longest), Vec::new());
        for part in parts() {
            sums.add_part(&part, store)?;
        }
        sums.tell_sums(store, |key, sum| {
            told.push((key, sum));
            Ok(())
        })?;
        Ok(told)
    }

    #[test]
    fn sums_do_not_depend_on_how_much_is_in_memory() {
        let mut by_hand: KeyedMap<u32> = KeyedMap::default();
        for pair in parts().iter().flat_map(|part| part.as_chunks::<2>().0) {
            *by_hand.entry(pair[0]).or_default() += u32::try_from(pair[1]).unwrap();
        }
        let expected = sort_by_key(by_hand);
        assert!(expected.iter().any(|&(_, sum)| sum > 30) && expected.len() > 500, "{}", expected.len());
        let mut unused: Vec<u64> = Vec::new();
        assert_eq!(sum_with(usize::MAX, &mut unused).unwrap(), expected);
        assert!(unused.is_empty(), "nothing is written where all fits");
        // Tables of a single count, of some, and of nearly all.
        for longest in [1, 7, 64, 1000] {
            let mut store: Vec<u64> = Vec::new();
            assert_eq!(sum_with(longest, &mut store).unwrap(), expected, "{longest}");
            assert!(store.len() >= 2 * expected.len());
        }
    }

    /// A store that is full after some numbers, and forgets what it has.
    struct PoorStore {
        room: usize,
        kept: Vec<u64>,
        forgets: bool,
    }

    impl NumberStore for PoorStore {
        fn append_numbers(&mut self, numbers: &[u64]) -> io::Result<()> {
            self.room = self.room.checked_sub(numbers.len()).ok_or(io::ErrorKind::StorageFull)?;
            self.kept.append_numbers(numbers)
        }

        fn read_numbers(&mut self, place: u64, numbers: &mut [u64]) -> io::Result<()> {
            self.kept.read_numbers(place, numbers)?;
            if self.forgets {
                numbers.fill(u64::MAX);
            }
            Ok(())
        }
    }

    #[test]
    fn a_full_or_forgetful_store_is_told() {
        let sum = |room, forgets| sum_with(64, &mut PoorStore { room, kept: Vec::new(), forgets });
        for (error, words) in [(sum(500, false), "space"), (sum(100_000, true), "other numbers")] {
            let error = error.unwrap_err().to_string();
            assert!(error.contains("cannot be kept") && error.contains(words), "{error}");
        }
        assert!(sum(100_000, false).is_ok());
    }

    #[test]
    fn more_than_can_be_counted_is_refused() {
        for longest in [2, 100] {
            let (mut sums, mut store) = (KeyedSums::<u32>::new(longest), Vec::<u64>::new());
            sums.add_part(&[5, u64::from(u32::MAX)], &mut store).unwrap();
            let added = sums.add_part(&[5, 1], &mut store);
            let told = added.and_then(|()| sums.tell_sums(&mut store, |_, _| Ok(())));
            assert_eq!(told, Err(WRONG_PART));
        }
        let mut sums = KeyedSums::<u32>::new(100);
        assert_eq!(sums.add_part(&[5], &mut Vec::<u64>::new()), Err(WRONG_PART));
    }
}
