//! What a declaration outside of functions may declare: tags, enumeration constants, and words where a declared name can stand.
//!
//! ```text
//! struct point { int x; } *at, of[N];      point, at, of
//! enum { RED, GREEN };                     RED, GREEN
//! ```
//! A name too many keeps a declaration in vain; one too few would be an error. [`variables`] is for what must be variables.

use super::lexer::{Token, TokenKind};
use super::statement::group_end;

/// Whether a declaration may have an effect besides those on its names.
pub(super) fn is_unclear(text: &[u8], code: &[Token]) -> bool {
    let has = |words: &[&[u8]]| code.iter().any(|token| words.contains(&token.of(text)));
    // A typedef of the type of something may be the only name of that type.
    has(&[b"_Pragma", b"__pragma"])
        || (has(&[b"typedef"]) && has(&[b"typeof", b"__typeof__", b"__typeof", b"typeof_unqual"]))
}

/// Words that are followed by parentheses with no name that they declare.
const ATTRIBUTES: [&[u8]; 12] = [
    b"__attribute__",
    b"__attribute",
    b"__declspec",
    b"__asm__",
    b"__asm",
    b"asm",
    b"_Alignas",
    b"alignas",
    b"typeof",
    b"__typeof__",
    b"__typeof",
    b"typeof_unqual",
];

/// Words that are never declared. (Those that never stand where a declared name could are not needed here.)
const KEYWORDS: [&[u8]; 20] = [
    b"void",
    b"char",
    b"short",
    b"int",
    b"long",
    b"float",
    b"double",
    b"signed",
    b"__signed__",
    b"unsigned",
    b"const",
    b"__const",
    b"volatile",
    b"_Bool",
    b"_Complex",
    b"__complex__",
    b"__int128",
    b"struct",
    b"union",
    b"enum",
];

/// What a declaration may declare. `code` has no lines of the preprocessor and no function body.
pub(super) fn names<'a>(text: &'a [u8], code: &[Token]) -> Vec<&'a [u8]> {
    let mut names = Names {
        text,
        code,
        found: Vec::new(),
    };
    names.tags();
    names.declarators(0, code.len());
    names.found
}

/// The variables that declarations declare.
pub(super) fn variables<'a>(text: &'a [u8], code: &[Token]) -> Vec<&'a [u8]> {
    let each = declarations(text, code).into_iter();
    each.flat_map(|it| it.variables()).collect()
}

/// The functions that declarations without a body declare, each of them in the plain way: `T *f(int)`.
pub(super) fn functions<'a>(text: &'a [u8], code: &[Token]) -> Vec<&'a [u8]> {
    let each = declarations(text, code).into_iter();
    each.filter_map(|it| it.function()).collect()
}

/// Declarations one by one, with no names found yet.
fn declarations<'a, 'c>(text: &'a [u8], code: &'c [Token]) -> Vec<Names<'a, 'c>> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < code.len() {
        let mut end = start;
        while end < code.len() && code[end].of(text) != b";" {
            end = match code[end].of(text) {
                b"(" | b"[" | b"{" | b"<%" => group_end(text, code, end) + 1,
                _ => end + 1,
            };
        }
        found.push(Names {
            text,
            code: &code[start..end.min(code.len())],
            found: Vec::new(),
        });
        start = end + 1;
    }
    found
}

/// Collects names of one declaration.
struct Names<'a, 'c> {
    text: &'a [u8],
    code: &'c [Token],
    found: Vec<&'a [u8]>,
}

