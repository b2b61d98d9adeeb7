//! The values of expressions.

use super::functions::Module;
use super::literals::float_text;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::constant;
use crate::ast::node::{CastKind, Flags, Kind, NodeId, Operator};
use crate::ast::types::CType;
use accrue_dialects::core::{self, CmpKind};
use pliron::value::Value;

impl Module<'_> {
    /// True where only what a device can run is allowed.
    pub fn on_device(&self) -> bool {
        self.function.strict || self.function.construct > 0
    }

    /// The `index`-th child, which the grammar of C says is there.
    pub fn child(&self, node: NodeId, index: usize) -> Result<NodeId> {
        let child = self.source.ast.child(node, index);
        child.ok_or_else(|| Stop::at(node, "this program part is incomplete"))
    }

    /// Says that `node` is of a kind that is not supported.
    pub fn unsupported(&self, node: NodeId) -> Stop {
        let ast = self.source.ast;
        let (what, help) = match ast.kind(node) {
            Kind::VAArgExpr => ("`va_arg`", "pass the arguments one by one, or in an array"),
            Kind::AddrLabelExpr => ("the address of a label", "use `switch`"),
            Kind::AtomicExpr => ("a C11 atomic operation", "use `#pragma acc atomic`"),
            Kind::ShuffleVectorExpr | Kind::ConvertVectorExpr | Kind::ExtVectorElementExpr => (
                "a vector operation",
                "use scalars; the vector loop does the rest",
            ),
            Kind::RecoveryExpr => (
                "this expression",
                "clang did not understand it; see its message",
            ),
            _ => {
                let kind = ast.kind_name(node);
                return Stop::at(
                    node,
                    format!("this is not supported in code for a device ({kind})"),
                )
                .help("move it out of the region");
            }
        };
        Stop::at(
            node,
            format!("{what} is not supported in code for a device"),
        )
        .help(help)
    }

    /// The scalar value of `expression`.
    pub fn value(&mut self, expression: NodeId) -> Result<Value> {
        let ast = self.source.ast;
        let node = ast.node(expression);
        if let Some(constant) = self.simple_constant(expression) {
            return Ok(constant);
        }
        match node.kind {
            Kind::ParenExpr => {
                let inner = self.child(expression, 0)?;
                self.value(inner)
            }
            Kind::ConstantExpr | Kind::IntegerLiteral | Kind::CharacterLiteral => {
                self.literal_or_inner(expression)
            }
            Kind::FloatingLiteral => {
                let ty = self.ir_type_of(expression)?;
                let op = core::FConst::new(self.ctx, ty, &float_text(ast.text(node.value)));
                Ok(self.emit_value(op))
            }
            Kind::ImaginaryLiteral => self.imaginary_literal(expression),
            Kind::DeclRefExpr => self.named_value(expression),
            Kind::ImplicitCastExpr | Kind::CStyleCastExpr => self.cast_value(expression),
            Kind::UnaryOperator => self.unary(expression),
            Kind::BinaryOperator => self.binary_operator(expression),
            Kind::CompoundAssignOperator => self.compound_assignment(expression),
            Kind::ConditionalOperator => self.conditional(expression),
            Kind::BinaryConditionalOperator => self.conditional_with_common(expression),
            Kind::OpaqueValueExpr => match self.function.common.last() {
                Some(value) => Ok(*value),
                None => Err(self.unsupported(expression)),
            },
            Kind::CallExpr => match self.call(expression)? {
                Some(value) => Ok(value),
                None => Err(Stop::at(expression, "this call has no value")),
            },
            Kind::UnaryExprOrTypeTraitExpr => self.size_or_alignment(expression),
            Kind::StmtExpr => match self.statement_expression(expression)? {
                Some(value) => Ok(value),
                None => Err(Stop::at(
                    expression,
                    "this statement expression has no value",
                )),
            },
            Kind::GenericSelectionExpr => {
                let chosen = self.chosen_association(expression)?;
                self.value(chosen)
            }
            Kind::ChooseExpr => {
                let condition = self.child(expression, 0)?;
                let first = constant::integer(&mut self.types, condition) != Some(0);
                let chosen = self.child(expression, if first { 1 } else { 2 })?;
                self.value(chosen)
            }
            Kind::ImplicitValueInitExpr => {
                let ty = self.type_of(expression)?;
                self.zero_of(ty, expression)
            }
            // `int x = {1};`
            Kind::InitListExpr => match ast.child(expression, 0) {
                Some(inner) => self.value(inner),
                None => {
                    let ty = self.type_of(expression)?;
                    self.zero_of(ty, expression)
                }
            },
            // A member of a record that is no object: `f().x`.
            Kind::MemberExpr | Kind::ArraySubscriptExpr => {
                let place = self.place(expression)?;
                self.read(place, expression)
            }
            _ => Err(self.unsupported(expression)),
        }
    }

    /// A literal with signs and conversions around it, as one constant.
    fn simple_constant(&mut self, expression: NodeId) -> Option<Value> {
        let ast = self.source.ast;
        let mut inner = expression;
        loop {
            let node = ast.node(inner);
            let transparent = match node.kind {
                Kind::ParenExpr => true,
                Kind::ImplicitCastExpr | Kind::CStyleCastExpr => {
                    node.cast == Some(CastKind::IntegralCast)
                }
                Kind::UnaryOperator => {
                    matches!(node.op, Some(Operator::Sub | Operator::Add | Operator::Not))
                }
                Kind::IntegerLiteral | Kind::CharacterLiteral => break,
                _ => false,
            };
            if !transparent {
                return None;
            }
            inner = ast.child(inner, 0)?;
        }
        let ty = self.type_of(expression).ok()?;
        let Some(Scalar::Int { bits, .. }) = self.scalar(ty) else {
            return None;
        };
        let value = constant::integer(&mut self.types, expression)?;
        Some(self.constant(bits, value))
    }

    /// Evaluates `expression` for what it does.
    pub fn discard(&mut self, expression: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let inner = ast.strip_parens(expression);
        let node = ast.node(inner);
        let ty = self.type_of(inner)?;
        match node.kind {
            Kind::CStyleCastExpr | Kind::ImplicitCastExpr
                if node.cast == Some(CastKind::ToVoid) =>
            {
                let operand = self.child(inner, 0)?;
                self.discard(operand)
            }
            Kind::CallExpr => {
                if self.is_record(ty) {
                    self.record_call(inner)?;
                } else {
                    self.call(inner)?;
                }
                Ok(())
            }
            Kind::ConditionalOperator if self.is_void(ty) => self.conditional_statement(inner),
            Kind::BinaryOperator if node.op == Some(Operator::Comma) => {
                let (left, right) = (self.child(inner, 0)?, self.child(inner, 1)?);
                self.discard(left)?;
                self.discard(right)
            }
            Kind::StmtExpr => {
                if self.is_record(ty) {
                    self.statement_expression_object(inner)?;
                } else {
                    self.statement_expression(inner)?;
                }
                Ok(())
            }
            _ if self.is_record(ty) => self.object(inner).map(|_| ()),
            // An object that is named and not used: nothing happens.
            _ if node.has(Flags::LVALUE)
                && !self.types.of(inner).is_ok_and(|ty| ty.is_volatile) =>
            {
                self.place(inner).map(|_| ())
            }
            _ => self.value(inner).map(|_| ()),
        }
    }

    /// `expression` as a condition.
    pub fn condition(&mut self, expression: NodeId) -> Result<Value> {
        let ast = self.source.ast;
        let inner = ast.strip_parens(expression);
        let node = ast.node(inner);
        match (node.kind, node.op) {
            (Kind::UnaryOperator, Some(Operator::LNot)) => {
                let operand = self.child(inner, 0)?;
                let below = ast.strip_parens(operand);
                if ast.kind(below) == Kind::UnaryOperator
                    && ast.node(below).op == Some(Operator::LNot)
                {
                    let twice = self.child(below, 0)?;
                    return self.condition(twice);
                }
                let value = self.condition(operand)?;
                let zero = self.constant(1, 0);
                Ok(self.compare(CmpKind::Eq, value, zero))
            }
            (Kind::BinaryOperator, Some(op)) if is_comparison(op) => self.comparison(inner),
            (Kind::BinaryOperator, Some(Operator::LAnd | Operator::LOr)) => self.logical(inner),
            _ => {
                let value = self.value(inner)?;
                Ok(self.truth_of(value))
            }
        }
    }

    /// Zero of a scalar type.
    pub fn zero_of(&mut self, ty: crate::ast::TypeId, at: NodeId) -> Result<Value> {
        let ir = self.ir_type(ty, at)?;
        match self.scalar(ty) {
            Some(Scalar::Bool) => Ok(self.constant(1, 0)),
            Some(Scalar::Int { bits, .. }) => Ok(self.constant(bits, 0)),
            Some(Scalar::Float(_)) => {
                let op = core::FConst::new(self.ctx, ir, "0.0");
                Ok(self.emit_value(op))
            }
            Some(Scalar::Complex(rank)) => {
                let part = self.float_type(rank);
                let op = core::FConst::new(self.ctx, part, "0.0");
                let zero = self.emit_value(op);
                let op = core::ComplexMake::new(self.ctx, ir, zero, zero);
                Ok(self.emit_value(op))
            }
            Some(Scalar::Pointer) => {
                let op = core::Null::new(self.ctx, ir);
                Ok(self.emit_value(op))
            }
            None => Err(self.unsupported(at)),
        }
    }

    /// A name that is a value: an enumeration constant or a function.
    fn named_value(&mut self, expression: NodeId) -> Result<Value> {
        let ast = self.source.ast;
        let Some(declaration) = ast.referenced(expression) else {
            return Err(self.unsupported(expression));
        };
        match ast.kind(declaration) {
            Kind::EnumConstantDecl => {
                if self.in_device_code() {
                    self.note_use(declaration);
                }
                let value = constant::enum_constant(&mut self.types, declaration);
                match (value, self.scalar_of(expression)?.1) {
                    (Some(value), Scalar::Int { bits, .. }) => Ok(self.constant(bits, value)),
                    _ => Err(self.unsupported(expression)),
                }
            }
            Kind::FunctionDecl => self.address(expression),
            _ => {
                let place = self.place(expression)?;
                self.read(place, expression)
            }
        }
    }

    fn cast_value(&mut self, expression: NodeId) -> Result<Value> {
        let ast = self.source.ast;
        let node = ast.node(expression);
        if node.kind == Kind::CStyleCastExpr
            && let Some(value) = self.atomic_value(expression)?
        {
            return Ok(value);
        }
        let inner = self.child(expression, 0)?;
        let Some(cast) = node.cast else {
            return Err(self.unsupported(expression));
        };
        match cast {
            CastKind::LValueToRValue => {
                let place = self.place(inner)?;
                self.read(place, expression)
            }
            CastKind::NoOp => {
                if ast.node(inner).has(Flags::LVALUE) && !node.has(Flags::LVALUE) {
                    return self.address(inner);
                }
                self.value(inner)
            }
            CastKind::ArrayToPointerDecay => self.decay(inner),
            CastKind::FunctionToPointerDecay | CastKind::BuiltinFnToFnPtr => self.address(inner),
            CastKind::NullToPointer => {
                let ty = self.type_of(expression)?;
                self.zero_of(ty, expression)
            }
            CastKind::AtomicToNonAtomic | CastKind::NonAtomicToAtomic => self.value(inner),
            CastKind::BooleanToSignedIntegral => {
                let (from, to) = (self.type_of(inner)?, self.type_of(expression)?);
                let value = self.value(inner)?;
                let positive = self.convert(value, from, to, expression)?;
                let op = core::Un::new(self.ctx, core::UnKind::Neg, positive);
                Ok(self.emit_value(op))
            }
            CastKind::BitCast
            | CastKind::LValueBitCast
            | CastKind::AddressSpaceConversion
            | CastKind::IntegralToPointer
            | CastKind::PointerToIntegral
            | CastKind::PointerToBoolean
            | CastKind::IntegralCast
            | CastKind::IntegralToBoolean
            | CastKind::IntegralToFloating
            | CastKind::FloatingToIntegral
            | CastKind::FloatingToBoolean
            | CastKind::FloatingCast
            | CastKind::FloatingRealToComplex
            | CastKind::FloatingComplexToReal
            | CastKind::FloatingComplexToBoolean
            | CastKind::FloatingComplexCast => {
                if let Some(literal) = self.narrowed_literal(inner, expression)? {
                    return Ok(literal);
                }
                let (from, to) = (self.type_of(inner)?, self.type_of(expression)?);
                let value = self.value(inner)?;
                self.convert(value, from, to, expression)
            }
            CastKind::ToVoid
            | CastKind::ToUnion
            | CastKind::VectorSplat
            | CastKind::Dependent
            | CastKind::FloatingComplexToIntegralComplex
            | CastKind::IntegralRealToComplex
            | CastKind::IntegralComplexToReal
            | CastKind::IntegralComplexToBoolean
            | CastKind::IntegralComplexCast
            | CastKind::IntegralComplexToFloatingComplex
            | CastKind::Other(_) => {
                let name = cast.name(|name| self.source.ast.text(name));
                let message =
                    format!("this conversion is not supported in code for a device ({name})");
                Err(Stop::at(expression, message).help("move it out of the region"))
            }
        }
    }

    /// An array as a pointer to its first element.
    fn decay(&mut self, array: NodeId) -> Result<Value> {
        let ty = self.type_of(array)?;
        let address = self.object(array)?;
        if self.types.is_variably_modified(ty)
            || !matches!(self.types.get(ty), CType::Array { .. })
            || self.source.ast.kind(self.source.ast.strip_parens(array)) == Kind::StringLiteral
        {
            return Ok(address);
        }
        match core::Decay::new(self.ctx, address) {
            Some(op) => Ok(self.emit_value(op)),
            None => Ok(address),
        }
    }

    fn size_or_alignment(&mut self, expression: NodeId) -> Result<Value> {
        if let Ok(ty) = constant::measured_type(&mut self.types, expression) {
            self.note_type(ty);
        }
        if let Some(bytes) = constant::size_or_alignment(&mut self.types, expression) {
            return Ok(self.constant(64, bytes));
        }
        // `sizeof` of a variable-length array: the number of elements times their size.
        let ast = self.source.ast;
        let operand = ast.child(expression, 0);
        let Some(operand) = operand.filter(|_| !ast.node(expression).other_ty.written.is_some())
        else {
            // The user wrote no `sizeof`: the text side made one of an `offsetof`.
            let begin = ast.node(expression).begin as usize;
            let what = match self.source.carriers.is_generated(begin) {
                true => "an index in this `offsetof` is not constant",
                false => "the size of this type is not constant",
            };
            return Err(Stop::at(expression, what).help("compute it before the region"));
        };
        let mut element = self.type_of(operand)?;
        let dims = self.dims(operand)?;
        while self.types.is_variably_modified(element) {
            match self.types.pointee(element) {
                Some(inner) => element = inner.ty,
                None => return Err(self.unsupported(expression)),
            }
        }
        let bytes = self
            .types
            .size_of(element)
            .map_err(|e| Stop::at(expression, e.to_string()))?;
        let count = self.element_count(&dims);
        let size = self.constant(64, i128::from(bytes));
        Ok(self.binary(core::BinKind::Mul, count, size))
    }

    /// The expression that `_Generic` chose.
    pub fn chosen_association(&mut self, expression: NodeId) -> Result<NodeId> {
        let ast = self.source.ast;
        let chosen = ast
            .children(expression)
            .find(|child| ast.node(*child).has(Flags::SELECTED));
        let value = chosen.and_then(|chosen| {
            ast.children(chosen)
                .find(|child| crate::ast::tree::is_expression(ast.kind(*child)))
        });
        value.ok_or_else(|| self.unsupported(expression))
    }
}

/// True for the six comparisons.
pub fn is_comparison(op: Operator) -> bool {
    matches!(
        op,
        Operator::Lt | Operator::Gt | Operator::Le | Operator::Ge | Operator::Eq | Operator::Ne
    )
}
