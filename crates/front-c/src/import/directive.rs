//! What each directive becomes, and where it may stand.

use super::compute::Compute;
use super::data_clauses::Use;
use super::functions::{Module, does_nothing_on_devices};
use super::state::{Result, Stop};
use crate::ast::carrier::Carrier;
use crate::ast::node::NodeId;
use crate::text::carriers::{CarrierCall, Owner, Role};
use crate::text::scan::ScannedDirective;
use accrue_dialects::acc::{
    self, ClauseOp, DeviceType, DeviceTypes, DirectiveOp, Expression, Group,
};
use accrue_directives::{
    AnyDirective, Clause, ClauseArgs, ClauseKind, DeviceScope, DeviceTypeKind, DirectiveArgs,
    DirectiveKind, WaitArgs,
};
use pliron::value::Value;

/// A directive with the expressions that clang typed for it.
pub struct View<'a> {
    /// What it says.
    pub scanned: &'a ScannedDirective,
    /// What the arguments of its call are.
    call: &'a CarrierCall,
    /// The statement or call that carries it, for messages.
    pub at: NodeId,
    /// Its expressions and its statement.
    carrier: Carrier,
}

impl<'a> View<'a> {
    /// The directive that `at` carries.
    pub fn new(
        scanned: &'a ScannedDirective,
        call: &'a CarrierCall,
        at: NodeId,
        carrier: Carrier,
    ) -> Self {
        View {
            scanned,
            call,
            at,
            carrier,
        }
    }

    /// The statement the directive belongs to.
    pub fn statement(&self) -> Result<NodeId> {
        let statement = self.carrier.statement;
        statement.ok_or_else(|| Stop::at(self.at, "a statement is missing behind this directive"))
    }

    /// The expression in a clause (by index), or of the directive itself.
    pub fn argument(&self, owner: Owner, item: usize, role: Role) -> Option<NodeId> {
        let index = self.call.argument(owner, item, role)?;
        self.carrier.arguments.get(index).copied()
    }

