//! The rules of the reduction protocol, checked after every pass that could break them (seed: OpenACC reductions in GCC,
//! sections "Fork/Join", "Reduction objects" and "Early Builtins").
//!
//! A reduction is named by (level, loop, reduction). One kernel, one reduction over gangs and lanes:
//!
//! ```text
//! %a1 = par.red_setup  gang   (1,0) result %s, 0        ┐ outermost level: RESULT is the mapped variable
//! par.fork gang 1                                       │
//! %a2 = par.red_init   gang   (1,0) result %s, %a1      │
//! %b1 = par.red_setup  vector (1,0) %a2                 │ ┐ inner level: its RESULT is the outer LOCAL
//! par.fork vector 1                                     │ │
//! %b2 = par.red_init   vector (1,0) %b1                 │ │
//! core.store %b2, %l     … loop: %l instead of %s …     │ │ the LOCAL variable
//! %l1 = core.load %l                                    │ │
//! par.lock vector 1                                     │ │
//! %b3 = par.red_fini   vector (1,0) %l1                 │ │
//! par.unlock vector 1                                   │ │
//! par.join vector 1                                     │ │
//! %b4 = par.red_teardown vector (1,0) %b3               │ ┘
//! par.lock gang 1                                       │
//! %a3 = par.red_fini   gang   (1,0) result %s, %b4      │
//! par.unlock gang 1                                     │
//! par.join gang 1                                       │
//! %a4 = par.red_teardown gang (1,0) result %s, %a3      ┘
//! ```
//!
//! [`regions`]: forks, joins, locks. [`builtins`]: the four builtins of each reduction, where they stand and what they agree
//! on. [`objects`]: RESULT and LOCAL. Cost: linear in the size of the function, but for the pairs of its partitioned regions.

mod builtins;
mod objects;
mod regions;

use accrue_dialects::par::{Builtin as Kind, Level, ParOp, ReductionInfo, ReductionOp, kernel_of};
use accrue_ir::walk;
use pliron::{
    builtin::{
        op_interfaces::SymbolOpInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    op::op_cast,
    operation::Operation,
    value::Value,
};
use std::collections::{BTreeMap, HashMap};

/// What is wrong in the functions of `module` after the pass `after`, if anything.
pub fn check(ctx: &Context, module: ModuleOp, after: &str) -> Option<String> {
    let functions = walk::directly_in::<FuncOp>(ctx, module.get_operation());
    functions.into_iter().find_map(|f| {
        let problem = check_function(ctx, f)?;
        Some(format!(
            "{}: {problem} (after {after})",
            f.get_symbol_name(ctx)
        ))
    })
}

/// What is wrong in one function, if anything.
pub fn check_function(ctx: &Context, function: FuncOp) -> Option<String> {
    let facts = Facts::collect(ctx, function);
    regions::problem(ctx, &facts)
        .or_else(|| builtins::problem(ctx, &facts))
        .or_else(|| objects::problem(ctx, &facts))
}

/// A partitioned region: level and loop.
type Region = (Level, u32);
/// A reduction of one level: level, loop, reduction.
type Key = (Level, u32, u32);

/// The level as the text of the IR has it.
fn level_name(level: Level) -> &'static str {
    match level {
        Level::Gang => "gang",
        Level::Worker => "worker",
        Level::Vector => "vector",
    }
}

fn region_name((level, id): Region) -> String {
    format!("{} {id}", level_name(level))
}

fn reduction_name((level, id, reduction): Key) -> String {
    format!("the {} reduction ({id},{reduction})", level_name(level))
}

/// One builtin.
#[derive(Clone, Copy)]
struct Builtin {
    kind: Kind,
    op: Ptr<Operation>,
    info: ReductionInfo,
    local: Value,
    result: Option<Value>,
}

impl Builtin {
    fn of(ctx: &Context, op: Ptr<Operation>) -> Option<Self> {
        let kind = Kind::of(ctx, op)?;
        let object = Operation::get_op_dyn(op, ctx);
        let reduction = op_cast::<dyn ReductionOp>(&*object)?;
        Some(Builtin {
            kind,
            op,
            info: reduction.info(ctx),
            local: reduction.local(ctx),
            result: reduction.result_ref(ctx),
        })
    }

    fn key(&self) -> Key {
        let id = self.info.id;
        (self.info.level, id.loop_id, id.reduction_id)
    }

    /// LOCAL after the builtin: the new value, or the address of the array that it changed.
    fn value(&self, ctx: &Context) -> Value {
        let results = walk::results_of(ctx, self.op);
        results.first().copied().unwrap_or(self.local)
    }
}

