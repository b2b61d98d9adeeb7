//! One function: names in scopes, statements in order, labels.

use super::{Lowering, flow, instruction, reach};
use crate::{
    LoadError, Place, Space,
    alu::{PredSrc, Src},
    ast::{Formal, Operand, Single, Stmt, Ty, Variable},
    memory::CODE,
    program::{Function, Home, Inst, LOCAL_START, NO_GUARD, NO_PC, Op},
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
    single: Single,
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
        single: Single::No,
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
        if u64::from(self.registers) + u64::from(self.preds) >= MAX_REGISTERS {
            return self.error(line, "too many registers");
        }
        Ok(if ty == Ty::Pred {
            self.preds += 1;
            Entity::Pred(self.preds - 1)
        } else {
            // Of 128 bits, the upper half is in the next one.
            let slot = self.registers;
            self.registers += if ty == Ty::B128 { 2 } else { 1 };
            Entity::Register(slot, ty)
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
                Stmt::Single(single) => self.single = *single,
                Stmt::Contributes {
                    register,
                    bytes,
                    line,
                } => {
                    let (register, _) = self.dest(&Operand::Name(register.clone()), *line)?;
                    let op = Op::Contribute {
                        address: Src::register(register),
                        bytes: *bytes,
                    };
                    self.emit(NO_GUARD, op, *line);
                }
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
        self.low.single_of.push(self.single);
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
}

/// The address of `module.functions[index]`.
pub fn function_address(index: usize) -> u64 {
    CODE + 16 * (index as u64 + 1)
}
