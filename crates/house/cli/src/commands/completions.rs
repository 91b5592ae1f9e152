//! `ishi completions SHELL` and `ishi man DIR`: what packagers need.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::context::{Context, Failure};
use crate::files;

const COMPLETIONS_HELP: &str = "\
Examples:
  ishi completions bash > ~/.local/share/bash-completion/completions/ishi
  ishi completions zsh > ~/.zfunc/_ishi
  ishi completions fish > ~/.config/fish/completions/ishi.fish";

const MAN_HELP: &str = "\
Examples:
  ishi man ~/.local/share/man/man1    then `man ishi-match`";

/// Options of `ishi completions`.
#[derive(Args, Debug)]
#[command(after_long_help = COMPLETIONS_HELP)]
pub struct CompletionsArgs {
    /// The shell to write completions for
    shell: Shell,
}

/// Writes shell completions of the program to stdout.
pub fn write_completions(args: &CompletionsArgs, mut program: Command) -> Result<(), Failure> {
    // Into memory first: `generate` panics where its output fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "ishi", &mut script);
    files::print_bytes(&script)
}

/// Options of `ishi man`.
#[derive(Args, Debug)]
#[command(after_long_help = MAN_HELP)]
pub struct ManArgs {
    /// The folder to write the pages to; it is made if it does not exist
    directory: PathBuf,
}

/// Writes a manual page for every command of the program.
pub fn write_manual_pages(args: &ManArgs, program: Command, context: &Context) -> Result<(), Failure> {
    let place = args.directory.display();
    files::make_folder(&args.directory)?;
    clap_mangen::generate_to(program, &args.directory)
        .map_err(|e| Failure::outside(format!("cannot write manual pages to {place}: {e}")))?;
    if !context.quiet {
        tell!("manual pages written to {place}");
    }
    Ok(())
}
