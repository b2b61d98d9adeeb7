//! Operators: unary, binary, assignments. Those with branches are in [`super::conditional`].

use super::atomic_form::{Change, Update};
use super::expr::is_comparison;
use super::functions::Module;
use super::place::Place;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::node::{Flags, Kind, NodeId, Operator};
use crate::ast::types::TypeId;
use accrue_dialects::core::{self, BinKind, CmpKind, UnKind};
use pliron::r#type::Typed;
use pliron::value::Value;

impl Module<'_> {
    /// The value of a unary operator.
    pub fn unary(&mut self, expression: NodeId) -> Result<Value> {
        let node = self.source.ast.node(expression);
        let operand = self.child(expression, 0)?;
        let Some(op) = node.op else {
            return Err(self.unsupported(expression));
        };
        match op {
            Operator::Add | Operator::Extension => self.value(operand),
            Operator::Sub => {
                let (_, scalar) = self.scalar_of(operand)?;
                let value = self.value(operand)?;
                let kind = match scalar {
                    Scalar::Int { signed: true, .. } => UnKind::NegS,
                    Scalar::Bool | Scalar::Int { signed: false, .. } => UnKind::Neg,
                    Scalar::Float(_) | Scalar::Complex(_) => UnKind::FNeg,
                    Scalar::Pointer => return Err(self.unsupported(expression)),
                };
                let op = core::Un::new(self.ctx, kind, value);
                Ok(self.emit_value(op))
            }
            Operator::Not => {
                let (_, scalar) = self.scalar_of(operand)?;
                let value = self.value(operand)?;
                let kind = match scalar {
                    Scalar::Complex(_) => UnKind::Conj,
                    Scalar::Bool | Scalar::Int { .. } => UnKind::Not,
                    Scalar::Float(_) | Scalar::Pointer => return Err(self.unsupported(expression)),
                };
                let op = core::Un::new(self.ctx, kind, value);
                Ok(self.emit_value(op))
            }
            Operator::LNot => {
                let condition = self.condition(expression)?;
                self.condition_as_int(condition, expression)
            }
            Operator::And => self.address(operand),
            Operator::Mul if self.names_function(expression) => self.value(operand),
            Operator::Mul => {
                let place = self.place(expression)?;
                self.read(place, expression)
            }
            Operator::Real | Operator::Imag => self.part(expression, op == Operator::Imag),
            Operator::Inc | Operator::Dec => self.step(
                expression,
                operand,
                op == Operator::Inc,
                node.has(Flags::POSTFIX),
            ),
            _ => Err(self.unsupported(expression)),
        }
    }

    /// Whether an expression names a function: `*f` of a pointer to one.
    fn names_function(&mut self, expression: NodeId) -> bool {
        self.type_of(expression)
            .is_ok_and(|ty| self.is_function(ty))
    }

    /// `__real` and `__imag` of a value.
    fn part(&mut self, expression: NodeId, imaginary: bool) -> Result<Value> {
        let operand = self.child(expression, 0)?;
        if self.source.ast.node(expression).has(Flags::LVALUE) {
            let place = self.place(expression)?;
            return self.read(place, expression);
        }
        let value = self.value(operand)?;
        let part = match imaginary {
            false => core::Real::new(self.ctx, value).map(|op| self.emit_value(op)),
            true => core::Imag::new(self.ctx, value).map(|op| self.emit_value(op)),
        };
        match part {
            Some(part) => Ok(part),
            None if imaginary => {
                let ty = self.type_of(operand)?;
                self.zero_of(ty, expression)
            }
            None => Ok(value),
        }
    }

    /// `++` and `--`.
    fn step(&mut self, at: NodeId, operand: NodeId, up: bool, postfix: bool) -> Result<Value> {
        let place = self.place(operand)?;
        if let Place::Atomic { address } = place {
            let change = Change::Step { at, up };
            return self.atomic_change(address, Update { x: operand, change }, postfix);
        }
        let old = self.read(place, operand)?;
        let new = self.stepped(at, operand, old, up)?;
        self.write(place, new);
        Ok(if postfix {
            old
        } else {
            self.written(place, new, operand)?
        })
    }

    /// What `++` or `--` makes of the value `old` of `operand`.
    pub fn stepped(&mut self, at: NodeId, operand: NodeId, old: Value, up: bool) -> Result<Value> {
        let (ty, scalar) = self.scalar_of(operand)?;
        Ok(match scalar {
            Scalar::Pointer => {
                let one = self.constant(64, 1);
                let long = self.size_type();
                self.offset(old, operand, one, long, !up)?
            }
            // `b++` makes true, `b--` turns over.
            Scalar::Bool => {
                let one = self.constant(1, 1);
                self.binary(if up { BinKind::Or } else { BinKind::Xor }, old, one)
            }
            Scalar::Int { bits, signed } => {
                let one = self.constant(bits, 1);
                // Types narrower than `int` are computed in `int` and cut off.
                let wraps = !signed || bits < 32;
                let kind = match (up, wraps) {
                    (true, true) => BinKind::Add,
                    (true, false) => BinKind::AddS,
                    (false, true) => BinKind::Sub,
                    (false, false) => BinKind::SubS,
                };
                self.binary(kind, old, one)
            }
            Scalar::Float(rank) | Scalar::Complex(rank) => {
                let part = self.float_type(rank);
                let op = core::FConst::new(self.ctx, part, "1.0");
                let mut one = self.emit_value(op);
                if matches!(scalar, Scalar::Complex(_)) {
                    let ir = self.ir_type(ty, at)?;
                    one = self.cast(core::CastKind::RealToComplex, one, ir);
                }
                self.binary(if up { BinKind::FAdd } else { BinKind::FSub }, old, one)
            }
        })
    }

    /// The value an assignment has: what the object holds afterwards.
    fn written(&mut self, place: Place, value: Value, at: NodeId) -> Result<Value> {
        match place {
            Place::Memory { .. } | Place::Atomic { .. } => Ok(value),
            Place::Bits { .. } => self.read(place, at),
        }
    }

    /// The value of a binary operator.
    pub fn binary_operator(&mut self, expression: NodeId) -> Result<Value> {
        let node = self.source.ast.node(expression);
        let (left, right) = (self.child(expression, 0)?, self.child(expression, 1)?);
        let Some(op) = node.op else {
            return Err(self.unsupported(expression));
        };
        match op {
            Operator::Assign => {
                let place = self.place(left)?;
                let value = self.value(right)?;
                let value = match place {
                    Place::Memory { address, .. } | Place::Atomic { address } => {
                        self.fit(value, address, left)?
                    }
                    Place::Bits { .. } => value,
                };
                self.write(place, value);
                self.written(place, value, left)
            }
            Operator::Comma => {
                self.discard(left)?;
                self.value(right)
            }
            Operator::LAnd | Operator::LOr => {
                let condition = self.logical(expression)?;
                self.condition_as_int(condition, expression)
            }
            op if is_comparison(op) => {
                let condition = self.comparison(expression)?;
                self.condition_as_int(condition, expression)
            }
            Operator::Add | Operator::Sub => {
                let (left_type, left_scalar) = self.scalar_of(left)?;
                let (right_type, right_scalar) = self.scalar_of(right)?;
                match (left_scalar, right_scalar) {
                    (Scalar::Pointer, Scalar::Pointer) => {
                        self.pointer_difference(expression, left, right)
                    }
                    (Scalar::Pointer, _) => {
                        let pointer = self.value(left)?;
                        let index = self.value(right)?;
                        self.offset(pointer, left, index, right_type, op == Operator::Sub)
                    }
                    (_, Scalar::Pointer) => {
                        let index = self.value(left)?;
                        let pointer = self.value(right)?;
                        self.offset(pointer, right, index, left_type, false)
                    }
                    _ => self.arithmetic_operator(expression, op, left, right),
                }
            }
            _ => self.arithmetic_operator(expression, op, left, right),
        }
    }

    /// Pointers are assigned between compatible types that may differ in IR.
    pub fn fit(&mut self, value: Value, address: Value, at: NodeId) -> Result<Value> {
        match core::pointee(self.ctx, address) {
            Some(wanted) if wanted != value.get_type(self.ctx) => {
                let pointers = core::pointee_of(self.ctx, wanted).is_some()
                    && core::pointee(self.ctx, value).is_some();
                match pointers {
                    true => Ok(self.cast(core::CastKind::PtrCast, value, wanted)),
                    false => Err(self.unsupported(at)),
                }
            }
            _ => Ok(value),
        }
    }

    fn arithmetic_operator(
        &mut self,
        expression: NodeId,
        op: Operator,
        left: NodeId,
        right: NodeId,
    ) -> Result<Value> {
        let ty = self.type_of(expression)?;
        let (left_type, right_type) = (self.type_of(left)?, self.type_of(right)?);
        let real = self.real_side(left, right)?;
        let left = self.value(left)?;
        let right = self.value(right)?;
        // A real operand of a complex operation keeps its type in newer versions of clang.
        let left = self.convert(left, left_type, ty, expression)?;
        let right = match op {
            Operator::Shl | Operator::Shr => right,
            _ => self.convert(right, right_type, ty, expression)?,
        };
        let mixed = real.and_then(|side| self.mixed(op, side, left, right));
        match mixed {
            Some(value) => Ok(value),
            None => self.arithmetic(expression, op, ty, left, right, right_type),
        }
    }

    /// `left op right` computed in `ty`; of a shift the right side keeps its own type.
    pub fn arithmetic(
        &mut self,
        at: NodeId,
        op: Operator,
        ty: TypeId,
        left: Value,
        right: Value,
        right_type: TypeId,
    ) -> Result<Value> {
        let Some(scalar) = self.scalar(ty) else {
            return Err(self.unsupported(at));
        };
        let kind = match scalar {
            Scalar::Float(_) | Scalar::Complex(_) => match op {
                Operator::Add => BinKind::FAdd,
                Operator::Sub => BinKind::FSub,
                Operator::Mul => BinKind::FMul,
                Operator::Div => BinKind::FDiv,
                _ => return Err(self.unsupported(at)),
            },
            Scalar::Bool => int_kind(op, false).ok_or_else(|| self.unsupported(at))?,
            Scalar::Int { signed, .. } => {
                int_kind(op, signed).ok_or_else(|| self.unsupported(at))?
            }
            Scalar::Pointer => return Err(self.unsupported(at)),
        };
        let right = match op {
            Operator::Shl | Operator::Shr => self.convert(right, right_type, ty, at)?,
            _ => right,
        };
        Ok(self.binary(kind, left, right))
    }

    fn pointer_difference(&mut self, at: NodeId, left: NodeId, right: NodeId) -> Result<Value> {
        let end = self.value(left)?;
        let start = self.value(right)?;
        let start = match core::pointee(self.ctx, end) {
            Some(to) => self.as_pointer_to(start, to),
            None => start,
        };
        let op = core::PtrDiff::new(self.ctx, end, start);
        let mut difference = self.emit_value(op);
        let ty = self.type_of(left)?;
        if self.types.is_variably_modified(ty) {
            let dims = self.dims(left)?;
            if let Some(stride) = self.stride(&dims) {
                difference = self.binary(BinKind::DivS, difference, stride);
            }
        }
        let wanted = self.ir_type_of(at)?;
        if difference.get_type(self.ctx) != wanted {
            return Err(self.unsupported(at));
        }
        Ok(difference)
    }

    /// One of `< > <= >= == !=` as a condition.
    pub fn comparison(&mut self, expression: NodeId) -> Result<Value> {
        let (left, right) = (self.child(expression, 0)?, self.child(expression, 1)?);
        let (left, right) = (self.value(left)?, self.value(right)?);
        self.compared(expression, left, right)
    }

    /// The same for the values of its operands.
    pub(super) fn compared(
        &mut self,
        expression: NodeId,
        mut left_value: Value,
        mut right_value: Value,
    ) -> Result<Value> {
        let op = self.source.ast.node(expression).op;
        let (left, right) = (self.child(expression, 0)?, self.child(expression, 1)?);
        let (left_type, left_scalar) = self.scalar_of(left)?;
        let (right_type, right_scalar) = self.scalar_of(right)?;
        if matches!(left_scalar, Scalar::Complex(_)) {
            right_value = self.convert(right_value, right_type, left_type, expression)?;
        } else if matches!(right_scalar, Scalar::Complex(_)) {
            left_value = self.convert(left_value, left_type, right_type, expression)?;
        } else if left_scalar == Scalar::Pointer
            && let Some(to) = core::pointee(self.ctx, left_value)
        {
            right_value = self.as_pointer_to(right_value, to);
        }
        let kind = op.and_then(|op| match left_scalar {
            Scalar::Float(_) | Scalar::Complex(_) => float_comparison(op),
            Scalar::Int { signed: true, .. } => signed_comparison(op),
            Scalar::Bool | Scalar::Int { signed: false, .. } | Scalar::Pointer => {
                unsigned_comparison(op)
            }
        });
        match kind {
            Some(kind) => Ok(self.compare(kind, left_value, right_value)),
            None => Err(self.unsupported(expression)),
        }
    }

    /// `a op= b`.
    pub fn compound_assignment(&mut self, expression: NodeId) -> Result<Value> {
        let (left, right) = (self.child(expression, 0)?, self.child(expression, 1)?);
        if self.is_atomic(left) {
            let place = self.place(left)?;
            if let Place::Atomic { address } = place {
                let change = Change::Compound(expression);
                return self.atomic_change(address, Update { x: left, change }, false);
            }
        }
        let right = self.value(right)?;
        let place = self.place(left)?;
        let old = self.read(place, left)?;
        let new = self.compounded(expression, old, right)?;
        self.write(place, new);
        self.written(place, new, left)
    }

    /// What the compound assignment `expression` makes of the value `old` of its left side.
    pub fn compounded(
        &mut self,
        expression: NodeId,
        old: Value,
        right_value: Value,
    ) -> Result<Value> {
        let op = self.source.ast.node(expression).op;
        let Some(op) = op.and_then(Operator::of_compound_assignment) else {
            return Err(self.unsupported(expression));
        };
        let (left, right) = (self.child(expression, 0)?, self.child(expression, 1)?);
        let (left_type, left_scalar) = self.scalar_of(left)?;
        let right_type = self.type_of(right)?;
        Ok(if left_scalar == Scalar::Pointer {
            self.offset(old, left, right_value, right_type, op == Operator::Sub)?
        } else {
            let in_type = self
                .types
                .other_of(expression)
                .map_err(|error| Stop::at(expression, error.to_string()))?
                .ty;
            let is_shift = matches!(op, Operator::Shl | Operator::Shr);
            // A complex right side makes the computation complex, whatever the left side's type.
            let in_type = match self.scalar(right_type) {
                Some(Scalar::Complex(_)) => right_type,
                _ => in_type,
            };
            let old = self.convert(old, left_type, in_type, expression)?;
            let right_value = match is_shift {
                true => right_value,
                false => self.convert(right_value, right_type, in_type, expression)?,
            };
            let real = self.real_side(left, right)?;
            let mixed = real.and_then(|side| self.mixed(op, side, old, right_value));
            let new = match mixed {
                Some(value) => value,
                None => self.arithmetic(expression, op, in_type, old, right_value, right_type)?,
            };
            self.convert(new, in_type, left_type, expression)?
        })
    }

    /// True when `expression` modifies the variable `declaration` itself.
    pub fn modifies(&self, expression: NodeId, declaration: NodeId) -> bool {
        let ast = self.source.ast;
        let node = ast.node(expression);
        let changes = match node.kind {
            Kind::CompoundAssignOperator => true,
            Kind::BinaryOperator => node.op == Some(Operator::Assign),
            Kind::UnaryOperator => {
                matches!(node.op, Some(Operator::Inc | Operator::Dec | Operator::And))
            }
            _ => false,
        };
        changes
            && ast
                .child(expression, 0)
                .and_then(|target| self.named_variable(target))
                .is_some_and(|(named, _)| named == declaration)
    }
}

