//! What a result was measured with: the machine and the build. No names of hosts or users.

use serde::{Deserialize, Serialize};

/// The profile that ishi is built with, as Cargo's folder has it: `debug`, `release`, or `dist` for what is shipped.
pub const BUILD_PROFILE: &str = env!("ISHI_PROFILE");

/// The machine and the build of ishi.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's model.
    pub cpu: String,
    /// Processors that this process may use.
    pub cores: usize,
    /// Operating system and architecture, such as `linux x86_64`.
    pub system: String,
    /// The version of ishi and its build profile, such as `ishi 0.1.0 (release)`.
    pub build: String,
}

impl Machine {
    /// This machine, this build.
    pub fn current() -> Machine {
        let slow = if cfg!(debug_assertions) { ": speeds mean little" } else { "" };
        Machine {
            cpu: cpu_model(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            build: format!("ishi {} ({BUILD_PROFILE}{slow})", env!("CARGO_PKG_VERSION")),
        }
    }
}

/// The first model name that the system tells, or `unknown`.
fn cpu_model() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    parse_cpu_model(&text).unwrap_or("unknown").to_string()
}

fn parse_cpu_model(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, model)| model.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_found() {
        assert_eq!(
            parse_cpu_model("processor\t: 0\nmodel name\t: A CPU @ 2GHz\nmodel name\t: B\n"),
            Some("A CPU @ 2GHz")
        );
        assert_eq!(parse_cpu_model("processor : 0\n"), None);
    }

    #[test]
    fn this_machine_has_a_core() {
        let machine = Machine::current();
        assert!(machine.cores >= 1 && machine.build.starts_with("ishi "), "{machine:?}");
    }

    /// The test's own program lies in the folder of its profile: PROFILE/deps/ishi_lab-HASH.
    #[test]
    fn the_build_is_told_with_its_own_profile() {
        let program = std::env::current_exe().unwrap();
        let folder = program.ancestors().nth(2).and_then(|folder| folder.file_name());
        assert_eq!(folder.map(|name| name.to_string_lossy().into_owned()).as_deref(), Some(BUILD_PROFILE));
        let build = Machine::current().build;
        assert!(build.contains(&format!("({BUILD_PROFILE}")), "{build}");
    }
}
