//! Variable-length arrays.
//!
//! Problem: `double a[n][m]` has a type whose size is known at run time only, and clang gives the
//! lengths as text. In IR such an array is a pointer to its first element of constant size, and
//! subscripts multiply out:
//!
//! ```text
//! double a[n][m]; a[i][j]      %a: ptr<f64>, address %a + (i * m) + j
//! double (*p)[m]; p[i][j]      the same, from the pointer's value
//! int b[n][10];                %b: ptr<array<10 x i32>>
//! ```
//!
//! A length has the value it had at the declaration. Where that value cannot be used (inside a
//! compute construct, for an array of outside), `core.extent` of the variable stands for it.
//! Dimension 0 is the outermost; of a pointer it is the pointer's own, which has no length.

use super::functions::Module;
use super::state::{Result, Stop};
use crate::ast::node::{CastKind, Kind, NodeId, Operator};
use crate::ast::types::{ArrayLength, CType, IntRank, TypeId};
use accrue_dialects::core::{self, BinKind};
use pliron::value::Value;

/// One dimension of a variably modified type.
#[derive(Clone, Copy, Debug)]
pub enum Dim {
    /// A pointer's own dimension, or `[]`.
    Open,
    /// A constant length.
    Fixed(u64),
    /// A length computed at the declaration, as `i64`.
    Known(Value),
    /// A length of the variable at that address, by dimension.
    Extent(Value, u32),
}

