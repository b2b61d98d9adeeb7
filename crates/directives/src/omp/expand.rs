//! The modifiers `mapper` and `iterator` (OpenMP 5.2, sections 5.8.2, 5.8.8 and 3.2.6), replaced by what they mean.
//!
//! ```text
//! declare mapper(all: struct part v) map(v, v.data[0:v.len])
//! map(mapper(all), to: s)                   map(to: s, s.data[0:s.len])
//! to(iterator(i = 0:n): p[i][0:4], k)       to(p[0:n][0:4], k)
//! ```
//! The directive's text is written anew; a text whose modifiers mean something else stays, and its parser says so.

use super::clauses::MapKind;
use super::members::objects;
use crate::Span;
use crate::ast::Language;
use crate::parser::Parser;
use crate::scan::{Text, is_word_byte};

/// What a `declare mapper` directive says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapper {
    /// Its name; `default` where none is written.
    pub name: String,
    /// The type of the objects, as it is written.
    pub of: String,
    /// All that its items need is said: none of them has a mapper that cannot be applied to it.
    pub is_whole: bool,
    pub(super) variable: String,
    pub(super) maps: Vec<Mapping>,
}

/// A `map` clause of a mapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) kind: MapKind,
    /// `always`, `present` and the like.
    pub(super) modifiers: Vec<String>,
    pub(super) items: Vec<String>,
}

/// A text that was written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The new text.
    pub text: String,
    /// Stretches of it: where each begins in the new and in the old text, and whether it is copied from there.
    pub stretches: Vec<(usize, usize, bool)>,
}

/// A clause with modifiers.
pub(super) struct Modified {
    /// `map`, `to` or `from`.
    pub(super) name: String,
    /// The map type, as it is written.
    pub(super) kind: Option<MapKind>,
    /// Modifiers that stay.
    pub(super) others: Vec<String>,
    pub(super) mapper: Option<String>,
    pub(super) iterators: Vec<Counter>,
    pub(super) items: Vec<String>,
}

/// `name = lower : upper : step`
pub(super) struct Counter {
    pub(super) name: String,
    pub(super) lower: String,
    pub(super) upper: String,
    pub(super) step: Option<String>,
}

impl Mapper {
    /// Reads the text of a `declare mapper`; nothing if it is none, or none that is understood.
    pub fn read(text: &str, language: Language) -> Option<Mapper> {
        let parser = Parser::new(Text { text, language });
        let text = parser.text;
        let mut at = 0;
        for expected in ["declare", "mapper"] {
            let word = text.word(text.skip_blanks(at, text.span().end), text.span().end)?;
            if text.of(word) != expected {
                return None;
            }
            at = word.end;
        }
        let group = parser.group_after(at, text.span().end)?;
        let inside = text.inside(group);
        let (name, object) = match text.colons(inside).first() {
            Some(&colon) => (
                text.of(text.trim(Span::new(inside.start, colon)))
                    .to_string(),
                text.of(Span::new(colon + 1, inside.end)),
            ),
            None => ("default".to_string(), text.of(inside)),
        };
        let object = object.trim_end();
        let variable = object.rsplit(|c: char| !is_name(c)).next()?;
        let of = object.strip_suffix(variable)?.trim_end().to_string();
        let mut maps = Vec::new();
        for (word, group) in parser.clauses_with_groups(group.end) {
            let clause = parser.modified(word, group)?;
            if clause.name != "map" || clause.mapper.is_some() {
                return None;
            }
            let items = clause.items.iter().map(|item| clause.counted(item));
            maps.push(Mapping {
                kind: clause.kind.unwrap_or(MapKind::ToFrom),
                items: items.collect::<Option<_>>()?,
                modifiers: clause.others,
            });
        }
        let complete = !variable.is_empty() && !maps.is_empty();
        complete.then(|| Mapper {
            name,
            of,
            is_whole: true,
            variable: variable.to_string(),
            maps,
        })
    }

