//! `ishi launch`: writes what starts workers on a cluster, and hands it over if asked. It launches; who has which processor is
//! for the cluster to say.

mod cluster_files;
#[cfg(test)]
mod manifest_check;

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{Args, ValueEnum};
use ishi_arena::process::{EngineCommand, allow_only};
use ishi_lab::store::{Store, StoreError};

use self::cluster_files::{LaunchFile, LaunchPlan};
use super::campaign::{CampaignFile, CampaignPlace, all_programs, open_work};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi launch slurm ladder.toml --workers 64              an array of 64 jobs, each a worker of an hour
  ishi launch kubernetes ladder.toml --workers 64 --image registry.example.org/ishi:1
  ishi launch compose ladder.toml --workers 4             PostgreSQL and four workers on one machine
  ishi launch ssh ladder.toml --host a --host b           a worker on each of these machines
  ishi launch ssh ladder.toml --host a --host b --workers 64   64 workers, shared out among them
  ishi launch slurm ladder.toml --workers 64 --submit     hand out the work, then the file to sbatch

The files are written into a folder (--out) and printed. With --submit the campaign's work comes into the database, too, if none of \
it waits there yet. Without it, for compose, and for campaigns with tunings, `ishi campaign run ladder.toml` does that (with --hand-out \
where there are no tunings). Passwords never stand in the \
files: Slurm and ssh take them from ~/.pgpass of the workers' user, Kubernetes from the secret ishi-postgres, compose from the variable \
PGPASSWORD. docs/campaigns.md tells more.";

/// Where workers are started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cluster {
    /// An array of jobs for sbatch
    Slurm,
    /// A Job with an index for each worker
    Kubernetes,
    /// Docker or Podman on one machine, with PostgreSQL
    Compose,
    /// A shell on each machine
    Ssh,
}

/// Options of `ishi launch`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct LaunchArgs {
    /// What starts them
    #[arg(value_name = "CLUSTER")]
    cluster: Cluster,
    /// The campaign's file (TOML)
    #[arg(value_name = "CAMPAIGN")]
    campaign: PathBuf,
    /// How many workers [default: 4; for ssh one on each machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    workers: Option<u32>,
    /// Cores of a worker
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    cores: u32,
    /// Minutes that a worker lives [default: 60; for compose as long as the machine is on]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=100_000))]
    minutes: Option<u32>,
    /// The database, as the workers reach it [default: as the campaign's file says; compose makes one]
    #[arg(long, value_name = "DB")]
    db: Option<String>,
    /// The image with ishi, for Kubernetes and compose [default: ishi:latest]
    #[arg(long, value_name = "IMAGE")]
    image: Option<String>,
    /// A machine to reach by ssh; give it again for each
    #[arg(long, value_name = "HOST")]
    host: Vec<String>,
    /// The folder of experiments, if the campaign has some [default: `experiments`, here or above; else those that the program holds]
    #[arg(long, value_name = "DIR")]
    experiments: Option<PathBuf>,
    /// The program ishi on the workers
    #[arg(long, default_value = "ishi", value_name = "PATH")]
    program: String,
    /// The folder for the files
    #[arg(long, default_value = "launch", value_name = "DIR")]
    out: PathBuf,
    /// Put the work into the database, if none waits there, and hand the files over: sbatch, kubectl replace, docker compose up, sh
    #[arg(long)]
    submit: bool,
}

/// Workers that are started where nobody says how many.
const USUAL_WORKERS: usize = 4;

/// How long they live where nobody says it.
const USUAL_MINUTES: u32 = 60;

/// The database that compose makes, as its machine reaches it.
const COMPOSE_DATABASE: &str = "postgres://ishi@localhost/ishi";

/// The image with ishi, where nobody names one.
const USUAL_IMAGE: &str = "ishi:latest";

