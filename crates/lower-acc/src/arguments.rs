//! The arguments of a compute construct's kernels: those of the data operations in order, then the extents. A data operation is
//! one argument, but for small firstprivate objects, each of whose members is one.

use accrue_dialects::{
    acc::{ComputeOp, DataClause, DataInfo, DataOp, Group},
    core::{complex_part, float_width, int_width, pointee, pointee_of},
};
use accrue_hostcall::{Action, ValueKind, named};
use pliron::{
    context::{Context, Ptr},
    op::op_cast,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

use accrue_opt::analysis::variables::{
    Root, is_open_array, is_pointer, is_vla, member_path, root_of,
};

use crate::pieces::{Piece, pieces};

/// How a kernel gets a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// The kernel does not use the parameter: `attach`, or what a member points to, which is reached through the member.
    Unused,
    /// The address of the device's copy.
    Reference,
    /// The value of a pointer variable, translated to the device.
    PointerValue,
    /// The value of a scalar.
    Value,
    /// The values of the object's members.
    Pieces,
    /// The address of bytes of which each gang makes a copy.
    PrivateCopy,
}

/// A data operation of a compute construct.
pub struct Argument {
    pub entry: Ptr<Operation>,
    pub info: DataInfo,
    /// The host variable's address.
    pub var: Value,
    /// `None` for a member.
    pub root: Option<Root>,
    /// For a member of a variable: which.
    pub member: Option<(Root, Vec<u32>)>,
    pub action: Action,
    pub passing: Passing,
    /// For [`Passing::Pieces`]: the members.
    pub pieces: Vec<Piece>,
}

impl Argument {
    /// Types of the kernel's parameters.
    pub fn parameter_types(&self, ctx: &Context) -> Vec<TypeHandle> {
        let address = self.var.get_type(ctx);
        match self.passing {
            Passing::PointerValue | Passing::Value => {
                vec![pointee(ctx, self.var).unwrap_or(address)]
            }
            Passing::Unused | Passing::Reference | Passing::PrivateCopy => vec![address],
            Passing::Pieces => self.pieces.iter().map(|piece| piece.ty).collect(),
        }
    }

    /// The number of the kernel's parameters.
    pub fn parameter_count(&self) -> usize {
        match self.passing {
            Passing::Pieces => self.pieces.len(),
            Passing::PointerValue
            | Passing::Value
            | Passing::Unused
            | Passing::Reference
            | Passing::PrivateCopy => 1,
        }
    }

    /// What each of the kernel's parameters is to be called, if the variable is called `variable`.
    pub fn parameter_names(&self, variable: &str) -> Vec<String> {
        match self.passing {
            Passing::Pieces => {
                let pieces = self.pieces.iter();
                pieces
                    .map(|piece| named(variable, &piece.steps()))
                    .collect()
            }
            Passing::PointerValue
            | Passing::Value
            | Passing::Unused
            | Passing::Reference
            | Passing::PrivateCopy => vec![variable.to_string()],
        }
    }
}

/// The data operations of `construct` that become kernel arguments, in order.
pub fn arguments(ctx: &Context, construct: &dyn ComputeOp) -> Vec<Argument> {
    let mut entries = construct.clause(ctx, Group::Data);
    entries.extend(construct.clause(ctx, Group::Firstprivate));
    entries
        .into_iter()
        .filter_map(|entry| argument(ctx, entry.defining_op()?))
        .collect()
}

