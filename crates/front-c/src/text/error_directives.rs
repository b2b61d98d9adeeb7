//! `error at(execution)` in regions (OpenMP 5.2, section 8.5) becomes what it does.
//!
//! ```text
//! #pragma omp error at(execution) message("x is set")      {__builtin_printf("a.c:9: error: %s\n", "x is set"); __builtin_abort();}
//! #pragma omp error at(execution) severity(warning)        {__builtin_printf("a.c:9: warning: `error` is come to\n");}
//! ```
//! Devices print to the standard output. Elsewhere the directive is the host compiler's.
//!
//! Cost: each token is looked at once, in a text with such a directive.

use super::paired_variants::edited;
use super::scan::{Found, find};
use super::sentinel::{self, Sentinel};
use accrue_directives::Language;
use accrue_directives::omp::hints::ErrorDirective;
use accrue_directives::omp::selectors::Device;

/// Writes the text anew; nothing if no region has such a directive.
pub(super) fn rewritten(text: &[u8], file: &str) -> Option<Vec<u8>> {
    let word = b"execution";
    if !text.windows(word.len()).any(|bytes| bytes == word) {
        return None;
    }
    let Found {
        lines, directives, ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let openmp = sentinel::openmp(text, file, Language::C, Device::Cores);
    let mut edits = Vec::new();
    for directive in &directives {
        let start = directive.span.start;
        let Some(Ok(read)) = ErrorDirective::read(&directive.text) else {
            continue;
        };
        if !read.at_execution || !openmp.of_devices.contains(&start) {
            continue;
        }
        let position = lines.position(start);
        let file = position.file.replace('\\', "\\\\").replace('"', "\\\"");
        let (kind, end) = match read.is_fatal {
            true => ("error", "__builtin_abort();"),
            false => ("warning", ""),
        };
        let message = read
            .message
            .unwrap_or_else(|| "\"`error` is come to\"".to_string());
        let said = format!(
            "__builtin_printf(\"%s:%d: {kind}: %s\\n\",\"{file}\",{},{message});",
            position.line
        );
        edits.push((directive.span.clone(), format!("{{{said}{end}}}")));
    }
    (!edits.is_empty()).then(|| edited(text, edits))
}
