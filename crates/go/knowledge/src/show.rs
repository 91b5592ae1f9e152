//! Every level of an [`Analysis`] as text and as a picture, to see what the program sees.

use std::fmt::Write;
use std::str::FromStr;

use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{Board, Color, Point, Position};
use ishi_reading::{ChainStatus, LifeReader, PointSet, ReadingOutcome};

use crate::analysis::Analysis;
use crate::connections::Connections;
use crate::eyes::{EYE, EyeCount, EyeKind, TWO_EYES};
use crate::groups::{Escape, EscapeTarget, Group, PotentialEye, PotentialKind};
use crate::links::{LinkKind, LinkStrength};
use crate::lookahead::Outlook;
use crate::oracle::GroupStrength;
use crate::reasons::reasons_to_tell;
use crate::rules::Suggestion;
use crate::style::SharedPoints;
use crate::words;
use ishi_words::Language;

/// A part of what is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnalysisLevel {
    /// Chains with their liberties and neighbours.
    Chains,
    /// Chains that were read: safe, in danger, captured.
    Status,
    /// Connections.
    Links,
    /// Eye spaces.
    Eyes,
    /// Groups and their strength.
    Groups,
    /// Influence of both sides.
    Influence,
    /// Territory and moyos.
    Territory,
    /// Phase, balance, what sente is worth, urgent groups.
    Strategy,
    /// Moves that rules suggest.
    Suggestions,
}

impl AnalysisLevel {
    /// All of them, from the ground up.
    pub const ALL: [AnalysisLevel; 9] = [
        AnalysisLevel::Chains,
        AnalysisLevel::Status,
        AnalysisLevel::Links,
        AnalysisLevel::Eyes,
        AnalysisLevel::Groups,
        AnalysisLevel::Influence,
        AnalysisLevel::Territory,
        AnalysisLevel::Strategy,
        AnalysisLevel::Suggestions,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            AnalysisLevel::Chains => "chains",
            AnalysisLevel::Status => "status",
            AnalysisLevel::Links => "links",
            AnalysisLevel::Eyes => "eyes",
            AnalysisLevel::Groups => "groups",
            AnalysisLevel::Influence => "influence",
            AnalysisLevel::Territory => "territory",
            AnalysisLevel::Strategy => "strategy",
            AnalysisLevel::Suggestions => "suggestions",
        }
    }
}

impl FromStr for AnalysisLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<AnalysisLevel, String> {
        let known = || AnalysisLevel::ALL.map(AnalysisLevel::name).join(", ");
        let found = AnalysisLevel::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| format!("{text:?} is no level: there are {} and all", known()))
    }
}

/// A position and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisView<'a> {
    /// The position.
    pub position: &'a Position,
    /// What is known of it.
    pub analysis: &'a Analysis,
    /// The moves that rules suggest in it, the best first.
    pub suggestions: &'a [Suggestion],
    /// What is expected of the first of them, in the same order; empty if nobody looked ahead.
    pub outlooks: &'a [Option<Outlook>],
    /// The language of the keys of pictures; tables are in English.
    pub language: Language,
}

/// Moves that are read for each move of a group's line.
const LIFE_MOVES: u32 = 50_000;
/// Groups of which such a line is told, the largest of those whose fate is open. A game has fewer: it is boards of hundreds of chains in atari
/// that took 20 s of reading for what nobody reads.
const LIVES_TOLD: usize = 12;

/// Suggestions that are drawn and listed.
pub const SUGGESTIONS: usize = 12;