impl<'a> Names<'a, '_> {
    fn word(&self, index: usize) -> &'a [u8] {
        let token = self.code.get(index);
        token.map_or(b"", |token| token.of(self.text))
    }

    fn is_name(&self, index: usize) -> bool {
        let token = self.code.get(index);
        token.is_some_and(|token| token.kind == TokenKind::Word)
            && !KEYWORDS.contains(&self.word(index))
    }

    /// The variables: `x` in `T *x[3]`, `f` in `T (*f)(int)`, but not in `T f(int)`.
    fn variables(&self) -> Vec<&'a [u8]> {
        let mut found = Vec::new();
        let (mut at, mut in_value) = (0, false);
        while at < self.code.len() {
            let word = self.word(at);
            match word {
                b"typedef" => return Vec::new(),
                b"=" => in_value = true,
                b"," | b";" => in_value = false,
                b"(" | b"[" | b"{" | b"<%" => {
                    let behind = self.behind_group(at);
                    let declares = word == b"(" && matches!(self.word(behind), b"(" | b"[");
                    if declares && !in_value && self.word(at + 1) == b"*" {
                        let mut inside = at + 1..behind;
                        let name = inside.find(|index| {
                            self.is_name(*index)
                                && matches!(self.word(index + 1), b")" | b"[" | b"(")
                        });
                        let variable = name.filter(|name| self.word(name + 1) != b"(");
                        found.extend(variable.map(|name| self.word(name)));
                    }
                    at = behind;
                    continue;
                }
                _ if ATTRIBUTES.contains(&word) && self.word(at + 1) == b"(" => {
                    at = self.behind_group(at + 1);
                    continue;
                }
                _ if in_value || at == 0 || !self.is_name(at) => {}
                _ => {
                    let next = self.word(at + 1);
                    let ends = matches!(next, b"" | b";" | b"," | b"=" | b"[");
                    let is_tag = matches!(self.word(at - 1), b"struct" | b"union" | b"enum");
                    if !is_tag && (ends || ATTRIBUTES.contains(&next)) {
                        found.push(word);
                    }
                }
            }
            at += 1;
        }
        found
    }

    /// The function: `f` in `T *f(int)`.
    fn function(&self) -> Option<&'a [u8]> {
        let mut at = 0;
        while at < self.code.len() {
            let word = self.word(at);
            let opens = self.word(at + 1) == b"(";
            match word {
                b"typedef" | b"=" | b"," => return None,
                b"(" | b"[" | b"{" | b"<%" => {
                    at = self.behind_group(at);
                    continue;
                }
                _ if ATTRIBUTES.contains(&word) && opens => {
                    at = self.behind_group(at + 1);
                    continue;
                }
                _ if opens && at > 0 && self.is_name(at) => {
                    let behind = self.word(self.behind_group(at + 1));
                    let ends = behind.is_empty() || ATTRIBUTES.contains(&behind);
                    let is_plain = !matches!(self.word(at + 2), b"*" | b"^");
                    return (ends && is_plain).then_some(word);
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The index behind the group that opens at `open`.
    fn behind_group(&self, open: usize) -> usize {
        group_end(self.text, self.code, open) + 1
    }

    /// The tags of structures, unions and enumerations, and the words between an enumeration's braces.
    fn tags(&mut self) {
        for index in 0..self.code.len() {
            let word = self.word(index);
            if !matches!(word, b"struct" | b"union" | b"enum") {
                continue;
            }
            let mut at = index + 1;
            loop {
                at = match self.word(at) {
                    b"[" => self.behind_group(at),
                    attribute if ATTRIBUTES.contains(&attribute) => self.behind_group(at + 1),
                    _ => break,
                };
            }
            if self.is_name(at) {
                self.found.push(self.word(at));
            }
            if word == b"enum" {
                // Up to the constants, also behind `: type`.
                while self.is_name(at) || KEYWORDS.contains(&self.word(at)) || self.word(at) == b":"
                {
                    at += 1;
                }
                if matches!(self.word(at), b"{" | b"<%") {
                    for constant in at + 1..self.behind_group(at).min(self.code.len()) {
                        if self.is_name(constant) {
                            self.found.push(self.word(constant));
                        }
                    }
                }
            }
        }
    }

    /// The words among the tokens from `at` to before `end` that end a declarator: `x` in `T *x[3]`, `f` in `T (*f(void))(int)`.
    /// What is between braces and in values is passed over.
    fn declarators(&mut self, mut at: usize, end: usize) {
        let mut in_value = false;
        while at < end {
            let word = self.word(at);
            match word {
                b"=" => in_value = true,
                b"," | b";" => in_value = false,
                b"(" if !in_value && self.is_declarator(at + 1) => {
                    let behind = self.behind_group(at).min(end);
                    self.declarators(at + 1, behind);
                    at = behind;
                    continue;
                }
                b"(" | b"[" | b"{" | b"<%" => {
                    at = self.behind_group(at);
                    continue;
                }
                _ if ATTRIBUTES.contains(&word) && self.word(at + 1) == b"(" => {
                    at = self.behind_group(at + 1);
                    continue;
                }
                _ if in_value || !self.is_name(at) => {}
                _ => {
                    let next = self.word(at + 1);
                    let ends = matches!(next, b"" | b";" | b"," | b"=" | b"[" | b"(" | b")" | b":");
                    if ends || ATTRIBUTES.contains(&next) {
                        self.found.push(word);
                    }
                }
            }
            at += 1;
        }
    }

    /// Whether what is between parentheses can be a declarator; otherwise these are parameters.
    fn is_declarator(&self, first: usize) -> bool {
        match self.word(first) {
            b"*" | b"(" | b"^" | b"[" => true,
            // `(__stdcall *f)`
            word if word.starts_with(b"__") => true,
            _ => self.is_name(first) && matches!(self.word(first + 1), b")" | b"(" | b"["),
        }
    }
}
