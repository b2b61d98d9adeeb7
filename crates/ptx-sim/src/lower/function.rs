//! One function: names in scopes, statements in order, labels.

use super::{Lowering, flow, instruction, reach};
use crate::{
    LoadError, Place, Space,
    alu::{PredSrc, SINK, Src},
    ast::{Formal, Operand, Stmt, Ty, Variable},
    memory::CODE,
    program::{Clock, Function, Home, Inst, LOCAL_START, NO_GUARD, NO_PC, Op, SPECIAL},
};
use std::collections::HashMap;

/// Registers of one function; more is taken for a damaged text.
const MAX_REGISTERS: u64 = 1 << 20;
const MAX_FRAME: u64 = 1 << 20;

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Entity {
    Register(u32, Ty),
    Pred(u32),
    /// `.local` variable, parameter or argument: offset in the frame, size.
    Frame(u32, u32, Space),
    /// Parameter of the kernel: offset in the parameter buffer.
    KernelParam(u32),
    /// A variable at a fixed address of its space.
    Symbol(u64),
    Targets(Vec<String>),
}

#[derive(Default)]
struct Scope {
    names: HashMap<String, Entity>,
    /// `%r<9>`: type and count by the common part of the names.
    families: HashMap<String, (Ty, u64)>,
}

pub struct FunctionLowering<'l, 'm> {
    pub low: &'l mut Lowering<'m>,
    scopes: Vec<Scope>,
    pub name: String,
    registers: u32,
    preds: u32,
    frame: u64,
    labels: HashMap<String, u32>,
    /// Instructions whose targets are labels not seen yet.
    pending: Vec<(u32, Vec<String>, u32)>,
    loc: Option<(String, u32)>,
    index: usize,
    shared_ordinal: u32,
}

type Lowered<T> = Result<T, LoadError>;

/// Lowers `module.functions[index]` and appends its code.
pub fn lower(low: &mut Lowering, index: usize) -> Lowered<Function> {
    let module = low.module;
    let function = &module.functions[index];
    let entry = low.code.len() as u32;
    let mut f = FunctionLowering {
        low,
        scopes: vec![Scope::default()],
        name: function.name.clone(),
        registers: 0,
        preds: 0,
        frame: u64::from(if function.entry { LOCAL_START } else { 0 }),
        labels: HashMap::new(),
        pending: Vec::new(),
        loc: None,
        index,
        shared_ordinal: 0,
    };
    let (params, results) = if function.entry {
        f.kernel_params(&function.params)?;
        (Vec::new(), Vec::new())
    } else {
        (
            f.formals(&function.params, function.line)?,
            f.formals(&function.results, function.line)?,
        )
    };
    f.statements(function.body.as_deref().unwrap_or_default())?;
    // Falling off the end returns.
    f.emit(NO_GUARD, Op::Return, function.line);
    f.resolve_labels()?;
    let (registers, preds) = (f.registers, f.preds);
    let frame = f.frame.next_multiple_of(16) as u32;
    flow::set_joins(&mut low.code[entry as usize..], entry);
    Ok(Function {
        name: function.name.clone(),
        address: function_address(index),
        entry,
        registers,
        preds,
        frame,
        params,
        results,
    })
}

/// Offsets of a kernel's parameters.
pub fn param_offsets(params: &[Formal]) -> Option<Vec<(u32, u32, u32)>> {
    let mut end = 0u64;
    params
        .iter()
        .map(|formal| {
            let Formal::Param(variable) = formal else {
                return None;
            };
            let bytes = variable.bytes()?;
            let offset = end.next_multiple_of(variable.align.max(1));
            end = offset.checked_add(bytes).filter(|end| *end <= 32764)?;
            Some((offset as u32, bytes as u32, variable.align as u32))
        })
        .collect()
}

impl FunctionLowering<'_, '_> {
    pub fn error<T>(&self, line: u32, message: impl Into<String>) -> Lowered<T> {
        Err(LoadError::new(line, message))
    }

    // ---- declarations

    fn kernel_params(&mut self, params: &[Formal]) -> Lowered<()> {
        let Some(offsets) = param_offsets(params) else {
            return self.error(
                self.low.module.functions[self.index].line,
                "parameters of this kind or size are not supported",
            );
        };
        for (formal, (offset, _, _)) in params.iter().zip(offsets) {
            if let Formal::Param(variable) = formal {
                self.declare(variable.name.clone(), Entity::KernelParam(offset));
            }
        }
        Ok(())
    }

