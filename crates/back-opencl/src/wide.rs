//! Adjacent accesses of one work item, which become one of a vector in a kernel's fast version.
//!
//! ```c
//! int4 t1 = *(const __global int4 *)(&a[4 * i]);           a[4 * i] … a[4 * i + 3]: t1.s0 … t1.s3
//! *(__global float2 *)(&b[2 * i + 1] - 1) = (float2)(x, y);
//! ```
//! A driver's compiler does not know that addresses are multiples of the vector's size; here the launch has found out ([`versions`]): the
//! plan says for which parameters. Work items whose elements lie in lines of their own ask for each line once then, not once
//! for each element.
//!
//! Up to 16 bytes from the same address on, a known distance apart, go together if they are in one piece of straight code. A load
//! stands where the first of them was, a store where the last one was; so nothing in between stores to what is loaded (loads of what
//! nobody writes pass stores), or touches what is stored.
//!
//! Cost: linear in the operations, but for accesses between two walls, which are compared with each other.
//!
//! [`versions`]: accrue_simt::analysis::versions

use crate::{diagnostic::Result, expanded::Expanded, spaces::space};
use accrue_dialects::core::{
    AddressSpace, Alloca, Bin, BinKind, Call, Cast, CastKind, Decay, Load, Member, PtrAdd, Store,
    float_width, fold::constant, int_width, pointee, record_tag,
};
use accrue_emit_c::{FunctionPrinter, expr::Expr};
use accrue_ir::{
    effects::is_pure,
    walk::{nested_ops, ops_of_region, regions_of},
};
use accrue_simt::{
    analysis::versions::Version,
    expanded::Storage,
    layout::{self, extent},
};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// Bytes of the widest access.
const WIDEST: u64 = 16;

/// What becomes of a kernel's accesses.
#[derive(Default)]
pub struct Plan {
    roles: HashMap<Ptr<Operation>, Role>,
    groups: u64,
    /// The parameters that must be multiples of 16.
    pub aligned: u64,
    /// The names of vectors that were loaded, and of the elements that wait to be stored, by group.
    names: HashMap<u64, Vec<String>>,
}

/// The part of an access in its group.
#[derive(Clone, Copy)]
struct Role {
    group: u64,
    count: u64,
    index: u64,
    /// The group's access stands here.
    acts: bool,
}

/// A value that two addresses may have in common: what it is, or which variable had it how many changes ago.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Same {
    Value(Value),
    Variable(Value, u64),
}

/// Where an address starts: at a value, or at the element with a variable index behind one, of so many bytes each.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Start {
    base: Same,
    element: Option<(Same, u64)>,
}

#[derive(Clone)]
struct Access {
    op: Ptr<Operation>,
    start: Start,
    offset: i128,
    ty: TypeHandle,
    bytes: u64,
    /// What is known to divide the address.
    factor: u64,
    parameters: u64,
    constant: bool,
}

impl Access {
    fn goes_with(&self, other: &Access) -> bool {
        self.start == other.start && self.ty == other.ty
    }

    fn overlaps(&self, other: &Access) -> bool {
        let ends = |a: &Access| a.offset + i128::from(a.bytes);
        self.start != other.start || self.offset < ends(other) && other.offset < ends(self)
    }
}

/// The accesses of a kernel that go together under what its fast version assumes.
pub fn plan(ctx: &Context, expanded: &Expanded, kernel: FuncOp, version: &Version) -> Plan {
    let mut finder = Finder {
        ctx,
        expanded,
        version,
        plan: Plan::default(),
        epoch: 0,
        latest_wall: 0,
        changes: HashMap::new(),
        loaded: HashMap::new(),
        loads: vec![],
        stores: vec![],
    };
    let root = kernel.get_operation();
    for op in nested_ops(ctx, root).into_iter().chain([root]) {
        for region in regions_of(ctx, op) {
            finder.straight(region);
        }
    }
    finder.plan
}

struct Finder<'a> {
    ctx: &'a Context,
    expanded: &'a Expanded,
    version: &'a Version,
    plan: Plan,
    /// How many changes of variables and walls, at each of which any may have changed, there were; and when the latest wall was.
    epoch: u64,
    latest_wall: u64,
    /// The latest change of a register variable since then.
    changes: HashMap<Value, u64>,
    /// Of values that were loaded from register variables.
    loaded: HashMap<Value, Same>,
    loads: Vec<Access>,
    stores: Vec<Access>,
}

