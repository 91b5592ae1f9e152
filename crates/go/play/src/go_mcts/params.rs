//! The parameters of `go-mcts`, and their texts: one table serves the command line, files and GTP.

use std::str::FromStr;

use ishi_mcts::{FinalMove, Opinion, Selection, TreeParams};

use super::komi::DynamicKomi;
use super::local::ProblemParams;
use super::playout::PlayoutParams;
use super::presets;
use super::priors::{PriorParams, RatedBy};
use super::proofs::ProofParams;
use super::reward::RewardParams;
use super::tabu::{TabuKind, TabuParams, TenureClock};
use ishi_engine::catalog::{CatalogError, no_value_error, unknown_key_error};
use ishi_engine::parameter::{
    Parameter, ParameterFault, ParameterRow, YES_NO, changed_params, list_keys, list_rows, number,
};
use ishi_engine::{numeric, worded};

/// All parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct MctsParams {
    /// Playouts for a move where no other limit is given.
    pub playouts: u64,
    /// Threads that search.
    pub threads: usize,
    /// Does what one move's search has found serve the next?
    pub reuse: bool,
    /// Thinks in the opponent's time, where the host allows it; needs `reuse`.
    pub ponder: bool,
    /// Komi in handicap games.
    pub dynamic_komi: DynamicKomi,
    /// Resigns when the win rate is below this; 0: never.
    pub resign_below: f32,
    /// Playouts for the answer to a problem ([`ProblemParams::playouts`]); 0: a problem is searched as any position.
    pub problem_playouts: u64,
    /// Does the network of life and death rate moves in problems?
    pub problem_network: bool,
    /// What is thought of moves before any playout.
    pub prior: PriorParams,
    /// The tree.
    pub tree: TreeParams,
    /// The playouts.
    pub playout: PlayoutParams,
    /// How much is read to prove which groups live and die.
    pub proofs: ProofParams,
    /// What a playout is worth.
    pub reward: RewardParams,
    /// The tabu lists of leaves.
    pub tabu: TabuParams,
}

impl Default for MctsParams {
    fn default() -> MctsParams {
        MctsParams {
            playouts: 8000,
            threads: 1,
            reuse: true,
            ponder: false,
            dynamic_komi: DynamicKomi::Linear,
            resign_below: 0.1,
            problem_playouts: ProblemParams::default().playouts,
            problem_network: ProblemParams::default().network,
            prior: PriorParams::default(),
            tree: TreeParams { widening_start: 5, bias: 0.5, bias_growth: 0.5, ..TreeParams::default() },
            playout: PlayoutParams::default(),
            proofs: ProofParams::default(),
            reward: RewardParams::default(),
            tabu: TabuParams::with_kind(TabuKind::None),
        }
    }
}

/// A parameter that can be written as text.
pub type MctsEntry = Parameter<MctsParams>;

const SELECTIONS: [(&str, Selection); 4] = [
    ("ucb1", Selection::Ucb1),
    ("ucb1-tuned", Selection::Ucb1Tuned),
    ("rave", Selection::Rave),
    ("puct", Selection::Puct),
];

const FINAL_MOVES: [(&str, FinalMove); 3] =
    [("visits", FinalMove::Visits), ("win-rate", FinalMove::WinRate), ("lcb", FinalMove::Lcb)];

const KOMIS: [(&str, DynamicKomi); 3] =
    [("off", DynamicKomi::Off), ("linear", DynamicKomi::Linear), ("value", DynamicKomi::Value)];

const OPINIONS: [(&str, Opinion); 4] =
    [("auto", Opinion::Auto), ("rate", Opinion::Rate), ("amaf", Opinion::Amaf), ("both", Opinion::Both)];

const NETWORKS: [(&str, RatedBy); 2] = [("yes", RatedBy::Games), ("no", RatedBy::Strengths)];

const CLOCKS: [(&str, TenureClock); 3] =
    [("leaf", TenureClock::Leaf), ("root", TenureClock::Root), ("tree", TenureClock::Tree)];

