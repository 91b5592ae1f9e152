//! The files that clusters want, for one plan.

/// What is to be launched.
#[derive(Clone, Debug)]
pub(super) struct LaunchPlan {
    pub(super) campaign: String,
    pub(super) database: String,
    pub(super) workers: usize,
    pub(super) cores: u32,
    pub(super) minutes: u32,
    pub(super) image: String,
    pub(super) hosts: Vec<String>,
    /// The programs that the campaign starts, as command lines.
    pub(super) programs: Vec<String>,
    pub(super) program: String,
    /// Wait for more where nothing is left: the next step of a tuning comes when the last is over.
    pub(super) stays: bool,
}

/// A file, and what hands it over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LaunchFile {
    pub(super) name: String,
    pub(super) text: String,
    /// The words before the file's name.
    pub(super) hand_over: &'static [&'static str],
    /// The words after it.
    pub(super) after: &'static [&'static str],
}

/// A worker begins nothing new so many minutes before the cluster ends it.
const MINUTES_TO_DRAIN: u32 = 5;

/// How long a worker may finish what runs between its SIGTERM and its end.
const SECONDS_TO_DRAIN: u32 = 240;

impl LaunchPlan {
    /// A name that clusters take: letters, digits and dashes, no more than forty.
    fn label(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let label: String = self.campaign.chars().map(plain).take(40).collect();
        let label = label.trim_matches('-');
        if label.is_empty() { "campaign".to_string() } else { label.to_string() }
    }

    /// The words after `ishi`, for a worker that ends before the cluster ends it.
    fn worker_words(&self, database: &str) -> Vec<String> {
        let (cores, minutes) = (self.cores.to_string(), (self.minutes - MINUTES_TO_DRAIN).to_string());
        let campaign = self.campaign.as_str();
        let words = ["worker", database, "--campaign", campaign, "--threads", &cores, "--minutes", &minutes];
        let stay = self.stays.then_some("--stay");
        let words = words.into_iter().chain(stay).map(str::to_string);
        words.chain(self.allowed_programs()).collect()
    }

    /// The words that allow a worker to start the campaign's programs.
    fn allowed_programs(&self) -> impl Iterator<Item = String> {
        self.programs.iter().flat_map(|program| ["--program".to_string(), program.clone()])
    }

    /// A worker's command: the program and its words.
    fn worker_command(&self) -> Vec<String> {
        std::iter::once(self.program.clone()).chain(self.worker_words(&self.database)).collect()
    }

    /// A worker's command for a shell.
    fn worker_line(&self) -> String {
        self.worker_command().iter().map(|word| quote_for_shell(word)).collect::<Vec<_>>().join(" ")
    }

    /// An array whose tasks are workers: Slurm takes over a second for a task, so that a game must not be one. The shell becomes
    /// the worker, so that it hears Slurm's SIGTERM.
    pub(super) fn slurm_file(&self) -> LaunchFile {
        let LaunchPlan { workers, cores, minutes, .. } = self;
        let (label, line) = (self.label(), self.worker_line());
        let text = format!(
            "#!/bin/sh\n\
             #SBATCH --job-name=ishi-{label}\n\
             #SBATCH --array=1-{workers}\n\
             #SBATCH --ntasks=1\n\
             #SBATCH --cpus-per-task={cores}\n\
             #SBATCH --time={minutes}\n\
             #SBATCH --signal=B:TERM@{SECONDS_TO_DRAIN}\n\
             #SBATCH --output=ishi-{label}-%A-%a.log\n\
             exec {line}\n"
        );
        LaunchFile { name: "workers.sbatch".to_string(), text, hand_over: &["sbatch"], after: &[] }
    }