impl Finder<'_> {
    fn straight(&mut self, region: Ptr<Region>) {
        self.wall();
        self.loaded.clear();
        for op in ops_of_region(self.ctx, region) {
            self.visit(op);
        }
        self.wall();
    }

    fn wall(&mut self) {
        self.close_loads(|_| true);
        self.close_stores();
        self.epoch += 1;
        self.latest_wall = self.epoch;
        self.changes.clear();
    }

    fn visit(&mut self, op: Ptr<Operation>) {
        let ctx = self.ctx;
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            let address = load.get_operand_address(ctx);
            if self.is_register(address) {
                let same = self.variable(address);
                self.loaded.insert(load.get_result(ctx), same);
            } else if load.is_volatile(ctx) {
                self.wall();
            } else if self.is_of_device(address) {
                self.load(op, address, load.get_result(ctx).get_type(ctx));
            }
        } else if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            let address = store.get_operand_address(ctx);
            if self.is_register(address) {
                self.epoch += 1;
                self.changes.insert(address, self.epoch);
            } else if store.is_volatile(ctx) {
                self.wall();
            } else if self.is_of_device(address) {
                self.store(op, address, store.get_operand_value(ctx).get_type(ctx));
            }
        } else if !self.is_harmless(op) {
            self.wall();
        }
    }

    fn load(&mut self, op: Ptr<Operation>, address: Value, ty: TypeHandle) {
        let origin = self.version.origins.of(address);
        if !self.version.is_constant(origin) {
            self.close_stores();
        }
        if let Some(access) = self.access(op, address, ty) {
            self.loads.push(access);
        }
    }

    fn store(&mut self, op: Ptr<Operation>, address: Value, ty: TypeHandle) {
        self.close_loads(|load| !load.constant);
        let Some(access) = self.access(op, address, ty) else {
            return self.close_stores();
        };
        if self.stores.iter().any(|other| other.overlaps(&access)) {
            self.close_stores();
        }
        self.stores.push(access);
    }

    /// Whether an operation has no part in memory of the device.
    fn is_harmless(&self, op: Ptr<Operation>) -> bool {
        let ctx = self.ctx;
        if op.deref(ctx).num_regions() > 0 {
            return false;
        }
        let call = Operation::get_op::<Call>(op, ctx);
        let pure = call.is_some_and(|call| {
            let traits = self.expanded.externs.traits(&call.callee(ctx));
            traits.pure
        });
        pure || is_pure(ctx, op) || Operation::is_op::<Alloca>(op, ctx)
    }

    fn is_register(&self, address: Value) -> bool {
        let op = address.defining_op();
        op.is_some_and(|op| self.expanded.storage.get(&op) == Some(&Storage::Register))
    }

    fn is_of_device(&self, address: Value) -> bool {
        space(self.ctx, address) == Some(AddressSpace::Global)
    }

    /// What the variable holds now.
    fn variable(&self, address: Value) -> Same {
        let change = self.changes.get(&address);
        Same::Variable(address, change.copied().unwrap_or(self.latest_wall))
    }

    fn same(&self, value: Value) -> Same {
        let loaded = self.loaded.get(&value);
        loaded.copied().unwrap_or(Same::Value(value))
    }

    fn access(&self, op: Ptr<Operation>, address: Value, ty: TypeHandle) -> Option<Access> {
        let ctx = self.ctx;
        let is_number = matches!(int_width(ctx, ty), Some(8 | 16 | 32 | 64))
            || matches!(float_width(ctx, ty), Some(32 | 64));
        let origin = self.version.origins.of(address);
        if !is_number || origin.unknown || origin.parameters == 0 {
            return None;
        }
        let (start, offset) = self.start(address);
        Some(Access {
            op,
            start,
            offset,
            ty,
            bytes: extent(ctx, &self.expanded.records, ty)?.size,
            factor: origin.distance.factor(),
            parameters: origin.parameters,
            constant: self.version.is_constant(origin),
        })
    }

    /// Where an address starts, and how many bytes behind that it is.
    fn start(&self, address: Value) -> (Start, i128) {
        let ctx = self.ctx;
        let mut at = address;
        let mut offset = 0;
        while let Some(op) = at.defining_op() {
            if let Some(add) = Operation::get_op::<PtrAdd>(op, ctx) {
                let (base, index) = (add.get_operand_base(ctx), add.get_operand_index(ctx));
                let Some(size) = self.size(base) else { break };
                let (index, more) = self.sum(index);
                offset += more * i128::from(size);
                if let Some(index) = index {
                    let base = self.same(base);
                    let element = Some((self.same(index), size));
                    return (Start { base, element }, offset);
                }
                at = base;
            } else if let Some(member) = Operation::get_op::<Member>(op, ctx) {
                let record = member.get_operand_record(ctx);
                let Some(of_field) = self.offset(record, member.field(ctx)) else {
                    break;
                };
                offset += i128::from(of_field);
                at = record;
            } else if let Some(decay) = Operation::get_op::<Decay>(op, ctx) {
                at = decay.get_operand_array(ctx);
            } else if let Some(cast) = Operation::get_op::<Cast>(op, ctx)
                && cast.kind(ctx) == CastKind::PtrCast
            {
                at = cast.get_operand_value(ctx);
            } else {
                break;
            }
        }
        let base = self.same(at);
        (
            Start {
                base,
                element: None,
            },
            offset,
        )
    }

    /// An index as a value and a number; the number alone if it is constant. Signed sums do not overflow.
    fn sum(&self, index: Value) -> (Option<Value>, i128) {
        let ctx = self.ctx;
        if let Some(number) = constant(ctx, index) {
            return (None, number);
        }
        let bin = index.defining_op();
        let bin = bin.and_then(|op| Operation::get_op::<Bin>(op, ctx));
        if let Some(bin) = bin.filter(|bin| bin.kind(ctx) == BinKind::AddS)
            && let Some(number) = constant(ctx, bin.get_operand_rhs(ctx))
        {
            return (Some(bin.get_operand_lhs(ctx)), number);
        }
        (Some(index), 0)
    }

    fn size(&self, pointer: Value) -> Option<u64> {
        let to = pointee(self.ctx, pointer)?;
        Some(layout::extent(self.ctx, &self.expanded.records, to)?.size)
    }

    fn offset(&self, record: Value, field: u32) -> Option<u64> {
        let tag = record_tag(self.ctx, pointee(self.ctx, record)?)?;
        let definition = self.expanded.records.get(&tag)?;
        Some(definition.fields.get(field as usize)?.offset)
    }

    fn close_loads(&mut self, which: impl Fn(&Access) -> bool) {
        let all = std::mem::take(&mut self.loads);
        let (closed, open) = all.into_iter().partition(which);
        self.loads = open;
        self.group(closed, |_, number| number == 0);
    }

    fn close_stores(&mut self) {
        let closed = std::mem::take(&mut self.stores);
        self.group(closed, |count, number| number + 1 == count);
    }

    /// Groups adjacent ones, which are in the order of the code, widest first. `acts`: which one of so many, in that order.
    fn group(&mut self, mut left: Vec<Access>, acts: fn(usize, usize) -> bool) {
        for count in [4u64, 2] {
            let mut starts: Vec<Access> = left.clone();
            starts.sort_by_key(|access| access.offset);
            for first in starts {
                let all = count * first.bytes;
                if all > WIDEST || first.factor < all {
                    continue;
                }
                let part = |number: u64| {
                    let at = first.offset + i128::from(number * first.bytes);
                    left.iter()
                        .position(|a| a.offset == at && a.goes_with(&first))
                };
                let parts: Vec<usize> = (0..count).map_while(part).collect();
                if parts.len() as u64 != count {
                    continue;
                }
                let mut in_code = parts.clone();
                in_code.sort_unstable();
                self.plan.groups += 1;
                let ops: HashSet<_> = parts.iter().map(|part| left[*part].op).collect();
                for (index, part) in (0..).zip(&parts) {
                    let place = in_code.iter().position(|at| at == part).unwrap_or_default();
                    self.plan.aligned |= left[*part].parameters;
                    let role = Role {
                        group: self.plan.groups,
                        count,
                        index,
                        acts: acts(parts.len(), place),
                    };
                    self.plan.roles.insert(left[*part].op, role);
                }
                left.retain(|access| !ops.contains(&access.op));
            }
        }
    }
}

