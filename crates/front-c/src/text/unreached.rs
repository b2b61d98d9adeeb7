//! Which declarations outside of functions clang need not read: those that nothing with directives reaches by name.
//!
//! Problem: clang prints every declaration that it reads, and headers declare thousands that a unit does not use: most of the
//! time that a unit with few regions takes was spent on reading them.
//!
//! ```text
//! struct used { int x; };                  struct used { int x; };
//! struct other { int y; };                 (blanks)
//! void report(struct other *o) { … }   →   (blanks)
//! extern struct used *table;               extern struct used *table;
//! void g(double *a) {                      void g(double *a) {
//! #pragma acc parallel loop                …
//!     for (…) a[i] = table->x;
//! }                                        }
//! ```
//!
//! Steps:
//! 1. The text outside of functions is cut into declarations, at semicolons; a function with its body is one.
//! 2. [`names`] finds what a declaration may declare: tags, enumeration constants, and words where a declared name can
//!    stand. A name too many keeps a declaration in vain; one too few would be an error.
//! 3. The words of the bodies that must be read ([`super::bodies`]), of the directives and of what is unclear reach the
//!    declarations with such names, whose words reach others, and so on.
//! 4. What is left becomes blanks of the same length, so that all positions stay. Lines of the preprocessor stay: they say
//!    what is a system header, and how structures are packed.
//!
//! Cost: each token is looked at a fixed number of times.

use super::declared_names::{is_unclear, names};
use super::lexer::{TokenKind, is_word, name_of};
use super::outline::Body;
use super::statement::group_end;
use super::unit::Unit;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// The ranges of the preprocessed text that need not be read, in order. `read` says for each body of the unit's functions
/// whether that must be.
pub fn unreached(unit: &Unit, read: &[bool]) -> Vec<Range<usize>> {
    let declarations = declarations(unit);
    let reached = Reach::new(unit, &declarations).find(read);
    let tokens = &unit.outline.tokens;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    // Whether the last range ends right before this token.
    let mut adjacent = false;
    for (declaration, reached) in declarations.iter().zip(reached) {
        for token in &tokens[declaration.tokens.clone()] {
            let blank = !reached && token.kind != TokenKind::Line;
            match ranges.last_mut().filter(|_| adjacent) {
                Some(last) if blank => last.end = token.end,
                _ if blank => ranges.push(token.start..token.end),
                _ => {}
            }
            adjacent = blank;
        }
    }
    ranges
}

/// A declaration outside of functions, or a function.
struct Declaration {
    /// Its tokens, with the lines of the preprocessor in front of it and in it.
    tokens: Range<usize>,
    /// The function's body, by its index.
    body: Option<usize>,
}

impl Declaration {
    /// Its tokens without those of the body.
    fn around_body(&self, unit: &Unit) -> [Range<usize>; 2] {
        let Range { start, end } = self.tokens;
        match self.body.map(|body| &unit.outline.bodies[body]) {
            Some(body) => [start..body.open, body.close + 1..end],
            None => [start..end, end..end],
        }
    }
}

/// Cuts the text into declarations.
fn declarations(unit: &Unit) -> Vec<Declaration> {
    let outline = &unit.outline;
    let mut declarations = Vec::new();
    let mut at = 0;
    for (index, Body { start, close, .. }) in outline.bodies.iter().enumerate() {
        simple_declarations(unit, at..*start, &mut declarations);
        declarations.push(Declaration {
            tokens: *start..close + 1,
            body: Some(index),
        });
        at = close + 1;
    }
    simple_declarations(unit, at..outline.tokens.len(), &mut declarations);
    declarations
}

/// Cuts tokens without functions at semicolons.
fn simple_declarations(unit: &Unit, range: Range<usize>, declarations: &mut Vec<Declaration>) {
    let (text, tokens) = (&unit.text, &unit.outline.tokens);
    let mut start = range.start;
    while start < range.end {
        let mut at = start;
        while at < range.end && tokens[at].of(text) != b";" {
            at = match tokens[at].of(text) {
                b"(" | b"[" | b"{" | b"<%" => group_end(text, tokens, at) + 1,
                _ => at + 1,
            };
        }
        let end = (at + 1).min(range.end);
        let mut code = tokens[start..end]
            .iter()
            .filter(|token| token.kind != TokenKind::Line);
        let first = code.next();
        let begins = first.is_some_and(|token| token.kind == TokenKind::Word);
        let goes_on = code.next().is_some_and(|token| {
            token.kind == TokenKind::Word || matches!(token.of(text), b"*" | b"(" | b"{" | b"<%")
        });
        match declarations.last_mut() {
            // A declaration does not begin so; whatever this is, it belongs to what is before it.
            Some(last) if first.is_some() && !(begins && goes_on) => last.tokens.end = end,
            Some(_) | None => declarations.push(Declaration {
                tokens: start..end,
                body: None,
            }),
        }
        start = end;
    }
}

