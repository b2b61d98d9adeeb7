//! Routines of `omp.h` that the host's compiler may be too old to declare (OpenMP 5.2, section 18.8). Without a declaration what they give is
//! an `int` to it: of the address that `omp_get_mapped_ptr` gives, half is left.
//!
//! ```text
//! # 1 "use.c"                                      # 1 "use.c"
//! …  "omp.h"  …                               →    void*omp_get_mapped_ptr(const void*,int);
//! double *d = omp_get_mapped_ptr(x, 0);            …
//! ```
//! What declares one of them declares it outside of braces.
//!
//! Cost: each token is looked at once, in a text with one of the names.

use super::lexer::Lexer;
use super::paired_variants::{edited, marker};
use super::scan::{Found, find};
use super::sentinel::Sentinel;
use accrue_diag::Diagnostic;
use std::collections::BTreeSet;

/// What they give, their names, and their parameters; `SIZE` is `size_t`. Programs give arrays of `omp_depend_t`, which a text knows behind `omp.h` only.
const ROUTINES: [(&str, &str, &str); 4] = [
    ("void*", "omp_get_mapped_ptr", "const void*,int"),
    ("int", "omp_target_is_accessible", "const void*,SIZE,int"),
    (
        "int",
        "omp_target_memcpy_async",
        "void*,const void*,SIZE,SIZE,SIZE,int,int,int,void*",
    ),
    (
        "int",
        "omp_target_memcpy_rect_async",
        "void*,const void*,SIZE,int,const SIZE*,const SIZE*,const SIZE*,\
         const SIZE*,const SIZE*,int,int,int,void*",
    ),
];

/// Writes the text anew; nothing if it declares what it uses, or does not include `omp.h`.
///
/// # Errors
/// None; the type is that of its neighbours.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    let has = |word: &[u8]| text.windows(word.len()).any(|bytes| bytes == word);
    if !ROUTINES.iter().any(|(_, name, _)| has(name.as_bytes())) || !has(b"omp.h\"") {
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
    let declared: String = ROUTINES
        .iter()
        .filter(|(_, name, _)| undeclared.contains(name))
        .map(|(gives, name, parameters)| {
            let parameters = parameters.replace("SIZE", "__typeof__(sizeof 0)");
            format!("{gives} {name}({parameters});")
        })
        .collect();
    let new = format!("# 1 \"<accrue>\" 3\n{declared}\n{}", marker(&lines, end));
    Ok(Some(edited(text, vec![(end..end, new)])))
}

/// The routines that the text uses, and names nowhere outside of braces.
fn undeclared(text: &[u8]) -> BTreeSet<&'static str> {
    let (mut used, mut declared, mut depth) = (BTreeSet::new(), BTreeSet::new(), 0usize);
    for token in Lexer::new(text) {
        match token.of(text) {
            b"{" => depth += 1,
            b"}" => depth = depth.saturating_sub(1),
            word => {
                let mut known = ROUTINES.iter().map(|(_, name, _)| *name);
                if let Some(name) = known.find(|name| name.as_bytes() == word) {
                    match depth {
                        0 => declared.insert(name),
                        _ => used.insert(name),
                    };
                }
            }
        }
    }
    &used - &declared
}
