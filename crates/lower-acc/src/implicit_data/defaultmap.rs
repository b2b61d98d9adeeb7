//! What OpenMP's `defaultmap` says of the variables that no clause names (OpenMP 5.2, section 5.8.7).
//!
//! ```text
//! target defaultmap(tofrom: scalar)      { x += a[0]; }      x: copy      a: as without the clause
//! target defaultmap(none: aggregate)     { x += a[0]; }      a: an error
//! ```
//! A pointer that leads to mapped data is translated, whatever is said of pointers: mapped by itself it would lead to the host. So the
//! region must not change it where the clause says that the host sees that, and `alloc` and `from` are refused.

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

const WHY: &str = "`defaultmap` says so";

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
    if pointer {
        let changed = || {
            let uses = uses_of(ctx, region, root);
            uses.iter().any(|u| !Operation::is_op::<Load>(u.op, ctx))
        };
        return match behavior {
            MapBehavior::Default => None,
            MapBehavior::None => refuse(unnamed(name), format!("map it: `map({name}[0:n])`")),
            MapBehavior::To
            | MapBehavior::ToFrom
            | MapBehavior::Firstprivate
            | MapBehavior::Present
                if !changed() =>
            {
                Some((DataClause::Pointer, A_POINTER))
            }
            MapBehavior::Alloc
            | MapBehavior::From
            | MapBehavior::To
            | MapBehavior::ToFrom
            | MapBehavior::Firstprivate
            | MapBehavior::Present => refuse(
                format!("`defaultmap` means the pointer `{name}` itself, which the region changes"),
                format!(
                    "name a section in a `map` clause, and let the region change a copy of `{name}`"
                ),
            ),
        };
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
            return refuse(
                unnamed(name),
                format!(
                    "write `map(tofrom: {name})`, `firstprivate({name})` or another data clause"
                ),
            );
        }
    };
    Some((clause, WHY))
}

fn unnamed(name: &str) -> String {
    format!("`{name}` has no data clause, and `defaultmap(none)` is given")
}
