//! Reasons, rules and faults in words.

use std::ops::ControlFlow;

use ishi_deck::answers::DeckFault;
use ishi_deck::feasible::{DeckRule, Feasibility, InfeasibleReason, explain_feasibility};
use ishi_deck::{DeckRequest, Pool, Problem, search};
use ishi_rng::Seed;

/// Small numbers as words.
fn number_word(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_string())
}

/// `one fixed piece`, `four fixed pieces`.
fn pieces_phrase(count: usize, kind: &str) -> String {
    let kind = if kind.is_empty() { String::new() } else { format!("{kind} ") };
    format!("{} {kind}piece{}", number_word(count), if count == 1 { "" } else { "s" })
}

/// One reason why there is no deck, such as `four fixed pieces already cost 120 of 100`.
#[must_use]
pub fn describe_reason(problem: &Problem, reason: &InfeasibleReason) -> String {
    let pool = problem.pool();
    let attribute = |quota: usize| pool.attributes[problem.quotas()[quota].attribute].as_str();
    let of = |resource: usize| {
        if pool.resources.len() == 1 { String::new() } else { format!(" {}", pool.resources[resource]) }
    };
    let fixed_pieces = |count: usize| pieces_phrase(count, "fixed");
    let pieces = |count: usize| pieces_phrase(count, "");
    match *reason {
        InfeasibleReason::FixedCount { fixed, most } => {
            format!("{} for a deck of at most {most}", fixed_pieces(fixed))
        }
        InfeasibleReason::FixedCost { resource, fixed, cost, limit } => {
            let verb = if fixed == 1 { "costs" } else { "cost" };
            format!("{} already {verb} {cost} of {limit}{}", fixed_pieces(fixed), of(resource))
        }
        InfeasibleReason::FixedGroup { group, fixed, limit } => {
            let (some, name) = (fixed_pieces(fixed), &pool.groups[group].name);
            format!("{some} of the group {name}, of which a deck has at most {limit}")
        }
        InfeasibleReason::FixedQuota { quota, fixed, at_most } => {
            let (some, name) = (fixed_pieces(fixed), attribute(quota));
            format!("{some} with {name}, of which at most {at_most} are allowed")
        }
        InfeasibleReason::FewPieces { left, least } => {
            format!("only {} can be chosen, a deck has at least {least}", pieces(left))
        }
        InfeasibleReason::FewOfQuota { quota, left, at_least } => {
            let verb = if left == 1 { "is" } else { "are" };
            let (some, name) = (pieces(left), attribute(quota));
            format!("only {some} with {name} {verb} left, {at_least} are asked for")
        }
        InfeasibleReason::QuotaOverSize { quota, at_least, most } => {
            format!("{at_least} pieces with {} are asked for, a deck has at most {most}", attribute(quota))
        }
        InfeasibleReason::FewBeside { quota, at_most, others, least } => {
            let (name, rest) = (attribute(quota), pieces(others));
            format!(
                "at most {at_most} pieces with {name} are allowed and only {rest} without it left, a deck has at least {least}"
            )
        }
        InfeasibleReason::Cheapest { resource, pieces: all, fixed, cost, limit } => {
            format!("{} cost {cost} of {limit}{}", cheapest_phrase(all, fixed), of(resource))
        }
        InfeasibleReason::CheapestKeeping { resource, cost, limit, fixed } => {
            let with = if fixed == 0 { String::new() } else { format!(" with the {}", fixed_pieces(fixed)) };
            let resource = of(resource);
            format!("the cheapest deck{with} that keeps all other rules costs {cost} of {limit}{resource}")
        }
        InfeasibleReason::Conflict(ref rules) => describe_conflict(problem, rules),
    }
}

/// `the 12 cheapest allowed pieces`, or `two fixed pieces and the 10 cheapest others`.
fn cheapest_phrase(all: usize, fixed: usize) -> String {
    match fixed {
        0 => format!("the {all} cheapest allowed pieces"),
        _ => format!("{} and the {} cheapest others", pieces_phrase(fixed, "fixed"), all - fixed),
    }
}

