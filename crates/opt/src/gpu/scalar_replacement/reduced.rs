//! The builtins of a reduction of a small array become those of its elements, so that its LOCALs can be registers.
//!
//! ```text
//!                                              %b0 = par.red_setup (0, %result[0]) (1,0)
//! par.red_setup (%a, %result) (1,0)            %b1 = par.red_setup (0, %result[1]) (1,1)
//! par.fork vector 1                            par.fork vector 1
//! par.red_init (%a, %result) (1,0)       →     %c0 = par.red_init (%b0, %result[0]) (1,0)   …
//! … %a[1] …                                    core.store %c0, %local[0]                    …     … %local[1] …
//! par.red_fini (%a, %result) (1,0)             %d0 = core.load %local[0]                    …
//! …                                            %e0 = par.red_fini (%d0, %result[0]) (1,0)   …
//! ```
//! A builtin has the address of an array, which keeps the array in memory: each update of an element in a loop is a load and a store
//! there. Elements are scalars to it, and what stands next to each other is still combined together.
//!
//! 1. The arrays are found that are LOCAL of one reduction alone, have at most [`MOST_ELEMENTS`] elements, and whose elements are named
//!    by constants, or by indices that few elements can be chosen by, wherever the program uses them. What one is copied to and from must
//!    be such an array too, if it is a LOCAL.
//! 2. LOCAL gets an array of its own for the part where threads have one each, made there; around it, the old one holds what there was
//!    before and will be behind.
//! 3. Each builtin becomes one for each element, with values: what the one before gave, or an element of LOCAL.
//!
//! Each element is combined in the order in which it was in the array. Declared reductions stay as they are: their functions may have
//! to see the whole object. Cost: linear in the uses of such arrays, times their elements.

use accrue_dialects::{
    core::{Alloca, Copy, Store, array_parts, emit::Emitter, is_scalar},
    par::{
        Builtin, Level, Lock, RedFini, RedInit, RedSetup, RedTeardown, ReductionId, ReductionInfo,
        ReductionOp, Unlock, declared,
    },
};
use accrue_ir::walk::{nested, nested_ops, results_of};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::{Op, op_cast},
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};
use std::{collections::HashMap, iter::successors};

use super::{
    address_of,
    parts::{Aggregate, Reductions, Step, aggregate},
};
use crate::analysis::{affine::Affine, records::Records};

/// Elements of an array. A reduction of each takes a few instructions for each halving of a block.
const MOST_ELEMENTS: u64 = 32;

/// Splits the builtins of `func`; whether there were any. `chooses`: elements may be chosen by variable indices.
pub(super) fn split(ctx: &mut Context, func: FuncOp, records: &Records, chooses: bool) -> bool {
    let all = nested_ops(ctx, func.get_operation());
    let builtins: Vec<Reduction> = (all.iter())
        .filter_map(|op| Reduction::of(ctx, *op))
        .collect();
    let places: HashMap<Ptr<Operation>, usize> = (0..).zip(all).map(|(n, op)| (op, n)).collect();
    let arrays = arrays(ctx, func, (records, chooses), &builtins, &places);
    if arrays.is_empty() {
        return false;
    }
    let mut ids = Ids::new(&builtins);
    let mut split: HashMap<Value, Split> = HashMap::new();
    for array in arrays {
        split.insert(array.address, Split::of(ctx, array, &mut ids));
    }
    let mut run: Vec<Reduction> = vec![];
    for builtin in builtins {
        if !run.last().is_some_and(|last| last.goes_on(ctx, &builtin)) {
            split_run(ctx, &mut split, &run);
            run.clear();
        }
        if split.contains_key(&builtin.local) {
            run.push(builtin);
        }
    }
    split_run(ctx, &mut split, &run);
    true
}

/// The name of the array, if it is one whose elements are LOCALs: reports name them.
pub(super) fn name(ctx: &Context, aggregate: &Aggregate) -> Option<String> {
    let is_local = aggregate.uses.iter().any(|part| {
        Operation::get_op::<Store>(part.op, ctx).is_some_and(|store| {
            let made = store.get_operand_value(ctx).defining_op();
            made.and_then(|op| Builtin::of(ctx, op)) == Some(Builtin::Init)
        })
    });
    let variable = aggregate.alloca.variable(ctx).filter(|_| is_local);
    variable.map(|variable| variable.name)
}

/// One of the four builtins.
#[derive(Clone, Copy)]
struct Reduction {
    op: Ptr<Operation>,
    builtin: Builtin,
    info: ReductionInfo,
    local: Value,
    result: Option<Value>,
    in_use: bool,
}

impl Reduction {
    fn of(ctx: &Context, op: Ptr<Operation>) -> Option<Reduction> {
        let builtin = Builtin::of(ctx, op)?;
        let dynamic = Operation::get_op_dyn(op, ctx);
        let reduction = op_cast::<dyn ReductionOp>(&*dynamic)?;
        Some(Reduction {
            op,
            builtin,
            info: reduction.info(ctx),
            local: reduction.local(ctx),
            result: reduction.result_ref(ctx),
            in_use: reduction.result_in_use(ctx),
        })
    }