fn int_kind(op: Operator, signed: bool) -> Option<BinKind> {
    Some(match (op, signed) {
        (Operator::Add, true) => BinKind::AddS,
        (Operator::Add, false) => BinKind::Add,
        (Operator::Sub, true) => BinKind::SubS,
        (Operator::Sub, false) => BinKind::Sub,
        (Operator::Mul, true) => BinKind::MulS,
        (Operator::Mul, false) => BinKind::Mul,
        (Operator::Div, true) => BinKind::DivS,
        (Operator::Div, false) => BinKind::DivU,
        (Operator::Rem, true) => BinKind::RemS,
        (Operator::Rem, false) => BinKind::RemU,
        (Operator::Shl, _) => BinKind::Shl,
        (Operator::Shr, true) => BinKind::ShrS,
        (Operator::Shr, false) => BinKind::ShrU,
        (Operator::And, _) => BinKind::And,
        (Operator::Or, _) => BinKind::Or,
        (Operator::Xor, _) => BinKind::Xor,
        _ => return None,
    })
}

fn signed_comparison(op: Operator) -> Option<CmpKind> {
    Some(match op {
        Operator::Lt => CmpKind::LtS,
        Operator::Gt => CmpKind::GtS,
        Operator::Le => CmpKind::LeS,
        Operator::Ge => CmpKind::GeS,
        Operator::Eq => CmpKind::Eq,
        Operator::Ne => CmpKind::Ne,
        _ => return None,
    })
}

fn unsigned_comparison(op: Operator) -> Option<CmpKind> {
    Some(match op {
        Operator::Lt => CmpKind::LtU,
        Operator::Gt => CmpKind::GtU,
        Operator::Le => CmpKind::LeU,
        Operator::Ge => CmpKind::GeU,
        Operator::Eq => CmpKind::Eq,
        Operator::Ne => CmpKind::Ne,
        _ => return None,
    })
}

fn float_comparison(op: Operator) -> Option<CmpKind> {
    Some(match op {
        Operator::Lt => CmpKind::FLt,
        Operator::Gt => CmpKind::FGt,
        Operator::Le => CmpKind::FLe,
        Operator::Ge => CmpKind::FGe,
        Operator::Eq => CmpKind::FEq,
        Operator::Ne => CmpKind::FNe,
        _ => return None,
    })
}
