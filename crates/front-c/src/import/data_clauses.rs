//! Data clauses to entry and exit operations (OpenACC 3.4, sections 2.5.13–2.5.15, 2.7, 2.8.1,
//! 2.14.4).

use super::directive::View;
use super::functions::Module;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::node::NodeId;
use crate::ast::types::{CType, TypeId};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::{
    acc::{
        self, ClauseOp, DataClause, DataInfo, DataOp, DeviceType, Group, Origin, PRESENCE, Presence,
    },
    core::{self, ShapeDim},
};
use accrue_directives::{ClauseArgs, ClauseKind, ModifierKind, ReductionOperator, Subscript, Var};
use pliron::op::Op;
use pliron::operation::Operation;
use pliron::value::Value;

/// What the clauses belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// A compute construct; of a combined one only what is not the loop's.
    Compute {
        /// Combined with `loop`.
        combined: bool,
    },
    /// The `loop` construct, or the loop half of a combined one.
    Loop,
    /// `data`, `host_data`.
    Data,
    /// `declare`.
    Declare,
    /// `enter data`.
    Enter,
    /// `exit data`.
    Exit,
    /// `update`.
    Update,
}

/// A variable in a clause.
pub(super) struct Named<'a> {
    /// The clause in the directive, and the item in the clause.
    pub place: (usize, usize),
    pub var: &'a Var,
    /// What is said of it.
    pub kind: DataClause,
    pub modifiers: Vec<ModifierKind>,
    /// Of a reduction.
    pub operator: Option<ReductionOperator>,
    /// The declared reductions with its name: the numbers of their functions, the innermost declaration first.
    pub declared: &'a [u64],
    /// What OpenMP says of its place.
    pub presence: Option<Presence>,
}

/// A variable of a data clause, entered.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Group of operands it belongs to.
    pub group: Group,
    /// What the construct takes: the entry operation's value, or the variable's address.
    pub value: Value,
    /// Whether `value` comes from an entry operation.
    pub entered: bool,
    var: Value,
    bounds: Vec<Value>,
    info: DataInfo,
    presence: Option<Presence>,
    /// Of what a clause names.
    origin: Option<Origin>,
}

impl Entry {
    /// Of a variable that no clause names: what its entry operation gives, and its address.
    pub(super) fn implied(value: Value, var: Value, info: DataInfo) -> Self {
        Entry {
            group: Group::Data,
            value,
            entered: true,
            var,
            bounds: Vec::new(),
            info,
            presence: None,
            origin: None,
        }
    }

    /// The address of the variable.
    pub fn variable(&self) -> Value {
        self.var
    }

    /// The clause that it is in.
    pub fn clause(&self) -> DataClause {
        self.info.clause
    }

    /// Where it is in the directive, if a clause names it.
    pub fn origin(&self) -> Option<Origin> {
        self.origin
    }
}