/// The four builtins of a reduction, once each.
#[derive(Clone, Copy)]
struct Four {
    setup: Builtin,
    init: Builtin,
    fini: Builtin,
    teardown: Builtin,
}

/// The operations of the protocol in one function.
struct Facts {
    is_kernel: bool,
    /// The parameters of the function.
    parameters: Vec<Value>,
    /// Places of all operations in the order of the text.
    order: HashMap<Ptr<Operation>, usize>,
    forks: BTreeMap<Region, Vec<Ptr<Operation>>>,
    joins: BTreeMap<Region, Vec<Ptr<Operation>>>,
    locks: BTreeMap<Region, Vec<Ptr<Operation>>>,
    unlocks: BTreeMap<Region, Vec<Ptr<Operation>>>,
    barriers: BTreeMap<Region, Vec<Ptr<Operation>>>,
    builtins: BTreeMap<Key, Vec<Builtin>>,
}

impl Facts {
    fn collect(ctx: &Context, function: FuncOp) -> Self {
        let ops = walk::nested_ops(ctx, function.get_operation());
        let entry = function.get_entry_block(ctx);
        let mut facts = Facts {
            is_kernel: kernel_of(ctx, &function).is_some(),
            parameters: entry.deref(ctx).arguments().collect(),
            order: ops.iter().enumerate().map(|(at, op)| (*op, at)).collect(),
            forks: BTreeMap::new(),
            joins: BTreeMap::new(),
            locks: BTreeMap::new(),
            unlocks: BTreeMap::new(),
            barriers: BTreeMap::new(),
            builtins: BTreeMap::new(),
        };
        for op in ops {
            let Some(of_par) = ParOp::of(ctx, op) else {
                continue;
            };
            let (list, key) = match of_par {
                ParOp::RedSetup(_)
                | ParOp::RedInit(_)
                | ParOp::RedFini(_)
                | ParOp::RedTeardown(_) => {
                    if let Some(builtin) = Builtin::of(ctx, op) {
                        let list = facts.builtins.entry(builtin.key()).or_default();
                        list.push(builtin);
                    }
                    continue;
                }
                ParOp::Fork(o) => (&mut facts.forks, (o.level(ctx), o.loop_id(ctx))),
                ParOp::Join(o) => (&mut facts.joins, (o.level(ctx), o.loop_id(ctx))),
                ParOp::Lock(o) => (&mut facts.locks, (o.level(ctx), o.loop_id(ctx))),
                ParOp::Unlock(o) => (&mut facts.unlocks, (o.level(ctx), o.loop_id(ctx))),
                ParOp::Barrier(o) => (&mut facts.barriers, (o.level(ctx), o.loop_id(ctx))),
                ParOp::DimPos(_) | ParOp::DimSize(_) | ParOp::Loop(_) | ParOp::Reduce(_) => {
                    continue;
                }
            };
            list.entry(key).or_default().push(op);
        }
        facts
    }

    /// The place of `op` in the text.
    fn at(&self, op: Ptr<Operation>) -> usize {
        self.order.get(&op).copied().unwrap_or(0)
    }

    /// Whether the operations follow one another, in one block.
    fn in_order(&self, ctx: &Context, ops: &[Ptr<Operation>]) -> bool {
        let same_block = |pair: &[Ptr<Operation>]| {
            pair[0].deref(ctx).get_parent_block() == pair[1].deref(ctx).get_parent_block()
        };
        ops.windows(2)
            .all(|pair| self.at(pair[0]) < self.at(pair[1]) && same_block(pair))
    }

    /// The only operation of the region in `list`.
    fn only(
        list: &BTreeMap<Region, Vec<Ptr<Operation>>>,
        region: Region,
    ) -> Option<Ptr<Operation>> {
        match list.get(&region).map(Vec::as_slice) {
            Some([one]) => Some(*one),
            Some(_) | None => None,
        }
    }

    /// The builtins of a reduction, if there is one of each kind.
    fn four(&self, key: Key) -> Option<Four> {
        let list = self.builtins.get(&key)?;
        let one = |kind| list.iter().copied().find(|b| b.kind == kind);
        Some(Four {
            setup: one(Kind::Setup)?,
            init: one(Kind::Init)?,
            fini: one(Kind::Fini)?,
            teardown: one(Kind::Teardown)?,
        })
    }

    /// All reductions of loops, each with its levels from the outside in.
    fn reductions(&self) -> BTreeMap<(u32, u32), Vec<Four>> {
        let mut found: BTreeMap<(u32, u32), Vec<Four>> = BTreeMap::new();
        for key in self.builtins.keys() {
            if let Some(four) = self.four(*key) {
                found.entry((key.1, key.2)).or_default().push(four);
            }
        }
        found
    }
}
