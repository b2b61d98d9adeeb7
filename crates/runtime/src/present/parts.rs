//! Pointers of which several sections are mapped, each by itself.
//!
//! ```text
//! enter data copyin(p[0:5])                    p ├─ device 0x100 ─┤├─ device 0x900 ─┤
//! enter data copyin(p[5:5])                         p is 0x100          p is 0x8d8
//! ```
//! The device has no one address for `p`: a construct has to say, or to show, which section it means (`region/choice.rs`). That there
//! are several is noted when mappings come and go, so that a launch only asks whether there are any such pointers.

use super::table::{Hint, Mapping, MappingId, Presence, PresentTable};

impl PresentTable {
    /// Whether sections of a pointer with this value are in several mappings.
    #[inline]
    pub fn has_parts(&self, pointer: usize) -> bool {
        !self.parted.is_empty() && self.parted.contains(&pointer)
    }

    /// The mappings with sections whose element 0 is at this address.
    pub fn parts(&self, base: usize) -> Vec<MappingId> {
        let mut parts = self.sections_of(base);
        if let Presence::Present(id) = self.find(base, 1)
            && self.get(id).is_some_and(|mapping| mapping.base == base)
            && !parts.contains(&id)
        {
            parts.push(id);
        }
        parts.sort_by_key(|id| self.get(*id).map(|mapping| mapping.host));
        parts
    }

    /// The mapping that a pointer of this value leads to, whose address on the device is `device`.
    pub fn part_at(&self, pointer: usize, device: usize, hint: &Hint) -> Option<MappingId> {
        if !self.has_parts(pointer) {
            return self.of_pointer_or_end(pointer, hint);
        }
        let mut parts = self.parts(pointer).into_iter();
        parts.find(|id| {
            let mapping = self.get(*id);
            mapping.is_some_and(|mapping| mapping.translate(pointer) == device)
        })
    }

    /// The mappings that have some of these bytes.
    pub fn overlapping(&self, start: usize, end: usize) -> impl Iterator<Item = &Mapping> + '_ {
        self.iter()
            .filter(move |mapping| mapping.host < end && start < mapping.piece().end())
    }

    /// A mapping with a section that begins at this address has come, or is gone.
    pub(super) fn note_parts(&mut self, base: usize) {
        match self.parts(base).len() > 1 {
            true => self.parted.insert(base),
            false => self.parted.remove(&base),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fatal::Place;
    use crate::present::table::{Memory, Origin};

    static ORIGIN: Origin = Origin {
        name: "p",
        place: Place {
            file: "",
            line: 0,
            what: "",
        },
    };

    fn insert(table: &mut PresentTable, base: usize, host: usize, device: usize) -> MappingId {
        table.insert(Mapping {
            host,
            base,
            bytes: 40,
            device,
            structured: 1,
            dynamic: 0,
            declared: 0,
            memory: Memory::Allocated,
            origin: &ORIGIN,
            around: false,
            attachments: Vec::new(),
        })
    }

    #[test]
    fn a_pointer_has_parts_as_long_as_there_are_two() {
        let (table, hint) = (&mut PresentTable::default(), Hint::default());
        let second = insert(table, 1000, 1040, 9000);
        assert!(!table.has_parts(1000));
        let first = insert(table, 1000, 1000, 5000);
        assert!(table.has_parts(1000) && !table.has_parts(1040));
        assert_eq!(table.parts(1000), [first, second]);
        assert_eq!(table.part_at(1000, 8960, &hint), Some(second));
        assert_eq!(table.part_at(1000, 5000, &hint), Some(first));
        table.remove(first);
        assert!(!table.has_parts(1000));
        assert_eq!(table.part_at(1000, 0, &hint), Some(second));
    }

    #[test]
    fn a_section_in_the_mapping_of_another_pointer_is_a_part() {
        let table = &mut PresentTable::default();
        let other = insert(table, 2000, 2000, 5000);
        table.note_base(other, 1000);
        let own = insert(table, 1000, 1000, 9000);
        assert_eq!(table.parts(1000), [own, other]);
        assert!(table.has_parts(1000) && !table.has_parts(2000));
        table.remove(other);
        assert!(!table.has_parts(1000));
    }
}