impl AnalysisView<'_> {
    /// A level in words and numbers: a diagram, then a table.
    pub fn level_text(&self, level: AnalysisLevel) -> String {
        let (diagram, table) = match level {
            AnalysisLevel::Chains => self.chains_text(),
            AnalysisLevel::Status => self.status_text(),
            AnalysisLevel::Links => self.links_text(),
            AnalysisLevel::Eyes => self.eyes_text(),
            AnalysisLevel::Groups => self.groups_text(),
            AnalysisLevel::Influence => self.influence_text(),
            AnalysisLevel::Territory => self.territory_text(),
            AnalysisLevel::Strategy => (String::new(), self.strategy_text()),
            AnalysisLevel::Suggestions => self.suggestions_text(),
        };
        format!("{}\n{diagram}{table}", level.name().to_uppercase())
    }

    /// A level as a picture.
    pub fn level_picture(&self, level: AnalysisLevel) -> BoardPicture {
        let picture = BoardPicture::from_board(self.board()).with_title(level.name());
        match level {
            AnalysisLevel::Chains => self.draw_chains(picture),
            AnalysisLevel::Status => self.draw_status(picture),
            AnalysisLevel::Links => self.draw_links(picture),
            AnalysisLevel::Eyes => self.draw_eyes(picture),
            AnalysisLevel::Groups => self.draw_groups(picture),
            AnalysisLevel::Influence => self.draw_influence(picture),
            AnalysisLevel::Territory => self.draw_territory(picture),
            AnalysisLevel::Strategy => self.draw_strategy(picture),
            AnalysisLevel::Suggestions => self.draw_suggestions(picture),
        }
    }

    fn in_language(&self, english: &'static str, japanese: &'static str) -> &'static str {
        match self.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// Who leads, and by how much.
    fn describe_lead(&self, black_lead: f64) -> String {
        let leader = if black_lead >= 0.0 { Color::Black } else { Color::White };
        let (leader, points) = (words::color_name(leader, self.language), black_lead.abs());
        match self.language {
            Language::English => {
                format!("{leader} leads by {points:.1} points after komi, counted by influence")
            }
            Language::Japanese => format!("勢力で数え、コミを引いて{leader}が{points:.1}目リード"),
        }
    }

    fn board(&self) -> &Board {
        self.position.board()
    }

    /// The board, two characters a point: what `of` says, or the stone or point itself.
    fn draw_text_board(&self, of: impl Fn(Point) -> Option<String>) -> String {
        let size = self.board().size();
        let mut text = String::new();
        for row in (0..size.height()).rev() {
            let _ = write!(text, "{:>2} ", row + 1);
            for column in 0..size.width() {
                let point = Point::new(column, row);
                let plain = || match self.board().color(point) {
                    Some(Color::Black) => "X".to_string(),
                    Some(Color::White) => "O".to_string(),
                    None => ".".to_string(),
                };
                let _ = write!(text, "{:>3}", of(point).unwrap_or_else(plain));
            }
            text.push('\n');
        }
        let letters = (0..size.width()).map(|column| Point::new(column, 0).to_string());
        let letters: String = letters.map(|name| format!("{:>3}", &name[..1])).collect();
        format!("{text}   {letters}\n")
    }

    fn chains_text(&self) -> (String, String) {
        let liberties = |point| self.analysis.chains.chain_at(point).map(|chain| chain.liberties.len());
        let diagram = self.draw_text_board(|point| {
            let letter =
                self.board().color(point).map(|color| if color == Color::Black { 'X' } else { 'O' })?;
            Some(format!("{letter}{}", liberties(point)?.min(9)))
        });
        let mut table = String::from("chain       stones  liberties  beside enemies\n");
        for chain in self.analysis.chains.iter() {
            let enemies = self.analysis.chains.enemy_neighbours(chain);
            let _ = writeln!(
                table,
                "{:<10} {:>7} {:>10}  {}",
                stone_name(chain.color, chain.name()),
                chain.stones.len(),
                chain.liberties.len(),
                if enemies.is_empty() { "-".to_string() } else { join_points(enemies) }
            );
        }
        (diagram + "a letter and the number of its chain's liberties, 9 at most\n", table)
    }

    fn draw_chains(&self, picture: BoardPicture) -> BoardPicture {
        let chains = || self.analysis.chains.iter();
        let one = |picture, chain: &crate::chains::ChainFacts| {
            let tone = match chain.liberties.len() {
                1 => Some(PictureTone::Bad),
                2 => Some(PictureTone::Weak),
                _ => None,
            };
            let count = chain.liberties.len().to_string();
            chain
                .stones
                .iter()
                .fold(picture, |picture: BoardPicture, stone| picture.with_label(stone, count.clone(), tone))
        };
        chains()
            .fold(picture, one)
            .with_key_line(None, self.in_language("number: liberties of the chain", "数字：連の呼吸点"))
            .with_key_line(Some(PictureTone::Weak), self.in_language("two", "呼吸点二つ"))
            .with_key_line(Some(PictureTone::Bad), self.in_language("atari", "アタリ"))
    }

    fn status_text(&self) -> (String, String) {
        let diagram = self.draw_text_board(|point| {
            let letter = match self.analysis.chain_status(point)? {
                ChainStatus::Safe => 's',
                ChainStatus::InDanger { .. } => '?',
                ChainStatus::Captured { .. } => '#',
            };
            let stone = if self.board().color(point) == Some(Color::Black) { 'X' } else { 'O' };
            Some(format!("{stone}{letter}"))
        });
        let mut table = String::from("chain       liberties  stands\n");
        for (name, status) in &self.analysis.status {
            let chain = self.analysis.chains.chain_at(*name);
            let (word, answers) = match status {
                ChainStatus::Safe => ("safe", vec![]),
                ChainStatus::InDanger { attack, defence } => {
                    ("in danger", vec![("attacked", true, attack), ("defended", false, defence)])
                }
                ChainStatus::Captured { attack } => ("captured", vec![("attacked", true, attack)]),
            };
            let _ = writeln!(
                table,
                "{:<10} {:>10}  {word}",
                stone_name(chain.and_then(|chain| chain.color), *name),
                chain.map_or(0, |chain| chain.liberties.len()),
            );
            for (verb, attacking, answer) in answers {
                let line =
                    words::describe_sequence(&self.expected_sequence(*name, attacking), Language::English);
                let _ = writeln!(table, "{:>25}if {verb}: {} ({line})", "", outcome_name(answer.outcome));
            }
        }
        (
            diagram
                + "s safe as far as read, ? the next move decides, # captured; other chains were not read\n",
            table,
        )
    }

    /// How it goes on if a chain is attacked, or defended: what level 2 has read, played out.
    pub fn expected_sequence(&self, chain: Point, attacking: bool) -> Vec<(Color, Point)> {
        self.analysis.expected_sequence(self.board(), chain, attacking)
    }

    fn draw_status(&self, mut picture: BoardPicture) -> BoardPicture {
        for (name, status) in &self.analysis.status {
            let Some(chain) = self.analysis.chains.chain_at(*name) else { continue };
            let (mark, tone) = match status {
                ChainStatus::Safe => (PictureMark::Circle, PictureTone::Good),
                ChainStatus::InDanger { .. } => (PictureMark::Triangle, PictureTone::Weak),
                ChainStatus::Captured { .. } => (PictureMark::Cross, PictureTone::Bad),
            };
            for stone in chain.stones.iter() {
                picture = picture.with_mark(stone, mark, tone);
            }
            if let ChainStatus::InDanger { attack, defence } = status {
                picture = mark_decisive_moves(picture, attack.mv, defence.mv);
            }
        }
        picture
            .with_key_line(
                Some(PictureTone::Good),
                self.in_language("safe as far as read", "読みの範囲で安全"),
            )
            .with_key_line(
                Some(PictureTone::Weak),
                self.in_language("the next move decides", "次の一手しだい"),
            )
            .with_key_line(Some(PictureTone::Bad), self.in_language("captured", "取られ"))
            .with_key_line(
                None,
                self.in_language("a attacks, d defends, * both", "a：攻め、d：守り、*：双方の急所"),
            )
    }

    fn links_text(&self) -> (String, String) {
        let mut table =
            String::from("stones       shape            strength             shared  cut   connect\n");
        for link in &self.analysis.links {
            let [a, b] = link.stones;
            let shared = link.shared.map(|points| points.len().to_string()).join("/");
            let _ = writeln!(
                table,
                "{:<12} {:<16} {:<20} {shared:<7} {:<5} {}",
                format!("{} {b}", stone_name(self.board().color(a), a)),
                link_kind_name(link.kind),
                link_strength_name(link.strength),
                point_or_dash(link.cut),
                point_or_dash(link.connect),
            );
        }
        let cuts = self.collect_link_points(|link| link.strength.is_open(), |link| [link.cut, link.connect]);
        let diagram = self.draw_text_board(|point| cuts.contains(point).then(|| "+".to_string()));
        let is_straight = self.analysis.style.shared == SharedPoints::StraightLines;
        let (near, lists) = if is_straight {
            ("straight on from both, one to three lines away", self.connection_lists())
        } else {
            ("within one, two, three steps of both", String::new())
        };
        let key = format!("+ cuts or connects; shared: empty points {near}; cut: no connection found near\n");
        (diagram + &key, table + &lists)
    }

    /// What every chain and every point keeps of connections (D. Fotland 1993, section 5).
    fn connection_lists(&self) -> String {
        let connections = Connections::from_board(self.board());
        let pair = |names: [Point; 2]| names.map(|name| name.to_string()).join("-");
        let mut text = String::from("\nchain  its connections\n");
        for chain in self.analysis.chains.iter() {
            let of_chain =
                connections.connections_of_chain(chain.name()).into_iter().map(pair).collect::<Vec<_>>();
            if !of_chain.is_empty() {
                let _ = writeln!(text, "{:<6} {}", stone_name(chain.color, chain.name()), of_chain.join(" "));
            }
        }
        text += "\npoint  its connections, and the lines to the farther chain\n";
        for point in self.board().size().points() {
            let at = connections.connections_at(point).into_iter();
            let at = at.map(|(names, lines)| format!("{}:{lines}", pair(names))).collect::<Vec<_>>();
            if !at.is_empty() {
                let _ = writeln!(text, "{:<6} {}", point.to_string(), at.join(" "));
            }
        }
        text
    }

    fn collect_link_points(
        &self,
        wanted: impl Fn(&crate::links::Link) -> bool,
        of: impl Fn(&crate::links::Link) -> [Option<Point>; 2],
    ) -> PointSet {
        self.analysis.links.iter().filter(|link| wanted(link)).flat_map(of).flatten().collect()
    }

    fn draw_links(&self, mut picture: BoardPicture) -> BoardPicture {
        for link in &self.analysis.links {
            let (tone, dashed) = match link.strength {
                LinkStrength::Solid => (PictureTone::Good, false),
                LinkStrength::WithAji => (PictureTone::Fair, false),
                LinkStrength::FirstMove => (PictureTone::Weak, false),
                LinkStrength::Cuttable => (PictureTone::Weak, true),
                LinkStrength::Cut => (PictureTone::Bad, true),
            };
            picture = picture.with_line(link.stones, tone, dashed);
        }
        let cuts = self.collect_link_points(|link| link.strength.is_open(), |link| [link.cut, None]);
        cuts.iter()
            .fold(picture, |picture, point| picture.with_mark(point, PictureMark::Cross, PictureTone::Weak))
            .with_key_line(Some(PictureTone::Good), self.in_language("solid", "つながっている"))
            .with_key_line(Some(PictureTone::Fair), self.in_language("holds, with aji", "つながるが味が悪い"))
            .with_key_line(
                Some(PictureTone::Weak),
                self.in_language("who moves first decides (x: the cut)", "先手しだい（x：切る点）"),
            )
            .with_key_line(Some(PictureTone::Bad), self.in_language("cut", "切れている"))
    }

    fn eyes_text(&self) -> (String, String) {
        let at = |point| self.analysis.spaces.iter().position(|space| space.points.contains(point));
        let diagram = self.draw_text_board(|point| at(point).map(|number| letter_for_number(number, 'a')));
        let mut table = String::from(
            "space  owner  points  form                    eyes if the opponent moves twice/first/second  vital\n",
        );
        for (number, space) in self.analysis.spaces.iter().enumerate() {
            let _ = writeln!(
                table,
                "{:<6} {:<6} {:>6}  {:<23} {:<46} {}",
                letter_for_number(number, 'a'),
                space.color.to_string(),
                space.points.len(),
                eye_kind_name(space.kind),
                eye_count_text(space.eyes),
                vital_points_text(&space.vital),
            );
        }
        (diagram, table)
    }

    fn draw_eyes(&self, mut picture: BoardPicture) -> BoardPicture {
        for (number, space) in self.analysis.spaces.iter().enumerate() {
            let tone = match space.eyes.second {
                TWO_EYES.. => PictureTone::Good,
                EYE.. => PictureTone::Fair,
                _ if space.eyes.first > 0 => PictureTone::Weak,
                _ => PictureTone::Bad,
            };
            for point in space.points.iter() {
                picture = picture.with_shade(point, tone, 0.94, 0.4);
            }
            for &point in &space.vital {
                picture = picture.with_mark(point, PictureMark::Circle, PictureTone::Bad);
            }
            let place = space
                .points
                .iter()
                .find(|&point| !space.vital.contains(&point) && self.board().color(point).is_none());
            if let Some(point) = place.filter(|_| space.points.len() < 40) {
                picture = picture.with_label(point, letter_for_number(number, 'a'), None);
            }
            picture = picture.with_key_line(
                Some(tone),
                format!(
                    "{} {}: {}",
                    letter_for_number(number, 'a'),
                    words::color_name(space.color, self.language),
                    eye_count_text(space.eyes)
                ),
            );
        }
        picture.with_key_line(
            None,
            self.in_language(
                "eyes if the opponent moves twice / first / second; ring: vital point",
                "眼の数：相手が二手／先手／後手のとき。丸：急所",
            ),
        )
    }

    fn groups_text(&self) -> (String, String) {
        let at = |point| self.analysis.groups.iter().position(|group| group.stones.contains(point));
        let diagram = self.draw_text_board(|point| {
            let first = if self.board().color(point)? == Color::Black { 'A' } else { 'a' };
            at(point).map(|number| letter_for_number(number, first))
        });
        let mut table = String::from(
            "group            strength   stones  chains  liberties  eyes                kill  save\n",
        );
        for (number, group) in self.analysis.groups.iter().enumerate() {
            let first = if group.color == Color::Black { 'A' } else { 'a' };
            let _ = writeln!(
                table,
                "{:<3} {:<12} {:<10} {:>6} {:>7} {:>10}  {:<18}  {:<5} {}",
                letter_for_number(number, first),
                stone_name(Some(group.color), group.name()),
                strength_name(group.strength),
                group.stones.len(),
                group.chains.len(),
                group.liberties.len(),
                eye_count_text(group.eyes),
                point_or_dash(group.fate.and_then(|fate| fate.kill)),
                point_or_dash(group.fate.and_then(|fate| fate.save)),
            );
            for (head, attacking) in [("if attacked", true), ("if defended", false)] {
                let line = self.life_sequence(group, attacking);
                if !line.is_empty() {
                    let _ = writeln!(
                        table,
                        "{:>4}{head}: {}",
                        "",
                        words::describe_sequence(&line, Language::English)
                    );
                }
            }
            for (head, told) in [
                ("could make eyes", group.potential.iter().map(potential_text).collect::<Vec<_>>()),
                ("could get out", group.escapes.iter().map(escape_text).collect()),
                ("beside", group.neighbours.iter().map(ToString::to_string).collect()),
            ] {
                if !told.is_empty() && group.strength != GroupStrength::Alive {
                    let _ = writeln!(table, "{:>4}{head}: {}", "", told.join(", "));
                }
            }
        }
        (diagram + "capitals Black, small letters White\n", table)
    }

    /// How it goes on for a group whose fate is open, if it is attacked, or defended: as read, and so empty where that begins with another move
    /// than the one that decides (which may be known by playouts, or from a capture), or where many larger groups are open, too.
    pub fn life_sequence(&self, group: &Group, attacking: bool) -> Vec<(Color, Point)> {
        let Some(fate) = group.fate.filter(|fate| fate.strength == GroupStrength::Critical) else {
            return Vec::new();
        };
        let largest = self.analysis.critical_groups().into_iter().take(LIVES_TOLD);
        if !largest.map(Group::name).any(|name| name == group.name()) {
            return Vec::new();
        }
        let decisive = if attacking { fate.kill } else { fate.save };
        let line = LifeReader::new(LIFE_MOVES).read_sequence(self.board(), group.name(), attacking);
        if line.first().map(|&(_, first)| first) == decisive { line } else { Vec::new() }
    }

    fn draw_groups(&self, mut picture: BoardPicture) -> BoardPicture {
        for (number, group) in self.analysis.groups.iter().enumerate() {
            let tone = strength_tone(group.strength);
            for stone in group.stones.iter() {
                picture = picture.with_shade(stone, tone, 1.0, 0.95);
            }
            let first = if group.color == Color::Black { 'A' } else { 'a' };
            picture =
                picture.with_label(group.name(), letter_for_number(number, first), Some(tone.text_tone()));
            if let Some(fate) = group.fate.filter(|fate| fate.strength == GroupStrength::Critical) {
                picture = mark_decisive_moves(picture, fate.kill, fate.save);
            }
        }
        STRENGTHS
            .into_iter()
            .fold(picture, |picture, state| {
                picture
                    .with_key_line(Some(strength_tone(state)), words::describe_strength(state, self.language))
            })
            .with_key_line(
                None,
                self.in_language("a kills, d saves, * both", "a：殺す、d：活きる、*：双方の急所"),
            )
    }

    fn influence_text(&self) -> (String, String) {
        let diagram = self.draw_text_board(|point| {
            let tenths = (10.0 * self.analysis.influence.balance_at(point)).round() as i32;
            self.board().color(point).is_none().then(|| tenths.to_string())
        });
        (diagram, "tenths: 10 is Black's for sure, -10 White's\n".to_string())
    }

    fn draw_influence(&self, picture: BoardPicture) -> BoardPicture {
        let empty = self.board().size().points().filter(|&point| self.board().color(point).is_none());
        empty
            .fold(picture, |picture, point| {
                let balance = f64::from(self.analysis.influence.balance_at(point));
                let tone = if balance > 0.0 { PictureTone::Black } else { PictureTone::White };
                picture.with_shade(point, tone, 1.0, 0.75 * balance.abs())
            })
            .with_key_line(Some(PictureTone::Black), self.in_language("black influence", "黒の勢力"))
            .with_key_line(Some(PictureTone::White), self.in_language("white influence", "白の勢力"))
    }

    fn territory_text(&self) -> (String, String) {
        let influence = &self.analysis.influence;
        let mark =
            |color, [black, white]: [&str; 2]| if color == Color::Black { black } else { white }.to_string();
        let diagram = self.draw_text_board(|point| {
            let is_open = self.board().color(point).is_none();
            let sure = influence.territory_owner(point).map(|color| mark(color, ["b", "w"]));
            sure.or_else(|| influence.moyo_owner(point).map(|color| mark(color, ["+", "-"])))
                .filter(|_| is_open)
        });
        let count = |color, of: &dyn Fn(Point) -> Option<Color>| {
            let open = |point: &Point| self.board().color(*point).is_none() && of(*point) == Some(color);
            self.board().size().points().filter(open).count()
        };
        let mut table = String::from("b w territory, + black moyo, - white moyo\n");
        for color in Color::ALL {
            let sure = count(color, &|point| influence.territory_owner(point));
            let frame = count(color, &|point| influence.moyo_owner(point));
            let thick = unsigned_zero(influence.thickness_of(color), 1);
            let _ = writeln!(table, "{color}: territory {sure}, moyo {frame}, thickness {thick:.1}");
        }
        let _ = writeln!(table, "{}", self.describe_lead(self.analysis.black_lead));
        (diagram, table)
    }

    fn draw_territory(&self, picture: BoardPicture) -> BoardPicture {
        let influence = &self.analysis.influence;
        let empty = self.board().size().points().filter(|&point| self.board().color(point).is_none());
        empty
            .fold(picture, |picture, point| {
                match (influence.territory_owner(point), influence.moyo_owner(point)) {
                    (Some(color), _) => picture.with_shade(point, PictureTone::from_color(color), 0.5, 0.95),
                    (None, Some(color)) => {
                        picture.with_shade(point, PictureTone::from_color(color), 0.25, 0.7)
                    }
                    (None, None) => picture,
                }
            })
            .with_key_line(None, self.in_language("large: territory, small: moyo", "大：地、小：模様"))
            .with_key_line(None, self.describe_lead(self.analysis.black_lead))
    }

    fn strategy_text(&self) -> String {
        let Analysis { phase, balance, sente, black_lead, .. } = self.analysis;
        let sente = unsigned_zero(*sente, 1);
        let mut text = format!(
            "phase           {}\nto move         {}, {}\nlead            {}\nsente is worth  {sente:.1} points\n",
            words::phase_name(*phase, Language::English),
            self.position.to_move(),
            words::describe_balance(*balance, Language::English),
            self.describe_lead(*black_lead),
        );
        let urgent = self.analysis.critical_groups();
        if urgent.is_empty() {
            text.push_str("urgent          none\n");
        }
        for group in urgent {
            let fate = group.fate;
            let _ = writeln!(
                text,
                "urgent          {} ({} stones): killed by {}, saved by {}",
                stone_name(Some(group.color), group.name()),
                group.stones.len(),
                point_or_dash(fate.and_then(|fate| fate.kill)),
                point_or_dash(fate.and_then(|fate| fate.save)),
            );
        }
        text
    }

    fn draw_strategy(&self, mut picture: BoardPicture) -> BoardPicture {
        for group in self.analysis.critical_groups() {
            for stone in group.stones.iter() {
                picture = picture.with_mark(stone, PictureMark::Triangle, PictureTone::Weak);
            }
            picture = mark_decisive_moves(
                picture,
                group.fate.and_then(|f| f.kill),
                group.fate.and_then(|f| f.save),
            );
        }
        let Analysis { phase, balance, sente, black_lead, .. } = self.analysis;
        let sente = unsigned_zero(*sente, 1);
        picture
            .with_key_line(
                Some(PictureTone::Weak),
                self.in_language(
                    "urgent group (a kills, d saves, * both)",
                    "急場の石（a：殺す、d：活きる、*：双方の急所）",
                ),
            )
            .with_key_line(None, words::phase_name(*phase, self.language))
            .with_key_line(
                None,
                format!(
                    "{}{}{}",
                    words::color_name(self.position.to_move(), self.language),
                    self.in_language(" to move: ", "番："),
                    words::describe_balance(*balance, self.language)
                ),
            )
            .with_key_line(None, self.describe_lead(*black_lead))
            .with_key_line(
                None,
                format!("{} {sente:.1}", self.in_language("sente, in points:", "先手の価値（目）：")),
            )
    }

    fn suggestions_text(&self) -> (String, String) {
        let told = &self.suggestions[..self.suggestions.len().min(SUGGESTIONS)];
        let at = |point| told.iter().position(|suggestion| suggestion.mv == point);
        let diagram = self.draw_text_board(|point| at(point).map(|number| (number + 1).to_string()));
        let mut table = String::from("     move  points  reasons\n");
        for (number, suggestion) in told.iter().enumerate() {
            let reasons: Vec<String> = reasons_to_tell(&suggestion.reasons, [])
                .into_iter()
                .take(3)
                .map(|reason| {
                    format!(
                        "{} ({:.0})",
                        words::describe_reason(reason, Language::English),
                        unsigned_zero(reason.value, 0)
                    )
                })
                .collect();
            let _ = writeln!(
                table,
                "{:>3}  {:<5} {:>6.1}  {}",
                number + 1,
                suggestion.mv.to_string(),
                unsigned_zero(suggestion.value, 1),
                reasons.join("; ")
            );
            if let Some(Some(outlook)) = self.outlooks.get(number) {
                let line: Vec<String> = outlook.line.iter().map(ToString::to_string).collect();
                let _ = writeln!(
                    table,
                    "            {:+6.1}  after {}",
                    unsigned_zero(outlook.value, 1),
                    line.join(" ")
                );
            }
        }
        (diagram, table)
    }

    fn draw_suggestions(&self, picture: BoardPicture) -> BoardPicture {
        let told = self.suggestions.iter().take(SUGGESTIONS).enumerate();
        told.fold(picture, |picture, (number, suggestion)| {
            let told = reasons_to_tell(&suggestion.reasons, []);
            let reason =
                told.first().map(|reason| shorten_sentence(&words::describe_reason(reason, self.language)));
            let reason = reason.unwrap_or_default();
            let number = (number + 1).to_string();
            let value = unsigned_zero(suggestion.value, 0);
            let key = format!("{number} {} {value:.0}: {reason}", suggestion.mv);
            picture.with_label(suggestion.mv, number, Some(PictureTone::Note)).with_key_line(None, key)
        })
    }
}