    /// What a clause with one object means.
    pub(super) fn applied(&self, object: &str) -> Vec<Mapping> {
        let all = || self.maps.iter().flat_map(|map| &map.items);
        let whole = all().any(|item| *item == self.variable);
        // A member of what is mapped as a whole.
        let is_part = |item: &str| {
            let rest = item.strip_prefix(&self.variable);
            let is_path = |c: char| is_name(c) || c == '.';
            whole && rest.is_some_and(|rest| rest.starts_with('.') && rest.chars().all(is_path))
        };
        let one = |item: &String| match *item == self.variable {
            true => object.to_string(),
            false => replace_word(item, &self.variable, &element(object)),
        };
        let map = |map: &Mapping| {
            let items = map.items.iter().filter(|item| !is_part(item));
            Mapping {
                items: items.map(one).collect(),
                ..map.clone()
            }
        };
        self.maps.iter().map(map).collect()
    }
}

/// The object that a section of one element is: `p[i]` of `p[i:1]`.
fn element(object: &str) -> String {
    match object
        .rfind('[')
        .map(|open| (open, object[open..].find(':')))
    {
        Some((open, Some(colon))) => {
            let lower = match object[open + 1..open + colon].trim() {
                "" => "0",
                lower => lower,
            };
            format!("{}[{lower}]", &object[..open])
        }
        _ => object.to_string(),
    }
}

/// Whether a list item is one object: a name, a member, an element, or a section of one element.
pub(super) fn is_single(item: &str) -> bool {
    match item.find(':') {
        None => true,
        Some(colon) => {
            let length: String = item[colon..]
                .chars()
                .filter(|c| !c.is_whitespace())
                .collect();
            length == ":1]" && item.matches(':').count() == 1
        }
    }
}

/// Writes a directive anew whose clauses have such modifiers or name members of structs ([`super::members`]); nothing if there is
/// nothing to write, or if modifiers are not understood.
pub fn expanded(text: &str, language: Language, mappers: &[Mapper]) -> Option<Expanded> {
    let plain = without_modifiers(text, language, mappers);
    let more = objects(plain.as_ref().map_or(text, |new| &new.text), language);
    let Some(more) = more else {
        return plain;
    };
    let mut new = plain.unwrap_or_else(|| Expanded {
        text: text.to_string(),
        stretches: vec![(0, 0, true)],
    });
    new.stretches.push((new.text.len(), text.len(), false));
    new.text += &more;
    Some(new)
}

fn without_modifiers(text: &str, language: Language, mappers: &[Mapper]) -> Option<Expanded> {
    if !["mapper", "iterator"]
        .iter()
        .any(|word| text.contains(word))
    {
        return None;
    }
    let parser = Parser::new(Text { text, language });
    if parser.text.check_balance().is_err() {
        return None;
    }
    let mut new = Expanded {
        text: String::new(),
        stretches: Vec::new(),
    };
    let mut at = 0;
    let ends = text.split_whitespace().take(2).eq(["target", "exit"]);
    for (word, group) in parser.clauses_with_groups(0) {
        let Some(clause) = parser.modified(word, group) else {
            continue;
        };
        if clause.mapper.is_none() && clause.iterators.is_empty() {
            continue;
        }
        let instead = clause.spelled(mappers, ends)?;
        new.copy(text, at, word.start);
        new.stretches.push((new.text.len(), word.start, false));
        new.text += &instead;
        at = group.end;
    }
    if at == 0 {
        return None;
    }
    new.copy(text, at, text.len());
    Some(new)
}

impl Expanded {
    fn copy(&mut self, text: &str, from: usize, to: usize) {
        self.stretches.push((self.text.len(), from, true));
        self.text += &text[from..to];
    }
}

