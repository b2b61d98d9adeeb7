//! What OpenMP's `defaultmap` says of the variables that no clause names (OpenMP 5.2, section 5.8.7).
//!
//! ```text
//! target defaultmap(tofrom: scalar)      { x += a[0]; }      x: copy      a: as without the clause
//! target defaultmap(none: aggregate)     { x += a[0]; }      a: an error
//! ```
//! A pointer that the region only reads is translated if it leads to mapped data, whatever is said of pointers: mapped by itself it would
//! lead to the host. One that the region changes is mapped itself.

use accrue_dialects::{
    acc::{ComputeOp, DataClause, MapBehavior},
    core::{Load, Variable, is_scalar, pointee},
};
use accrue_opt::{
    State,
    analysis::variables::{Root, uses_of},
};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    value::Value,
};

use super::{A_POINTER, is_pointer};

pub(super) const WHY: &str = "`defaultmap` says so";

/// The attribute of a variable; nothing where the clause says nothing of it, or what is said is an error, which is reported.
pub fn said(
    ctx: &Context,
    construct: &dyn ComputeOp,
    region: Ptr<Region>,
    (root, var): (&Root, Value),
    variable: &Variable,
    state: &mut State,
) -> Option<(DataClause, &'static str)> {
    let said = construct.defaultmap(ctx);
    let pointer = is_pointer(&variable.shape);
    let scalar =
        pointee(ctx, var).is_some_and(|ty| is_scalar(ctx, ty)) && variable.shape.dims.is_empty();
    let behavior = match (pointer, scalar) {
        (true, _) => said.pointer,
        (false, true) => said.scalar,
        (false, false) => said.aggregate,
    };
    let name = &variable.name;
    let mut refuse = |message: String, help: String| {
        let error = accrue_ir::diagnostic::error_at(ctx, construct.get_operation(), message);
        state.diagnostics.push(error.help(help).openmp("5.8.7"));
        None
    };
    if pointer && behavior != MapBehavior::Default && behavior != MapBehavior::None {
        let uses = uses_of(ctx, region, root);
        let leads = uses.iter().all(|u| Operation::is_op::<Load>(u.op, ctx));
        let has_value = behavior != MapBehavior::Alloc && behavior != MapBehavior::From;
        if leads && has_value {
            return Some((DataClause::Pointer, A_POINTER));
        }
    }
    let clause = match behavior {
        MapBehavior::Default => return None,
        MapBehavior::Alloc => DataClause::Create,
        MapBehavior::To => DataClause::Copyin,
        MapBehavior::From => DataClause::Copyout,
        MapBehavior::ToFrom => DataClause::Copy,
        MapBehavior::Firstprivate => DataClause::Firstprivate,
        MapBehavior::Present => DataClause::Present,
        MapBehavior::None => {
            let help = match pointer {
                true => format!("map it: `map({name}[0:n])`"),
                false => format!(
                    "write `map(tofrom: {name})`, `firstprivate({name})` or another data clause"
                ),
            };
            return refuse(unnamed(name), help);
        }
    };
    Some((clause, WHY))
}

fn unnamed(name: &str) -> String {
    format!("`{name}` has no data clause, and `defaultmap(none)` is given")
}