/// Marks the moves that decide: `a` kills or cuts off, `d` saves, `*` is the move of both sides.
fn mark_decisive_moves(picture: BoardPicture, attack: Option<Point>, defence: Option<Point>) -> BoardPicture {
    let label = |picture: BoardPicture, point: Option<Point>, text, tone| match point {
        Some(point) => picture.with_label(point, text, Some(tone)),
        None => picture,
    };
    if attack == defence {
        return label(picture, attack, "*", PictureTone::Note);
    }
    let picture = label(picture, attack, "a", PictureTone::Bad);
    label(picture, defence, "d", PictureTone::Good)
}

/// Letters of a sentence that a picture's key takes; those of Japanese are twice as wide.
const KEY_WIDTH: usize = 48;

/// A sentence that is no longer than that; a longer one is cut before a word, and has dots for the rest.
fn shorten_sentence(text: &str) -> String {
    let width = |letter: char| if letter.is_ascii() { 1 } else { 2 };
    let mut left = KEY_WIDTH;
    let fits = |&(_, letter): &(usize, char)| {
        let is_room = left >= width(letter);
        left = left.saturating_sub(width(letter));
        is_room
    };
    let end = text.char_indices().take_while(fits).last().map_or(0, |(at, letter)| at + letter.len_utf8());
    if end == text.len() {
        return text.to_string();
    }
    let part = &text[..end];
    let part = part.rfind(' ').map_or(part, |space| &part[..space]);
    format!("{} ...", part.trim_end_matches([',', ';', ':', '、', '。']))
}