/// Finds out what is reached.
struct Reach<'a> {
    unit: &'a Unit,
    declarations: &'a [Declaration],
    /// For each name the declarations that may declare it, as long as they are not reached.
    named: HashMap<Cow<'a, [u8]>, Vec<usize>>,
    reached: Vec<bool>,
    /// Words that are still to be looked for.
    pending: Vec<&'a [u8]>,
    unclear: Vec<usize>,
}

impl<'a> Reach<'a> {
    pub(super) fn new(unit: &'a Unit, declarations: &'a [Declaration]) -> Self {
        let text = &unit.text;
        let mut named: HashMap<Cow<[u8]>, Vec<usize>> = HashMap::new();
        let mut unclear = Vec::new();
        let mut code = Vec::new();
        for (index, declaration) in declarations.iter().enumerate() {
            code.clear();
            for tokens in declaration.around_body(unit) {
                let tokens = unit.outline.tokens[tokens].iter();
                code.extend(tokens.filter(|token| token.kind != TokenKind::Line));
            }
            let names = names(text, &code);
            if names.is_empty() || is_unclear(text, &code) {
                unclear.push(index);
            }
            for name in names {
                let all = named.entry(name_of(name)).or_default();
                if all.last() != Some(&index) {
                    all.push(index);
                }
            }
        }
        Reach {
            unit,
            declarations,
            named,
            reached: vec![false; declarations.len()],
            pending: Vec::new(),
            unclear,
        }
    }

    /// For each declaration whether it is reached from the directives and from the bodies that must be read.
    fn find(mut self, read: &[bool]) -> Vec<bool> {
        for index in std::mem::take(&mut self.unclear) {
            self.reach(index, read);
        }
        for (index, declaration) in self.declarations.iter().enumerate() {
            if declaration.body.is_some_and(|body| read[body]) {
                self.reach(index, read);
            }
        }
        for directive in &self.unit.directives {
            let source = &directive.source;
            self.pending.extend(words_in(source.text.as_bytes()));
            for length in directive.lengths.values() {
                self.pending.extend(words_in(length.text.as_bytes()));
            }
            // The functions of declared reductions are reached, whatever is with their types.
            for name in directive.functions_of_reductions() {
                for index in self.named.remove(name.as_bytes()).unwrap_or_default() {
                    self.reach(index, read);
                }
            }
            // What a directive outside of functions stands in front of.
            let behind = directive.next_token.unwrap_or(source.span.end);
            for offset in [source.span.start, behind] {
                let at = self.unit.outline.index_of(offset);
                let next = |declaration: &Declaration| declaration.tokens.end <= at;
                let next = self.declarations.partition_point(next);
                if next < self.declarations.len() {
                    self.reach(next, read);
                }
            }
        }
        while let Some(word) = self.pending.pop() {
            for index in self.named.remove(&name_of(word)).unwrap_or_default() {
                self.reach(index, read);
            }
        }
        self.reached
    }

    /// Takes in the words of a declaration; of a function whose body need not be read, those in front of it.
    fn reach(&mut self, index: usize, read: &[bool]) {
        if std::mem::replace(&mut self.reached[index], true) {
            return;
        }
        let declaration = &self.declarations[index];
        let words = match declaration.body {
            Some(body) if !read[body] => declaration.around_body(self.unit),
            Some(_) | None => [declaration.tokens.clone(), 0..0],
        };
        let tokens = &self.unit.outline.tokens;
        for token in words.into_iter().flat_map(|range| &tokens[range]) {
            match token.kind {
                TokenKind::Word => self.pending.push(token.of(&self.unit.text)),
                // `alias("f")`
                TokenKind::String => self.pending.extend(words_in(token.of(&self.unit.text))),
                TokenKind::Number
                | TokenKind::Character
                | TokenKind::Punctuation
                | TokenKind::Line => {}
            }
        }
    }
}

