//! Which function bodies clang need not read: those without directives that no region reaches.
//!
//! Problem: most of a program is host code that only the user's compiler has to understand. Reading it costs time,
//! and clang refuses some of what gcc compiles.
//!
//! ```text
//! double f(double x) { return 2 * x; }            double f(double x) { return 2 * x; }
//! void report(void) { nested functions, … }  →    void report(void) {}
//! void g(double *a) {                             void g(double *a) {
//! #pragma acc parallel loop                       …
//!     for (…) a[i] = f(a[i]);
//! }                                               }
//! ```
//!
//! Steps:
//! 1. The function definitions are known ([`super::outline`]).
//! 2. The words of the regions' statements and of the directives are names that a device may call, as are the functions behind
//!    `routine` directives, which other units may call, and so are the words of the functions with such names, and so on. A word may be anything else, such as a variable or a member: then a
//!    body is read in vain, which harms nothing.
//! 3. Functions with loops from which functions with directives are reached are read, and what is between: where the host waits for
//!    constructs depends on them ([`super::stretches`]).
//! 4. What is left has no directive and is not reached.
//!
//! The braces stay, so that a definition remains one, whatever its parameters look like; import takes it for a
//! declaration ([`Carriers::is_read`](super::carriers::Carriers::is_read)).

use super::lexer::{Lexer, Token, TokenKind, is_word, name_of};
use super::outline::{Body, Outline};
use super::statement::statement_end;
use super::unit::{ScannedDirective, Unit};
use accrue_directives::DirectiveKind;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// For each function of the unit whether its body must be read.
pub fn read(unit: &Unit) -> Vec<bool> {
    Reader::new(unit).read()
}

/// The ranges of the preprocessed text between the braces of the bodies that need not be read, in order.
pub fn unread(unit: &Unit, read: &[bool]) -> Vec<Range<usize>> {
    let Outline { tokens, bodies } = &unit.outline;
    let unread = bodies.iter().zip(read).filter(|(_, read)| !**read);
    let inside = |body: &Body| tokens[body.open].end..tokens[body.close].start;
    unread.map(|(body, _)| inside(body)).collect()
}

/// Finds out which bodies must be read.
struct Reader<'a> {
    unit: &'a Unit,
    /// As long as they are not looked into.
    named: Named<'a>,
    read: Vec<bool>,
}

/// For each name the bodies of functions that may have it.
type Named<'a> = HashMap<Cow<'a, [u8]>, Vec<usize>>;

fn named_bodies<'a>(text: &'a [u8], outline: &Outline) -> Named<'a> {
    let mut named = Named::new();
    for (index, body) in outline.bodies.iter().enumerate() {
        for name in names(text, &outline.tokens[body.start..=body.open]) {
            named.entry(name_of(name)).or_default().push(index);
        }
    }
    named
}

/// For each function whether statements may call it, directly or not. They are ranges of tokens; `called` are more names of functions
/// that they may call.
pub(super) fn reached(
    text: &[u8],
    outline: &Outline,
    statements: &[Range<usize>],
    called: &[&[u8]],
) -> Vec<bool> {
    let mut named = named_bodies(text, outline);
    let mut reached = vec![false; outline.bodies.len()];
    let mut pending: Vec<Range<usize>> = statements.to_vec();
    let indices = called
        .iter()
        .flat_map(|name| named.remove(&name_of(name)).unwrap_or_default());
    for index in indices.collect::<Vec<usize>>() {
        reached[index] = true;
        pending.push(outline.bodies[index].start..outline.bodies[index].close);
    }
    while let Some(range) = pending.pop() {
        for token in outline.tokens.get(range).unwrap_or_default() {
            if token.kind != TokenKind::Word {
                continue;
            }
            for index in named.remove(&name_of(token.of(text))).unwrap_or_default() {
                reached[index] = true;
                let body = &outline.bodies[index];
                pending.push(body.start..body.close);
            }
        }
    }
    reached
}

impl<'a> Reader<'a> {
    fn new(unit: &'a Unit) -> Self {
        Reader {
            unit,
            named: named_bodies(&unit.text, &unit.outline),
            read: vec![false; unit.outline.bodies.len()],
        }
    }

