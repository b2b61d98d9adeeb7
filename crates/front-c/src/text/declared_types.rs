//! As what a name is declared, if it is of one of certain types: found in the text, by C's rules for scopes.
//!
//! ```text
//! typedef struct part { … } part_t;
//! void f(part_t *p, int n) {                 p: 1 pointer
//!     struct part s, of[10];                 s: an object,  of: 1 array
//! ```
//! Steps: [`spellings`] finds the names of a type; [`declared`] walks back from a place over what encloses it, to the nearest declaration
//! that begins with one of them. A name that a nearer declaration of another type hides would be mistaken: the import compares.
//!
//! Cost: the text in front of the place, for names that are declared so anywhere ([`names`]).

use super::lexer::{Token, TokenKind};
use super::outline::Outline;
use super::statement::group_end;
use std::collections::HashSet;

/// Dimensions of a declared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dims {
    pub(super) pointers: usize,
    pub(super) arrays: usize,
}

/// The words of a type's name: `struct part`, or `part_t`.
pub(super) type Spelling = Vec<String>;

/// All names of the type that is written as `name`.
pub(super) fn spellings(text: &[u8], outline: &Outline, name: &str) -> Vec<Spelling> {
    let split = |name: &str| name.split_whitespace().map(str::to_string).collect();
    let mut known: Vec<Spelling> = vec![split(name)];
    let sets = typedefs(text, &outline.tokens);
    loop {
        let before = known.len();
        for set in &sets {
            if set.iter().any(|name| known.contains(name)) {
                let new: Vec<_> = set.iter().filter(|name| !known.contains(name)).collect();
                known.extend(new.into_iter().cloned());
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

/// What each `typedef` of an object's type gives names to.
fn typedefs(text: &[u8], tokens: &[Token]) -> Vec<Vec<Spelling>> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.of(text) != b"typedef" {
            continue;
        }
        let mut at = index + 1;
        let mut words: Vec<String> = Vec::new();
        let mut names: Vec<Spelling> = Vec::new();
        while let Some(token) = tokens.get(at) {
            match (token.kind, token.of(text)) {
                (_, b";") => break,
                (_, b"{") => at = group_end(text, tokens, at),
                (TokenKind::Word, b"const" | b"volatile") | (TokenKind::Line, _) => {}
                (TokenKind::Word, word) => {
                    let next = tokens.get(at + 1).map(|next| next.of(text));
                    let word = String::from_utf8_lossy(word).into_owned();
                    match next {
                        Some(b";" | b",") if !words.is_empty() => names.push(vec![word]),
                        _ => words.push(word),
                    }
                }
                (_, b",") => {}
                // A pointer, an array, or a function.
                _ => {
                    names.clear();
                    break;
                }
            }
            at += 1;
        }
        // `struct { … } name` has no name behind `struct`.
        if words.len() == 2 || words.first().is_some_and(|word| !is_tag(word)) {
            names.push(words);
        }
        found.push(names);
    }
    found
}

fn is_tag(word: &str) -> bool {
    ["struct", "union", "enum"].contains(&word)
}

/// As what the place `at` knows `name`, if its declaration begins with one of the names of a type.
pub(super) fn declared(
    text: &[u8],
    outline: &Outline,
    at: usize,
    name: &str,
    spellings: &[Spelling],
) -> Option<Dims> {
    let tokens = &outline.tokens;
    let mut index = outline.index_of(at);
    let mut depth = 0usize;
    // The parentheses in front of a `{` declare what is known in it.
    let mut is_head = false;
    while let Some(before) = index.checked_sub(1) {
        index = before;
        let token = tokens.get(index)?;
        if token.kind == TokenKind::Line {
            continue;
        }
        match token.of(text) {
            b")" if depth == 0 && is_head => {}
            b"}" | b")" | b"]" => depth += 1,
            b"{" if depth == 0 => {
                is_head = true;
                continue;
            }
            b"(" | b"[" | b"{" => depth = depth.saturating_sub(1),
            _ if depth == 0 => {
                let fits = |it: &&Spelling| starts_with(text, &tokens[index..], it);
                if let Some(spelling) = spellings.iter().find(fits)
                    && let Some(dims) =
                        declarator(text, tokens, index + spelling.len(), &mut |it| {
                            it == name.as_bytes()
                        })
                {
                    return Some(dims);
                }
            }
            _ => {}
        }
        is_head = false;
    }
    None
}

fn starts_with(text: &[u8], tokens: &[Token], words: &[String]) -> bool {
    words.len() <= tokens.len()
        && words
            .iter()
            .zip(tokens)
            .all(|(word, token)| token.of(text) == word.as_bytes())
}

/// The names that are declared anywhere with one of the names of a type.
pub(super) fn names(text: &[u8], outline: &Outline, spellings: &[Spelling]) -> HashSet<String> {
    let mut found = HashSet::new();
    for index in 0..outline.tokens.len() {
        let fits = |it: &&Spelling| starts_with(text, &outline.tokens[index..], it);
        if let Some(spelling) = spellings.iter().find(fits) {
            declarator(text, &outline.tokens, index + spelling.len(), &mut |name| {
                found.insert(String::from_utf8_lossy(name).into_owned());
                false
            });
        }
    }
    found
}

/// As what the members `name` are declared, if all members of that name begin with one of the names of a type and are alike.
pub(super) fn member(
    text: &[u8],
    outline: &Outline,
    name: &str,
    spellings: &[Spelling],
) -> Option<Dims> {
    let tokens = &outline.tokens;
    let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| token.of(text));
    let (mut records, mut depth, mut members) = (Vec::new(), 0usize, 0usize);
    let mut found: Vec<Dims> = Vec::new();
    for at in 0..tokens.len() {
        match word(at) {
            b"{" => {
                let tag = |back: usize| at.checked_sub(back).map_or(&b""[..], word);
                let is_record = |word: &[u8]| matches!(word, b"struct" | b"union");
                if is_record(tag(1)) || is_record(tag(2)) {
                    records.push(depth);
                }
                depth += 1;
            }
            b"}" => {
                depth = depth.saturating_sub(1);
                if records.last() == Some(&depth) {
                    records.pop();
                }
            }
            it if it == name.as_bytes() && records.last().is_some_and(|it| it + 1 == depth) => {
                let is_declared = matches!(word(at + 1), b";" | b"," | b"[" | b":");
                members += usize::from(is_declared);
            }
            _ => {}
        }
        let in_record = records.last().is_some_and(|it| it + 1 == depth);
        let fits = |it: &&Spelling| starts_with(text, &tokens[at..], it);
        let spelling = spellings.iter().find(fits).filter(|_| in_record);
        found.extend(spelling.and_then(|spelling| {
            declarator(text, tokens, at + spelling.len(), &mut |it| {
                it == name.as_bytes()
            })
        }));
    }
    let first = *found.first()?;
    (found.len() == members && found.iter().all(|it| *it == first)).then_some(first)
}

/// The first declarator whose name is wanted, among those that begin at a token.
fn declarator(
    text: &[u8],
    tokens: &[Token],
    start: usize,
    is_wanted: &mut dyn FnMut(&[u8]) -> bool,
) -> Option<Dims> {
    let mut at = start;
    let mut pointers = 0;
    while let Some(token) = tokens.get(at) {
        match (token.kind, token.of(text)) {
            (TokenKind::Line, _)
            | (TokenKind::Word, b"const" | b"volatile" | b"restrict" | b"__restrict") => {}
            (TokenKind::Word, b"__restrict__") => {}
            (_, b"*") => pointers += 1,
            // The members of the type.
            (_, b"{") if at == start => at = group_end(text, tokens, at),
            (TokenKind::Word, word) => {
                let mut arrays = 0;
                let mut next = at + 1;
                while tokens.get(next).is_some_and(|it| it.of(text) == b"[") {
                    arrays += 1;
                    next = group_end(text, tokens, next) + 1;
                }
                let behind = tokens.get(next).map(|it| it.of(text));
                let ends = matches!(behind, Some(b";" | b"," | b"=" | b")" | b"__attribute__"));
                if !ends {
                    return None;
                }
                if is_wanted(word) {
                    return Some(Dims { pointers, arrays });
                }
                // To the next declarator.
                at = next;
                while let Some(token) = tokens.get(at) {
                    match token.of(text) {
                        b"," => break,
                        b";" | b")" => return None,
                        b"(" | b"[" | b"{" => at = group_end(text, tokens, at),
                        _ => {}
                    }
                    at += 1;
                }
                pointers = 0;
            }
            _ => return None,
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_those_of_all_records() {
        let text = b"typedef struct part { int n; } part_t;\n\
            struct whole { int n; part_t one, *list; struct { struct part in[3]; } deep; };\n\
            struct other { double one; part_t *list; };\nvoid f(part_t *of) { part_t *one; }";
        let outline = Outline::new(text);
        let names = spellings(text, &outline, "part_t");
        let found = |name: &str| {
            let dims = member(text, &outline, name, &names)?;
            Some((dims.pointers, dims.arrays))
        };
        assert_eq!(found("list"), Some((1, 0)));
        assert_eq!(found("in"), Some((0, 1)));
        assert_eq!(found("one"), None);
        assert_eq!(found("of"), None);
        assert_eq!(found("n"), None);
    }

    #[test]
    fn declarations_are_found_in_their_scopes() {
        let text =
            b"typedef struct part { int n; } part_t;\ntypedef part_t other;\nstruct part g;\n\
            void f(part_t *const p, int n, other v[3]) { struct part s = {0}, of[2][3], *q; \
            { part_t hidden; } for (part_t *r = p; r; r++) { HERE; } }";
        let outline = Outline::new(text);
        let names = spellings(text, &outline, "part_t");
        let at = text.windows(4).position(|it| it == b"HERE").unwrap_or(0);
        let found = |name: &str| {
            let dims = declared(text, &outline, at, name, &names)?;
            Some((dims.pointers, dims.arrays))
        };
        assert_eq!(found("g"), Some((0, 0)));
        assert_eq!(found("p"), Some((1, 0)));
        assert_eq!(found("v"), Some((0, 1)));
        assert_eq!(found("s"), Some((0, 0)));
        assert_eq!(found("of"), Some((0, 2)));
        assert_eq!(found("q"), Some((1, 0)));
        assert_eq!(found("r"), Some((1, 0)));
        assert_eq!(found("hidden"), None);
        assert_eq!(found("n"), None);
    }
}
