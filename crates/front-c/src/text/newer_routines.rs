//! Routines and constants of `omp.h` that the host's compiler may be too old to declare (OpenMP 5.2, sections 18.7 and 18.8). Without a
//! declaration what a routine gives is an `int` to it: of the address that `omp_get_mapped_ptr` gives, half is left.
//!
//! ```text
//! # 1 "use.c"                                      # 1 "use.c"
//! …  "omp.h"  …                               →    void*omp_get_mapped_ptr(const void*,int);
//! double *d = omp_get_mapped_ptr(x, 0);            …
//! ```
//! What declares a routine declares it outside of braces; the constants are in an enumeration, with a value.
//!
//! Cost: each token is looked at once, in a text with one of the names.

use super::lexer::{Lexer, TokenKind};
use super::paired_variants::{edited, marker};
use super::scan::{Found, find};
use super::sentinel::Sentinel;
use accrue_diag::Diagnostic;
use std::collections::BTreeSet;

/// Their names and declarations; `SIZE` is `size_t`. Programs give arrays of `omp_depend_t`, which a text knows behind `omp.h` only.
const NEWER: [(&str, &str); 6] = [
    ("omp_initial_device", "enum{omp_initial_device=-1};"),
    ("omp_invalid_device", "enum{omp_invalid_device=-4};"),
    (
        "omp_get_mapped_ptr",
        "void*omp_get_mapped_ptr(const void*,int);",
    ),
    (
        "omp_target_is_accessible",
        "int omp_target_is_accessible(const void*,SIZE,int);",
    ),
    (
        "omp_target_memcpy_async",
        "int omp_target_memcpy_async(void*,const void*,SIZE,SIZE,SIZE,int,int,int,void*);",
    ),
    (
        "omp_target_memcpy_rect_async",
        "int omp_target_memcpy_rect_async(void*,const void*,SIZE,int,const SIZE*,const SIZE*,const SIZE*,const SIZE*,\
         const SIZE*,int,int,int,void*);",
    ),
];

/// Writes the text anew; nothing if it declares what it uses, or does not include `omp.h`.
///
/// # Errors
/// None; the type is that of its neighbours.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let has = |word: &[u8]| text.windows(word.len()).any(|bytes| bytes == word);
    if !NEWER.iter().any(|(name, _)| has(name.as_bytes())) || !has(b"omp.h\"") {
        return Ok(None);
    }
    let undeclared = undeclared(text);
    if undeclared.is_empty() {
        return Ok(None);
    }
    let Found { lines, .. } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    // Behind the first line, which names the file.
    let first = text.split_inclusive(|byte| *byte == b'\n').next();
    let end = first
        .filter(|line| line.starts_with(b"# "))
        .map_or(0, <[u8]>::len);
    let declared: String = NEWER
        .iter()
        .filter(|(name, _)| undeclared.contains(name))
        .map(|(_, declaration)| declaration.replace("SIZE", "__typeof__(sizeof 0)"))
        .collect();
    let new = format!("# 1 \"<accrue>\" 3\n{declared}\n{}", marker(&lines, end));
    Ok(Some(edited(text, vec![(end..end, new)])))
}

/// What the text uses, and declares nowhere.
fn undeclared(text: &[u8]) -> BTreeSet<&'static str> {
    let (mut used, mut declared, mut depth) = (BTreeSet::new(), BTreeSet::new(), 0usize);
    let mut tokens = Lexer::new(text).peekable();
    while let Some(token) = tokens.next() {
        let bytes = token.of(text);
        match bytes {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            line if token.kind == TokenKind::Line => {
                let mut words = Lexer::inside_line(line);
                used.extend(words.by_ref().filter_map(|word| newer(word.of(line))));
            }
            word => {
                let Some((name, is_constant)) = newer(word).map(|name| (name, is_constant(name)))
                else {
                    continue;
                };
                // Not `==`, of which each character is a token.
                let has_value = tokens
                    .peek()
                    .is_some_and(|next| next.of(text) == b"=" && text.get(next.end) != Some(&b'='));
                match is_constant && has_value || !is_constant && depth == 0 {
                    true => declared.insert(name),
                    false => used.insert(name),
                };
            }
        }
    }
    &used - &declared
}

fn newer(word: &[u8]) -> Option<&'static str> {
    let mut known = NEWER.iter().map(|(name, _)| *name);
    known.find(|name| name.as_bytes() == word)
}

fn is_constant(name: &str) -> bool {
    NEWER
        .iter()
        .any(|(known, declaration)| *known == name && declaration.starts_with("enum"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_stays_as_it_is() {
        let new = "typedef enum { omp_initial_device = -1 } t;\nextern void *omp_get_mapped_ptr(const void *, int);\n";
        let uses = "int f(void *p) { return omp_get_mapped_ptr(p, omp_initial_device) == p; }\n";
        assert!(undeclared(format!("{new}{uses}").as_bytes()).is_empty());
        let names = undeclared(uses.as_bytes());
        assert!(names.contains("omp_get_mapped_ptr") && names.contains("omp_initial_device"));
    }

    #[test]
    fn a_comparison_and_a_directive_use_a_constant() {
        let text = "int f(int d) {\n#pragma omp target device(omp_initial_device)\n{}\nreturn omp_invalid_device == d; }\n";
        assert_eq!(undeclared(text.as_bytes()).len(), 2);
        let program = format!("# 1 \"a.c\"\n# 1 \"/usr/include/omp.h\" 1\n# 2 \"a.c\" 2\n{text}");
        let new = rewritten(program.as_bytes(), "a.c").ok().flatten();
        let new = new.map(|new| String::from_utf8_lossy(&new).into_owned());
        assert!(new.is_some_and(|new| new.contains("enum{omp_initial_device=-1};")));
        assert!(matches!(rewritten(text.as_bytes(), "a.c"), Ok(None)));
    }
}