impl Parser<'_> {
    /// The words of `map`, `to` and `from` with the parentheses behind them.
    pub(super) fn clauses_with_groups(&self, start: usize) -> Vec<(Span, Span)> {
        let end = self.text.span().end;
        let (mut found, mut at) = (Vec::new(), self.text.skip_blanks(start, end));
        while at < end {
            let Some(word) = self.text.word(at, end) else {
                at = self.text.skip_blanks(at + 1, end);
                continue;
            };
            let group = self.group_after(word.end, end);
            if let Some(group) = group
                && ["map", "to", "from"].contains(&self.text.of(word))
            {
                found.push((word, group));
            }
            at = self
                .text
                .skip_blanks(group.map_or(word.end, |it| it.end), end);
        }
        found
    }

    pub(super) fn modified(&self, name: Span, group: Span) -> Option<Modified> {
        let inside = self.text.inside(group);
        let mut clause = Modified {
            name: self.text.of(name).to_string(),
            kind: None,
            others: Vec::new(),
            mapper: None,
            iterators: Vec::new(),
            items: Vec::new(),
        };
        let mut list = inside;
        if let Some(&colon) = self.text.colons(inside).first() {
            list = self.text.trim(Span::new(colon + 1, inside.end));
            let mut at = self.text.skip_blanks(inside.start, colon);
            while let Some(word) = self.text.word(at, colon) {
                let argument = self.group_after(word.end, colon);
                at = self
                    .text
                    .skip_blanks(argument.map_or(word.end, |it| it.end), colon);
                if self.text.text.as_bytes().get(at) == Some(&b',') {
                    at = self.text.skip_blanks(at + 1, colon);
                }
                let text = self.text.of(word);
                let kind = MapKind::ALL.into_iter().find(|(name, _)| *name == text);
                match (text, argument, kind) {
                    ("mapper", Some(group), _) => {
                        let name = self.text.of(self.text.inside(group));
                        clause.mapper = Some(name.trim().to_string());
                    }
                    ("iterator", Some(group), _) => {
                        for part in self.text.split_commas(self.text.inside(group)) {
                            clause.iterators.push(self.counter(part)?);
                        }
                    }
                    (_, None, Some((_, kind))) => clause.kind = Some(kind),
                    (_, None, None) => clause.others.push(text.to_string()),
                    (_, Some(_), _) => return None,
                }
            }
        }
        let items = self.text.split_commas(list).into_iter();
        clause.items = items.map(|item| self.text.of(item).to_string()).collect();
        Some(clause)
    }

    /// `[type] name = lower : upper [: step]`
    fn counter(&self, part: Span) -> Option<Counter> {
        let text = self.text.of(part);
        let equals = text.find('=')?;
        let name = text[..equals]
            .trim_end()
            .rsplit(|c: char| !is_name(c))
            .next()?;
        let range = self.text.trim(Span::new(part.start + equals + 1, part.end));
        let parts = self.text.split_colons(range);
        let of = |at: usize| parts.get(at).map(|part| self.text.of(*part).to_string());
        (2..=3).contains(&parts.len()).then_some(Counter {
            name: name.to_string(),
            lower: of(0)?,
            upper: of(1)?,
            step: of(2),
        })
    }
}

impl Modified {
    /// The clauses that mean the same, where mappings end or elsewhere.
    pub(super) fn spelled(&self, mappers: &[Mapper], ends: bool) -> Option<String> {
        let mut lists: Vec<(Option<MapKind>, Vec<String>, Vec<String>)> = Vec::new();
        match self.mapper.as_deref().filter(|name| *name != "default") {
            None => lists.push((self.kind, self.others.clone(), self.items.clone())),
            Some(name) => {
                let mut found = mappers.iter().filter(|mapper| mapper.name == name);
                let (Some(mapper), None) = (found.next(), found.next()) else {
                    return None;
                };
                if !self.items.iter().all(|item| is_single(item)) {
                    return None;
                }
                for map in self.items.iter().flat_map(|item| mapper.applied(item)) {
                    let words = self.with(&map.modifiers);
                    match self.name.as_str() {
                        "map" => {
                            let outer = self.kind.unwrap_or(MapKind::ToFrom);
                            let kind = decayed(map.kind, outer);
                            let kind = if ends { ended(kind) } else { kind };
                            lists.push((Some(kind), words, map.items));
                        }
                        motion if moves(map.kind, motion) => lists.push((None, words, map.items)),
                        _ => {}
                    }
                }
            }
        }
        let mut clauses = Vec::new();
        for (kind, words, items) in lists {
            let items: Option<Vec<String>> = items.iter().map(|item| self.counted(item)).collect();
            let items = items?;
            let words = words.iter().map(String::as_str);
            let head: Vec<&str> = words.chain(kind.map(MapKind::name)).collect();
            let colon = if head.is_empty() { "" } else { ": " };
            if !items.is_empty() {
                let (head, items) = (head.join(", "), items.join(", "));
                clauses.push(format!("{}({head}{colon}{items})", self.name));
            }
        }
        Some(clauses.join(" "))
    }