/// All parameters, in the order in which they are shown.
pub const ENTRIES: &[MctsEntry] = &[
    numeric!(
        "playouts",
        "playouts for a move, where no other limit is given",
        "他に制限がないときの1手のプレイアウト数",
        1,
        1_000_000_000_000,
        playouts
    ),
    numeric!("threads", "threads that search", "探索するスレッドの数", 1, 256, threads),
    worded!(
        "reuse",
        "yes or no: what one search has found serves the next",
        "yes か no：前の探索の結果を次に使う",
        YES_NO,
        reuse
    ),
    worded!(
        "ponder",
        "yes or no: thinks in the opponent's time",
        "yes か no：相手の番にも考える",
        YES_NO,
        ponder
    ),
    worded!(
        "komi",
        "off, linear or value: how komi is changed in handicap games",
        "off、linear、value：置き碁でのコミの変え方",
        KOMIS,
        dynamic_komi
    ),
    numeric!(
        "problem-playouts",
        "playouts of 160 moves for a problem (stones in one part of the board, moves restricted), ratings of moves included; 0: searched as any position",
        "問題（盤の一部の石だけで、打てる手に制限がある）での160手のプレイアウト数。手の評価も含む。0 なら普通の局面として探索する",
        0,
        1_000_000_000_000,
        problem_playouts
    ),
    worded!(
        "problem-network",
        "yes or no: the network of life and death rates the moves of problems; without it 22000 playouts are right",
        "yes か no：問題の手を死活のネットワークが評価する。使わないときは22000プレイアウトが適当",
        YES_NO,
        problem_network
    ),
    numeric!(
        "resign",
        "resigns below this win rate; 0: never",
        "勝率がこれを下回ると投了する。0 なら投了しない",
        0.0,
        1.0,
        resign_below
    ),
    worded!(
        "selection",
        "ucb1, ucb1-tuned, rave or puct",
        "ucb1、ucb1-tuned、rave、puct",
        SELECTIONS,
        tree.selection
    ),
    numeric!("exploration", "exploration constant C", "探索の定数 C", 0.0, 100.0, tree.exploration),
    numeric!(
        "fpu",
        "value of moves not yet tried; above 1: all are tried first",
        "まだ試していない手の値。1を超えると全部を先に試す",
        0.0,
        10.0,
        tree.first_play_urgency
    ),
    numeric!(
        "rave-bias",
        "constant b of RAVE's schedule",
        "RAVE の重みの定数 b",
        0.000_001,
        10.0,
        tree.rave_bias
    ),
    numeric!(
        "bias",
        "weight of the prior's progressive bias",
        "事前評価による progressive bias の重み",
        0.0,
        1000.0,
        tree.bias
    ),
    numeric!(
        "bias-growth",
        "the bias grows with visits to this power; 0.5: PUCT's",
        "bias は訪問数のこの乗数で増える。0.5 で PUCT と同じ",
        0.0,
        1.0,
        tree.bias_growth
    ),
    worded!(
        "opinion",
        "auto, rate, amaf or both: what opinions are",
        "auto、rate、amaf、both：意見とみなすもの",
        OPINIONS,
        tree.opinion
    ),
    numeric!(
        "amaf-margin",
        "moves not yet considered that gather for RAVE",
        "まだ候補でない手のうち、RAVE の統計を集めるものの数",
        0,
        1000,
        tree.amaf_margin
    ),
    numeric!(
        "amaf-horizon",
        "share of a playout's moves that count for RAVE",
        "プレイアウトの手のうち RAVE に数える割合",
        0.0,
        1.0,
        tree.amaf_horizon
    ),
    numeric!(
        "amaf-fade",
        "what later moves count less for RAVE",
        "後の手ほど RAVE への影響を減らす割合",
        0.0,
        1.0,
        tree.amaf_fade
    ),
    numeric!(
        "widening",
        "moves considered at first; 0: all",
        "初めに考える手の数。0 なら全部",
        0,
        1000,
        tree.widening_start
    ),
    numeric!(
        "widening-growth",
        "factor of visits for one more move",
        "候補を1手増やすのに必要な訪問数の倍率",
        1.0,
        100.0,
        tree.widening_growth
    ),
    numeric!(
        "widening-visits",
        "visits before the first more",
        "最初に候補を増やすまでの訪問数",
        0.0,
        1e9,
        tree.widening_visits
    ),
    numeric!(
        "expand",
        "playouts after which a leaf is expanded",
        "葉を展開するまでのプレイアウト数",
        1,
        u32::MAX,
        tree.expand_at
    ),
    numeric!(
        "virtual-loss",
        "losses that a thread on its way pretends",
        "進行中のスレッドが仮に負けたとみなす数",
        0,
        100,
        tree.virtual_loss
    ),
    worded!(
        "final",
        "visits, win-rate or lcb: how the move is chosen",
        "visits、win-rate、lcb：手の選び方",
        FINAL_MOVES,
        tree.final_move
    ),
    numeric!(
        "final-share",
        "share of the most visits that a choice by rate needs",
        "勝率で選ぶ手に必要な訪問数（最多の手に対する割合）",
        0.0,
        1.0,
        tree.final_share
    ),
    numeric!(
        "lcb-z",
        "standard deviations of the lower bound",
        "下側信頼限界の標準偏差の数",
        0.0,
        100.0,
        tree.lcb_z
    ),
    numeric!(
        "memory",
        "most bytes for the tree",
        "木が使うメモリの上限（バイト）",
        1 << 20,
        1 << 44,
        tree.memory
    ),
    numeric!(
        "settle-after",
        "playouts that a search makes even if its choice is settled",
        "手が決まっていても行うプレイアウト数",
        0,
        u32::MAX,
        tree.settle_after
    ),
    worded!(
        "settle",
        "yes or no: stop when the choice is settled",
        "yes か no：手が決まったら探索を終える",
        YES_NO,
        tree.stop_when_settled
    ),
    worded!(
        "learned",
        "yes or no: candidates have learned strengths, or all are alike",
        "yes か no：候補に学習した強さを使うか、全部同じに扱うか",
        YES_NO,
        prior.learned
    ),
    worded!(
        "network",
        "yes or no: a network corrects the learned strengths",
        "yes か no：学習した強さをネットワークが補正する",
        NETWORKS,
        prior.by
    ),
    numeric!(
        "prior",
        "playouts that prior opinions are worth",
        "事前評価がプレイアウト何回分に当たるか",
        0.0,
        10000.0,
        prior.weight
    ),
    numeric!(
        "prior-slope",
        "win rate that opinions lose for each factor e in strength",
        "強さが e 分の1になるごとに下がる勝率",
        0.0,
        1.0,
        prior.slope
    ),
    numeric!(
        "lgrf",
        "last good replies: 0 (off), 1 or 2 moves back",
        "前にうまくいった応手を使う：0（なし）、1手前、2手前",
        0,
        2,
        playout.lgrf
    ),
    numeric!(
        "atari",
        "playouts: how often captures and escapes are looked for",
        "プレイアウト：取りと逃げを探す割合",
        0.0,
        1.0,
        playout.atari
    ),
    worded!(
        "ladders",
        "playouts: yes or no: chains caught in a ladder do not run",
        "プレイアウト：yes か no：シチョウで取られる石は逃げない",
        YES_NO,
        playout.ladders
    ),
    numeric!(
        "nakade",
        "playouts: how often vital points are",
        "プレイアウト：急所を探す割合",
        0.0,
        1.0,
        playout.nakade
    ),
    numeric!(
        "two-liberties",
        "playouts: how often chains of two liberties are",
        "プレイアウト：呼吸点が2つの連を見る割合",
        0.0,
        1.0,
        playout.two_liberties
    ),
    numeric!(
        "shapes",
        "playouts: how often 3x3 shapes are",
        "プレイアウト：3×3の形を使う割合",
        0.0,
        1.0,
        playout.shapes
    ),
    numeric!(
        "self-atari",
        "playouts: stones that chance may put into atari",
        "プレイアウト：偶然アタリにしてよい石の数",
        0,
        1000,
        playout.self_atari
    ),
    numeric!(
        "mercy",
        "playouts: share of the board that ends them; 0: never",
        "プレイアウト：盤のこの割合の差で打ち切る。0 なら打ち切らない",
        0.0,
        1.0,
        playout.mercy
    ),
    numeric!(
        "proofs",
        "moves read for each playout to prove which groups live and die; 0: none are read",
        "どの石の群れが生きるか死ぬかを証明するために、プレイアウトごとに読む手数。0 なら読まない",
        0,
        1_000_000,
        proofs.moves
    ),
    numeric!(
        "score-share",
        "share of a playout's reward that the score decides, not the winner",
        "プレイアウトの評価のうち、勝敗でなく地の差で決まる割合",
        0.0,
        1.0,
        reward.score_share
    ),
    numeric!(
        "study-score-share",
        "the same where a move is asked for that is not played (reg_genmove)",
        "打たない手を聞かれたとき（reg_genmove）の同じ割合",
        0.0,
        1.0,
        reward.study_share
    ),
    numeric!(
        "score-scale",
        "lead that is worth all of it, as a share of the board's points",
        "評価が最大になるリード（盤の点の数に対する割合）",
        0.01,
        1.0,
        reward.score_scale
    ),
    numeric!(
        "tenure",
        "length of tabu queues at the beginning of a game; 0: off",
        "対局の初めのタブーリストの長さ。0 なら使わない",
        0,
        TabuParams::MAX_TENURE,
        tabu.tenure
    ),
    numeric!(
        "tabu-depth",
        "moves of a playout that tabu lists look at",
        "タブーリストが見るプレイアウトの手数",
        0,
        TabuParams::MAX_DEPTH,
        tabu.depth
    ),
    MctsEntry {
        key: "tabu",
        about: "none, moves, hash or hash-win: which tabu lists",
        japanese: "none、moves、hash、hash-win：タブーリストの種類",
        allowed: |_| "none, moves, hash, hash-win".to_string(),
        get: |params| params.tabu.kind.name().to_string(),
        set: |params, text| {
            let hint = || "write none, moves, hash or hash-win".to_string();
            params.tabu.kind = text.parse().map_err(|_| ParameterFault::OutOfRange(hint()))?;
            Ok(())
        },
    },
    worded!(
        "tenure-clock",
        "leaf, root or tree: tabu queues grow shorter by the moves of the game up to the leaf, by the number of the move searched for, or by the leaf's depth in the tree",
        "leaf、root、tree：タブーリストが短くなる基準。葉までの手数、探索する手の番号、木の中での葉の深さ",
        CLOCKS,
        tabu.clock
    ),
    worded!(
        "tabu-moves-nil",
        "yes or no: lists of moves push a NIL for what they refuse, as lists of positions do",
        "yes か no：手のリストも、断った手の代わりに NIL を入れる（局面のリストと同じ）",
        YES_NO,
        tabu.moves_push_nil
    ),
    worded!(
        "tabu-passes",
        "yes or no: for lists of positions, a pass since the leaf makes another position",
        "yes か no：局面のリストでは、葉の後のパスは別の局面とする",
        YES_NO,
        tabu.pass_counts
    ),
    numeric!(
        "limit",
        "playouts: most moves, in boards",
        "プレイアウト：最大の手数（盤の点の数を単位とする）",
        1.0,
        100.0,
        playout.limit
    ),
];