/// The words of a text, whatever they are in it.
fn words_in(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(|byte| !is_word(*byte) && *byte != b'\\');
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::bodies;
    use crate::text::scan::scan;
    use crate::text::sentinel::Languages;
    use accrue_diag::SourceFiles;
    use accrue_directives::Language;

    const REGION: &str = "\nvoid region(void) { int x;\n#pragma acc parallel\n x = wanted;\n }\n";

    /// What is left of declarations behind which there is a region that mentions `wanted`.
    fn left(declarations: &str) -> String {
        let text = format!("{declarations}{REGION}");
        let unit = scan(
            text.clone().into(),
            Language::C,
            Languages::ACC,
            "a.c",
            &SourceFiles::default(),
        );
        let Ok(unit) = unit else {
            return String::new();
        };
        let (mut left, mut at) = (String::new(), 0);
        for range in unreached(&unit, &bodies::read(&unit)) {
            left.push_str(&text[at..range.start]);
            at = range.end;
        }
        left += &text[at..];
        left.strip_suffix(REGION).unwrap_or_default().to_owned()
    }

    #[test]
    fn what_regions_reach_stays() {
        for (text, expected) in [
            ("int wanted, other; int third;", "int wanted, other; "),
            (
                "struct s { int x; }; struct t { int y; }; typedef struct s S; extern S wanted[2];",
                "struct s { int x; };  typedef struct s S; extern S wanted[2];",
            ),
            (
                "int f(void) { return 1; } int g(void); int wanted(void) { return f(); }",
                "int f(void) { return 1; }  int wanted(void) { return f(); }",
            ),
            // Two steps, through a value and a size.
            (
                "enum { A, B }; enum { C }; int a[B]; int *wanted = a;",
                "enum { A, B };  int a[B]; int *wanted = a;",
            ),
            // A body that is not read: its words reach nothing.
            (
                "int k; int f(int n) { return k; } int (*wanted)(int) = f;",
                " int f(int n) { return k; } int (*wanted)(int) = f;",
            ),
            (
                "# 1 \"a.h\" 1 3\nint z;\n# 2 \"a.c\" 2\nint y;",
                "# 1 \"a.h\" 1 3\n\n# 2 \"a.c\" 2\n",
            ),
            (
                "struct p {\n#pragma pack(1)\nint x; };",
                "\n#pragma pack(1)\n",
            ),
        ] {
            assert_eq!(left(text), expected);
        }
    }

    #[test]
    fn names_are_found_in_every_declaration() {
        for text in [
            "int wanted;",
            "T *wanted, x;",
            "T x, wanted;",
            "T x = f(a, b), wanted = 1;",
            "T wanted[3];",
            "T (wanted);",
            "T (*wanted)(int);",
            "T (*(*wanted)(int))[2];",
            "T (__stdcall *wanted)(int);",
            "T (__attribute__((x)) *wanted)(int);",
            "T wanted(U);",
            "T (wanted)(U);",
            "T wanted(a) int a; { ; }",
            "wanted(a) { ; }",
            "wanted();",
            "T wanted __asm__(\"x\");",
            "T wanted __attribute__((y));",
            "__attribute__((y)) T wanted;",
            "typedef struct { int x; } *wanted;",
            "typedef T wanted;",
            "struct wanted;",
            "struct __attribute__((packed)) wanted { int x; };",
            "struct s { struct wanted { int x; } y; };",
            "T f(struct wanted *p);",
            "enum wanted { A };",
            "enum { A, wanted = 2 };",
            "enum e : int { wanted };",
            "struct s { enum { A, wanted } y; };",
            "T x = { .y = (struct wanted *) 0 };",
            "int\n# 1 \"b.h\"\nwanted\n# 2 \"b.h\"\n;",
            "\\u03b1 wanted;",
        ] {
            assert_eq!(left(text), text);
        }
    }

    #[test]
    fn what_is_unclear_stays() {
        for text in [
            "_Pragma(\"pack(1)\") int x;",
            "typedef __typeof__(wanted) t;",
            "struct { int x; };",
            "asm(\"nop\");",
            // No function: what follows the braces belongs to them.
            "T strange { int x; } wanted;",
        ] {
            assert_eq!(left(text), text);
        }
        let text = "int z;\n#pragma acc routine seq\nint y(void);";
        assert_eq!(left(text), "\n#pragma acc routine seq\nint y(void);");
    }

    #[test]
    fn parameters_and_members_are_no_names() {
        for text in [
            "T f(U wanted);",
            "T f(U *wanted, V x);",
            "T f(int wanted);",
            "struct s { int wanted; };",
            "int z = wanted;",
            "T z __attribute__((wanted));",
        ] {
            assert_eq!(left(text), "");
        }
    }
}