    /// The modifiers of the clause and those of a mapper's. What moves data has none but `present`.
    pub(super) fn with(&self, of_mapper: &[String]) -> Vec<String> {
        let fits = |word: &&String| self.name == "map" || *word == "present";
        let new = of_mapper.iter().filter(fits);
        let new = new.filter(|word| !self.others.contains(word));
        self.others.iter().chain(new).cloned().collect()
    }

    /// The item for all values of the iterators.
    fn counted(&self, item: &str) -> Option<String> {
        let mut item = item.to_string();
        for counter in &self.iterators {
            let uses = words(&item, &counter.name);
            let [start] = uses.as_slice() else {
                if uses.is_empty() {
                    continue;
                }
                return None;
            };
            let (before, behind) = (&item[..*start], &item[start + counter.name.len()..]);
            let (before, behind) = (before.trim_end(), behind.trim_start());
            let open = before.strip_suffix('[')?;
            let close = behind.strip_prefix(']')?;
            // In front of a member it is none of the section's subscripts.
            if !close.is_empty() && !close.trim_start().starts_with('[') {
                return None;
            }
            item = format!("{open}[{}]{close}", counter.section(&self.name)?);
        }
        Some(item)
    }
}

impl Counter {
    /// The values as a section: `lower:length`, with the step of a motion clause behind it.
    fn section(&self, clause: &str) -> Option<String> {
        let Counter { lower, upper, .. } = self;
        let is_number = |text: &str| text.parse::<u64>().ok();
        let length = match (is_number(lower), is_number(upper)) {
            (Some(lower), Some(upper)) => upper.saturating_sub(lower).to_string(),
            (Some(0), None) => format!("(({upper})>0?({upper}):0)"),
            _ => format!("(({upper})>({lower})?({upper})-({lower}):0)"),
        };
        match self.step.as_deref().filter(|step| *step != "1") {
            None => Some(format!("{lower}:{length}")),
            Some(step) if clause != "map" && !step.starts_with('-') => {
                Some(format!("{lower}:({length}+({step})-1)/({step}):{step}"))
            }
            Some(_) => None,
        }
    }
}

/// The map type of what a mapper names with `inner`, in a clause with `outer` (table 5.2).
pub(super) fn decayed(inner: MapKind, outer: MapKind) -> MapKind {
    let (to, from) = (
        moves(inner, "to") && moves(outer, "to"),
        moves(inner, "from") && moves(outer, "from"),
    );
    match (outer, to, from) {
        (MapKind::Release | MapKind::Delete, ..) => outer,
        (_, true, true) => MapKind::ToFrom,
        (_, true, false) => MapKind::To,
        (_, false, true) => MapKind::From,
        (_, false, false) => MapKind::Alloc,
    }
}

/// The map type where a mapping ends.
pub(super) fn ended(kind: MapKind) -> MapKind {
    match kind {
        MapKind::To | MapKind::Alloc => MapKind::Release,
        MapKind::From | MapKind::ToFrom | MapKind::Release | MapKind::Delete => kind,
    }
}

/// Whether the map type copies in the direction of a motion clause.
pub(super) fn moves(kind: MapKind, motion: &str) -> bool {
    match kind {
        MapKind::To => motion == "to",
        MapKind::From => motion == "from",
        MapKind::ToFrom => true,
        MapKind::Alloc | MapKind::Release | MapKind::Delete => false,
    }
}

