//! What a mapper does to list items that no `mapper` modifier stands in front of, and to sections (OpenMP 5.2, section 5.8.8).
//!
//! ```text
//! declare mapper(struct part v) map(v, v.data[0:v.len])
//!
//! target map(to: s)                  target map(mapper(h), to: s)
//! target enter data map(to: p[0:n])  target enter data map(to: p[0:n])
//!                                    for each k of 0:n   target enter data map(to: p[k].data[0:p[k].len])
//! target map(tofrom: p[0:n]) s       target enter data map(to: p[0:n])
//!                                    for each k of 0:n   target enter data map(to: p[k].data[0:p[k].len])
//!                                    target map(tofrom: p[0:n]) s
//!                                    for each k of 0:n   target exit data map(from: p[k].data[0:p[k].len])
//!                                    target exit data map(from: p[0:n])
//! ```
//! `h` is a name of our own for the mapper. How long a section is, and what its elements hold, is only known when the program runs: so
//! its elements are mapped one by one, by directives around the one that names it. What counts references gives the same as one mapping.

use super::clauses::MapKind;
use super::expand::{Mapper, Mapping, Modified, decayed, ended, is_name, is_single, moves};
use super::iterators::ways;
use crate::Span;
use crate::ast::Language;
use crate::parser::Parser;
use crate::scan::Text;

/// The counter of the loops.
pub(super) const COUNTER: &str = "__accrue_element";

/// How a variable is declared whose type has a mapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The index of the mapper.
    pub mapper: usize,
    pub pointers: usize,
    pub arrays: usize,
}

/// What a list item names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name<'a> {
    Variable(&'a str),
    /// Of some structure.
    Member(&'a str),
}

/// A list item whose type, or that of its elements, has a mapper.
pub(super) struct OfItem<'a> {
    pub(super) declared: Declared,
    /// The item without its last subscripts, and these.
    base: &'a str,
    subscripts: &'a str,
}

/// What an item is, if its type has a mapper.
pub(super) fn of_item<'a>(
    item: &'a str,
    declared: &dyn Fn(Name<'_>) -> Option<Declared>,
) -> Option<OfItem<'a>> {
    let mut end = item.trim_end().len();
    while item[..end].ends_with(']') {
        end = last_subscript(&item[..end])?;
        end = item[..end].trim_end().len();
    }
    let base = &item[..end];
    let name = base.rsplit(|c: char| !is_name(c)).next()?;
    let front = base[..base.len() - name.len()].trim_end();
    let name = match front {
        "" => Name::Variable(name),
        _ if front.ends_with('.') || front.ends_with("->") => Name::Member(name),
        _ => return None,
    };
    let subscripts = item[end..].trim();
    let declared = declared(name).filter(|it| {
        let dims = it.pointers + it.arrays;
        let count = subscripts.matches('[').count();
        count == dims || count == 0 && it.pointers == 0
    })?;
    Some(OfItem {
        declared,
        base,
        subscripts,
    })
}

impl OfItem<'_> {
    /// Whether it is one object of the type.
    pub(super) fn is_single(&self) -> bool {
        match self.subscripts {
            "" => self.declared.arrays == 0,
            subscripts => is_single(subscripts),
        }
    }
}

/// A directive of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The head of the loop that it stands in.
    pub each: Option<String>,
    pub directive: String,
}

/// A directive whose objects' mappers are written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Its text; empty if nothing is left of it.
    pub text: String,
    pub before: Vec<Step>,
    pub after: Vec<Step>,
    /// The items that have been mapped by a mapper.
    pub items: Vec<String>,
}

/// A section of several elements.
struct Section<'a> {
    mapper: &'a Mapper,
    item: String,
    base: String,
    each: String,
}

/// Which directive it is that names a section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Enter,
    Exit,
    Update,
    /// One with a statement.
    Around,
}

