//! Gang reductions of whole objects: those that the program declares (OpenMP 5.2, section 5.5.11).
//!
//! An object takes part as the numbers that it consists of ([`accrue_dialects::par::declared`]), each with its field in the slot; they are
//! combined together. LOCAL has begun before SETUP, with what the initializer gives.
//!
//! | builtin | expands to |
//! | --- | --- |
//! | SETUP | if `result_k` is null: `value_k` = LOCAL, which has begun; `result_k` = RESULT; V = LOCAL |
//! | INIT, TEARDOWN | V = LOCAL |
//! | FINI | `value` = `value` OP LOCAL; V = LOCAL |
//!
//! In a kernel with one gang TEARDOWN is `RESULT = RESULT OP LOCAL`.

use super::{Entry, Reduction, as_pointer_to, finish_op};
use crate::{
    diagnostic::{Diagnostic, Result, error_at, or_at},
    dialect::Gangs,
};
use accrue_dialects::{
    core::{CmpKind, Member, emit::Emitter},
    par::{
        Builtin,
        declared::{combine, number_of, together},
    },
};
use pliron::{context::Context, r#type::Typed, value::Value};

/// The builtins of a kernel that always has one gang.
pub(super) fn expand_single(ctx: &mut Context, all: &[Reduction]) -> Result<()> {
    each(ctx, all, |ctx, object| {
        let results: Option<Vec<Value>> = object.iter().map(|it| it.result(ctx)).collect();
        let locals: Vec<Value> = object.iter().map(|it| it.local(ctx)).collect();
        let Some(first) = object.first() else {
            return Ok(());
        };
        let mut at = Emitter::before(ctx, first.op);
        if let Some(results) = results.filter(|_| first.builtin == Builtin::Teardown) {
            combine_into(&mut at, first, &results, &locals)?;
        }
        Ok(())
    })
}

/// The builtins of a kernel whose gangs have slots.
pub(super) fn expand_in_slot(
    ctx: &mut Context,
    all: &[Reduction],
    slot: Value,
    entries: &[Entry],
) -> Result<()> {
    each(ctx, all, |ctx, object| {
        let Some(first) = object.first() else {
            return Ok(());
        };
        let k = entries.iter().position(|e| e.info.id == first.info.id);
        let k = k.ok_or_else(|| error_at(ctx, first.op, "a reduction without identifier"))?;
        let entries = &entries[k..(k + object.len()).min(entries.len())];
        match first.builtin {
            Builtin::Setup => {
                for ((reduction, entry), k) in object.iter().zip(entries).zip(k..) {
                    setup(ctx, reduction, slot, k, entry)?;
                }
                Ok(())
            }
            Builtin::Fini => fini(ctx, object, slot, k, entries),
            Builtin::Init | Builtin::Teardown => Ok(()),
        }
    })
}

/// Expands object by object; all builtins keep their LOCAL.
fn each(
    ctx: &mut Context,
    all: &[Reduction],
    mut expand: impl FnMut(&mut Context, &[Reduction]) -> Result<()>,
) -> Result<()> {
    let mut at = 0;
    while let Some(first) = all.get(at) {
        let length = together(ctx, first.op, first.info.operator)?;
        let object = all.get(at..at + length).filter(|it| !it.is_empty());
        let object = object.ok_or_else(|| {
            error_at(
                ctx,
                first.op,
                "an object of a declared reduction is not complete",
            )
        })?;
        expand(ctx, object).map_err(|d| or_at(d, ctx, first.op))?;
        for reduction in object {
            let local = reduction.local(ctx);
            finish_op(ctx, reduction.op, local);
        }
        at += length;
    }
    Ok(())
}

fn setup(
    ctx: &mut Context,
    reduction: &Reduction,
    slot: Value,
    k: usize,
    entry: &Entry,
) -> Result<()> {
    let local = reduction.local(ctx);
    let Some(result) = reduction.result(ctx) else {
        return Ok(());
    };
    let mut at = Emitter::before(ctx, reduction.op);
    let field = at.make(|c| Member::new(c, slot, Entry::result_field(k), entry.reference));
    let (before, null) = (at.load(field), at.zero(entry.reference));
    let is_first = at.cmp(CmpKind::Eq, before, null);
    at.when::<Diagnostic>(is_first, |at| {
        let value = at.make(|c| Member::new(c, slot, Entry::value_field(k), entry.ty));
        at.store(local, value);
        Ok(())
    })?;
    at.store(result, field);
    Ok(())
}

/// Where the kernel uses RESULT itself, the only gang adds to that, and leaves nothing for the finish function to do.
fn fini(
    ctx: &mut Context,
    object: &[Reduction],
    slot: Value,
    k: usize,
    entries: &[Entry],
) -> Result<()> {
    let locals: Vec<Value> = object.iter().map(|it| it.local(ctx)).collect();
    let results: Option<Vec<Value>> = object.iter().map(|it| it.result(ctx)).collect();
    let results = results.filter(|_| object.iter().any(|it| it.in_use));
    let Some(first) = object.first() else {
        return Ok(());
    };
    let mut at = Emitter::before(ctx, first.op);
    let into_slot = |at: &mut Emitter| {
        let fields = fields(at, slot, k, entries);
        combine_into(at, first, &fields, &locals)
    };
    let Some(results) = results else {
        return into_slot(&mut at);
    };
    let (gangs, one) = (at.make(Gangs::new), at.i64(1));
    let alone = at.cmp(CmpKind::Eq, gangs, one);
    at.either(
        alone,
        |at| {
            combine_into(at, first, &results, &locals)?;
            for (entry, k) in entries.iter().zip(k..) {
                let null = at.zero(entry.reference);
                let field =
                    at.make(|c| Member::new(c, slot, Entry::result_field(k), entry.reference));
                at.store(null, field);
            }
            Ok(())
        },
        into_slot,
    )?;
    Ok(())
}

/// Combines what a gang has left into RESULT.
pub(super) fn finish(at: &mut Emitter, slot: Value, k: usize, entries: &[Entry]) -> Result<()> {
    let Some(first) = entries.first() else {
        return Ok(());
    };
    let field = |at: &mut Emitter, k: usize, entry: &Entry| {
        let field = at.make(|c| Member::new(c, slot, Entry::result_field(k), entry.reference));
        at.load(field)
    };
    let result = field(at, k, first);
    let null = at.zero(first.reference);
    let came_by = at.cmp(CmpKind::Ne, result, null);
    at.when(came_by, |at| {
        let Some(number) = number_of(first.info.operator) else {
            return Ok(());
        };
        let places = fields(at, slot, k, entries);
        let values: Vec<Value> = places.into_iter().map(|place| at.load(place)).collect();
        let results: Vec<Value> = entries
            .iter()
            .zip(k..)
            .map(|(entry, k)| {
                let address = field(at, k, entry);
                as_pointer_to(at, address, entry.ty)
            })
            .collect();
        let old: Vec<Value> = results.iter().map(|result| at.load(*result)).collect();
        let new = combine(at, number, &old, &values)?;
        for (value, result) in new.into_iter().zip(results) {
            at.store(value, result);
        }
        Ok::<(), Diagnostic>(())
    })?;
    Ok(())
}

/// The fields of the slot with what the gang contributes.
fn fields(at: &mut Emitter, slot: Value, k: usize, entries: &[Entry]) -> Vec<Value> {
    let entries = entries.iter().zip(k..);
    entries
        .map(|(entry, k)| at.make(|c| Member::new(c, slot, Entry::value_field(k), entry.ty)))
        .collect()
}

/// `*into = *into OP values`.
fn combine_into(
    at: &mut Emitter,
    first: &Reduction,
    into: &[Value],
    values: &[Value],
) -> Result<()> {
    let Some(number) = number_of(first.info.operator) else {
        return Ok(());
    };
    let places: Vec<Value> = into
        .iter()
        .zip(values)
        .map(|(place, value)| {
            let ty = value.get_type(at.ctx);
            as_pointer_to(at, *place, ty)
        })
        .collect();
    let old: Vec<Value> = places.iter().map(|place| at.load(*place)).collect();
    let new = combine(at, number, &old, values)?;
    for (value, place) in new.into_iter().zip(places) {
        at.store(value, place);
    }
    Ok(())
}
