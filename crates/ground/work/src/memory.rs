//! How much memory there is for a large table, asked before it is made. A system may promise more than it has, and end whoever takes it at its word.
//!
//! Nothing here opens a file: a program says once how the system's files are read ([`watch_memory`]). Where nobody has, or the system has no such
//! files, nothing is known and everything is granted.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Gives the text of a file of the system; nothing if it is not there.
pub type SystemFileReader = fn(&str) -> Option<String>;

static READER: OnceLock<SystemFileReader> = OnceLock::new();

static PROMISED: PromisedBytes = PromisedBytes(AtomicU64::new(0));

/// As long as all claims together are no more than this, in bytes, nobody looks up what is free: tables whose size nobody chooses are no larger.
const UNASKED: u64 = 128 << 20;

/// From now on [`MemoryClaim::take`] and [`free_memory`] go by the files that this reads. Only the first call counts.
pub fn watch_memory(reader: SystemFileReader) {
    // A second call comes from who has the same system.
    let _ = READER.set(reader);
}

/// Bytes that can still be taken, without those that were claimed and are not written yet. Nothing if that is not known.
pub fn free_memory() -> Option<u64> {
    let reader = READER.get()?;
    Some(find_free_bytes(&|path| reader(path))?.saturating_sub(PROMISED.0.load(Relaxed)))
}

/// Memory that somebody is about to write. While it lives, others cannot claim it. It is to be dropped when all is written, as the system counts it then.
#[derive(Debug)]
pub struct MemoryClaim {
    bytes: u64,
    promised: &'static PromisedBytes,
}

impl MemoryClaim {
    /// Claims so many bytes. Nothing if the machine has less, or what contains this process may take less.
    ///
    /// ```
    /// use ishi_work::memory::MemoryClaim;
    /// let claim = MemoryClaim::take(1 << 20).expect("every machine has a megabyte");
    /// let table = vec![0_u8; 1 << 20];
    /// drop(claim);
    /// # assert_eq!(table.len(), 1 << 20);
    /// ```
    pub fn take(bytes: u64) -> Option<MemoryClaim> {
        let find_free = || READER.get().and_then(|reader| find_free_bytes(&|path| reader(path)));
        PROMISED.take(bytes, find_free)
    }
}

impl Drop for MemoryClaim {
    fn drop(&mut self) {
        self.promised.0.fetch_sub(self.bytes, Relaxed);
    }
}

/// Bytes that were claimed and are not written yet.
#[derive(Debug)]
struct PromisedBytes(AtomicU64);

impl PromisedBytes {
    fn take(&'static self, bytes: u64, find_free: impl FnOnce() -> Option<u64>) -> Option<MemoryClaim> {
        let all = self.0.fetch_add(bytes, Relaxed).saturating_add(bytes);
        // Dropped where it is refused.
        let claim = MemoryClaim { bytes, promised: self };
        let is_granted = all <= UNASKED || find_free().is_none_or(|free| all <= free);
        is_granted.then_some(claim)
    }
}

/// The least of what the machine has, and of what each control group around this process may still take.
fn find_free_bytes(read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
    let machine = read("/proc/meminfo").and_then(|text| number_behind(&text, "MemAvailable:"));
    let machine = machine.map(|kilobytes| kilobytes.saturating_mul(1024));
    machine.into_iter().chain(list_group_room(read)).min()
}

