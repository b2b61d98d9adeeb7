//! Variables of a compute construct for which the program has none.
//!
//! ```text
//! #pragma acc kernels                              %m = core.alloca "m"
//! {                                                acc.create var(%m) [acc_presence: Own]
//!     double m = a[0];               one gang      acc.kernels { core.store …, %m; acc.loop … core.load %m … }
//!     for (…) a[i] /= m;             all gangs     →
//! }
//! ```
//! What one kernel of a construct leaves for a later one is in memory that the launch has for it: a local variable of the construct, or
//! a value. Another such variable is passed by value: the number of the round ([`crate::rounds`]).

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{
        self, DataClause, DataInfo, Delete, DeviceType, Firstprivate, Group, Kernels, PRESENCE,
        Presence,
    },
    core::{Alloca, Shape, Variable, int},
};
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Context, op::Op, r#type::TypeHandle,
    value::Value,
};

/// The name of the round's number, in messages.
const ROUND: &str = "number of the round";

/// The name of a value that kernels leave for others.
const VALUE: &str = "value of an earlier kernel";

/// Adds the number of the round; gives its address.
pub fn add_round(ctx: &mut Context, kernels: Kernels) -> Value {
    let ty = int(ctx, 64);
    let variable = plain(ty, ROUND);
    let mut e = Emitter::before(ctx, kernels.get_operation());
    let address = e.alloca(ty, Some(variable.clone()));
    let mut info = DataInfo::new(DataClause::Firstprivate, ROUND, variable.shape);
    info.implicit = true;
    let op = Firstprivate::new(e.ctx, info, address, vec![]);
    let entry = e.value(op);
    own(ctx, kernels, entry);
    address
}

/// Gives a local variable of the construct memory that all its kernels share.
pub fn share(ctx: &mut Context, kernels: Kernels, local: Alloca) {
    let variable = local.variable(ctx);
    let ty = local.var_type(ctx);
    let variable = variable.unwrap_or_else(|| plain(ty, VALUE));
    local.get_operation().unlink(ctx);
    local
        .get_operation()
        .insert_before(ctx, kernels.get_operation());
    add(ctx, kernels, local.get_result(ctx), variable);
}

/// Memory for a value of type `ty` that all kernels of the construct share; its address.
pub fn add_value(ctx: &mut Context, kernels: Kernels, ty: TypeHandle) -> Value {
    let variable = plain(ty, VALUE);
    let mut e = Emitter::before(ctx, kernels.get_operation());
    let address = e.alloca(ty, Some(variable.clone()));
    add(ctx, kernels, address, variable);
    address
}

fn add(ctx: &mut Context, kernels: Kernels, address: Value, variable: Variable) {
    let mut info = DataInfo::new(DataClause::Create, &variable.name, variable.shape);
    info.implicit = true;
    let mut e = Emitter::before(ctx, kernels.get_operation());
    let op = acc::Create::new(e.ctx, info.clone(), address, vec![]);
    let entry = e.value(op);
    let mut e = Emitter::after(ctx, kernels.get_operation());
    let op = Delete::new(e.ctx, info, Some(entry), address, vec![]);
    e.push(op);
    own(ctx, kernels, entry);
}

fn own(ctx: &mut Context, kernels: Kernels, entry: Value) {
    if let Some(op) = entry.defining_op() {
        PRESENCE.set(ctx, op, Presence::Own);
    }
    acc::push(&kernels, ctx, Group::Data, entry, DeviceType::None);
}

fn plain(elem: TypeHandle, name: &str) -> Variable {
    Variable {
        name: name.to_string(),
        shape: Shape { elem, dims: vec![] },
    }
}