    fn formals(&mut self, formals: &[Formal], line: u32) -> Lowered<Vec<Home>> {
        let mut homes = Vec::new();
        for formal in formals {
            homes.push(match formal {
                Formal::Param(variable) => {
                    let (offset, bytes) = self.in_frame(variable)?;
                    self.declare(
                        variable.name.clone(),
                        Entity::Frame(offset, bytes, Space::Param),
                    );
                    Home::Frame(offset, bytes)
                }
                Formal::Register(name, ty) => {
                    let entity = self.new_register(*ty, line)?;
                    let home = match entity {
                        Entity::Pred(index) => Home::Pred(index),
                        Entity::Register(slot, _) => Home::Register(slot),
                        _ => return self.error(line, "parameter of an unknown kind"),
                    };
                    self.declare(name.clone(), entity);
                    home
                }
            });
        }
        Ok(homes)
    }

    fn in_frame(&mut self, variable: &Variable) -> Lowered<(u32, u32)> {
        let offset = self.frame.next_multiple_of(variable.align.max(1));
        let end = variable
            .bytes()
            .and_then(|bytes| offset.checked_add(bytes))
            .filter(|end| *end <= MAX_FRAME);
        let Some(end) = end else {
            return self.error(
                variable.line,
                format!("variable `{}` is too large", variable.name),
            );
        };
        self.frame = end;
        Ok((offset as u32, (end - offset) as u32))
    }

