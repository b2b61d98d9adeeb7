//! Elements of arrays and members of structs that several iterations of a loop only update by one operator: each update becomes
//! atomic.
//!
//! ```text
//! #pragma acc parallel loop copy(s)           core.atomic_update %s.sum { old: yield old + %x }
//! for (…) s.sum += a[i];
//!
//! #pragma acc loop vector
//! for (j …) y[i] = fmax(y[i], a[j]);          core.atomic_update %y_i { old: yield max(old, fmax(y[i], a[j])) }
//! ```
//!
//! By the letter the updates are a race (OpenACC 3.4, section 2.9.6), and no `reduction` clause can name a member. Atomic, each of them
//! happens, whatever else is in the construct: no aliasing can make a result wrong that was right. Pass `histogram` gives each gang a
//! copy of what is small. Loops of `kernels` that are not `independent` run in order, as without this pass.
//!
//! Steps, for each loop of which the program says that its iterations may run at the same time, outermost first:
//! 1. what loads and stores at alike addresses is a class; scalars have been seen to by the pass itself;
//! 2. the address does not depend on the loop's counter ([`varying`](super::varying)), and no clause between gives iterations their own;
//! 3. all that the loop does with the class are updates by one operator ([`common_update`]), and so is what else may be the same
//!    place, by another subscript of the same array or in the same union;
//! 4. what an inner loop adds to one place, it reduces ([`gathered`](super::gathered)); else
//! 5. sums, products and combined bits are done to the old value in the atomic operation. What has been found to be greater, or less,
//!    than some earlier value of the place is compared once more.
//!
//! Cost: the size of each loop, times the places that it stores to.