/// Writes, prints, and hands over.
pub fn run(args: &LaunchArgs, context: &Context) -> Result<(), Failure> {
    let campaign = CampaignFile::read(&args.campaign)?;
    check_options(args)?;
    let programs = all_programs(&campaign, args.experiments.as_ref(), context)?;
    let plan = make_plan(args, &campaign, &programs)?;
    let file = match args.cluster {
        Cluster::Slurm => plan.slurm_file(),
        Cluster::Kubernetes => plan.kubernetes_file(),
        Cluster::Compose => plan.compose_file(),
        Cluster::Ssh => plan.ssh_file(),
    };
    if args.cluster != Cluster::Compose {
        warn_of_address(&plan.database);
    }
    files::make_folder(&args.out)?;
    let path = args.out.join(&file.name);
    files::write_file(&path, file.text.as_bytes(), true)?;
    files::print_bytes(file.text.as_bytes())?;
    let command = file.command(&path);
    if args.submit {
        provide_work(args, &campaign, &plan, programs, context)?;
        if args.cluster == Cluster::Compose || plan.stays {
            let work = work_command(args, &plan);
            context.print_progress(format!("ishi: the workers wait for work, which this puts there: {work}"));
        }
        return hand_over(&command);
    }
    let command = shlex::try_join(command.iter().map(String::as_str)).unwrap_or_default();
    let (path, work) = (path.display(), work_command(args, &plan));
    let next = if args.cluster == Cluster::Compose {
        format!("hand it over with: {command}, and then put the work there: {work}")
    } else {
        format!("once the work is there ({work}), hand it over with: {command}")
    };
    context.print_progress(format!("ishi: written to {path}; {next}"));
    Ok(())
}

/// What puts the work into the database.
fn work_command(args: &LaunchArgs, plan: &LaunchPlan) -> String {
    let file = args.campaign.to_string_lossy();
    let file: &str = &file;
    // The database of compose is reached from its own machine by another name than from its containers.
    let database = if args.cluster == Cluster::Compose { COMPOSE_DATABASE } else { plan.database.as_str() };
    let hand_out = if plan.stays { None } else { Some("--hand-out") };
    let words = ["ishi", "campaign", "run", file].into_iter().chain(hand_out);
    shlex::try_join(words.chain(["--db", database])).unwrap_or_default()
}

/// An option that makes no difference is a mistake: whoever gives it expects something else.
fn check_options(args: &LaunchArgs) -> Result<(), Failure> {
    use Cluster::{Compose, Kubernetes, Slurm, Ssh};
    let options: [(&str, bool, &[Cluster]); 4] = [
        ("--db", args.db.is_some(), &[Slurm, Kubernetes, Ssh]),
        ("--minutes", args.minutes.is_some(), &[Slurm, Kubernetes, Ssh]),
        ("--image", args.image.is_some(), &[Kubernetes, Compose]),
        ("--host", !args.host.is_empty(), &[Ssh]),
    ];
    match options.iter().find(|(_, is_given, of)| *is_given && !of.contains(&args.cluster)) {
        Some((option, _, of)) => {
            let name = |cluster: &Cluster| format!("{cluster:?}").to_lowercase();
            let of = of.iter().map(name).collect::<Vec<_>>().join(", ");
            Err(Failure::Input(format!("{option} makes no difference here: it must stand with one of {of}")))
        }
        None => Ok(()),
    }
}

fn make_plan(
    args: &LaunchArgs,
    campaign: &CampaignFile,
    programs: &[EngineCommand],
) -> Result<LaunchPlan, Failure> {
    let database = args.db.clone().or_else(|| campaign.db.clone()).unwrap_or_default();
    let is_server = database.starts_with("postgres://") || database.starts_with("postgresql://");
    if !is_server && args.cluster != Cluster::Compose {
        return Err(Failure::Input(format!(
            "many machines need a server: the database is {database:?} and must be postgres://USER@HOST/DATABASE \
             (--db, or db in the campaign's file)"
        )));
    }
    if has_password(&database) {
        return Err(Failure::Input(
            "the database's address must not have a password here: it would stand in a file".to_string(),
        ));
    }
    let workers = args.workers.map(|workers| workers as usize);
    if args.cluster == Cluster::Ssh {
        check_machines(&args.host, workers)?;
    }
    let usual = if args.cluster == Cluster::Ssh { args.host.len() } else { USUAL_WORKERS };
    Ok(LaunchPlan {
        campaign: campaign.name.clone(),
        database,
        workers: workers.unwrap_or(usual),
        cores: args.cores,
        minutes: args.minutes.unwrap_or(USUAL_MINUTES),
        image: args.image.clone().unwrap_or_else(|| USUAL_IMAGE.to_string()),
        hosts: args.host.clone(),
        programs: programs.iter().map(ToString::to_string).collect(),
        program: args.program.clone(),
        stays: !campaign.tunings.is_empty(),
    })
}

