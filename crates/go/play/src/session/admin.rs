//! Commands about the program itself.

use ishi_rng::Seed;

use super::{Session, SessionCall, table};
use ishi_engine::EngineSetting;
use ishi_engine::session::CommandAnswer;

/// Answers without arguments, for the commands below.
fn answer_without_arguments(call: &SessionCall<'_, '_>, text: impl ToString) -> CommandAnswer {
    call.args.expect_end()?;
    Ok(text.to_string())
}

impl Session {
    pub(super) fn protocol_version(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, 2)
    }

    /// `ishi` and the engine, so that two of them in a match can be told apart.
    pub(super) fn name(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let usual = || format!("ishi {}", self.engine.name());
        answer_without_arguments(call, self.settings.name.clone().unwrap_or_else(usual))
    }

    pub(super) fn version(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, &self.settings.version)
    }

    pub(super) fn known_command(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let name = call.args.take_word("NAME")?;
        answer_without_arguments(call, table::find_command(name).is_some())
    }

    pub(super) fn list_commands(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let names: Vec<&str> = table::all_commands().iter().map(|command| command.name).collect();
        answer_without_arguments(call, names.join("\n"))
    }

    pub(super) fn quit(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        self.finished = true;
        Ok(String::new())
    }

    /// Nothing runs any more when this is read: the command's first byte has ended what ran.
    pub(super) fn stop(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, "")
    }

    pub(super) fn cputime(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let time = self.host.cpu_time().ok_or("this system does not tell the processor time")?;
        answer_without_arguments(call, format!("{:.3}", time.as_secs_f64()))
    }

    pub(super) fn set_random_seed(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let seed = Seed::new(call.args.take_number("NUMBER")?);
        call.args.expect_end()?;
        self.settings.seed = seed;
        self.engine.set_seed(seed);
        Ok(String::new())
    }

    pub(super) fn get_random_seed(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, self.settings.seed)
    }

    /// Forgets what a search has found; the same seed gives the same moves again.
    pub(super) fn clear_cache(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        self.engine.set_seed(self.settings.seed);
        Ok(String::new())
    }

    /// The engine's parameters: all of them as GoGui's `param` wants them, or the value of one; with a value, sets it.
    pub(super) fn ishi_param(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let Some(key) = call.args.take() else {
            let line = |setting: &EngineSetting| format!("[string] {} {}", setting.key, setting.value);
            return Ok(self.engine.settings().iter().map(line).collect::<Vec<_>>().join("\n"));
        };
        let Some(value) = call.args.take() else {
            let settings = self.engine.settings();
            let found = settings.iter().find(|setting| setting.key == key);
            let setting = found.ok_or_else(|| {
                format!("engine {} has no parameter {key:?}: ishi-param lists them", self.engine.name())
            })?;
            return Ok(setting.value.clone());
        };
        call.args.expect_end()?;
        self.engine.set_param(key, value)?;
        Ok(String::new())
    }

    pub(super) fn ishi_engine(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, self.engine.spec())
    }

    /// GoGui asks whether `# interrupt` is understood.
    pub(super) fn gogui_interrupt(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(call, "")
    }

    /// GoGui's menu of analyses: `type/label/command`.
    pub(super) fn gogui_analyze_commands(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        answer_without_arguments(
            call,
            "dboard/Ownership/ishi-ownership\n\
             plist/Legal Moves/all_legal %c\n\
             plist/Final Status Alive/final_status_list alive\n\
             plist/Final Status Dead/final_status_list dead\n\
             plist/Stones/list_stones %c\n\
             string/Final Score/final_score\n\
             string/Captures/captures %c\n\
             string/Move without Playing/reg_genmove %c\n\
             string/Rules/kata-get-rules\n\
             string/Engine/ishi-engine\n\
             param/Engine Parameters/ishi-param\n\
             string/CPU Time/cputime\n\
             none/Set Rules/kata-set-rules %s\n\
             none/Set Random Seed/set_random_seed %s",
        )
    }
}
