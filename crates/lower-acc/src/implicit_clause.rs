//! Adding the data operations of an implicit clause to a compute construct.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::{
    acc::{
        self, Bounds, ComputeOp, Copyin, Copyout, DECLARE, DataClause, DataInfo, DataOp, Delete,
        DeviceType, Firstprivate, Group, Origin, Pointer, Present, declared,
    },
    core::{AddressOf, Decay, INITIAL_VALUES, Load, Member, PtrAdd, Variable},
};
use accrue_ir::walk;
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{OneOpdInterface, OneResultInterface},
    },
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    value::Value,
};

use crate::attributes::{OF_HELPER, SECTION, SectionText};
use accrue_hostcall::InferredSection;
use accrue_opt::{
    State, Subject,
    analysis::variables::{Root, root_of},
};

const NAME: &str = "implicit-data";

/// The section of a pointer that is mapped; the bounds of the data operations say only how many dimensions there are.
pub enum Section {
    /// The words are those of a `reduction` clause, of so many dimensions.
    OfClause(Origin, usize),
    /// What the region accesses.
    Inferred(InferredSection),
}

/// Adds the data operations of an implicit clause; that of the entry is the result.
pub fn attach(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    var: Value,
    variable: Variable,
    (clause, why): (DataClause, &'static str),
    section: Option<Section>,
    state: &mut State,
) -> Option<Ptr<Operation>> {
    let operation = construct.get_operation();
    let mut info = DataInfo::new(clause, &variable.name, variable.shape);
    info.implicit = true;
    let base_of_member = is_base_of_member(ctx, construct, var);
    let of_helpers = is_of_helpers_only(ctx, construct, var);
    let mut e = Emitter::before(ctx, operation);
    let var = address_outside(&mut e, var);
    if let Some(address) = var.defining_op().filter(|_| of_helpers) {
        OF_HELPER.set(e.ctx, address, BoolAttr::new(true));
    }
    let mut inferred = None;
    let entry = match clause {
        DataClause::Copy | DataClause::Copyin => {
            let mut bounds = vec![];
            let dimensions = match section {
                None => 0,
                Some(Section::OfClause(_, dimensions)) => dimensions,
                Some(Section::Inferred(_)) => 1,
            };
            for _ in 0..dimensions {
                let op = Bounds::new(e.ctx, None, None);
                bounds.push(e.value(op));
            }
            let op = Copyin::new(e.ctx, info.clone(), var, bounds);
            match &section {
                None => {}
                Some(Section::OfClause(origin, _)) => op.set_origin(e.ctx, *origin),
                Some(Section::Inferred(section)) => {
                    inferred = Some(note_section(e.ctx, op.get_operation(), &info.name, section));
                }
            }
            e.value(op)
        }
        DataClause::Create | DataClause::Copyout => {
            let op = acc::Create::new(e.ctx, info.clone(), var, vec![]);
            e.value(op)
        }
        DataClause::Present => {
            let op = Present::new(e.ctx, info.clone(), var, vec![]);
            e.value(op)
        }
        DataClause::Firstprivate => {
            let op = Firstprivate::new(e.ctx, info.clone(), var, vec![]);
            e.value(op)
        }
        DataClause::Deviceptr => {
            let op = acc::Deviceptr::new(e.ctx, info.clone(), var, vec![]);
            e.value(op)
        }
        DataClause::Attach => {
            let op = acc::Attach::new(e.ctx, info.clone(), var, vec![]);
            e.value(op)
        }
        // The other clauses are never implied.
        DataClause::Pointer
        | DataClause::NoCreate
        | DataClause::Detach
        | DataClause::Delete
        | DataClause::UseDevice
        | DataClause::UpdateSelf
        | DataClause::UpdateDevice
        | DataClause::Private
        | DataClause::DeviceResident
        | DataClause::Link
        | DataClause::Reduction => {
            info.clause = DataClause::Pointer;
            let op = Pointer::new(e.ctx, info.clone(), var, vec![]);
            e.value(op)
        }
    };
    let mut e = Emitter::after(ctx, operation);
    if matches!(clause, DataClause::Copy | DataClause::Copyout) {
        let op = Copyout::new(e.ctx, info.clone(), Some(entry), var, vec![]);
        e.push(op);
    } else if matches!(
        clause,
        DataClause::Present | DataClause::Copyin | DataClause::Create
    ) {
        let op = Delete::new(e.ctx, info.clone(), Some(entry), var, vec![]);
        e.push(op);
    } else if clause == DataClause::Attach {
        let op = acc::Detach::new(e.ctx, info.clone(), Some(entry), var, vec![]);
        e.push(op);
    }
    let group = match clause == DataClause::Firstprivate && construct.has(Group::Firstprivate) {
        true => Group::Firstprivate,
        false => Group::Data,
    };
    match base_of_member {
        true => acc::push_front(construct, ctx, group, entry),
        false => acc::push(construct, ctx, group, entry, DeviceType::None),
    }
    let spelling = info.clause.spelling();
    state.remark_on(
        ctx,
        operation,
        Subject::Variable {
            name: info.name.clone(),
            why,
        },
        NAME,
        format!("`{}` is implicitly {spelling}: {why}", info.name),
    );
    if let Some(section) = inferred {
        let message =
            format!("`{section}` is what the region accesses; it is mapped unless it is present");
        state.remark(ctx, operation, NAME, message);
    }
    entry.defining_op()
}

/// Notes what a pointer's section is; the pointer with it, as programs write it.
fn note_section(
    ctx: &Context,
    entry: Ptr<Operation>,
    name: &str,
    section: &InferredSection,
) -> String {
    let text = SectionText {
        lower: section.lower.to_string(),
        length: section.length.to_string(),
    };
    SECTION.set(ctx, entry, text);
    let (lower, length) = (section.lower.shown(), section.length.shown());
    format!("{name}[{lower}:{length}]")
}

/// Gives a pointer that a clause names without a section one.
pub fn add_section(
    ctx: &mut Context,
    construct: &dyn ComputeOp,
    data: &dyn DataOp,
    section: &InferredSection,
    state: &mut State,
) {
    let entry = data.get_operation();
    let mut e = Emitter::before(ctx, entry);
    let bounds = Bounds::new(e.ctx, None, None);
    let bounds = e.value(bounds);
    acc::push(data, ctx, Group::Bounds, bounds, DeviceType::None);
    let info = data.info(ctx);
    let shown = note_section(ctx, entry, &info.name, section);
    let message = format!(
        "`{}({})` means `{shown}`, which is what the region accesses",
        info.clause.spelling(),
        info.name
    );
    state.remark(ctx, construct.get_operation(), NAME, message);
}

/// Whether the variable is a global which functions use that the construct calls, and nothing else in it does.
fn is_of_helpers_only(ctx: &Context, construct: &dyn ComputeOp, var: Value) -> bool {
    let Some(root @ Root::Global(_)) = root_of(ctx, var) else {
        return false;
    };
    let uses = walk::nested::<AddressOf>(ctx, construct.get_operation()).into_iter();
    let mut same = uses.filter(|it| root_of(ctx, it.get_result(ctx)).as_ref() == Some(&root));
    same.all(|it| OF_HELPER.get(ctx, it.get_operation()).is_some())
}

/// An address of the same variable that is good before the construct: a global's is taken again.
pub fn address_outside(e: &mut Emitter, var: Value) -> Value {
    use pliron::r#type::Typed;
    let global = var
        .defining_op()
        .and_then(|op| Operation::get_op::<AddressOf>(op, e.ctx));
    let Some(global) = global else { return var };
    let variable = global.variable(e.ctx);
    let ty = var.get_type(e.ctx);
    match pliron::identifier::Identifier::try_from(global.symbol(e.ctx)) {
        Ok(symbol) => {
            let op = AddressOf::new(e.ctx, symbol, ty, variable);
            if let Some(said) = declared(e.ctx, var) {
                DECLARE.set(e.ctx, op.get_operation(), said);
            }
            if let Some(known) = INITIAL_VALUES.get(e.ctx, global.get_operation()) {
                INITIAL_VALUES.set(e.ctx, op.get_operation(), known);
            }
            e.value(op)
        }
        Err(_) => var,
    }
}

/// Whether a clause of `construct` names a member of the variable at `var`: the variable must be mapped before it.
fn is_base_of_member(ctx: &Context, construct: &dyn ComputeOp, var: Value) -> bool {
    let root = root_of(ctx, var);
    let entries = construct
        .clause(ctx, Group::Data)
        .into_iter()
        .filter_map(|v| v.defining_op());
    let mut vars = entries.filter_map(|op| {
        let object = Operation::get_op_dyn(op, ctx);
        op_cast::<dyn DataOp>(&*object).and_then(|d| d.var(ctx))
    });
    vars.any(|v| root_of(ctx, v).is_none() && base_root(ctx, v) == root)
}

/// The variable that an address was computed from.
pub fn base_root(ctx: &Context, address: Value) -> Option<Root> {
    let mut at = address;
    loop {
        if let Some(root) = root_of(ctx, at) {
            return Some(root);
        }
        let op = at.defining_op()?;
        at = if let Some(member) = Operation::get_op::<Member>(op, ctx) {
            member.get_operand(ctx)
        } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
            decay.get_operand(ctx)
        } else if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            load.get_operand(ctx)
        } else {
            Operation::get_op::<PtrAdd>(op, ctx)?.get_operand_base(ctx)
        };
    }
}