impl Module<'_> {
    /// The entry operations of the directive's data clauses, as far as they are `purpose`'s.
    pub fn data_entries(&mut self, view: &View<'_>, purpose: Use) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for (index, clause) in view.clauses() {
            let Some(kind) = data_clause(clause.kind) else {
                continue;
            };
            if !belongs(kind, purpose) {
                continue;
            }
            for (item, var) in clause.vars().iter().enumerate() {
                let modifiers = clause.modifiers.iter().map(|it| it.kind).collect();
                let operator = match &clause.args {
                    ClauseArgs::Reduction { operator, .. } => Some(*operator),
                    _ => None,
                };
                let named = Named {
                    place: (index, item),
                    var,
                    kind,
                    modifiers,
                    operator,
                    declared: &[],
                    presence: None,
                };
                entries.push(self.data_entry(view, named, purpose)?);
            }
        }
        Ok(entries)
    }

    /// The entry operation for a variable that a clause names.
    pub(super) fn data_entry(
        &mut self,
        view: &View<'_>,
        named: Named<'_>,
        purpose: Use,
    ) -> Result<Entry> {
        let directive = self.location.clone();
        let entry = self.entry_at(view, named, purpose);
        self.location = directive;
        entry
    }

    fn entry_at(&mut self, view: &View<'_>, named: Named<'_>, purpose: Use) -> Result<Entry> {
        let Named {
            place: (index, item),
            var,
            kind,
            modifiers,
            operator,
            declared: reductions,
            presence,
        } = named;
        let owner = Owner::Clause(index);
        let Some(address) = view.argument(owner, item, Role::Address) else {
            return Err(Stop::at(view.at, "this variable is not known"));
        };
        let base = self.child(address, 0)?;
        // Messages about the clause point at the variable.
        self.locate(base);
        let declared = self.type_of(base)?;
        if self.is_function(declared) {
            let name = view.scanned.text_of(var.base);
            return Err(
                Stop::at(base, format!("`{name}` is a function, and no data"))
                    .section("2.7")
                    .help("leave it out: regions call functions without a clause"),
            );
        }
        let value = self.address(base)?;
        let mut bounds = self.bounds(view, owner, item, var)?;
        bounds.extend(self.declared_bounds(view, (index, item), base)?);
        // OpenMP's `map` of a pointer maps the pointer (5.2, section 5.8.3).
        let in_data =
            matches!(purpose, Use::Data | Use::Enter) && view.scanned.directive.omp().is_none();
        let maps = matches!(
            kind,
            DataClause::Copy | DataClause::Copyin | DataClause::Copyout | DataClause::Create
        );
        if bounds.is_empty() && in_data && maps && self.leads_to_record(declared) {
            // The pointer itself would be of no use on a device without what it points to.
            let one = self.constant(64, 1);
            let op = acc::Bounds::new(self.ctx, None, Some(one));
            bounds.push(self.emit_value(op));
        }
        self.note_type(declared);
        let shape = self.shape(declared, base)?;
        for (dimension, (subscript, dim)) in var.subscripts.iter().zip(&shape.dims).enumerate() {
            let open = matches!(subscript, Subscript::Section { length: None, .. });
            if open && *dim == ShapeDim::Pointer {
                let lower = view.argument(owner, item, Role::Lower(dimension));
                let name = view.scanned.text_of(var.base);
                let message = format!("the length of this section of `{name}` is missing");
                return Err(Stop::at(lower.unwrap_or(base), message)
                    .section("2.7.1")
                    .help("write `[first:length]`: a pointer does not tell how many elements it points to"));
            }
        }
        let mut info = DataInfo::new(kind, view.scanned.text_of(var.span), shape);
        info.structured = !matches!(purpose, Use::Enter | Use::Exit);
        for modifier in modifiers {
            match modifier {
                ModifierKind::Always => {
                    info.always_in = true;
                    info.always_out = true;
                }
                ModifierKind::AlwaysIn => info.always_in = true,
                ModifierKind::AlwaysOut => info.always_out = true,
                ModifierKind::Capture => info.capture = true,
                ModifierKind::ReadOnly => info.readonly = true,
                ModifierKind::Zero => info.zero = true,
            }
        }
        let origin = Origin {
            directive: view.ordinal(),
            clause: index as u32,
            item: item as u32,
        };
        let mut entry = Entry {
            group: match kind {
                DataClause::Private => Group::Private,
                DataClause::Firstprivate => Group::Firstprivate,
                DataClause::Reduction => Group::Reduction,
                _ => Group::Data,
            },
            value,
            entered: true,
            var: value,
            bounds: bounds.clone(),
            info: info.clone(),
            presence,
            origin: Some(origin),
        };
        if entry.group == Group::Data {
            let variable = self.variable(base);
            self.function.in_data_clauses.extend(variable);
        }
        entry.value = match kind {
            DataClause::Copy | DataClause::Copyin => {
                let op = acc::Copyin::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::Copyout | DataClause::Create if purpose != Use::Exit => {
                let op = acc::Create::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::NoCreate => {
                let op = acc::Nocreate::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::Present => {
                let op = acc::Present::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::Deviceptr => {
                self.must_be_pointer(base, "deviceptr", "2.7.5")?;
                let op = acc::Deviceptr::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::Attach => {
                self.must_be_pointer(base, "attach", "2.7.13")?;
                let op = acc::Attach::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::UseDevice => {
                let op = acc::UseDevice::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::UpdateDevice => {
                let op = acc::UpdateDevice::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::DeviceResident => {
                let op = acc::DeclareDeviceResident::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::Link => {
                let op = acc::DeclareLink::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::Private => {
                let op = acc::Private::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::Firstprivate => {
                let op = acc::Firstprivate::new(self.ctx, info, value, bounds);
                self.entered(op, origin)
            }
            DataClause::Reduction => {
                self.must_be_variable(base, value)?;
                let sections = !entry.bounds.is_empty();
                let (operator, signed) = self.reduced_by(base, (operator, reductions), sections)?;
                let op = acc::Reduction::new(self.ctx, operator, signed, info, value, bounds);
                self.entered(op, origin)
            }
            // These have an exit operation only.
            DataClause::Copyout
            | DataClause::Create
            | DataClause::Delete
            | DataClause::Detach
            | DataClause::UpdateSelf
            | DataClause::Pointer => {
                entry.entered = false;
                value
            }
        };
        if let Some((presence, op)) = presence.zip(entry.value.defining_op())
            && entry.entered
        {
            PRESENCE.set(self.ctx, op, presence);
        }
        Ok(entry)
    }

    fn entered<T: DataOp + Op + Copy>(&mut self, op: T, origin: Origin) -> Value {
        op.set_origin(self.ctx, origin);
        self.emit_value(op)
    }

    /// Adds the entries to the operands of `op`.
    pub fn add_entries<T: ClauseOp>(&mut self, op: &T, entries: &[Entry]) {
        for entry in entries {
            acc::push(op, self.ctx, entry.group, entry.value, DeviceType::None);
        }
    }

    /// The exit operations that belong to the entries.
    pub fn exits(&mut self, entries: Vec<Entry>) {
        for entry in entries {
            let acc_value = entry.entered.then_some(entry.value);
            let (info, var, bounds) = (entry.info.clone(), entry.var, entry.bounds);
            match entry.info.clause {
                DataClause::Copy | DataClause::Copyout => {
                    let op = acc::Copyout::new(self.ctx, info, acc_value, var, bounds);
                    self.left(op, entry.origin, entry.presence);
                }
                DataClause::Copyin
                | DataClause::Create
                | DataClause::Present
                | DataClause::NoCreate
                | DataClause::DeviceResident
                | DataClause::Delete => {
                    let op = acc::Delete::new(self.ctx, info, acc_value, var, bounds);
                    self.left(op, entry.origin, entry.presence);
                }
                DataClause::Attach | DataClause::Detach => {
                    let op = acc::Detach::new(self.ctx, info, acc_value, var, bounds);
                    self.left(op, entry.origin, entry.presence);
                }
                DataClause::UpdateSelf => {
                    let op = acc::UpdateSelf::new(self.ctx, info, acc_value, var, bounds);
                    self.left(op, entry.origin, entry.presence);
                }
                DataClause::Deviceptr
                | DataClause::UseDevice
                | DataClause::UpdateDevice
                | DataClause::Private
                | DataClause::Firstprivate
                | DataClause::Reduction
                | DataClause::Link
                | DataClause::Pointer => {}
            }
        }
    }

    /// What `entry` has made, whose variable's address is `var` here, as an entry of its own.
    pub fn elsewhere(&mut self, entry: &Entry, var: Value) -> Entry {
        let info = entry.info.clone();
        let op = acc::GetDeviceptr::new(self.ctx, info, var, Vec::new());
        let value = self.emit_value(op);
        Entry {
            value,
            var,
            bounds: Vec::new(),
            ..entry.clone()
        }
    }

    fn left<T: DataOp + Op + Copy>(
        &mut self,
        op: T,
        origin: Option<Origin>,
        presence: Option<Presence>,
    ) {
        if let Some(origin) = origin {
            op.set_origin(self.ctx, origin);
        }
        if let Some(presence) = presence {
            PRESENCE.set(self.ctx, op.get_operation(), presence);
        }
        self.emit(op);
    }

    fn must_be_pointer(&mut self, base: NodeId, clause: &str, section: &'static str) -> Result<()> {
        let ty = self.type_of(base)?;
        if self.scalar(ty) == Some(Scalar::Pointer) {
            return Ok(());
        }
        Err(Stop::at(base, format!("`{clause}` takes pointers")).section(section))
    }

    /// A reduction variable has a name; `address` is where it is.
    fn must_be_variable(&self, base: NodeId, address: Value) -> Result<()> {
        let is_variable = address.defining_op().is_some_and(|op| {
            Operation::is_op::<core::Alloca>(op, self.ctx)
                || Operation::is_op::<core::AddressOf>(op, self.ctx)
        });
        if is_variable {
            return Ok(());
        }
        Err(
            Stop::at(base, "a member of a struct cannot be reduced by itself")
                .help("reduce the struct, or a variable that is added to the member afterwards")
                .section("2.5.15"),
        )
    }

    /// What the elements of an array are, at the bottom; the type itself if it is no array.
    pub fn element(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            CType::Array { element, .. } => self.element(element.ty),
            CType::Pointer(_)
            | CType::Void
            | CType::Bool
            | CType::Int { .. }
            | CType::Float(_)
            | CType::Complex(_)
            | CType::Function { .. }
            | CType::Record(_)
            | CType::Enum(_)
            | CType::Vector(..)
            | CType::Builtin => ty,
        }
    }

    /// Whether it is a pointer to a struct or union that is complete.
    fn leads_to_record(&mut self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Pointer(target) => {
                let target = target.ty;
                self.is_record(target) && self.types.size_of(target).is_ok()
            }
            CType::Void
            | CType::Bool
            | CType::Int { .. }
            | CType::Float(_)
            | CType::Complex(_)
            | CType::Array { .. }
            | CType::Function { .. }
            | CType::Record(_)
            | CType::Enum(_)
            | CType::Vector(..)
            | CType::Builtin => false,
        }
    }

    /// What an array consists of, or a pointer points to, at the bottom.
    pub(super) fn innermost(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            CType::Array { element, .. } => self.innermost(element.ty),
            CType::Pointer(target) => self.innermost(target.ty),
            CType::Void
            | CType::Bool
            | CType::Int { .. }
            | CType::Float(_)
            | CType::Complex(_)
            | CType::Function { .. }
            | CType::Record(_)
            | CType::Enum(_)
            | CType::Vector(..)
            | CType::Builtin => ty,
        }
    }
}

/// The data clause of a clause of variables; `None` for other clauses.
pub(super) fn data_clause(kind: ClauseKind) -> Option<DataClause> {
    Some(match kind {
        ClauseKind::Copy => DataClause::Copy,
        ClauseKind::CopyIn => DataClause::Copyin,
        ClauseKind::CopyOut => DataClause::Copyout,
        ClauseKind::Create => DataClause::Create,
        ClauseKind::NoCreate => DataClause::NoCreate,
        ClauseKind::Present => DataClause::Present,
        ClauseKind::DevicePtr => DataClause::Deviceptr,
        ClauseKind::Attach => DataClause::Attach,
        ClauseKind::Detach => DataClause::Detach,
        ClauseKind::Delete => DataClause::Delete,
        ClauseKind::UseDevice => DataClause::UseDevice,
        ClauseKind::UpdateSelf => DataClause::UpdateSelf,
        ClauseKind::UpdateDevice => DataClause::UpdateDevice,
        ClauseKind::Private => DataClause::Private,
        ClauseKind::FirstPrivate => DataClause::Firstprivate,
        ClauseKind::Reduction => DataClause::Reduction,
        ClauseKind::DeviceResident => DataClause::DeviceResident,
        ClauseKind::Link => DataClause::Link,
        ClauseKind::If
        | ClauseKind::SelfCondition
        | ClauseKind::Async
        | ClauseKind::Wait
        | ClauseKind::NumGangs
        | ClauseKind::NumWorkers
        | ClauseKind::VectorLength
        | ClauseKind::Default
        | ClauseKind::Finalize
        | ClauseKind::IfPresent
        | ClauseKind::Collapse
        | ClauseKind::Gang
        | ClauseKind::Worker
        | ClauseKind::Vector
        | ClauseKind::Seq
        | ClauseKind::Independent
        | ClauseKind::Auto
        | ClauseKind::Tile
        | ClauseKind::DeviceType
        | ClauseKind::Bind
        | ClauseKind::NoHost
        | ClauseKind::DeviceNum
        | ClauseKind::DefaultAsync => return None,
    })
}

/// True when a clause is for `purpose`: `private` and `reduction` of a combined construct are the
/// loop's (section 2.11).
fn belongs(clause: DataClause, purpose: Use) -> bool {
    let of_loop = matches!(clause, DataClause::Private | DataClause::Reduction);
    match purpose {
        Use::Compute { combined: true } => !of_loop,
        Use::Loop => of_loop,
        Use::Compute { combined: false }
        | Use::Data
        | Use::Declare
        | Use::Enter
        | Use::Exit
        | Use::Update => true,
    }
}
