//! The walk over a function: values become registers.
//!
//! Every SSA value has registers of its own, written once (results of `core.if` and loop counters: once per branch or
//! iteration). A variable with [`Storage::Register`](crate::expanded::Storage::Register) has registers that its stores write. What was stored last is
//! remembered, so that a load in the same stretch of code needs no copy:
//! ```text
//! core.store %sum, %s        mov.f64 %fd1, %fd7;
//! %t = core.load %s          (%t is %fd7)
//! ```
//! What is remembered belongs to a region; when control flow comes together, what the regions stored is forgotten.

use super::{
    Needs, Unit,
    operand::{Address, Operand, Part},
    types::{Class, classes},
};
use crate::{
    code::Code,
    diagnostic::{Diagnostic, Result, or_at},
    expanded::Single,
    origins::Origins,
    spaces::Spaces,
    versions::Version,
};
use accrue_dialects::core::{AddressSpace, FloatBin, Store, pointee_of};
use accrue_ir::{
    build::{file, line_column},
    walk::{nested_in_region, nested_ops, ops_of_block},
};
use pliron::{
    basic_block::BasicBlock,
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::HashMap;

/// Where `break` and `continue` go.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A `core.for`.
    For {
        next: String,
        /// Nothing in it is loaded long before it is needed ([`crate::registers::loads_much`]).
        near: bool,
    },
    /// A `core.loop`.
    Loop {
        next: String,
        end: String,
    },
    Switch {
        end: String,
    },
}

/// What is known in one region.
#[derive(Default)]
struct Frame {
    /// What register variables contain; `None`: not known, whatever the regions around say.
    variables: HashMap<Value, Option<Operand>>,
    /// Registers with `base + index * size`.
    addresses: HashMap<(String, String, i64), String>,
}

/// What `return` does.
pub(super) enum Exit {
    /// Kernels have no result.
    Kernel,
    /// Functions store their result to this parameter.
    Function { result: Option<TypeHandle> },
}

/// What a kernel's prologue computes: bases of memory, and who the thread works with.
#[derive(Clone, Debug, Default)]
pub(super) struct Bases {
    pub scratch: Option<String>,
    pub scratch_gang: Option<String>,
    pub scratch_worker: Option<String>,
    pub shared_worker: Option<String>,
    /// The lanes of this thread's worker as a mask, where several workers share a warp.
    pub members: Option<String>,
}

/// Prints one function.
pub(super) struct Selector<'a> {
    pub ctx: &'a Context,
    pub unit: &'a Unit<'a>,
    pub code: Code,
    /// Declarations before the function.
    pub outer: Vec<String>,
    /// Declarations of the thread's own memory.
    pub locals: Vec<String>,
    pub needs: Needs,
    pub spaces: Spaces,
    pub bases: Bases,
    pub exit: Exit,
    pub targets: Vec<Target>,
    /// What is assumed; nothing in the safe version.
    pub version: Option<&'a Version>,
    /// In the safe version of a kernel with variables in shared memory: where in them pointers lead.
    pub own_origins: Option<Origins>,
    /// The grid of the kernel's launches covers its loop.
    pub covers: bool,
    pub name: String,
    /// Complex numbers that are not asked yet whether infinities were lost in them: how they are computed.
    pub unrecovered: HashMap<Value, (FloatBin, Value, Value)>,
    values: HashMap<Value, Operand>,
    /// The registers of register variables.
    variables: HashMap<Value, Vec<Part>>,
    frames: Vec<Frame>,
    /// File, line and column of what is being printed.
    place: Option<(usize, u32, u32)>,
    symbols: u32,
}

impl<'a> Selector<'a> {
    pub fn new(
        unit: &'a Unit<'a>,
        name: &str,
        spaces: Spaces,
        exit: Exit,
        version: Option<&'a Version>,
    ) -> Self {
        Selector {
            ctx: unit.ctx,
            unit,
            code: Code::default(),
            outer: vec![],
            locals: vec![],
            needs: Needs::default(),
            spaces,
            bases: Bases::default(),
            exit,
            targets: vec![],
            version,
            own_origins: None,
            covers: false,
            name: name.to_string(),
            unrecovered: HashMap::new(),
            values: HashMap::new(),
            variables: HashMap::new(),
            frames: vec![Frame::default()],
            place: None,
            symbols: 0,
        }
    }

    /// Where pointers lead, if it is of use.
    pub fn origins(&self) -> Option<&Origins> {
        let assumed = self.version.map(|version| &version.origins);
        assumed.or(self.own_origins.as_ref())
    }

    /// Prints the operations of the only block of `region` but its terminator, which is returned.
    pub fn open_region(&mut self, region: Ptr<Region>) -> Result<Option<Ptr<Operation>>> {
        let block = region.deref(self.ctx).get_entry_block();
        block.map_or(Ok(None), |b| self.block(b))
    }

