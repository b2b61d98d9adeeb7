//! Where synchronous constructs are waited for that are not waited for one by one, in the host's text.
//!
//! ```text
//! for (k = 0; k < n; k++) …     →     switch(__accrue_unobserved(1))for(;0;__accrue_unobserved(0))default:for (k = 0; k < n; k++) …
//! printf("%d\n", k);            →     __accrue_unobserved(2),printf("%d\n", k);
//! double t = now(), u;          →     double t = (__accrue_unobserved(2),now()), u;
//! while (more()) line();        →     switch(__accrue_unobserved(2))default:while (more()) line();
//! ```
//! A prefix alone in front of a loop, as in front of a data region (see [`super::host`]): nothing leaves the loop but at its end. What
//! may tell whether a construct is complete waits first.
//!
//! A loop that a pragma of somebody else is about stays as it is: that wants the loop itself behind it. So does one with such
//! pragmas inside, but for those that only tell the host's compiler how to compile: `omp barrier` lets other threads go on.

use super::lexer::{Token, TokenKind};
use super::statement::statement_end;
use super::unit::Unit;
use accrue_hostcall::Stretches;
use std::ops::Range;

/// What is put in front of a loop behind which constructs are waited for.
const BEGIN: &str = "switch(__accrue_unobserved(1))for(;0;__accrue_unobserved(0))default:";

/// What is put in front of another loop, to wait first.
const WAIT_BEFORE_LOOP: &str = "switch(__accrue_unobserved(2))default:";

/// What is put in front of an expression, to wait first.
const WAIT_BEFORE_EXPRESSION: &str = "__accrue_unobserved(2),";

/// What is put where, in any order.
pub fn additions(unit: &Unit, stretches: &Stretches) -> Vec<(usize, String)> {
    let mut additions: Vec<(usize, String)> = Vec::new();
    for place in &stretches.loops {
        additions.push((*place as usize, BEGIN.to_owned()));
    }
    for place in stretches.observers.iter().map(|place| *place as usize) {
        let tokens = &unit.outline.tokens;
        let at = unit.outline.index_of(place);
        let text = |token: &Token| token.of(&unit.text).to_vec();
        let before = at
            .checked_sub(1)
            .and_then(|index| tokens.get(index))
            .map(text);
        if tokens.get(at).map(text).is_some_and(|word| is_loop(&word)) {
            additions.push((place, WAIT_BEFORE_LOOP.to_owned()));
        } else if before.as_deref() == Some(b"=") {
            additions.push((place, format!("({WAIT_BEFORE_EXPRESSION}")));
            additions.push((end_of_initialiser(unit, at), ")".to_owned()));
        } else {
            additions.push((place, WAIT_BEFORE_EXPRESSION.to_owned()));
        }
    }
    additions
}

fn is_loop(word: &[u8]) -> bool {
    matches!(word, b"for" | b"while" | b"do")
}

/// Where the initialiser ends whose first token is the one at `first`.
fn end_of_initialiser(unit: &Unit, first: usize) -> usize {
    let (mut depth, mut end) = (0usize, unit.text.len());
    for token in unit.outline.tokens.get(first..).unwrap_or_default() {
        match token.of(&unit.text) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            b"," | b";" if depth == 0 => return end,
            _ => {}
        }
        end = token.end;
    }
    end
}

/// Whether the loop of the host at `range` can have something in front, and everything in it is its own work.
pub fn can_begin(unit: &Unit, range: &Range<usize>) -> bool {
    let pragmas = &unit.foreign_pragmas;
    let first = pragmas.partition_point(|it| it.start < range.start);
    let stands_before = pragmas[..first].last().is_some_and(|before| {
        let (from, to) = (
            unit.outline.index_of(before.end),
            unit.outline.index_of(range.start),
        );
        let between = &unit.outline.tokens[from..to];
        let direct = between.iter().all(|token| token.kind == TokenKind::Line);
        direct || is_nest(unit, between) && !is_about_compiling(&unit.text[before.clone()])
    });
    !stands_before && pragmas_are_about_compiling(unit, range)
}

/// Whether there is nothing in `tokens` but the heads of loops around the one behind them, of which a pragma may want several
/// (`collapse`).
fn is_nest(unit: &Unit, tokens: &[Token]) -> bool {
    let mut depth = 0usize;
    tokens.iter().all(|token| match token.of(&unit.text) {
        _ if token.kind == TokenKind::Line => true,
        b"(" => {
            depth += 1;
            true
        }
        b")" => {
            depth = depth.saturating_sub(1);
            true
        }
        b"for" | b"{" => true,
        _ => depth > 0,
    })
}

/// Whether a function of the host does what is in its body (`inside`) and nothing else. `whole` begins with its type.
pub fn is_all_there_is(unit: &Unit, whole: &Range<usize>, inside: &Range<usize>) -> bool {
    let (from, to) = (
        unit.outline.index_of(whole.start),
        unit.outline.index_of(inside.start),
    );
    let header = unit.outline.tokens.get(from..to).unwrap_or_default();
    let is_replaceable = header.iter().any(|token| {
        let word = token.of(&unit.text);
        let word = word.strip_prefix(b"__").unwrap_or(word);
        let word = word.strip_suffix(b"__").unwrap_or(word);
        matches!(word, b"weak" | b"gnu_inline" | b"ifunc" | b"naked")
    });
    !is_replaceable && pragmas_are_about_compiling(unit, inside)
}

/// Whether no pragma of somebody else in `range` changes what the program does.
fn pragmas_are_about_compiling(unit: &Unit, range: &Range<usize>) -> bool {
    let pragmas = &unit.foreign_pragmas;
    let first = pragmas.partition_point(|it| it.start < range.start);
    let mut inside = pragmas[first..]
        .iter()
        .take_while(|it| it.start < range.end);
    inside.all(|it| is_about_compiling(&unit.text[it.clone()]) || is_in_construct(unit, it.start))
}

/// Whether what is at `offset` belongs to the statement of a compute construct: it matters where the host executes that, which
/// waits first.
fn is_in_construct(unit: &Unit, offset: usize) -> bool {
    let before = unit
        .directives
        .partition_point(|it| it.source.span.start < offset);
    let mut before = unit.directives[..before].iter().rev();
    let construct = before.find(|it| it.directive.is_compute());
    construct
        .and_then(|construct| construct.next_token)
        .is_some_and(|next| {
            let tokens = &unit.outline.tokens;
            let end = statement_end(&unit.text, tokens, unit.outline.index_of(next));
            tokens.get(end).is_none_or(|behind| offset < behind.start)
        })
}

/// Whether the pragma changes nothing of what the program does.
fn is_about_compiling(pragma: &[u8]) -> bool {
    let mut words = pragma
        .split(|byte| !byte.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .skip_while(|word| matches!(*word, b"pragma" | b"_Pragma"));
    matches!(words.next(), Some(b"GCC" | b"clang" | b"STDC"))
}
