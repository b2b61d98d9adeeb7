//! Pass `kernels-scalars`: scalars that every iteration of a loop in a `kernels` construct assigns before it uses them become
//! the iteration's own, if nothing behind the loop uses what they hold, on the host either.
//!
//! ```text
//! double t;
//! #pragma acc kernels
//! for (int i = 0; i < n; i++) {                 →      double t of its own in each iteration
//!     t = x[i];
//!     y[i] = t * t;
//! }
//! ```
//!
//! A scalar in `kernels` is mapped as if by `copy` (OpenACC 3.4, section 2.5.3), so that iterations share it: the loop above
//! would have to be sequential, and with `independent` its iterations would overwrite each other's values. With its own
//! variable the loop is found to be independent, and nothing is copied.
//!
//! In a loop with an `independent` clause this holds also where the last value may be wanted behind the loop: then the last
//! iteration stores it ([`crate::last_values`]). Other loops run in order then.
//!
//! Structs and members of structs are given to iterations in `parallel` as well: they are mapped as if by `copy` there, too,
//! while scalars are firstprivate. Iterations of such a loop are independent unless it says `seq` or `auto`.
//!
//! It comes before the pass `implicit-data`, so that the variables are still those of the host's function, and what the host
//! does behind the construct is seen. Host code that is not understood uses all that it mentions; if it may jump, all code
//! of the function may follow it.

use accrue_dialects::acc::{Kernels, Loop, Parallel};
use accrue_ir::walk;
use pliron::{
    builtin::ops::{FuncOp, ModuleOp},
    context::Context,
    op::Op,
};

use crate::{
    device_types::applies,
    last_values::{give_last_structs, give_last_values},
};
use accrue_opt::{
    State,
    analysis::{read_only::functions, records::Records},
    transform::private_scalars::give_to_iterations,
    transform::private_structs::give_structs_to_iterations,
};

/// Gives iterations their own scalars in the loops of all `kernels` constructs.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    let functions = functions(ctx, module.get_operation());
    let records = Records::of_module(ctx, module);
    for func in walk::directly_in::<FuncOp>(ctx, module.get_operation()) {
        for construct in walk::nested::<Kernels>(ctx, func.get_operation()) {
            for lp in walk::nested::<Loop>(ctx, construct.get_operation()) {
                let operation = lp.get_operation();
                give_to_iterations(ctx, operation, &functions, state);
                give_structs_to_iterations(ctx, operation, &functions, &records, state);
                if applies(&lp.clauses(ctx).independent) {
                    give_last_values(ctx, lp, &functions, state);
                    give_last_structs(ctx, lp, &functions, &records, state);
                }
            }
        }
        for construct in walk::nested::<Parallel>(ctx, func.get_operation()) {
            for lp in walk::nested::<Loop>(ctx, construct.get_operation()) {
                let clauses = lp.clauses(ctx);
                if applies(&clauses.seq) || applies(&clauses.auto) || clauses.implicit {
                    continue;
                }
                let operation = lp.get_operation();
                give_structs_to_iterations(ctx, operation, &functions, &records, state);
                give_last_structs(ctx, lp, &functions, &records, state);
            }
        }
    }
}
