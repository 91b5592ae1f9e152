//! Reasons, rules and faults in words.

use std::ops::ControlFlow;

use ishi_deck::answers::DeckFault;
use ishi_deck::feasible::{DeckRule, Feasibility, InfeasibleReason, explain_feasibility};
use ishi_deck::{DeckRequest, Pool, Problem, search};
use ishi_rng::Seed;
use ishi_words::{CodedError, CodedMessage, ErrorFacts, FactValue, facts, noun_for};

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
    format!("{} {kind}{}", number_word(count), noun_for(count, "piece"))
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

/// What [`describe_rule`] says, and the same as data.
#[must_use]
pub fn tell_rule(problem: &Problem, rule: DeckRule) -> CodedMessage {
    CodedMessage::new(describe_rule(problem, rule), rule_facts(problem, rule))
}

fn rule_facts(problem: &Problem, rule: DeckRule) -> ErrorFacts {
    let pool = problem.pool();
    let quota = |at: usize| {
        let quota = &problem.quotas()[at];
        (quota, pool.attributes[quota.attribute].as_str())
    };
    match rule {
        DeckRule::AtLeast(least) => facts!["deck-rule-at-least", least],
        DeckRule::AtMost(most) => facts!["deck-rule-at-most", most],
        DeckRule::Limit(resource) => {
            let name = &pool.resources[resource];
            match problem.limits()[resource] {
                Some(limit) => facts!["deck-rule-limit", name, limit],
                None => facts!["deck-rule-some-limit", name],
            }
        }
        DeckRule::QuotaAtLeast(at) => {
            let (quota, name) = quota(at);
            facts!["deck-rule-quota-at-least", name, least = quota.at_least]
        }
        DeckRule::QuotaAtMost(at) => {
            let (quota, name) = quota(at);
            facts!["deck-rule-quota-at-most", name, most = quota.at_most]
        }
        DeckRule::Groups => facts!["deck-rule-groups"],
        DeckRule::Fixed(slot) => facts!["deck-rule-fixed", name = problem.piece_name(slot)],
        DeckRule::Leader => facts!["deck-rule-leader"],
    }
}

fn reason_facts(problem: &Problem, reason: &InfeasibleReason) -> ErrorFacts {
    let pool = problem.pool();
    let name_of = |quota: usize| pool.attributes[problem.quotas()[quota].attribute].as_str();
    let cost_of = |resource: usize| pool.resources[resource].as_str();
    match *reason {
        InfeasibleReason::FixedCount { fixed, most } => facts!["deck-reason-fixed-count", fixed, most],
        InfeasibleReason::FixedCost { resource, fixed, cost, limit } => {
            facts!["deck-reason-fixed-cost", fixed, cost, limit, resource = cost_of(resource)]
        }
        InfeasibleReason::FixedGroup { group, fixed, limit } => {
            facts!["deck-reason-fixed-group", fixed, limit, group = &pool.groups[group].name]
        }
        InfeasibleReason::FixedQuota { quota, fixed, at_most } => {
            facts!["deck-reason-fixed-quota", fixed, most = at_most, name = name_of(quota)]
        }
        InfeasibleReason::FewPieces { left, least } => facts!["deck-reason-few-pieces", left, least],
        InfeasibleReason::FewOfQuota { quota, left, at_least } => {
            facts!["deck-reason-few-of-quota", left, least = at_least, name = name_of(quota)]
        }
        InfeasibleReason::QuotaOverSize { quota, at_least, most } => {
            facts!["deck-reason-quota-over-size", least = at_least, most, name = name_of(quota)]
        }
        InfeasibleReason::FewBeside { quota, at_most, others, least } => {
            facts!["deck-reason-few-beside", most = at_most, others, least, name = name_of(quota)]
        }
        InfeasibleReason::Cheapest { resource, pieces, fixed, cost, limit } => {
            facts!["deck-reason-cheapest", pieces, fixed, cost, limit, resource = cost_of(resource)]
        }
        InfeasibleReason::CheapestKeeping { resource, cost, limit, fixed } => {
            facts!["deck-reason-cheapest-keeping", cost, limit, fixed, resource = cost_of(resource)]
        }
        InfeasibleReason::Conflict(ref rules) => {
            let rules = rules.iter().map(|&one| rule_facts(problem, one)).collect();
            facts!["deck-reason-conflict", rules = FactValue::Reasons(rules)]
        }
    }
}

/// That there is no deck, with all reasons of [`tell_infeasibility`].
#[must_use]
pub fn tell_no_deck(reasons: &[CodedMessage]) -> CodedMessage {
    let words: Vec<&str> = reasons.iter().map(|reason| &**reason).collect();
    let message = format!("there is no deck within what is wanted: {}", words.join("; "));
    let reasons = reasons.iter().map(CodedError::facts).collect();
    CodedMessage::new(message, facts!["deck-no-deck", reasons = FactValue::Reasons(reasons)])
}

/// Why there is no deck, a line for each reason; empty if there is one or nobody knows.
#[must_use]
pub fn explain_infeasibility(problem: &Problem) -> Vec<String> {
    tell_infeasibility(problem).iter().map(ToString::to_string).collect()
}

/// What [`explain_infeasibility`] says, and the same as data.
#[must_use]
pub fn tell_infeasibility(problem: &Problem) -> Vec<CodedMessage> {
    // Nearly always there is a deck, and one that is found at once says so sooner.
    let options = search::SearchOptions::new(Seed::new(1));
    if search::greedy_construction(problem, &options, &mut |_| ControlFlow::Continue(())).is_some() {
        return Vec::new();
    }
    match explain_feasibility(problem) {
        Feasibility::Infeasible(reasons) => {
            let tell = |one| CodedMessage::new(describe_reason(problem, one), reason_facts(problem, one));
            reasons.iter().map(tell).collect()
        }
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
