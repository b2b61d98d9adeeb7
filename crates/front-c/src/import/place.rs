//! Expressions that name objects (lvalues), and the addresses of objects.

use super::functions::Module;
use super::state::{Result, Stop, Variable};
use crate::ast::node::{CastKind, Flags, Kind, NodeId, Operator};
use crate::ast::types::{CType, QualType, TypeId};
use accrue_dialects::acc::{DECLARE, Declare};
use accrue_dialects::core::{self, BinKind, INITIAL_VALUES};
use pliron::op::Op;
use pliron::r#type::Typed;
use pliron::value::Value;

/// An object that can be read and written.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// An object in memory.
    Memory {
        /// Its address; of its first element, if its type is a variable-length array.
        address: Value,
        /// Accesses must happen as written.
        volatile: bool,
    },
    /// A bit-field.
    Bits {
        /// Address of the record.
        record: Value,
        /// Its index in the record.
        field: u32,
        /// Its declared type.
        ty: TypeId,
    },
    /// A C11 `_Atomic` object ([`super::atomic_objects`]).
    Atomic {
        /// Its address.
        address: Value,
    },
}

impl Module<'_> {
    /// The object that `expression` names.
    pub fn place(&mut self, expression: NodeId) -> Result<Place> {
        let ast = self.source.ast;
        let node = ast.node(expression);
        match node.kind {
            Kind::ParenExpr | Kind::ConstantExpr => {
                let inner = self.child(expression, 0)?;
                self.place(inner)
            }
            Kind::UnaryOperator if node.op == Some(Operator::Extension) => {
                let inner = self.child(expression, 0)?;
                self.place(inner)
            }
            Kind::MemberExpr => self.member(expression),
            Kind::DeclRefExpr
            | Kind::ArraySubscriptExpr
            | Kind::UnaryOperator
            | Kind::StringLiteral
            | Kind::PredefinedExpr
            | Kind::CompoundLiteralExpr
            | Kind::GenericSelectionExpr
            | Kind::ImplicitCastExpr
            | Kind::CStyleCastExpr => {
                let ty = self
                    .types
                    .of(expression)
                    .map_err(|e| Stop::at(expression, e.to_string()))?;
                let address = self.address(expression)?;
                if ty.is_atomic {
                    return self.atomic_place(address, ty.ty, expression);
                }
                Ok(Place::Memory {
                    address,
                    volatile: ty.is_volatile,
                })
            }
            _ => Err(self.unsupported(expression)),
        }
    }

    fn is_volatile(&mut self, expression: NodeId) -> bool {
        self.types.of(expression).is_ok_and(|ty| ty.is_volatile)
    }

    /// The address of the object that `expression` names; it must not be a bit-field.
    pub fn address(&mut self, expression: NodeId) -> Result<Value> {
        let ast = self.source.ast;
        let node = ast.node(expression);
        match node.kind {
            Kind::DeclRefExpr => self.variable_address(expression),
            Kind::ArraySubscriptExpr => self.element_address(expression),
            Kind::UnaryOperator => match node.op {
                Some(Operator::Mul) => {
                    let pointer = self.child(expression, 0)?;
                    self.value(pointer)
                }
                Some(part @ (Operator::Real | Operator::Imag)) => {
                    self.part_address(expression, part == Operator::Imag)
                }
                Some(Operator::Extension) => self.address_by_place(expression),
                _ => Err(self.unsupported(expression)),
            },
            Kind::StringLiteral => self.string_address(expression),
            Kind::PredefinedExpr => {
                let inner = self.child(expression, 0)?;
                self.address(inner)
            }
            Kind::CompoundLiteralExpr => self.compound_literal(expression),
            Kind::GenericSelectionExpr => {
                let chosen = self.chosen_association(expression)?;
                self.address(chosen)
            }
            Kind::ImplicitCastExpr | Kind::CStyleCastExpr => match node.cast {
                Some(CastKind::NoOp) => {
                    let inner = self.child(expression, 0)?;
                    self.address(inner)
                }
                Some(CastKind::LValueBitCast) => {
                    let inner = self.child(expression, 0)?;
                    let address = self.address(inner)?;
                    let ty = self.ir_type_of(expression)?;
                    Ok(self.as_pointer_to(address, ty))
                }
                _ => self.object(expression),
            },
            _ => self.address_by_place(expression),
        }
    }

    fn address_by_place(&mut self, expression: NodeId) -> Result<Value> {
        match self.source.ast.kind(expression) {
            Kind::ParenExpr | Kind::ConstantExpr | Kind::UnaryOperator | Kind::MemberExpr => {
                match self.place(expression)? {
                    Place::Memory { address, .. } | Place::Atomic { address } => Ok(address),
                    Place::Bits { .. } => Err(Stop::at(expression, "a bit-field has no address")),
                }
            }
            _ => self.object(expression),
        }
    }

    /// `address` as a pointer to `ty`.
    pub fn as_pointer_to(&mut self, address: Value, ty: pliron::r#type::TypeHandle) -> Value {
        let pointer = core::pointer(self.ctx, ty);
        if address.get_type(self.ctx) == pointer {
            return address;
        }
        self.cast(core::CastKind::PtrCast, address, pointer)
    }

    fn variable_address(&mut self, expression: NodeId) -> Result<Value> {
        let ast = self.source.ast;
        let Some(declaration) = ast.referenced(expression) else {
            return Err(self.unsupported(expression));
        };
        if ast.node(declaration).has(Flags::THREAD) && self.on_device() {
            let name = ast.name(declaration);
            let text = format!("`{name}` is thread-local, which a device cannot reach");
            return Err(
                Stop::at(expression, text).help("copy it to a local variable before the region")
            );
        }
        if let Some(variable) = self.function.variables.get(&declaration) {
            return Ok(variable.address);
        }
        match ast.kind(declaration) {
            Kind::VarDecl if self.on_device() && self.is_threadprivate(ast.name(declaration)) => {
                let name = ast.name(declaration);
                let text = format!("`{name}` is threadprivate, which a device cannot reach");
                Err(Stop::at(expression, text)
                    .help("copy it to a local variable before the region")
                    .openmp("5.2"))
            }
            Kind::VarDecl => self.global_address(declaration, expression),
            Kind::FunctionDecl => self.function_address(declaration, expression),
            _ => Err(self.unsupported(expression)),
        }
    }

    /// Whether a directive of the host's compiler gives each of its threads a variable of this name.
    fn is_threadprivate(&self, name: &str) -> bool {
        let mut directives = self.source.unit.host_directives.iter();
        directives.any(|directive| {
            let mut words = directive
                .text
                .split(|c: char| !c.is_alphanumeric() && c != '_');
            words.next() == Some("threadprivate") && words.any(|word| word == name)
        })
    }

    /// The address of a variable with static storage.
    pub fn global_address(&mut self, declaration: NodeId, at: NodeId) -> Result<Value> {
        let ast = self.source.ast;
        let name = ast.name(declaration);
        let symbol = self.symbol_of(declaration, name, at)?;
        let ty = self.type_of(declaration)?;
        let ir = self.ir_type(ty, at)?;
        let pointer = core::pointer(self.ctx, ir);
        let user = self.user_variable(name, ty, at)?;
        let op = core::AddressOf::new(self.ctx, symbol, pointer, Some(user));
        if self.is_constant(declaration) {
            op.set_constant(self.ctx);
        }
        if let Some(known) = self.initial_values(declaration) {
            INITIAL_VALUES.set(self.ctx, op.get_operation(), known);
        }
        if let Some(&clause) = self.declared.get(&ast.canonical(declaration)) {
            DECLARE.set(self.ctx, op.get_operation(), Declare { clause });
        }
        Ok(self.emit_value(op))
    }

    /// The address of a function, as a number ([`super::pointer_calls`]).
    fn function_address(&mut self, declaration: NodeId, at: NodeId) -> Result<Value> {
        if self.on_device() {
            return self.host_address(declaration, at);
        }
        let symbol = self.symbol_of(declaration, self.source.ast.name(declaration), at)?;
        let void = core::VoidType::get(self.ctx).into();
        let pointer = core::pointer(self.ctx, void);
        let op = core::AddressOf::new(self.ctx, symbol, pointer, None);
        let address = self.emit_value(op);
        let number = core::int(self.ctx, 64);
        Ok(self.cast(core::CastKind::PtrToInt, address, number))
    }

    /// The operand of a subscript that is the pointer; C allows `2[a]`.
    pub fn subscript_base(&self, expression: NodeId) -> Option<NodeId> {
        self.subscript_operands(expression).map(|(base, _)| base)
    }

    fn subscript_operands(&self, expression: NodeId) -> Option<(NodeId, NodeId)> {
        let ast = self.source.ast;
        let (first, second) = (ast.child(expression, 0)?, ast.child(expression, 1)?);
        let text = |node: NodeId| {
            let ty = ast.node(node).ty;
            ast.text(if ty.desugared.is_some() {
                ty.desugared
            } else {
                ty.written
            })
        };
        // A pointer type is no plain word.
        let second_is_pointer = text(second).contains(['*', '[']);
        Some(if second_is_pointer {
            (second, first)
        } else {
            (first, second)
        })
    }

    fn element_address(&mut self, expression: NodeId) -> Result<Value> {
        let Some((base, index)) = self.subscript_operands(expression) else {
            return Err(self.unsupported(expression));
        };
        let pointer = self.value(base)?;
        let index_type = self.type_of(index)?;
        let index = self.value(index)?;
        self.offset(pointer, base, index, index_type, false)
    }

    /// `pointer + index` (`- index` when `back`), in elements of what the expression `base` points
    /// to.
    pub fn offset(
        &mut self,
        pointer: Value,
        base: NodeId,
        index: Value,
        index_type: TypeId,
        back: bool,
    ) -> Result<Value> {
        let base_type = self.type_of(base)?;
        let mut index = self.index_of(index, index_type);
        if self.types.is_variably_modified(base_type) {
            let dims = self.dims(base)?;
            if let Some(stride) = self.stride(&dims) {
                let wide = core::int(self.ctx, 64);
                if index.get_type(self.ctx) != wide {
                    index = self.cast(core::CastKind::SExt, index, wide);
                }
                index = self.binary(BinKind::MulS, index, stride);
            }
        }
        if back {
            let op = core::Un::new(self.ctx, core::UnKind::NegS, index);
            index = self.emit_value(op);
        }
        // GNU C counts `void *` in bytes.
        let old = pointer.get_type(self.ctx);
        let void = core::VoidType::get(self.ctx).into();
        let is_void = core::pointee(self.ctx, pointer) == Some(void);
        let byte = core::int(self.ctx, 8);
        let pointer = if is_void {
            self.as_pointer_to(pointer, byte)
        } else {
            pointer
        };
        let op = core::PtrAdd::new(self.ctx, pointer, index);
        let moved = self.emit_value(op);
        Ok(if is_void {
            self.cast(core::CastKind::PtrCast, moved, old)
        } else {
            moved
        })
    }

    fn part_address(&mut self, expression: NodeId, imaginary: bool) -> Result<Value> {
        let inner = self.child(expression, 0)?;
        let complex = self.address(inner)?;
        let part = self.ir_type_of(expression)?;
        let parts = self.as_pointer_to(complex, part);
        if !imaginary {
            return Ok(parts);
        }
        let one = self.constant(64, 1);
        let op = core::PtrAdd::new(self.ctx, parts, one);
        Ok(self.emit_value(op))
    }

    fn member(&mut self, expression: NodeId) -> Result<Place> {
        let ast = self.source.ast;
        let base = self.child(expression, 0)?;
        let Some(field) = ast.referenced(expression) else {
            return Err(self.unsupported(expression));
        };
        let base_type = self.type_of(base)?;
        let (record, record_type, volatile) = if ast.node(expression).has(Flags::ARROW) {
            let target = self
                .types
                .pointee(base_type)
                .unwrap_or(QualType::from(base_type));
            (self.value(base)?, target.ty, target.is_volatile)
        } else {
            (self.object(base)?, base_type, self.is_volatile(base))
        };
        let CType::Record(declaration) = *self.types.get(record_type) else {
            return Err(self.unsupported(expression));
        };
        let layout = self
            .types
            .layout(declaration)
            .map_err(|e| Stop::at(expression, e.to_string()))?;
        let found = layout
            .record
            .fields
            .iter()
            .position(|f| f.declaration == field);
        let Some(index) = found else {
            return Err(self.unsupported(expression));
        };
        let (index, ty, bits) = (
            index as u32,
            layout.record.fields[index].ty,
            layout.record.fields[index].bits,
        );
        // The pointer may have been made before the record was complete.
        let record_ir = self.ir_type(record_type, expression)?;
        let record = self.as_pointer_to(record, record_ir);
        if bits.is_some() {
            return Ok(Place::Bits {
                record,
                field: index,
                ty: ty.ty,
            });
        }
        let ir = self.ir_type(ty.ty, expression)?;
        let op = core::Member::new(self.ctx, record, index, ir);
        let address = self.emit_value(op);
        if ty.is_atomic {
            return self.atomic_place(address, ty.ty, expression);
        }
        Ok(Place::Memory {
            address,
            volatile: volatile || ty.is_volatile,
        })
    }

    /// Reads the scalar at a place.
    pub fn read(&mut self, place: Place, at: NodeId) -> Result<Value> {
        match place {
            Place::Memory { address, volatile } => {
                let scalar = core::pointee(self.ctx, address)
                    .is_some_and(|ty| core::is_scalar(self.ctx, ty));
                if !scalar {
                    return Err(self.unsupported(at));
                }
                Ok(self.load(address, volatile))
            }
            Place::Bits { record, field, ty } => {
                let ty = self.ir_type(ty, at)?;
                let op = core::LoadBits::new(self.ctx, record, field, ty);
                Ok(self.emit_value(op))
            }
            Place::Atomic { address } => Ok(self.atomic_read(address)),
        }
    }

    /// Writes a scalar of the place's type.
    pub fn write(&mut self, place: Place, value: Value) {
        match place {
            Place::Memory { address, volatile } => self.store(value, address, volatile),
            Place::Bits { record, field, .. } => {
                let op = core::StoreBits::new(self.ctx, value, record, field);
                self.emit(op);
            }
            Place::Atomic { address } => self.atomic_write(address, value),
        }
    }

    /// The address of an object that holds the record (or array) value of `expression`. It may be
    /// the object itself: who keeps it copies.
    pub fn object(&mut self, expression: NodeId) -> Result<Value> {
        let ast = self.source.ast;
        let node = ast.node(expression);
        match node.kind {
            Kind::ImplicitCastExpr | Kind::CStyleCastExpr => match node.cast {
                Some(CastKind::LValueToRValue | CastKind::NoOp) => {
                    let inner = self.child(expression, 0)?;
                    self.object(inner)
                }
                _ => Err(self.unsupported(expression)),
            },
            Kind::CallExpr => self.record_call(expression),
            Kind::InitListExpr | Kind::ImplicitValueInitExpr => {
                let ty = self.ir_type_of(expression)?;
                let temporary = self.temporary(ty);
                self.initialise(temporary, expression)?;
                Ok(temporary)
            }
            Kind::BinaryOperator if node.op == Some(Operator::Assign) => {
                let (left, right) = (self.child(expression, 0)?, self.child(expression, 1)?);
                let from = self.object(right)?;
                let to = self.address(left)?;
                let op = core::Copy::new(self.ctx, to, from);
                self.emit(op);
                Ok(to)
            }
            Kind::BinaryOperator if node.op == Some(Operator::Comma) => {
                let (left, right) = (self.child(expression, 0)?, self.child(expression, 1)?);
                self.discard(left)?;
                self.object(right)
            }
            Kind::ConditionalOperator => self.choose_object(expression),
            Kind::StmtExpr => self.statement_expression_object(expression),
            Kind::ParenExpr | Kind::ConstantExpr => {
                let inner = self.child(expression, 0)?;
                self.object(inner)
            }
            Kind::MemberExpr => match self.member(expression)? {
                Place::Memory { address, .. } | Place::Atomic { address } => Ok(address),
                Place::Bits { .. } => Err(self.unsupported(expression)),
            },
            Kind::DeclRefExpr
            | Kind::ArraySubscriptExpr
            | Kind::UnaryOperator
            | Kind::StringLiteral
            | Kind::PredefinedExpr
            | Kind::CompoundLiteralExpr
            | Kind::GenericSelectionExpr => self.address(expression),
            _ => Err(self.unsupported(expression)),
        }
    }

    /// The variable that `expression` names directly.
    pub fn named_variable(&self, expression: NodeId) -> Option<(NodeId, Option<&Variable>)> {
        let ast = self.source.ast;
        let inner = ast.strip_parens(expression);
        if ast.kind(inner) != Kind::DeclRefExpr {
            return None;
        }
        let declaration = ast.referenced(inner)?;
        Some((declaration, self.function.variables.get(&declaration)))
    }
}
