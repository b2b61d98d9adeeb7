//! What users write apart and compilers of devices take as one.
//!
//! ```text
//! #pragma omp target map(a)
//! #pragma omp teams num_teams(n)              →    #pragma omp target teams map(a) num_teams(n)
//!
//! #pragma omp target teams loop                    #pragma omp target teams loop
//! { for (…) … }                               →      for (…) …
//! ```
//! The host sets the number of teams and threads, so that it must know them in front of the region. The constructs are joined only if
//! no clause means something else on both than on one, and nothing in the region can have changed the number (OpenMP 5.2, sections 10.2
//! and 17). A block with nothing but the loop, or another such block, is clang's extension.
//!
//! Cost: each token is looked at a fixed number of times, in a text about devices.

use super::lexer::{Token, TokenKind};
use super::outline::Outline;
use super::paired_variants::edited;
use super::scan::{Found, FoundDirective, find};
use super::sentinel::{self, Sentinel};
use super::statement::{exact_end, group_end};
use accrue_directives::omp::selectors::Device;
use accrue_directives::omp::{self, Clause, ClauseArgs, ClauseKind, Directive, Leaf};
use accrue_directives::{Language, Span};
use std::ops::Range;

/// Writes the text anew; nothing if nothing in it is written apart.
pub(super) fn rewritten(text: &[u8], file: &str) -> Option<Vec<u8>> {
    let Found { directives, .. } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let mut outline: Option<Outline> = None;
    let mut edits = Vec::new();
    for (index, directive) in directives.iter().enumerate() {
        if directive.neighbours.after == b"{"
            && !directive.neighbours.directive_follows
            && let Ok(parsed) = omp::parse(&directive.text, Language::C)
            && parsed.kind.is_loop()
            && let Some(next) = directive.neighbours.after_offset
        {
            let outline = outline.get_or_insert_with(|| Outline::new(text));
            edits.extend(braces(text, outline, next));
        }
        if let Some(inner) = directives.get(index + 1)
            && inner.neighbours.after_offset == directive.neighbours.after_offset
            && text.get(inner.span.start) == Some(&b'#')
            && let Some(joined) = joined(directive, inner, &directives)
        {
            edits.push((directive.span.clone(), String::new()));
            edits.push((inner.span.clone(), format!("#pragma omp {joined}")));
        }
    }
    let none = edits.is_empty()
        || sentinel::openmp(text, file, Language::C, Device::Cores)
            .of_devices
            .is_empty();
    (!none).then(|| edited(text, edits))
}

/// The braces of a block that has nothing but a loop, perhaps in further braces.
fn braces(text: &[u8], outline: &Outline, open: usize) -> Vec<(Range<usize>, String)> {
    let tokens = &outline.tokens;
    let is_marker = |it: &&Token| it.kind == TokenKind::Line && !it.of(text).starts_with(b"#p");
    let skip = |at: usize| {
        let rest = tokens.get(at..).unwrap_or_default();
        at + rest.iter().take_while(is_marker).count()
    };
    let open = outline.index_of(open);
    let first = skip(open + 1);
    let close = group_end(text, tokens, open);
    let (Some(start), Some(end)) = (tokens.get(first), tokens.get(close)) else {
        return Vec::new();
    };
    let (behind, mut found) = match start.of(text) {
        b"for" => (exact_end(text, tokens, first), Vec::new()),
        b"{" => {
            let inner = braces(text, outline, start.start);
            match inner.is_empty() {
                true => return inner,
                false => (group_end(text, tokens, first) + 1, inner),
            }
        }
        _ => return Vec::new(),
    };
    if skip(behind) != close {
        return Vec::new();
    }
    let both = [tokens[open], *end];
    found.extend(both.map(|brace| (brace.start..brace.end, " ".to_string())));
    found
}

/// A `target` and the `teams` that is all of it, if the host must know what `teams` says and no device gives it another meaning.
fn joined(
    outer: &FoundDirective,
    inner: &FoundDirective,
    all: &[FoundDirective],
) -> Option<String> {
    let read = |it: &FoundDirective| omp::parse(&it.text, Language::C).ok();
    let (target, teams) = (read(outer)?, read(inner)?);
    let is_split =
        target.kind.leaves() == [Leaf::Target] && teams.kind.leaves().first() == Some(&Leaf::Teams);
    let numbers = || {
        let sizes = [
            ClauseKind::NumTeams,
            ClauseKind::ThreadLimit,
            ClauseKind::NumThreads,
        ];
        let clauses = sizes.into_iter().flat_map(|kind| teams.clauses_of(kind));
        clauses.flat_map(|(_, clause)| match &clause.args {
            ClauseArgs::Exprs(exprs) => exprs.iter().map(|it| it.of(&inner.text)).collect(),
            _ => Vec::new(),
        })
    };
    let is_name = |c: char| c.is_alphabetic() || c == '_';
    if !is_split || !numbers().any(|it: &str| it.contains(is_name)) {
        return None;
    }
    let words = |text: &str| -> Vec<String> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words = text.split(|c| !is_word(c)).map(str::to_string);
        words.filter(|word| word.starts_with(is_name)).collect()
    };
    let asked: Vec<String> = numbers().flat_map(words).collect();
    // What a device may have changed.
    let kept = all.iter().filter(|it| it.text.contains("declare target"));
    let kept = kept.map(|it| it.text.as_str());
    let maps = target.clauses_of(ClauseKind::Map);
    let mapped = maps.flat_map(|(_, clause)| clause.vars());
    let mapped = mapped.map(|var| var.base.of(&outer.text));
    let mut known = kept.chain(mapped).flat_map(words);
    let is_alike = target.clauses.iter().all(|clause| match clause.kind {
        ClauseKind::Map => true,
        ClauseKind::Device
        | ClauseKind::Nowait
        | ClauseKind::Depend
        | ClauseKind::Defaultmap
        | ClauseKind::IsDevicePtr
        | ClauseKind::HasDeviceAddr => true,
        ClauseKind::ThreadLimit => !teams.has(ClauseKind::ThreadLimit),
        ClauseKind::If => modifier(clause).is_some(),
        _ => false,
    });
    let has_if = teams.clauses_of(ClauseKind::If);
    let is_mapped = |name: &str| {
        let maps = target.clauses_of(ClauseKind::Map);
        let mut vars = maps.flat_map(|(_, clause)| clause.vars());
        vars.any(|var| var.base.of(&outer.text).trim() == name)
    };
    let reductions = teams.clauses_of(ClauseKind::Reduction);
    let mut reduced = reductions.flat_map(|(_, clause)| clause.vars());
    let fits = is_alike
        && has_if.into_iter().all(|(_, it)| modifier(it).is_some())
        && reduced.all(|var| is_mapped(var.base.of(&inner.text).trim()))
        && !known.any(|word| asked.contains(&word));
    let kind = teams.kind_span.of(&inner.text);
    let rest = |directive: &Directive, text: &str| {
        let end = directive.span.end;
        Span::new(directive.kind_span.end, end).of(text).to_string()
    };
    fits.then(|| {
        format!(
            "target {kind} {} {}",
            rest(&target, &outer.text),
            rest(&teams, &inner.text)
        )
    })
}

fn modifier(clause: &Clause) -> Option<Span> {
    match &clause.args {
        ClauseArgs::Modified { modifier, .. } => Some(*modifier),
        _ => None,
    }
}
