//! The present table against a simple model: random operations on a small address range, where
//! the model keeps one entry per byte.

use accrue::fatal::Place;
use accrue::present::ranges::{Entry, Found, Ranges};
use accrue::present::table::{Hint, Mapping, MappingId, Memory, Origin, Presence, PresentTable};
use proptest::prelude::*;
use std::collections::BTreeMap;

static ORIGIN: Origin = Origin {
    name: "x",
    place: Place {
        file: "model.c",
        line: 1,
        what: "data",
    },
};

/// What happens to a range of the small address space.
#[derive(Clone, Debug)]
enum Operation {
    /// Map when absent, else count.
    Enter {
        start: usize,
        bytes: usize,
        structured: bool,
    },
    /// Drop one reference of what holds the address.
    Exit { address: usize, structured: bool },
    /// Compare the answer for a range.
    Find { start: usize, bytes: usize },
}

fn operation() -> impl Strategy<Value = Operation> {
    let start = 1usize..400;
    prop_oneof![
        3 => (start.clone(), 1usize..24, any::<bool>())
            .prop_map(|(start, bytes, structured)| Operation::Enter { start, bytes, structured }),
        2 => (start.clone(), any::<bool>())
            .prop_map(|(address, structured)| Operation::Exit { address, structured }),
        3 => (start, 1usize..40).prop_map(|(start, bytes)| Operation::Find { start, bytes }),
    ]
}

/// One mapping of the model.
struct Model {
    bytes: usize,
    structured: u32,
    dynamic: u32,
    id: MappingId,
}

/// Model: mappings by start address, looked at byte by byte.
#[derive(Default)]
struct Mappings(BTreeMap<usize, Model>);

impl Mappings {
    fn at(&self, address: usize) -> Option<usize> {
        self.0
            .iter()
            .find(|(start, model)| (**start..*start + model.bytes).contains(&address))
            .map(|(start, _)| *start)
    }

    fn find(&self, start: usize, bytes: usize) -> Presence {
        let owners: Vec<Option<usize>> = (start..start + bytes).map(|a| self.at(a)).collect();
        match owners.iter().flatten().next() {
            None => Presence::Absent,
            Some(first) => {
                let id = self.0[first].id;
                if owners.iter().all(|owner| *owner == Some(*first)) {
                    Presence::Present(id)
                } else {
                    Presence::Partial(id)
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn the_table_behaves_like_the_model(operations in prop::collection::vec(operation(), 1..400)) {
        let mut table = PresentTable::default();
        let mut model = Mappings::default();
        let hint = Hint::default();
        for operation in operations {
            match operation {
                Operation::Find { start, bytes } => {
                    prop_assert_eq!(table.find(start, bytes), model.find(start, bytes));
                    prop_assert_eq!(table.find_again(start, bytes, &hint), model.find(start, bytes));
                }
                Operation::Enter { start, bytes, structured } => {
                    let found = table.find(start, bytes);
                    prop_assert_eq!(found, model.find(start, bytes));
                    let id = match found {
                        Presence::Partial(_) => continue,
                        Presence::Present(id) => id,
                        Presence::Absent => {
                            let id = table.insert(Mapping {
                                host: start,
                                base: start,
                                bytes,
                                device: start + 10_000,
                                structured: 0,
                                dynamic: 0,
                                declared: 0,
                                memory: Memory::Host,
                                origin: &ORIGIN,
                                around: false,
                            attachments: Vec::new(),
                            });
                            model.0.insert(start, Model { bytes, structured: 0, dynamic: 0, id });
                            id
                        }
                    };
                    let mapping = table.get_mut(id).expect("just found");
                    prop_assert_eq!(mapping.translate(start), start + 10_000);
                    let host = mapping.host;
                    let expected = model.0.get_mut(&host).expect("the model has it, too");
                    if structured {
                        mapping.structured += 1;
                        expected.structured += 1;
                    } else {
                        mapping.dynamic += 1;
                        expected.dynamic += 1;
                    }
                }
                Operation::Exit { address, structured } => {
                    let Presence::Present(id) = table.find(address, 1) else {
                        prop_assert!(model.at(address).is_none());
                        continue;
                    };
                    let mapping = table.get_mut(id).expect("just found");
                    let host = mapping.host;
                    let counter = if structured { &mut mapping.structured } else { &mut mapping.dynamic };
                    *counter = counter.saturating_sub(1);
                    let unused = mapping.is_unused();
                    let expected = model.0.get_mut(&host).expect("the model has it, too");
                    let counter = if structured { &mut expected.structured } else { &mut expected.dynamic };
                    *counter = counter.saturating_sub(1);
                    prop_assert_eq!(unused, expected.structured + expected.dynamic == 0);
                    if unused {
                        prop_assert!(table.remove(id).is_some());
                        prop_assert!(table.remove(id).is_none() && table.get(id).is_none());
                        model.0.remove(&host);
                    }
                }
            }
            prop_assert_eq!(table.len(), model.0.len());
        }
        let starts: Vec<usize> = table.iter().map(|mapping| mapping.host).collect();
        let expected: Vec<usize> = model.0.keys().copied().collect();
        prop_assert_eq!(starts, expected);
    }

    /// Enough entries that blocks split and vanish.
    #[test]
    fn blocks_split_and_vanish(seeds in prop::collection::vec(0usize..4000, 2000..4000)) {
        let mut ranges = Ranges::default();
        let mut model = BTreeMap::new();
        for (step, &key) in seeds.iter().enumerate() {
            let start = key * 10 + 10;
            let id = step as u32;
            match model.remove(&start) {
                Some(id) => {
                    prop_assert_eq!(ranges.remove(start), Some(Entry { start, end: start + 5, id, generation: 0 }));
                }
                None => {
                    prop_assert_eq!(ranges.find(start, start + 5), Found::Absent);
                    ranges.insert(Entry { start, end: start + 5, id, generation: 0 });
                    model.insert(start, id);
                }
            }
        }
        for (&start, &id) in &model {
            let entry = Entry { start, end: start + 5, id, generation: 0 };
            prop_assert_eq!(ranges.find(start + 1, start + 5), Found::Inside(entry));
            prop_assert_eq!(ranges.find(start - 1, start + 1), Found::Partial(entry));
            prop_assert_eq!(ranges.find(start + 5, start + 10), Found::Absent);
            let above = model.range(start + 1..).next().map(|(start, _)| *start);
            prop_assert_eq!(ranges.above(start).map(|entry| entry.start), above);
        }
        let all: Vec<usize> = ranges.iter().map(|entry| entry.start).collect();
        prop_assert_eq!(all, model.keys().copied().collect::<Vec<_>>());
        for start in model.into_keys() {
            prop_assert!(ranges.remove(start).is_some());
        }
        prop_assert!(ranges.is_empty() && ranges.iter().next().is_none());
    }
}
