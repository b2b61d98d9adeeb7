//! Mappers for all objects of a type (OpenMP 5.2, section 5.8.8): they get a name, and the clauses that they are for name them. A section
//! is mapped element by element, by whatever mapper, and what iterators mean value by value.
//!
//! ```text
//! #pragma omp declare mapper(struct part v) map(…)     →     #pragma omp declare mapper(__accrue_mapper_0: struct part v) map(…)
//! #pragma omp target map(tofrom: s)                    →     #pragma omp target map(mapper(__accrue_mapper_0), tofrom: s)
//! #pragma omp target enter data map(to: p[0:n])        →     { … for (…) { #pragma omp target enter data map(to: p[__accrue_element]…) } }
//! ```
//! A variable of a region that no clause names is mapped by the mapper of its type, too.
//!
//! Steps: find the mappers and the names of their types; for each directive about data, ask as what its items, and the variables of its
//! statement, are declared ([`super::declared_types`]); write it anew ([`accrue_directives::omp::applied`]). Lines keep their numbers,
//! by markers behind what is written in front of a directive or behind its statement.
//!
//! Cost: the text, times the number of such items.

use super::declared_types::{Spelling, declared, member, names, spellings};
use super::lexer::TokenKind;
use super::outline::Outline;
use super::paired_variants::{edited, marker};
use super::position::LineMap;
use super::scan::{Found, FoundDirective, find};
use super::sentinel::Sentinel;
use super::statement::exact_end;
use accrue_directives::Language;
use accrue_directives::omp::{self, Applied, ClauseKind, Declared, Mapper, Name, Step};
use std::collections::HashSet;
use std::ops::Range;

/// A mapper for all objects of a type.
struct OfType {
    /// What is declared with the type anywhere.
    variables: HashSet<String>,
    /// Its index among all mappers.
    mapper: usize,
    names: Vec<Spelling>,
    /// Where it is known.
    scope: Range<usize>,
}

/// What is known of mappers.
#[derive(Clone, Debug, Default)]
pub struct Mapped {
    /// The names of types whose objects have a mapper.
    pub types: Vec<String>,
    /// List items that a mapper has been applied to.
    pub items: Vec<String>,
}

/// Writes the text anew; nothing if nothing in it needs that.
pub(super) fn rewritten(text: &[u8], file: &str) -> Option<(Vec<u8>, Mapped)> {
    let has = |word: &[u8]| text.windows(word.len()).any(|bytes| bytes == word);
    if !has(b"mapper") && !has(b"iterator") {
        return None;
    }
    let Found {
        lines, directives, ..
    } = find(text, file, |sentinel, _| sentinel == Sentinel::Omp);
    let outline = Outline::new(text);
    let mut source = Source {
        text,
        outline: &outline,
        lines: &lines,
        mappers: Vec::new(),
        defaults: Vec::new(),
    };
    let mut edits = Vec::new();
    for directive in &directives {
        let Some(mut mapper) = Mapper::read(&directive.text, Language::C) else {
            continue;
        };
        let start = directive.span.start;
        let as_written = mapper.clone();
        mapper.flatten(&source.mappers, &|name| source.declared(start, name));
        if mapper.name == "default" {
            mapper.name = format!("__accrue_mapper_{}", source.mappers.len());
            let end = match outline.body_around(start) {
                Some(body) => outline.tokens[outline.bodies[body].close].end,
                None => text.len(),
            };
            let types = spellings(text, &outline, &mapper.of);
            source.defaults.push(OfType {
                variables: names(text, &outline, &types),
                mapper: source.mappers.len(),
                names: types,
                scope: start..end,
            });
        }
        if mapper != as_written {
            edits.push((
                directive.span.clone(),
                format!("#pragma omp {}", mapper.spelled()),
            ));
        }
        source.mappers.push(mapper);
    }
    let mut items = Vec::new();
    for directive in &directives {
        edits.extend(source.applied(directive, &mut items).unwrap_or_default());
    }
    if edits.is_empty() {
        return None;
    }
    let names = source.defaults.iter().flat_map(|it| &it.names);
    let types = names.map(|name| name.join(" ")).collect();
    Some((edited(text, edits), Mapped { types, items }))
}

struct Source<'a> {
    text: &'a [u8],
    outline: &'a Outline,
    lines: &'a LineMap,
    mappers: Vec<Mapper>,
    defaults: Vec<OfType>,
}

