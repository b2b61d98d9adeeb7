//! Which elements subscripts of a variable mean of which a section is reduced: those of the section are the LOCAL's, others the variable's.
//!
//! ```text
//! reduction(+: x[0])       x[0] += x[i];      →   local += i == 0 ? local : x[i];
//! reduction(+: h[2:3])     h[2 + k] += x;     →   local[k] += x;
//! ```
//! Constants tell, and what is updated at one index only is of the section. Elsewhere the index is asked when the element is accessed.
//!
//! Cost: the square of the number of subscripts.

use accrue_dialects::core::{
    self, BinKind, Cast, CastKind, CmpKind, Externs, If, Load, PtrAdd, Store, emit::Emitter,
    fold::constant,
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::{analysis::alike::are_same, reductions::updates::loads_for};

/// The elements that are reduced.
pub(super) struct Section {
    /// The address of LOCAL.
    pub local: Value,
    /// LOCAL is an array, not one number.
    pub is_array: bool,
    pub lower: Value,
    pub length: i128,
}

/// What a subscript leads to.
enum Leads {
    ToLocal,
    ToOther,
    /// One or the other.
    ByIndex,
}

impl Section {
    /// Makes accesses of the variable those of LOCAL, where they mean that. `all`: all subscripts of the variable in the loop.
    pub(super) fn redirect(&self, ctx: &mut Context, all: &[PtrAdd]) -> Option<()> {
        let updated = self.updated(ctx, all);
        let leads: Vec<Leads> = all
            .iter()
            .map(|subscript| self.leads(ctx, *subscript, &updated))
            .collect();
        for (subscript, leads) in all.iter().zip(leads) {
            match leads {
                Leads::ToOther => {}
                Leads::ByIndex => self.ask(ctx, *subscript)?,
                Leads::ToLocal => {
                    let operation = subscript.get_operation();
                    let element = self.element(&mut Emitter::before(ctx, operation), *subscript)?;
                    let address = subscript.get_result(ctx);
                    address.replace_all_uses_with(ctx, &element);
                    Operation::erase(operation, ctx);
                }
            }
        }
        Some(())
    }

    fn leads(&self, ctx: &Context, subscript: PtrAdd, updated: &[Value]) -> Leads {
        let index = subscript.get_operand_index(ctx);
        let start = constant(ctx, self.lower);
        if let Some((index, start)) = constant(ctx, index).zip(start) {
            return match (start..start + self.length).contains(&index) {
                true => Leads::ToLocal,
                false => Leads::ToOther,
            };
        }
        let accesses =
            accesses::<Load>(ctx, subscript).len() + accesses::<Store>(ctx, subscript).len();
        let only_accessed = accesses == subscript.get_result(ctx).num_uses(ctx);
        // Of several updates one may be of other elements.
        let reduced = matches!(updated, [one] if self.is_array && same(ctx, index, *one));
        match reduced || same(ctx, index, self.lower) || !only_accessed {
            true => Leads::ToLocal,
            false => Leads::ByIndex,
        }
    }

    /// Indices that no constant tells, of elements that get what is computed of them.
    fn updated(&self, ctx: &Context, all: &[PtrAdd]) -> Vec<Value> {
        let mut found: Vec<Value> = vec![];
        for subscript in all {
            let index = subscript.get_operand_index(ctx);
            let alike = |other: Value| same(ctx, index, other);
            if constant(ctx, index).is_some() || found.iter().any(|it| alike(*it)) {
                continue;
            }
            let elements = || all.iter().filter(|it| alike(it.get_operand_index(ctx)));
            let loads: Vec<Load> = elements()
                .flat_map(|it| accesses::<Load>(ctx, *it))
                .filter_map(|op| Operation::get_op(op, ctx))
                .collect();
            let mut stores = elements()
                .flat_map(|it| accesses::<Store>(ctx, *it))
                .filter_map(|op| Operation::get_op::<Store>(op, ctx));
            if stores.any(|store| !loads_for(ctx, store, &loads).is_empty()) {
                found.push(index);
            }
        }
        found
    }

    /// The element of LOCAL for an element of the variable.
    fn element(&self, e: &mut Emitter, subscript: PtrAdd) -> Option<Value> {
        if !self.is_array {
            return Some(self.local);
        }
        let decay = core::Decay::new(e.ctx, self.local)?;
        let start = e.value(decay);
        let offset = self.offset(e, subscript);
        Some(e.ptr_add(start, offset))
    }

    fn offset(&self, e: &mut Emitter, subscript: PtrAdd) -> Value {
        let index = subscript.get_operand_index(e.ctx);
        let index = e.widen(index, false);
        e.bin(BinKind::Sub, index, self.lower)
    }

    /// Makes each access ask for the index.
    fn ask(&self, ctx: &mut Context, subscript: PtrAdd) -> Option<()> {
        let address = subscript.get_result(ctx);
        for op in accesses::<Load>(ctx, subscript) {
            let old = op.deref(ctx).get_result(0);
            let ty = old.get_type(ctx);
            let mut e = Emitter::before(ctx, op);
            let within = self.within(&mut e, subscript);
            let (choice, yes, no) = If::new(e.ctx, within, vec![ty]);
            e.push(choice);
            e.at_end(yes);
            let element = self.element(&mut e, subscript)?;
            let value = e.load(element);
            e.finish(vec![value]);
            e.at_end(no);
            let value = e.load(address);
            e.finish(vec![value]);
            let new = choice.get_operation().deref(ctx).get_result(0);
            old.replace_all_uses_with(ctx, &new);
            Operation::erase(op, ctx);
        }
        for op in accesses::<Store>(ctx, subscript) {
            let value = Operation::get_op::<Store>(op, ctx)?.get_operand_value(ctx);
            let mut e = Emitter::before(ctx, op);
            let within = self.within(&mut e, subscript);
            e.either(
                within,
                |e| {
                    let element = self.element(e, subscript).ok_or(())?;
                    e.store(value, element);
                    Ok(())
                },
                |e| {
                    e.store(value, address);
                    Ok::<(), ()>(())
                },
            )
            .ok()?;
            Operation::erase(op, ctx);
        }
        Some(())
    }

    fn within(&self, e: &mut Emitter, subscript: PtrAdd) -> Value {
        let offset = self.offset(e, subscript);
        let length = e.i64(self.length);
        e.cmp(CmpKind::LtU, offset, length)
    }
}

/// The loads, or stores, of the element. A store of the address itself is none.
fn accesses<T: Op>(ctx: &Context, subscript: PtrAdd) -> Vec<Ptr<Operation>> {
    let address = subscript.get_result(ctx);
    let users = address.uses(ctx).into_iter().map(|it| it.user_op());
    users
        .filter(|op| match Operation::get_op::<Store>(*op, ctx) {
            Some(store) => store.get_operand_value(ctx) != address && !store.is_volatile(ctx),
            None => Operation::get_op::<Load>(*op, ctx).is_some_and(|load| !load.is_volatile(ctx)),
        })
        .filter(|op| Operation::is_op::<T>(*op, ctx))
        .collect()
}

/// Whether two indices are the same.
fn same(ctx: &Context, one: Value, other: Value) -> bool {
    are_same(
        ctx,
        &Externs::default(),
        narrow(ctx, one),
        narrow(ctx, other),
    )
}

/// An index before it was made longer.
fn narrow(ctx: &Context, index: Value) -> Value {
    let cast = index
        .defining_op()
        .and_then(|op| Operation::get_op::<Cast>(op, ctx));
    match cast.map(|cast| (cast.kind(ctx), cast.get_operand_value(ctx))) {
        Some((CastKind::SExt | CastKind::ZExt, from)) => from,
        Some(_) | None => index,
    }
}
