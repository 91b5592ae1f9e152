//! Every level of an [`Analysis`] as text and as a picture, to see what the program sees.

use std::fmt::Write;
use std::str::FromStr;

use ishi_go::picture::{Mark, Picture, Tone};
use ishi_go::{Board, Color, Point, Position};
use ishi_reading::{LifeReader, Outcome, PointSet, Status};

use crate::analysis::Analysis;
use crate::connections::Connections;
use crate::eyes::{EYE, EyeCount, EyeKind, TWO_EYES};
use crate::groups::{Ahead, Escape, Group, Potential, PotentialKind};
use crate::links::{LinkKind, LinkStrength};
use crate::lookahead::Outlook;
use crate::oracle::Strength;
use crate::reasons::telling;
use crate::rules::Suggestion;
use crate::style::SharedPoints;
use crate::words;
use ishi_words::Language;

/// A part of what is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
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

impl Level {
    /// All of them, from the ground up.
    pub const ALL: [Level; 9] = [
        Level::Chains,
        Level::Status,
        Level::Links,
        Level::Eyes,
        Level::Groups,
        Level::Influence,
        Level::Territory,
        Level::Strategy,
        Level::Suggestions,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Chains => "chains",
            Level::Status => "status",
            Level::Links => "links",
            Level::Eyes => "eyes",
            Level::Groups => "groups",
            Level::Influence => "influence",
            Level::Territory => "territory",
            Level::Strategy => "strategy",
            Level::Suggestions => "suggestions",
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let known = || Level::ALL.map(Level::name).join(", ");
        let found = Level::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| format!("{text:?} is no level: there are {} and all", known()))
    }
}

/// A position and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The position.
    pub position: &'a Position,
    /// What is known of it.
    pub analysis: &'a Analysis,
    /// The moves that rules suggest in it, the best first.
    pub suggestions: &'a [Suggestion],
    /// What is expected of the first of them, in the same order; empty if nobody looked ahead.
    pub outlooks: &'a [Option<Outlook>],
    /// Of the keys of pictures; tables are in English.
    pub language: Language,
}

/// Moves that are read for each move of a group's line.
const LIFE_MOVES: u32 = 50_000;

/// Suggestions that are drawn and listed.
pub const SUGGESTIONS: usize = 12;