    /// Whether `next` stands behind this one and does the same for another variable.
    fn goes_on(&self, ctx: &Context, next: &Reduction) -> bool {
        let (mine, others) = (self.info, next.info);
        self.op.deref(ctx).get_next() == Some(next.op)
            && self.builtin == next.builtin
            && mine.level == others.level
            && mine.id.loop_id == others.id.loop_id
            && self.local != next.local
    }
}

/// A LOCAL in memory that may be split.
struct Array {
    alloca: Alloca,
    address: Value,
    length: u64,
    element: TypeHandle,
    id: ReductionId,
    outermost: Level,
    innermost: Level,
    /// Its innermost RED_INIT: threads have a copy each from there on.
    init: Ptr<Operation>,
    /// The outermost reduction has a RESULT of its own; otherwise the array holds it, before and behind.
    has_result: bool,
    /// The uses of the array by threads that have one each.
    inside: Vec<(Ptr<Operation>, usize)>,
}

impl Array {
    fn of(
        ctx: &Context,
        (records, chooses): (&Records, bool),
        alloca: Alloca,
        builtins: &[Reduction],
        places: &HashMap<Ptr<Operation>, usize>,
    ) -> Option<Array> {
        let address = alloca.get_result(ctx);
        let (length, element) = array_parts(ctx, alloca.var_type(ctx))?;
        let own: Vec<&Reduction> = builtins.iter().filter(|b| b.local == address).collect();
        let id = own.first()?.info.id;
        let is_own = |b: &&Reduction| b.local == address;
        let alone = builtins
            .iter()
            .filter(|b| b.info.id == id)
            .all(|b| is_own(&b))
            && own.iter().all(|b| b.info.id == id)
            && declared::number_of(own[0].info.operator).is_none();
        let of_kind = |kind: Builtin| own.iter().filter(move |b| b.builtin == kind);
        let setup = of_kind(Builtin::Setup).next()?;
        let init = of_kind(Builtin::Init).next_back()?;
        let fini = of_kind(Builtin::Fini).next()?;
        let levels = of_kind(Builtin::Setup).count();
        let once = Builtin::ALL.into_iter().all(|kind| {
            let mut found: Vec<Level> = of_kind(kind).map(|b| b.info.level).collect();
            found.dedup();
            found.len() == levels && of_kind(kind).count() == levels
        });
        let fits = length <= MOST_ELEMENTS && is_scalar(ctx, element);
        if !alone || !once || !fits || init.info.level != fini.info.level {
            return None;
        }
        let (from, to) = (*places.get(&init.op)?, *places.get(&fini.op)?);
        let mut inside = vec![];
        for using in address.uses(ctx) {
            let op = using.user_op();
            let at = *places.get(&op)?;
            if Builtin::of(ctx, op).is_some() {
                continue;
            }
            if (from..to).contains(&at) {
                inside.push((op, using.find_index(ctx)));
            } else if setup.result.is_some() || !Operation::is_op::<Copy>(op, ctx) {
                return None;
            }
        }
        let parts = aggregate(
            ctx,
            records,
            &mut Affine::default(),
            alloca,
            Reductions::Leave,
        )?;
        (chooses || parts.indexed.is_empty()).then_some(Array {
            alloca,
            address,
            length,
            element,
            id,
            outermost: setup.info.level,
            innermost: init.info.level,
            init: init.op,
            has_result: setup.result.is_some(),
            inside,
        })
    }
}

/// The arrays that may be split.
fn arrays(
    ctx: &Context,
    func: FuncOp,
    records: (&Records, bool),
    builtins: &[Reduction],
    places: &HashMap<Ptr<Operation>, usize>,
) -> Vec<Array> {
    let allocas = nested::<Alloca>(ctx, func.get_operation()).into_iter();
    let mut found: Vec<Array> = allocas
        .filter_map(|alloca| Array::of(ctx, records, alloca, builtins, places))
        .collect();
    // What is copied to and from another LOCAL stays an array if that one does.
    loop {
        let splits: Vec<Value> = found.iter().map(|array| array.address).collect();
        let stays =
            |side: Value| builtins.iter().any(|b| b.local == side) && !splits.contains(&side);
        found.retain(|array| {
            let uses = array.address.uses(ctx).into_iter();
            let mut copies = uses.filter_map(|u| Operation::get_op::<Copy>(u.user_op(), ctx));
            !copies.any(|copy| stays(copy.get_operand_to(ctx)) || stays(copy.get_operand_from(ctx)))
        });
        if found.len() == splits.len() {
            return found;
        }
    }
}

/// Hands out identifiers for the reductions of elements.
struct Ids {
    /// The first one that is free, by loop.
    free: HashMap<u32, u32>,
}

impl Ids {
    fn new(builtins: &[Reduction]) -> Ids {
        let mut free: HashMap<u32, u32> = HashMap::new();
        for builtin in builtins {
            let id = builtin.info.id;
            let next = free.entry(id.loop_id).or_default();
            *next = (*next).max(id.reduction_id + 1);
        }
        Ids { free }
    }

