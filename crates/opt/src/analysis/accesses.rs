//! Memory accesses of a loop body in a form that can be compared: which variable, and which element as a linear form.
//!
//! ```text
//! a[2 * i + k][j - 1]   →   root a, path [ {i: 2, k: 1}, {j: 1, 1: -1} ]
//! p[i * m + j]          →   root *p, path [ {i·m: 1, j: 1} ]
//! ```
//!
//! Terms are products of *atoms*: induction variables, variables that the loop does not write, and values that nothing is
//! known about. The arithmetic is that of unbounded integers: a subscript that overflows is undefined in C, or as good as
//! outside its array.

use accrue_abi::symbols::shown;
use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::fold::constant,
    core::{Alloca, Bin, BinKind, Cast, CastKind, Decay, Load, Member, PtrAdd, Store, int_width},
};
use accrue_ir::walk;
use pliron::context::Ptr;
use pliron::{
    builtin::op_interfaces::OneOpdInterface, context::Context, operation::Operation,
    region::Region, r#type::Typed, value::Value,
};
use std::collections::BTreeSet;

use crate::analysis::variables::{Root, defined_inside, root_of};

/// Something that a subscript is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// An induction variable: the argument of a loop's body.
    Induction(Value),
    /// The value of a variable that the loop does not write.
    Invariant(Root),
    /// A value computed before the loop.
    Outside(Value),
    /// A value that may differ from one evaluation to the next.
    Unknown(Value),
}

/// A sum of products of atoms, with factors; the empty product is the constant term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear(pub Vec<(Vec<Atom>, i128)>);

impl Linear {
    fn number(value: i128) -> Self {
        let mut sum = Linear::default();
        sum.add_term(vec![], value);
        sum
    }

    fn atom(atom: Atom) -> Self {
        Linear(vec![(vec![atom], 1)])
    }

    fn add_term(&mut self, atoms: Vec<Atom>, factor: i128) {
        match self.0.iter().position(|(a, _)| same_product(a, &atoms)) {
            Some(at) => {
                self.0[at].1 += factor;
                if self.0[at].1 == 0 {
                    self.0.remove(at);
                }
            }
            None if factor != 0 => self.0.push((atoms, factor)),
            None => {}
        }
    }

    fn plus(mut self, other: &Linear, factor: i128) -> Self {
        for (atoms, f) in &other.0 {
            self.add_term(atoms.clone(), f.saturating_mul(factor));
        }
        self
    }

    /// The product.
    pub fn times(&self, other: &Linear) -> Self {
        let mut product = Linear::default();
        for (a, f) in &self.0 {
            for (b, g) in &other.0 {
                product.add_term(a.iter().chain(b).cloned().collect(), f.saturating_mul(*g));
            }
        }
        product
    }

    /// `self` minus `other`.
    pub fn minus(&self, other: &Linear) -> Linear {
        self.clone().plus(other, -1)
    }

    /// The number, if there are no other terms.
    pub fn as_number(&self) -> Option<i128> {
        match self.0.as_slice() {
            [] => Some(0),
            [(atoms, value)] if atoms.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The terms with `iv` in them, and the rest.
    pub fn split(&self, iv: Value) -> (Linear, Linear) {
        let has = |atoms: &[Atom]| atoms.contains(&Atom::Induction(iv));
        let (with, without) = self.0.iter().cloned().partition(|(atoms, _)| has(atoms));
        (Linear(with), Linear(without))
    }

    /// Whether all atoms have one value during the whole loop; the induction variables `fixed` count as such.
    pub fn is_invariant(&self, fixed: &[Value]) -> bool {
        self.0.iter().flat_map(|(atoms, _)| atoms).all(|a| match a {
            Atom::Invariant(_) | Atom::Outside(_) => true,
            Atom::Induction(iv) => fixed.contains(iv),
            Atom::Unknown(_) => false,
        })
    }

    /// The factor of `iv` when it is in one term only, in which it stands once: `s` of `s·iv`.
    pub fn factor_of(&self, iv: Value) -> Option<Linear> {
        let (with, _) = self.split(iv);
        let [(atoms, factor)] = with.0.as_slice() else {
            return None;
        };
        let rest: Vec<_> = atoms
            .iter()
            .filter(|a| **a != Atom::Induction(iv))
            .cloned()
            .collect();
        (rest.len() + 1 == atoms.len()).then(|| Linear(vec![(rest, *factor)]))
    }

    /// The induction variables in it.
    pub fn inductions(&self) -> Vec<Value> {
        let atoms = self.0.iter().flat_map(|(atoms, _)| atoms);
        atoms
            .filter_map(|a| match a {
                Atom::Induction(iv) => Some(*iv),
                Atom::Invariant(_) | Atom::Outside(_) | Atom::Unknown(_) => None,
            })
            .collect()
    }

    /// Whether both are the same sum.
    pub fn equals(&self, other: &Linear) -> bool {
        self.minus(other).0.is_empty()
    }
}

fn same_product(a: &[Atom], b: &[Atom]) -> bool {
    let mut rest = b.to_vec();
    a.len() == b.len()
        && a.iter()
            .all(|atom| match rest.iter().position(|r| r == atom) {
                Some(at) => {
                    rest.swap_remove(at);
                    true
                }
                None => false,
            })
}

/// What an address is based on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A variable of outside the loop.
    Variable(Root),
    /// What a pointer variable of outside the loop points to; the loop does not change the pointer.
    Pointee(Root),
    /// A variable of the loop's body: every iteration has its own.
    Inside,
    Unknown,
}

/// One step from the base to the element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Index(Linear),
    Member(u32),
}