    /// The clauses with their indices.
    pub fn clauses(&self) -> impl Iterator<Item = (usize, &'a Clause)> + use<'a> {
        let acc = self.scanned.directive.acc();
        acc.map_or(&[][..], |acc| &acc.clauses).iter().enumerate()
    }

    /// The number of the directive, as operations keep it.
    pub fn ordinal(&self) -> u32 {
        self.scanned.ordinal as u32
    }
}

/// The device types a clause is for. Types that the dialect does not know are left out: their
/// clauses have no effect here.
pub fn devices(clause: &Clause) -> Vec<DeviceType> {
    match &clause.devices {
        DeviceScope::All => vec![DeviceType::None],
        DeviceScope::Listed(types) => types.iter().filter_map(|ty| device_type(ty.kind)).collect(),
    }
}

fn device_type(kind: DeviceTypeKind) -> Option<DeviceType> {
    Some(match kind {
        DeviceTypeKind::Any => DeviceType::Star,
        DeviceTypeKind::Default => DeviceType::Default,
        DeviceTypeKind::Host => DeviceType::Host,
        DeviceTypeKind::Multicore => DeviceType::Multicore,
        DeviceTypeKind::Nvidia => DeviceType::Nvidia,
        DeviceTypeKind::Radeon => DeviceType::Radeon,
        DeviceTypeKind::Sim => DeviceType::Sim,
        DeviceTypeKind::OpenCl => DeviceType::OpenCl,
        DeviceTypeKind::Unknown => return None,
    })
}

impl<'a> Module<'a> {
    /// Imports the directive that `at` carries.
    pub fn directive(&mut self, at: NodeId, carrier: Carrier) -> Result<()> {
        let source = self.source;
        let (scanned, call) = match (
            source.unit.directives.get(carrier.ordinal),
            source.carriers.calls.get(carrier.ordinal),
        ) {
            (Some(scanned), Some(call)) => (scanned, call),
            _ => return Err(Stop::at(at, "this directive is not known")),
        };
        let acc = match &scanned.directive {
            AnyDirective::Acc(acc) => acc,
            AnyDirective::Omp(omp) => {
                let view = View::new(scanned, call, at, carrier);
                return self.omp_directive(&view, omp);
            }
        };
        let kind = acc.kind;
        if self.on_device() && self.function.construct == 0 && does_nothing_on_devices(kind) {
            if let Some(statement) = carrier.statement {
                self.statement(statement);
            }
            return Ok(());
        }
        let view = View::new(scanned, call, at, carrier);
        if self.on_device()
            && let Some(section) = host_only(kind)
        {
            let name = scanned.text_of(acc.kind_span);
            let place = match self.function.construct > 0 {
                true => "inside a compute construct",
                false => "in a function that a compute construct calls",
            };
            return Err(Stop::at(at, format!("`{name}` cannot stand {place}"))
                .help("move it to code that runs on the host")
                .section(section));
        }
        match kind {
            DirectiveKind::Parallel => self.compute(&view, Compute::Parallel, false),
            DirectiveKind::ParallelLoop => self.compute(&view, Compute::Parallel, true),
            DirectiveKind::Serial => self.compute(&view, Compute::Serial, false),
            DirectiveKind::SerialLoop => self.compute(&view, Compute::Serial, true),
            DirectiveKind::Kernels => self.compute(&view, Compute::Kernels, false),
            DirectiveKind::KernelsLoop => self.compute(&view, Compute::Kernels, true),
            DirectiveKind::Data => self.data(&view),
            DirectiveKind::HostData => self.host_data(&view),
            DirectiveKind::Loop if self.on_device() => self.loop_construct(&view),
            // Outside of constructs and routines the loop is the host's, as written.
            DirectiveKind::Loop => {
                let statement = view.statement()?;
                self.statement(statement);
                Ok(())
            }
            DirectiveKind::EnterData => self.enter_data(&view),
            DirectiveKind::ExitData => self.exit_data(&view),
            DirectiveKind::Update => self.update_directive(&view),
            DirectiveKind::Wait => self.wait_directive(&view, &acc.args),
            DirectiveKind::Init => {
                let op = acc::Init::new(self.ctx, view.ordinal());
                self.device_directive(&view, op)
            }
            DirectiveKind::Shutdown => {
                let op = acc::Shutdown::new(self.ctx, view.ordinal());
                self.device_directive(&view, op)
            }
            DirectiveKind::Set => {
                let op = acc::Set::new(self.ctx, view.ordinal());
                self.device_directive(&view, op)
            }
            DirectiveKind::Cache if self.on_device() => self.cache_directive(&view),
            // A hint, and a promise that was read with the declarations.
            DirectiveKind::Cache | DirectiveKind::Routine => Ok(()),
            DirectiveKind::Atomic if self.on_device() => self.atomic_construct(&view),
            // On the host the statement is an ordinary one.
            DirectiveKind::Atomic => {
                self.check_atomic(&view)?;
                let statement = view.statement()?;
                self.statement(statement);
                Ok(())
            }
            DirectiveKind::Declare => self.declare_directive(&view),
            DirectiveKind::EndParallel
            | DirectiveKind::EndSerial
            | DirectiveKind::EndKernels
            | DirectiveKind::EndLoop
            | DirectiveKind::EndParallelLoop
            | DirectiveKind::EndSerialLoop
            | DirectiveKind::EndKernelsLoop
            | DirectiveKind::EndData
            | DirectiveKind::EndHostData
            | DirectiveKind::EndAtomic => {
                let stop = self.unsupported_directive(at, scanned.ordinal);
                self.report(stop);
                Ok(())
            }
        }
    }

    /// Says that a directive is not supported.
    pub fn unsupported_directive(&self, at: NodeId, ordinal: usize) -> Stop {
        let Some(scanned) = self.source.unit.directives.get(ordinal) else {
            return Stop::at(at, "this directive is not known");
        };
        let name = scanned.text_of(scanned.directive.kind_span());
        Stop::at(at, format!("the `{name}` directive is not supported yet"))
    }

    /// `enter data` (section 2.6.6).
    fn enter_data(&mut self, view: &View<'_>) -> Result<()> {
        let entries = self.data_entries(view, Use::Enter)?;
        let op = acc::EnterData::new(self.ctx, view.ordinal());
        self.operands(view, &op)?;
        self.add_entries(&op, &entries);
        self.emit(op);
        Ok(())
    }

    /// `exit data` (section 2.6.6).
    fn exit_data(&mut self, view: &View<'_>) -> Result<()> {
        let entries = self.data_entries(view, Use::Exit)?;
        let op = acc::ExitData::new(self.ctx, view.ordinal());
        self.operands(view, &op)?;
        if has_clause(view, ClauseKind::Finalize) {
            op.set_finalize(self.ctx);
        }
        self.add_entries(&op, &entries);
        self.emit(op);
        self.exits(entries);
        Ok(())
    }