/// Prints an access that is part of one. False: it is not.
pub fn prints(plan: &mut Plan, p: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<bool> {
    let ctx = p.ctx;
    let Some(role) = plan.roles.get(&op).copied() else {
        return Ok(false);
    };
    let names = plan.names.entry(role.group).or_default();
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        let address = p.take(load.get_operand_address(ctx))?.whole();
        let result = load.get_result(ctx);
        if role.acts {
            let name = p.temporary_name();
            let ty = format!("{}{}", p.type_name(result.get_type(ctx))?, role.count);
            let from = first(&address, role.index);
            p.statement(format!("{ty} {name} = *(const __global {ty} *)({from});"))?;
            names.push(name);
        }
        let vector = names.first().cloned().unwrap_or_default();
        p.bind(result, Expr::atom(format!("{vector}.s{}", role.index)));
    } else if let Some(store) = Operation::get_op::<Store>(op, ctx) {
        let value = store.get_operand_value(ctx);
        let ty = p.type_name(value.get_type(ctx))?;
        let value = format!("({ty})({})", p.take_fixed(value)?.whole());
        names.resize(role.count as usize, String::new());
        names[role.index as usize] = value;
        let address = p.take(store.get_operand_address(ctx))?.whole();
        if role.acts {
            let ty = format!("{ty}{}", role.count);
            let (to, values) = (first(&address, role.index), names.join(", "));
            p.statement(format!("*(__global {ty} *)({to}) = ({ty})({values});"))?;
        }
    }
    Ok(true)
}

/// The address of the group's first element, of which `address` is so far behind.
fn first(address: &str, index: u64) -> String {
    match index {
        0 => address.to_string(),
        index => format!("({address}) - {index}"),
    }
}