    /// A Job with an indexed completion for each worker.
    pub(super) fn kubernetes_file(&self) -> LaunchFile {
        let LaunchPlan { workers, cores, minutes, .. } = self;
        let (label, image) = (self.label(), quote_for_yaml(&self.image));
        // Kubernetes puts the environment, with the password, in where it finds $(NAME). It reads $$ as a dollar, wherever that stands.
        let command = list_for_yaml(self.worker_command().into_iter()).replace('$', "$$");
        let seconds = 60 * minutes;
        let text = format!(
            "apiVersion: batch/v1\n\
             kind: Job\n\
             metadata:\n\
             \x20 name: ishi-{label}\n\
             spec:\n\
             \x20 completionMode: Indexed\n\
             \x20 completions: {workers}\n\
             \x20 parallelism: {workers}\n\
             \x20 backoffLimitPerIndex: 3\n\
             \x20 activeDeadlineSeconds: {seconds}\n\
             \x20 template:\n\
             \x20   spec:\n\
             \x20     restartPolicy: Never\n\
             \x20     terminationGracePeriodSeconds: {SECONDS_TO_DRAIN}\n\
             \x20     containers:\n\
             \x20       - name: worker\n\
             \x20         image: {image}\n\
             \x20         command: {command}\n\
             \x20         env:\n\
             \x20           - name: PGPASSWORD\n\
             \x20             valueFrom:\n\
             \x20               secretKeyRef:\n\
             \x20                 name: ishi-postgres\n\
             \x20                 key: password\n\
             \x20         resources:\n\
             \x20           requests:\n\
             \x20             cpu: \"{cores}\"\n"
        );
        LaunchFile {
            name: "workers.yaml".to_string(),
            text,
            // Where the Job of last time is still there, done or not, `apply` would start nothing. This makes the first one, too.
            hand_over: &["kubectl", "replace", "--force", "-f"],
            after: &[],
        }
    }

    /// PostgreSQL and workers on one machine. The campaign's own database, if it names one, is left out: this one is made for it.
    pub(super) fn compose_file(&self) -> LaunchFile {
        let LaunchPlan { workers, cores, .. } = self;
        // Containers of one machine talk over a network of their own, so the line need not be encrypted.
        let words = [
            "worker",
            "postgres://ishi@database:5432/ishi?sslmode=disable",
            "--campaign",
            &self.campaign,
            "--stay",
            "--threads",
        ];
        let words = words.map(str::to_string).into_iter().chain([cores.to_string()]);
        let words = words.chain(self.allowed_programs());
        // Compose puts variables in where it finds a dollar.
        let command = list_for_yaml(std::iter::once(self.program.clone()).chain(words)).replace('$', "$$");
        let image = quote_for_yaml(&self.image).replace('$', "$$");
        let text = format!(
            "services:\n\
             \x20 database:\n\
             \x20   image: postgres:17\n\
             \x20   environment:\n\
             \x20     POSTGRES_USER: ishi\n\
             \x20     POSTGRES_DB: ishi\n\
             \x20     POSTGRES_PASSWORD: ${{PGPASSWORD:?set a password}}\n\
             \x20   ports:\n\
             \x20     - 127.0.0.1:5432:5432\n\
             \x20   volumes:\n\
             \x20     - results:/var/lib/postgresql/data\n\
             \x20   healthcheck:\n\
             \x20     test: [\"CMD\", \"pg_isready\", \"-U\", \"ishi\"]\n\
             \x20     interval: 2s\n\
             \x20     retries: 30\n\
             \x20 worker:\n\
             \x20   image: {image}\n\
             \x20   command: {command}\n\
             \x20   environment:\n\
             \x20     PGPASSWORD: ${{PGPASSWORD:?set a password}}\n\
             \x20   depends_on:\n\
             \x20     database:\n\
             \x20       condition: service_healthy\n\
             \x20   restart: on-failure\n\
             \x20   stop_grace_period: {SECONDS_TO_DRAIN}s\n\
             \x20   deploy:\n\
             \x20     replicas: {workers}\n\
             volumes:\n\
             \x20 results: {{}}\n"
        );
        LaunchFile {
            name: "compose.yaml".to_string(),
            text,
            hand_over: &["docker", "compose", "-f"],
            after: &["up", "-d"],
        }
    }

    /// Workers on each machine, which go on when the connection ends. The first machines have one more where they do not share out evenly.
    pub(super) fn ssh_file(&self) -> LaunchFile {
        let label = self.label();
        let machines = self.hosts.len().max(1);
        let (each, more) = (self.workers / machines, self.workers % machines);
        let (first, rest) = self.hosts.split_at(more.min(self.hosts.len()));
        let loops = self.ssh_loop(first, each + 1) + &self.ssh_loop(rest, each);
        let text = format!(
            "#!/bin/sh\n\
             # Workers on each machine. Their words stand there in ishi-{label}-1.log and so on.\n\
             failed=0\n\
             {loops}\
             exit $failed\n"
        );
        LaunchFile { name: "workers.sh".to_string(), text, hand_over: &["sh"], after: &[] }
    }