/// Each machine must have a worker at least.
fn check_machines(hosts: &[String], workers: Option<usize>) -> Result<(), Failure> {
    if hosts.is_empty() {
        return Err(Failure::Input("ssh needs machines: name each with --host".to_string()));
    }
    match workers {
        Some(workers) if workers < hosts.len() => Err(Failure::Input(format!(
            "--workers {workers}: there must be a worker for each of the {} machines, or fewer machines",
            hosts.len()
        ))),
        _ => Ok(()),
    }
}

fn has_password(address: &str) -> bool {
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    let (server, query) = rest.split_once('?').unwrap_or((rest, ""));
    let login = server.rsplit_once('@').map_or("", |(login, _)| login);
    login.contains(':') || query.split('&').any(|pair| pair.starts_with("password="))
}

/// Where the server of an address is, for machines that are not this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ServerPlace {
    /// On a machine that the address names, or a service file.
    Named,
    /// On whatever machine it is read.
    OwnMachine,
    /// Where the surroundings of whoever reads it say, or on that machine.
    Unsaid,
}

impl ServerPlace {
    fn of_address(address: &str) -> ServerPlace {
        let rest = address.split_once("://").map_or("", |(_, rest)| rest);
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let server = place.split('/').next().unwrap_or_default();
        let server = server.rsplit_once('@').map_or(server, |(_, server)| server);
        let in_query = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name));
        let host =
            if server.starts_with('[') { server } else { server.split(':').next().unwrap_or_default() };
        let host = if host.is_empty() { in_query("host=").unwrap_or_default() } else { host };
        // A path is the folder of a socket. In an address its stroke may be written as %2F.
        let own = ["127.", "[::1]", "/", "%2F", "%2f"];
        if host == "localhost" || own.iter().any(|begin| host.starts_with(begin)) {
            ServerPlace::OwnMachine
        } else if host.is_empty() && in_query("service=").is_none() {
            ServerPlace::Unsaid
        } else {
            ServerPlace::Named
        }
    }
}

/// Says where workers on other machines would look for the server, if that is hardly what is meant.
fn warn_of_address(database: &str) {
    match ServerPlace::of_address(database) {
        ServerPlace::Named => {}
        ServerPlace::OwnMachine => tell!(
            "ishi: {database} means each worker's own machine: workers elsewhere need the server's name there (--db)"
        ),
        ServerPlace::Unsaid => tell!(
            "ishi: {database} names no server: each worker takes that of its own PGHOST, or its own machine; --db names one for all"
        ),
    }
}

/// Workers that find no work end at once. Where none of it waits for them, it is put into the database. Where this machine does not reach that, it is
/// left to them whether there is some.
fn provide_work(
    args: &LaunchArgs,
    campaign: &CampaignFile,
    plan: &LaunchPlan,
    programs: Vec<EngineCommand>,
    context: &Context,
) -> Result<(), Failure> {
    // The database of compose comes with the workers, and workers of tunings wait for `ishi campaign run`.
    if args.cluster == Cluster::Compose || plan.stays || is_work_waiting(plan) {
        return Ok(());
    }
    // Others may write to the database: no program is started that only stands there.
    allow_only(programs);
    let (file, db) = (args.campaign.clone(), Some(PathBuf::from(&plan.database)));
    let place = CampaignPlace { file, db, experiments: args.experiments.clone() };
    let (_, open) = open_work(&place, campaign, context)?;
    let (name, database) = (&plan.campaign, &plan.database);
    if open == 0 {
        return Err(Failure::Input(format!(
            "nothing of {name} is left to do in {database}: no worker is started"
        )));
    }
    context.print_progress(format!("ishi: {open} tasks of {name} wait for workers in {database}"));
    Ok(())
}

