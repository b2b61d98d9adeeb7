//! What only the GPU has: special registers, barriers, shuffles, the memories of block and launch.

use super::{
    function::Selector,
    operand::{Address, Part},
    types::Class,
};
use crate::{
    WARP,
    diagnostic::{Diagnostic, Result},
    dialect::{
        Barrier, Contribute, DynamicShared, Fence, Quantity, Query, Scope, Scratch, Shared,
        Shuffle, ShuffleMode,
    },
};
use accrue_abi::symbols::shown;
use accrue_dialects::core::AddressSpace;
use pliron::builtin::op_interfaces::OneResultInterface;

/// What a shuffle has beside the word it moves.
struct Exchange {
    opcode: String,
    lane: String,
    /// Which lanes can be reached: the bits of a lane's number that stay as they are, and the last lane.
    bounds: u32,
    members: String,
}

/// The block's memory whose size the launch says.
pub const DYNAMIC_SHARED: &str = "accrue_dynamic_shared";

impl Selector<'_> {
    pub(super) fn query(&mut self, op: &Query) -> Result<()> {
        let name = match op.quantity(self.ctx) {
            Quantity::Lane => "%tid.x",
            Quantity::Worker => "%tid.y",
            Quantity::Lanes => "%ntid.x",
            Quantity::Workers => "%ntid.y",
            Quantity::GroupX => "%ctaid.x",
            Quantity::GroupY => "%ctaid.y",
            Quantity::GroupZ => "%ctaid.z",
            Quantity::GroupsX => "%nctaid.x",
            Quantity::GroupsY => "%nctaid.y",
            Quantity::GroupsZ => "%nctaid.z",
            Quantity::SubgroupLane => "%laneid",
            Quantity::LanesBefore => "%lanemask_lt",
            Quantity::LanesAfter => "%lanemask_gt",
        };
        let register = self.compute(Class::B32, "mov.u32", &[name]);
        self.define(op.get_result(self.ctx), Class::B32, [register]);
        Ok(())
    }

    pub(super) fn barrier(&mut self, op: &Barrier) -> Result<()> {
        match op.scope(self.ctx) {
            Scope::Group => self.code.emit("bar.sync", &["0"]),
            Scope::Subgroup => {
                let members = self.members(op.lanes(self.ctx).unwrap_or(WARP))?;
                self.code.emit("bar.warp.sync", &[&members]);
            }
            Scope::Worker => self.worker_barrier(),
            Scope::Device | Scope::System => {
                return Err(Diagnostic::error("blocks cannot wait for each other"));
            }
        }
        Ok(())
    }

    /// A worker of one warp needs no barrier of the block, of which there are 16 only: 0 is the block's, 1 and the
    /// following ones the workers'.
    fn worker_barrier(&mut self) {
        let lanes = self.compute(Class::B32, "mov.u32", &["%ntid.x"]);
        let worker = self.compute(Class::B32, "mov.u32", &["%tid.y"]);
        let barrier = self.compute(Class::B32, "add.s32", &[&worker, "1"]);
        let is_warp = self.compute(Class::Pred, "setp.eq.s32", &[&lanes, "32"]);
        let (warp, end) = (self.code.new_label(), self.code.new_label());
        self.code.branch_if(&is_warp, &warp);
        self.code.emit("bar.sync", &[&barrier, &lanes]);
        self.code.branch(&end);
        self.code.label(&warp);
        self.code.emit("bar.warp.sync", &["0xffffffff"]);
        self.code.label(&end);
    }

    pub(super) fn fence(&mut self, op: &Fence) -> Result<()> {
        let opcode = match op.scope(self.ctx) {
            Scope::Subgroup | Scope::Worker | Scope::Group => "membar.cta",
            Scope::Device => "membar.gl",
            Scope::System => "membar.sys",
        };
        self.code.emit(opcode, &[]);
        Ok(())
    }

    pub(super) fn contribute(&mut self, op: &Contribute) -> Result<()> {
        if self.unit.options.debug {
            let (address, bytes) = (op.get_operand_address(self.ctx), op.bytes(self.ctx));
            let address = self.text(address)?;
            self.code.note(format!("contributes {address} {bytes}"));
        }
        Ok(())
    }

    pub(super) fn shuffle(&mut self, op: &Shuffle) -> Result<()> {
        let (value, result) = (op.get_operand_value(self.ctx), op.get_result(self.ctx));
        let mode = match op.mode(self.ctx) {
            ShuffleMode::Down => "down",
            ShuffleMode::Xor => "bfly",
            ShuffleMode::Index => "idx",
        };
        let lanes = op.lanes(self.ctx);
        let exchange = Exchange {
            opcode: format!("shfl.sync.{mode}.b32"),
            lane: self.text(op.get_operand_lane(self.ctx))?,
            bounds: (WARP - lanes) << 8 | (WARP - 1),
            members: self.members(lanes)?,
        };
        let mut shuffled = vec![];
        for part in self.parts(value)? {
            let register = self.shuffle_part(&exchange, &part);
            shuffled.push(Part::new(part.class, register));
        }
        let space = self.spaces.of(result);
        self.bind_scalar(result, shuffled, space);
        Ok(())
    }

    /// Shuffles move 32 bits.
    fn shuffle_part(&mut self, exchange: &Exchange, part: &Part) -> String {
        let from = self.settle(part);
        match part.class {
            Class::B32 => self.shuffle_word(exchange, &from),
            Class::F32 => {
                let bits = self.compute(Class::B32, "mov.b32", &[&from]);
                let bits = self.shuffle_word(exchange, &bits);
                self.compute(Class::F32, "mov.b32", &[&bits])
            }
            Class::B16 => {
                let bits = self.compute(Class::B32, "cvt.u32.u16", &[&from]);
                let bits = self.shuffle_word(exchange, &bits);
                self.compute(Class::B16, "cvt.u16.u32", &[&bits])
            }
            Class::Pred => {
                let bit = self.compute(Class::B32, "selp.b32", &["1", "0", &from]);
                let bit = self.shuffle_word(exchange, &bit);
                self.compute(Class::Pred, "setp.ne.s32", &[&bit, "0"])
            }
            Class::B64 | Class::F64 => {
                let low = self.code.register(Class::B32);
                let high = self.code.register(Class::B32);
                self.code.write(&[&low, &high], "mov.b64", &[&from]);
                let low = self.shuffle_word(exchange, &low);
                let high = self.shuffle_word(exchange, &high);
                self.compute(part.class, "mov.b64", &[&format!("{{{low}, {high}}}")])
            }
        }
    }

    fn shuffle_word(&mut self, exchange: &Exchange, word: &str) -> String {
        let bounds = exchange.bounds.to_string();
        let operands = [word, &exchange.lane, &bounds, &exchange.members];
        self.compute(Class::B32, &exchange.opcode, &operands)
    }

    /// The lanes that take part in an exchange within `lanes` of a warp, as a mask.
    pub(super) fn members(&self, lanes: u32) -> Result<String> {
        if lanes == WARP {
            return Ok("0xffffffff".to_string());
        }
        self.bases.members.clone().ok_or_else(|| {
            Diagnostic::error(
                "only in kernels several workers share a warp, not in the functions they call",
            )
        })
    }

    pub(super) fn shared(&mut self, op: &Shared) -> Result<()> {
        let variable = op.variable(self.ctx);
        let name = format!("accrue_shared_{}", identifier(&shown(&variable.name)));
        let size = (variable.bytes, variable.align);
        let known = self.needs.shared.entry(name.clone()).or_insert(size);
        *known = (known.0.max(size.0), known.1.max(size.1));
        let address = Address::symbol(name, AddressSpace::Shared);
        self.bind_address(op.get_result(self.ctx), address);
        Ok(())
    }

    pub(super) fn dynamic_shared(&mut self, op: &DynamicShared) -> Result<()> {
        self.needs.dynamic_shared = true;
        let address = Address::symbol(DYNAMIC_SHARED, AddressSpace::Shared);
        self.bind_address(op.get_result(self.ctx), address);
        Ok(())
    }

    pub(super) fn scratch(&mut self, op: &Scratch) -> Result<()> {
        let register = self.bases.scratch.clone().ok_or_else(|| {
            Diagnostic::error("only kernels have scratch memory, not the functions they call")
        })?;
        let address = Address::register(register, AddressSpace::Global);
        self.bind_address(op.get_result(self.ctx), address);
        Ok(())
    }
}

/// `name` with what PTX allows in names only.
pub(super) fn identifier(name: &str) -> String {
    let allowed = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '_'
        }
    };
    name.chars().map(allowed).collect()
}
