//! Structs that come with their members (OpenMP 5.2, section 5.8.3): what `map` names of a struct is in one place on the device, and
//! the pointers in it lead to what is mapped there.
//!
//! ```text
//! target map(p->data[0:p->n], p->k)            … map(to: p[0:1])
//! target map(p->data[0:p->n])                  … map(tofrom: p[0:1])
//! target map(g[l].data[0:n])                   … map(tofrom: g[l:1])
//! target exit data map(from: p->data[0:8])     … map(__accrue_around, release: p[0:1])
//! target data map(s.cells[0:n], s.k)           … map(to: s)
//! ```
//! What enters and leaves by different directives is counted for the members; their struct where they have brought it ([`super::MapModifier::Around`]).
//!
//! A pointer that is the only member of a variable needs nothing: regions get its value.

use super::clauses::AROUND;
use super::default_mapper::COUNTER;
use super::expand::is_name;
use crate::ast::Language;
use crate::parser::Parser;
use crate::scan::Text;

/// The clause to be added, with a blank before it; nothing if none is.
pub(super) fn objects(text: &str, language: Language) -> Option<String> {
    let mut words = text.split_whitespace();
    let (first, second) = (words.next()?, words.next());
    let is_clause = |word: &str| word.starts_with("map");
    let has_members = text.contains("->") || text.contains('.');
    if first != "target" || second == Some("update") || !has_members {
        return None;
    }
    let of_data = matches!(second, Some("data" | "enter" | "exit"));
    let parser = Parser::new(Text { text, language });
    if !text.split_whitespace().any(is_clause) || parser.text.check_balance().is_err() {
        return None;
    }
    let mut items = Vec::new();
    // None of the program's variables.
    let mut counters = vec![COUNTER.to_string()];
    for (word, group) in parser.clauses_with_groups(0) {
        let clause = parser.modified(word, group)?;
        if clause.name == "map" {
            let own = clause.items.iter();
            items.extend(own.map(|item| item.replace([' ', '\t'], "")));
            counters.extend(clause.iterators.into_iter().map(|counter| counter.name));
        }
    }
    let mut found: Vec<(String, bool)> = Vec::new();
    let mut add = |object: String, whole: bool| {
        if !items.contains(&object) && !found.iter().any(|(known, _)| *known == object) {
            found.push((object, whole));
        }
    };
    for item in &items {
        for (object, index) in elements(item) {
            let mut words = index.split(|c: char| !is_name(c));
            if words.any(|word| counters.iter().any(|counter| counter == word)) {
                continue;
            }
            let is_inside = |it: &&String| elements(it).contains(&(object, index));
            let is_mapped = |it: &String| {
                let rest = it.strip_prefix(object).filter(|it| it.starts_with('['));
                rest.is_some_and(|it| !it.contains("]."))
            };
            if !items.iter().any(is_mapped) {
                add(
                    format!("{object}[{index}:1]"),
                    items.iter().filter(is_inside).any(|it| is_bare(it)),
                );
            }
        }
        if let Some(variable) = variable_of(item) {
            let of_it = |it: &&String| variable_of(it) == Some(variable);
            let several = items.iter().filter(of_it).any(|it| it != item);
            let bare = items.iter().filter(of_it).any(|it| is_bare(it));
            // A region without such clauses maps the variable as a whole.
            if several && (bare || !of_data) {
                add(variable.to_string(), bare);
            }
        }
    }
    // Another clause says where it is.
    let is_told = |object: &String| {
        let name = object.split('[').next().unwrap_or_default();
        let clauses = ["is_device_ptr(", "has_device_addr(", "private("];
        clauses.iter().any(|clause| {
            let mut behind = text.split(clause).skip(1);
            behind.any(|list| {
                let list = list.split(')').next().unwrap_or_default();
                list.split(|c: char| !is_name(c)).any(|word| word == name)
            })
        })
    };
    found.retain(|(object, _)| !is_told(object));
    let clause = |(object, has_bare): &(String, bool)| {
        let kind = match (second, of_data || *has_bare) {
            (Some("exit"), _) => format!("{AROUND}, release"),
            (Some("enter"), _) => format!("{AROUND}, to"),
            // What clauses say of its members is all that comes back.
            (_, true) => "to".to_string(),
            // As of a variable without a clause.
            (_, false) => "tofrom".to_string(),
        };
        format!(" map({kind}: {object})")
    };
    (!found.is_empty()).then(|| found.iter().map(clause).collect())
}