    /// `update` (section 2.14.4).
    fn update_directive(&mut self, view: &View<'_>) -> Result<()> {
        let entries = self.data_entries(view, Use::Update)?;
        let op = acc::Update::new(self.ctx, view.ordinal());
        self.operands(view, &op)?;
        if has_clause(view, ClauseKind::IfPresent) {
            op.set_if_present(self.ctx);
        }
        self.add_entries(&op, &entries);
        self.emit(op);
        self.exits(entries);
        Ok(())
    }

    /// `wait` (section 2.16.3).
    fn wait_directive(&mut self, view: &View<'_>, args: &DirectiveArgs) -> Result<()> {
        let op = acc::Wait::new(self.ctx, view.ordinal());
        if let DirectiveArgs::Wait(wait) = args {
            self.wait_operands(view, &op, Owner::Directive, wait, Group::Queues)?;
        }
        self.operands(view, &op)?;
        self.emit(op);
        Ok(())
    }

    /// `init`, `shutdown` and `set` (sections 2.14.1 to 2.14.3), `op` being new.
    fn device_directive<T: DirectiveOp + Copy>(&mut self, view: &View<'_>, op: T) -> Result<()> {
        self.operands(view, &op)?;
        self.emit(op);
        Ok(())
    }

    /// Adds the operands that clauses with expressions give: `if`, `self`, `async`, `wait`, sizes.
    /// Groups that `op` lacks belong to the other half of a combined construct.
    pub fn operands<T: DirectiveOp + Copy>(&mut self, view: &View<'_>, op: &T) -> Result<()> {
        let mut async_only = Vec::new();
        let mut wait_only = Vec::new();
        for (index, clause) in view.clauses() {
            let owner = Owner::Clause(index);
            let group = match clause.kind {
                ClauseKind::If => Group::If,
                ClauseKind::SelfCondition => Group::SelfCondition,
                ClauseKind::Async => Group::Async,
                ClauseKind::NumGangs => Group::NumGangs,
                ClauseKind::NumWorkers => Group::NumWorkers,
                ClauseKind::VectorLength => Group::VectorLength,
                ClauseKind::DeviceNum => Group::DeviceNum,
                ClauseKind::DefaultAsync => Group::DefaultAsync,
                ClauseKind::Gang | ClauseKind::Worker | ClauseKind::Vector => {
                    self.sizes_of_combined(view, op, index, clause)?;
                    continue;
                }
                ClauseKind::Wait => {
                    match &clause.args {
                        ClauseArgs::Wait(wait) => {
                            self.wait_operands(view, op, owner, wait, Group::Wait)?;
                            if wait.queues.is_empty() {
                                wait_only.extend(devices(clause));
                            }
                        }
                        _ => wait_only.extend(devices(clause)),
                    }
                    continue;
                }
                _ => continue,
            };
            if !op.has(group) {
                continue;
            }
            match (&clause.args, clause.kind) {
                (ClauseArgs::None, ClauseKind::Async) => async_only.extend(devices(clause)),
                (ClauseArgs::None, ClauseKind::SelfCondition) => {
                    let always = self.constant(1, 1);
                    self.add(op, group, always, clause, Expression::Unwritten);
                }
                (ClauseArgs::Expr(_), ClauseKind::If | ClauseKind::SelfCondition) => {
                    if let Some(expression) = view.argument(owner, 0, Role::Condition) {
                        let value = self.condition_or_opaque(expression)?;
                        self.add(op, group, value, clause, written(owner, 0));
                    }
                }
                (ClauseArgs::Exprs(spans), _) => {
                    for item in 0..spans.len() {
                        if let Some(expression) = view.argument(owner, item, Role::Value) {
                            let value = self.integer_operand(expression)?;
                            self.add(op, group, value, clause, written(owner, item));
                        }
                    }
                }
                _ => {
                    if let Some(expression) = view.argument(owner, 0, Role::Value) {
                        let value = self.integer_operand(expression)?;
                        self.add(op, group, value, clause, written(owner, 0));
                    }
                }
            }
        }
        if !async_only.is_empty() {
            op.set_async_only(self.ctx, DeviceTypes(async_only));
        }
        if !wait_only.is_empty() {
            op.set_wait_only(self.ctx, DeviceTypes(wait_only));
        }
        let named = device_type_clause(view);
        if !named.0.is_empty() {
            acc::set_device_type_clause(self.ctx, op, named);
        }
        Ok(())
    }