impl Module<'_> {
    /// The dimensions of a variably modified variable at its declaration; empty for other types.
    pub fn declared_dims(&mut self, declaration: NodeId) -> Result<Vec<Dim>> {
        let ty = self.type_of(declaration)?;
        if !self.types.is_variably_modified(ty) {
            return Ok(Vec::new());
        }
        self.dims_of_type(ty, declaration)
    }

    /// The dimensions that the text of a type says, evaluated here.
    fn dims_of_type(&mut self, ty: TypeId, at: NodeId) -> Result<Vec<Dim>> {
        let mut dims = Vec::new();
        let mut next = ty;
        while self.types.is_variably_modified(next) {
            let (dim, inner) = match self.types.get(next).clone() {
                CType::Pointer(target) => (Dim::Open, target.ty),
                CType::Array { element, length } => {
                    let dim = match length {
                        ArrayLength::Fixed(length) => Dim::Fixed(length),
                        ArrayLength::Unknown => Dim::Open,
                        ArrayLength::Variable(text) => {
                            let text = self.types.length_text(text).to_owned();
                            self.length(&text, at)?
                        }
                    };
                    (dim, element.ty)
                }
                _ => return Err(Stop::at(at, "this variable-length type is not supported")),
            };
            dims.push(dim);
            next = inner;
        }
        Ok(dims)
    }

    /// The value of a length expression, given as text. On the host an expression that is not
    /// understood is left open: nothing there depends on it.
    fn length(&mut self, text: &str, at: NodeId) -> Result<Dim> {
        if text == "*" {
            return Ok(Dim::Open);
        }
        let mut parser = Length {
            module: self,
            rest: text,
            at,
        };
        match parser.sum() {
            Some(value) if parser.rest.trim().is_empty() => Ok(Dim::Known(value)),
            _ if self.function.strict || self.function.construct > 0 => Err(Stop::at(
                at,
                format!("the array length `{text}` is too complicated for a device"),
            )
            .help("compute it into an integer variable before the declaration")),
            _ => Ok(Dim::Open),
        }
    }

    /// The dimensions of an expression of variably modified type, outermost first.
    pub fn dims(&mut self, expression: NodeId) -> Result<Vec<Dim>> {
        let ast = self.source.ast;
        let node = ast.node(expression);
        let inner = ast.child(expression, 0);
        match node.kind {
            Kind::DeclRefExpr => {
                let variable = ast
                    .referenced(expression)
                    .and_then(|declaration| self.function.variables.get(&declaration))
                    .cloned();
                let Some(variable) = variable else {
                    return Err(Stop::at(
                        expression,
                        "this variable-length array is not supported",
                    ));
                };
                let here = variable.construct == self.function.construct;
                Ok(variable
                    .dims
                    .iter()
                    .enumerate()
                    .map(|(index, dim)| match dim {
                        Dim::Known(value) if here => Dim::Known(*value),
                        Dim::Fixed(length) => Dim::Fixed(*length),
                        Dim::Known(_) | Dim::Open | Dim::Extent(..) => {
                            Dim::Extent(variable.address, index as u32)
                        }
                    })
                    .collect())
            }
            Kind::ParenExpr | Kind::ConstantExpr => self.dims_of_child(expression, inner),
            Kind::ImplicitCastExpr | Kind::CStyleCastExpr => match node.cast {
                Some(CastKind::LValueToRValue | CastKind::ArrayToPointerDecay | CastKind::NoOp) => {
                    self.dims_of_child(expression, inner)
                }
                _ => {
                    let ty = self.type_of(expression)?;
                    self.dims_of_type(ty, expression)
                }
            },
            Kind::ArraySubscriptExpr => {
                let dims = self.dims_of_child(expression, self.subscript_base(expression))?;
                Ok(dims.get(1..).unwrap_or_default().to_vec())
            }
            Kind::UnaryOperator if node.op == Some(Operator::Mul) => {
                let dims = self.dims_of_child(expression, inner)?;
                Ok(dims.get(1..).unwrap_or_default().to_vec())
            }
            Kind::UnaryOperator if node.op == Some(Operator::And) => {
                let mut dims = self.dims_of_child(expression, inner)?;
                dims.insert(0, Dim::Open);
                Ok(dims)
            }
            Kind::BinaryOperator => {
                let pointer = self.pointer_operand(expression)?;
                self.dims_of_child(expression, pointer)
            }
            Kind::ConditionalOperator => self.dims_of_child(expression, ast.child(expression, 1)),
            _ => {
                let ty = self.type_of(expression)?;
                self.dims_of_type(ty, expression)
            }
        }
    }

    fn dims_of_child(&mut self, at: NodeId, child: Option<NodeId>) -> Result<Vec<Dim>> {
        match child {
            Some(child) => self.dims(child),
            None => Err(Stop::at(at, "this expression is incomplete")),
        }
    }

    /// The operand of `pointer + integer` that is the pointer.
    fn pointer_operand(&mut self, expression: NodeId) -> Result<Option<NodeId>> {
        let ast = self.source.ast;
        for operand in ast.children(expression) {
            let ty = self.type_of(operand)?;
            if matches!(self.types.get(ty), CType::Pointer(_)) {
                return Ok(Some(operand));
            }
        }
        Ok(None)
    }

    /// How many IR elements lie between neighbours along the first of `dims`; `None` for one.
    pub fn stride(&mut self, dims: &[Dim]) -> Option<Value> {
        let mut stride: Option<Value> = None;
        for dim in dims.get(1..).unwrap_or_default() {
            let length = self.dim_value(*dim);
            stride = Some(match stride {
                Some(stride) => self.binary(BinKind::MulS, stride, length),
                None => length,
            });
        }
        stride
    }

    /// The number of IR elements of an array with these dimensions.
    pub fn element_count(&mut self, dims: &[Dim]) -> Value {
        let mut count = match dims.first() {
            Some(dim) => self.dim_value(*dim),
            None => self.constant(64, 1),
        };
        if let Some(stride) = self.stride(dims) {
            count = self.binary(BinKind::MulS, count, stride);
        }
        count
    }

    /// The length of a dimension as `i64`; 1 for an open one, which is never multiplied by.
    fn dim_value(&mut self, dim: Dim) -> Value {
        match dim {
            Dim::Open => self.constant(64, 1),
            Dim::Fixed(length) => self.constant(64, i128::from(length)),
            Dim::Known(value) => value,
            Dim::Extent(variable, index) => {
                let op = core::Extent::new(self.ctx, variable, index);
                self.emit_value(op)
            }
        }
    }
}