impl Source<'_> {
    /// What is to be written for a directive, if items of it have a mapper.
    fn applied(
        &self,
        directive: &FoundDirective,
        known: &mut Vec<String>,
    ) -> Option<Vec<(Range<usize>, String)>> {
        let start = directive.span.start;
        let declared = |name: Name<'_>| self.declared(start, name);
        let statement = self.statement(directive);
        let implicit = match &statement {
            Some(range) => self.implicit(directive, range),
            None => Vec::new(),
        };
        let Applied {
            text,
            before,
            after,
            items,
        } = omp::applied(
            &directive.text,
            Language::C,
            &self.mappers,
            &implicit,
            &declared,
        )?;
        let spelled = |item: &String| item.split_whitespace().collect();
        known.extend(items.iter().map(spelled));
        let line = marker(self.lines, start);
        let own = match text.is_empty() {
            true => String::new(),
            false => format!("#pragma omp {text}"),
        };
        if before.is_empty() && after.is_empty() {
            return Some(vec![(directive.span.clone(), own)]);
        }
        let all = |steps: &[Step]| -> String {
            let steps = steps.iter().map(|Step { each, directive }| {
                let pragma = format!("#pragma omp {directive}\n{line}");
                match each {
                    Some(each) => format!("{each} {{\n{line}{pragma}}}\n{line}"),
                    None => pragma,
                }
            });
            steps.collect()
        };
        let head = format!("{{\n{line}{}{own}", all(&before));
        let Some(range) = statement else {
            let tail = format!("\n{line}{}}}\n{line}", all(&after));
            // The line of the directive ends behind what is written.
            return Some(vec![(
                directive.span.clone(),
                head + tail.trim_end_matches('\n'),
            )]);
        };
        let behind = marker(self.lines, range.end);
        let tail = format!("\n{line}{}}}\n{behind}", all(&after));
        Some(vec![
            (directive.span.clone(), head),
            (range.end..range.end, tail),
        ])
    }

    fn declared(&self, at: usize, name: Name<'_>) -> Option<Declared> {
        let (Name::Variable(word) | Name::Member(word)) = name;
        let of_types = self.defaults.iter().rev();
        let mut of_types = of_types.filter(|of| of.variables.contains(word));
        of_types.find_map(|of| {
            let dims = match name {
                Name::Variable(_) => declared(self.text, self.outline, at, word, &of.names),
                Name::Member(_) => member(self.text, self.outline, word, &of.names),
            };
            let dims = dims.filter(|_| of.scope.contains(&at))?;
            Some(Declared {
                mapper: of.mapper,
                pointers: dims.pointers,
                arrays: dims.arrays,
            })
        })
    }

    /// The statement of a directive that has one.
    fn statement(&self, directive: &FoundDirective) -> Option<Range<usize>> {
        let start = directive.neighbours.after_offset;
        let start = start.filter(|_| !stands_alone(directive))?;
        let first = self.outline.index_of(start);
        let tokens = &self.outline.tokens;
        let end = exact_end(self.text, tokens, first);
        let last = tokens.get(end.checked_sub(1)?)?;
        Some(start..last.end)
    }

    /// Objects that a region uses and no clause names.
    fn implicit(&self, directive: &FoundDirective, range: &Range<usize>) -> Vec<String> {
        let plain = omp::expanded(&directive.text, Language::C, &self.mappers);
        let text = plain.map_or_else(|| directive.text.clone(), |plain| plain.text);
        let Ok(parsed) = omp::parse(&text, Language::C) else {
            return Vec::new();
        };
        if !parsed.kind.is_target() || parsed.has(ClauseKind::Defaultmap) {
            return Vec::new();
        }
        let vars = parsed.clauses.iter().flat_map(|clause| clause.vars());
        let named: Vec<&str> = vars.map(|var| var.base.of(&text)).collect();
        let tokens = &self.outline.tokens;
        let inside = self.outline.index_of(range.start)..self.outline.index_of(range.end);
        let mut found: Vec<String> = Vec::new();
        for index in inside {
            let token = tokens[index];
            let before = index
                .checked_sub(1)
                .map(|before| tokens[before].of(self.text));
            let is_member = matches!(before, Some(b"." | b">"));
            let Ok(word) = std::str::from_utf8(token.of(self.text)) else {
                continue;
            };
            if token.kind != TokenKind::Word
                || is_member
                || named.contains(&word)
                || found.iter().any(|it| it == word)
            {
                continue;
            }
            let is_object = |it: &Declared| it.pointers == 0;
            let name = Name::Variable(word);
            let outside = self.declared(directive.span.start, name).filter(is_object);
            // Not one of the region's own.
            if outside.is_some() && outside == self.declared(token.start, name) {
                found.push(word.to_string());
            }
        }
        found
    }
}

/// Whether a directive about data has no statement.
fn stands_alone(directive: &FoundDirective) -> bool {
    let words: Vec<&str> = directive.text.split_whitespace().take(2).collect();
    matches!(words[..], ["target", "enter" | "exit" | "update"])
}
