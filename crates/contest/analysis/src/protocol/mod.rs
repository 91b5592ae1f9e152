//! KataGo's analysis protocol: positions come as lines of JSON, what a search says of them goes back as such lines.
//!
//! - [`query`]: a line becomes a [`query::AnalysisRequest`], or an error that names the field.
//! - [`settings`]: what a query may override, and what the command line sets for all.
//! - [`answer`]: reports of a search as JSON, seen from the side that the query names.
//! - [`service`]: a queue by priority, searches on several threads, partial answers, termination.
//!
//! Source: KataGo's docs/Analysis_Engine.md (2026). docs/protocols.md says field by field what is supported, and what differs.

pub mod answer;
mod fields;
pub mod query;
mod rules;
pub mod service;
pub mod settings;
#[cfg(test)]
mod tests;

pub use query::ProtocolProblem;
pub use service::{AnalysisService, ServiceInfo};
pub use settings::{AnalysisSearcher, AnalysisSettings, Perspective};
