//! Who computes with floating-point numbers of 64 bits, which a device need not have (`cl_khr_fp64`).
//!
//! The library runs such kernels on the host where the device has none. The others are built there, although records of the unit may
//! have members of this type: for them, the type is an integer of the same size and alignment ([`crate::prelude`]), and functions of
//! the unit that compute with it are left out.
//!
//! ```text
//! struct s { double x; int n; };       kernel that reads n        built
//! static double f(…) { … }             kernel that reads x        runs on the host
//! ```
//! Every number that is computed with is the value of an operation, or a parameter: types of values are all that is looked at. Quotients of
//! complex numbers of `float` are of 64 bits only where the device has these.

use crate::spaces::values;
use accrue_dialects::core::{complex_part, float_width};
use pliron::{builtin::ops::FuncOp, context::Context, r#type::Typed};

/// Whether a function does so itself.
pub fn computes_with(ctx: &Context, function: FuncOp) -> bool {
    values(ctx, function).into_iter().any(|value| {
        let ty = value.get_type(ctx);
        let part = complex_part(ctx, ty).unwrap_or(ty);
        float_width(ctx, part) == Some(64)
    })
}