/// A number that is written with so many digits after the point, without a minus before zero.
fn unsigned_zero(number: f64, digits: i32) -> f64 {
    if number.abs() < 0.5 * 0.1f64.powi(digits) { 0.0 } else { number }
}

/// `B D4`.
fn stone_name(color: Option<Color>, point: Point) -> String {
    format!("{} {point}", color.map_or('?', Color::letter))
}

fn join_points(points: impl IntoIterator<Item = Point>) -> String {
    points.into_iter().map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
}

fn point_or_dash(point: Option<Point>) -> String {
    point.map_or("-".to_string(), |point| point.to_string())
}

/// Names in turn: a to z, then with a number.
fn letter_for_number(number: usize, first: char) -> String {
    let letter = char::from(first as u8 + (number % 26) as u8);
    if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
}

/// What becomes of a question, in a word.
pub fn outcome_name(outcome: ReadingOutcome) -> &'static str {
    match outcome {
        ReadingOutcome::Fails => "fails",
        ReadingOutcome::KoSecond => "ko, taken second",
        ReadingOutcome::KoFirst => "ko, taken first",
        ReadingOutcome::Works => "works",
    }
}

/// Vital points, as `B2 C3`.
fn vital_points_text(vital: &[Point]) -> String {
    if vital.is_empty() { "-".to_string() } else { join_points(vital.iter().copied()) }
}