impl Shown<'_> {
    /// A level in words and numbers: a diagram, then a table.
    pub fn text(&self, level: Level) -> String {
        let (diagram, table) = match level {
            Level::Chains => self.chains(),
            Level::Status => self.status(),
            Level::Links => self.links(),
            Level::Eyes => self.eyes(),
            Level::Groups => self.groups(),
            Level::Influence => self.influence(),
            Level::Territory => self.territory(),
            Level::Strategy => (String::new(), self.strategy()),
            Level::Suggestions => self.suggested(),
        };
        format!("{}\n{diagram}{table}", level.name().to_uppercase())
    }

    /// A level as a picture.
    pub fn picture(&self, level: Level) -> Picture {
        let picture = Picture::of(self.board()).title(level.name());
        match level {
            Level::Chains => self.draw_chains(picture),
            Level::Status => self.draw_status(picture),
            Level::Links => self.draw_links(picture),
            Level::Eyes => self.draw_eyes(picture),
            Level::Groups => self.draw_groups(picture),
            Level::Influence => self.draw_influence(picture),
            Level::Territory => self.draw_territory(picture),
            Level::Strategy => self.draw_strategy(picture),
            Level::Suggestions => self.draw_suggestions(picture),
        }
    }

    fn say(&self, english: &'static str, japanese: &'static str) -> &'static str {
        match self.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }

    /// Who leads, and by how much.
    fn lead(&self, black_lead: f64) -> String {
        let leader = if black_lead >= 0.0 { Color::Black } else { Color::White };
        let (leader, points) = (words::color(leader, self.language), black_lead.abs());
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
    fn diagram(&self, of: impl Fn(Point) -> Option<String>) -> String {
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

    fn chains(&self) -> (String, String) {
        let liberties = |point| self.analysis.chains.at(point).map(|chain| chain.liberties.len());
        let diagram = self.diagram(|point| {
            let letter =
                self.board().color(point).map(|color| if color == Color::Black { 'X' } else { 'O' })?;
            Some(format!("{letter}{}", liberties(point)?.min(9)))
        });
        let mut table = String::from("chain       stones  liberties  beside enemies\n");
        for chain in self.analysis.chains.iter() {
            let enemies = self.analysis.chains.enemies(chain);
            let _ = writeln!(
                table,
                "{:<10} {:>7} {:>10}  {}",
                named(chain.color, chain.name()),
                chain.stones.len(),
                chain.liberties.len(),
                if enemies.is_empty() { "-".to_string() } else { points(enemies) }
            );
        }
        (diagram + "a letter and the number of its chain's liberties, 9 at most\n", table)
    }

    fn draw_chains(&self, picture: Picture) -> Picture {
        let chains = || self.analysis.chains.iter();
        let one = |picture, chain: &crate::chains::ChainFacts| {
            let tone = match chain.liberties.len() {
                1 => Some(Tone::Bad),
                2 => Some(Tone::Weak),
                _ => None,
            };
            let count = chain.liberties.len().to_string();
            chain
                .stones
                .iter()
                .fold(picture, |picture: Picture, stone| picture.label(stone, count.clone(), tone))
        };
        chains()
            .fold(picture, one)
            .key(None, self.say("number: liberties of the chain", "数字：連の呼吸点"))
            .key(Some(Tone::Weak), self.say("two", "呼吸点二つ"))
            .key(Some(Tone::Bad), self.say("atari", "アタリ"))
    }

    fn status(&self) -> (String, String) {
        let diagram = self.diagram(|point| {
            let letter = match self.analysis.chain_status(point)? {
                Status::Safe => 's',
                Status::InDanger { .. } => '?',
                Status::Captured { .. } => '#',
            };
            let stone = if self.board().color(point) == Some(Color::Black) { 'X' } else { 'O' };
            Some(format!("{stone}{letter}"))
        });
        let mut table = String::from("chain       liberties  stands\n");
        for (name, status) in &self.analysis.status {
            let chain = self.analysis.chains.at(*name);
            let (word, answers) = match status {
                Status::Safe => ("safe", vec![]),
                Status::InDanger { attack, defence } => {
                    ("in danger", vec![("attacked", true, attack), ("defended", false, defence)])
                }
                Status::Captured { attack } => ("captured", vec![("attacked", true, attack)]),
            };
            let _ = writeln!(
                table,
                "{:<10} {:>10}  {word}",
                named(chain.and_then(|chain| chain.color), *name),
                chain.map_or(0, |chain| chain.liberties.len()),
            );
            for (verb, attacking, answer) in answers {
                let line = words::sequence(&self.sequence(*name, attacking), Language::English);
                let _ = writeln!(table, "{:>25}if {verb}: {} ({line})", "", outcome(answer.outcome));
            }
        }
        (
            diagram
                + "s safe as far as read, ? the next move decides, # captured; other chains were not read\n",
            table,
        )
    }

    /// How it goes on if a chain is attacked, or defended: what level 2 has read, played out.
    pub fn sequence(&self, chain: Point, attacking: bool) -> Vec<(Color, Point)> {
        self.analysis.sequence(self.board(), chain, attacking)
    }

    fn draw_status(&self, mut picture: Picture) -> Picture {
        for (name, status) in &self.analysis.status {
            let Some(chain) = self.analysis.chains.at(*name) else { continue };
            let (mark, tone) = match status {
                Status::Safe => (Mark::Circle, Tone::Good),
                Status::InDanger { .. } => (Mark::Triangle, Tone::Weak),
                Status::Captured { .. } => (Mark::Cross, Tone::Bad),
            };
            for stone in chain.stones.iter() {
                picture = picture.mark(stone, mark, tone);
            }
            if let Status::InDanger { attack, defence } = status {
                picture = decisive(picture, attack.mv, defence.mv);
            }
        }
        picture
            .key(Some(Tone::Good), self.say("safe as far as read", "読みの範囲で安全"))
            .key(Some(Tone::Weak), self.say("the next move decides", "次の一手しだい"))
            .key(Some(Tone::Bad), self.say("captured", "取られ"))
            .key(None, self.say("a attacks, d defends, * both", "a：攻め、d：守り、*：双方の急所"))
    }

    fn links(&self) -> (String, String) {
        let mut table =
            String::from("stones       shape            strength             shared  cut   connect\n");
        for link in &self.analysis.links {
            let [a, b] = link.stones;
            let shared = link.shared.map(|points| points.len().to_string()).join("/");
            let _ = writeln!(
                table,
                "{:<12} {:<16} {:<20} {shared:<7} {:<5} {}",
                format!("{} {b}", named(self.board().color(a), a)),
                link_kind(link.kind),
                link_strength(link.strength),
                maybe(link.cut),
                maybe(link.connect),
            );
        }
        let cuts = self.set_of(|link| link.strength.is_open(), |link| [link.cut, link.connect]);
        let diagram = self.diagram(|point| cuts.contains(point).then(|| "+".to_string()));
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
        let connections = Connections::of(self.board());
        let pair = |names: [Point; 2]| names.map(|name| name.to_string()).join("-");
        let mut text = String::from("\nchain  its connections\n");
        for chain in self.analysis.chains.iter() {
            let of_chain = connections.of_chain(chain.name()).into_iter().map(pair).collect::<Vec<_>>();
            if !of_chain.is_empty() {
                let _ = writeln!(text, "{:<6} {}", named(chain.color, chain.name()), of_chain.join(" "));
            }
        }
        text += "\npoint  its connections, and the lines to the farther chain\n";
        for point in self.board().size().points() {
            let at = connections.at(point).into_iter();
            let at = at.map(|(names, lines)| format!("{}:{lines}", pair(names))).collect::<Vec<_>>();
            if !at.is_empty() {
                let _ = writeln!(text, "{:<6} {}", point.to_string(), at.join(" "));
            }
        }
        text
    }

    fn set_of(
        &self,
        wanted: impl Fn(&crate::links::Link) -> bool,
        of: impl Fn(&crate::links::Link) -> [Option<Point>; 2],
    ) -> PointSet {
        self.analysis.links.iter().filter(|link| wanted(link)).flat_map(of).flatten().collect()
    }

    fn draw_links(&self, mut picture: Picture) -> Picture {
        for link in &self.analysis.links {
            let (tone, dashed) = match link.strength {
                LinkStrength::Solid => (Tone::Good, false),
                LinkStrength::WithAji => (Tone::Fair, false),
                LinkStrength::FirstMove => (Tone::Weak, false),
                LinkStrength::Cuttable => (Tone::Weak, true),
                LinkStrength::Cut => (Tone::Bad, true),
            };
            picture = picture.line(link.stones, tone, dashed);
        }
        let cuts = self.set_of(|link| link.strength.is_open(), |link| [link.cut, None]);
        cuts.iter()
            .fold(picture, |picture, point| picture.mark(point, Mark::Cross, Tone::Weak))
            .key(Some(Tone::Good), self.say("solid", "つながっている"))
            .key(Some(Tone::Fair), self.say("holds, with aji", "つながるが味が悪い"))
            .key(
                Some(Tone::Weak),
                self.say("who moves first decides (x: the cut)", "先手しだい（x：切る点）"),
            )
            .key(Some(Tone::Bad), self.say("cut", "切れている"))
    }

    fn eyes(&self) -> (String, String) {
        let at = |point| self.analysis.spaces.iter().position(|space| space.points.contains(point));
        let diagram = self.diagram(|point| at(point).map(|number| letter(number, 'a')));
        let mut table = String::from(
            "space  owner  points  form                    eyes if the opponent moves twice/first/second  vital\n",
        );
        for (number, space) in self.analysis.spaces.iter().enumerate() {
            let _ = writeln!(
                table,
                "{:<6} {:<6} {:>6}  {:<23} {:<46} {}",
                letter(number, 'a'),
                space.color.to_string(),
                space.points.len(),
                eye_kind(space.kind),
                eyes(space.eyes),
                vital(&space.vital),
            );
        }
        (diagram, table)
    }

    fn draw_eyes(&self, mut picture: Picture) -> Picture {
        for (number, space) in self.analysis.spaces.iter().enumerate() {
            let tone = match space.eyes.second {
                TWO_EYES.. => Tone::Good,
                EYE.. => Tone::Fair,
                _ if space.eyes.first > 0 => Tone::Weak,
                _ => Tone::Bad,
            };
            for point in space.points.iter() {
                picture = picture.shade(point, tone, 0.94, 0.4);
            }
            for &point in &space.vital {
                picture = picture.mark(point, Mark::Circle, Tone::Bad);
            }
            let place = space
                .points
                .iter()
                .find(|&point| !space.vital.contains(&point) && self.board().color(point).is_none());
            if let Some(point) = place.filter(|_| space.points.len() < 40) {
                picture = picture.label(point, letter(number, 'a'), None);
            }
            picture = picture.key(
                Some(tone),
                format!(
                    "{} {}: {}",
                    letter(number, 'a'),
                    words::color(space.color, self.language),
                    eyes(space.eyes)
                ),
            );
        }
        picture.key(
            None,
            self.say(
                "eyes if the opponent moves twice / first / second; ring: vital point",
                "眼の数：相手が二手／先手／後手のとき。丸：急所",
            ),
        )
    }

    fn groups(&self) -> (String, String) {
        let at = |point| self.analysis.groups.iter().position(|group| group.stones.contains(point));
        let diagram = self.diagram(|point| {
            let first = if self.board().color(point)? == Color::Black { 'A' } else { 'a' };
            at(point).map(|number| letter(number, first))
        });
        let mut table = String::from(
            "group            strength   stones  chains  liberties  eyes                kill  save\n",
        );
        for (number, group) in self.analysis.groups.iter().enumerate() {
            let first = if group.color == Color::Black { 'A' } else { 'a' };
            let _ = writeln!(
                table,
                "{:<3} {:<12} {:<10} {:>6} {:>7} {:>10}  {:<18}  {:<5} {}",
                letter(number, first),
                named(Some(group.color), group.name()),
                strength(group.strength),
                group.stones.len(),
                group.chains.len(),
                group.liberties.len(),
                eyes(group.eyes),
                maybe(group.fate.and_then(|fate| fate.kill)),
                maybe(group.fate.and_then(|fate| fate.save)),
            );
            for (head, attacking) in [("if attacked", true), ("if defended", false)] {
                let line = self.life_line(group, attacking);
                if !line.is_empty() {
                    let _ = writeln!(table, "{:>4}{head}: {}", "", words::sequence(&line, Language::English));
                }
            }
            for (head, told) in [
                ("could make eyes", group.potential.iter().map(potential).collect::<Vec<_>>()),
                ("could get out", group.escapes.iter().map(escape).collect()),
                ("beside", group.neighbours.iter().map(ToString::to_string).collect()),
            ] {
                if !told.is_empty() && group.strength != Strength::Alive {
                    let _ = writeln!(table, "{:>4}{head}: {}", "", told.join(", "));
                }
            }
        }
        (diagram + "capitals Black, small letters White\n", table)
    }

    /// How it goes on for a group whose fate is open, if it is attacked, or defended: as read, and so empty where that begins with another move
    /// than the one that decides (which may be known by playouts, or from a capture).
    pub fn life_line(&self, group: &Group, attacking: bool) -> Vec<(Color, Point)> {
        let Some(fate) = group.fate.filter(|fate| fate.strength == Strength::Critical) else {
            return Vec::new();
        };
        let decisive = if attacking { fate.kill } else { fate.save };
        let line = LifeReader::new(LIFE_MOVES).sequence(self.board(), group.name(), attacking);
        if line.first().map(|&(_, first)| first) == decisive { line } else { Vec::new() }
    }

    fn draw_groups(&self, mut picture: Picture) -> Picture {
        for (number, group) in self.analysis.groups.iter().enumerate() {
            let tone = strength_tone(group.strength);
            for stone in group.stones.iter() {
                picture = picture.shade(stone, tone, 1.0, 0.95);
            }
            let first = if group.color == Color::Black { 'A' } else { 'a' };
            picture = picture.label(group.name(), letter(number, first), Some(tone.ink()));
            if let Some(fate) = group.fate.filter(|fate| fate.strength == Strength::Critical) {
                picture = decisive(picture, fate.kill, fate.save);
            }
        }
        STRENGTHS
            .into_iter()
            .fold(picture, |picture, state| {
                picture.key(Some(strength_tone(state)), words::strength(state, self.language))
            })
            .key(None, self.say("a kills, d saves, * both", "a：殺す、d：活きる、*：双方の急所"))
    }

    fn influence(&self) -> (String, String) {
        let diagram = self.diagram(|point| {
            let tenths = (10.0 * self.analysis.influence.balance(point)).round() as i32;
            self.board().color(point).is_none().then(|| tenths.to_string())
        });
        (diagram, "tenths: 10 is Black's for sure, -10 White's\n".to_string())
    }

    fn draw_influence(&self, picture: Picture) -> Picture {
        let empty = self.board().size().points().filter(|&point| self.board().color(point).is_none());
        empty
            .fold(picture, |picture, point| {
                let balance = f64::from(self.analysis.influence.balance(point));
                let tone = if balance > 0.0 { Tone::Black } else { Tone::White };
                picture.shade(point, tone, 1.0, 0.75 * balance.abs())
            })
            .key(Some(Tone::Black), self.say("black influence", "黒の勢力"))
            .key(Some(Tone::White), self.say("white influence", "白の勢力"))
    }

    fn territory(&self) -> (String, String) {
        let influence = &self.analysis.influence;
        let mark =
            |color, [black, white]: [&str; 2]| if color == Color::Black { black } else { white }.to_string();
        let diagram = self.diagram(|point| {
            let is_open = self.board().color(point).is_none();
            let sure = influence.territory(point).map(|color| mark(color, ["b", "w"]));
            sure.or_else(|| influence.moyo(point).map(|color| mark(color, ["+", "-"]))).filter(|_| is_open)
        });
        let count = |color, of: &dyn Fn(Point) -> Option<Color>| {
            let open = |point: &Point| self.board().color(*point).is_none() && of(*point) == Some(color);
            self.board().size().points().filter(open).count()
        };
        let mut table = String::from("b w territory, + black moyo, - white moyo\n");
        for color in Color::ALL {
            let sure = count(color, &|point| influence.territory(point));
            let frame = count(color, &|point| influence.moyo(point));
            let thick = unsigned_zero(influence.thickness(color), 1);
            let _ = writeln!(table, "{color}: territory {sure}, moyo {frame}, thickness {thick:.1}");
        }
        let _ = writeln!(table, "{}", self.lead(self.analysis.black_lead));
        (diagram, table)
    }

    fn draw_territory(&self, picture: Picture) -> Picture {
        let influence = &self.analysis.influence;
        let empty = self.board().size().points().filter(|&point| self.board().color(point).is_none());
        empty
            .fold(picture, |picture, point| match (influence.territory(point), influence.moyo(point)) {
                (Some(color), _) => picture.shade(point, Tone::of(color), 0.5, 0.95),
                (None, Some(color)) => picture.shade(point, Tone::of(color), 0.25, 0.7),
                (None, None) => picture,
            })
            .key(None, self.say("large: territory, small: moyo", "大：地、小：模様"))
            .key(None, self.lead(self.analysis.black_lead))
    }

    fn strategy(&self) -> String {
        let Analysis { phase, balance, sente, black_lead, .. } = self.analysis;
        let sente = unsigned_zero(*sente, 1);
        let mut text = format!(
            "phase           {}\nto move         {}, {}\nlead            {}\nsente is worth  {sente:.1} points\n",
            words::phase(*phase, Language::English),
            self.position.to_move(),
            words::balance(*balance, Language::English),
            self.lead(*black_lead),
        );
        let urgent = self.analysis.urgent();
        if urgent.is_empty() {
            text.push_str("urgent          none\n");
        }
        for group in urgent {
            let fate = group.fate;
            let _ = writeln!(
                text,
                "urgent          {} ({} stones): killed by {}, saved by {}",
                named(Some(group.color), group.name()),
                group.stones.len(),
                maybe(fate.and_then(|fate| fate.kill)),
                maybe(fate.and_then(|fate| fate.save)),
            );
        }
        text
    }

    fn draw_strategy(&self, mut picture: Picture) -> Picture {
        for group in self.analysis.urgent() {
            for stone in group.stones.iter() {
                picture = picture.mark(stone, Mark::Triangle, Tone::Weak);
            }
            picture = decisive(picture, group.fate.and_then(|f| f.kill), group.fate.and_then(|f| f.save));
        }
        let Analysis { phase, balance, sente, black_lead, .. } = self.analysis;
        let sente = unsigned_zero(*sente, 1);
        picture
            .key(
                Some(Tone::Weak),
                self.say(
                    "urgent group (a kills, d saves, * both)",
                    "急場の石（a：殺す、d：活きる、*：双方の急所）",
                ),
            )
            .key(None, words::phase(*phase, self.language))
            .key(
                None,
                format!(
                    "{}{}{}",
                    words::color(self.position.to_move(), self.language),
                    self.say(" to move: ", "番："),
                    words::balance(*balance, self.language)
                ),
            )
            .key(None, self.lead(*black_lead))
            .key(None, format!("{} {sente:.1}", self.say("sente, in points:", "先手の価値（目）：")))
    }

    fn suggested(&self) -> (String, String) {
        let told = &self.suggestions[..self.suggestions.len().min(SUGGESTIONS)];
        let at = |point| told.iter().position(|suggestion| suggestion.mv == point);
        let diagram = self.diagram(|point| at(point).map(|number| (number + 1).to_string()));
        let mut table = String::from("     move  points  reasons\n");
        for (number, suggestion) in told.iter().enumerate() {
            let reasons: Vec<String> = telling(&suggestion.reasons, [])
                .into_iter()
                .take(3)
                .map(|reason| {
                    format!(
                        "{} ({:.0})",
                        words::reason(reason, Language::English),
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

    fn draw_suggestions(&self, picture: Picture) -> Picture {
        let told = self.suggestions.iter().take(SUGGESTIONS).enumerate();
        told.fold(picture, |picture, (number, suggestion)| {
            let told = telling(&suggestion.reasons, []);
            let reason = told.first().map(|reason| shortened(&words::reason(reason, self.language)));
            let reason = reason.unwrap_or_default();
            let number = (number + 1).to_string();
            let value = unsigned_zero(suggestion.value, 0);
            let key = format!("{number} {} {value:.0}: {reason}", suggestion.mv);
            picture.label(suggestion.mv, number, Some(Tone::Note)).key(None, key)
        })
    }
}

/// Marks the moves that decide: `a` kills or cuts off, `d` saves, `*` is the move of both sides.
fn decisive(picture: Picture, attack: Option<Point>, defence: Option<Point>) -> Picture {
    let label = |picture: Picture, point: Option<Point>, text, tone| match point {
        Some(point) => picture.label(point, text, Some(tone)),
        None => picture,
    };
    if attack == defence {
        return label(picture, attack, "*", Tone::Note);
    }
    let picture = label(picture, attack, "a", Tone::Bad);
    label(picture, defence, "d", Tone::Good)
}

/// Letters of a sentence that a picture's key takes; those of Japanese are twice as wide.
const KEY_WIDTH: usize = 48;

/// A sentence that is no longer than that; a longer one is cut before a word, and has dots for the rest.
fn shortened(text: &str) -> String {
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
fn named(color: Option<Color>, point: Point) -> String {
    format!("{} {point}", color.map_or('?', Color::letter))
}

fn points(points: impl IntoIterator<Item = Point>) -> String {
    points.into_iter().map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
}

fn maybe(point: Option<Point>) -> String {
    point.map_or("-".to_string(), |point| point.to_string())
}

/// Names in turn: a to z, then with a number.
fn letter(number: usize, first: char) -> String {
    let letter = char::from(first as u8 + (number % 26) as u8);
    if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
}

/// What becomes of a question, in a word.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fails => "fails",
        Outcome::KoSecond => "ko, taken second",
        Outcome::KoFirst => "ko, taken first",
        Outcome::Works => "works",
    }
}

/// Vital points, as `B2 C3`.
fn vital(vital: &[Point]) -> String {
    if vital.is_empty() { "-".to_string() } else { points(vital.iter().copied()) }
}

/// A part of an eye, in eyes.
fn in_eyes(eighths: u8) -> f64 {
    f64::from(eighths) / f64::from(EYE)
}

/// Eyes as `1/1.5/2`: if the opponent moves twice, first, or second.
pub fn eyes(count: EyeCount) -> String {
    [count.least, count.second, count.first].map(|eighths| in_eyes(eighths).to_string()).join("/")
}

/// A strength in a word.
pub fn strength(strength: Strength) -> &'static str {
    match strength {
        Strength::Dead => "dead",
        Strength::Critical => "critical",
        Strength::Weak => "weak",
        Strength::Unsettled => "unsettled",
        Strength::Stable => "stable",
        Strength::Alive => "alive",
    }
}

/// All strengths, the best first.
pub const STRENGTHS: [Strength; 6] = [
    Strength::Alive,
    Strength::Stable,
    Strength::Unsettled,
    Strength::Weak,
    Strength::Critical,
    Strength::Dead,
];

/// A way to make eyes in words.
pub fn potential_kind(kind: PotentialKind) -> &'static str {
    match kind {
        PotentialKind::Edge => "along the edge",
        PotentialKind::VitalPoint => "vital point",
        PotentialKind::ConnectOut => "connecting out",
        PotentialKind::Capture => "capture",
        PotentialKind::Border => "closing the border",
    }
}

/// `D2 along the edge (1)`, in eyes.
fn potential(way: &Potential) -> String {
    format!("{} {} ({})", way.mv, potential_kind(way.kind), in_eyes(way.gain))
}

/// What lies in a direction, in words.
pub fn ahead(ahead: Ahead) -> String {
    match ahead {
        Ahead::Open => "open".to_string(),
        Ahead::Strong(friend) => format!("strong friends at {friend}"),
        Ahead::Weak(friend) => format!("weak friends at {friend}"),
        Ahead::Enemy { lines } => format!("opponent after {lines}"),
        Ahead::Edge => "edge".to_string(),
    }
}

fn escape(way: &Escape) -> String {
    format!("{} {}", way.point, ahead(way.ahead))
}

/// The colour in which a strength is drawn.
pub fn strength_tone(strength: Strength) -> Tone {
    Tone::Step(match strength {
        Strength::Dead => 0,
        Strength::Critical => 1,
        Strength::Weak => 2,
        Strength::Unsettled => 3,
        Strength::Stable => 4,
        Strength::Alive => 5,
    })
}

/// The form of an eye space in words.
pub fn eye_kind(kind: EyeKind) -> &'static str {
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
pub fn link_kind(kind: LinkKind) -> &'static str {
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
pub fn link_strength(strength: LinkStrength) -> &'static str {
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
    use crate::oracle::{Fate, ReadingOracle};

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
        let picture = STRENGTHS
            .into_iter()
            .fold(Picture::of(&board), |picture, state| picture.key(Some(strength_tone(state)), ""));
        let mut seen: Vec<f64> = picture.keys().map(|(color, _)| lightness(color.unwrap())).collect();
        seen.sort_by(f64::total_cmp);
        assert_eq!(seen.len(), STRENGTHS.len());
        assert!(seen.windows(2).all(|pair| pair[1] - pair[0] >= 10.0), "{seen:?}");
    }

    /// Three points in a row; a line that begins elsewhere than the fight is decided is not told.
    #[test]
    fn a_line_begins_with_the_move_that_decides() {
        let text = ". . . . . . .\nX X X X X . .\nO O O O X . .\n. . . O X . .";
        let position = text.parse::<Diagram>().unwrap().position(Rules::CHINESE, Color::Black).unwrap();
        let analysis = Analysis::of(&position, &mut ReadingOracle::default());
        let language = Language::English;
        let shown =
            Shown { position: &position, analysis: &analysis, suggestions: &[], outlooks: &[], language };
        let [stone, vital, other] =
            ["A2", "B1", "C1"].map(|vertex| position.size().parse_point(vertex).unwrap());
        let group = analysis.group(stone).unwrap();
        assert_eq!(shown.life_line(group, true)[0], (Color::Black, vital));
        assert_eq!(shown.life_line(group, false)[0], (Color::White, vital));
        let mut judged = group.clone();
        judged.fate = group.fate.map(|fate| Fate { kill: Some(other), ..fate });
        assert_eq!(shown.life_line(&judged, true), []);
        assert_eq!(shown.life_line(&judged, false)[0], (Color::White, vital));
    }

    #[test]
    fn long_sentences_are_cut_before_a_word() {
        assert_eq!(shortened("jumps one point from C5"), "jumps one point from C5");
        let long = "takes the stones at C5, and then those beside them, at length";
        assert_eq!(shortened(long), "takes the stones at C5, and then those beside ...");
        assert_eq!(shortened(&"あ".repeat(30)), format!("{} ...", "あ".repeat(24)));
    }

    #[test]
    fn zero_has_no_sign() {
        let told = |number: f64| format!("{:.1}", unsigned_zero(number, 1));
        assert_eq!([-0.0, -0.04, 0.04, -0.06, -3.0].map(told), ["0.0", "0.0", "0.0", "-0.1", "-3.0"]);
    }
}