/// An address in comparable form.
#[derive(Clone, Debug)]
pub struct Place {
    pub base: Base,
    pub path: Vec<Step>,
}

impl Place {
    /// Whether it is the same in all iterations.
    pub fn is_fixed(&self) -> bool {
        let indices = self.path.iter().all(|step| match step {
            Step::Index(index) => index.is_invariant(&[]),
            Step::Member(_) => true,
        });
        indices
            && match self.base {
                Base::Variable(_) | Base::Pointee(_) => true,
                Base::Inside | Base::Unknown => false,
            }
    }

    /// Whether an induction variable of the loop decides which element it is.
    pub fn has_induction(&self) -> bool {
        self.path.iter().any(|step| match step {
            Step::Index(index) => !index.inductions().is_empty(),
            Step::Member(_) => false,
        })
    }
}

/// What is needed to read the expressions of a loop body.
pub struct Reader<'a> {
    pub ctx: &'a Context,
    /// The body of the loop.
    pub region: Ptr<Region>,
    /// The variables that the body writes directly.
    written: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    pub fn new(ctx: &'a Context, region: Ptr<Region>) -> Self {
        let mut ops = vec![];
        walk::nested_in_region(ctx, region, &mut ops);
        let mut written = BTreeSet::new();
        for op in ops {
            let operands = walk::operands_of(ctx, op).into_iter().enumerate();
            let changed = operands.filter(|(index, _)| match use_of(ctx, op, *index) {
                UseKind::Write { .. } | UseKind::Update { .. } => true,
                UseKind::Read { .. } | UseKind::Derive | UseKind::Look => false,
                UseKind::Pass | UseKind::Clause | UseKind::Keep => false,
            });
            let roots = changed.filter_map(|(_, address)| root_of(ctx, address));
            written.extend(roots.map(|root| key(&root)));
        }
        Reader {
            ctx,
            region,
            written,
        }
    }

    /// Whether the body stores to the variable itself.
    pub fn is_written(&self, root: &Root) -> bool {
        self.written.contains(&key(root))
    }

    /// The place that `address` means.
    pub fn place(&self, address: Value) -> Place {
        let mut path = vec![];
        let base = self.walk_down(address, &mut path);
        Place { base, path }
    }

    fn walk_down(&self, address: Value, path: &mut Vec<Step>) -> Base {
        if let Some(root) = root_of(self.ctx, address) {
            return match root {
                Root::Local(alloca) if defined_inside(self.ctx, alloca, self.region) => {
                    Base::Inside
                }
                root => Base::Variable(root),
            };
        }
        let Some(op) = address.defining_op() else {
            return Base::Unknown;
        };
        if let Some(add) = Operation::get_op::<PtrAdd>(op, self.ctx) {
            let base = self.walk_down(add.get_operand_base(self.ctx), path);
            let index = self.linear(add.get_operand_index(self.ctx));
            match path.last_mut() {
                Some(Step::Index(before)) => *before = before.clone().plus(&index, 1),
                Some(Step::Member(_)) | None => path.push(Step::Index(index)),
            }
            return base;
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, self.ctx) {
            let base = self.walk_down(decay.get_operand(self.ctx), path);
            path.push(Step::Index(Linear::default()));
            return base;
        }
        if let Some(member) = Operation::get_op::<Member>(op, self.ctx) {
            let base = self.walk_down(member.get_operand(self.ctx), path);
            path.push(Step::Member(member.field(self.ctx)));
            return base;
        }
        let Some(load) = Operation::get_op::<Load>(op, self.ctx) else {
            return Base::Unknown;
        };
        path.push(Step::Index(Linear::default()));
        match root_of(self.ctx, load.get_operand(self.ctx)) {
            Some(Root::Local(alloca)) if defined_inside(self.ctx, alloca, self.region) => {
                match self.only_value(alloca) {
                    // A pointer copied to a local: what it was copied from.
                    Some(value) => {
                        path.clear();
                        self.walk_down(value, path)
                    }
                    None => Base::Unknown,
                }
            }
            Some(root) if !self.is_written(&root) => Base::Pointee(root),
            Some(_) | None => Base::Unknown,
        }
    }

    /// The value of an integer expression.
    pub fn linear(&self, value: Value) -> Linear {
        if let Some(number) = constant(self.ctx, value) {
            return Linear::number(number);
        }
        if !defined_inside(self.ctx, value, self.region) {
            return Linear::atom(Atom::Outside(value));
        }
        let Some(op) = value.defining_op() else {
            return Linear::atom(Atom::Induction(value));
        };
        if let Some(cast) = Operation::get_op::<Cast>(op, self.ctx) {
            return match cast.kind(self.ctx) {
                // Cutting off bits would make different values equal.
                CastKind::SExt | CastKind::ZExt => self.linear(cast.get_operand(self.ctx)),
                _ => Linear::atom(Atom::Unknown(value)),
            };
        }
        if let Some(bin) = Operation::get_op::<Bin>(op, self.ctx) {
            let (lhs, rhs) = (bin.get_operand_lhs(self.ctx), bin.get_operand_rhs(self.ctx));
            return match bin.kind(self.ctx) {
                BinKind::Add | BinKind::AddS => self.linear(lhs).plus(&self.linear(rhs), 1),
                BinKind::Sub | BinKind::SubS => self.linear(lhs).plus(&self.linear(rhs), -1),
                BinKind::MulS => self.linear(lhs).times(&self.linear(rhs)),
                // Unsigned products wrap around; those of 64 bits are taken not to.
                BinKind::Mul if int_width(self.ctx, value.get_type(self.ctx)) == Some(64) => {
                    self.linear(lhs).times(&self.linear(rhs))
                }
                _ => Linear::atom(Atom::Unknown(value)),
            };
        }
        match Operation::get_op::<Load>(op, self.ctx) {
            Some(load) => self.variable(value, load.get_operand(self.ctx)),
            None => Linear::atom(Atom::Unknown(value)),
        }
    }

    /// The value that `value`, a load of `address`, gives.
    fn variable(&self, value: Value, address: Value) -> Linear {
        match root_of(self.ctx, address) {
            Some(Root::Local(alloca)) if defined_inside(self.ctx, alloca, self.region) => {
                match self.only_value(alloca) {
                    Some(stored) => self.linear(stored),
                    None => Linear::atom(Atom::Unknown(value)),
                }
            }
            Some(root) if !self.is_written(&root) => Linear::atom(Atom::Invariant(root)),
            Some(_) | None => Linear::atom(Atom::Unknown(value)),
        }
    }

    /// The value of a local that is stored once, where it is declared, and otherwise only loaded.
    fn only_value(&self, alloca: Value) -> Option<Value> {
        let mut stored = None;
        for u in alloca.uses(self.ctx) {
            let op = u.user_op();
            if Operation::get_op::<Load>(op, self.ctx).is_some() {
                continue;
            }
            let store = Operation::get_op::<Store>(op, self.ctx)?;
            if store.get_operand_value(self.ctx) == alloca || stored.is_some() {
                return None;
            }
            let same_block =
                op.deref(self.ctx).get_parent_block() == alloca.get_parent_block(self.ctx);
            stored = Some(store.get_operand_value(self.ctx)).filter(|_| same_block);
            stored?;
        }
        stored
    }
}

