//! The state of an import: what belongs to the unit, and what to the function being imported.

use super::arrays::Dim;
use super::compute::Compute;
use super::declare::Scope;
use super::functions::Module;
use super::goto::{Labels, Pending};
use super::omp::scan::Scan;
use crate::ast::node::NodeId;
use crate::ast::types::QualType;
use accrue_diag::{DiagnosticAt, Place};
use accrue_dialects::{core, source::TextPlace};
use accrue_directives::omp;
use accrue_directives::omp::selectors::Construct;
use accrue_ir::build;
use pliron::basic_block::BasicBlock;
use pliron::context::Ptr;
use pliron::linked_list::ContainsLinkedList;
use pliron::op::Op;
use pliron::operation::Operation;
use pliron::r#type::{TypeHandle, Typed};
use pliron::value::Value;
use std::collections::{HashMap, HashSet};

/// Why something could not be imported, at an expression, a statement or a declaration.
pub type Stop = DiagnosticAt<NodeId>;

/// What most functions of the import return.
pub type Result<T> = std::result::Result<T, Stop>;

/// A variable of the function.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its address.
    pub address: Value,
    /// Its type.
    pub ty: QualType,
    /// Its dimensions, outermost first, if its type has a variable length inside.
    pub dims: Vec<Dim>,
    /// The compute construct it was declared in.
    pub construct: u32,
}

/// The variables that are known where we are, by declaration.
#[derive(Default)]
pub struct Variables {
    known: HashMap<NodeId, Variable>,
    /// What was known before each addition, so that a scope can end at the cost of what it added.
    hidden: Vec<(NodeId, Option<Variable>)>,
}

impl Variables {
    /// The variable of a declaration.
    pub fn get(&self, declaration: &NodeId) -> Option<&Variable> {
        self.known.get(declaration)
    }

    /// The variable of a declaration.
    pub fn get_mut(&mut self, declaration: &NodeId) -> Option<&mut Variable> {
        self.known.get_mut(declaration)
    }

    /// The declarations of all variables, in any order.
    pub fn declarations(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.known.keys().copied()
    }

    /// Adds a variable, perhaps in the place of another one.
    pub fn insert(&mut self, declaration: NodeId, variable: Variable) {
        let old = self.known.insert(declaration, variable);
        self.hidden.push((declaration, old));
    }

    /// Where a scope begins, for [`Variables::leave`].
    pub fn enter(&self) -> usize {
        self.hidden.len()
    }

    /// Ends the scope: all is as it was at its beginning.
    pub fn leave(&mut self, scope: usize) {
        for (declaration, old) in self.hidden.drain(scope..).rev() {
            match old {
                Some(old) => self.known.insert(declaration, old),
                None => self.known.remove(&declaration),
            };
        }
    }
}

/// What encloses a statement, as `break`, `continue` and `return` see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nest {
    /// A loop without directive.
    Loop,
    /// A `switch`.
    Switch,
    /// A block with labels that jumps lead to.
    Labels,
    /// A loop of a `loop` construct.
    AccLoop,
    /// A construct that no jump may leave.
    Construct,
}

/// A place in a block, see [`Module::mark`].
#[derive(Clone, Copy)]
pub struct Mark {
    /// The last operation before it.
    last: Option<Ptr<Operation>>,
    /// What was declared, and which directives' scopes were open.
    variables: usize,
    scopes: usize,
}

/// Blocks of the function that objects are made in.
#[derive(Clone, Copy)]
pub struct Homes {
    /// Of what lasts as long as the block of C: compound literals.
    pub block: Ptr<BasicBlock>,
    /// Of what lasts as long as the function or the iteration: constant static variables.
    pub iteration: Ptr<BasicBlock>,
}

impl Homes {
    pub fn all(block: Ptr<BasicBlock>) -> Homes {
        Homes {
            block,
            iteration: block,
        }
    }
}

