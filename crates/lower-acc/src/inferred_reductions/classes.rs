//! What a loop does with memory, sorted by address: loads and stores at addresses that are alike are a class.
//!
//! ```text
//! s.x += a[i];  s.y += b[i];  s.x += 1;          classes: &s.x (load, store, load, store), &s.y (load, store), &a[i], &b[i]
//! ```
//! Cost: the loop's accesses, times the classes.

use super::update::{Update, common_update};
use accrue_dialects::core::{Externs, pointee};
use accrue_ir::{
    effects::{Effect, effects_of},
    walk,
};
use accrue_opt::analysis::{
    accesses::{Base, Place, Reader},
    alike::are_same,
};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    value::Value,
};

/// What a loop does with memory at addresses that are alike.
pub(super) struct Class {
    pub address: Value,
    pub place: Place,
    pub ops: Vec<Ptr<Operation>>,
}

/// The classes of the places in `region` that are `wanted`.
pub(super) fn classes(
    externs: &Externs,
    reader: &Reader,
    region: Ptr<Region>,
    wanted: impl Fn(&Place) -> bool,
) -> Vec<Class> {
    let ctx = reader.ctx;
    let mut ops = vec![];
    walk::nested_in_region(ctx, region, &mut ops);
    let mut classes: Vec<Class> = vec![];
    for op in ops {
        for address in addresses(ctx, op) {
            let place = reader.place(address);
            if !wanted(&place) {
                continue;
            }
            let known = classes
                .iter_mut()
                .find(|class| class.is_at(ctx, externs, address, &place));
            match known {
                Some(class) => class.ops.push(op),
                None => classes.push(Class {
                    address,
                    place,
                    ops: vec![op],
                }),
            }
        }
    }
    classes
}

impl Class {
    /// The one operator by which all that is done there updates it.
    pub fn update(&self, externs: &Externs, reader: &Reader) -> Option<Update> {
        let ctx = reader.ctx;
        let own = |value: Value| {
            pointee(ctx, value).is_some() && self.is_at(ctx, externs, value, &reader.place(value))
        };
        common_update(ctx, externs, &own, &self.ops)
    }

    /// Whether an address is that of the class.
    fn is_at(&self, ctx: &Context, externs: &Externs, address: Value, place: &Place) -> bool {
        let known = matches!(place.base, Base::Variable(_) | Base::Pointee(_));
        known && self.place.base == place.base && self.place.path == place.path
            || are_same(ctx, externs, self.address, address)
    }
}

/// The addresses that an operation reads or writes directly.
fn addresses(ctx: &Context, op: Ptr<Operation>) -> Vec<Value> {
    let effects = effects_of(ctx, op);
    let addresses = effects.expected().iter().filter_map(|effect| match effect {
        Effect::Read(address) | Effect::Write(address) => *address,
        Effect::Alloc | Effect::Free(_) | Effect::Structure | Effect::Convergent => None,
    });
    addresses.collect()
}