/// Evaluates the text of an array length: integers, variables, `+ - * / %`, parentheses.
struct Length<'m, 'a, 't> {
    module: &'m mut Module<'a>,
    rest: &'t str,
    at: NodeId,
}

impl Length<'_, '_, '_> {
    fn eat(&mut self, symbol: char) -> bool {
        match self.rest.trim_start().strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<Value> {
        let mut left = self.product()?;
        loop {
            let kind = if self.eat('+') {
                BinKind::AddS
            } else if self.eat('-') {
                BinKind::SubS
            } else {
                return Some(left);
            };
            let right = self.product()?;
            left = self.module.binary(kind, left, right);
        }
    }

    fn product(&mut self) -> Option<Value> {
        let mut left = self.factor()?;
        loop {
            let kind = if self.eat('*') {
                BinKind::MulS
            } else if self.eat('/') {
                BinKind::DivS
            } else if self.eat('%') {
                BinKind::RemS
            } else {
                return Some(left);
            };
            let right = self.factor()?;
            left = self.module.binary(kind, left, right);
        }
    }

    fn factor(&mut self) -> Option<Value> {
        if self.eat('(') {
            // A conversion between integer types changes no length that makes sense.
            for name in [
                "int)",
                "long)",
                "unsigned long)",
                "size_t)",
                "unsigned int)",
            ] {
                if let Some(rest) = self.rest.trim_start().strip_prefix(name) {
                    self.rest = rest;
                    return self.factor();
                }
            }
            let value = self.sum()?;
            return self.eat(')').then_some(value);
        }
        let rest = self.rest.trim_start();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        self.rest = behind;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
            let value: i64 = digits.parse().ok()?;
            return Some(self.module.constant(64, i128::from(value)));
        }
        self.variable(word)
    }

    /// The value of the integer variable `name`.
    fn variable(&mut self, name: &str) -> Option<Value> {
        let ast = self.module.source.ast;
        let at = ast.node(self.at).at;
        // The last declaration before this place is the one meant, inner scopes being closed since.
        let declaration = self
            .module
            .function
            .variables
            .declarations()
            .filter(|declaration| ast.name(*declaration) == name)
            .filter(|declaration| {
                let is_parameter = ast.kind(*declaration) == Kind::ParmVarDecl;
                is_parameter || ast.node(*declaration).at <= at
            })
            .max_by_key(|declaration| ast.node(*declaration).at);
        let (address, ty) = match declaration {
            Some(declaration) => {
                let variable = self.module.function.variables.get(&declaration)?;
                (variable.address, variable.ty.ty)
            }
            None => self.module.global_by_name(name)?,
        };
        match self.module.scalar(ty)? {
            super::types::Scalar::Int { .. } => {}
            super::types::Scalar::Bool
            | super::types::Scalar::Float(_)
            | super::types::Scalar::Complex(_)
            | super::types::Scalar::Pointer => return None,
        }
        let value = self.module.load(address, false);
        Some(self.module.widen_index(value, ty))
    }
}

impl Module<'_> {
    /// Address and type of a file-scope variable.
    fn global_by_name(&mut self, name: &str) -> Option<(Value, TypeId)> {
        let ast = self.source.ast;
        let declaration = ast
            .children(ast.root())
            .find(|id| ast.kind(*id) == Kind::VarDecl && ast.name(*id) == name)?;
        let ty = self.type_of(declaration).ok()?;
        let address = self.global_address(declaration, declaration).ok()?;
        Some((address, ty))
    }

    /// The type `size_t`, in which lengths are counted.
    pub fn size_type(&mut self) -> TypeId {
        self.types.intern(CType::Int {
            rank: IntRank::Long,
            signed: false,
        })
    }
}
