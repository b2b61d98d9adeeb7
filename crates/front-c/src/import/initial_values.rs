//! The numbers of constant variables of the file.
//!
//! ```text
//! static const double weights[2][3] = {{1, 2}, {0.5, -1e3f}};
//!     →      0 is 1.0, 1 is 2.0, 2 is 0.0, 3 is 0.5, 4 is -1000.0, 5 is 0.0
//! ```
//! Where a kernel loads one at a known place, the number need not be loaded: a table is as good as a macro for each of its elements.
//! What no literal says, perhaps with a sign or a conversion, is left out, and so are structs.
//!
//! Cost: each element of a table of at most [`MOST_NUMBERS`] is looked at once.

use super::functions::Module;
use super::literals::float_text;
use crate::ast::constant;
use crate::ast::node::{CastKind, Kind, NodeId, Operator};
use crate::ast::types::{ArrayLength, CType, FloatRank, TypeId};
use accrue_dialects::core::{InitialValue, InitialValues};

/// Longer tables are for indices that only a run knows.
const MOST_NUMBERS: u64 = 256;

impl Module<'_> {
    /// What a variable of the file holds for the whole program; nothing if it is no constant one of numbers.
    pub(super) fn initial_values(&mut self, declaration: NodeId) -> Option<InitialValues> {
        let declaration = self.source.ast.canonical(declaration);
        if let Some(known) = self.initial_values.get(&declaration) {
            return known.clone();
        }
        let known = self.numbers_of(declaration);
        self.initial_values.insert(declaration, known.clone());
        known
    }

    fn numbers_of(&mut self, declaration: NodeId) -> Option<InitialValues> {
        let ty = self.types.of(declaration).ok()?;
        if !self.is_constant(declaration) || ty.is_volatile || self.has_volatile_elements(ty.ty) {
            return None;
        }
        // Another file may define it anew, any of its declarations says so.
        if self.is_weak(declaration) {
            return None;
        }
        let initialiser = self.static_initialiser(declaration)?;
        self.numbers_in(ty.ty).filter(|all| *all <= MOST_NUMBERS)?;
        let mut found = vec![];
        self.find_numbers(initialiser, ty.ty, 0, &mut found)?;
        (!found.is_empty()).then_some(InitialValues(found))
    }

    fn is_weak(&self, variable: NodeId) -> bool {
        let ast = self.source.ast;
        ast.children(ast.root())
            .filter(|declaration| {
                ast.kind(*declaration) == Kind::VarDecl && ast.canonical(*declaration) == variable
            })
            .any(|declaration| {
                ast.children(declaration)
                    .any(|child| ast.kind(child) == Kind::WeakAttr)
            })
    }

    /// How many numbers are in a type; nothing if there is something else.
    fn numbers_in(&self, ty: TypeId) -> Option<u64> {
        match self.types.get(ty) {
            CType::Array {
                element,
                length: ArrayLength::Fixed(length),
            } => self.numbers_in(element.ty)?.checked_mul(*length),
            CType::Bool | CType::Int { .. } | CType::Enum(_) => Some(1),
            CType::Float(FloatRank::Float | FloatRank::Double) => Some(1),
            _ => None,
        }
    }

    fn has_volatile_elements(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Array { element, .. } => {
                element.is_volatile || self.has_volatile_elements(element.ty)
            }
            _ => false,
        }
    }

    fn find_numbers(
        &mut self,
        initialiser: NodeId,
        ty: TypeId,
        first: u64,
        found: &mut Vec<InitialValue>,
    ) -> Option<()> {
        let ast = self.source.ast;
        let initialiser = ast.strip_parens(initialiser);
        let all = self.numbers_in(ty)?;
        if let CType::Array { element, .. } = *self.types.get(ty) {
            let each = self.numbers_in(element.ty)?;
            if ast.kind(initialiser) == Kind::ImplicitValueInitExpr {
                return self.find_zeros(ty, first..first + all, found);
            }
            if ast.kind(initialiser) != Kind::InitListExpr {
                return None;
            }
            let items = self.items_of(initialiser);
            for (index, item) in (0..).zip(&items) {
                self.find_numbers(*item, element.ty, first + index * each, found)?;
            }
            let given = first + items.len() as u64 * each;
            return self.find_zeros(ty, given..first + all, found);
        }
        if ast.kind(initialiser) == Kind::ImplicitValueInitExpr {
            return self.find_zeros(ty, first..first + 1, found);
        }
        let value = match self.types.get(ty) {
            CType::Float(rank) => {
                let rank = *rank;
                self.float_number(initialiser, rank)
                    .map(|number| text_of(number, rank))
            }
            _ => constant::integer(&mut self.types, initialiser).map(|number| number.to_string()),
        };
        found.extend(value.map(|value| InitialValue {
            number: first,
            value,
        }));
        Some(())
    }

    /// Elements without an initialiser.
    fn find_zeros(
        &self,
        mut ty: TypeId,
        numbers: std::ops::Range<u64>,
        found: &mut Vec<InitialValue>,
    ) -> Option<()> {
        while let CType::Array { element, .. } = self.types.get(ty) {
            ty = element.ty;
        }
        let value = match self.types.get(ty) {
            CType::Float(rank) => text_of(0.0, *rank),
            _ => "0".to_string(),
        };
        found.extend(numbers.map(|number| InitialValue {
            number,
            value: value.clone(),
        }));
        Some(())
    }

    /// The number of type `rank` that a literal is, with signs and conversions.
    fn float_number(&mut self, expression: NodeId, rank: FloatRank) -> Option<f64> {
        let ast = self.source.ast;
        let expression = ast.strip_parens(expression);
        let node = ast.node(expression);
        let number = match node.kind {
            Kind::FloatingLiteral => float_text(ast.text(node.value)).parse().ok()?,
            Kind::UnaryOperator => {
                let inner = self.float_number(ast.child(expression, 0)?, rank)?;
                match node.op? {
                    Operator::Sub => -inner,
                    Operator::Add => inner,
                    _ => return None,
                }
            }
            Kind::ImplicitCastExpr | Kind::CStyleCastExpr => {
                let inner = ast.child(expression, 0)?;
                match node.cast? {
                    CastKind::IntegralToFloating => {
                        let number = constant::integer(&mut self.types, inner)?;
                        let exact = number.unsigned_abs() <= 1 << 24;
                        exact.then_some(number as f64)?
                    }
                    CastKind::FloatingCast => {
                        let from = self.types.of(inner).ok()?;
                        let CType::Float(from) = *self.types.get(from.ty) else {
                            return None;
                        };
                        self.float_number(inner, from)?
                    }
                    CastKind::NoOp => self.float_number(inner, rank)?,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let number = match rank {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the conversion is the program's"
            )]
            FloatRank::Float => f64::from(number as f32),
            FloatRank::Double => number,
            _ => return None,
        };
        number.is_finite().then_some(number)
    }
}

/// A constant's text.
fn text_of(number: f64, rank: FloatRank) -> String {
    match rank {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is a number of this type"
        )]
        FloatRank::Float => format!("{:?}", number as f32),
        _ => format!("{number:?}"),
    }
}