pub(super) fn is_name(c: char) -> bool {
    u8::try_from(c).is_ok_and(is_word_byte) || !c.is_ascii()
}

/// Where a variable's name stands in a text, members with the same name not counted.
fn words(text: &str, name: &str) -> Vec<usize> {
    let found = text.match_indices(name).map(|(at, _)| at);
    let is_whole = |at: &usize| {
        let (before, behind) = (&text[..*at], &text[at + name.len()..]);
        let trimmed = before.trim_end();
        !before.ends_with(is_name)
            && !behind.starts_with(is_name)
            && !trimmed.ends_with('.')
            && !trimmed.ends_with("->")
    };
    found.filter(is_whole).collect()
}

fn replace_word(text: &str, name: &str, by: &str) -> String {
    let (mut new, mut at) = (String::new(), 0);
    for start in words(text, name) {
        new += &text[at..start];
        new += by;
        at = start + name.len();
    }
    new + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Option<String> {
        let mappers = [
            "declare mapper(all: struct part v) map(to: v, v.len) map(tofrom: v.data[0:v.len])",
            "declare mapper(odd: struct pair odd) map(from: odd.left[0:odd.len], odd.len)",
            "declare mapper(often: struct pair v) map(always, present, to: v.len) map(iterator(i = 0:v.len), tofrom: v.left[i])",
        ];
        let read = |text: &&str| Mapper::read(text, Language::C);
        let mappers: Vec<Mapper> = mappers.iter().filter_map(read).collect();
        expanded(text, Language::C, &mappers).map(|new| new.text)
    }

    #[test]
    fn mappers_are_what_they_map() {
        for (text, expected) in [
            (
                "target map(mapper(all), from: s) if(n)",
                "target map(alloc: s) map(from: s.data[0:s.len]) if(n)",
            ),
            (
                "target data map(mapper(all), always, tofrom: q[2:1])",
                "target data map(always, to: q[2:1]) map(always, tofrom: q[2].data[0:q[2].len])",
            ),
            (
                "target update from(mapper(all): t->s) to(k)",
                "target update from(t->s.data[0:t->s.len]) to(k)",
            ),
            (
                "target exit data map(mapper(odd), delete: a)",
                "target exit data map(delete: a.left[0:a.len], a.len) map(__accrue_around, release: a)",
            ),
            (
                "target exit data map(mapper(all), from: s)",
                "target exit data map(release: s) map(from: s.data[0:s.len])",
            ),
            ("target map(mapper(default), to: a)", "target map(to: a)"),
            (
                "target map(mapper(often), present, tofrom: s)",
                "target map(present, always, to: s.len) map(present, tofrom: s.left[0:((s.len)>0?(s.len):0)]) map(to: s)",
            ),
            (
                "target update to(mapper(often): s)",
                "target update to(present: s.len) to(s.left[0:((s.len)>0?(s.len):0)])",
            ),
        ] {
            assert_eq!(written(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn iterators_are_sections() {
        for (text, expected) in [
            (
                "target map(iterator(it = 0:n), tofrom: p[it][:1], k)",
                "target map(tofrom: p[0:((n)>0?(n):0)][:1], k)",
            ),
            (
                "target update to(iterator(unsigned i = 2:9:3, j = 1:4): a[i][j])",
                "target update to(a[2:(7+(3)-1)/(3):3][1:3])",
            ),
        ] {
            assert_eq!(written(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_not_understood_stays() {
        for text in [
            "target map(to: mapper)",
            "target map(mapper(none), to: a)",
            "target map(mapper(all), to: a[0:n])",
            "target map(iterator(i = 0:n), to: s[i].data[0:4])",
            "target map(iterator(i = 0:n), to: s[i + 1])",
            "target map(iterator(i = 0:n:2), to: s[i])",
            "target parallel for reduction(+: iterator)",
        ] {
            assert_eq!(written(text), None, "{text}");
        }
    }
}