    /// For each body whether it must be read.
    fn read(mut self) -> Vec<bool> {
        let (text, outline) = (&self.unit.text, &self.unit.outline);
        let layout_lines = outline
            .tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Line && changes_layout(token.of(text)));
        for line in layout_lines {
            self.read_around(line.start);
        }
        for directive in &self.unit.directives {
            self.read_around(directive.source.span.start);
        }
        self.read_callers_with_loops();
        let mut pending: Vec<&[u8]> = Vec::new();
        let directives = self.unit.directives.iter();
        for name in directives.flat_map(ScannedDirective::functions_of_reductions) {
            for index in self.named.remove(name.as_bytes()).unwrap_or_default() {
                self.read[index] = true;
                let body = &outline.bodies[index];
                pending.extend(self.words(body.start, body.close));
            }
        }
        for directive in &self.unit.directives {
            // Also words in strings: `bind("f")`.
            let words = directive
                .source
                .text
                .as_bytes()
                .split(|byte| !is_word(*byte));
            pending.extend(words);
            if directive.directive.is_compute()
                && let Some(next) = directive.next_token
            {
                let first = outline.index_of(next);
                let end = statement_end(text, &outline.tokens, first);
                pending.extend(self.words(first, end));
            }
            if directive.acc_kind() == Some(DirectiveKind::Routine)
                && let Some(next) = directive.next_token
            {
                // Other units may call it.
                pending.extend(self.declaration(outline.index_of(next)));
            }
        }
        while let Some(word) = pending.pop() {
            for index in self.named.remove(&name_of(word)).unwrap_or_default() {
                self.read[index] = true;
                let body = &outline.bodies[index];
                pending.extend(self.words(body.start, body.close));
            }
        }
        self.read
    }

    /// Functions with loops must be read that may call one which must be read already, directly or not, and so must those between them.
    fn read_callers_with_loops(&mut self) {
        let bodies = &self.unit.outline.bodies;
        // Who may call whom, by the words of the caller.
        let mut callees: Vec<Vec<usize>> = Vec::with_capacity(bodies.len());
        let mut callers: Vec<Vec<usize>> = vec![vec![]; bodies.len()];
        let mut has_loop = vec![false; bodies.len()];
        for (caller, body) in bodies.iter().enumerate() {
            let mut of_caller: Vec<usize> = Vec::new();
            for word in self.words(body.open, body.close) {
                has_loop[caller] |= matches!(word, b"for" | b"while" | b"do");
                let called = self.named.get(&name_of(word));
                of_caller.extend(called.into_iter().flatten());
            }
            of_caller.sort_unstable();
            of_caller.dedup();
            for callee in &of_caller {
                callers[*callee].push(caller);
            }
            callees.push(of_caller);
        }
        let roots: Vec<usize> = (0..bodies.len())
            .filter(|index| self.read[*index])
            .collect();
        let leads_to_directive = closure(&callers, &roots, |_| true);
        let loops: Vec<usize> = (0..bodies.len())
            .filter(|index| leads_to_directive[*index] && has_loop[*index])
            .collect();
        let between = closure(&callees, &loops, |index| leads_to_directive[index]);
        for (read, between) in self.read.iter_mut().zip(between) {
            *read |= between;
        }
    }

    /// The function around an offset must be read.
    fn read_around(&mut self, offset: usize) {
        if let Some(index) = self.unit.outline.body_around(offset) {
            self.read[index] = true;
        }
    }

    /// The words of a declaration, or of a definition without its body, that begins with the token `first`.
    fn declaration(&self, first: usize) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (text, outline) = (&self.unit.text, &self.unit.outline);
        let tokens = outline.tokens.get(first..).unwrap_or_default();
        let is_end = |token: &Token| matches!(token.of(text), b";" | b"{");
        let length = tokens.iter().position(is_end).unwrap_or(tokens.len());
        self.words(first, first + length)
    }

    /// The words among the tokens from `first` to before `end`.
    fn words(&self, first: usize, end: usize) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (text, outline) = (&self.unit.text, &self.unit.outline);
        let range = outline.tokens.get(first..end).unwrap_or_default();
        let words = range.iter().filter(|token| token.kind == TokenKind::Word);
        words.map(|token| token.of(text))
    }
}

/// What can be reached from `roots` by `edges` through what `may_pass`.
fn closure(edges: &[Vec<usize>], roots: &[usize], may_pass: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut pending = roots.to_vec();
    while let Some(index) = pending.pop() {
        if may_pass(index) && !std::mem::replace(&mut reached[index], true) {
            pending.extend(&edges[index]);
        }
    }
    reached
}

/// What may be the name of the function that is declared: the words that a parenthesis follows, be it behind closing ones,
/// as in `int (f)(void)` and `int (*f(void))[2]`.
fn names<'a>(text: &'a [u8], header: &[Token]) -> Vec<&'a [u8]> {
    const TYPES: [&[u8]; 11] = [
        b"void",
        b"char",
        b"short",
        b"int",
        b"long",
        b"float",
        b"double",
        b"signed",
        b"unsigned",
        b"const",
        b"_Bool",
    ];
    let mut names = Vec::new();
    // The word that only closing parentheses stand behind so far.
    let mut last = None;
    for token in header {
        match (token.kind, token.of(text)) {
            (TokenKind::Word, word) => last = Some(word),
            (_, b"(") => names.extend(last.take().filter(|word| !TYPES.contains(word))),
            (TokenKind::Line, _) | (_, b")") => {}
            _ => last = None,
        }
    }
    names
}