impl MctsParams {
    /// Sets a parameter from its text; `preset=NAME` and `level=N` set all of them.
    ///
    /// # Errors
    /// If there is no such parameter, or the value is not one of its.
    pub fn set_param(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.change_param(key, value).map_err(|error| error.to_string())
    }

    fn change_param(&mut self, key: &str, value: &str) -> Result<(), CatalogError> {
        match key {
            "preset" => {
                *self = presets::params_of_preset(value).ok_or_else(|| {
                    let words = presets::NAMES.join(", ");
                    let message = format!("preset={value} is unknown: write one of {words}");
                    CatalogError::new(message, ParameterFault::Word(words).facts(key, value))
                })?;
                return Ok(());
            }
            "level" => {
                let level = number(value, 1, presets::LEVELS).map_err(|fault| fault.to_error(key, value))?;
                *self = presets::params_of_level(level);
                return Ok(());
            }
            _ => {}
        }
        let entry = ENTRIES.iter().find(|entry| entry.key == key).ok_or_else(|| {
            unknown_key_error("go-mcts", key, &format!("preset, level, {}", list_keys(ENTRIES)))
        })?;
        (entry.set)(self, value).map_err(|fault| fault.to_error(key, value))?;
        self.tree
            .check()
            .map_err(|error| ParameterFault::Own(format!("{key}={value}: {error}")).to_error(key, value))
    }

