//! Kernels: the entry, its parameters, and where its variables live.
//!
//! ```text
//! .visible .entry accrue_k0_0(
//!     .param .align 8 .b8 accrue_k0_0_args[16],
//!     .param .u64 accrue_k0_0_scratch
//! )
//! .maxntid 256, 1, 1
//! {
//!     ld.param.u64 %rd1, [accrue_k0_0_args];      the first variable, by address
//!     cvta.to.global.u64 %rd2, %rd1;
//!     ld.param.f64 %fd1, [accrue_k0_0_args+8];    the second, by value
//! ```

use super::{
    Function, Unit,
    function::{Bases, Exit, Selector},
    gpu::DYNAMIC_SHARED,
    operand::{Address, Part},
    types::{Class, cells},
};
use crate::{
    WARP,
    diagnostic::{Diagnostic, Result, error_at, or_at},
    expanded::{ExpandedKernel, Storage},
    origins, registers,
    versions::{self, Version, fast_name},
};
use accrue_abi::launch;
use accrue_dialects::core::{AddressSpace, Alloca};
use accrue_hostcall::{SiteVar, arguments};
use accrue_ir::walk::nested;
use accrue_simt::storage::in_group;
use pliron::{
    builtin::op_interfaces::OneResultInterface, context::Ptr, op::Op, operation::Operation,
    r#type::Typed, value::Value,
};

/// Bytes at the start of the scratch memory that are zero between launches.
const SCRATCH_HEAD: u64 = launch::SCRATCH_HEAD as u64;
/// Where that of its workers may start.
const ALIGNMENT: u64 = launch::SCRATCH_ALIGNMENT as u64;

impl Unit<'_> {
    /// A kernel of a site with these variables: its safe version or another.
    pub(super) fn kernel(
        &self,
        kernel: &ExpandedKernel,
        vars: &[SiteVar],
        version: Option<&Version>,
    ) -> Result<Function> {
        let op = kernel.function.get_operation();
        let name = match version {
            None => &kernel.form.entry,
            Some(_) => &fast_name(&kernel.form.entry),
        };
        let spaces = self.spaces_of(&kernel.name);
        let mut printer = Selector::new(self, name, spaces, Exit::Kernel, version);
        let entry = kernel.function.get_entry_block(self.ctx);
        let parameters: Vec<Value> = entry.deref(self.ctx).arguments().collect();
        let arguments =
            arguments(name, parameters, vars).map_err(|message| error_at(self.ctx, op, message))?;
        for (argument, _, word) in arguments.each {
            printer
                .argument(argument, &format!("{name}_args"), 8 * word)
                .map_err(|d| or_at(d, self.ctx, op))?;
        }
        let storages = self.storages(op);
        if version.is_none() && storages.contains(&Storage::Shared) {
            let (records, storage) = (&self.expanded.records, &self.expanded.storage);
            let own = origins::infer(self.ctx, kernel.function, records, storage, |_| false);
            printer.own_origins = Some(own);
        }
        printer.covers = versions::grid_covers(self.ctx, op);
        printer.bases(kernel, &storages);
        let reached = printer
            .body(op.deref(self.ctx).get_region(0))
            .map_err(|d| or_at(d, self.ctx, op))?;
        if reached {
            printer.code.emit("ret", &[]);
        }
        let mut params = vec![];
        if arguments.words > 0 {
            params.push(format!(
                ".param .align 8 .b8 {name}_args[{}]",
                8 * arguments.words
            ));
        }
        params.push(format!(".param .u64 {name}_scratch"));
        let threads = kernel.form.max_workers * kernel.form.max_vector;
        let fewest = registers::fewest_blocks(self.ctx, kernel.function, &printer.code, threads);
        let fewest = fewest.map_or_else(String::new, |n| format!("\n.minnctapersm {n}"));
        let head = format!(
            ".visible .entry {name}(\n\t{}\n)\n.maxntid {threads}, 1, 1{fewest}",
            params.join(",\n\t")
        );
        Ok(printer.finish(&head))
    }

    /// Where the variables of a function live.
    fn storages(&self, function: Ptr<Operation>) -> Vec<Storage> {
        let allocas = nested::<Alloca>(self.ctx, function);
        let storage = |a: &Alloca| self.storage_of(a.get_operation());
        allocas.iter().map(storage).collect()
    }
}

