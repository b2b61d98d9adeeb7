//! Pass `common-values`: what is computed twice from the same is computed once, on GPUs.
//!
//! The importer computes an address anew for each access, and inlining and unrolling copy the computations. NVIDIA's assembler
//! finds most of them again; but what is decided before that wants to know it: accesses become wider ones where they start from
//! the same register, and a function of the device library that has a rare case out of line is a wall to the assembler.
//!
//! ```text
//! %a = core.bin MulS %c, 16                    %a = core.bin MulS %c, 16
//! %p = core.ptr_add %t, %a                     %p = core.ptr_add %t, %a
//! … core.load %p …                      →      … core.load %p …
//! %b = core.bin MulS %c, 16                    … core.load %p …
//! %q = core.ptr_add %t, %b
//! … core.load %q …
//! ```
//!
//! Steps: the operations of a block are walked through in their order, with what was computed so far; regions inside begin with
//! what is known in front of them; before and after, loads are shared likewise ([`loads`]), of struct copies, too ([`super::copies`]); what both arms of a
//! branch load is loaded before it ([`arms`]); in the end stores go away that others overwrite ([`stores`]). What stands between a `par.fork` and its `par.join` counts there only: behind it other
//! threads go on. Only operations without effect and calls of functions from outside without effect are shared. Products of
//! floating-point numbers are not, since a sum takes up the product that nothing else needs; addresses in local variables only
//! in one block.
//!
//! Cost: linear in the number of operations, times the depth of regions.

mod arms;
mod loads;
mod stores;

use accrue_dialects::{
    View,
    core::{Bin, BinKind},
    par::Edge,
};
use accrue_ir::{
    effects::is_pure,
    walk::{operands_of, ops_of_block, regions_of, results_of},
};
use pliron::{
    attribute::AttributeDict,
    basic_block::BasicBlock,
    builtin::{attributes::ATTR_KEY_GIVEN_NAMES, op_interfaces::OneRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::OpId,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashMap;

use crate::{
    State,
    analysis::{
        overlap::Overlap, records::Records, straight::PureFunctions, variables::is_in_variable,
    },
    transform::inline::device_functions,
};

/// The attributes without the names of results: in a text, values have names.
pub(super) fn nameless(attributes: &AttributeDict) -> AttributeDict {
    let mut attributes = attributes.clone();
    attributes.0.remove(&ATTR_KEY_GIVEN_NAMES);
    attributes
}

/// Whether two operations are the same but for their operands.
pub(super) fn is_same_operation(ctx: &Context, a: Ptr<Operation>, b: Ptr<Operation>) -> bool {
    let types = |op| {
        let results = results_of(ctx, op).into_iter();
        results.map(|r| r.get_type(ctx)).collect::<Vec<_>>()
    };
    Operation::get_opid(a, ctx) == Operation::get_opid(b, ctx)
        && nameless(&a.deref(ctx).attributes) == nameless(&b.deref(ctx).attributes)
        && types(a) == types(b)
}

/// What an operation computes: equal for those that give the same results.
#[derive(PartialEq, Eq, Hash)]
struct Computation {
    operation: OpId,
    attributes: AttributeDict,
    operands: Vec<Value>,
    results: Vec<TypeHandle>,
}

/// What was computed, in the regions around a place, from the outside in.
type Known = Vec<HashMap<Computation, Ptr<Operation>>>;

/// Shares in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    let records = Records::of_module(ctx, module);
    for func in device_functions(ctx, module) {
        super::copies::expand(ctx, func, &records);
        let region = func.get_region(ctx);
        let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
        // What is loaded once makes addresses the same, which an analysis that has seen them before would not see.
        for round in 0..2 {
            let mut overlap = Overlap::new(ctx, module, &records);
            for block in &blocks {
                loads::share(ctx, *block, &pure, &mut overlap, HashMap::new());
                if round == 0 {
                    walk_block(ctx, *block, &pure, &mut vec![]);
                }
            }
        }
        arms::take_out(ctx, func, &pure);
        let mut overlap = Overlap::new(ctx, module, &records);
        for block in blocks {
            stores::drop_dead(ctx, block, &pure, &mut overlap);
        }
    }
}

fn walk_block(ctx: &mut Context, block: Ptr<BasicBlock>, pure: &PureFunctions, known: &mut Known) {
    let depth = known.len();
    known.push(HashMap::new());
    for op in ops_of_block(ctx, block) {
        match Edge::of(ctx, op) {
            Some(Edge::Fork(_)) => known.push(HashMap::new()),
            // The scope of its fork; where that stands elsewhere, nothing is known any more.
            Some(Edge::Join(_)) if known.len() > depth + 1 => _ = known.pop(),
            Some(Edge::Join(_)) => known.iter_mut().for_each(HashMap::clear),
            None => {}
        }
        if let Some(computation) = computation(ctx, op, pure) {
            // Who asks whether a loop uses the address of a variable from outside looks for what is computed in the loop.
            let from = match results_of(ctx, op).iter().any(|r| is_in_variable(ctx, *r)) {
                true => known.len() - 1,
                false => 0,
            };
            let scopes = known[from..].iter();
            let same = scopes.filter_map(|scope| scope.get(&computation)).next();
            match same.copied() {
                Some(same) => replace(ctx, op, same),
                None => {
                    if let Some(scope) = known.last_mut() {
                        scope.insert(computation, op);
                    }
                }
            }
        } else {
            for region in regions_of(ctx, op) {
                let blocks: Vec<_> = region.deref(ctx).iter(ctx).collect();
                for block in blocks {
                    walk_block(ctx, block, pure, known);
                }
            }
        }
    }
    known.truncate(depth);
}

/// What `op` computes, if that can be shared.
fn computation(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> Option<Computation> {
    let is_core = match View::of(ctx, op) {
        View::Core(_) => true,
        View::Par(_) | View::Source(_) | View::Simt(_) | View::Other => false,
    };
    let quiet = is_pure(ctx, op) || pure.is_called(ctx, op);
    let results = results_of(ctx, op);
    let product = Operation::get_op::<Bin>(op, ctx).is_some_and(|b| b.kind(ctx) == BinKind::FMul);
    let shared =
        is_core && quiet && !product && !results.is_empty() && op.deref(ctx).num_regions() == 0;
    shared.then(|| Computation {
        operation: Operation::get_opid(op, ctx),
        attributes: nameless(&op.deref(ctx).attributes),
        operands: operands_of(ctx, op),
        results: results.iter().map(|r| r.get_type(ctx)).collect(),
    })
}

fn replace(ctx: &mut Context, op: Ptr<Operation>, same: Ptr<Operation>) {
    let results = results_of(ctx, op).into_iter();
    for (from, to) in results.zip(results_of(ctx, same)) {
        from.replace_all_uses_with(ctx, &to);
    }
    Operation::erase(op, ctx);
}