/// A part of an eye, in eyes.
fn eighths_to_eyes(eighths: u8) -> f64 {
    f64::from(eighths) / f64::from(EYE)
}

/// Eyes as `1/1.5/2`: if the opponent moves twice, first, or second.
pub fn eye_count_text(count: EyeCount) -> String {
    [count.least, count.second, count.first].map(|eighths| eighths_to_eyes(eighths).to_string()).join("/")
}

/// A strength in a word.
pub fn strength_name(strength: GroupStrength) -> &'static str {
    match strength {
        GroupStrength::Dead => "dead",
        GroupStrength::Critical => "critical",
        GroupStrength::Weak => "weak",
        GroupStrength::Unsettled => "unsettled",
        GroupStrength::Stable => "stable",
        GroupStrength::Alive => "alive",
    }
}

/// All strengths, the best first.
pub const STRENGTHS: [GroupStrength; 6] = [
    GroupStrength::Alive,
    GroupStrength::Stable,
    GroupStrength::Unsettled,
    GroupStrength::Weak,
    GroupStrength::Critical,
    GroupStrength::Dead,
];

/// A way to make eyes in words.
pub fn potential_kind_name(kind: PotentialKind) -> &'static str {
    match kind {
        PotentialKind::Edge => "along the edge",
        PotentialKind::VitalPoint => "vital point",
        PotentialKind::ConnectOut => "connecting out",
        PotentialKind::Capture => "capture",
        PotentialKind::Border => "closing the border",
    }
}