/// The kernel argument that a data operation would be.
pub fn argument(ctx: &Context, entry: Ptr<Operation>) -> Option<Argument> {
    let object = Operation::get_op_dyn(entry, ctx);
    let data = op_cast::<dyn DataOp>(&*object)?;
    let (info, var) = (data.info(ctx), data.var(ctx)?);
    let section = !data.bounds(ctx).is_empty();
    let root = root_of(ctx, var);
    let action = action(ctx, data);
    let member = member_path(ctx, var).filter(|_| !(is_pointer(&info.shape) && section));
    let passing = match (action, &root) {
        (Action::Attach | Action::Detach, _) => Passing::Unused,
        (_, None) if member.is_none() => Passing::Unused,
        (Action::Value, _) => Passing::Value,
        (Action::Pointer, _) if is_open_array(&info.shape) => Passing::Reference,
        (Action::Pointer | Action::Deviceptr, _) => Passing::PointerValue,
        // The region makes the copy of a section itself: pass `privatize`.
        (Action::Firstprivate, _) if is_pointer(&info.shape) => Passing::PointerValue,
        (Action::Firstprivate, _) => Passing::PrivateCopy,
        (
            Action::Copy
            | Action::Copyin
            | Action::Copyout
            | Action::Create
            | Action::NoCreate
            | Action::Present
            | Action::Delete
            | Action::UpdateSelf
            | Action::UpdateDevice
            | Action::UseDevice,
            _,
        ) => match is_pointer(&info.shape) && section {
            true => Passing::PointerValue,
            false => Passing::Reference,
        },
    };
    let whole = passing == Passing::PrivateCopy && !section && !is_vla(&info.shape);
    let pieces = match whole {
        true => pieces(ctx, entry, var),
        false => None,
    };
    let passing = match pieces {
        Some(_) => Passing::Pieces,
        None => passing,
    };
    Some(Argument {
        entry,
        info,
        var,
        root,
        member,
        action,
        passing,
        pieces: pieces.unwrap_or_default(),
    })
}

/// What the runtime does with the variable of a data operation.
pub fn action(ctx: &Context, data: &dyn DataOp) -> Action {
    let info = data.info(ctx);
    match info.clause {
        DataClause::Copy | DataClause::Reduction => Action::Copy,
        DataClause::Copyin => Action::Copyin,
        DataClause::Copyout => Action::Copyout,
        DataClause::Create | DataClause::DeviceResident => Action::Create,
        // A pointer without a section says nothing of its own presence, but that what it points to is present; an array without a
        // length is where it is present.
        DataClause::NoCreate | DataClause::Present
            if (is_pointer(&info.shape) || is_open_array(&info.shape))
                && data.bounds(ctx).is_empty() =>
        {
            Action::Pointer
        }
        // What another directive has mapped.
        DataClause::NoCreate | DataClause::Link => Action::NoCreate,
        DataClause::Present => Action::Present,
        DataClause::Deviceptr => Action::Deviceptr,
        DataClause::Attach => Action::Attach,
        DataClause::Detach => Action::Detach,
        DataClause::Delete => Action::Delete,
        DataClause::UseDevice => Action::UseDevice,
        DataClause::UpdateSelf => Action::UpdateSelf,
        DataClause::UpdateDevice => Action::UpdateDevice,
        DataClause::Pointer => Action::Pointer,
        DataClause::Firstprivate | DataClause::Private => {
            let ty = data.var(ctx).and_then(|var| pointee(ctx, var));
            let whole = data.bounds(ctx).is_empty();
            if is_pointer(&info.shape) && whole {
                Action::Pointer
            } else if info.shape.dims.is_empty() && ty.is_some_and(|t| value_kind(ctx, t).is_some())
            {
                Action::Value
            } else {
                Action::Firstprivate
            }
        }
    }
}

/// How a scalar of type `ty` is passed by value; `None`: it is not, but as bytes of which each gang makes a copy.
pub fn value_kind(ctx: &Context, ty: TypeHandle) -> Option<ValueKind> {
    if pointee_of(ctx, ty).is_some() {
        return Some(ValueKind::Pointer);
    }
    let part = complex_part(ctx, ty).and_then(|p| float_width(ctx, p));
    match (int_width(ctx, ty), float_width(ctx, ty), part) {
        (Some(128), _, _) => Some(ValueKind::Integer128),
        (Some(width), _, _) if width <= 64 => Some(ValueKind::Integer),
        (_, Some(32), _) => Some(ValueKind::Float32),
        (_, Some(64), _) => Some(ValueKind::Float64),
        (_, Some(80), _) => Some(ValueKind::LongDouble),
        (_, _, Some(32)) => Some(ValueKind::Complex32),
        (_, _, Some(64)) => Some(ValueKind::Complex64),
        (Some(_) | None, Some(_) | None, Some(_) | None) => None,
    }
}
