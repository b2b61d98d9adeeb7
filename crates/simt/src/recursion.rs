//! Functions that call themselves, directly or through others.
//!
//! Each activation has its own variables (C11, 6.2.4). Those of a thread are on its stack; memory that the threads of a group
//! share is static, so that all activations would have one copy:
//!
//! ```text
//! #pragma acc routine vector
//! int tree(const int *x, int depth)
//! {
//!     int part[64];                         shared by the lanes: refused, if tree calls itself
//! #pragma acc loop vector
//!     for (…) part[i] = x[i] + depth;
//!     int below = depth ? tree(x, depth - 1) : 0;      … would overwrite part
//!     …
//! }
//! ```
//! So do the slots through which sub-groups combine a reduction: the next activation could fill them while a slow sub-group still reads.
//! A recursive function that needs no shared memory is fine, among them reductions over the lanes of one sub-group.

use super::{calls::Calls, unit::Unit};
use crate::diagnostic::{Result, error_at};
use accrue_abi::symbols::shown;
use accrue_dialects::core::Alloca;
use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};

/// Whether calls of the function lead back to it.
pub fn is_recursive(calls: &Calls, name: &str) -> bool {
    calls.reached(name).iter().any(|reached| reached == name)
}

/// A variable of the function is to be shared.
pub fn check_variable(ctx: &Context, unit: &Unit, alloca: Alloca) -> Result<()> {
    let variable = alloca.variable(ctx).map(|v| v.name);
    let name = variable.filter(|name| !name.is_empty());
    let what = name.map_or("a value".to_string(), |name| format!("`{name}`"));
    let way_out = "memory that the caller passes to it";
    check(ctx, unit, alloca.get_operation(), &what, way_out)
}

/// A reduction of the function needs slots.
pub fn check_reduction(ctx: &Context, unit: &Unit, op: Ptr<Operation>) -> Result<()> {
    let what = "the partial results of this reduction";
    let way_out = "reductions over the lanes of one subgroup (`vector_length(32)`)";
    check(ctx, unit, op, what, way_out)
}

/// After all steps: whatever else is in shared memory.
pub fn check_rest(ctx: &Context, unit: &Unit) -> Result<()> {
    match unit.shared_bytes {
        0 => Ok(()),
        _ => {
            let what = "what one of them has computed";
            let way_out = "`vector_length(32)`";
            check(ctx, unit, unit.function.get_operation(), what, way_out)
        }
    }
}

fn check(ctx: &Context, unit: &Unit, op: Ptr<Operation>, what: &str, way_out: &str) -> Result<()> {
    if !unit.recursive {
        return Ok(());
    }
    let message = format!(
        "workers or vector lanes share {what} in `{}`, which calls itself; each activation needs its own (C11, 6.2.4), which is \
         not supported on {}; use a loop in place of the recursion, or {way_out}",
        shown(&unit.name),
        unit.target.devices
    );
    Err(error_at(ctx, op, message))
}