impl Selector<'_> {
    /// Reads an argument from the parameter, if it is used.
    fn argument(&mut self, argument: Value, param: &str, offset: u64) -> Result<()> {
        let ty = argument.get_type(self.ctx);
        if argument.num_uses(self.ctx) == 0 {
            return Ok(());
        }
        let (mut parts, mut offset) = (vec![], offset);
        for cell in cells(self.ctx, ty)? {
            let at = match offset {
                0 => format!("[{param}]"),
                _ => format!("[{param}+{offset}]"),
            };
            let opcode = format!("ld.param.{}", cell.access);
            let text = match cell.class {
                Class::Pred => {
                    let byte = self.compute(Class::B32, &opcode, &[&at]);
                    self.compute(Class::Pred, "setp.ne.s32", &[&byte, "0"])
                }
                class => self.compute(class, &opcode, &[&at]),
            };
            parts.push(Part::new(cell.class, text));
            offset += cell.bytes;
        }
        if let ([one], true) = (parts.as_mut_slice(), self.is_pointer(argument)) {
            one.text = self.compute(Class::B64, "cvta.to.global.u64", &[&one.text]);
        }
        self.bind_scalar(argument, parts, AddressSpace::Global);
        Ok(())
    }

    /// Computes the starts of the memories that the kernel's variables are in, and who the thread works with.
    fn bases(&mut self, kernel: &ExpandedKernel, storages: &[Storage]) {
        let uses = |kind: fn(&Storage) -> bool| storages.iter().any(kind);
        let gang = uses(|s| matches!(s, Storage::ScratchGang { .. }));
        let worker = uses(|s| matches!(s, Storage::ScratchWorker { .. }));
        let shared = uses(|s| matches!(s, Storage::SharedWorker { .. }));
        let mut bases = Bases::default();
        if (2..WARP).contains(&kernel.form.max_vector) {
            bases.members = Some(self.worker_lanes(kernel.form.max_vector));
        }
        if gang || worker || kernel.form.needs_scratch {
            let opcode = "ld.param.u64";
            let param = format!("[{}_scratch]", self.name);
            let generic = self.compute(Class::B64, opcode, &[&param]);
            bases.scratch = Some(self.compute(Class::B64, "cvta.to.global.u64", &[&generic]));
        }
        if let Some(scratch) = &bases.scratch {
            if gang {
                bases.scratch_gang = Some(self.gang_base(scratch, kernel));
            }
            if worker {
                bases.scratch_worker = Some(self.worker_base(scratch, kernel));
            }
        }
        if shared {
            self.needs.dynamic_shared = true;
            let worker = self.compute(Class::B32, "mov.u32", &["%tid.y"]);
            let start = self.mov(Class::B64, DYNAMIC_SHARED);
            let bytes = kernel.form.shared_worker_bytes.to_string();
            bases.shared_worker =
                Some(self.compute(Class::B64, "mad.wide.u32", &[&worker, &bytes, &start]));
        }
        self.bases = bases;
    }

    /// The mask of this thread's worker, which has the `lanes` lanes of the warp whose numbers differ in the lowest bits.
    fn worker_lanes(&mut self, lanes: u32) -> String {
        let lane = self.compute(Class::B32, "mov.u32", &["%laneid"]);
        let first = format!("-{lanes}");
        let first = self.compute(Class::B32, "and.b32", &[&lane, &first]);
        let all = self.mov(Class::B32, &((1u32 << lanes) - 1).to_string());
        self.compute(Class::B32, "shl.b32", &[&all, &first])
    }

    /// A special register as a 64-bit number.
    fn read_wide(&mut self, name: &str) -> String {
        let register = self.compute(Class::B32, "mov.u32", &[name]);
        self.compute(Class::B64, "cvt.u64.u32", &[&register])
    }

    /// The number of this gang, `x + nx * (y + ny * z)` in a grid of several dimensions.
    fn gang(&mut self, kernel: &ExpandedKernel) -> String {
        let x = self.read_wide("%ctaid.x");
        if !kernel.form.gang_dims.contains(&true) {
            return x;
        }
        let [y, z, ny, nx] =
            ["%ctaid.y", "%ctaid.z", "%nctaid.y", "%nctaid.x"].map(|name| self.read_wide(name));
        let row = self.compute(Class::B64, "mad.lo.s64", &[&z, &ny, &y]);
        self.compute(Class::B64, "mad.lo.s64", &[&row, &nx, &x])
    }

    /// The number of gangs.
    fn gangs(&mut self, kernel: &ExpandedKernel) -> String {
        let x = self.read_wide("%nctaid.x");
        if !kernel.form.gang_dims.contains(&true) {
            return x;
        }
        let [y, z] = ["%nctaid.y", "%nctaid.z"].map(|name| self.read_wide(name));
        let plane = self.compute(Class::B64, "mul.lo.s64", &[&x, &y]);
        self.compute(Class::B64, "mul.lo.s64", &[&plane, &z])
    }

    /// `scratch + 4096 + gang * bytes`.
    fn gang_base(&mut self, scratch: &str, kernel: &ExpandedKernel) -> String {
        let gang = self.gang(kernel);
        let bytes = kernel.form.scratch_gang_bytes;
        let first = self.compute(Class::B64, "add.s64", &[scratch, &SCRATCH_HEAD.to_string()]);
        self.compute(
            Class::B64,
            "mad.lo.s64",
            &[&gang, &bytes.to_string(), &first],
        )
    }

    /// `scratch + (4096 + gangs * gang bytes, up to the next multiple of 128) + (gang * workers + worker) * worker bytes`.
    fn worker_base(&mut self, scratch: &str, kernel: &ExpandedKernel) -> String {
        let gangs = self.gangs(kernel);
        let gang = self.gang(kernel);
        let workers = self.read_wide("%ntid.y");
        let worker = self.read_wide("%tid.y");
        let of = |p: &mut Self, a: &str, b: &str, c: &str| {
            p.compute(Class::B64, "mad.lo.s64", &[a, b, c])
        };
        let gang_bytes = kernel.form.scratch_gang_bytes.to_string();
        let head = of(
            self,
            &gangs,
            &gang_bytes,
            &(SCRATCH_HEAD + ALIGNMENT - 1).to_string(),
        );
        let head = self.compute(Class::B64, "and.b64", &[&head, &format!("-{ALIGNMENT}")]);
        let first = self.compute(Class::B64, "add.s64", &[scratch, &head]);
        let number = of(self, &gang, &workers, &worker);
        of(
            self,
            &number,
            &kernel.form.scratch_worker_bytes.to_string(),
            &first,
        )
    }

    /// A variable gets its registers or its place in memory.
    pub(super) fn alloca(&mut self, op: &Alloca) -> Result<()> {
        let (variable, ty) = (op.get_result(self.ctx), op.var_type(self.ctx));
        if variable.num_uses(self.ctx) == 0 {
            return Ok(());
        }
        if op.count(self.ctx).is_some() {
            return Err(Diagnostic::error(
                "a GPU cannot hold a variable-length array of each thread or gang; give it a constant length",
            ));
        }
        let name = op.variable(self.ctx).map(|v| v.name);
        let name = name.filter(|n| !n.is_empty());
        let storage = self.unit.storage_of(op.get_operation());
        let missing = || Diagnostic::error("only kernels have memory per gang and per worker");
        let place = |base: &Option<String>, offset: u64, space| {
            let base = base.clone().ok_or_else(missing)?;
            let offset = i64::try_from(offset).map_err(|_| missing())?;
            Address::register(base, space)
                .plus(offset)
                .ok_or_else(missing)
        };
        let address = match storage {
            Storage::Register => {
                let registers = self.new_registers(ty)?;
                if let Some(name) = &name {
                    let list: Vec<_> = registers.iter().map(|r| r.text.as_str()).collect();
                    self.code
                        .comment(&format!("{} is `{name}`", list.join(", ")));
                }
                self.new_variable(variable, registers);
                return Ok(());
            }
            Storage::Local | Storage::Shared => {
                let extent = match storage == Storage::Shared {
                    true => in_group(self.extent(ty)?),
                    false => self.extent(ty)?,
                };
                let symbol = self.symbol(&identifier_of(name.as_deref()));
                let (bytes, align) = (extent.size.max(1), extent.align);
                let declaration = |space| format!(".{space} .align {align} .b8 {symbol}[{bytes}];");
                match storage {
                    Storage::Shared => {
                        self.outer.push(declaration("shared"));
                        Address::symbol(symbol, AddressSpace::Shared)
                    }
                    _ => {
                        self.locals.push(declaration("local"));
                        Address::symbol(symbol, AddressSpace::Local)
                    }
                }
            }
            Storage::SharedWorker { offset } => {
                place(&self.bases.shared_worker, offset, AddressSpace::Shared)?
            }
            Storage::ScratchGang { offset } => {
                place(&self.bases.scratch_gang, offset, AddressSpace::Global)?
            }
            Storage::ScratchWorker { offset } => {
                place(&self.bases.scratch_worker, offset, AddressSpace::Global)?
            }
        };
        self.bind_address(variable, address);
        Ok(())
    }
}

/// The end of a symbol for the user's variable of that name.
fn identifier_of(name: Option<&str>) -> String {
    name.map_or_else(String::new, |n| format!("_{}", super::gpu::identifier(n)))
}
