//! `register` variables whose address the host text takes.
//!
//! Problem: a variable that is reduced or copied is passed by its address, and C allows none of a `register` variable. The
//! keyword is only advice to the compiler, so it is left out of the declarations of such variables:
//!
//! ```text
//! register int i, s = 0;                        int i, s = 0;
//! #pragma acc … reduction(+:s)           →      … &(s) …
//! ```
//!
//! A variable in a register of the user's choice (`register int s asm("r12")`) keeps it: his compiler says what is wrong.

use super::host_call::HostCall;
use super::lexer::{TokenKind, is_word, name_of};
use super::outline::Body;
use super::statement::group_end;
use super::unit::Unit;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// The places of the keywords to leave out, in order.
pub fn keywords(unit: &Unit, calls: &[Option<HostCall>]) -> Vec<Range<usize>> {
    // For each function the variables whose address is taken.
    let mut taken: BTreeMap<usize, HashSet<&str>> = BTreeMap::new();
    for directive in &unit.directives {
        let call = calls.get(directive.ordinal).and_then(Option::as_ref);
        let Some(function) = unit.outline.body_around(directive.source.span.start) else {
            continue;
        };
        let lvalues = call.into_iter().flat_map(|call| &call.addressed);
        let names = lvalues.filter_map(|lvalue| variable_of(lvalue));
        taken.entry(function).or_default().extend(names);
    }
    let mut found = Vec::new();
    for (function, names) in taken {
        if let Some(body) = unit.outline.bodies.get(function) {
            found.extend(in_function(unit, body, &names));
        }
    }
    found
}

/// The variable that an lvalue is part of.
fn variable_of(lvalue: &str) -> Option<&str> {
    let text = lvalue.trim_start_matches(['(', ' ']);
    let end = text.bytes().position(|byte| !is_word(byte));
    text.get(..end.unwrap_or(text.len()))
}

fn in_function(unit: &Unit, body: &Body, names: &HashSet<&str>) -> Vec<Range<usize>> {
    let (text, tokens) = (&unit.text, &unit.outline.tokens);
    let mut found = Vec::new();
    for index in body.start..body.close {
        if tokens[index].of(text) != b"register" {
            continue;
        }
        // The declaration; of a parameter perhaps those behind it too.
        let (mut at, mut named, mut fixed) = (index + 1, false, false);
        while at < body.close {
            match tokens[at].of(text) {
                b";" | b")" => break,
                b"asm" | b"__asm" | b"__asm__" => fixed = true,
                b"(" | b"[" | b"{" => at = group_end(text, tokens, at),
                word => {
                    let is_name = tokens[at].kind == TokenKind::Word;
                    let name = name_of(word);
                    let name = std::str::from_utf8(&name).unwrap_or_default();
                    named |= is_name && names.contains(name);
                }
            }
            at += 1;
        }
        if named && !fixed {
            found.push(tokens[index].start..tokens[index].end);
        }
    }
    found
}
