//! What a kernel needs: the functions it can call, and the shared variables they name, with their places.

use crate::{
    LoadError, Space,
    ast::{Inst, Module, Operand, Stmt, Variable},
    program::{SHARED_START, SharedVariable},
};
use std::collections::{HashMap, HashSet};

pub struct Reach {
    /// Indices into `module.functions`; the kernel comes first.
    pub functions: Vec<usize>,
    /// Place of each function by its name, in `functions`.
    pub numbers: HashMap<String, u32>,
    /// Offsets of shared variables at module level, by name.
    pub module_shared: HashMap<String, u32>,
    /// Offsets of the shared variables declared in functions: (function, ordinal number there).
    pub function_shared: HashMap<(usize, u32), u32>,
    pub static_shared: u32,
    pub shared_variables: Vec<SharedVariable>,
}

pub fn reach(module: &Module, root: usize) -> Result<Reach, LoadError> {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for (index, function) in module.functions.iter().enumerate() {
        if function.body.is_some() {
            by_name.insert(&function.name, index);
        }
    }
    let mut walk = Walk {
        functions: vec![root],
        seen: HashSet::from([root]),
        names: HashSet::new(),
        indirect: false,
        local: Vec::new(),
    };
    let mut next = 0;
    while let Some(&index) = walk.functions.get(next) {
        next += 1;
        let mut ordinal = 0;
        walk.body(
            &by_name,
            module.functions[index].body.as_deref().unwrap_or_default(),
            index,
            &mut ordinal,
        );
        if walk.indirect && next == walk.functions.len() {
            // Any function can be meant by a call through a register.
            walk.indirect = false;
            for (index, function) in module.functions.iter().enumerate() {
                if function.body.is_some() && !function.entry && walk.seen.insert(index) {
                    walk.functions.push(index);
                }
            }
        }
    }
    let mut layout = Layout {
        end: SHARED_START,
        variables: Vec::new(),
    };
    let mut module_shared = HashMap::new();
    let mut dynamic: Vec<&Variable> = Vec::new();
    for variable in module
        .variables
        .iter()
        .filter(|v| v.space == Space::Shared && walk.names.contains(v.name.as_str()))
    {
        if is_dynamic(variable) {
            dynamic.push(variable);
        } else {
            module_shared.insert(variable.name.clone(), layout.add(variable)?);
        }
    }
    let mut function_shared = HashMap::new();
    for (key, variable) in &walk.local {
        function_shared.insert(*key, layout.add(variable)?);
    }
    if !dynamic.is_empty() {
        let align = dynamic.iter().map(|v| v.align).max().unwrap_or(16).max(16);
        layout.end = (u64::from(layout.end)).next_multiple_of(align) as u32;
    }
    module_shared.extend(dynamic.iter().map(|v| (v.name.clone(), layout.end)));
    let numbers = walk
        .functions
        .iter()
        .enumerate()
        .map(|(n, i)| (module.functions[*i].name.clone(), n as u32))
        .collect();
    Ok(Reach {
        functions: walk.functions,
        numbers,
        module_shared,
        function_shared,
        static_shared: layout.end - SHARED_START,
        shared_variables: layout.variables,
    })
}

/// `.extern .shared x[]`: the memory whose size the launch says.
pub fn is_dynamic(variable: &Variable) -> bool {
    variable.external || variable.dims.first() == Some(&0)
}

struct Layout {
    end: u32,
    variables: Vec<SharedVariable>,
}

impl Layout {
    fn add(&mut self, variable: &Variable) -> Result<u32, LoadError> {
        let too_large = || {
            LoadError::new(
                variable.line,
                format!("shared variable `{}` is too large", variable.name),
            )
        };
        let bytes = variable
            .bytes()
            .filter(|b| *b < 1 << 24)
            .ok_or_else(too_large)? as u32;
        let offset = u64::from(self.end).next_multiple_of(variable.align.max(1)) as u32;
        self.end = offset + bytes;
        if self.end > 1 << 25 {
            return Err(too_large());
        }
        self.variables.push(SharedVariable {
            name: variable.name.clone(),
            offset,
            bytes,
        });
        Ok(offset)
    }
}

struct Walk<'m> {
    functions: Vec<usize>,
    seen: HashSet<usize>,
    names: HashSet<&'m str>,
    indirect: bool,
    local: Vec<((usize, u32), &'m Variable)>,
}

impl<'m> Walk<'m> {
    fn body(
        &mut self,
        by_name: &HashMap<&str, usize>,
        body: &'m [Stmt],
        function: usize,
        ordinal: &mut u32,
    ) {
        for stmt in body {
            match stmt {
                Stmt::Block(inner) => self.body(by_name, inner, function, ordinal),
                Stmt::Variable(variable)
                    if variable.space == Space::Shared && !is_dynamic(variable) =>
                {
                    self.local.push(((function, *ordinal), variable));
                    *ordinal += 1;
                }
                Stmt::Inst(inst) => {
                    self.indirect |= is_indirect(inst);
                    for operand in &inst.operands {
                        self.operand(by_name, operand);
                    }
                }
                Stmt::Label(..)
                | Stmt::Registers { .. }
                | Stmt::Variable(_)
                | Stmt::Loc { .. }
                | Stmt::Single(_)
                | Stmt::Contributes { .. }
                | Stmt::Targets(..)
                | Stmt::Prototype => {}
            }
        }
    }

    fn operand(&mut self, by_name: &HashMap<&str, usize>, operand: &'m Operand) {
        match operand {
            Operand::Name(name) | Operand::Offset(name, _) | Operand::Address(Some(name), _) => {
                self.names.insert(name);
                if let Some(index) = by_name.get(name.as_str())
                    && self.seen.insert(*index)
                {
                    self.functions.push(*index);
                }
            }
            Operand::Vector(list) | Operand::List(list) => {
                list.iter().for_each(|o| self.operand(by_name, o))
            }
            Operand::Not(_)
            | Operand::Pair(..)
            | Operand::Int(_)
            | Operand::Single(_)
            | Operand::Double(_)
            | Operand::Address(None, _) => {}
        }
    }
}

/// Whether a call goes through a register.
fn is_indirect(inst: &Inst) -> bool {
    inst.name == "call"
        && inst
            .operands
            .iter()
            .any(|o| matches!(o, Operand::Name(n) if n.starts_with('%')))
}