/// `D2 along the edge (1)`, in eyes.
fn potential_text(way: &PotentialEye) -> String {
    format!("{} {} ({})", way.mv, potential_kind_name(way.kind), eighths_to_eyes(way.gain))
}

/// What lies in a direction, in words.
pub fn escape_target_text(ahead: EscapeTarget) -> String {
    match ahead {
        EscapeTarget::Open => "open".to_string(),
        EscapeTarget::Strong(friend) => format!("strong friends at {friend}"),
        EscapeTarget::Weak(friend) => format!("weak friends at {friend}"),
        EscapeTarget::Enemy { lines } => format!("opponent after {lines}"),
        EscapeTarget::Edge => "edge".to_string(),
    }
}

fn escape_text(way: &Escape) -> String {
    format!("{} {}", way.point, escape_target_text(way.ahead))
}

/// The colour in which a strength is drawn.
pub fn strength_tone(strength: GroupStrength) -> PictureTone {
    PictureTone::Step(match strength {
        GroupStrength::Dead => 0,
        GroupStrength::Critical => 1,
        GroupStrength::Weak => 2,
        GroupStrength::Unsettled => 3,
        GroupStrength::Stable => 4,
        GroupStrength::Alive => 5,
    })
}

/// The form of an eye space in words.
pub fn eye_kind_name(kind: EyeKind) -> &'static str {
    match kind {
        EyeKind::Single => "single",
        EyeKind::False => "false",
        EyeKind::Two => "two points",
        EyeKind::Line { open: 0 } => "line",
        EyeKind::Line { open: 1 } => "line open at one end",
        EyeKind::Line { .. } => "line open at both ends",
        EyeKind::Big => "big",
        EyeKind::OfDeadStones => "of dead stones",
    }
}