fn describe_conflict(problem: &Problem, rules: &[DeckRule]) -> String {
    let rules: Vec<String> = rules.iter().map(|&one| describe_rule(problem, one)).collect();
    format!("no deck keeps all of these, and without any one of them there is one: {}", rules.join("; "))
}

/// A rule, such as `at least 10 with fire`.
#[must_use]
pub fn describe_rule(problem: &Problem, rule: DeckRule) -> String {
    let pool = problem.pool();
    let quota = |at: usize| {
        let quota = &problem.quotas()[at];
        (quota, pool.attributes[quota.attribute].as_str())
    };
    match rule {
        DeckRule::AtLeast(least) => format!("at least {least} pieces"),
        DeckRule::AtMost(most) => format!("at most {most} pieces"),
        DeckRule::Limit(resource) => match problem.limits()[resource] {
            Some(limit) => format!("{} at most {limit}", pool.resources[resource]),
            None => format!("the limit of {}", pool.resources[resource]),
        },
        DeckRule::QuotaAtLeast(at) => format!("at least {} with {}", quota(at).0.at_least, quota(at).1),
        DeckRule::QuotaAtMost(at) => format!("at most {} with {}", quota(at).0.at_most, quota(at).1),
        DeckRule::Groups => "the limits of groups".to_string(),
        DeckRule::Fixed(slot) => format!("{} fixed", problem.piece_name(slot)),
        DeckRule::Leader => "a leader out of those that may lead".to_string(),
    }
}

/// Why there is no deck, a line for each reason; empty if there is one or nobody knows.
#[must_use]
pub fn explain_infeasibility(problem: &Problem) -> Vec<String> {
    // Nearly always there is a deck, and one that is found at once says so sooner.
    let options = search::SearchOptions::new(Seed::new(1));
    if search::greedy_construction(problem, &options, &mut |_| ControlFlow::Continue(())).is_some() {
        return Vec::new();
    }
    match explain_feasibility(problem) {
        Feasibility::Infeasible(reasons) => reasons.iter().map(|one| describe_reason(problem, one)).collect(),
        Feasibility::Feasible | Feasibility::Undecided => Vec::new(),
    }
}

/// A rule that a deck breaks, such as `it costs 120 of 100`.
#[must_use]
pub fn describe_fault(pool: &Pool, request: &DeckRequest, fault: &DeckFault) -> String {
    let name = |id| pool.piece(id).name.as_str();
    match *fault {
        DeckFault::Size { pieces: count, least, most } if least == most => {
            format!("{}, a deck has {most}", pieces_phrase(count, ""))
        }
        DeckFault::Size { pieces: count, least, most } => {
            format!("{}, a deck has {least} to {most}", pieces_phrase(count, ""))
        }
        DeckFault::Cost { resource, cost, limit } => {
            format!("{} {cost}, at most {limit} allowed", pool.resources[resource])
        }
        DeckFault::Group { group, pieces: count, limit } => {
            format!(
                "{} of the group {}, at most {limit} allowed",
                pieces_phrase(count, ""),
                pool.groups[group].name
            )
        }
        DeckFault::Quota { attribute, pieces: count, at_least, at_most } => {
            let asked = match at_most {
                Some(at_most) if count > at_most => format!("at most {at_most} allowed"),
                _ => format!("at least {at_least} asked for"),
            };
            format!("{} with {}, {asked}", pieces_phrase(count, ""), pool.attributes[attribute])
        }
        DeckFault::NotOwned { card, pieces: 1, owned: 0 } => format!("{} is not owned", name(card)),
        DeckFault::NotOwned { card, pieces, owned } => {
            format!("{} copies of {}, {owned} owned", pieces, name(card))
        }
        DeckFault::Banned(card) => format!("{} is banned", name(card)),
        DeckFault::Fixed(card) => {
            let count = request.fixed.iter().filter(|&&id| id == card).count();
            let times = if count == 1 { String::new() } else { format!(" {count} times") };
            format!("{} is fixed{times} and missing", name(card))
        }
        DeckFault::NoLeader => "none of its pieces may lead".to_string(),
        DeckFault::Leader(card) if request.leader == ishi_deck::LeaderRule::None => {
            format!("{} leads, where nobody should", name(card))
        }
        DeckFault::Leader(card) => format!("{} may not lead", name(card)),
    }
}
