//! Mappers whose list items have mappers themselves (OpenMP 5.2, section 5.8.8): they name what those do.
//!
//! ```text
//! declare mapper(struct part v) map(v, v.data[0:v.len])
//! declare mapper(struct whole w) map(w.n, w.list[0])    →    … map(tofrom: w.n) map(tofrom: w.list[0], w.list[0].data[0:w.list[0].len])
//! ```

use super::default_mapper::{Declared, Name, of_item};
use super::expand::{Mapper, Mapping, decayed};

impl Mapper {
    /// Replaces items by what their mappers do, as far as they can be replaced.
    pub fn flatten(&mut self, mappers: &[Mapper], declared: &dyn Fn(Name<'_>) -> Option<Declared>) {
        let mut flat = Vec::new();
        for map in &self.maps {
            for item in &map.items {
                let found = of_item(item, declared).filter(|_| *item != self.variable);
                let inner = found
                    .as_ref()
                    .and_then(|it| mappers.get(it.declared.mapper));
                match (found, inner) {
                    (Some(found), Some(inner)) if found.is_single() => {
                        let parts = inner.applied(item).into_iter();
                        flat.extend(parts.map(|own| own.inside(map)));
                    }
                    (found, _) => {
                        self.is_whole &= found.is_none();
                        let items = vec![item.clone()];
                        flat.push(Mapping {
                            items,
                            ..map.clone()
                        });
                    }
                }
            }
        }
        self.maps = flat;
    }

    /// The directive that declares it.
    pub fn spelled(&self) -> String {
        let maps = self.maps.iter().filter(|map| !map.items.is_empty());
        let maps: String = maps
            .map(|map| {
                let words = map.modifiers.iter().map(String::as_str);
                let head: Vec<&str> = words.chain([map.kind.name()]).collect();
                format!(" map({}: {})", head.join(", "), map.items.join(", "))
            })
            .collect();
        format!(
            "declare mapper({}: {} {}){maps}",
            self.name,
            self.of.trim(),
            self.variable
        )
    }
}

impl Mapping {
    /// The same for an object that a clause of another mapper names.
    fn inside(mut self, outer: &Mapping) -> Self {
        self.kind = decayed(self.kind, outer.kind);
        let new = outer.modifiers.iter();
        let new: Vec<String> = new
            .filter(|word| !self.modifiers.contains(word))
            .cloned()
            .collect();
        self.modifiers.extend(new);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn items_are_what_their_mappers_map() {
        let read = |text: &str| Mapper::read(text, Language::C);
        let inner = read("declare mapper(struct part v) map(v, v.d[0:v.n])");
        let outer = read(
            "declare mapper(all: whole_t w) map(always, to: w.n, w.one, w.list[1]) map(alloc: w.rest[0:4])",
        );
        let (Some(inner), Some(mut outer)) = (inner, outer) else {
            panic!("both are mappers");
        };
        let declared = |name: Name<'_>| {
            let (pointers, arrays) = match name {
                Name::Member("one") => (0, 0),
                Name::Member("list" | "rest") => (1, 0),
                _ => return None,
            };
            let mapper = 0;
            Some(Declared {
                mapper,
                pointers,
                arrays,
            })
        };
        outer.flatten(&[inner], &declared);
        assert!(!outer.is_whole);
        let expected = "declare mapper(all: whole_t w) map(always, to: w.n) map(always, to: w.one, w.one.d[0:w.one.n]) \
                        map(always, to: w.list[1], w.list[1].d[0:w.list[1].n]) map(alloc: w.rest[0:4])";
        assert_eq!(outer.spelled(), expected);
    }
}
