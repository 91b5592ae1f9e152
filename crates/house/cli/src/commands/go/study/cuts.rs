//! Patterns cut out around the moves that our candidates lack.

use std::collections::BTreeSet;

use ishi_knowledge::{Analysis, GroupFates};
use ishi_patterns::library::cut::{PatternCut, UselessReason, cut_pattern};
use ishi_patterns::library::{PatternForm, PatternLibrary};
use ishi_sheet::SheetBlock;
use serde::Serialize;

use super::places::{StudyCase, percent_of};
use crate::context::Failure;

/// Windows around the moves, and the patterns cut out.
#[derive(Default, Serialize)]
pub(super) struct PatternCuts {
    /// Patterns written: those of the moves that our candidates lack.
    patterns: usize,
    skipped: SkippedWindows,
    all: WindowCounts,
    /// Of moves with chains of both sides near them, one of which has three liberties or fewer.
    fights: WindowCounts,
    #[serde(skip)]
    pub(super) library: PatternLibrary,
    #[serde(skip)]
    forms: BTreeSet<PatternForm>,
}

/// Windows of moves that our candidates lack that are no patterns, by the reason.
#[derive(Default, Serialize)]
struct SkippedWindows {
    fewer_than_3_stones: usize,
    no_stone_within_2_lines: usize,
    cut_before: usize,
}

#[derive(Default, Serialize)]
struct WindowCounts {
    windows: usize,
    /// Windows that a chain near the move leaves, if the move is in their middle.
    left_unmoved: usize,
    /// Windows that a chain near the move leaves, though they are moved to hold the chains.
    left: usize,
    chains: usize,
    chains_leaving_unmoved: usize,
    chains_leaving: usize,
}

impl WindowCounts {
    fn add_cut(&mut self, cut: &PatternCut) {
        self.windows += 1;
        self.left_unmoved += usize::from(cut.leaving_unmoved > 0);
        self.left += usize::from(cut.leaving > 0);
        self.chains += cut.chains;
        self.chains_leaving_unmoved += cut.leaving_unmoved;
        self.chains_leaving += cut.leaving;
    }

    fn to_line(&self, name: &str) -> String {
        format!(
            "  {name}: {} windows; a chain leaves {:.1} % of them (unmoved {:.1} %), {:.1} % of the chains do ({:.1} %)",
            self.windows,
            percent_of(self.left, self.windows),
            percent_of(self.left_unmoved, self.windows),
            percent_of(self.chains_leaving, self.chains),
            percent_of(self.chains_leaving_unmoved, self.chains)
        )
    }
}

impl SkippedWindows {
    /// None if nothing was left out.
    fn to_line(&self) -> Option<String> {
        let reasons = [
            (self.fewer_than_3_stones, "with fewer than three stones"),
            (self.no_stone_within_2_lines, "without a stone within two lines of the move"),
            (self.cut_before, "cut out before"),
        ];
        let parts: Vec<String> = reasons
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{count} {why}"))
            .collect();
        (!parts.is_empty()).then(|| format!("  left out: {}", parts.join(", ")))
    }
}

impl PatternCuts {
    /// Looks at the window of a move; keeps it if our candidates lack the move, and it holds something new to match.
    pub(super) fn add_case(
        &mut self,
        case: &StudyCase,
        analysis: &Analysis,
        lacking: bool,
    ) -> Result<(), Failure> {
        let (board, color) = (case.position.board(), case.position.to_move());
        let name = format!("game-{}-move-{}", case.game, case.number);
        let source = format!("{}, {}", case.file, case.format_place());
        let Some(cut) = cut_pattern(board, color, case.mv, &name, &source, &GroupFates(analysis)) else {
            return Ok(());
        };
        self.all.add_cut(&cut);
        if cut.fight {
            self.fights.add_cut(&cut);
        }
        if !lacking {
            return Ok(());
        }
        match cut.useless_reason() {
            Some(UselessReason::FewStones) => self.skipped.fewer_than_3_stones += 1,
            Some(UselessReason::NothingNear) => self.skipped.no_stone_within_2_lines += 1,
            None if !self.forms.insert(cut.pattern.standard_form()) => self.skipped.cut_before += 1,
            None => {
                let added = self.library.add_pattern(cut.pattern);
                added.map_err(|error| Failure::input(format!("{name}: {error}")))?;
                self.patterns += 1;
            }
        }
        Ok(())
    }

    /// How many there are, what was left out, and how often chains leave the windows.
    pub(super) fn to_blocks(&self) -> Vec<SheetBlock> {
        let mut lines = vec![format!("{} patterns cut out", self.patterns)];
        lines.extend(self.skipped.to_line());
        lines.extend([self.all.to_line("all moves"), self.fights.to_line("in fights")]);
        lines.into_iter().map(SheetBlock::Text).collect()
    }
}
