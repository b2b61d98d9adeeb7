//! Metadirectives whose selectors name constructs (OpenMP 5.2, section 7.1): the text shows which are around them.
//!
//! ```text
//! #pragma omp target teams                                                #pragma omp target teams
//! #pragma omp metadirective when(construct={teams}: distribute) …    →    #pragma omp distribute
//! for (…) …                                                               for (…) …
//! ```
//! Code of a function that is in no `target` of its own has one around it where a device runs it. A directive that differs between devices
//! becomes a metadirective that asks for no constructs.
//!
//! Cost: the directives in front of each such metadirective.

use super::scan::FoundDirective;
use accrue_directives::omp::selectors::{Construct, Device};
use accrue_directives::omp::{self, Leaf, metadirective};
use accrue_directives::{Language, Span};
use std::ops::Range;

const LANGUAGE: Language = Language::C;

/// What takes the place of a metadirective that asks for constructs; nothing if it asks for none, or that cannot be said.
pub(super) fn decided(
    directives: &[FoundDirective],
    index: usize,
    end_of_statement: &dyn Fn(usize) -> usize,
    function: Range<usize>,
) -> Option<String> {
    let own = &directives[index];
    let text = own.text.trim();
    let asks = text
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "construct");
    if !metadirective::is_one(text) || !asks || text.contains("implementation") {
        return None;
    }
    let start = own.span.start;
    let mut constructs = Vec::new();
    for directive in &directives[..index] {
        let next = directive.neighbours.after_offset;
        let next = next.filter(|_| function.contains(&directive.span.start));
        let is_around =
            |next: usize| (directive.span.start..end_of_statement(next)).contains(&start);
        if !next.is_some_and(is_around) {
            continue;
        }
        if metadirective::is_one(&directive.text) {
            return None;
        }
        let Ok(parsed) = omp::parse(&directive.text, LANGUAGE) else {
            continue;
        };
        constructs.extend(parsed.kind.leaves().iter().filter_map(|leaf| match leaf {
            Leaf::Target => Some(Construct::Target),
            Leaf::Teams => Some(Construct::Teams),
            Leaf::Parallel => Some(Construct::Parallel),
            Leaf::For => Some(Construct::For),
            Leaf::Simd => Some(Construct::Simd),
            _ => None,
        }));
    }
    let on_device = match constructs.contains(&Construct::Target) {
        true => constructs.clone(),
        false => [&[Construct::Target], &constructs[..]].concat(),
    };
    let chosen = |device: Option<Device>| {
        let constructs = if device.is_some() {
            &on_device
        } else {
            &constructs
        };
        let found = metadirective::choose_in(text, LANGUAGE, device, constructs).ok()?;
        Some(found.map_or("nothing", |span: Span| span.of(text).trim()))
    };
    let (host, cores) = (chosen(None)?, chosen(Some(Device::Cores))?);
    let (nvidia, opencl) = (chosen(Some(Device::Nvidia))?, chosen(Some(Device::OpenCl))?);
    Some(match [host, nvidia, opencl].iter().all(|it| *it == cores) {
        true if cores == "nothing" => String::new(),
        true => format!("#pragma omp {cores}"),
        false => format!(
            "#pragma omp metadirective when(device={{kind(host)}}: {host}) when(device={{arch(nvptx)}}: {nvidia}) when(device={{kind(gpu)}}: {opencl}) otherwise({cores})"
        ),
    })
}
