//! The protocol's end that answers.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ishi_work::StopFlag;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError};
use rmcp::{ErrorData, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::output::{OutputFailure, WatchedOutput};
use crate::running::{CommandRunner, RunError};
use crate::tools::{AssistantTool, TOOLS};

/// What a model is told about all tools together.
const INSTRUCTIONS: &str = "\
Ishi is a workbench for Go, Othello, the maximum string problem and deck building. Its tools give facts that were read, searched or \
proved: repeat them, and do not add moves or claims that no tool gave. Points of Go are named as D4: columns A to T without I, rows \
from the bottom. Leads are in points from Black's side, chances are Black's unless the answer says otherwise. Values that a \
search gives are estimates; what is called exact, optimal or proved is. Where an answer has record_faults, tell them first: the game \
that was sent is not quite the one that was played.";

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// How the tools are served.
#[derive(Clone, Debug)]
pub struct McpSettings {
    /// The program whose commands answer: ishi itself.
    pub program: PathBuf,
    /// Threads of each command.
    pub threads: usize,
    /// The seed of each command, as text.
    pub seed: String,
    /// Commands at once; others wait.
    pub at_once: usize,
    /// A command that takes longer is ended.
    pub time_limit: Duration,
}

/// Why the tools could not be served.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// No thread, or no standard input.
    #[error("the tools cannot be served: {0}")]
    Start(#[from] io::Error),
    /// The client did not begin as the protocol has it.
    #[error("the client must begin with `initialize`, as the Model Context Protocol has it: {0}")]
    Handshake(String),
    /// What is sent does not reach the client, or the connection broke off.
    #[error("the line to the client failed: {0}")]
    Broken(String),
    /// The caller wanted it to end.
    #[error("stopped")]
    Stopped,
}

/// Serves all tools on standard input and output until the client closes them, or `stop` is raised.
///
/// # Errors
/// If it cannot start, the client does not speak the protocol, or `stop` was raised.
pub fn serve(settings: &McpSettings, stop: &StopFlag) -> Result<(), McpError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let end = runtime.block_on(async {
        tokio::select! {
            end = serve_client(settings) => end,
            () = wait_for_stop(stop) => Err(McpError::Stopped),
        }
    });
    // A read of standard input cannot be ended, and nothing waits for it any more.
    runtime.shutdown_background();
    end
}

async fn serve_client(settings: &McpSettings) -> Result<(), McpError> {
    let assistant = Assistant::new(settings);
    let (input, output) = rmcp::transport::io::stdio();
    let failure = Arc::new(OutputFailure::default());
    let line = (input, WatchedOutput::new(output, &failure));
    let running = match assistant.serve(line).await {
        Ok(running) => running,
        Err(error) => return Err(explain_no_beginning(error)),
    };
    tokio::select! {
        // Of an answer that failed it is told why, also where the client has closed its line by then.
        biased;
        why = failure.wait() => Err(McpError::Broken(why)),
        end = running.waiting() => end.map(|_| ()).map_err(|error| McpError::Broken(error.to_string())),
    }
}

/// Why no client was met: it spoke something else, or the line to it failed.
fn explain_no_beginning(error: ServerInitializeError) -> McpError {
    match error {
        // Its words name types of the crate. The error within says what happened.
        ServerInitializeError::TransportError { error, .. } => McpError::Broken(error.error.to_string()),
        ServerInitializeError::ConnectionClosed(_) => {
            McpError::Handshake("it closed its line first".to_string())
        }
        other => McpError::Handshake(other.to_string()),
    }
}

async fn wait_for_stop(stop: &StopFlag) {
    while !stop.is_requested() {
        tokio::time::sleep(LOOK).await;
    }
}

/// Answers a client.
#[derive(Clone, Debug)]
struct Assistant {
    runner: CommandRunner,
    places: Arc<Semaphore>,
}

impl Assistant {
    fn new(settings: &McpSettings) -> Assistant {
        let leading = vec![format!("--threads={}", settings.threads), format!("--seed={}", settings.seed)];
        let runner =
            CommandRunner { program: settings.program.clone(), leading, time_limit: settings.time_limit };
        Assistant { runner, places: Arc::new(Semaphore::new(settings.at_once.max(1))) }
    }

    /// What a call gives: facts, or an error that the model reads and can mend.
    async fn answer(&self, tool: &AssistantTool, request: CallToolRequestParams) -> CallToolResult {
        let command = match tool.command_for(request.arguments.unwrap_or_default()) {
            Ok(command) => command,
            Err(error) => return told_error(&error),
        };
        let Ok(_place) = self.places.acquire().await else {
            return told_error(&RunError::Failed("ishi is ending".to_string()));
        };
        match self.runner.run(&command).await {
            Ok(answer) => CallToolResult::structured(with_faults(as_object(answer), &command.record_faults)),
            Err(error) => told_error(&error),
        }
    }
}

fn told_error(error: &dyn std::error::Error) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.to_string())])
}

/// The protocol wants an object.
fn as_object(answer: Value) -> Value {
    if answer.is_object() { answer } else { json!({"answers": answer}) }
}

/// The answer, with what of the record is not as it should be.
fn with_faults(mut answer: Value, faults: &[String]) -> Value {
    if !faults.is_empty() {
        answer["record_faults"] = json!(faults);
    }
    answer
}

fn described_tool(tool: &AssistantTool) -> Tool {
    let annotations =
        ToolAnnotations::with_title(tool.title).read_only(true).idempotent(true).open_world(false);
    Tool::new(tool.name, tool.description, Arc::new(tool.input_schema()))
        .with_title(tool.title)
        .with_annotations(annotations)
}

impl ServerHandler for Assistant {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("ishi", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(described_tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let names = || TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
        let Some(tool) = AssistantTool::find(&request.name) else {
            let message = format!("the tool must be one of {}, not {}", names(), request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        // Given up by the client, the command is dropped and so killed.
        tokio::select! {
            answer = self.answer(tool, request) => Ok(answer.into()),
            () = context.ct.cancelled() => Ok(told_error(&RunError::Failed("given up by the client".to_string())).into()),
        }
    }
}
