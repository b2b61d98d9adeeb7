//! Host code that is not understood, or was not read: `core.opaque` with the variables it mentions.

use super::functions::Module;
use super::state::{Result, Stop};
use crate::ast::carrier::unread;
use crate::ast::node::{Kind, NodeId};
use accrue_dialects::core;
use accrue_ir::walk;
use pliron::r#type::TypeHandle;
use pliron::value::Value;

impl Module<'_> {
    /// Host code that is not understood: reads, writes and passes on the variables it mentions.
    pub fn opaque(&mut self, node: NodeId, result: Option<Value>) {
        let ast = self.source.ast;
        let mut variables: Vec<Value> = result.into_iter().collect();
        let known = &self.function.variables;
        ast.walk(node, &mut |id| {
            if ast.kind(id) == Kind::DeclRefExpr
                && let Some(variable) = ast.referenced(id).and_then(|d| known.get(&d))
                && !variables.contains(&variable.address)
            {
                variables.push(variable.address);
            }
            true
        });
        let mut jumps = false;
        ast.walk(node, &mut |id| {
            jumps |= matches!(ast.kind(id), Kind::GotoStmt | Kind::IndirectGotoStmt);
            true
        });
        if jumps {
            let left = self.variables_of_scopes().into_iter();
            let left: Vec<_> = left.filter(|var| !variables.contains(var)).collect();
            variables.extend(left);
        }
        let op = core::Opaque::new(self.ctx, ast.kind_name(node), variables);
        let mut labels = false;
        ast.walk(node, &mut |id| {
            labels |= ast.kind(id) == Kind::LabelStmt;
            true
        });
        if labels {
            op.set_may_jump(self.ctx);
        }
        self.emit(op);
    }

    /// Host code that clang did not read: does anything to the variables with names among its words, and jumps anywhere.
    pub(super) fn left_out(
        &mut self,
        call: NodeId,
        number: usize,
        result: Option<Value>,
    ) -> Result<()> {
        if self.on_device() {
            return Err(Stop::at(call, "this could not be read"));
        }
        let ast = self.source.ast;
        let words = self.source.carriers.unread.get(number);
        let known = &self.function.variables;
        let mut mentioned: Vec<NodeId> = known.declarations().collect();
        mentioned.retain(|id| words.is_some_and(|words| words.contains(ast.name(*id))));
        mentioned.sort();
        let addresses = mentioned.iter().filter_map(|id| known.get(id));
        let addresses = addresses.map(|variable| variable.address);
        let mut variables: Vec<Value> = result.into_iter().collect();
        // A variable of a scope that has ended has the name of another one.
        variables.extend(addresses.filter(|address| self.is_in_scope(*address)));
        let op = core::Opaque::new(self.ctx, "unread", variables);
        op.set_may_jump(self.ctx);
        self.emit(op);
        Ok(())
    }

    /// Whether a variable is created in the region of the current block or around it.
    fn is_in_scope(&self, address: Value) -> bool {
        let ctx = &*self.ctx;
        let block = self.function.block.deref(ctx);
        let region = address
            .defining_op()
            .and_then(|op| op.deref(ctx).get_parent_region(ctx));
        region.is_some_and(|region| {
            block.get_parent_region() == Some(region)
                || block
                    .get_parent_op(ctx)
                    .is_some_and(|op| walk::is_inside(ctx, op, region))
        })
    }

    /// A value of type `ty` that host code computes in a way that is not understood.
    pub(super) fn opaque_value(&mut self, node: NodeId, ty: TypeHandle) -> Value {
        let temporary = self.temporary(ty);
        self.opaque(node, Some(temporary));
        self.load(temporary, false)
    }

    /// A condition or value that clang did not read.
    fn unread_value(&mut self, node: NodeId, ty: TypeHandle) -> Result<Option<Value>> {
        let Some(number) = unread(&mut self.types, node) else {
            return Ok(None);
        };
        let temporary = self.temporary(ty);
        self.left_out(node, number, Some(temporary))?;
        Ok(Some(self.load(temporary, false)))
    }

    /// A condition; on the host perhaps an opaque one.
    pub fn condition_or_opaque(&mut self, expression: NodeId) -> Result<Value> {
        let boolean = core::boolean(self.ctx);
        if let Some(value) = self.unread_value(expression, boolean)? {
            return Ok(value);
        }
        let mark = self.mark();
        match self.condition(expression) {
            Err(_) if !self.on_device() && !self.has_executable_directive(expression) => {
                self.roll_back(mark);
                Ok(self.opaque_value(expression, boolean))
            }
            other => other,
        }
    }

    /// A scalar value; on the host perhaps an opaque one.
    pub fn value_or_opaque(&mut self, expression: NodeId) -> Result<Value> {
        let ty = self.ir_type_of(expression)?;
        if let Some(value) = self.unread_value(expression, ty)? {
            return Ok(value);
        }
        let mark = self.mark();
        match self.value(expression) {
            Err(_) if !self.on_device() && !self.has_executable_directive(expression) => {
                self.roll_back(mark);
                Ok(self.opaque_value(expression, ty))
            }
            other => other,
        }
    }
}
