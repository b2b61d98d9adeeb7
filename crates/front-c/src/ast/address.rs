//! Address constants (C11 6.6): which object the initial value of a pointer leads to, and how far behind its beginning.
//!
//! ```text
//! &table[2].next      table, 2 * sizeof table[0] + the place of `next`
//! "text" + 1          the literal, 1
//! (char *)0           nothing
//! ```

use super::constant::integer;
use super::node::{CastKind, Flags, Kind, NodeId, Operator};
use super::types::{CType, Types};

/// A place in an object with static storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticAddress {
    /// The declaration of a variable, a string literal or a compound literal.
    pub object: NodeId,
    /// Bytes from its beginning.
    pub offset: i128,
}

/// The value of the pointer `expression`, if it leads into an object.
pub fn pointer(types: &mut Types<'_>, expression: NodeId) -> Option<StaticAddress> {
    let ast = types.ast();
    let node = ast.node(expression);
    let child = |index| ast.child(expression, index);
    match node.kind {
        Kind::ParenExpr | Kind::ConstantExpr => pointer(types, child(0)?),
        Kind::ImplicitCastExpr | Kind::CStyleCastExpr => match node.cast? {
            CastKind::ArrayToPointerDecay => object(types, child(0)?),
            CastKind::NoOp | CastKind::BitCast => pointer(types, child(0)?),
            _ => None,
        },
        Kind::UnaryOperator => match node.op? {
            // clang spells it as the binary operator.
            Operator::And => object(types, child(0)?),
            Operator::Extension => pointer(types, child(0)?),
            _ => None,
        },
        Kind::BinaryOperator => {
            let (left, right) = (child(0)?, child(1)?);
            let ty = types.of(expression).ok()?.ty;
            let target = types.pointee(ty)?.ty;
            let size = i128::from(types.size_of(target).ok()?);
            let (at, count) = match (node.op?, pointer(types, left)) {
                (Operator::Add, Some(at)) => (at, integer(types, right)?),
                (Operator::Sub, Some(at)) => (at, -integer(types, right)?),
                (Operator::Add, None) => (pointer(types, right)?, integer(types, left)?),
                _ => return None,
            };
            Some(at.behind(count * size))
        }
        Kind::ConditionalOperator => {
            let chosen = if integer(types, child(0)?)? != 0 {
                1
            } else {
                2
            };
            pointer(types, child(chosen)?)
        }
        _ => None,
    }
}

/// Where the object that `expression` names is.
fn object(types: &mut Types<'_>, expression: NodeId) -> Option<StaticAddress> {
    let ast = types.ast();
    let node = ast.node(expression);
    let child = |index| ast.child(expression, index);
    match node.kind {
        Kind::ParenExpr | Kind::ConstantExpr => object(types, child(0)?),
        Kind::StringLiteral | Kind::CompoundLiteralExpr => Some(StaticAddress {
            object: expression,
            offset: 0,
        }),
        Kind::PredefinedExpr => object(types, child(0)?),
        Kind::DeclRefExpr => {
            let declaration = ast.referenced(expression)?;
            let is_variable = ast.kind(declaration) == Kind::VarDecl;
            is_variable.then(|| StaticAddress {
                object: ast.canonical(declaration),
                offset: 0,
            })
        }
        Kind::ArraySubscriptExpr => {
            let (first, second) = (child(0)?, child(1)?);
            let (at, index) = match pointer(types, first) {
                Some(at) => (at, integer(types, second)?),
                None => (pointer(types, second)?, integer(types, first)?),
            };
            let ty = types.of(expression).ok()?.ty;
            let size = i128::from(types.size_of(ty).ok()?);
            Some(at.behind(index * size))
        }
        Kind::MemberExpr => {
            let field = ast.referenced(expression)?;
            let base = child(0)?;
            let base_type = types.of(base).ok()?.ty;
            let (at, record) = match node.has(Flags::ARROW) {
                true => (pointer(types, base)?, types.pointee(base_type)?.ty),
                false => (object(types, base)?, base_type),
            };
            let CType::Record(declaration) = *types.get(record) else {
                return None;
            };
            let layout = types.layout(declaration).ok()?;
            let mut fields = layout.record.fields.iter();
            let index = fields.position(|known| known.declaration == field)?;
            Some(at.behind(i128::from(layout.places[index].bit / 8)))
        }
        Kind::UnaryOperator => match node.op? {
            Operator::Mul => pointer(types, child(0)?),
            Operator::Extension => object(types, child(0)?),
            _ => None,
        },
        Kind::ImplicitCastExpr | Kind::CStyleCastExpr if node.cast == Some(CastKind::NoOp) => {
            object(types, child(0)?)
        }
        _ => None,
    }
}

impl StaticAddress {
    fn behind(self, bytes: i128) -> Self {
        StaticAddress {
            offset: self.offset + bytes,
            ..self
        }
    }
}