    /// Reads what [`MctsParams::spec`] writes, with an error that says as data what is wrong.
    ///
    /// # Errors
    /// If a parameter has no value, there is none of its name, or the value is not one of its.
    pub fn read_spec(text: &str) -> Result<MctsParams, CatalogError> {
        let mut params = MctsParams::default();
        let parts = text.split(',').filter(|part| !part.is_empty());
        let mut pairs: Vec<(&str, &str)> = parts
            .map(|part| part.split_once('=').ok_or_else(|| no_value_error("go-mcts", part)))
            .collect::<Result<_, _>>()?;
        // What sets all the others comes first, wherever it stands.
        pairs.sort_by_key(|(key, _)| !sets_all_params(key));
        for (key, value) in pairs {
            params.change_param(key, value)?;
        }
        Ok(params)
    }

    /// What differs from the defaults, as `key=value,key=value`.
    pub fn spec(&self) -> String {
        changed_params(ENTRIES, self)
    }
}

/// All parameters as they are shown: first the two that set all the others.
pub fn mcts_rows() -> Vec<ParameterRow> {
    let presets = presets::NAMES.join(", ");
    let whole = [
        ParameterRow {
            key: "preset",
            usual: "strong".to_string(),
            about: format!("all of the following at once: {presets}"),
            japanese: format!("以下のすべてをまとめて決める：{presets}"),
            allowed: presets,
        },
        ParameterRow {
            key: "level",
            usual: "N".to_string(),
            allowed: format!("1 to {}", presets::LEVELS),
            about: format!("the same for people: 1 to {}", presets::LEVELS),
            japanese: format!("人向けの強さで同じことをする：1から{}", presets::LEVELS),
        },
    ];
    whole.into_iter().chain(list_rows(ENTRIES)).collect()
}

