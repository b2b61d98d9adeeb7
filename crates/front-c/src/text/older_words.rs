//! Directives of OpenMP in older words, which mean the same ([`accrue_directives::omp::older`]): the host's compiler may know no newer ones.
//!
//! ```text
//! #pragma omp taskwait nowait depend(in: x)              #pragma omp task depend(in: x)
//!                                                        ;
//! #pragma omp task depend(inout: omp_all_memory)         switch(__extension__({
//! x = 1;                                                 #pragma omp taskwait
//!                                                 →      ;0;}))default:
//!                                                        #pragma omp task if(0)
//!                                                        x = 1;
//! #pragma omp for ordered                                #pragma omp for ordered(1)
//! for (i = 1; i < n; i++)                                for (i = 1; i < n; i++)
//!     #pragma omp ordered doacross(sink: i - 1)              #pragma omp ordered depend(sink: i - 1)
//! ```
//! Metadirectives of the host's code are what they stand for, if that is known. In regions, what waits for all tasks is the host's alone.
//!
//! Cost: each token is looked at once, and those of loops with `ordered` once for each `doacross` in them.

use super::loop_header::Header;
use super::outline::Outline;
use super::paired_variants::{edited, marker};
use super::position::LineMap;
use super::scan::{Found, FoundDirective, find};
use super::sentinel::{self, Sentinel};
use super::statement::exact_end;
use accrue_diag::{Diagnostic, Place};
use accrue_directives::Language;
use accrue_directives::omp::metadirective;
use accrue_directives::omp::older::{self, Older};
use accrue_directives::omp::selectors::Device;
use std::collections::HashSet;

const LANGUAGE: Language = Language::C;

/// Names of directives with `_` get blanks: `target_data`.
pub(super) fn names(text: &[u8], file: &str) -> Option<Vec<u8>> {
    let newer = [&b"cancellation_"[..], b"declare_", b"target_"];
    if !newer.iter().any(|word| has(text, word)) {
        return None;
    }
    let Found { directives, .. } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let mut new: Option<Vec<u8>> = None;
    for directive in directives {
        let Some(name) = older::joined_name(&directive.text) else {
            continue;
        };
        let name = name.of(&directive.text).as_bytes();
        let range = directive.span.clone();
        let mut places = text[range.clone()].windows(name.len());
        let Some(place) = places.position(|bytes| bytes == name) else {
            continue;
        };
        let new = new.get_or_insert_with(|| text.to_vec());
        for byte in &mut new[range.start + place..][..name.len()] {
            if *byte == b'_' {
                *byte = b' ';
            }
        }
    }
    new
}

/// Writes the text anew; nothing if it has no newer words.
///
/// # Errors
/// What older words cannot say.
pub(super) fn rewritten(text: &[u8], file: &str) -> Result<Option<Vec<u8>>, Vec<Diagnostic>> {
    if !has(text, b"omp") {
        return Ok(None);
    }
    let Found {
        lines, directives, ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let mut unit = Unit {
        text,
        lines: &lines,
        directives: &directives,
        outline: None,
        of_one_loop: HashSet::new(),
    };
    let (mut found, mut decided, mut mistakes) = (Vec::new(), Vec::new(), Vec::new());
    for (index, directive) in directives.iter().enumerate() {
        if lines.in_system_header(directive.span.start) {
            continue;
        }
        if let Some(chosen) = chosen(&directive.text) {
            decided.push((index, chosen));
        }
        match older::older(&directive.text, LANGUAGE, || unit.previous(index)) {
            Ok(Some(older)) => found.push((index, older)),
            Ok(None) => {}
            Err(mistake) => mistakes.push(mistake.map_places(|_| Place {
                position: lines.position(directive.span.start),
                length: 0,
            })),
        }
        unit.has_one_loop(index);
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    for index in std::mem::take(&mut unit.of_one_loop) {
        match found.iter_mut().find(|(it, _)| *it == index) {
            Some((_, older)) => older.text = older::ordered_once(&older.text),
            None => {
                let text = older::ordered_once(&directives[index].text);
                found.push((index, Older::of(text)));
            }
        }
    }
    let concerns_regions = |older: &Older| older.waits || older.inner.is_some();
    if !decided.is_empty() || found.iter().any(|(_, older)| concerns_regions(older)) {
        let openmp = sentinel::openmp(text, file, LANGUAGE, Device::Cores);
        decided.retain(|(index, _)| {
            let start = directives[*index].span.start;
            !openmp.of_devices.contains(&start) && !openmp.undecided.contains(&start)
        });
        found.retain(|(index, older)| {
            let directive = &directives[*index];
            let in_region = openmp.of_devices.contains(&directive.span.start)
                && !directive.text.trim_start().starts_with("target");
            !in_region || !concerns_regions(older)
        });
    }
    found.retain(|(index, _)| !decided.iter().any(|(other, _)| other == index));
    let mut edits: Vec<_> = found
        .iter()
        .map(|(index, older)| {
            let directive = &directives[*index];
            (directive.span.clone(), unit.spelled(directive, older))
        })
        .collect();
    for (index, chosen) in decided {
        let directive = &directives[index];
        let text = chosen.map_or_else(String::new, |chosen| unit.spelled(directive, &chosen));
        edits.push((directive.span.clone(), text));
    }
    Ok((!edits.is_empty()).then(|| edited(text, edits)))
}

/// The directive that a metadirective of the host's code stands for, `None` for no directive; nothing if that is the compiler's to say.
fn chosen(text: &str) -> Option<Option<Older>> {
    if !metadirective::is_one(text) || text.contains("implementation") {
        return None;
    }
    let chosen = metadirective::choose(text, LANGUAGE, None).ok()?;
    Some(chosen.map(|span| {
        let text = span.of(text);
        let older = older::older(text, LANGUAGE, || None).ok().flatten();
        older.unwrap_or_else(|| Older::of(text.to_string()))
    }))
}

/// What a directive in a region is for the host: what comes in front of it, and its text.
pub(super) fn for_host(text: &str) -> Option<(Option<&'static str>, String)> {
    let older = older::older(text, LANGUAGE, || None).ok().flatten()?;
    Some((older.waits.then_some(WAIT), older.text))
}

const WAIT: &str = "switch(__extension__({\n#pragma omp taskwait\n;0;}))default:";

fn has(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|bytes| bytes == word)
}

struct Unit<'a> {
    text: &'a [u8],
    lines: &'a LineMap,
    directives: &'a [FoundDirective],
    outline: Option<Outline>,
    /// Loops with `ordered` whose number is not written.
    of_one_loop: HashSet<usize>,
}

