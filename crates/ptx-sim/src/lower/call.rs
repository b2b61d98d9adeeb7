//! Calls: of functions of the module, of functions through registers, of what the system provides.

use super::function::{Entity, FunctionLowering};
use crate::{
    LoadError,
    alu::{PredSrc, SINK, decode::Suffixes},
    ast::{Formal, Inst, Operand, Ty},
    program::{Actual, Builtin, Call, Callee, NO_GUARD, NO_PC, Op},
};

type Lowered<T> = Result<T, LoadError>;

/// `call.uni (result), function, (argument, …)`; through a register, a prototype follows.
pub fn lower(
    f: &mut FunctionLowering,
    inst: &Inst,
    guard: PredSrc,
    s: &mut Suffixes,
) -> Lowered<bool> {
    s.take("uni");
    let line = inst.line;
    let (results, rest) = match inst.operands.as_slice() {
        [Operand::List(results), rest @ ..] => (results.as_slice(), rest),
        rest => (&[][..], rest),
    };
    let [Operand::Name(name), rest @ ..] = rest else {
        return f.error(line, "expected a function");
    };
    let arguments = match rest.first() {
        Some(Operand::List(arguments)) => arguments.as_slice(),
        _ => &[],
    };
    let module = f.low.module;
    let formals = module
        .functions
        .iter()
        .find(|g| g.name == *name)
        .map(|g| (g.params.as_slice(), g.results.as_slice()));
    if let Some((params, formal_results)) = formals
        && (params.len() != arguments.len() || formal_results.len() != results.len())
    {
        return f.error(
            line,
            format!("call of `{name}` with a wrong number of arguments or results"),
        );
    }
    if module.functions.iter().any(|g| g.name == *name && g.entry) {
        return f.error(line, format!("`{name}` is a kernel"));
    }
    let callee = match f.low.reach.numbers.get(name) {
        Some(number) => Callee::Function(*number),
        None => match Builtin::named(name) {
            Some(builtin) => Callee::Builtin(builtin),
            None if name.starts_with('%') => {
                Callee::Indirect(f.value(&Operand::Name(name.clone()), Ty::B64, line)?)
            }
            None => return f.error(line, format!("call of `{name}`, which has no body here")),
        },
    };
    let mut call = Call {
        callee,
        arguments: Vec::new(),
        results: Vec::new(),
    };
    for (n, argument) in arguments.iter().enumerate() {
        let ty = formals
            .and_then(|(params, _)| params.get(n))
            .map(formal_type);
        call.arguments.push(argument_of(f, argument, ty, line)?);
    }
    for result in results {
        call.results.push(result_of(f, result, line)?);
    }
    // Lanes that the guard excludes go around the call.
    if guard != NO_GUARD {
        let after = format!("call at {}", f.here());
        f.emit_branch(
            guard.negate(),
            Op::Branch {
                target: 0,
                join: NO_PC,
            },
            vec![after.clone()],
            line,
        );
        f.emit(NO_GUARD, Op::Call(Box::new(call)), line);
        f.label_here(after);
    } else {
        f.emit(NO_GUARD, Op::Call(Box::new(call)), line);
    }
    Ok(true)
}

fn formal_type(formal: &Formal) -> Ty {
    match formal {
        Formal::Param(variable) => variable.ty,
        Formal::Register(_, ty) => *ty,
    }
}

fn argument_of(
    f: &mut FunctionLowering,
    operand: &Operand,
    ty: Option<Ty>,
    line: u32,
) -> Lowered<Actual> {
    if let Operand::Name(name) = operand
        && let Ok(entity) = f.entity(name, line)
    {
        match entity {
            Entity::Frame(offset, bytes, _) => return Ok(Actual::Frame(offset, bytes)),
            Entity::Pred(index) => return Ok(Actual::Pred(PredSrc::new(index, false))),
            Entity::Register(_, ty) => {
                return Ok(Actual::Value(f.value(operand, ty, line)?, ty.bytes()));
            }
            Entity::KernelParam(_) | Entity::Symbol(_) | Entity::Targets(_) => {}
        }
    }
    let ty = ty.unwrap_or(Ty::B64);
    Ok(Actual::Value(f.value(operand, ty, line)?, ty.bytes()))
}

fn result_of(f: &mut FunctionLowering, operand: &Operand, line: u32) -> Lowered<Actual> {
    match operand {
        Operand::Name(name) if name == "_" => Ok(Actual::Nowhere),
        Operand::Name(name) => match f.entity(name, line)? {
            Entity::Frame(offset, bytes, _) => Ok(Actual::Frame(offset, bytes)),
            Entity::Register(slot, _) if slot != SINK => Ok(Actual::Register(slot)),
            Entity::Pred(index) => Ok(Actual::PredRegister(index)),
            _ => f.error(line, format!("`{name}` cannot take a result")),
        },
        _ => f.error(line, "expected a name for the result"),
    }
}
