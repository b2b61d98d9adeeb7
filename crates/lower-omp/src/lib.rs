//! Pass `omp-regions`: regions of OpenMP's `target` become the compute constructs that [`accrue_dialects::acc`] has.
//!
//! ```text
//! omp.target dataOperands(%a) numTeams(%8) {              acc.parallel dataOperands(%a) numGangs(%8) [rules OpenMp] {
//!   omp.teams {                                             acc.loop [gang] … {
//!     omp.loop_nest … [distribute] {                  →       acc.loop [vector] … { body } } }
//!       omp.loop_nest … [parallel, for] { body } } } }
//! ```
//!
//! Both languages say the same two things of a region: what each of its variables is, and which loops which level of threads shares
//! out. How they say it differs, and so do the rules for what they leave out; these differences end here. What is left is one language,
//! with one set of passes behind it.
//!
//! | OpenMP | becomes |
//! | --- | --- |
//! | `teams`, `distribute` | gangs |
//! | `parallel`, `for` | lanes; workers where there is `simd` inside |
//! | `simd` | lanes |
//! | `loop` | what the compiler chooses, or the level that `bind` names |
//! | `target parallel for` and nothing else | gangs and lanes: nothing can tell that there is one team |
//! | statements of `parallel` beside its loops | iterations of loops over the threads ([`threads`]) |
//! | teams that ask for their number | iterations of a loop over gangs ([`teams`]) |
//! | a region without teams | one gang; without loops that are shared out, one thread |
//! | arrays of variable length in `teams` | memory of the device, where that has lanes ([`team_arrays`]) |
//! | loops with `scan` | two passes of all threads where the device has many ([`scans`]) |
//! | loops that run in order | one thread's ([`order`]) |
//! | `critical` | a lock in the team's memory, or the device's ([`critical`]) |
//! | locks of the program | words that threads take by atomic updates ([`locks`]) |
//! | `private` | of loops the clause, elsewhere a variable in the region |
//! | `firstprivate` | of `target` the clause, elsewhere a variable in the region that starts with the value outside |
//! | functions with constructs for the threads of a team | part of the regions that call them ([`functions`]) |
//! | variables without a clause | decided behind this pass, by OpenMP's rules ([`accrue_dialects::acc::ImplicitRules`]) |
//!
//! Cost: linear in the size of the regions, times the depth of their loops.

mod critical;
mod functions;
mod levels;
mod locks;
mod order;
mod pure;
mod questions;
mod regions;
mod scans;
mod share;
mod structure;
mod team_arrays;
mod teams;
mod threads;
mod variables;

use accrue_dialects::omp::Target;
use accrue_ir::walk;
use accrue_opt::State;
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op};

/// Lowers all regions.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    functions::inline(ctx, module, state);
    let pure = pure::Pure::of(ctx, module);
    for target in walk::nested::<Target>(ctx, module.get_operation()) {
        if structure::check(ctx, target, state) {
            regions::convert(ctx, target, &pure, state);
        }
    }
    functions::run_alone(ctx, module, state);
    locks::lower(ctx, module);
}
