//! How numbers and addresses that a nest of loops computes are had before it.
//!
//! ```text
//! n, a variable                             loaded once more
//! s->p, in the nest                         its operations once more, if they start from variables or from what is there
//! a value of the host's function            what the variable holds that is set to it, once, and that the construct reads
//! ```
//! Cost: linear in the size of an expression.

use accrue_dialects::{
    acc::{Kernels, Loop},
    address_use::{UseKind, use_of},
    core::{AddressOf, Alloca, Bin, Cast, Const, Decay, Extent, Load, Member, PtrAdd, Store},
};
use accrue_ir::walk;
use accrue_opt::analysis::{
    accesses::Reader,
    affine::{Atom, Sum},
    variables::{defined_inside, root_of},
};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneRegionInterface},
    context::Ptr,
    operation::Operation,
    value::Value,
};
use std::cell::RefCell;

use super::Access;

/// A sum of products.
pub(super) struct Number(pub Vec<(Vec<Source>, i64)>);

/// A number or an address that is known before the nest.
pub(super) struct Source {
    pub value: Had,
    pub signed: bool,
}

/// How a value is had before the nest.
#[derive(Clone)]
pub(super) enum Had {
    There(Value),
    /// Copies of these operations, in order; the last one gives it.
    Again(Vec<Ptr<Operation>>),
    /// What this variable holds.
    Held(Value),
}

/// A nest, before which numbers are wanted.
pub(super) struct Finder<'a> {
    pub reader: &'a Reader<'a>,
    pub lp: Loop,
    pub construct: Kernels,
    /// What the nest accesses.
    pub accesses: &'a [Access],
    /// What has to be loaded by way of pointers that are loaded themselves.
    pub indirect: RefCell<Vec<Value>>,
}

impl Finder<'_> {
    /// A sum of what is known before the nest.
    pub fn number(&self, sum: &Sum) -> Option<Number> {
        let terms = sum.terms().map(|(atoms, factor)| {
            let product = atoms.iter().map(|atom| {
                let (atom, value) = self.reader.atom(*atom);
                Some(match atom {
                    Atom::Value { value, signed } if self.is_there(value) => Source {
                        value: self.known(value)?,
                        signed,
                    },
                    Atom::Variable { signed, .. } => Source {
                        value: self.again(value)?,
                        signed,
                    },
                    Atom::Value { .. } | Atom::Wrapped { .. } => return None,
                })
            });
            Some((product.collect::<Option<Vec<_>>>()?, factor))
        });
        Some(Number(terms.collect::<Option<_>>()?))
    }

    /// Whether a value is known before the nest: it is computed there, or loaded from what keeps what it holds.
    fn is_there(&self, value: Value) -> bool {
        !self.is_inside(value) || self.reader.is_kept(value)
    }

    fn is_inside(&self, value: Value) -> bool {
        let ctx = self.reader.ctx;
        defined_inside(ctx, value, self.lp.get_region(ctx))
    }

    /// How a value is had before the nest.
    pub fn known(&self, value: Value) -> Option<Had> {
        let ctx = self.reader.ctx;
        if self.is_inside(value) {
            return self.again(value);
        }
        if defined_inside(ctx, value, self.construct.get_region(ctx)) {
            return Some(Had::There(value));
        }
        if let Some(op) = value.defining_op() {
            if Operation::is_op::<AddressOf>(op, ctx) {
                return self.again(value);
            }
            if Operation::is_op::<Alloca>(op, ctx) {
                return Some(Had::There(value));
            }
        }
        // A value of the host is had from the variable that holds it.
        let stores = value.uses(ctx).into_iter();
        let mut stores =
            stores.filter_map(|using| Operation::get_op::<Store>(using.user_op(), ctx));
        let variable = stores.find_map(|store| {
            let variable = store.get_operand_address(ctx);
            let held = store.get_operand_value(ctx) == value && self.is_set_once(variable);
            (held && self.reads(variable)).then_some(variable)
        })?;
        Some(Had::Held(variable))
    }

    /// Whether the construct reads the variable.
    fn reads(&self, variable: Value) -> bool {
        let ctx = self.reader.ctx;
        let construct = self.construct.get_region(ctx);
        variable.uses(ctx).into_iter().any(|using| {
            let op = using.user_op();
            Operation::is_op::<Load>(op, ctx) && walk::is_inside(ctx, op, construct)
        })
    }

    /// Whether the only thing that is done with a variable beside loading it is one store.
    fn is_set_once(&self, variable: Value) -> bool {
        let ctx = self.reader.ctx;
        let alloca = variable.defining_op();
        let mut stores = 0;
        alloca.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
            && variable.uses(ctx).into_iter().all(|using| {
                match use_of(ctx, using.user_op(), using.find_index(ctx)) {
                    UseKind::Read { volatile: false } | UseKind::Clause | UseKind::Look => true,
                    UseKind::Write { volatile: false } => {
                        stores += 1;
                        stores == 1
                    }
                    UseKind::Read { volatile: true } | UseKind::Write { volatile: true } => false,
                    UseKind::Update { .. } | UseKind::Derive | UseKind::Pass | UseKind::Keep => {
                        false
                    }
                }
            })
    }

    /// The operations that give a value once more, from variables and what is there before the nest.
    fn again(&self, value: Value) -> Option<Had> {
        let mut ops = vec![];
        self.copies(value, &mut ops)?;
        if ops.iter().any(|op| self.follows(*op)) && self.is_inside(value) {
            self.indirect.borrow_mut().push(value);
        }
        Some(Had::Again(ops))
    }

    /// Whether the operation loads something by way of a pointer.
    fn follows(&self, op: Ptr<Operation>) -> bool {
        let ctx = self.reader.ctx;
        let load = Operation::get_op::<Load>(op, ctx);
        load.is_some_and(|load| self.reader.pointer(load.get_operand(ctx)).is_some())
    }

    fn copies(&self, value: Value, ops: &mut Vec<Ptr<Operation>>) -> Option<()> {
        let ctx = self.reader.ctx;
        let op = value.defining_op()?;
        if ops.contains(&op) {
            return Some(());
        }
        let inside = walk::is_inside(ctx, op, self.lp.get_region(ctx));
        if Operation::is_op::<Alloca>(op, ctx) {
            return (!inside).then_some(());
        }
        let load = Operation::get_op::<Load>(op, ctx);
        let of_variable = load.is_some_and(|load| root_of(ctx, load.get_operand(ctx)).is_some());
        if !inside && !of_variable && !Operation::is_op::<AddressOf>(op, ctx) {
            let there = walk::is_inside(ctx, op, self.construct.get_region(ctx));
            return there.then_some(());
        }
        let plain = load.is_some_and(|load| !load.is_volatile(ctx))
            || [
                Operation::is_op::<AddressOf>,
                Operation::is_op::<Member>,
                Operation::is_op::<Decay>,
                Operation::is_op::<PtrAdd>,
                Operation::is_op::<Cast>,
                Operation::is_op::<Const>,
                Operation::is_op::<Extent>,
            ]
            .iter()
            .any(|is| is(op, ctx))
            || Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| bin.kind(ctx).ring().is_some());
        if !plain {
            return None;
        }
        for operand in walk::operands_of(ctx, op) {
            self.copies(operand, ops)?;
        }
        ops.push(op);
        Some(())
    }
}
