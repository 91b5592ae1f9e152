//! Which programs may be started, where others than the user name them: tasks from a database that many write to.

use std::io;
use std::sync::OnceLock;

use super::EngineCommand;

/// What may be started; as long as nobody has said so, everything.
static ALLOWED: OnceLock<Vec<EngineCommand>> = OnceLock::new();

/// From now on this process starts these programs alone, each with just these arguments. It is said once: what is said later does not
/// count. Gives whether this counts.
pub fn allow_only(commands: Vec<EngineCommand>) -> bool {
    ALLOWED.set(commands).is_ok()
}

/// May this process start the program?
///
/// # Errors
/// If it may not.
pub fn check_allowed(command: &EngineCommand) -> io::Result<()> {
    check_against(ALLOWED.get().map(Vec::as_slice), command)
}

fn check_against(allowed: Option<&[EngineCommand]>, command: &EngineCommand) -> io::Result<()> {
    if allowed.is_none_or(|allowed| allowed.contains(command)) {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "it must be one of the programs that are allowed here (--program)",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> EngineCommand {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_allowed_is_the_whole_command() {
        let allowed = [command("gnugo --mode gtp")];
        assert!(check_against(None, &command("sh -c 'rm -r .'")).is_ok());
        assert!(check_against(Some(&allowed), &command("gnugo  --mode 'gtp'")).is_ok());
        for other in
            ["gnugo", "gnugo --mode gtp --infile x", "./gnugo --mode gtp", "sh -c 'gnugo --mode gtp'"]
        {
            let error = check_against(Some(&allowed), &command(other)).unwrap_err();
            assert!(error.to_string().contains("one of the programs that are allowed"), "{other}: {error}");
        }
        let elsewhere = EngineCommand { directory: Some("/tmp".into()), ..command("gnugo --mode gtp") };
        assert!(check_against(Some(&allowed), &elsewhere).is_err());
        assert!(check_against(Some(&[]), &command("gnugo --mode gtp")).is_err());
    }
}