/// Whether an item is all of a member, which may be a number of the struct's.
fn is_bare(item: &str) -> bool {
    !item.ends_with(']')
}

/// The pointers and arrays of which an item has a member of an element, as far as they are named by a path, and the element's index:
/// `p` and `p->q`, both 0, of `p->q->a[0:n]`; `g` and `l` of `g[l].a[0:n]`.
fn elements(item: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(distance) = item[at..].find(|c: char| !is_name(c)) {
        let step = at + distance;
        let (index, behind) = match &item[step..] {
            rest if rest.starts_with("->") => ("0", step + 2),
            rest if rest.starts_with('.') => {
                at = step + 1;
                continue;
            }
            rest if rest.starts_with('[') => {
                let Some(end) = closing(rest).filter(|end| rest[end + 1..].starts_with('.')) else {
                    break;
                };
                (&rest[1..end], step + end + 2)
            }
            _ => break,
        };
        if step == 0 || index.contains(':') {
            break;
        }
        found.push((&item[..step], index));
        at = behind;
    }
    found
}

/// Where the bracket that the text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The variable that an item is a member of.
fn variable_of(item: &str) -> Option<&str> {
    let end = item.find(|c| !is_name(c))?;
    let is_member = item[end..].starts_with('.') && end > 0;
    is_member.then(|| &item[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(text: &str) -> Option<String> {
        objects(text, Language::C)
    }

    #[test]
    fn structs_come_with_their_members() {
        for (text, expected) in [
            (
                "target map(tofrom: p->data[0:p->n]) map(to: p->n)",
                " map(to: p[0:1])",
            ),
            (
                "target teams loop map(q->in->a[0:4])",
                " map(tofrom: q[0:1]) map(tofrom: q->in[0:1])",
            ),
            (
                "target exit data map(from: p->data [0:n])",
                " map(__accrue_around, release: p[0:1])",
            ),
            ("target data map(to: s.a[0:n], s.k, t.k)", " map(to: s)"),
            ("target map(to: s.p->k)", " map(to: s.p[0:1])"),
            (
                "target map(p[0].data[0:n]) map(to: p[0].n)",
                " map(to: p[0:1])",
            ),
            (
                "target map(q->in[0].a[0:4])",
                " map(tofrom: q[0:1]) map(tofrom: q->in[0:1])",
            ),
            (
                "target map(s[k[i]].a[0:n], s[k[i]].k)",
                " map(to: s[k[i]:1])",
            ),
            (
                "target map(s[1].n, s[0].n)",
                " map(to: s[1:1]) map(to: s[0:1])",
            ),
            (
                "target enter data map(to: g.level[l].u[0:n])",
                " map(__accrue_around, to: g.level[l:1])",
            ),
        ] {
            assert_eq!(added(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_mapped_or_elsewhere_needs_no_more() {
        for text in [
            "target map(p[0:1], p->data[0:n])",
            "target map(p[0], p[0].data[0:n])",
            "target map(to: s) map(s.a[0:n], s.k)",
            "target map(s.a[0:n])",
            "target enter data map(to: s.a[0:n], s.b[0:n])",
            "target update to(p->data[0:n])",
            "target is_device_ptr(p) map(p->k)",
            "target map(a[0:s.n]) if(p->n > 1.5)",
            "target map(rows[i][0:n], m[i][j].k)",
        ] {
            assert_eq!(added(text), None, "{text}");
        }
    }
}
