//! Which variables and functions stand between `declare target` and `end declare target` (OpenMP 5.2, section 7.8).
//!
//! ```text
//! #pragma omp declare target            nothing
//! int a[9], *p; int f(int x);           (the host compiler's)
//! #pragma omp end declare target        as if it were: declare target enter(a, p, f)
//! ```
//! The end of a pair is the directive about what is in it, because all of it is known there. A region may call any function of its file;
//! the directive says of functions that other files have them, or may call them. An inner pair has its own names; functions of system
//! headers are libraries'.
//!
//! Cost: each token of a pair is looked at a fixed number of times.

use super::declared_names::{functions, variables};
use super::lexer::{Token, TokenKind};
use super::outline::Outline;
use super::paired_variants::declared;
use super::position::LineMap;
use super::scan::FoundDirective;
use accrue_directives::Language;
use accrue_directives::omp::{self, ClauseKind, DirectiveKind};
use std::collections::HashMap;

/// What is known of the directives of a text before they are parsed.
#[derive(Default)]
pub(super) struct Pairs {
    /// What the directives mean that end a pair, by where they begin.
    pub(super) meant: HashMap<usize, String>,
    /// Some directive may be about variables, or functions that other files call.
    pub(super) any_data: bool,
}

/// A pair that is open.
struct Open {
    /// The offset behind its directive, or behind the last inner pair.
    from: usize,
    names: Vec<String>,
}

/// Whether the directive is one of these.
pub(super) fn is_declare_target(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next();
    let first = match first {
        Some("begin" | "end") => words.next(),
        other => other,
    };
    let is_target = |word: &str| word == "target" || word.starts_with("target(");
    first == Some("declare") && words.next().is_some_and(is_target)
}

/// Looks the directives through.
pub(super) fn pairs(
    text: &[u8],
    (outline, lines): (&Outline, &LineMap),
    directives: &[FoundDirective],
    language: Language,
) -> Pairs {
    let mut pairs = Pairs::default();
    let mut open: Vec<Open> = Vec::new();
    for directive in directives.iter().filter(|it| is_declare_target(&it.text)) {
        let Ok(parsed) = omp::parse(&directive.text, language) else {
            // Its mistakes are the program's only if there is something for devices; so there is.
            pairs.any_data = true;
            continue;
        };
        if parsed.kind != DirectiveKind::DeclareTarget {
            continue;
        }
        let lists = [ClauseKind::Enter, ClauseKind::To, ClauseKind::Link];
        if lists.iter().any(|kind| parsed.has(*kind)) {
            pairs.any_data = true;
            continue;
        }
        let ends = directive.text.trim_start().starts_with("end");
        if let Some(around) = open.last_mut() {
            let tokens = between(outline, around.from, directive.span.start);
            let of_system = lines.in_system_header(around.from);
            around.names.extend(names(text, outline, tokens, |at| {
                !of_system && !lines.in_system_header(at)
            }));
            around.from = directive.span.end;
        }
        if !ends {
            open.push(Open {
                from: directive.span.end,
                names: Vec::new(),
            });
            continue;
        }
        let Some(closed) = open.pop() else { continue };
        if let Some(around) = open.last_mut() {
            around.from = directive.span.end;
        }
        if !closed.names.is_empty() {
            pairs.any_data = true;
            let list = closed.names.join(", ");
            let meant = format!("declare target enter({list})");
            pairs.meant.insert(directive.span.start, meant);
        }
    }
    pairs
}

fn between(outline: &Outline, from: usize, to: usize) -> std::ops::Range<usize> {
    outline.index_of(from)..outline.index_of(to)
}

/// The variables that are declared at file scope among some tokens, and the functions where they are `wanted`.
fn names(
    text: &[u8],
    outline: &Outline,
    tokens: std::ops::Range<usize>,
    wanted: impl Fn(usize) -> bool,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = tokens.start;
    let bodies = outline.bodies.iter();
    let inside = bodies.filter(|body| tokens.contains(&body.open));
    for body in inside.map(Some).chain([None]) {
        // What a function's declaration begins with ends the declarations before it.
        let end = body.map_or(tokens.end, |body| body.start.max(at));
        let code: Vec<Token> = outline.tokens[at.min(end)..end]
            .iter()
            .filter(|token| token.kind != TokenKind::Line)
            .copied()
            .collect();
        found.extend(variables(text, &code));
        let own: Vec<Token> = code
            .into_iter()
            .filter(|token| wanted(token.start))
            .collect();
        found.extend(functions(text, &own));
        if let Some(name) = body.and_then(|body| declared(text, &outline.tokens, body))
            && wanted(name.start)
        {
            found.push(name.of(text));
        }
        at = body.map_or(end, |body| body.close + 1);
    }
    let spelled = found.into_iter();
    spelled
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let outline = Outline::new(text.as_bytes());
        names(text.as_bytes(), &outline, 0..outline.tokens.len(), |_| true)
    }

    #[test]
    fn variables_are_told_from_all_else() {
        for (text, expected) in [
            ("int a[9], *p = 0, b = sizeof(int);", "a p b"),
            ("int f(int x); extern double g(void), h;", "h f"),
            (
                "typedef int T; T x; struct s; struct s { int m; } y;",
                "x y",
            ),
            ("int f(int x) { int l = x; return l; } static int z;", "f z"),
            (
                "int (*fp)(int); enum { RED } colour; _Static_assert(1, \"\");",
                "fp colour",
            ),
            ("extern int q __attribute__((aligned(16)));", "q"),
            ("# 1 \"a.h\"\nstatic const int n = 3;", "n"),
            (
                "__extension__ typedef struct { long q; } pair; extern int f (__uint t, char *p);",
                "f",
            ),
            (
                "extern void (*handlers[3])(int), *(*get(void))(int); int __attribute__((x)) v;",
                "handlers v",
            ),
            ("extern int old (int) __asm__ (\"\" \"new\");", "old"),
            ("typedef int T(int); T *g(T *p); int (*h(void))(int);", "g"),
        ] {
            assert_eq!(found(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn directives_are_known_by_their_words() {
        for text in [
            "declare target",
            " declare target(a)",
            "end declare target",
            "begin declare  target",
        ] {
            assert!(is_declare_target(text), "{text}");
        }
        for text in ["declare simd", "target", "declare targets"] {
            assert!(!is_declare_target(text), "{text}");
        }
    }
}
