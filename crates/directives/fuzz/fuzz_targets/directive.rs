//! Any text in any language: parsing must not panic, and every mistake must lie inside the text.
#![no_main]

use accrue_directives::{Language, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for language in [Language::C, Language::Cxx, Language::Fortran] {
        let found = match parse(text, language) {
            Ok(directive) => directive.warnings,
            Err(found) => found,
        };
        for diagnostic in found {
            assert!(diagnostic.span().end <= text.len().max(1));
        }
    }
});
