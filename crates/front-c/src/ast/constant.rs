//! Integer constant expressions: bit-field widths, enumeration constants, case labels, alignments.
//!
//! clang gives the value of most of them (`ConstantExpr`); the rest is computed here with the types
//! the tree says, wrapping where C leaves it open.

use std::collections::HashMap;

use super::node::{CastKind, Kind, NodeId, Operator};
use super::tree::Ast;
use super::types::{CType, TypeError, TypeId, Types};

/// The value of `expression` if it is an integer constant expression.
pub fn integer(types: &mut Types<'_>, expression: NodeId) -> Option<i128> {
    let ast = types.ast;
    let node = ast.node(expression);
    let value = match node.kind {
        Kind::IntegerLiteral | Kind::CharacterLiteral => ast.text(node.value).parse().ok()?,
        Kind::ConstantExpr => match ast.text(node.value).parse() {
            Ok(value) => value,
            Err(_) => integer(types, ast.child(expression, 0)?)?,
        },
        Kind::ParenExpr => integer(types, ast.child(expression, 0)?)?,
        Kind::ImplicitCastExpr | Kind::CStyleCastExpr => match node.cast? {
            CastKind::IntegralCast
            | CastKind::NoOp
            | CastKind::LValueToRValue
            | CastKind::BooleanToSignedIntegral => integer(types, ast.child(expression, 0)?)?,
            CastKind::IntegralToBoolean => {
                i128::from(integer(types, ast.child(expression, 0)?)? != 0)
            }
            _ => return None,
        },
        Kind::UnaryOperator => {
            let operand = integer(types, ast.child(expression, 0)?)?;
            match node.op? {
                Operator::Add | Operator::Extension => operand,
                Operator::Sub => operand.wrapping_neg(),
                Operator::Not => !operand,
                Operator::LNot => i128::from(operand == 0),
                _ => return None,
            }
        }
        Kind::BinaryOperator => {
            let left = integer(types, ast.child(expression, 0)?)?;
            let right = integer(types, ast.child(expression, 1)?)?;
            binary(node.op?, left, right)?
        }
        Kind::ConditionalOperator => {
            let condition = integer(types, ast.child(expression, 0)?)?;
            integer(
                types,
                ast.child(expression, if condition != 0 { 1 } else { 2 })?,
            )?
        }
        Kind::UnaryExprOrTypeTraitExpr => size_or_alignment(types, expression)?,
        Kind::DeclRefExpr => {
            let declaration = ast.referenced(expression)?;
            match ast.kind(declaration) {
                Kind::EnumConstantDecl => enum_constant(types, declaration)?,
                _ => return None,
            }
        }
        _ => return None,
    };
    let ty = types.of(expression).ok()?;
    Some(wrap(types, ty.ty, value))
}

fn binary(op: Operator, left: i128, right: i128) -> Option<i128> {
    let shift = || u32::try_from(right).ok().filter(|bits| *bits < 127);
    Some(match op {
        Operator::Mul => left.wrapping_mul(right),
        Operator::Div => left.checked_div(right)?,
        Operator::Rem => left.checked_rem(right)?,
        Operator::Add => left.wrapping_add(right),
        Operator::Sub => left.wrapping_sub(right),
        Operator::Shl => left.wrapping_shl(shift()?),
        Operator::Shr => left >> shift()?,
        Operator::Lt => i128::from(left < right),
        Operator::Gt => i128::from(left > right),
        Operator::Le => i128::from(left <= right),
        Operator::Ge => i128::from(left >= right),
        Operator::Eq => i128::from(left == right),
        Operator::Ne => i128::from(left != right),
        Operator::And => left & right,
        Operator::Xor => left ^ right,
        Operator::Or => left | right,
        Operator::LAnd => i128::from(left != 0 && right != 0),
        Operator::LOr => i128::from(left != 0 || right != 0),
        _ => return None,
    })
}

/// `value` as the integer type `ty` holds it.
fn wrap(types: &Types<'_>, ty: TypeId, value: i128) -> i128 {
    let CType::Int { rank, signed } = types.get(ty) else {
        return value;
    };
    let unused = 128 - super::layout::int_bits(*rank);
    match signed {
        true => value << unused >> unused,
        false => ((value as u128) << unused >> unused) as i128,
    }
}

/// The value of `sizeof` or `_Alignof`, where constant.
pub fn size_or_alignment(types: &mut Types<'_>, expression: NodeId) -> Option<i128> {
    let ty = measured_type(types, expression).ok()?;
    let bytes = match types.ast.text(types.ast.node(expression).name) {
        "sizeof" => types.size_of(ty).ok()?,
        "alignof" | "_Alignof" | "__alignof" => alignment(types, expression, ty)?,
        _ => return None,
    };
    Some(i128::from(bytes))
}

/// The type whose size or alignment is asked for: a type that is written, or an expression's.
pub fn measured_type(types: &mut Types<'_>, expression: NodeId) -> Result<TypeId, TypeError> {
    let ast = types.ast;
    let ty = match ast.child(expression, 0) {
        Some(operand) if !ast.node(expression).other_ty.written.is_some() => types.of(operand),
        Some(_) | None => types.other_of(expression),
    };
    Ok(ty?.ty)
}

/// The alignment of a type, or of a variable or member.
fn alignment(types: &mut Types<'_>, expression: NodeId, ty: TypeId) -> Option<u64> {
    let ast = types.ast;
    let node = ast.node(expression);
    let written = node.other_ty.written;
    let by_typedef = match written.is_some() {
        true => types.alignment_by_typedef(written, node.at),
        false => None,
    };
    let operand = ast.child(expression, 0).map(|it| ast.strip_parens(it));
    let operand = operand.filter(|_| !written.is_some());
    let declared = operand.and_then(|operand| match ast.kind(operand) {
        Kind::DeclRefExpr | Kind::MemberExpr => ast.referenced(operand),
        _ => None,
    });
    match (by_typedef, declared) {
        (Some(asked), _) => Some(asked),
        (None, Some(declaration)) => types.alignment_of_declared(declaration).ok(),
        (None, None) => types.align_of(ty).ok(),
    }
}

/// The value of an enumeration constant.
pub fn enum_constant(types: &mut Types<'_>, declaration: NodeId) -> Option<i128> {
    if types.enum_constants.is_none() {
        let values = all_enum_constants(types.ast);
        types.enum_constants = Some(values);
    }
    types.enum_constants.as_ref()?.get(&declaration).copied()
}

/// Values of all enumeration constants: as given, else one more than the one before.
fn all_enum_constants(ast: &Ast) -> HashMap<NodeId, i128> {
    let mut values = HashMap::new();
    ast.walk(ast.root(), &mut |id| {
        if ast.kind(id) == Kind::EnumDecl {
            let mut next = 0;
            for constant in ast
                .children(id)
                .filter(|c| ast.kind(*c) == Kind::EnumConstantDecl)
            {
                next = explicit_value(ast, constant).unwrap_or(next);
                values.insert(constant, next);
                next += 1;
            }
        }
        true
    });
    values
}

/// The value after `=`, which clang has computed.
fn explicit_value(ast: &Ast, constant: NodeId) -> Option<i128> {
    let mut below = ast.children(constant).next();
    while let Some(id) = below {
        if ast.kind(id) == Kind::ConstantExpr {
            return ast.text(ast.node(id).value).parse().ok();
        }
        below = ast.child(id, 0);
    }
    None
}
