//! Parameters in documents, checked when they are read (feature `serde`). What a document leaves out has its usual value.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{FinalMove, JudgedParams, Opinion, Selection, TreeParams};

/// The fields of [`TreeParams`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "TreeParams", default = "TreeParams::default", deny_unknown_fields)]
struct TreeParamsDocument {
    selection: Selection,
    exploration: f32,
    first_play_urgency: f32,
    rave_bias: f32,
    amaf_horizon: f32,
    amaf_fade: f32,
    amaf_margin: u32,
    opinion: Opinion,
    bias: f32,
    bias_growth: f32,
    widening_start: u32,
    widening_growth: f32,
    widening_visits: f32,
    expand_at: u32,
    virtual_loss: u32,
    final_move: FinalMove,
    final_share: f32,
    lcb_z: f32,
    stop_when_settled: bool,
    settle_after: u32,
    memory: usize,
}

/// ```
/// use ishi_mcts::{Selection, TreeParams};
/// let params: TreeParams = serde_json::from_str(r#"{"selection": "puct", "exploration": 1.5}"#).unwrap();
/// assert_eq!(params, TreeParams { selection: Selection::Puct, exploration: 1.5, ..TreeParams::default() });
/// let error = serde_json::from_str::<TreeParams>(r#"{"exploration": -1.0}"#).unwrap_err();
/// assert!(error.to_string().starts_with("exploration = -1: it must be a number that is 0 or more"));
/// ```
impl<'de> Deserialize<'de> for TreeParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TreeParams, D::Error> {
        let params = TreeParamsDocument::deserialize(deserializer)?;
        params.check().map_err(D::Error::custom)?;
        Ok(params)
    }
}

impl Serialize for TreeParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TreeParamsDocument::serialize(self, serializer)
    }
}

/// The fields of [`JudgedParams`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "JudgedParams", default = "JudgedParams::default", deny_unknown_fields)]
struct JudgedParamsDocument {
    exploration: f32,
    exploration_growth: f32,
    growth_visits: f32,
    first_play_reduction: f32,
    lead_share: f32,
    lead_scale: f32,
    batch: usize,
    width: usize,
    most_positions: usize,
}

impl<'de> Deserialize<'de> for JudgedParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JudgedParams, D::Error> {
        let params = JudgedParamsDocument::deserialize(deserializer)?;
        params.check().map_err(D::Error::custom)?;
        Ok(params)
    }
}

impl Serialize for JudgedParams {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        JudgedParamsDocument::serialize(self, serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, JudgedMove};

    #[test]
    fn parameters_survive_writing() {
        let tree = TreeParams {
            selection: Selection::Ucb1Tuned,
            final_move: FinalMove::WinRate,
            opinion: Opinion::Both,
            rave_bias: 0.1,
            ..TreeParams::default()
        };
        let text = serde_json::to_string(&tree).unwrap();
        assert!(text.starts_with(r#"{"selection":"ucb1-tuned","exploration":0.0"#), "{text}");
        assert_eq!(serde_json::from_str::<TreeParams>(&text).unwrap(), tree);
        let judged = JudgedParams { batch: 8, ..JudgedParams::default() };
        let text = serde_json::to_string(&judged).unwrap();
        assert_eq!(serde_json::from_str::<JudgedParams>(&text).unwrap(), judged);
    }

    #[test]
    fn reports_survive_writing() {
        let report = JudgedMove {
            action: Action(7),
            visits: 3,
            prior: 0.25,
            win: 0.5,
            lead: -1.5,
            lead_deviation: None,
            lower_bound: -1.0,
            variation: vec![Action(7), Action(9)],
            variation_visits: vec![3, 1],
        };
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<JudgedMove>(&text).unwrap(), report);
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let error = serde_json::from_str::<TreeParams>(r#"{"virtual_loss":256}"#).unwrap_err().to_string();
        assert!(error.starts_with("virtual_loss = 256: it must be a whole number from 0 to 255"), "{error}");
        let error = serde_json::from_str::<JudgedParams>(r#"{"batch":0}"#).unwrap_err().to_string();
        assert!(error.starts_with("batch = 0: it must be 1 or more"), "{error}");
        assert!(serde_json::from_str::<TreeParams>(r#"{"exploratoin":1.0}"#).is_err(), "no such parameter");
    }
}
