//! One operation: to the module that prints it.

use super::{
    function::Selector,
    literals,
    operand::{About, Address, Base, Operand, Part},
    types::{Class, classes},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::{
    View,
    core::{
        AddressSpace, ComplexMake, Const, CoreOp, FConst, Imag, Null, Real, Select, StringConst,
        float_width, int_width,
    },
    simt::SimtOp,
};
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Ptr, operation::Operation,
    printable::Printable, r#type::Typed, value::Value,
};

impl Selector<'_> {
    pub(super) fn operation(&mut self, op: Ptr<Operation>) -> Result<()> {
        match View::of(self.ctx, op) {
            View::Core(of_core) => self.core(op, of_core),
            View::Simt(of_simt) => self.simt(&of_simt),
            View::Par(_) | View::Source(_) | View::Other => self.no_gpu(op),
        }
    }

    fn core(&mut self, op: Ptr<Operation>, of_core: CoreOp) -> Result<()> {
        match &of_core {
            CoreOp::Const(op) => self.constant(op),
            CoreOp::FConst(op) => self.float_constant(op),
            CoreOp::Null(op) => self.null(op),
            CoreOp::StringConst(op) => self.string(op),
            CoreOp::AddressOf(op) => self.address_of(op),
            CoreOp::Bin(op) => self.bin(op),
            CoreOp::Un(op) => self.un(op),
            CoreOp::Cmp(op) => self.cmp(op),
            CoreOp::Cast(op) => self.cast(op),
            CoreOp::Select(op) => self.select(op),
            CoreOp::ComplexMake(op) => self.complex_make(op),
            CoreOp::Real(op) => self.real(op),
            CoreOp::Imag(op) => self.imaginary(op),
            CoreOp::PtrAdd(op) => self.ptr_add(op),
            CoreOp::PtrDiff(op) => self.ptr_diff(op),
            CoreOp::Decay(op) => self.decay(op),
            CoreOp::Member(op) => self.member(op),
            CoreOp::Alloca(op) => self.alloca(op),
            CoreOp::Load(op) => self.load(op),
            CoreOp::Store(op) => self.store(op),
            CoreOp::Copy(op) => self.copy(op),
            CoreOp::Zero(op) => self.zero(op),
            CoreOp::LoadBits(op) => self.load_bits(op),
            CoreOp::StoreBits(op) => self.store_bits(op),
            CoreOp::AtomicLoad(op) => self.atomic_load(op),
            CoreOp::AtomicStore(op) => self.atomic_store(op),
            CoreOp::AtomicUpdate(op) => self.atomic_update(op),
            CoreOp::Call(op) => self.call(op),
            CoreOp::If(op) => self.if_(op),
            CoreOp::For(op) => self.for_(op),
            CoreOp::Loop(op) => self.loop_(op),
            CoreOp::Switch(op) => self.switch(op),
            // Terminators are printed with what they end; the others are the host's, or stand outside of functions.
            CoreOp::Yield(_)
            | CoreOp::Break(_)
            | CoreOp::Continue(_)
            | CoreOp::Return(_)
            | CoreOp::Extent(_)
            | CoreOp::ExternFunc(_)
            | CoreOp::RecordDef(_)
            | CoreOp::Opaque(_) => self.no_gpu(op),
        }
    }

    fn simt(&mut self, of_simt: &SimtOp) -> Result<()> {
        match of_simt {
            SimtOp::Query(op) => self.query(op),
            SimtOp::Barrier(op) => self.barrier(op),
            SimtOp::Contribute(op) => self.contribute(op),
            SimtOp::Fence(op) => self.fence(op),
            SimtOp::Shuffle(op) => self.shuffle(op),
            SimtOp::Shared(op) => self.shared(op),
            SimtOp::DynamicShared(op) => self.dynamic_shared(op),
            SimtOp::Scratch(op) => self.scratch(op),
            SimtOp::Reduce(op) => self.redux(op),
            SimtOp::Ballot(op) => self.ballot(op),
            SimtOp::Mask(op) => self.mask(op),
            SimtOp::Locked(op) => self.locked_region(op),
            SimtOp::ModuleLock(op) => self.module_lock(op),
        }
    }

    fn no_gpu(&self, op: Ptr<Operation>) -> Result<()> {
        let name = Operation::get_opid(op, self.ctx).disp(self.ctx).to_string();
        Err(Diagnostic::error(format!("`{name}` cannot run on a GPU")))
    }

    fn constant(&mut self, op: &Const) -> Result<()> {
        let (result, value) = (op.get_result(self.ctx), op.value(self.ctx));
        let classes = classes(self.ctx, result.get_type(self.ctx))?;
        let parts = match classes.as_slice() {
            [low, high] => {
                let (low_bits, high_bits) = (value as i64, (value >> 64) as i64);
                vec![
                    Part::new(*low, low_bits.to_string()),
                    Part::new(*high, high_bits.to_string()),
                ]
            }
            _ => classes
                .iter()
                .map(|c| Part::new(*c, value.to_string()))
                .collect(),
        };
        self.bind(result, parts);
        Ok(())
    }

    fn float_constant(&mut self, op: &FConst) -> Result<()> {
        let (result, text) = (op.get_result(self.ctx), op.text(self.ctx));
        let ty = result.get_type(self.ctx);
        let classes = classes(self.ctx, ty)?;
        let width = float_width(self.ctx, ty).unwrap_or(64);
        let bits = literals::float_bits(width, &text)
            .ok_or_else(|| Diagnostic::error(format!("`{text}` is no floating point literal")))?;
        let literal = literals::float(width, bits);
        let parts = classes.into_iter().map(|c| Part::new(c, literal.clone()));
        self.bind(result, parts.collect());
        Ok(())
    }

    fn null(&mut self, op: &Null) -> Result<()> {
        let address = Address {
            about: About::NOTHING,
            base: Base::Null,
            offset: 0,
            space: AddressSpace::Global,
        };
        self.bind_address(op.get_result(self.ctx), address);
        Ok(())
    }

    fn string(&mut self, op: &StringConst) -> Result<()> {
        let name = self.symbol("text");
        let mut bytes = op.bytes(self.ctx);
        bytes.push(0);
        let list: Vec<_> = bytes.iter().map(u8::to_string).collect();
        self.outer.push(format!(
            ".global .align 1 .b8 {name}[{}] = {{{}}};",
            bytes.len(),
            list.join(", ")
        ));
        let address = Address::symbol(name, AddressSpace::Global);
        self.bind_address(op.get_result(self.ctx), address);
        Ok(())
    }

    fn select(&mut self, op: &Select) -> Result<()> {
        let result = op.get_result(self.ctx);
        let space = self.spaces.of(result);
        let cond = self.part(op.get_operand_cond(self.ctx))?;
        let yes = self.parts_in(op.get_operand_yes(self.ctx), space)?;
        let no = self.parts_in(op.get_operand_no(self.ctx), space)?;
        let cond = self.settle(&cond);
        let mut parts = vec![];
        for (yes, no) in yes.iter().zip(&no) {
            let register = match yes.class {
                Class::Pred => self.select_predicate(&cond, yes, no),
                class => {
                    let opcode = format!("selp.{}", class.name());
                    self.compute(class, &opcode, &[&yes.text, &no.text, &cond])
                }
            };
            parts.push(Part::new(yes.class, register));
        }
        self.bind_scalar(result, parts, space);
        Ok(())
    }

    /// `selp` has no form for predicates.
    fn select_predicate(&mut self, cond: &str, yes: &Part, no: &Part) -> String {
        let (yes, no) = (
            self.predicate_as_integer(yes),
            self.predicate_as_integer(no),
        );
        let chosen = self.compute(Class::B32, "selp.b32", &[&yes, &no, cond]);
        self.compute(Class::Pred, "setp.ne.s32", &[&chosen, "0"])
    }

    /// A predicate as 0 or 1 in a register of 32 bits.
    pub(super) fn predicate_as_integer(&mut self, part: &Part) -> String {
        match part.is_literal() {
            true => part.text.clone(),
            false => self.compute(Class::B32, "selp.b32", &["1", "0", &part.text]),
        }
    }

    fn complex_make(&mut self, op: &ComplexMake) -> Result<()> {
        let real = self.part(op.get_operand_real(self.ctx))?;
        let imaginary = self.part(op.get_operand_imaginary(self.ctx))?;
        self.bind(op.get_result(self.ctx), vec![real, imaginary]);
        Ok(())
    }

    fn real(&mut self, op: &Real) -> Result<()> {
        self.complex_half(op.get_operand_value(self.ctx), 0, op.get_result(self.ctx))
    }

    fn imaginary(&mut self, op: &Imag) -> Result<()> {
        self.complex_half(op.get_operand_value(self.ctx), 1, op.get_result(self.ctx))
    }

    fn complex_half(&mut self, value: Value, index: usize, result: Value) -> Result<()> {
        let parts = self.parts(value)?;
        let part = parts
            .get(index)
            .ok_or_else(|| Diagnostic::error("a complex number was expected"))?;
        self.bind(result, vec![part.clone()]);
        Ok(())
    }

    /// Width of an integer value.
    pub(super) fn width(&self, value: Value) -> Result<u32> {
        int_width(self.ctx, value.get_type(self.ctx))
            .ok_or_else(|| Diagnostic::error("an integer was expected"))
    }

    /// What a value is known to be at compile time.
    pub(super) fn constant_of(&self, value: Value) -> Option<i128> {
        let op = value.defining_op()?;
        Operation::get_op::<Const>(op, self.ctx).map(|c| c.value(self.ctx))
    }

    /// Binds what stands for a value that is another one already.
    pub(super) fn alias(&mut self, result: Value, of: Value) -> Result<()> {
        let operand = self.operand(of)?.clone();
        match operand {
            Operand::Fused => Err(Diagnostic::error("a product has been merged away")),
            Operand::Parts(_) | Operand::Address(_) => {
                self.bind_operand(result, operand);
                Ok(())
            }
        }
    }
}