    /// Adds the arguments of `wait` to the groups for queues and for the device number, which not every operation has.
    fn wait_operands<T: ClauseOp + Copy>(
        &mut self,
        view: &View<'_>,
        op: &T,
        owner: Owner,
        wait: &WaitArgs,
        queues: Group,
    ) -> Result<()> {
        let device = match owner {
            Owner::Directive => vec![DeviceType::None],
            Owner::Clause(index) => {
                let clause = view.clauses().nth(index);
                clause
                    .map(|(_, clause)| devices(clause))
                    .unwrap_or_default()
            }
        };
        for item in 0..wait.queues.len() {
            if let Some(expression) = view.argument(owner, item, Role::Queue) {
                let value = self.integer_operand(expression)?;
                let expression = written(owner, item + 1);
                for device in &device {
                    acc::push_expression(op, self.ctx, queues, value, *device, expression);
                }
            }
        }
        if let Some(expression) = view.argument(owner, 0, Role::Devnum) {
            let value = self.integer_operand(expression)?;
            let (device, expression) = (DeviceType::None, written(owner, 0));
            acc::push_expression(op, self.ctx, Group::Devnum, value, device, expression);
        }
        Ok(())
    }

    /// The value of an integer expression of a clause.
    pub fn integer_operand(&mut self, expression: NodeId) -> Result<Value> {
        self.expect_integer(expression)?;
        self.value_or_opaque(expression)
    }

    /// An error if an expression of a clause or directive is no integer.
    pub fn expect_integer(&mut self, expression: NodeId) -> Result<()> {
        let (_, scalar) = self.scalar_of(expression)?;
        match scalar {
            super::types::Scalar::Bool | super::types::Scalar::Int { .. } => Ok(()),
            super::types::Scalar::Float(_)
            | super::types::Scalar::Complex(_)
            | super::types::Scalar::Pointer => {
                Err(Stop::at(expression, "an integer is expected here").section("2"))
            }
        }
    }

    /// Adds `value` for every device type that `clause` is for.
    pub fn add<T: ClauseOp>(
        &mut self,
        op: &T,
        group: Group,
        value: Value,
        clause: &Clause,
        expression: Expression,
    ) {
        for device in devices(clause) {
            acc::push_expression(op, self.ctx, group, value, device, expression);
        }
    }
}

/// Item `item` of a clause, or of the directive itself.
pub fn written(owner: Owner, item: usize) -> Expression {
    let item = item as u32;
    match owner {
        Owner::Directive => Expression::Directive { item },
        Owner::Clause(index) => Expression::Clause {
            clause: index as u32,
            item,
        },
    }
}

/// True when the directive has a clause of that kind.
pub fn has_clause(view: &View<'_>, kind: ClauseKind) -> bool {
    view.clauses().any(|(_, clause)| clause.kind == kind)
}

/// The types in the `device_type` clauses of a directive.
pub(super) fn device_type_clause(view: &View<'_>) -> DeviceTypes {
    let mut types = Vec::new();
    for (_, clause) in view.clauses() {
        if let ClauseArgs::Devices(listed) = &clause.args {
            types.extend(listed.iter().filter_map(|ty| device_type(ty.kind)));
        }
    }
    DeviceTypes(types)
}

/// The section that keeps a directive out of code for a device; `None` for those allowed there.
fn host_only(kind: DirectiveKind) -> Option<&'static str> {
    match kind {
        DirectiveKind::Loop
        | DirectiveKind::Cache
        | DirectiveKind::Atomic
        | DirectiveKind::Routine
        | DirectiveKind::EndParallel
        | DirectiveKind::EndSerial
        | DirectiveKind::EndKernels
        | DirectiveKind::EndLoop
        | DirectiveKind::EndParallelLoop
        | DirectiveKind::EndSerialLoop
        | DirectiveKind::EndKernelsLoop
        | DirectiveKind::EndData
        | DirectiveKind::EndHostData
        | DirectiveKind::EndAtomic => None,
        DirectiveKind::Parallel
        | DirectiveKind::Serial
        | DirectiveKind::Kernels
        | DirectiveKind::ParallelLoop
        | DirectiveKind::SerialLoop
        | DirectiveKind::KernelsLoop => Some("2.5.4"),
        DirectiveKind::Data => Some("2.6.5"),
        DirectiveKind::EnterData | DirectiveKind::ExitData => Some("2.6.6"),
        DirectiveKind::HostData => Some("2.8"),
        DirectiveKind::Declare => Some("2.13"),
        DirectiveKind::Init => Some("2.14.1"),
        DirectiveKind::Shutdown => Some("2.14.2"),
        DirectiveKind::Set => Some("2.14.3"),
        DirectiveKind::Update => Some("2.14.4"),
        DirectiveKind::Wait => Some("2.16.3"),
    }
}
