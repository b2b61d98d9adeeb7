//! The objects of a reduction: RESULT around the loop, LOCAL inside.
//!
//! - LOCAL is handed on: INIT takes what SETUP gave, TEARDOWN what FINI gave; the SETUP of an inner level takes what the
//!   outer INIT gave, and the outer FINI what the inner TEARDOWN gave: the inner RESULT is the outer LOCAL.
//! - A scalar LOCAL is a variable of its own, or a member or an element of one, written by the innermost INIT, read by the innermost FINI, and used nowhere
//!   outside the reduction. An array is changed in place: all builtins have its address.
//! - Between SETUP and TEARDOWN of a gang reduction nothing but its builtins uses RESULT: the program means LOCAL there,
//!   and an inner gang loop that reduces the same variable is consumed by the outer one.
//! - Without a gang level RESULT is a private variable: read for the first SETUP, written after the last TEARDOWN, and not
//!   a parameter of the kernel (an object of a declared reduction does not start from it); one into a mapped variable has a gang reduction with the same identifiers around it.

use super::{Builtin, Facts, Four, reduction_name};
use accrue_dialects::{
    core::{Alloca, Copy, Decay, Load, Member, PtrAdd, Store},
    par::{Level, declared::number_of},
};
use accrue_ir::walk::results_of;
use pliron::{
    builtin::op_interfaces::OneOpdInterface,
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};

/// The first broken rule.
pub fn problem(ctx: &Context, facts: &Facts) -> Option<String> {
    facts.reductions().values().find_map(|levels| {
        let (outermost, innermost) = (levels.first()?, levels.last()?);
        chain(ctx, levels)
            .or_else(|| local(ctx, facts, outermost, innermost))
            .or_else(|| result(ctx, facts, outermost))
            .or_else(|| private(ctx, facts, outermost))
    })
}

/// Whether `to` takes LOCAL as `from` left it.
fn hands_on(ctx: &Context, from: Builtin, to: Builtin) -> Option<String> {
    (from.value(ctx) != to.local).then(|| {
        format!(
            "{} of {} does not take the LOCAL that {} of {} gives",
            to.kind.name(),
            reduction_name(to.key()),
            from.kind.name(),
            reduction_name(from.key())
        )
    })
}

fn chain(ctx: &Context, levels: &[Four]) -> Option<String> {
    let own = levels.iter().find_map(|four| {
        hands_on(ctx, four.setup, four.init).or_else(|| hands_on(ctx, four.fini, four.teardown))
    });
    own.or_else(|| {
        levels.windows(2).find_map(|pair| {
            hands_on(ctx, pair[0].init, pair[1].setup)
                .or_else(|| hands_on(ctx, pair[1].teardown, pair[0].fini))
        })
    })
}

/// The address that a loaded value came from.
fn loaded_from(ctx: &Context, value: Value) -> Option<Value> {
    let load = Operation::get_op::<Load>(value.defining_op()?, ctx)?;
    Some(load.get_operand_address(ctx))
}

/// The addresses that `value` is stored to.
fn stored_to(ctx: &Context, value: Value) -> Vec<Value> {
    let stores = value.uses(ctx).into_iter();
    let stores = stores.filter_map(|u| Operation::get_op::<Store>(u.user_op(), ctx));
    stores
        .filter(|s| s.get_operand_value(ctx) == value)
        .map(|s| s.get_operand_address(ctx))
        .collect()
}