impl Unit<'_> {
    /// The loop with `ordered` around a directive, and its directive.
    fn loop_around(&mut self, index: usize) -> Option<(usize, Header)> {
        let text = self.text;
        let outline = self.outline.get_or_insert_with(|| Outline::new(text));
        let tokens = &outline.tokens;
        let place = self.directives[index].span.start;
        let mut before = self.directives[..index].iter().enumerate();
        let (around, first) = before
            .rfind(|(_, it)| older::has_ordered(&it.text))
            .and_then(|(around, it)| {
                let first = outline.index_of(it.neighbours.after_offset?);
                let last = exact_end(text, tokens, first).checked_sub(1)?;
                let end = tokens.get(last)?.end;
                (tokens[first].start..end)
                    .contains(&place)
                    .then_some((around, first))
            })?;
        Some((around, Header::read(text, tokens, first)?))
    }

    /// What `omp_cur_iteration - 1` is.
    fn previous(&mut self, index: usize) -> Option<String> {
        let (around, header) = self.loop_around(index)?;
        let is_one = older::ordered_loops(&self.directives[around].text).is_none_or(|it| it == "1");
        let step = header.constant_step().filter(|_| is_one)?;
        let sign = if header.is_down { '+' } else { '-' };
        Some(format!("{} {sign} {step}", header.variable))
    }

    /// A `doacross` in a loop with `ordered` is about that loop, if no number is written.
    fn has_one_loop(&mut self, index: usize) {
        if !older::is_doacross(&self.directives[index].text) {
            return;
        }
        if let Some((around, _)) = self.loop_around(index)
            && older::ordered_loops(&self.directives[around].text).is_none()
        {
            self.of_one_loop.insert(around);
        }
    }

    fn spelled(&self, directive: &FoundDirective, older: &Older) -> String {
        let is_line = self.text.get(directive.span.start) == Some(&b'#');
        let pragma = |text: &str| match is_line {
            true => format!("#pragma omp {text}"),
            false => {
                let text = text.replace('\\', "\\\\").replace('"', "\\\"");
                format!("_Pragma(\"omp {text}\")")
            }
        };
        let mut text = pragma(older.text.trim());
        let (end, line) = match is_line {
            true => ("\n", marker(self.lines, directive.span.end)),
            false => (" ", String::new()),
        };
        if let Some(inner) = &older.inner {
            text += &format!("{end}{line}{}", pragma(inner));
        }
        if older.is_followed {
            text += &format!("{end};{end}{line}");
        }
        if !older.waits {
            return text;
        }
        let is_alone = older::is_alone(&older.text);
        let wait = pragma("taskwait");
        match is_alone {
            true => format!("{wait}{end}{line}{text}"),
            false => {
                format!("switch(__extension__({{{end}{wait}{end};0;}}))default:{end}{line}{text}")
            }
        }
    }
}