    /// Prints the operations of `block` but its terminator, which is returned.
    pub fn block(&mut self, block: Ptr<BasicBlock>) -> Result<Option<Ptr<Operation>>> {
        let mut ops = ops_of_block(self.ctx, block);
        let terminator = ops.pop();
        for op in ops {
            self.locate(op);
            self.noted_operation(op)?;
        }
        if let Some(op) = terminator {
            self.locate(op);
        }
        Ok(terminator)
    }

    /// Prints an operation; in a single mode, with notes for the simulator around it.
    pub(super) fn noted_operation(&mut self, op: Ptr<Operation>) -> Result<()> {
        let single = self.unit.expanded.single.get(&op);
        let single = single.filter(|_| self.unit.options.debug).copied();
        if let Some(single) = single {
            self.code.note(match single {
                Single::Worker => "single worker",
                Single::Block => "single block",
            });
        }
        self.operation(op).map_err(|d| or_at(d, self.ctx, op))?;
        if single.is_some() {
            self.code.note("single end");
        }
        Ok(())
    }

    /// Says which line of the source the next instructions are for.
    fn locate(&mut self, op: Ptr<Operation>) {
        let op = op.deref(self.ctx);
        let Some((line, column)) = line_column(op.loc()) else {
            return;
        };
        let path = file(self.ctx, op.loc());
        let index = self
            .unit
            .files
            .iter()
            .position(|f| Some(f) == path.as_ref());
        let file = index.map_or(0, |i| i + 1);
        let debug = self.unit.options.debug && file > 0;
        let place = (file, line, if debug { column } else { 0 });
        if self.place == Some(place) {
            return;
        }
        self.place = Some(place);
        self.code.before_next(match debug {
            true => format!(".loc {file} {line} {column}"),
            false => format!("// line {line}"),
        });
    }

    /// A module-level name that belongs to this function.
    pub fn symbol(&mut self, base: &str) -> String {
        self.symbols += 1;
        format!("{}_{}{base}", self.name, self.symbols)
    }

    // What stands for values.

    pub fn bind(&mut self, value: Value, parts: Vec<Part>) {
        self.values.insert(value, Operand::Parts(parts));
    }

    pub fn bind_operand(&mut self, value: Value, operand: Operand) {
        self.values.insert(value, operand);
    }

    pub fn bind_address(&mut self, value: Value, address: Address) {
        self.values.insert(value, Operand::Address(address));
    }

    pub fn operand(&self, value: Value) -> Result<&Operand> {
        self.values
            .get(&value)
            .ok_or_else(|| Diagnostic::error("a value is used where it has not been computed"))
    }

    /// The registers or literals of a value; a pointer is put into a register, in its own space.
    pub fn parts(&mut self, value: Value) -> Result<Vec<Part>> {
        match self.operand(value)?.clone() {
            Operand::Parts(parts) => Ok(parts),
            Operand::Address(address) => {
                let space = address.space;
                let text = self.pointer(&address, space);
                Ok(vec![Part::new(Class::B64, text)])
            }
            Operand::Fused => Err(Diagnostic::error("a product has been merged away")),
        }
    }

    /// The same with a pointer in `space`: its own space or the generic one.
    pub fn parts_in(&mut self, value: Value, space: AddressSpace) -> Result<Vec<Part>> {
        match self.operand(value)?.clone() {
            Operand::Address(address) => {
                let text = self.pointer(&address, space);
                Ok(vec![Part::new(Class::B64, text)])
            }
            Operand::Parts(_) | Operand::Fused => self.parts(value),
        }
    }

    /// The same with pointers as generic addresses, as they are in memory and in calls.
    pub fn generic_parts(&mut self, value: Value) -> Result<Vec<Part>> {
        self.parts_in(value, AddressSpace::Generic)
    }