/// The function being imported.
pub struct Function {
    /// Runs on a device: everything must be understood.
    pub strict: bool,
    /// Where operations go.
    pub block: Ptr<BasicBlock>,
    pub homes: Homes,
    /// The block has its last operation.
    pub terminated: bool,
    /// Variables by declaration.
    pub variables: Variables,
    /// Number of the compute construct we are in; 0 outside.
    pub construct: u32,
    /// How many constructs there were.
    pub constructs: u32,
    /// Inside `kernels`, or in a loop of `parallel` over gangs alone or whose levels are open: loops without directive are offered for
    /// analysis.
    pub offers_loops: bool,
    /// Inside a loop with a directive, in a compute construct.
    pub in_loop: bool,
    /// The compute construct that we are in.
    pub compute: Option<Compute>,
    /// In a directive of OpenMP: messages name its rules.
    pub openmp: bool,
    /// The constructs of OpenMP that we are in, up to a `target`, outermost first.
    pub around: Vec<Construct>,
    /// In a region of OpenMP: what all threads of the team share of the variables outside.
    pub shared: HashSet<NodeId>,
    /// The loops with scans that we are in, outermost first.
    pub scans: Vec<Scan>,
    /// Where the full expression of the host begins that we are in.
    pub full_expression: Option<TextPlace>,
    /// What encloses the statement, outermost first.
    pub nest: Vec<Nest>,
    /// The blocks with labels that we are in, outermost first.
    pub labels: Vec<Labels>,
    /// Jumps that go on behind nests we are in.
    pub pending: Vec<Pending>,
    /// The `declare` directives whose scopes we are in, outermost first.
    pub scopes: Vec<Scope>,
    /// What the function returns.
    pub result: QualType,
    /// Where a returned record goes.
    pub result_address: Option<Value>,
    /// Has labels: code behind a `return` may be reached.
    pub has_labels: bool,
    /// The common operand of each `a ?: b` we are in.
    pub common: Vec<Value>,
    /// Variables that are used other than by reading them, once they are wanted.
    pub changed: Option<HashSet<NodeId>>,
    /// The variables that the function uses outside of the loops that set them; `None` before somebody asks.
    pub used_outside_loops: Option<HashSet<NodeId>>,
    /// Variables of the program in it, and those whose addresses it takes, once they have been looked for.
    pub reachable: Option<HashSet<NodeId>>,
    /// Variables that data clauses of it have named so far.
    pub in_data_clauses: HashSet<NodeId>,
    /// The body, for looking up uses.
    pub body: NodeId,
}

