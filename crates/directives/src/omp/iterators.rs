//! List items with iterators that are no whole sections (OpenMP 5.2, section 3.2.6): a directive for each value, in loops.
//!
//! ```text
//! target update to(iterator(i = 0:n), p[2 * i][0:4])      for (i …) { target update to(p[2 * i][0:4]) }
//!
//! target map(to: s) map(iterator(i = 0:n), to: s[i].d[0:s[i].n]) …
//!       →     target enter data map(to: s)     for (i …) { target enter data map(to: s[i].d[0:s[i].n]) }
//!             target map(to: s) …
//!             for (i …) { target exit data map(release: s[i].d[0:s[i].n]) }     target exit data map(release: s)
//! ```
//! What a directive with a statement maps beside them is mapped around them, too: they may be attached to it.

use super::clauses::MapKind;
use super::default_mapper::{Applied, Others, Place, Step};
use super::expand::{Counter, Modified, ended, moves};

impl Applied {
    /// Directives for the items of a clause with iterators; nothing if they cannot stand beside the one that has the clause.
    pub(super) fn iterate(
        &mut self,
        clause: &Modified,
        place: Place,
        others: &Others,
    ) -> Option<()> {
        if clause.mapper.is_some() {
            return None;
        }
        let heads: Vec<String> = clause.iterators.iter().map(Counter::head).collect();
        let each = heads.join(" ");
        let step = |name: &str, kind: Option<MapKind>| {
            let items = clause.items.iter();
            let clauses: String = items
                .map(|item| clause.spelled_as(kind, None, item))
                .collect();
            Step {
                each: Some(each.clone()),
                directive: format!("target {name}{clauses}{}", others.conditions),
            }
        };
        match place {
            Place::Enter => self.after.push(step("enter data", clause.kind)),
            Place::Exit => self.before.push(step("exit data", clause.kind)),
            Place::Update => self.after.push(step("update", None)),
            Place::Around => {
                let (inwards, outwards) = ways(clause.kind);
                self.before.push(step("enter data", Some(inwards)));
                self.after.insert(0, step("exit data", Some(outwards)));
            }
        }
        Some(())
    }

    /// Maps what clauses without iterators name, around everything else.
    pub(super) fn surround(&mut self, plain: &[Modified], others: &Others) {
        let step = |name: &str, way: fn((MapKind, MapKind)) -> MapKind| {
            let clauses = plain.iter().flat_map(|clause| {
                let kind = Some(way(ways(clause.kind)));
                let items = clause.items.iter();
                items.map(move |item| clause.spelled_as(kind, None, item))
            });
            let clauses: String = clauses.collect();
            Step {
                each: None,
                directive: format!("target {name}{clauses}{}", others.conditions),
            }
        };
        if !plain.is_empty() {
            self.before
                .insert(0, step("enter data", |(inwards, _)| inwards));
            self.after.push(step("exit data", |(_, outwards)| outwards));
        }
    }
}

/// How a mapping begins and ends.
pub(super) fn ways(kind: Option<MapKind>) -> (MapKind, MapKind) {
    let kind = kind.unwrap_or(MapKind::ToFrom);
    let inwards = match moves(kind, "to") {
        true => MapKind::To,
        false => MapKind::Alloc,
    };
    let outwards = match moves(kind, "from") {
        true => MapKind::From,
        false => ended(MapKind::Alloc),
    };
    (inwards, outwards)
}

impl Counter {
    /// The head of the loop over the values.
    fn head(&self) -> String {
        let Counter {
            name,
            lower,
            upper,
            step,
        } = self;
        let step = step.as_deref().unwrap_or("1");
        let test = match step.parse::<u64>() {
            Ok(_) => format!("{name} < ({upper})"),
            Err(_) => format!("({step}) > 0 ? {name} < ({upper}) : {name} > ({upper})"),
        };
        format!("for (long long {name} = {lower}; {test}; {name} += {step})")
    }
}