fn local(ctx: &Context, facts: &Facts, outermost: &Four, innermost: &Four) -> Option<String> {
    let name = reduction_name(innermost.init.key());
    if results_of(ctx, innermost.init.op).is_empty() {
        let whole = [innermost.init, innermost.fini].map(|b| b.local);
        return (whole[0] != whole[1])
            .then(|| format!("the builtins of {name} are of different arrays"));
    }
    let start = innermost.init.value(ctx);
    let variables = stored_to(ctx, start);
    let variable = match variables.as_slice() {
        [one] if start.uses(ctx).len() == 1 && is_variable(ctx, *one) => *one,
        _ => {
            return Some(format!(
                "par.red_init of {name} does not give its value to a LOCAL variable alone"
            ));
        }
    };
    if loaded_from(ctx, innermost.fini.local) != Some(variable) {
        return Some(format!(
            "par.red_fini of {name} does not take its LOCAL variable"
        ));
    }
    let inside = within(facts, outermost);
    variable
        .uses(ctx)
        .into_iter()
        .any(|u| !inside(u.user_op()))
        .then(|| format!("the LOCAL of {name} is used outside of the reduction"))
}

/// Whether the address is that of a variable, or of a member or element of one.
fn is_variable(ctx: &Context, address: Value) -> bool {
    let Some(op) = address.defining_op() else {
        return false;
    };
    let member = Operation::get_op::<Member>(op, ctx).map(|it| it.get_operand_record(ctx));
    let element = Operation::get_op::<PtrAdd>(op, ctx).map(|it| it.get_operand_base(ctx));
    let decay = Operation::get_op::<Decay>(op, ctx).map(|it| it.get_operand(ctx));
    match member.or(element).or(decay) {
        Some(whole) => is_variable(ctx, whole),
        None => Operation::is_op::<Alloca>(op, ctx),
    }
}

/// Whether an operation stands between SETUP and TEARDOWN, at any depth.
fn within<'a>(facts: &'a Facts, four: &Four) -> impl Fn(Ptr<Operation>) -> bool + use<'a> {
    let (from, to) = (facts.at(four.setup.op), facts.at(four.teardown.op));
    move |op| (from..=to).contains(&facts.at(op))
}

/// RESULT inside a gang reduction.
fn result(ctx: &Context, facts: &Facts, outermost: &Four) -> Option<String> {
    let result = outermost.setup.result?;
    let (key, inside) = (outermost.setup.key(), within(facts, outermost));
    let name = reduction_name(key);
    let uses = result.uses(ctx).into_iter().map(|u| u.user_op());
    uses.filter(|op| inside(*op))
        .find_map(|op| match Builtin::of(ctx, op) {
            Some(builtin) if builtin.key() == key => None,
            Some(builtin) => Some(format!(
                "{} has the RESULT of {name} around it, which must consume it",
                reduction_name(builtin.key())
            )),
            None => Some(format!(
                "the RESULT of {name} is used inside the reduction, where LOCAL is meant"
            )),
        })
}

/// RESULT of a reduction without gangs.
fn private(ctx: &Context, facts: &Facts, outermost: &Four) -> Option<String> {
    let key = outermost.setup.key();
    // An object of a declared reduction starts with what its initializer gives, and is combined with the original one.
    if key.0 == Level::Gang || number_of(outermost.setup.info.operator).is_some() {
        return None;
    }
    let name = reduction_name(key);
    let by_address = results_of(ctx, outermost.teardown.op).is_empty();
    let (from, to) = match by_address {
        true => {
            let array = outermost.setup.local;
            let copies = array.uses(ctx).into_iter();
            let copies: Vec<_> = copies
                .filter_map(|u| Operation::get_op::<Copy>(u.user_op(), ctx))
                .collect();
            let from = copies.iter().find(|c| c.get_operand_to(ctx) == array);
            let to = copies.iter().filter(|c| c.get_operand_from(ctx) == array);
            (
                from.map(|c| c.get_operand_from(ctx)),
                to.map(|c| c.get_operand_to(ctx)).collect(),
            )
        }
        false => (
            loaded_from(ctx, outermost.setup.local),
            stored_to(ctx, outermost.teardown.value(ctx)),
        ),
    };
    let Some(variable) = from.filter(|v| to.contains(v)) else {
        return Some(format!(
            "{name} does not start from a private variable and end in it"
        ));
    };
    (facts.is_kernel && facts.parameters.contains(&variable)).then(|| {
        format!("{name} is into a mapped variable, and has no gang reduction with its identifiers around it")
    })
}