/// Applies mappers to the items of a directive and to `implicit` variables of its region; nothing if no item has one, or if one is used
/// in a way that is not understood. The names in `mappers` are those of our own.
///
/// Where directives come to stand around it, it may not be deferred: it waits for what it depends on, and the host for it.
pub fn applied(
    text: &str,
    language: Language,
    mappers: &[Mapper],
    implicit: &[String],
    declared: &dyn Fn(Name<'_>) -> Option<Declared>,
) -> Option<Applied> {
    let new = applied_once(text, language, mappers, implicit, declared)?;
    let others = Others::of(text);
    if new.before.is_empty() && new.after.is_empty() || others.order.is_empty() {
        return Some(new);
    }
    let (mut at_once, mut at) = (String::new(), 0);
    for (span, _) in &others.order {
        at_once += &text[at..span.start];
        at = span.end;
    }
    at_once += &text[at..];
    let mut new = applied_once(&at_once, language, mappers, implicit, declared)?;
    let depends = others.order.iter().filter(|(_, is_depend)| *is_depend);
    let depends: Vec<&str> = depends
        .map(|(span, _)| &text[span.start..span.end])
        .collect();
    if !depends.is_empty() {
        let directive = format!("taskwait {}", depends.join(" "));
        new.before.insert(
            0,
            Step {
                each: None,
                directive,
            },
        );
    }
    Some(new)
}

/// The same with a directive that is not deferred.
fn applied_once(
    text: &str,
    language: Language,
    mappers: &[Mapper],
    implicit: &[String],
    declared: &dyn Fn(Name<'_>) -> Option<Declared>,
) -> Option<Applied> {
    let parser = Parser::new(Text { text, language });
    if parser.text.check_balance().is_err() {
        return None;
    }
    let place = match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["target", "enter", ..] => Place::Enter,
        ["target", "exit", ..] => Place::Exit,
        ["target", "update", ..] => Place::Update,
        ["target", ..] => Place::Around,
        _ => return None,
    };
    let others = Others::of(text);
    let mut new = Applied::default();
    let (mut at, mut found, mut is_left, mut is_iterated) = (0, false, false, false);
    let mut plain = Vec::new();
    for (word, group) in parser.clauses_with_groups(0) {
        let clause = parser.modified(word, group)?;
        let of_its_own = clause.mapper.as_ref().is_some_and(|name| name != "default");
        new.text += &text[at..word.start];
        at = group.end;
        let is_plain = clause.items.iter().all(|item| is_single(item));
        let is_known = |name: &String| mappers.iter().any(|it| it.name == *name && it.is_whole);
        if of_its_own && clause.mapper.as_ref().is_some_and(is_known) {
            new.items.extend(clause.items.iter().cloned());
        }
        let by_value = !clause.iterators.is_empty() && clause.spelled(mappers, false).is_none();
        if by_value {
            new.iterate(&clause, place, &others)?;
            found = true;
            is_iterated = true;
            continue;
        }
        if of_its_own && is_plain || !clause.iterators.is_empty() {
            new.text += &text[word.start..group.end];
            is_left = true;
            continue;
        }
        for item in &clause.items {
            let (clauses, has_mapper) = match of_its_own {
                true => (new.named(item, &clause, mappers, place, &others)?, true),
                false => new.add(item, &clause, mappers, place, declared, &others)?,
            };
            found |= has_mapper;
            is_left |= !clauses.is_empty();
            new.text += &clauses;
        }
        if !of_its_own && clause.name == "map" {
            plain.push(clause);
        }
    }
    new.text += &text[at..];
    let as_mapped = Modified::of_map(MapKind::ToFrom);
    for item in implicit {
        let (clauses, has_mapper) = new.add(item, &as_mapped, mappers, place, declared, &others)?;
        found |= has_mapper;
        new.text += &clauses;
    }
    if is_iterated && place == Place::Around {
        new.surround(&plain, &others);
    }
    if !is_left && place != Place::Around {
        new.text.clear();
    }
    (found || !new.items.is_empty()).then_some(new)
}

impl Applied {
    /// Clauses for one item, and whether it has a mapper. Directives for elements come to those around.
    fn add(
        &mut self,
        item: &str,
        clause: &Modified,
        mappers: &[Mapper],
        place: Place,
        declared: &dyn Fn(Name<'_>) -> Option<Declared>,
        others: &Others,
    ) -> Option<(String, bool)> {
        let Some(found) = of_item(item, declared) else {
            return Some((clause.spelled_as(clause.kind, None, item), false));
        };
        let mapper = mappers
            .get(found.declared.mapper)
            .filter(|mapper| mapper.is_whole)?;
        if found.declared.pointers + found.declared.arrays > 1 {
            return None;
        }
        self.items.push(item.to_string());
        if found.is_single() {
            return Some((
                clause.spelled_as(clause.kind, Some(&mapper.name), item),
                true,
            ));
        }
        let base = found.base;
        let whole = format!("[0:(long long)(sizeof({base})/sizeof({base}[0]))]");
        let subscript = match found.subscripts.is_empty() {
            true => whole.as_str(),
            false => found.subscripts,
        };
        let clauses = self.section(item, (base, subscript), mapper, clause, place, others)?;
        Some((clauses, true))
    }

    /// The same for an item of a clause that names its mapper.
    fn named(
        &mut self,
        item: &str,
        clause: &Modified,
        mappers: &[Mapper],
        place: Place,
        others: &Others,
    ) -> Option<String> {
        let name = clause.mapper.as_deref()?;
        if is_single(item) {
            return Some(clause.spelled_as(clause.kind, Some(name), item));
        }
        let mut found = mappers.iter().filter(|mapper| mapper.name == name);
        let (Some(mapper), None) = (found.next(), found.next()) else {
            return None;
        };
        let open = last_subscript(item)?;
        self.section(item, item.split_at(open), mapper, clause, place, others)
    }

    /// The clauses for a section, whose last subscript is given by itself.
    fn section(
        &mut self,
        item: &str,
        (base, subscript): (&str, &str),
        mapper: &Mapper,
        clause: &Modified,
        place: Place,
        others: &Others,
    ) -> Option<String> {
        let bounds = subscript.strip_prefix('[')?.strip_suffix(']')?;
        let (lower, length) = bounds.split_once(':')?;
        let (lower, length) = (lower.trim(), length.trim());
        if length.is_empty() || length.contains(':') {
            return None;
        }
        let lower = if lower.is_empty() { "0" } else { lower };
        let upper = format!("({lower})+({length})");
        self.items.push(format!("{base}[{COUNTER}]"));
        let section = Section {
            mapper,
            item: item.to_string(),
            base: base.to_string(),
            each: format!("for (long long {COUNTER} = {lower}; {COUNTER} < {upper}; {COUNTER}++)"),
        };
        Some(self.elements(&section, clause, place, &others.conditions))
    }

    /// The directives for the elements of a section, and the clauses of the directive that names it.
    fn elements(
        &mut self,
        section: &Section<'_>,
        clause: &Modified,
        place: Place,
        conditions: &str,
    ) -> String {
        let outer = clause.kind.unwrap_or(MapKind::ToFrom);
        let step = |each: Option<&String>, name: &str, clauses: String| Step {
            each: each.cloned(),
            directive: format!("target {name}{clauses}{conditions}"),
        };
        let each = Some(&section.each);
        match place {
            Place::Update => {
                let (whole, parts) = section.moved(clause);
                if !parts.is_empty() {
                    self.after.push(step(each, "update", parts));
                }
                whole
            }
            Place::Enter => {
                let (whole, parts) = section.mapped(clause, outer);
                if !parts.is_empty() {
                    self.after.push(step(each, "enter data", parts));
                }
                whole
            }
            Place::Exit => {
                let (whole, parts) = section.ended(clause, outer);
                if !parts.is_empty() {
                    self.before.push(step(each, "exit data", parts));
                }
                whole
            }
            Place::Around => {
                let (inwards, outwards) = ways(clause.kind);
                let (whole, parts) = section.mapped(clause, inwards);
                if !whole.is_empty() {
                    self.before.push(step(None, "enter data", whole));
                }
                if !parts.is_empty() {
                    self.before.push(step(each, "enter data", parts));
                }
                let (whole, parts) = section.ended(clause, outwards);
                let mut after = Vec::new();
                if !parts.is_empty() {
                    after.push(step(each, "exit data", parts));
                }
                if !whole.is_empty() {
                    after.push(step(None, "exit data", whole));
                }
                self.after.splice(0..0, after);
                section.mapped(clause, outer).0
            }
        }
    }
}

impl Section<'_> {
    /// What `map` says of the section as a whole and of each element.
    fn mapped(&self, clause: &Modified, outer: MapKind) -> (String, String) {
        self.split(
            |kind| Some(decayed(kind, outer)),
            |kind, words, mapper, item| clause.spelled_with(words, kind, mapper, item),
        )
    }

    /// The same where the mapping ends.
    fn ended(&self, clause: &Modified, outer: MapKind) -> (String, String) {
        self.split(
            |kind| Some(ended(decayed(kind, outer))),
            |kind, words, mapper, item| clause.spelled_with(words, kind, mapper, item),
        )
    }

    /// The same for a motion clause.
    fn moved(&self, clause: &Modified) -> (String, String) {
        self.split(
            |kind| moves(kind, &clause.name).then_some(kind),
            |_, words, mapper, item| clause.spelled_with(words, None, mapper, item),
        )
    }

    fn split(
        &self,
        kind_of: impl Fn(MapKind) -> Option<MapKind>,
        spell: impl Fn(Option<MapKind>, &[String], Option<&str>, &str) -> String,
    ) -> (String, String) {
        let element = format!("{}[{COUNTER}]", self.base);
        let is_member = |item: &str| {
            let rest = item.strip_prefix(&element);
            rest.is_some_and(|rest| rest.chars().all(|c| is_name(c) || c == '.'))
        };
        let (mut whole, mut parts) = (None, String::new());
        let mut words: Vec<String> = Vec::new();
        for map in self.mapper.applied(&element) {
            for item in &map.items {
                if is_member(item) {
                    // With one member the whole object comes.
                    whole = Some(whole.map_or(map.kind, |before| both(before, map.kind)));
                    let new = map.modifiers.iter().filter(|word| !words.contains(word));
                    words = new.cloned().chain(words.iter().cloned()).collect();
                } else if let Some(kind) = kind_of(map.kind) {
                    parts += &spell(Some(kind), &map.modifiers, None, item);
                }
            }
        }
        // What is beside the members that a mapper names keeps its value on both sides.
        let is_named = |map: &Mapping| map.items.contains(&element);
        let whole = match self.mapper.applied(&element).iter().any(is_named) {
            true => whole.unwrap_or(MapKind::Alloc),
            false => whole.map_or(MapKind::To, |kind| both(kind, MapKind::To)),
        };
        let whole = kind_of(whole);
        // The section itself has its elements' mapper already.
        let whole = whole.map(|kind| spell(Some(kind), &words, Some("default"), &self.item));
        (whole.unwrap_or_default(), parts)
    }
}

/// Where the last subscript of an item begins, which ends it.
fn last_subscript(item: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in item.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' if depth == 1 => return Some(at),
            '[' => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// What copies whatever one of two types does.
fn both(one: MapKind, other: MapKind) -> MapKind {
    let any = |way: &str| moves(one, way) || moves(other, way);
    match (any("to"), any("from")) {
        (true, true) => MapKind::ToFrom,
        (true, false) => MapKind::To,
        (false, true) => MapKind::From,
        (false, false) => MapKind::Alloc,
    }
}

impl Modified {
    fn of_map(kind: MapKind) -> Self {
        Modified {
            name: "map".to_string(),
            kind: Some(kind),
            others: Vec::new(),
            mapper: None,
            iterators: Vec::new(),
            items: Vec::new(),
        }
    }

    /// The clause with one item.
    pub(super) fn spelled_as(
        &self,
        kind: Option<MapKind>,
        mapper: Option<&str>,
        item: &str,
    ) -> String {
        self.spelled_with(&[], kind, mapper, item)
    }

    /// The same with the modifiers of a mapper's clause.
    fn spelled_with(
        &self,
        of_mapper: &[String],
        kind: Option<MapKind>,
        mapper: Option<&str>,
        item: &str,
    ) -> String {
        let mapper = mapper.map(|name| format!("mapper({name})"));
        let words = mapper.into_iter().chain(self.with(of_mapper));
        let words = words.chain(kind.map(|kind| kind.name().to_string()));
        let head: Vec<String> = words.collect();
        let colon = if head.is_empty() { "" } else { ": " };
        format!(" {}({}{colon}{item}) ", self.name, head.join(", "))
    }
}

/// What the other clauses of a directive say of those around it.
pub(super) struct Others {
    /// The clauses that say for which device, and whether, they map.
    pub(super) conditions: String,
    /// The clauses that say when it runs, and whether each of them is `depend`.
    order: Vec<(Span, bool)>,
}

impl Others {
    fn of(text: &str) -> Self {
        let parser = Parser::new(Text {
            text,
            language: Language::C,
        });
        let mut others = Others {
            conditions: String::new(),
            order: Vec::new(),
        };
        let (mut at, end) = (0, text.len());
        while at < end {
            let Some(word) = parser.text.word(at, end) else {
                at = parser.text.skip_blanks(at + 1, end);
                continue;
            };
            let group = parser.group_after(word.end, end);
            match (parser.text.of(word), group) {
                ("if", Some(group)) => {
                    let inside = parser.text.inside(group);
                    let colon = parser.text.colons(inside).first().copied();
                    let about = colon.map_or("target", |colon| text[inside.start..colon].trim());
                    let condition = &text[colon.map_or(inside.start, |at| at + 1)..inside.end];
                    if about.starts_with("target") {
                        others.conditions += &format!(" if({condition})");
                    }
                }
                ("device", Some(group)) => {
                    others.conditions += &format!(" device{}", parser.text.of(group));
                }
                ("nowait", group) => {
                    let end = group.map_or(word.end, |it| it.end);
                    others.order.push((Span::new(word.start, end), false));
                }
                ("depend", Some(group)) => {
                    others.order.push((Span::new(word.start, group.end), true));
                }
                _ => {}
            }
            at = parser
                .text
                .skip_blanks(group.map_or(word.end, |it| it.end), end);
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str) -> Option<(String, Vec<String>, Vec<String>)> {
        let mut mapper = Mapper::read(
            "declare mapper(struct part v) map(v, v.d[0:v.n])",
            Language::C,
        )?;
        mapper.name = "h".to_string();
        let declared = |name: Name<'_>| {
            let (pointers, arrays) = match name {
                Name::Variable("s") | Name::Member("one") => (0, 0),
                Name::Variable("p") | Name::Member("list") => (1, 0),
                Name::Variable("a") => (0, 1),
                _ => return None,
            };
            Some(Declared {
                mapper: 0,
                pointers,
                arrays,
            })
        };
        let new = applied(text, Language::C, &[mapper], &[], &declared)?;
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines = |steps: &[Step]| steps.iter().map(|it| plain(&it.directive)).collect();
        Some((plain(&new.text), lines(&new.before), lines(&new.after)))
    }

    #[test]
    fn objects_get_their_mapper_and_sections_loops() {
        let none = Vec::new;
        let part = "p[__accrue_element].d[0:p[__accrue_element].n]";
        for (text, expected, before, after) in [
            (
                "target map(to: s, n)",
                "target map(mapper(h), to: s) map(to: n)",
                none(),
                none(),
            ),
            (
                "target update to(p[3])",
                "target update to(mapper(h): p[3])",
                none(),
                none(),
            ),
            (
                "target enter data map(to: p[0:n]) if(n)",
                "target enter data map(mapper(default), to: p[0:n]) if(n)",
                none(),
                vec![format!("target enter data map(to: {part}) if(n)")],
            ),
            (
                "target parallel for map(tofrom: p[2:n])",
                "target parallel for map(mapper(default), tofrom: p[2:n])",
                vec![
                    "target enter data map(mapper(default), to: p[2:n])".to_string(),
                    format!("target enter data map(to: {part})"),
                ],
                vec![
                    format!("target exit data map(from: {part})"),
                    "target exit data map(mapper(default), from: p[2:n])".to_string(),
                ],
            ),
            (
                "target enter data map(to: t->one, t->list[0:n]) nowait depend(in: n)",
                "target enter data map(mapper(h), to: t->one) map(mapper(default), to: t->list[0:n])",
                vec!["taskwait depend(in: n)".to_string()],
                vec![format!(
                    "target enter data map(to: {})",
                    part.replace("p[", "t->list[")
                )],
            ),
        ] {
            assert_eq!(steps(text), Some((expected.to_string(), before, after)));
        }
        for text in [
            "target map(to: p)",
            "target map(to: n)",
            "target map(to: p[:])",
            "target map(mapper(other), to: p[0:n])",
        ] {
            assert_eq!(steps(text), None, "{text}");
        }
    }
}