/// Does work of the campaign wait in the database? Where that cannot be seen from here, it is taken for granted, and told.
fn is_work_waiting(plan: &LaunchPlan) -> bool {
    let store = Store::open_read_only(Path::new(&plan.database));
    // Workers pass over a job whose tasks that are left are all given up.
    let is_waiting = |store: Store| -> Result<bool, StoreError> {
        for job in store.list_work(Some(&plan.campaign), 1)? {
            if job.open > 0 && (job.failed == 0 || store.has_work_left(&job.run, &job.campaign)?) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    match store.and_then(is_waiting) {
        Ok(is_waiting) => is_waiting,
        Err(StoreError::Empty { .. } | StoreError::Older { .. }) => false,
        Err(error) => {
            tell!("ishi: whether work waits for workers cannot be seen from here: {error}");
            true
        }
    }
}

fn hand_over(command: &[String]) -> Result<(), Failure> {
    let [program, arguments @ ..] = command else { return Ok(()) };
    let status = Command::new(program).args(arguments).status();
    let status = status
        .map_err(|error| Failure::outside(format!("cannot start {program}: {error}; is it installed?")))?;
    if status.success() { Ok(()) } else { Err(Failure::Outside(format!("{program} failed: {status}"))) }
}

impl LaunchFile {
    /// What hands the file over.
    fn command(&self, path: &Path) -> Vec<String> {
        let path = path.display().to_string();
        self.hand_over
            .iter()
            .map(|word| word.to_string())
            .chain([path])
            .chain(self.after.iter().map(|word| word.to_string()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_found() {
        assert!(has_password("postgres://me:x@h/d") && has_password("postgres://h/d?a=b&password=x"));
        assert!(!has_password("postgres://me@h:5432/d?sslmode=require") && !has_password(""));
    }

    /// Who begins on a laptop has such an address in the campaign.
    #[test]
    fn an_address_of_each_machines_own_is_known() {
        let place = |address: &str| ServerPlace::of_address(address);
        for host in ["localhost", "127.0.0.1", "127.0.1.1", "[::1]", "localhost:5433", "[::1]:5433", "%2Ftmp"]
        {
            let address = format!("postgres://me@{host}/games?sslmode=disable");
            assert_eq!(place(&address), ServerPlace::OwnMachine, "{address}");
        }
        for host in ["far", "localhost.example.org", "10.0.0.127", "[2001::1]:5432"] {
            let address = format!("postgres://me@{host}/games");
            assert_eq!(place(&address), ServerPlace::Named, "{address}");
        }
        for address in
            ["postgres:///games", "postgres://me@/games", "postgres://me@:5433/games?sslmode=disable"]
        {
            assert_eq!(place(address), ServerPlace::Unsaid, "{address}");
        }
        assert_eq!(place("postgres:///games?host=localhost"), ServerPlace::OwnMachine);
        assert_eq!(place("postgres:///games?sslmode=disable&host=/run/postgresql"), ServerPlace::OwnMachine);
        assert_eq!(place("postgres:///games?host=far"), ServerPlace::Named);
        assert_eq!(place("postgres://?service=games"), ServerPlace::Named);
    }

    #[test]
    fn every_machine_has_a_worker() {
        let hosts = ["a".to_string(), "b".to_string()];
        assert!(check_machines(&hosts, None).is_ok() && check_machines(&hosts, Some(2)).is_ok());
        assert!(check_machines(&[], Some(2)).is_err(), "no machine was named");
        let error = check_machines(&hosts, Some(1)).unwrap_err().to_string();
        assert!(error.contains("a worker for each of the 2 machines"), "{error}");
    }
}