/// Whether a line has an effect on the declarations behind it, also behind the block that it stands in.
fn changes_layout(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"#").unwrap_or(line).trim_ascii_start();
    let Some(pragma) = rest.strip_prefix(b"pragma") else {
        return false;
    };
    let mut words = Lexer::inside_line(pragma);
    let first = words.next().map(|word| word.of(pragma));
    matches!(
        first,
        Some(b"pack" | b"ms_struct" | b"scalar_storage_order")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::scan::scan;
    use crate::text::sentinel::Languages;
    use accrue_diag::SourceFiles;
    use accrue_directives::Language;

    /// The text without the bodies that need not be read.
    fn read_text(text: &str) -> String {
        let unit = scan(
            text.into(),
            Language::C,
            Languages::ACC,
            "a.c",
            &SourceFiles::default(),
        );
        let Ok(unit) = unit else {
            return String::new();
        };
        let (mut left, mut at) = (String::new(), 0);
        for range in unread(&unit, &read(&unit)) {
            left.push_str(&text[at..range.start]);
            at = range.end;
        }
        left + &text[at..]
    }

    const REGION: &str =
        "\nvoid region(void) { int x;\n#pragma acc parallel\n x = wanted(1);\n }\n";

    /// What is left of definitions behind which there is a region that calls `wanted`.
    fn left(definitions: &str) -> String {
        read_text(&format!("{definitions}{REGION}"))
            .strip_suffix(REGION)
            .unwrap_or_default()
            .to_owned()
    }

    #[test]
    fn only_what_regions_reach_is_read() {
        assert_eq!(
            left(
                "int a(void) { return 1; } int b(void) { return a(); } int wanted(int x) { return a() + x; }"
            ),
            "int a(void) { return 1; } int b(void) {} int wanted(int x) { return a() + x; }"
        );
        assert_eq!(
            read_text(
                "int f(int i) { return i; }\nint g(int i) { return i; }\nvoid h(int *a) { a[0] = g(0);\n#pragma acc parallel loop\nfor (;;) if (1) a[0] = f(1); else { }\na[1] = g(1); }\n"
            ),
            "int f(int i) { return i; }\nint g(int i) {}\nvoid h(int *a) { a[0] = g(0);\n#pragma acc parallel loop\nfor (;;) if (1) a[0] = f(1); else { }\na[1] = g(1); }\n"
        );
    }

    #[test]
    fn bodies_are_told_from_other_braces() {
        for text in [
            "struct s { int x; } v = { 1 };",
            "struct __attribute__((packed)) s { int x; };",
            "enum e : int { A, B };",
            "int t[] = { [0] = 1 }, *u = (int[]) { 2 };",
            "struct s { int x; } wanted(int x) { return (struct s) { x }; }",
        ] {
            assert_eq!(left(text), text);
        }
        for (text, expected) in [
            (
                "struct s f(void) { return (struct s) { 1 }; }",
                "struct s f(void) {}",
            ),
            (
                "struct s { int x; } f(void) { ; }",
                "struct s { int x; } f(void) {}",
            ),
            (
                "int (*f(int a))[2] { ; } int g;",
                "int (*f(int a))[2] {} int g;",
            ),
            (
                "__attribute__((noinline)) static int f(a, b) int a; char b; { ; }",
                "__attribute__((noinline)) static int f(a, b) int a; char b; {}",
            ),
            ("main() { \"}\"; '}'; /* } */ }", "main() {}"),
            (
                "struct __attribute__((packed)) s *f(void)\n# 1 \"b.h\"\n{ ; }",
                "struct __attribute__((packed)) s *f(void)\n# 1 \"b.h\"\n{}",
            ),
        ] {
            assert_eq!(left(text), expected);
        }
    }

    #[test]
    fn names_are_found_in_every_declarator() {
        for text in [
            "int (wanted)(int x) { ; }",
            "int (*wanted(int x))(int) { ; }",
            "int wanted(x) int x; { ; }",
            "wanted(x) { ; }",
            "int __attribute__((pure)) ((wanted))(int x) { ; }",
        ] {
            assert_eq!(left(text), text);
        }
    }

    #[test]
    fn pragmas_that_change_layouts_stay() {
        let text = "int f(void) {\n#pragma pack(1)\n}";
        assert_eq!(left(text), text);
        assert_eq!(left("int f(void) {\n#pragma unroll\n}"), "int f(void) {}");
    }
}