/// Where the groups of a version of Linux's control groups stand, and what their files are called.
struct GroupFiles {
    root: &'static str,
    limit: &'static str,
    usage: &'static str,
    /// In `memory.stat`: bytes of files that count as used, and are given up where there is need.
    reclaimable: [&'static str; 2],
}

const FIRST_VERSION: GroupFiles = GroupFiles {
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    reclaimable: ["total_active_file ", "total_inactive_file "],
};

const SECOND_VERSION: GroupFiles = GroupFiles {
    root: "/sys/fs/cgroup",
    limit: "memory.max",
    usage: "memory.current",
    reclaimable: ["active_file ", "inactive_file "],
};

impl GroupFiles {
    /// What the group of this name may still take, if it has a limit.
    fn find_room(&self, group: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
        let folder = format!("{}{group}", self.root);
        let number = |file: &str| read(&format!("{folder}/{file}"))?.trim().parse::<u64>().ok();
        let (limit, usage) = (number(self.limit)?, number(self.usage)?);
        let stat = read(&format!("{folder}/memory.stat")).unwrap_or_default();
        let reclaimable: u64 = self.reclaimable.iter().filter_map(|word| number_behind(&stat, word)).sum();
        Some(limit.saturating_sub(usage.saturating_sub(reclaimable)))
    }
}

/// What the control groups around this process may still take, those that have a limit. Within a container the names of the outer ones may be told, while
/// its own group stands at the root.
fn list_group_room(read: &dyn Fn(&str) -> Option<String>) -> Vec<u64> {
    let mut room = Vec::new();
    for line in read("/proc/self/cgroup").unwrap_or_default().lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(name)) = (fields.next(), fields.next()) else { continue };
        let files = match controllers {
            "" => SECOND_VERSION,
            _ if controllers.split(',').any(|controller| controller == "memory") => FIRST_VERSION,
            _ => continue,
        };
        let mut group = name.trim_end_matches('/');
        loop {
            room.extend(files.find_room(group, read));
            let Some((outer, _)) = group.rsplit_once('/') else { break };
            group = outer;
        }
    }
    room
}

/// The number behind a word at the beginning of a line.
fn number_behind(text: &str, word: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(word))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEBIBYTE: u64 = 1 << 20;

    fn free_with(files: &[(&str, &str)]) -> Option<u64> {
        find_free_bytes(&|path| {
            files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_string())
        })
    }

    #[test]
    fn the_machine_says_what_is_available() {
        let meminfo =
            "MemTotal:       24684468 kB\nMemFree:         1048576 kB\nMemAvailable:    2097152 kB\n";
        assert_eq!(free_with(&[("/proc/meminfo", meminfo)]), Some(2 << 30));
        // Linux before 3.14, and systems that are no Linux.
        assert_eq!(free_with(&[("/proc/meminfo", "MemFree: 1048576 kB\n")]), None);
        assert_eq!(free_with(&[]), None);
    }

    #[test]
    fn a_control_group_may_have_less_than_the_machine() {
        let machine = ("/proc/meminfo", "MemAvailable: 8388608 kB\n");
        let second = [
            machine,
            ("/proc/self/cgroup", "0::/outer/inner\n"),
            ("/sys/fs/cgroup/outer/inner/memory.max", "max\n"),
            ("/sys/fs/cgroup/outer/inner/memory.current", "1000\n"),
            ("/sys/fs/cgroup/outer/memory.max", "1000000000\n"),
            ("/sys/fs/cgroup/outer/memory.current", "700000000\n"),
            ("/sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 100000000\nactive_file 50000000\n"),
        ];
        assert_eq!(free_with(&second), Some(450_000_000));
        let first = [
            machine,
            ("/proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a\n1:name=systemd:/a\n0::/\n"),
            ("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "300000000\n"),
            ("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "400000000\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "400000000\n"),
        ];
        assert_eq!(free_with(&first), Some(0), "more was taken than there may be");
        // A container that sees its own group at the root.
        let container = [
            machine,
            ("/proc/self/cgroup", "0::/docker/1234\n"),
            ("/sys/fs/cgroup/memory.max", "500000000\n"),
            ("/sys/fs/cgroup/memory.current", "100000000\n"),
        ];
        assert_eq!(free_with(&container), Some(400_000_000));
        assert_eq!(free_with(&[machine, ("/proc/self/cgroup", "0::/\nodd\n")]), Some(8 << 30));
    }

    #[test]
    fn what_is_claimed_is_claimed_once() {
        static PROMISED: PromisedBytes = PromisedBytes(AtomicU64::new(0));
        let free = || Some(1000 * MEBIBYTE);
        let first = PROMISED.take(700 * MEBIBYTE, free).unwrap();
        assert!(PROMISED.take(700 * MEBIBYTE, free).is_none());
        let second = PROMISED.take(300 * MEBIBYTE, free).unwrap();
        assert!(PROMISED.take(1, free).is_none());
        drop((first, second));
        assert_eq!(PROMISED.0.load(Relaxed), 0, "also what was refused is given back");
        assert!(PROMISED.take(1001 * MEBIBYTE, free).is_none());
        assert!(PROMISED.take(u64::MAX, || None).is_some(), "nothing is known there");
        let unasked = PROMISED.take(UNASKED, || panic!("what is small is not looked up"));
        assert!(unasked.is_some() && PROMISED.take(1, || Some(0)).is_none());
    }
}