/// The shape of a connection in words.
pub fn link_kind_name(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Diagonal => "diagonal",
        LinkKind::Hane => "hane",
        LinkKind::OnePointJump => "one-point jump",
        LinkKind::HalfKnight => "half knight",
        LinkKind::Knight => "knight",
        LinkKind::TwoPointJump => "two-point jump",
        LinkKind::LargeKnight => "large knight",
        LinkKind::HalfLargeKnight => "half large knight",
        LinkKind::Elephant => "elephant",
        LinkKind::ThreePointJump => "three-point jump",
        LinkKind::FirstLine => "first line",
        LinkKind::Multiple => "multiple",
        LinkKind::Common => "common liberty",
    }
}

/// The strength of a connection in a word.
pub fn link_strength_name(strength: LinkStrength) -> &'static str {
    match strength {
        LinkStrength::Cut => "cut",
        LinkStrength::Cuttable => "cuttable",
        LinkStrength::FirstMove => "whoever moves first",
        LinkStrength::WithAji => "with aji",
        LinkStrength::Solid => "solid",
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Diagram, Rules};

    use super::*;
    use crate::oracle::{Fate, NoOracle, ReadingOracle};

    /// Lightness as eyes see it, 0 to 100 (CIE L*).
    fn lightness(color: &str) -> f64 {
        let part = |n: usize| f64::from(u8::from_str_radix(&color[n..n + 2], 16).unwrap()) / 255.0;
        let linear = |part: f64| {
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let y = 0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5));
        if y > 0.008856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    #[test]
    fn strengths_are_told_apart_by_lightness_alone() {
        let board = Board::new(ishi_go::BoardSize::square(9).unwrap());
        let picture = STRENGTHS.into_iter().fold(BoardPicture::from_board(&board), |picture, state| {
            picture.with_key_line(Some(strength_tone(state)), "")
        });
        let mut seen: Vec<f64> = picture.key_lines().map(|(color, _)| lightness(color.unwrap())).collect();
        seen.sort_by(f64::total_cmp);
        assert_eq!(seen.len(), STRENGTHS.len());
        assert!(seen.windows(2).all(|pair| pair[1] - pair[0] >= 10.0), "{seen:?}");
    }

    fn view_without_suggestions<'a>(position: &'a Position, analysis: &'a Analysis) -> AnalysisView<'a> {
        AnalysisView { position, analysis, suggestions: &[], outlooks: &[], language: Language::English }
    }

    /// Three points in a row; a line that begins elsewhere than the fight is decided is not told.
    #[test]
    fn a_line_begins_with_the_move_that_decides() {
        let text = ". . . . . . .\nX X X X X . .\nO O O O X . .\n. . . O X . .";
        let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
        let analysis = Analysis::analyze(&position, &mut ReadingOracle::default());
        let shown = view_without_suggestions(&position, &analysis);
        let [stone, vital, other] =
            ["A2", "B1", "C1"].map(|vertex| position.size().parse_point(vertex).unwrap());
        let group = analysis.group_at(stone).unwrap();
        assert_eq!(shown.life_sequence(group, true)[0], (Color::Black, vital));
        assert_eq!(shown.life_sequence(group, false)[0], (Color::White, vital));
        let mut judged = group.clone();
        judged.fate = group.fate.map(|fate| Fate { kill: Some(other), ..fate });
        assert_eq!(shown.life_sequence(&judged, true), []);
        assert_eq!(shown.life_sequence(&judged, false)[0], (Color::White, vital));
    }

    /// Sixteen stones in atari that can get away: lines are read for the largest groups only.
    #[test]
    fn not_every_open_group_has_its_line() {
        let row = |text: &str| format!(".{}\n", [text; 4].join(".."));
        let block = format!("{}{}", row("XOX"), row(".X."));
        let empty = format!("{}\n", ".".repeat(19));
        let text = format!("{empty}{empty}{}", [block.as_str(); 4].join(empty.repeat(3).as_str()));
        let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
        let analysis = Analysis::analyze(&position, &mut NoOracle);
        let shown = view_without_suggestions(&position, &analysis);
        assert_eq!(analysis.critical_groups().len(), 16);
        let has_line = |group: &&Group| !shown.life_sequence(group, true).is_empty();
        assert_eq!(analysis.groups.iter().filter(has_line).count(), LIVES_TOLD);
    }

    #[test]
    fn long_sentences_are_cut_before_a_word() {
        assert_eq!(shorten_sentence("jumps one point from C5"), "jumps one point from C5");
        let long = "takes the stones at C5, and then those beside them, at length";
        assert_eq!(shorten_sentence(long), "takes the stones at C5, and then those beside ...");
        assert_eq!(shorten_sentence(&"あ".repeat(30)), format!("{} ...", "あ".repeat(24)));
    }

    #[test]
    fn zero_has_no_sign() {
        let told = |number: f64| format!("{:.1}", unsigned_zero(number, 1));
        assert_eq!([-0.0, -0.04, 0.04, -0.06, -3.0].map(told), ["0.0", "0.0", "0.0", "-0.1", "-3.0"]);
    }
}