impl Module<'_> {
    /// Appends `op` to the current block.
    pub fn emit<T: Op>(&mut self, op: T) -> T {
        let operation = op.get_operation();
        if operation.deref(self.ctx).loc().is_unknown() {
            operation.deref_mut(self.ctx).set_loc(self.location.clone());
        }
        operation.insert_at_back(self.function.block, self.ctx);
        self.place_in_expression(operation);
        op
    }

    /// Appends `op` and gives its only result.
    pub fn emit_value<T: Op>(&mut self, op: T) -> Value {
        let op = self.emit(op);
        op.get_operation().deref(self.ctx).get_result(0)
    }

    /// Appends the last operation of the current block.
    pub fn terminate<T: Op>(&mut self, op: T) {
        if !self.function.terminated {
            self.emit(op);
            self.function.terminated = true;
        }
    }

    /// Runs `body` with `block` as the current block; back to the old one afterwards. True when the
    /// block got a terminator.
    pub fn in_block<T>(
        &mut self,
        block: Ptr<BasicBlock>,
        body: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, bool)> {
        let old = std::mem::replace(&mut self.function.block, block);
        let homes = std::mem::replace(&mut self.function.homes, Homes::all(block));
        let was_terminated = std::mem::replace(&mut self.function.terminated, false);
        let result = body(self);
        self.function.block = old;
        self.function.homes = homes;
        let terminated = std::mem::replace(&mut self.function.terminated, was_terminated);
        Ok((result?, terminated))
    }

    /// The same for a branch of a statement, which is a block of C as well, but no iteration of its own.
    pub fn in_branch(
        &mut self,
        block: Ptr<BasicBlock>,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let iteration = self.function.homes.iteration;
        self.in_yielding_block(block, |this| {
            this.function.homes.iteration = iteration;
            body(this)
        })
    }

    /// The same for an operand that is evaluated sometimes, which is no block of C: its objects last as long as what is around it.
    pub fn in_arm<T>(
        &mut self,
        block: Ptr<BasicBlock>,
        body: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let homes = self.function.homes;
        let (value, _) = self.in_block(block, |this| {
            this.function.homes = homes;
            body(this)
        })?;
        Ok(value)
    }

    /// An arm that ends with `core.yield` if nothing else did.
    pub fn in_yielding_arm(
        &mut self,
        block: Ptr<BasicBlock>,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.in_arm(block, |this| {
            body(this)?;
            this.yield_values(vec![]);
            Ok(())
        })
    }

    /// Runs `body` in `block` and ends the block with `core.yield` if nothing else did.
    pub fn in_yielding_block(
        &mut self,
        block: Ptr<BasicBlock>,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.in_block(block, |this| {
            body(this)?;
            this.yield_values(vec![]);
            Ok(())
        })
        .map(|_| ())
    }

    /// Sets the location of the operations that follow to that of `node`.
    pub fn locate(&mut self, node: NodeId) {
        let at = self.source.ast.node(node).begin as usize;
        let position = self
            .source
            .unit
            .place(self.preprocessed(at..at + 1))
            .position;
        let path = std::path::Path::new(&*position.file);
        let (line, column) = (position.line as u32, position.column as u32);
        self.location = build::location(self.ctx, path, line, column);
    }

    /// The range of the preprocessed text for one of the carrier text.
    pub fn preprocessed(&self, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let carriers = self.source.carriers;
        let start = carriers.to_preprocessed(range.start);
        // The last byte is mapped rather than the one behind it, which may belong to something else.
        let last = carriers.to_preprocessed(range.end.saturating_sub(1).max(range.start));
        start..(last + 1).max(start + 1)
    }

    /// The user's place of a node.
    pub(super) fn place_of(&self, node: NodeId) -> Place {
        let node = self.source.ast.node(node);
        let range = self.preprocessed(node.begin as usize..node.end.max(node.begin + 1) as usize);
        self.source.unit.place(range)
    }

    /// Turns `stop` into an error of the unit.
    pub fn report(&mut self, stop: Stop) {
        let (ast, carriers) = (self.source.ast, self.source.carriers);
        let Some(at) = stop.place else { return };
        let mut node = ast.node(at);
        if carriers.is_generated(node.begin as usize) {
            // The parentheses around a clause's expression are not the user's.
            node = ast.node(ast.strip_implicit(at));
        }
        let range = self.preprocessed(node.begin as usize..node.end.max(node.begin + 1) as usize);
        let unit = self.source.unit;
        let mut message = stop.map_places(|at| self.place_of(at));
        if self.function.openmp {
            message = message.in_openmp(omp::section_like);
        }
        let message = match unit.directive_at(range.start) {
            // What carries a directive stands for the directive's name.
            Some(directive) if carriers.is_generated(node.begin as usize) => directive
                .source
                .locate(message, directive.directive.kind_span()),
            _ => unit.locate(message, range),
        };
        if !self.messages.contains(&message) {
            self.messages.push(message);
        }
    }

    /// Where we are in the current block, to go back to.
    pub fn mark(&self) -> Mark {
        Mark {
            last: self.function.block.deref(self.ctx).get_tail(),
            variables: self.function.variables.enter(),
            scopes: self.function.scopes.len(),
        }
    }

    /// Erases what the current block got after `mark`, and forgets what was declared there.
    pub fn roll_back(&mut self, mark: Mark) {
        loop {
            let tail = self.function.block.deref(self.ctx).get_tail();
            match tail {
                Some(tail) if Some(tail) != mark.last => Operation::erase(tail, self.ctx),
                _ => break,
            }
        }
        self.function.variables.leave(mark.variables);
        self.function.scopes.truncate(mark.scopes);
        self.function.terminated = false;
    }

    /// Puts a variable to the beginning of `home`, and gives its address.
    pub fn at_home(&mut self, home: Ptr<BasicBlock>, variable: core::Alloca) -> Value {
        let operation = variable.get_operation();
        operation.deref_mut(self.ctx).set_loc(self.location.clone());
        operation.insert_at_front(home, self.ctx);
        operation.deref(self.ctx).get_result(0)
    }

    /// A new variable without name of the user's.
    pub fn temporary(&mut self, ty: TypeHandle) -> Value {
        let op = core::Alloca::new(self.ctx, ty, None);
        self.emit_value(op)
    }

    /// An integer constant.
    pub fn constant(&mut self, width: u32, value: i128) -> Value {
        let op = core::Const::new(self.ctx, width, value);
        self.emit_value(op)
    }

    /// Reads the scalar at `address`.
    pub fn load(&mut self, address: Value, volatile: bool) -> Value {
        let op = core::Load::new(self.ctx, address);
        if volatile {
            op.set_volatile(self.ctx);
        }
        self.emit_value(op)
    }

    /// Writes the scalar `value` to `address`.
    pub fn store(&mut self, value: Value, address: Value, volatile: bool) {
        let op = core::Store::new(self.ctx, value, address);
        if volatile {
            op.set_volatile(self.ctx);
        }
        self.emit(op);
    }

    /// `kind` of two values of one type.
    pub fn binary(&mut self, kind: core::BinKind, left: Value, right: Value) -> Value {
        let op = core::Bin::new(self.ctx, kind, left, right);
        self.emit_value(op)
    }

    /// One of two values.
    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let op = core::Select::new(self.ctx, condition, yes, no);
        self.emit_value(op)
    }

    /// A comparison.
    pub fn compare(&mut self, kind: core::CmpKind, left: Value, right: Value) -> Value {
        let op = core::Cmp::new(self.ctx, kind, left, right);
        self.emit_value(op)
    }

    /// A conversion; of an integer constant to another integer type, the constant it gives.
    pub fn cast(&mut self, kind: core::CastKind, value: Value, to: TypeHandle) -> Value {
        if let Some(constant) = self.cast_constant(kind, value, to) {
            return constant;
        }
        let op = core::Cast::new(self.ctx, kind, value, to);
        self.emit_value(op)
    }

    fn cast_constant(
        &mut self,
        kind: core::CastKind,
        value: Value,
        to: TypeHandle,
    ) -> Option<Value> {
        let constant = Operation::get_op::<core::Const>(value.defining_op()?, self.ctx)?;
        let old = core::int_width(self.ctx, value.get_type(self.ctx))?;
        let new = core::int_width(self.ctx, to)?;
        let signed = constant.value(self.ctx);
        let result = match kind {
            core::CastKind::Trunc | core::CastKind::SExt => signed,
            core::CastKind::ZExt if old < 128 => signed & ((1 << old) - 1),
            _ => return None,
        };
        Some(self.constant(new, result))
    }
}