use super::{
    NAME,
    classes::{Class, classes},
    gathered::gather,
    is_of_gang, may_be_shared_out,
    update::{Update, of_bin, only_use},
    varying::Iterations,
};
use crate::{
    assign_levels::{asked, is_asserted},
    certain_races::is_short,
    device_types::applies,
    implicit_data::clause_roots,
    members::{Unions, records},
};
use accrue_dialects::{
    acc::{ClauseOp, ComputeOp, Group, Loop},
    core::{
        AtomicLoad, AtomicUpdate, Bin, BinKind, Cast, Externs, Load, Store, Yield, emit::Emitter,
        float_width, fold::constant,
    },
    par::{Level, ReductionOperator},
};
use accrue_ir::walk::{self, results_of};
use accrue_opt::{
    State,
    analysis::{
        accesses::{Base, Reader, Step, root_name},
        variables::{Root, defined_inside},
    },
};
use pliron::{
    builtin::{
        op_interfaces::{OneRegionInterface, OneResultInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Makes the updates in all loops atomic.
pub(super) fn run(ctx: &mut Context, module: ModuleOp, externs: &Externs, state: &mut State) {
    let unions = Unions::of_module(ctx, module);
    for lp in walk::nested::<Loop>(ctx, module.get_operation()) {
        if !runs_at_once(ctx, lp) {
            continue;
        }
        for (class, changes) in updated(ctx, externs, &unions, lp) {
            warn(ctx, (&class, &changes), lp, state);
            if gather(ctx, lp, &class, state) {
                continue;
            }
            let (name, operator) = (&class.name, class.update.operator.spelling());
            let message = format!(
                "{name} is updated atomically by `{operator}`: all that iterations do with it are such updates"
            );
            state.remark(ctx, lp.get_operation(), NAME, message);
            for change in changes {
                change.apply(ctx, class.update);
            }
        }
    }
}

/// Whether iterations run at the same time because the program says that they may. Others run in order while they update a place.
pub(super) fn runs_at_once(ctx: &Context, lp: Loop) -> bool {
    let clauses = lp.clauses(ctx);
    let by_rule = is_asserted(ctx, lp) && !applies(&clauses.auto) && !clauses.implicit;
    may_be_shared_out(ctx, lp) && (applies(&clauses.independent) || by_rule)
}

/// A place that a loop only updates.
pub struct Updated {
    /// What of the program's it is a part of, for messages.
    pub name: String,
    pub update: Update,
    pub address: Value,
    /// All that is done there.
    pub ops: Vec<Ptr<Operation>>,
}

/// What becomes atomic.
enum Change {
    /// What is computed from the loaded value for the store, in order.
    Computed {
        load: Load,
        between: Vec<Ptr<Operation>>,
        store: Store,
    },
    /// The stored value is the greater, or lesser, one of an old value and another.
    Extremum { store: Store },
    /// The old value that an extremum is compared with.
    Looked { load: Load },
}

/// The places that the loop's iterations share and only update, and how they become atomic.
fn updated(
    ctx: &Context,
    externs: &Externs,
    unions: &Unions,
    lp: Loop,
) -> Vec<(Updated, Vec<Change>)> {
    let region = lp.get_region(ctx);
    let reader = Reader::new(ctx, region);
    let classes = classes(externs, &reader, region, |_| true);
    let iterations = Iterations::of(ctx, lp);
    let update_of = |class: &Class| class.update(externs, &reader);
    let mut found = vec![];
    for class in &classes {
        let stored = class
            .ops
            .iter()
            .any(|op| Operation::is_op::<Store>(*op, ctx));
        if !stored || !is_shared(ctx, lp, class) || !iterations.share(ctx, class.address) {
            continue;
        }
        let Some(update) = update_of(class) else {
            continue;
        };
        let others = classes
            .iter()
            .filter(|other| meets(ctx, other, class, unions));
        if others
            .into_iter()
            .any(|other| update_of(other) != Some(update))
        {
            continue;
        }
        let changes = changes(ctx, class, update);
        if let Some(changes) = changes.filter(|changes| !changes.is_empty()) {
            let updated = Updated {
                name: name(ctx, &class.place.base),
                update,
                address: class.address,
                ops: class.ops.clone(),
            };
            found.push((updated, changes));
        }
    }
    found
}

/// Whether the loop's iterations have the place together: it is no scalar, which the pass itself sees to, no variable of the loop's
/// body, and nothing that clauses give to gangs or iterations.
fn is_shared(ctx: &Context, lp: Loop, class: &Class) -> bool {
    let (root, whole) = match &class.place.base {
        Base::Variable(_) if class.place.path.is_empty() => return false,
        Base::Variable(root) => (root, true),
        Base::Pointee(root) => (root, false),
        Base::Loaded(_) | Base::Unknown => return true,
        Base::Inside => return false,
    };
    let mut loops = walk::nested::<Loop>(ctx, lp.get_operation());
    let mut at = Some(lp);
    while let Some(lp) = at {
        loops.push(lp);
        at = walk::enclosing::<Loop>(ctx, lp.get_operation());
    }
    let reduces = |lp: &Loop| clause_roots(ctx, lp, Group::Reduction).contains(root);
    let construct = super::construct_of(ctx, lp).map(|op| Operation::get_op_dyn(op, ctx));
    let construct = construct
        .as_ref()
        .and_then(|object| op_cast::<dyn ComputeOp>(&**object));
    let named = |group| construct.is_some_and(|it| clause_roots(ctx, it, group).contains(root));
    if loops.iter().any(reduces) || named(Group::Reduction) {
        return false;
    }
    let declared = construct.is_some_and(|it| {
        let inside = it.get_operation().deref(ctx).get_region(0);
        matches!(root, Root::Local(it) if defined_inside(ctx, *it, inside))
    });
    // A gang's own pointer may lead to what is the gang's own.
    let of_gang = declared || whole && named(Group::Firstprivate);
    !of_gang || is_of_gang(ctx, lp)
}

/// Whether another class may be at the same place, or one in the other.
fn meets(ctx: &Context, a: &Class, b: &Class, unions: &Unions) -> bool {
    if a.address == b.address || a.place.base != b.place.base || a.place.base == Base::Unknown {
        return false;
    }
    // A way that is not seen as a whole says nothing.
    let steps = a.place.path.iter();
    let members = steps.filter(|step| matches!(step, Step::Member(_)));
    let records = records(ctx, a.address);
    let whole = members.count() == records.len();
    let mut records = records.iter().filter(|_| whole);
    for steps in a.place.path.iter().zip(&b.place.path) {
        match steps {
            (Step::Index(a), Step::Index(b)) => match a.minus(b).as_number() {
                Some(0) | None => {}
                Some(_) => return false,
            },
            (Step::Member(a), Step::Member(b)) => {
                let record = records.next();
                if a != b {
                    return record.is_none_or(|record| unions.may_be(record));
                }
            }
            (Step::Member(_), Step::Index(_)) | (Step::Index(_), Step::Member(_)) => return true,
        }
    }
    true
}

/// What of the class's accesses becomes atomic; `None` if one of them cannot.
fn changes(ctx: &Context, class: &Class, update: Update) -> Option<Vec<Change>> {
    let extremum = match update.operator {
        ReductionOperator::Max | ReductionOperator::Min => true,
        ReductionOperator::Add
        | ReductionOperator::Mul
        | ReductionOperator::BitAnd
        | ReductionOperator::BitOr
        | ReductionOperator::BitXor => false,
        ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => return None,
    };
    let mut changes = vec![];
    for op in &class.ops {
        if let Some(store) = Operation::get_op::<Store>(*op, ctx).filter(|_| extremum) {
            changes.push(Change::Extremum { store });
        } else if let Some(load) = Operation::get_op::<Load>(*op, ctx) {
            changes.push(match extremum {
                true => Change::Looked { load },
                false => computed(ctx, load)?,
            });
        }
    }
    Some(changes)
}

/// The update that begins with the load.
fn computed(ctx: &Context, load: Load) -> Option<Change> {
    let block = load.get_operation().deref(ctx).get_parent_block()?;
    let mut between = vec![];
    let mut value = load.get_result(ctx);
    loop {
        let (op, index) = only_use(ctx, value)?;
        if op.deref(ctx).get_parent_block() != Some(block) {
            return None;
        }
        if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            return Some(Change::Computed {
                load,
                between,
                store,
            });
        }
        match Operation::get_op::<Bin>(op, ctx) {
            Some(bin) => _ = of_bin(ctx, bin, index)?,
            None => _ = Operation::get_op::<Cast>(op, ctx)?,
        }
        between.push(op);
        value = *results_of(ctx, op).first()?;
    }
}

impl Change {
    fn apply(self, ctx: &mut Context, update: Update) {
        match self {
            Change::Computed {
                load,
                between,
                store,
            } => computed_atomically(ctx, load, &between, store),
            Change::Extremum { store } => extremum_atomically(ctx, store, update),
            Change::Looked { load } => load_atomically(ctx, load),
        }
    }
}

/// Replaces load and store by an atomic update, which does what is between them.
fn computed_atomically(ctx: &mut Context, load: Load, between: &[Ptr<Operation>], store: Store) {
    let address = store.get_operand_address(ctx);
    let value = store.get_operand_value(ctx);
    let (atomic, block) = AtomicUpdate::new(ctx, address);
    Emitter::before(ctx, store.get_operation()).push(atomic);
    let old = block.deref(ctx).get_argument(0);
    for op in between {
        op.unlink(ctx);
        op.insert_at_back(block, ctx);
    }
    let loaded = load.get_result(ctx);
    loaded.replace_all_uses_with(ctx, &old);
    let end = Yield::new(ctx, vec![value]);
    end.get_operation().insert_at_back(block, ctx);
    Operation::erase(store.get_operation(), ctx);
    Operation::erase(load.get_operation(), ctx);
}

/// Replaces the store by an atomic update to what is the greater one, or the lesser one, of the old value and the stored one.
fn extremum_atomically(ctx: &mut Context, store: Store, update: Update) {
    let address = store.get_operand_address(ctx);
    let value = store.get_operand_value(ctx);
    let float = float_width(ctx, value.get_type(ctx)).is_some();
    let kind = match (update.operator == ReductionOperator::Max, float) {
        (true, true) => BinKind::FMax,
        (false, true) => BinKind::FMin,
        (true, false) if update.signed => BinKind::MaxS,
        (true, false) => BinKind::MaxU,
        (false, false) if update.signed => BinKind::MinS,
        (false, false) => BinKind::MinU,
    };
    let (atomic, block) = AtomicUpdate::new(ctx, address);
    Emitter::before(ctx, store.get_operation()).push(atomic);
    let old = block.deref(ctx).get_argument(0);
    let mut e = Emitter::at_end_of(ctx, block, store.get_operation());
    let new = e.bin(kind, old, value);
    e.finish(vec![new]);
    Operation::erase(store.get_operation(), ctx);
}

fn load_atomically(ctx: &mut Context, load: Load) {
    let atomic = AtomicLoad::new(ctx, load.get_operand_address(ctx));
    let value = Emitter::before(ctx, load.get_operation()).value(atomic);
    load.get_result(ctx).replace_all_uses_with(ctx, &value);
    Operation::erase(load.get_operation(), ctx);
}

/// A name for a place in messages.
pub(super) fn name(ctx: &Context, base: &Base) -> String {
    match base {
        Base::Variable(root) => format!("a part of `{}`", root_name(ctx, root)),
        Base::Pointee(root) => format!("what `{}` points to", root_name(ctx, root)),
        Base::Loaded(_) | Base::Inside | Base::Unknown => "one place in memory".to_string(),
    }
}

/// Whether there are several iterations, and several gangs, workers or lanes for them.
fn is_certain(ctx: &Context, lp: Loop) -> bool {
    let construct = super::construct_of(ctx, lp).map(|op| Operation::get_op_dyn(op, ctx));
    let construct = construct
        .as_ref()
        .and_then(|object| op_cast::<dyn ComputeOp>(&**object));
    let Some(construct) = construct else {
        return true;
    };
    let many = |level: Level| {
        let (group, own) = match level {
            Level::Gang => (Group::NumGangs, Group::GangNum),
            Level::Worker => (Group::NumWorkers, Group::WorkerNum),
            Level::Vector => (Group::VectorLength, Group::VectorLength),
        };
        let mut sizes = construct.clause(ctx, group);
        sizes.extend(lp.clause(ctx, own));
        let more = |size: Value| constant(ctx, size).is_some_and(|size| size > 1);
        sizes.into_iter().all(more)
    };
    let asked = asked(&lp.clauses(ctx));
    let free = asked.is_empty();
    let mut levels = [Level::Gang, Level::Worker, Level::Vector].into_iter();
    let several = levels.any(|level| (free || asked.contains(&level)) && many(level));
    several && !is_short(ctx, lp)
}

/// Says what is done, with a warning: by the letter the updates are a race.
fn warn(ctx: &Context, (class, changes): (&Updated, &[Change]), lp: Loop, state: &mut State) {
    let at = changes.iter().find_map(|change| match change {
        Change::Computed { store, .. } | Change::Extremum { store } => Some(store.get_operation()),
        Change::Looked { .. } => None,
    });
    let Some(at) = at else {
        return;
    };
    let (name, operator) = (&class.name, class.update.operator.spelling());
    if !is_certain(ctx, lp) {
        return;
    }
    state.left_out(
        ctx,
        (at, "several iterations update it"),
        (lp.get_operation(), "the loop"),
        format!("{name} is updated by `{operator}` in several iterations of this loop; the updates are made atomic"),
        "2.9.6",
        "reduce a scalar by a `reduction` clause and assign it behind the loop, which is faster, or add `#pragma acc atomic update`",
    );
}