    fn declare(&mut self, name: String, entity: Entity) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name, entity);
        }
    }

    fn new_register(&mut self, ty: Ty, line: u32) -> Lowered<Entity> {
        if ty == Ty::B128 {
            return self.error(line, "registers of type .b128 are not supported");
        }
        if u64::from(self.registers) + u64::from(self.preds) >= MAX_REGISTERS {
            return self.error(line, "too many registers");
        }
        Ok(if ty == Ty::Pred {
            self.preds += 1;
            Entity::Pred(self.preds - 1)
        } else {
            self.registers += 1;
            Entity::Register(self.registers - 1, ty)
        })
    }

    /// A register that the text does not name.
    pub fn temporary(&mut self, ty: Ty, line: u32) -> Lowered<u32> {
        match self.new_register(ty, line)? {
            Entity::Register(slot, _) => Ok(slot),
            _ => self.error(line, "temporary of an unknown kind"),
        }
    }

    /// What a name stands for here.
    pub fn entity(&mut self, name: &str, line: u32) -> Lowered<Entity> {
        let family = name.trim_end_matches(|c: char| c.is_ascii_digit());
        for depth in (0..self.scopes.len()).rev() {
            if let Some(entity) = self.scopes[depth].names.get(name) {
                return Ok(entity.clone());
            }
            // Shorter stems too: `%r1<3>` has `%r10`.
            for end in family.len()..name.len() {
                let Some(&(ty, count)) = self.scopes[depth].families.get(&name[..end]) else {
                    continue;
                };
                if name[end..].parse::<u64>().is_ok_and(|n| n < count) {
                    let entity = self.new_register(ty, line)?;
                    self.scopes[depth]
                        .names
                        .insert(name.to_string(), entity.clone());
                    return Ok(entity);
                }
            }
        }
        if let Some((address, _)) = self.low.globals.get(name) {
            return Ok(Entity::Symbol(*address));
        }
        if let Some(offset) = self.low.reach.module_shared.get(name) {
            return Ok(Entity::Symbol(u64::from(*offset)));
        }
        if let Some(index) = self
            .low
            .module
            .functions
            .iter()
            .position(|f| f.name == name && f.body.is_some())
        {
            return Ok(Entity::Symbol(function_address(index)));
        }
        self.error(line, format!("unknown name `{name}`"))
    }

    // ---- statements

    fn statements(&mut self, body: &[Stmt]) -> Lowered<()> {
        for stmt in body {
            match stmt {
                Stmt::Block(inner) => {
                    self.scopes.push(Scope::default());
                    self.statements(inner)?;
                    self.scopes.pop();
                }
                Stmt::Label(name, line) => {
                    if self
                        .labels
                        .insert(name.clone(), self.low.code.len() as u32)
                        .is_some()
                    {
                        return self.error(*line, format!("label `{name}` twice"));
                    }
                }
                Stmt::Registers {
                    ty,
                    name,
                    count,
                    line,
                } => match count {
                    Some(count) => {
                        if let Some(scope) = self.scopes.last_mut() {
                            scope.families.insert(name.clone(), (*ty, *count));
                        }
                    }
                    None => {
                        let entity = self.new_register(*ty, *line)?;
                        self.declare(name.clone(), entity);
                    }
                },
                Stmt::Variable(variable) => self.variable(variable)?,
                Stmt::Loc { file, line } => {
                    let file = self
                        .low
                        .module
                        .files
                        .get(file)
                        .cloned()
                        .unwrap_or_else(|| format!("file {file}"));
                    self.loc = Some((file, *line));
                }
                Stmt::Targets(name, targets) => {
                    self.declare(name.clone(), Entity::Targets(targets.clone()))
                }
                Stmt::Prototype => {}
                Stmt::Inst(inst) => instruction::lower(self, inst)?,
            }
        }
        Ok(())
    }

    fn variable(&mut self, variable: &Variable) -> Lowered<()> {
        let entity = match variable.space {
            Space::Local | Space::Param => {
                let (offset, bytes) = self.in_frame(variable)?;
                Entity::Frame(offset, bytes, variable.space)
            }
            Space::Shared if !reach::is_dynamic(variable) => {
                let key = (self.index, self.shared_ordinal);
                self.shared_ordinal += 1;
                let Some(offset) = self.low.reach.function_shared.get(&key) else {
                    return self.error(variable.line, "shared variable without a place");
                };
                Entity::Symbol(u64::from(*offset))
            }
            Space::Shared | Space::Global | Space::Const | Space::Generic => {
                return self.error(
                    variable.line,
                    format!("`{}` must be declared outside functions", variable.name),
                );
            }
        };
        self.declare(variable.name.clone(), entity);
        Ok(())
    }

    // ---- code

    pub fn emit(&mut self, guard: PredSrc, op: Op, ptx_line: u32) {
        let place = Place {
            function: self.name.clone(),
            source: self.loc.clone(),
            ptx_line,
        };
        let place = self.low.place(place);
        self.low.code.push(Inst { guard, op });
        self.low.place_of.push(place);
    }

    /// A branch to labels that are resolved at the end of the function.
    pub fn emit_branch(&mut self, guard: PredSrc, op: Op, labels: Vec<String>, line: u32) {
        self.pending
            .push((self.low.code.len() as u32, labels, line));
        self.emit(guard, op, line);
    }

    pub fn label_here(&mut self, label: String) {
        self.labels.insert(label, self.here());
    }

    /// The place of the next instruction.
    pub fn here(&self) -> u32 {
        self.low.code.len() as u32
    }

    fn resolve_labels(&mut self) -> Lowered<()> {
        for (at, names, line) in std::mem::take(&mut self.pending) {
            let mut found = Vec::new();
            for name in &names {
                match self.labels.get(name) {
                    Some(pc) => found.push(*pc),
                    None => return self.error(line, format!("unknown label `{name}`")),
                }
            }
            if let Some(inst) = self.low.code.get_mut(at as usize) {
                match &mut inst.op {
                    Op::Branch { target, .. } => *target = found.first().copied().unwrap_or(NO_PC),
                    Op::BranchTable { targets, .. } => *targets = found.into(),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    // ---- operands

    /// A value operand as a source.
    pub fn value(&mut self, operand: &Operand, ty: Ty, line: u32) -> Lowered<Src> {
        let cut = |value: u64| {
            if ty.bits() >= 64 {
                value
            } else {
                value & ((1 << ty.bits()) - 1)
            }
        };
        Ok(match operand {
            Operand::Int(value) => match ty {
                Ty::F32 => self
                    .low
                    .constant(u64::from((*value as i64 as f32).to_bits())),
                Ty::F64 => self.low.constant((*value as i64 as f64).to_bits()),
                _ => self.low.constant(cut(*value)),
            },
            Operand::Single(bits) => match ty {
                Ty::F64 => self
                    .low
                    .constant(f64::from(f32::from_bits(*bits)).to_bits()),
                _ => self.low.constant(u64::from(*bits)),
            },
            Operand::Double(bits) => match ty {
                Ty::F32 | Ty::B32 => self
                    .low
                    .constant(u64::from((f64::from_bits(*bits) as f32).to_bits())),
                _ => self.low.constant(*bits),
            },
            Operand::Name(name) => return self.named_value(name, 0, ty, line),
            Operand::Offset(name, offset) => return self.named_value(name, *offset, ty, line),
            Operand::Not(_)
            | Operand::Pair(..)
            | Operand::Address(..)
            | Operand::Vector(_)
            | Operand::List(_) => {
                return self.error(line, "operand of a wrong kind");
            }
        })
    }

    fn named_value(&mut self, name: &str, offset: i64, ty: Ty, line: u32) -> Lowered<Src> {
        if let Some(index) = SPECIAL.iter().position(|s| *s == name) {
            return Ok(Src::special(index as u32));
        }
        if name.starts_with("%envreg") {
            return Ok(self.low.constant(0));
        }
        if let Some(clock) = clock(name) {
            let d = self.temporary(ty, line)?;
            self.emit(NO_GUARD, Op::Clock { d, clock }, line);
            return Ok(Src::register(d));
        }
        Ok(match self.entity(name, line)? {
            Entity::Register(slot, _) if offset == 0 => Src::register(slot),
            Entity::Symbol(address) => self.low.constant(address.wrapping_add(offset as u64)),
            Entity::KernelParam(at) => self
                .low
                .constant(crate::memory::PARAM + (u64::from(at)).wrapping_add(offset as u64)),
            Entity::Frame(at, _, space) => {
                let d = self.temporary(Ty::B64, line)?;
                self.emit(
                    NO_GUARD,
                    Op::FrameAddress {
                        d,
                        offset: at.wrapping_add(offset as u32),
                    },
                    line,
                );
                if space == Space::Local {
                    return Ok(Src::register(d));
                }
                // A parameter's address is the same in parameter and generic space.
                let base = self.low.constant(crate::memory::LOCAL);
                instruction::add(self, d, Src::register(d), base, line);
                Src::register(d)
            }
            Entity::Register(..) | Entity::Pred(_) | Entity::Targets(_) => {
                return self.error(line, format!("`{name}` cannot stand here"));
            }
        })
    }

    /// A predicate operand as a source.
    pub fn pred(&mut self, operand: &Operand, line: u32) -> Lowered<PredSrc> {
        match operand {
            Operand::Name(name) => Ok(PredSrc::new(self.pred_index(name, line)?, false)),
            Operand::Not(name) => Ok(PredSrc::new(self.pred_index(name, line)?, true)),
            Operand::Int(0) => Ok(PredSrc::FALSE),
            Operand::Int(_) => Ok(PredSrc::TRUE),
            _ => self.error(line, "expected a predicate"),
        }
    }

    pub fn pred_index(&mut self, name: &str, line: u32) -> Lowered<u32> {
        match self.entity(name, line)? {
            Entity::Pred(index) => Ok(index),
            _ => self.error(line, format!("`{name}` is not a predicate")),
        }
    }

    /// A destination register and its type; `_` throws the value away.
    pub fn dest(&mut self, operand: &Operand, line: u32) -> Lowered<(u32, Ty)> {
        match operand {
            Operand::Name(name) if name == "_" => Ok((SINK, Ty::B64)),
            Operand::Name(name) => match self.entity(name, line)? {
                Entity::Register(slot, ty) => Ok((slot, ty)),
                _ => self.error(line, format!("`{name}` is not a register")),
            },
            _ => self.error(line, "expected a register"),
        }
    }

    pub fn dest_pred(&mut self, name: &str, line: u32) -> Lowered<u32> {
        if name == "_" {
            Ok(SINK)
        } else {
            self.pred_index(name, line)
        }
    }
}

/// The address of `module.functions[index]`.
pub fn function_address(index: usize) -> u64 {
    CODE + 16 * (index as u64 + 1)
}

fn clock(name: &str) -> Option<Clock> {
    Some(match name {
        "%clock" => Clock::Cycles32,
        "%clock64" => Clock::Cycles64,
        "%clock_hi" => Clock::CyclesHigh,
        "%globaltimer" => Clock::Nanoseconds,
        "%globaltimer_lo" => Clock::NanosecondsLow,
        "%globaltimer_hi" => Clock::NanosecondsHigh,
        _ => return None,
    })
}