    /// The only register or literal of a value.
    pub fn part(&mut self, value: Value) -> Result<Part> {
        match self.parts(value)?.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(Diagnostic::error("a value of one register was expected")),
        }
    }

    /// The text of the only register or literal of a value.
    pub fn text(&mut self, value: Value) -> Result<String> {
        Ok(self.part(value)?.text)
    }

    /// Both halves of a complex number or of a 128-bit integer.
    pub fn pair(&mut self, value: Value) -> Result<[String; 2]> {
        match self.parts(value)?.as_slice() {
            [a, b] => Ok([a.text.clone(), b.text.clone()]),
            _ => Err(Diagnostic::error("a value of two registers was expected")),
        }
    }

    /// The only register of a value; a literal is put into one.
    pub fn in_register(&mut self, value: Value) -> Result<String> {
        let part = self.part(value)?;
        Ok(self.settle(&part))
    }

    /// `part`, in a register.
    pub fn settle(&mut self, part: &Part) -> String {
        match part.is_literal() {
            true => self.mov(part.class, &part.text),
            false => part.text.clone(),
        }
    }

    /// A new register with this value.
    pub fn mov(&mut self, class: Class, from: &str) -> String {
        self.compute(class, &format!("mov.{}", class.name()), &[from])
    }

    /// `opcode register, operands` with a new register.
    pub fn compute(&mut self, class: Class, opcode: &str, operands: &[&str]) -> String {
        let register = self.code.register(class);
        self.code.write(&[&register], opcode, operands);
        register
    }

    /// Binds `value` to the registers.
    pub fn define(
        &mut self,
        value: Value,
        class: Class,
        registers: impl IntoIterator<Item = String>,
    ) {
        let parts = registers.into_iter().map(|r| Part::new(class, r)).collect();
        self.bind(value, parts);
    }

    /// New registers for a value of type `ty`.
    pub fn new_registers(&mut self, ty: TypeHandle) -> Result<Vec<Part>> {
        let classes = classes(self.ctx, ty)?;
        let new = |class| Part::new(class, self.code.register(class));
        Ok(classes.into_iter().map(new).collect())
    }

    /// Copies `from` to the registers `to`.
    pub fn assign(&mut self, to: &[Part], from: &[Part]) {
        for (to, from) in to.iter().zip(from) {
            if to.text != from.text {
                let opcode = format!("mov.{}", to.class.name());
                self.code.write(&[&to.text], &opcode, &[&from.text]);
            }
        }
    }

    /// Binds a value that may be a pointer in `space` to its registers.
    pub fn bind_scalar(&mut self, value: Value, parts: Vec<Part>, space: AddressSpace) {
        match (self.is_pointer(value), parts.as_slice()) {
            (true, [one]) => {
                let register = self.settle(one);
                self.bind_address(value, Address::register(register, space));
            }
            (true, _) | (false, _) => self.bind(value, parts),
        }
    }

    pub fn is_pointer(&self, value: Value) -> bool {
        pointee_of(self.ctx, value.get_type(self.ctx)).is_some()
    }

    // Variables in registers.

    pub fn new_variable(&mut self, address: Value, parts: Vec<Part>) {
        self.variables.insert(address, parts);
    }

    /// The registers of the variable at `address`, if it has some.
    pub fn variable(&self, address: Value) -> Option<&Vec<Part>> {
        self.variables.get(&address)
    }

    /// Says that the variable at `address` contains `operand`.
    pub fn remember(&mut self, address: Value, operand: Operand) {
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.insert(address, Some(operand));
        }
    }

    /// Says that it is not known what the variable at `address` contains.
    pub fn forget(&mut self, address: Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.variables.insert(address, None);
        }
    }

    /// What the variable at `address` is known to contain.
    pub fn remembered(&self, address: Value) -> Option<Operand> {
        let mut frames = self.frames.iter().rev();
        frames
            .find_map(|f| f.variables.get(&address))
            .cloned()
            .flatten()
    }

    /// A register that has `base + index * size` already.
    pub fn computed_address(&self, key: &(String, String, i64)) -> Option<String> {
        let mut frames = self.frames.iter().rev();
        frames.find_map(|f| f.addresses.get(key)).cloned()
    }

    pub fn remember_address(&mut self, key: (String, String, i64), register: String) {
        if let Some(frame) = self.frames.last_mut() {
            frame.addresses.insert(key, register);
        }
    }

    /// Prints the inside of a region: what is learnt there is forgotten at its end.
    pub fn inside<R>(&mut self, print: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.frames.push(Frame::default());
        let result = print(self);
        self.frames.pop();
        result
    }

    /// Forgets the contents of the variables that are stored to inside `op`.
    pub fn forget_stored_in(&mut self, op: Ptr<Operation>) {
        let ops = nested_ops(self.ctx, op);
        self.forget_stored(&ops);
    }

    /// Forgets the contents of the variables that are stored to inside `region`.
    pub fn forget_stored_in_region(&mut self, region: Ptr<Region>) {
        let mut ops = vec![];
        nested_in_region(self.ctx, region, &mut ops);
        self.forget_stored(&ops);
    }

    fn forget_stored(&mut self, ops: &[Ptr<Operation>]) {
        for op in ops {
            let Some(store) = Operation::get_op::<Store>(*op, self.ctx) else {
                continue;
            };
            let address = store.get_operand_address(self.ctx);
            if let Some(frame) = self
                .frames
                .last_mut()
                .filter(|_| self.variables.contains_key(&address))
            {
                frame.variables.insert(address, None);
            }
        }
    }
}