fn key(root: &Root) -> String {
    match root {
        Root::Local(value) => format!("{value:?}"),
        Root::Global(name) => format!("@{name}"),
    }
}

/// Whether the variable is a scalar or array whose address is only used for direct accesses and by data clauses: nothing
/// else can point to it.
pub fn is_unaliased(ctx: &Context, root: &Root) -> bool {
    let Root::Local(alloca) = root else {
        return false;
    };
    !escapes(ctx, *alloca)
}

fn escapes(ctx: &Context, address: Value) -> bool {
    address.uses(ctx).into_iter().any(|u| {
        let op = u.user_op();
        match use_of(ctx, op, u.find_index(ctx)) {
            UseKind::Derive => walk::results_of(ctx, op)
                .into_iter()
                .any(|r| escapes(ctx, r)),
            UseKind::Read { .. }
            | UseKind::Write { .. }
            | UseKind::Update { .. }
            | UseKind::Clause
            | UseKind::Look => false,
            UseKind::Pass | UseKind::Keep => true,
        }
    })
}

/// Name of a root for messages.
pub fn root_name(ctx: &Context, root: &Root) -> String {
    match root {
        Root::Local(alloca) => {
            let variable = alloca
                .defining_op()
                .and_then(|op| Operation::get_op::<Alloca>(op, ctx))
                .and_then(|a| a.variable(ctx));
            variable.map_or_else(|| "a temporary".to_string(), |v| v.name)
        }
        Root::Global(name) => shown(name),
    }
}
