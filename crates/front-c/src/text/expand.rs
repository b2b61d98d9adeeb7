//! Directives of OpenMP without `mapper` and `iterator`: their texts are written anew ([`accrue_directives::omp::expanded`]), and
//! places in them are those of the clauses that the user wrote.

use super::scan::FoundDirective;
use super::sentinel::Sentinel;
use accrue_directives::Language;
use accrue_directives::omp::{Mapper, expanded};

/// Writes the directives anew that need it.
pub(super) fn expand(found: &mut [FoundDirective], language: Language) {
    let read = |it: &FoundDirective| Mapper::read(&it.text, language);
    let mappers: Vec<Mapper> = found.iter().filter_map(read).collect();
    for directive in found {
        if directive.sentinel != Sentinel::Omp {
            continue;
        }
        let Some(new) = expanded(&directive.text, language, &mappers) else {
            continue;
        };
        let mut pieces: Vec<(usize, usize)> = Vec::new();
        let mut ends = new.stretches.iter().skip(1).map(|(start, ..)| *start);
        for &(start, old, copied) in &new.stretches {
            let length = ends.next().unwrap_or(new.text.len()) - start;
            let first = directive
                .pieces
                .partition_point(|piece| piece.0 <= old)
                .saturating_sub(1);
            let behind = directive.pieces.get(first + 1..).unwrap_or_default();
            if let Some(piece) = directive.pieces.get(first) {
                pieces.push((start, piece.1 + (old - piece.0)));
            }
            let inside = behind.iter().filter(|piece| piece.0 < old + length);
            pieces.extend(
                inside
                    .filter(|_| copied)
                    .map(|piece| (start + piece.0 - old, piece.1)),
            );
        }
        directive.text = new.text;
        directive.pieces = pieces;
        directive.is_rewritten = true;
    }
}
