//! Declarations in functions: a variable is a `core.alloca`, its initialiser stores into it.

use super::functions::Module;
use super::state::{Result, Stop, Variable};
use crate::ast::node::{CastKind, Flags, Kind, NodeId, Operator};
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
        if self.on_device()
            && ast
                .children(declaration)
                .any(|child| ast.kind(child) == Kind::CleanupAttr)
        {
            let text = format!(
                "`{name}` has the attribute `cleanup`, which code for a device cannot have"
            );
            return Err(Stop::at(declaration, text)
                .help("call the function where the variable's block ends"));
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
        let address = match node.has(Flags::STATIC) && self.on_device() {
            true => self.at_home(self.function.homes.iteration, op),
            false => self.emit_value(op),
        };
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

    /// A static variable that is never written may be a local one as well, where nobody has its address behind the end of the function
    /// ([`Module::no_address_of_static`]) or the iteration.
    fn is_constant_table(&mut self, declaration: NodeId) -> bool {
        self.is_constant(declaration) && self.source.ast.initialiser(declaration).is_some()
    }

    /// Refuses what a function gives back if it has the address of a static variable of its own, which is a local one here.
    pub(super) fn no_address_of_static(&mut self, expression: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let mut open = vec![expression];
        while let Some(at) = open.pop() {
            let Ok(ty) = self.type_of(at) else {
                continue;
            };
            if !matches!(
                self.types.get(ty),
                CType::Pointer(_) | CType::Array { .. } | CType::Record(_)
            ) {
                continue;
            }
            let inner = ast.strip_implicit(at);
            let addressed = match ast.kind(at) {
                Kind::UnaryOperator if ast.node(at).op == Some(Operator::And) => {
                    let mut place = ast.child(at, 0);
                    while let Some(up) = place.filter(|place| self.own_static(*place).is_none()) {
                        place = ast.child(up, 0);
                    }
                    place
                }
                Kind::ImplicitCastExpr
                    if ast.node(at).cast == Some(CastKind::ArrayToPointerDecay) =>
                {
                    Some(inner)
                }
                // An element is loaded.
                Kind::ArraySubscriptExpr => {
                    open.extend(ast.child(at, 1));
                    continue;
                }
                _ => None,
            };
            if let Some(declaration) = addressed.and_then(|place| self.own_static(place)) {
                let text = format!(
                    "the address of `{}`, which is static in a function for a device, is given back",
                    ast.name(declaration)
                );
                return Err(Stop::at(at, text).help("declare it outside of the function"));
            }
            open.extend(ast.children(at));
        }
        Ok(())
    }

    /// The static variable of this function that an expression names.
    fn own_static(&self, expression: NodeId) -> Option<NodeId> {
        let declaration = self.source.ast.referenced(expression)?;
        let is_own = self.function.variables.get(&declaration).is_some();
        let is_static = self.source.ast.node(declaration).has(Flags::STATIC);
        (is_own && is_static).then_some(declaration)
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
        let is_static = ast.node(declaration).has(Flags::STATIC);
        if is_static && !self.on_device() && !self.is_constant_table(declaration) {
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
