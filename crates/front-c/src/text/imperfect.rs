//! Nests of loops that are not perfect (OpenMP 5.2, section 4.4.1), for the host's compiler, which may know only perfect ones: there the
//! iterations of the outer loop are shared out, and an inner loop's counter is each thread's own all the same.
//!
//! ```text
//! parallel for collapse(2)             parallel for private(j)
//! for (i = 0; i < n; i++) {       →    for (i = 0; i < n; i++) {
//!     a[i] = 0;                            a[i] = 0;
//!     for (j = 0; j < m; j++) …            for (j = 0; j < m; j++) …
//! ```

use super::lexer::TokenKind;
use super::statement::{exact_end, group_end};
use super::unit::{ScannedDirective, Unit};
use accrue_directives::omp::{ClauseArgs, ClauseKind, Directive};

/// The directives that stand for `texts`, or for the directive itself if there are none; nothing if its nest is perfect.
pub(super) fn respelled(
    unit: &Unit,
    scanned: &ScannedDirective,
    texts: Option<&[String]>,
) -> Option<Vec<String>> {
    let omp = scanned.directive.omp()?;
    let (_, clause) = omp.clauses_of(ClauseKind::Collapse).next()?;
    let ClauseArgs::Exprs(exprs) = &clause.args else {
        return None;
    };
    let depth: usize = scanned.text_of(*exprs.first()?).trim().parse().ok()?;
    let counters = counters(unit, scanned, depth)?;
    let own = named(scanned, omp);
    let counters: Vec<&str> = counters
        .iter()
        .map(String::as_str)
        .filter(|counter| !own.contains(counter))
        .collect();
    let instead = match counters.is_empty() {
        true => String::new(),
        false => format!("private({})", counters.join(",")),
    };
    let old = scanned.text_of(clause.span);
    let own = [scanned.source.text.trim().to_string()];
    let texts = texts.unwrap_or(&own).iter();
    Some(texts.map(|it| it.replacen(old, &instead, 1)).collect())
}

/// The counters of the inner loops that are declared outside, if the nest is not perfect.
fn counters(unit: &Unit, scanned: &ScannedDirective, depth: usize) -> Option<Vec<String>> {
    let (text, tokens) = (&unit.text[..], &unit.outline.tokens);
    let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| token.of(text));
    let is_line = |at: usize| tokens.get(at).is_some_and(|it| it.kind == TokenKind::Line);
    let skip = |mut at: usize| {
        while is_line(at) {
            at += 1;
        }
        at
    };
    let mut at = skip(unit.outline.index_of(scanned.next_token?));
    let (mut counters, mut is_perfect) = (Vec::new(), true);
    for _ in 1..depth {
        if word(at) != b"for" {
            return None;
        }
        let body = skip(group_end(text, tokens, at + 1) + 1);
        at = body;
        if word(body) == b"{" {
            let close = group_end(text, tokens, body);
            let first = skip(body + 1);
            at = first;
            while at < close && word(at) != b"for" {
                at = match word(at) {
                    b"(" | b"[" | b"{" => group_end(text, tokens, at) + 1,
                    _ => at + 1,
                };
            }
            is_perfect &= at == first && skip(exact_end(text, tokens, at)) == close;
        }
        if word(at + 3) == b"=" {
            counters.push(String::from_utf8_lossy(word(at + 2)).into_owned());
        }
    }
    (!is_perfect).then_some(counters)
}

/// The variables of which a clause says that they are the thread's own.
fn named<'a>(scanned: &'a ScannedDirective, omp: &'a Directive) -> Vec<&'a str> {
    let kinds = [
        ClauseKind::Private,
        ClauseKind::Firstprivate,
        ClauseKind::Lastprivate,
        ClauseKind::Linear,
    ];
    let clauses = kinds.into_iter().flat_map(|kind| omp.clauses_of(kind));
    let vars = clauses.flat_map(|(_, clause)| clause.vars());
    vars.map(|var| scanned.text_of(var.base).trim()).collect()
}