    /// Starts so many workers on each of these machines.
    fn ssh_loop(&self, hosts: &[String], workers: usize) -> String {
        if hosts.is_empty() {
            return String::new();
        }
        let (label, line) = (self.label(), self.worker_line());
        let numbers: Vec<String> = (1..=workers).map(|number| number.to_string()).collect();
        let remote = format!(
            "for n in {}; do nohup {line} >ishi-{label}-$n.log 2>&1 </dev/null & done",
            numbers.join(" ")
        );
        let remote = quote_for_shell(&remote);
        let hosts: Vec<String> = hosts.iter().map(|host| quote_for_shell(host)).collect();
        let hosts = hosts.join(" ");
        format!(
            "for host in {hosts}; do\n\
             \x20   ssh -- \"$host\" {remote} || {{ echo \"$host: cannot be reached\" >&2; failed=1; }}\n\
             done\n"
        )
    }
}

/// A word as the shell takes it. No word of ours has the character 0, which no shell takes.
fn quote_for_shell(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| "''".to_string(), |quoted| quoted.into_owned())
}

/// A text as YAML takes it: as JSON does.
fn quote_for_yaml(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list_for_yaml(words: impl Iterator<Item = String>) -> String {
    serde_json::Value::from(words.collect::<Vec<String>>()).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::manifest_check::{check_compose, check_job, read_yaml};
    use super::*;

    fn plan() -> LaunchPlan {
        LaunchPlan {
            campaign: "My ladder's".to_string(),
            database: "postgres://me@far/games".to_string(),
            workers: 64,
            cores: 2,
            minutes: 60,
            image: "ishi:1".to_string(),
            hosts: vec!["a".to_string(), "b; reboot".to_string()],
            programs: Vec::new(),
            program: "ishi".to_string(),
            stays: false,
        }
    }

    #[test]
    fn workers_of_a_tuning_wait_for_its_next_step() {
        let ends =
            |stays: bool| LaunchPlan { stays, ..plan() }.worker_line().ends_with(" --minutes 55 --stay");
        assert!(ends(true) && !ends(false));
    }

    #[test]
    fn slurm_gets_an_array_of_workers_that_end_in_time() {
        let file = plan().slurm_file();
        assert!(
            file.text.starts_with("#!/bin/sh\n#SBATCH --job-name=ishi-my-ladder-s\n#SBATCH --array=1-64\n"),
            "{}",
            file.text
        );
        let last = file.text.lines().last().unwrap();
        let words = shlex::split(last).unwrap();
        let campaign = "--campaign";
        let expected =
            ["exec", "ishi", "worker", "postgres://me@far/games", campaign, "My ladder's", "--threads", "2"];
        assert_eq!(words[..8], expected.map(str::to_string));
        assert_eq!(words[8..], ["--minutes".to_string(), "55".to_string()]);
    }

    /// What a shell makes of the words is what they were.
    #[test]
    fn words_survive_the_shell() {
        let line = plan().worker_line();
        let words = shlex::split(&line).unwrap();
        assert_eq!(words[3..5], ["--campaign".to_string(), "My ladder's".to_string()]);
        let file = LaunchPlan { workers: 2, ..plan() }.ssh_file();
        let lines: Vec<&str> = file.text.lines().collect();
        let hosts = lines[3].strip_prefix("for host in ").unwrap().strip_suffix("; do").unwrap();
        assert_eq!(shlex::split(hosts).unwrap(), ["a", "b; reboot"]);
        let remote = shlex::split(lines[4]).unwrap().remove(3);
        assert!(remote.starts_with("for n in 1; do nohup ishi worker postgres://me@far/games"), "{remote}");
        assert!(remote.contains(" >ishi-my-ladder-s-$n.log 2>&1 "), "{remote}");
        assert!(shlex::split(&remote).unwrap().contains(&"My ladder's".to_string()), "{remote}");
    }

    /// The machines of a file for ssh, each with the number of its workers.
    fn shared_out(workers: usize) -> Vec<(String, usize)> {
        let hosts = ["a", "b", "c"].map(str::to_string).to_vec();
        let text = LaunchPlan { workers, hosts, ..plan() }.ssh_file().text;
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("for ")).collect();
        let read = |pair: &[&str]| -> Vec<(String, usize)> {
            let hosts = pair[0].strip_prefix("for host in ").unwrap().strip_suffix("; do").unwrap();
            let numbers = pair[1].split_once("for n in ").unwrap().1.split_once(';').unwrap().0;
            let count = numbers.split(' ').count();
            hosts.split(' ').map(|host| (host.to_string(), count)).collect()
        };
        lines.chunks(2).flat_map(read).collect()
    }

    #[test]
    fn workers_are_shared_out_among_the_machines_of_ssh() {
        let counts = |workers| shared_out(workers).into_iter().map(|(_, count)| count).collect::<Vec<_>>();
        assert_eq!(shared_out(3), ["a", "b", "c"].map(|host| (host.to_string(), 1)));
        assert_eq!((counts(64), counts(5), counts(6)), (vec![22, 21, 21], vec![2, 2, 1], vec![2, 2, 2]));
    }

    /// Workers start the programs of the campaign and no others, and no text becomes a variable on the way.
    #[test]
    fn workers_may_start_the_campaigns_programs() {
        let programs = vec!["gnugo --mode 'g t p'".to_string()];
        let campaign = "$$(PGPASSWORD) $HOME".to_string();
        let plan = LaunchPlan { programs, campaign: campaign.clone(), ..plan() };
        let words = shlex::split(&plan.worker_line()).unwrap();
        assert_eq!(words[words.len() - 2..], ["--program", "gnugo --mode 'g t p'"].map(str::to_string));
        assert!(words.contains(&campaign));
        for text in [plan.kubernetes_file().text, plan.compose_file().text] {
            // Both read $$ as a dollar, also before a parenthesis.
            assert!(text.contains(r#""--campaign","$$$$(PGPASSWORD) $$HOME""#), "{text}");
            assert!(text.contains(r#""--program","gnugo --mode 'g t p'""#), "{text}");
        }
    }

    /// What Kubernetes and Compose refuse, they would refuse after the user has waited for it.
    #[test]
    fn manifests_have_the_fields_that_their_readers_take() {
        for (cores, minutes) in [(1, 10), (64, 100_000)] {
            let plan = LaunchPlan { cores, minutes, ..plan() };
            let job = read_yaml(&plan.kubernetes_file().text).unwrap();
            check_job(&job).unwrap();
            // An index has retries of its own only in an indexed Job whose pods are not started again.
            assert_eq!(
                (&job["spec"]["completionMode"], &job["spec"]["completions"]),
                (&serde_json::json!("Indexed"), &serde_json::json!(64))
            );
            let pod = &job["spec"]["template"]["spec"];
            assert_eq!(pod["restartPolicy"], "Never");
            assert_eq!(pod["containers"][0]["command"], serde_json::json!(plan.worker_command()));
            let name = job["metadata"]["name"].as_str().unwrap();
            let is_label = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.len() <= 63 && name.chars().all(is_label) && !name.ends_with('-'), "{name}");

            let compose = read_yaml(&plan.compose_file().text).unwrap();
            check_compose(&compose).unwrap();
            let services = compose["services"].as_object().unwrap();
            for service in services.values() {
                let mut needed = service["depends_on"].as_object().into_iter().flatten();
                assert!(needed.all(|(name, _)| services.contains_key(name)), "{service}");
            }
            let volume = services["database"]["volumes"][0].as_str().unwrap().split(':').next().unwrap();
            assert!(compose["volumes"].as_object().unwrap().contains_key(volume));
            assert_eq!(services["worker"]["deploy"]["replicas"], 64);
        }
    }

    #[test]
    fn kubernetes_gets_an_index_for_each_worker() {
        let text = plan().kubernetes_file().text;
        for line in [
            "  completionMode: Indexed",
            "  completions: 64",
            "  parallelism: 64",
            "                 name: ishi-postgres",
        ] {
            assert!(
                text.lines().any(|found| found.trim_end() == line.trim_end() || found.trim() == line.trim()),
                "{line}\n{text}"
            );
        }
        assert!(
            text.contains(
                r#"command: ["ishi","worker","postgres://me@far/games","--campaign","My ladder's""#
            ),
            "{text}"
        );
        assert!(text.lines().all(|line| line.len() == line.trim_end().len() && !line.contains('\t')));
    }

    #[test]
    fn compose_has_a_database_and_its_workers_and_no_password() {
        let text = plan().compose_file().text;
        assert!(text.contains("replicas: 64") && text.contains("${PGPASSWORD:?set a password}"), "{text}");
        assert!(text.contains("postgres://ishi@database:5432/ishi?sslmode=disable"), "{text}");
    }
}
