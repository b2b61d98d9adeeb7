//! Declarations in functions: a variable is a `core.alloca`, its initialiser stores into it.

use super::functions::Module;
use super::state::{Result, Stop, Variable};
use crate::ast::node::{Flags, Kind, NodeId};
use crate::ast::types::CType;
use accrue_dialects::core;

impl Module<'_> {
    /// A declaration statement.
    pub fn declarations(&mut self, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        for declaration in ast.children(statement) {
            if ast.kind(declaration) == Kind::VarDecl {
                self.locate(declaration);
                self.declare(declaration)?;
                self.initialise_variable(declaration)?;
            }
        }
        Ok(())
    }

    /// Initialises the variables of a declaration statement, which exist already.
    pub fn initialise_all(&mut self, statement: NodeId) {
        let ast = self.source.ast;
        for declaration in ast.children(statement) {
            if ast.kind(declaration) == Kind::VarDecl
                && let Err(stop) = self.initialise_variable(declaration)
            {
                self.report(stop);
            }
        }
    }

    /// Creates the variables of a declaration statement without initialising them.
    pub fn declare_all(&mut self, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        for declaration in ast.children(statement) {
            if ast.kind(declaration) == Kind::VarDecl {
                self.declare(declaration)?;
            }
        }
        Ok(())
    }

    /// Creates a variable.
    fn declare(&mut self, declaration: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let node = ast.node(declaration);
        if node.has(Flags::EXTERN) {
            return Ok(());
        }
        let name = ast.name(declaration);
        let ty = self
            .types
            .of(declaration)
            .map_err(|e| Stop::at(declaration, e.to_string()))?;
        if node.has(Flags::STATIC) && self.on_device() && !self.is_constant_table(declaration) {
            return Err(Stop::at(
                declaration,
                format!("`{name}` is static, which code for a device cannot have"),
            )
            .help("declare it outside of the region, or make it `const` with an initialiser"));
        }
        let ir = self.ir_type(ty.ty, declaration)?;
        let dims = self.declared_dims(declaration)?;
        let user = Some(self.user_variable(name, ty.ty, declaration)?);
        let is_array = matches!(self.types.get(ty.ty), CType::Array { .. });
        let op = if is_array && !dims.is_empty() {
            let count = self.element_count(&dims);
            core::Alloca::dynamic(self.ctx, ir, count, user)
        } else {
            core::Alloca::new(self.ctx, ir, user)
        };
        if self.is_constant(declaration) {
            op.set_constant(self.ctx);
        }
        let address = self.emit_value(op);
        let construct = self.function.construct;
        let variable = Variable {
            address,
            ty,
            dims,
            construct,
        };
        self.function.variables.insert(declaration, variable);
        Ok(())
    }

    /// A static variable that is never written may be a local one as well.
    fn is_constant_table(&mut self, declaration: NodeId) -> bool {
        self.is_constant(declaration) && self.source.ast.initialiser(declaration).is_some()
    }

    /// Whether a variable, or each element of an array, is `const`.
    pub fn is_constant(&mut self, declaration: NodeId) -> bool {
        let Ok(mut ty) = self.types.of(declaration) else {
            return false;
        };
        let mut is_const = ty.is_const;
        while let CType::Array { element, .. } = self.types.get(ty.ty) {
            ty = *element;
            is_const |= ty.is_const;
        }
        is_const
    }

    fn initialise_variable(&mut self, declaration: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let Some(variable) = self.function.variables.get(&declaration).cloned() else {
            return Ok(());
        };
        if ast.node(declaration).has(Flags::STATIC) && !self.on_device() {
            // It has the value that the last call left.
            self.opaque(declaration, Some(variable.address));
            return Ok(());
        }
        let Some(initialiser) = ast.initialiser(declaration) else {
            return Ok(());
        };
        let mark = self.mark();
        let initialised = match ast.kind(initialiser) {
            Kind::InitListExpr => self.initialise(variable.address, initialiser),
            _ => self.full_expression(initialiser, |this| {
                this.initialise(variable.address, initialiser)
            }),
        };
        match initialised {
            Err(_) if !self.on_device() && !self.has_executable_directive(initialiser) => {
                self.roll_back(mark);
                self.opaque(declaration, Some(variable.address));
                Ok(())
            }
            other => other,
        }
    }
}