/// Does this parameter set all the others?
pub fn sets_all_params(key: &str) -> bool {
    key == "preset" || key == "level"
}

/// Reads `key=value,key=value`, as [`MctsParams::spec`] writes it. A preset or a level comes first, wherever it stands; then later ones go before
/// earlier ones.
///
/// ```
/// use ishi_go_play::go_mcts::MctsParams;
/// let params: MctsParams = "preset=tabu18-hash,playouts=2000".parse().unwrap();
/// assert_eq!(params.playouts, 2000);
/// let error = "playouts=none".parse::<MctsParams>().unwrap_err();
/// assert!(error.starts_with("playouts=none is out of range: write a number from 1 to "));
/// ```
impl FromStr for MctsParams {
    type Err = String;

    fn from_str(text: &str) -> Result<MctsParams, String> {
        MctsParams::read_spec(text).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for name in presets::NAMES {
            let params = presets::params_of_preset(name).unwrap();
            assert_eq!(params.spec().parse(), Ok(params), "{name}");
        }
        for level in 1..=presets::LEVELS {
            let params = presets::params_of_level(level);
            assert_eq!(params.spec().parse(), Ok(params), "level {level}");
        }
    }

    /// Each entry's text goes back to it, and changes nothing else.
    #[test]
    fn every_entry_reads_what_it_writes() {
        let params = presets::params_of_preset("tabu18-hash-win").unwrap();
        for entry in ENTRIES {
            let mut copy = params.clone();
            (entry.set)(&mut copy, &(entry.get)(&params)).unwrap();
            assert_eq!(copy, params, "{}", entry.key);
            assert!((entry.set)(&mut copy, "nonsense").is_err(), "{}", entry.key);
        }
    }

    #[test]
    fn errors_say_what_is_right() {
        let error = |text: &str| text.parse::<MctsParams>().unwrap_err();
        assert_eq!(error("final=last"), "final=last is out of range: write one of visits, win-rate, lcb");
        assert_eq!("playouts=7,level=3".parse::<MctsParams>().unwrap().playouts, 7, "a level comes first");
        assert_eq!(error("level=11"), "level=11 is out of range: write a number from 1 to 10");
        assert!(error("preset=x").starts_with("preset=x is unknown: write one of ishi, strong, uct"));
        assert!(error("x=1").starts_with("engine go-mcts has no parameter \"x\": it has preset, level, "));
        assert_eq!(error("playouts"), "parameter \"playouts\" of go-mcts has no value: write KEY=VALUE");
    }
}