    /// One for another reduction of the loop of `array`.
    fn another(&mut self, array: ReductionId) -> ReductionId {
        let next = self.free.entry(array.loop_id).or_default();
        let reduction_id = *next;
        *next += 1;
        ReductionId {
            reduction_id,
            ..array
        }
    }
}

/// An array whose builtins become those of its elements.
struct Split {
    array: Array,
    elements: Vec<Element>,
}

struct Element {
    id: ReductionId,
    /// In the array that was LOCAL.
    around: Value,
    /// In that of each thread.
    local: Value,
    result: Option<Value>,
    /// What the last builtin gave.
    last: Option<Value>,
}

impl Split {
    /// Makes LOCAL, and lets those use it who have one each. The first element keeps the array's identifier.
    fn of(ctx: &mut Context, array: Array, ids: &mut Ids) -> Split {
        let before = start_of_run(ctx, array.init);
        let mut e = Emitter::before(ctx, before);
        let name = array.alloca.variable(e.ctx);
        let local = e.alloca(array.alloca.var_type(e.ctx), name);
        let elements = (0..array.length).map(|number| {
            let path = [Step::Element(number)];
            e.go_after(array.alloca.get_operation());
            let around = address_of(&mut e, array.address, &path);
            e.go_before(before);
            Element {
                id: match number {
                    0 => array.id,
                    _ => ids.another(array.id),
                },
                around,
                local: address_of(&mut e, local, &path),
                result: None,
                last: None,
            }
        });
        let elements = elements.collect();
        for (op, index) in &array.inside {
            Operation::replace_operand(*op, ctx, *index, local);
        }
        Split { array, elements }
    }
}

/// The lock in front of the builtins that stand in front of `builtin`, else the first of them: nothing but builtins stands between a lock
/// and its end.
fn start_of_run(ctx: &Context, builtin: Ptr<Operation>) -> Ptr<Operation> {
    let mut first = builtin;
    loop {
        let before = first.deref(ctx).get_prev();
        match before {
            Some(op) if Builtin::of(ctx, op).is_some() => first = op,
            Some(op) if Operation::is_op::<Lock>(op, ctx) => return op,
            Some(_) | None => return first,
        }
    }
}

/// Splits builtins that stand next to each other, so that those of all elements do.
fn split_run(ctx: &mut Context, split: &mut HashMap<Value, Split>, run: &[Reduction]) {
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return;
    };
    let others = |op: &Ptr<Operation>| Builtin::of(ctx, *op).is_none();
    let before = start_of_run(ctx, first.op);
    let mut forth = successors(Some(last.op), |op| op.deref(ctx).get_next());
    let behind = forth.find(others);
    let behind = behind.filter(|op| Operation::is_op::<Unlock>(*op, ctx));
    let (kind, level) = (first.builtin, first.info.level);
    let mut e = Emitter::before(ctx, before);
    for builtin in run {
        let Some(Split { array, elements }) = split.get_mut(&builtin.local) else {
            continue;
        };
        for (number, element) in (0..).zip(elements) {
            if kind == Builtin::Setup && level == array.outermost {
                let path = [Step::Element(number)];
                element.result = builtin.result.map(|all| address_of(&mut e, all, &path));
                element.last = Some(match array.has_result {
                    true => e.zero(array.element),
                    false => e.load(element.around),
                });
            }
            if kind == Builtin::Fini && level == array.innermost {
                element.last = Some(e.load(element.local));
            }
        }
    }
    e.go_before(first.op);
    let mut stores = vec![];
    for builtin in run {
        let Some(Split { array, elements }) = split.get_mut(&builtin.local) else {
            continue;
        };
        for element in elements {
            let Some(value) = element.last else {
                continue;
            };
            let info = ReductionInfo {
                id: element.id,
                ..builtin.info
            };
            let result = element.result.filter(|_| builtin.result.is_some());
            let op = match kind {
                Builtin::Setup => RedSetup::new(e.ctx, info, value, result).get_operation(),
                Builtin::Init => RedInit::new(e.ctx, info, value, result).get_operation(),
                Builtin::Fini => RedFini::new(e.ctx, info, value, result).get_operation(),
                Builtin::Teardown => RedTeardown::new(e.ctx, info, value, result).get_operation(),
            };
            e.push_operation(op);
            let dynamic = Operation::get_op_dyn(op, e.ctx);
            if let Some(made) = op_cast::<dyn ReductionOp>(&*dynamic).filter(|_| builtin.in_use) {
                made.set_result_in_use(e.ctx);
            }
            let value = results_of(e.ctx, op)[0];
            element.last = Some(value);
            match kind {
                Builtin::Init if level == array.innermost => stores.push((value, element.local)),
                Builtin::Teardown if level == array.outermost && !array.has_result => {
                    stores.push((value, element.around));
                }
                Builtin::Setup | Builtin::Init | Builtin::Fini | Builtin::Teardown => {}
            }
        }
    }
    e.go_after(behind.unwrap_or(last.op));
    for (value, place) in stores {
        e.store(value, place);
    }
    for builtin in run {
        Operation::erase(builtin.op, e.ctx);
    }
}
