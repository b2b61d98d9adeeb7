//! Memory accesses of a loop body in a form that can be compared: which variable, and which element as a linear form.
//!
//! ```text
//! a[2 * i + k][j - 1]   →   root a, path [ {i: 2, k: 1}, {j: 1, 1: -1} ]
//! p[i * m + j]          →   root *p, path [ {i·m: 1, j: 1} ]
//! ```
//!
//! The sums are those of [`crate::analysis::affine`], of which the atoms are sorted here: induction variables, what has one value during
//! the loop, and what nothing is known about. Numbers are taken not to wrap ([`Affine::of_subscripts`]): a subscript that overflows is
//! undefined in C, or as good as outside its array.
//!
//! Cost: linear in the size of the loop's body.

use accrue_abi::symbols::shown;
use accrue_dialects::{
    address_use::{UseKind, use_of},
    core::{Alloca, Decay, Load, Member, PtrAdd, int_width},
};
use accrue_ir::walk;
use pliron::context::Ptr;
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface},
    context::Context,
    operation::Operation,
    region::Region,
    r#type::Typed,
    value::Value,
};
use std::cell::RefCell;

use crate::analysis::{
    affine::{Affine, Atom, AtomId, Scope, Sum},
    flattened::{Flattened, Moved},
    variables::{Root, root_of},
};

/// More places are not told from each other.
const MOST_PLACES: usize = 32;

/// What an address is based on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A variable of outside the loop.
    Variable(Root),
    /// What a pointer variable of outside the loop points to; the loop does not change the pointer.
    Pointee(Root),
    /// What a pointer in memory points to, which is at the same place in all iterations: a member of a struct, or an element. Only for readers
    /// that ask for it ([`Reader::through_memory`]), which see to it that the loop does not change the pointer.
    Loaded(Box<Place>),
    /// A variable of the loop's body: every iteration has its own.
    Inside,
    Unknown,
}

/// One step from the base to the element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Index(Sum),
    Member(u32),
}

/// An address in comparable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub base: Base,
    pub path: Vec<Step>,
}

/// One step as the program takes it.
enum Taken {
    By(Value),
    /// To the first element, or to what a pointer leads to.
    Into,
    Member(u32),
}

/// What is needed to read the expressions of a loop body.
pub struct Reader<'a> {
    pub ctx: &'a Context,
    affine: RefCell<Affine>,
    through_memory: bool,
}

impl<'a> Reader<'a> {
    /// For the body of a loop.
    pub fn new(ctx: &'a Context, region: Ptr<Region>) -> Self {
        Reader::again(ctx, region, Affine::of_subscripts())
    }

    /// For the body of another loop, with what is known of code around it.
    pub fn again(ctx: &'a Context, region: Ptr<Region>, mut affine: Affine) -> Self {
        affine.enter(Scope::open(ctx, region));
        Reader {
            ctx,
            affine: RefCell::new(affine),
            through_memory: false,
        }
    }

    /// The same reader, which follows pointers in memory.
    pub fn through_memory(self) -> Self {
        Reader {
            through_memory: true,
            ..self
        }
    }

    /// For a region, where what is around it is not taken apart: what a variable of outside holds is an atom.
    pub fn closed(ctx: &'a Context, region: Ptr<Region>) -> Self {
        let mut affine = Affine::of_subscripts();
        affine.enter(Scope::closed(ctx, region));
        Reader {
            ctx,
            affine: RefCell::new(affine),
            through_memory: false,
        }
    }

    /// What an atom is, and a value that it is the extension of.
    pub fn atom(&self, id: AtomId) -> (Atom, Value) {
        let affine = self.affine.borrow();
        let (atom, value) = affine.atom(id);
        (atom.clone(), value)
    }

    /// What the next reader starts with.
    pub fn done(self) -> Affine {
        self.affine.into_inner()
    }

    fn is_inside(&self, value: Value) -> bool {
        self.affine.borrow().is_inside(self.ctx, value)
    }

    /// Whether the body stores to the variable itself.
    pub fn is_written(&self, root: &Root) -> bool {
        let affine = self.affine.borrow();
        affine.scope().is_some_and(|scope| scope.writes(root))
    }

    /// The place that `address` means.
    pub fn place(&self, address: Value) -> Place {
        let mut taken = vec![];
        let base = self.walk_down(address, &mut taken);
        let path = self.steps(taken);
        Place { base, path }
    }

    fn steps(&self, taken: impl IntoIterator<Item = Taken>) -> Vec<Step> {
        let mut path = vec![];
        for step in taken {
            match (step, path.last_mut()) {
                (Taken::By(index), Some(Step::Index(before))) => {
                    *before = before.clone().plus(&self.sum(index), 1);
                }
                (Taken::By(index), Some(Step::Member(_)) | None) => {
                    path.push(Step::Index(self.sum(index)));
                }
                (Taken::Into, _) => path.push(Step::Index(Sum::default())),
                (Taken::Member(field), _) => path.push(Step::Member(field)),
            }
        }
        path
    }

    /// The place, with a step for each subscript of a variable-length array ([`Flattened`]).
    pub fn subscripts(&self, address: Value) -> Place {
        let mut taken = vec![];
        let base = self.walk_down(address, &mut taken);
        let flattened = match &base {
            Base::Variable(Root::Local(alloca)) | Base::Pointee(Root::Local(alloca)) => {
                Flattened::of(self.ctx, *alloca)
            }
            Base::Variable(Root::Global(_)) | Base::Pointee(Root::Global(_)) => None,
            Base::Loaded(_) | Base::Inside | Base::Unknown => None,
        };
        let Some(flattened) = flattened else {
            return self.place(address);
        };
        let start = usize::from(matches!(base, Base::Pointee(_)));
        let by = |taken: &Taken| match taken {
            Taken::By(index) => Some(*index),
            Taken::Into | Taken::Member(_) => None,
        };
        let indices: Vec<Value> = taken.iter().skip(start).map_while(by).collect();
        let mut sums = vec![Sum::default(); flattened.dimensions()];
        for index in &indices {
            let (dimension, subscript, times) = match flattened.moved(self.ctx, *index) {
                Moved::Along {
                    dimension,
                    subscript,
                    times,
                } => (dimension, subscript, times),
                Moved::Otherwise => (sums.len() - 1, Some(*index), 1),
            };
            let subscript = subscript.map_or_else(|| Sum::number(1), |value| self.sum(value));
            sums[dimension] = std::mem::take(&mut sums[dimension]).plus(&subscript, times);
        }
        let mut path: Vec<Step> = sums.into_iter().map(Step::Index).collect();
        path.extend(self.steps(taken.into_iter().skip(start + indices.len())));
        Place { base, path }
    }

    /// What the address is based on.
    pub fn base(&self, address: Value) -> Base {
        self.walk_down(address, &mut vec![])
    }

    fn walk_down(&self, address: Value, path: &mut Vec<Taken>) -> Base {
        if let Some(root) = root_of(self.ctx, address) {
            return match root {
                Root::Local(alloca) if self.is_inside(alloca) => Base::Inside,
                root => Base::Variable(root),
            };
        }
        let Some(op) = address.defining_op() else {
            return Base::Unknown;
        };
        if let Some(add) = Operation::get_op::<PtrAdd>(op, self.ctx) {
            let base = self.walk_down(add.get_operand_base(self.ctx), path);
            // From a field that is no array elements are counted into other fields, and into the struct behind.
            let leaves_field =
                matches!(path.last(), Some(Taken::Member(_))) && base != Base::Inside;
            path.push(Taken::By(add.get_operand_index(self.ctx)));
            return if leaves_field { Base::Unknown } else { base };
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, self.ctx) {
            let base = self.walk_down(decay.get_operand(self.ctx), path);
            path.push(Taken::Into);
            return base;
        }
        if let Some(member) = Operation::get_op::<Member>(op, self.ctx) {
            let base = self.walk_down(member.get_operand(self.ctx), path);
            path.push(Taken::Member(member.field(self.ctx)));
            return base;
        }
        let Some(load) = Operation::get_op::<Load>(op, self.ctx) else {
            return Base::Unknown;
        };
        match root_of(self.ctx, load.get_operand(self.ctx)) {
            Some(Root::Local(alloca)) if self.is_inside(alloca) => {
                let held = self.affine.borrow_mut().held(self.ctx, load);
                match held {
                    // A pointer copied to a local: what it was copied from.
                    Some(value) => self.walk_down(value, path),
                    None => Base::Unknown,
                }
            }
            Some(root) if !self.is_written(&root) => {
                path.push(Taken::Into);
                Base::Pointee(root)
            }
            None if self.through_memory && !load.is_volatile(self.ctx) => {
                let place = self.place(load.get_operand(self.ctx));
                match self.is_fixed(&place) {
                    true => {
                        path.push(Taken::Into);
                        Base::Loaded(Box::new(place))
                    }
                    false => Base::Unknown,
                }
            }
            Some(_) | None => Base::Unknown,
        }
    }

    /// The pointer that an address is based on, as the loop or what is around it loads it. `None`: it is based on a variable.
    pub fn pointer(&self, address: Value) -> Option<Value> {
        let op = address.defining_op()?;
        if let Some(add) = Operation::get_op::<PtrAdd>(op, self.ctx) {
            return self.pointer(add.get_operand_base(self.ctx));
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, self.ctx) {
            return self.pointer(decay.get_operand(self.ctx));
        }
        if let Some(member) = Operation::get_op::<Member>(op, self.ctx) {
            return self.pointer(member.get_operand(self.ctx));
        }
        let load = Operation::get_op::<Load>(op, self.ctx)?;
        match root_of(self.ctx, load.get_operand(self.ctx)) {
            Some(Root::Local(alloca)) if self.is_inside(alloca) => {
                let held = self.affine.borrow_mut().held(self.ctx, load)?;
                self.pointer(held)
            }
            Some(_) | None => Some(address),
        }
    }

    /// Takes integers that these operations load from one place in memory, which is the same in all iterations, for one value. Who asks
    /// sees to it that the loop does not write there.
    pub fn keep_loaded(&self, loads: impl IntoIterator<Item = Load>) {
        let mut places: Vec<(Place, Value)> = vec![];
        for load in loads {
            let (address, value) = (load.get_operand(self.ctx), load.get_result(self.ctx));
            let number = int_width(self.ctx, value.get_type(self.ctx)).is_some();
            if !number || load.is_volatile(self.ctx) || root_of(self.ctx, address).is_some() {
                continue;
            }
            let place = self.place(address);
            if !self.is_fixed(&place) {
                continue;
            }
            let first = places.iter().find(|(known, _)| *known == place);
            let first = first.map(|(_, first)| *first);
            self.affine
                .borrow_mut()
                .keep_loaded(value, first.unwrap_or(value));
            if first.is_none() && places.len() < MOST_PLACES {
                places.push((place, value));
            }
        }
    }

    /// Whether it is the value that [`Reader::keep_loaded`] takes for all of its place.
    pub fn is_kept(&self, value: Value) -> bool {
        self.affine.borrow().is_kept(value)
    }

    /// The products without sign in the loop, or elsewhere, that were taken not to wrap.
    pub fn assumed(&self) -> Vec<Value> {
        self.affine.borrow().assumed().to_vec()
    }

    /// The value of an integer expression.
    pub fn sum(&self, value: Value) -> Sum {
        self.affine.borrow_mut().sum(self.ctx, value)
    }

    /// Whether the place is the same in all iterations.
    pub fn is_fixed(&self, place: &Place) -> bool {
        let indices = place.path.iter().all(|step| match step {
            Step::Index(index) => self.is_invariant(index, &[]),
            Step::Member(_) => true,
        });
        indices
            && match place.base {
                Base::Variable(_) | Base::Pointee(_) | Base::Loaded(_) => true,
                Base::Inside | Base::Unknown => false,
            }
    }

    /// Whether an induction variable of the loop decides which element it is.
    pub fn has_induction(&self, place: &Place) -> bool {
        place.path.iter().any(|step| match step {
            Step::Index(index) => !self.inductions(index).is_empty(),
            Step::Member(_) => false,
        })
    }

    /// Whether all atoms have one value during the whole loop; the induction variables `fixed` count as such.
    pub fn is_invariant(&self, sum: &Sum, fixed: &[Value]) -> bool {
        let affine = self.affine.borrow();
        self.has_one_value(&affine, sum, fixed)
    }

    fn has_one_value(&self, affine: &Affine, sum: &Sum, fixed: &[Value]) -> bool {
        sum.atoms().all(|atom| match affine.atom(atom).0 {
            Atom::Value { value, .. } => {
                fixed.contains(value)
                    || !affine.is_inside(self.ctx, *value)
                    || affine.is_kept(*value)
            }
            Atom::Variable { .. } => true,
            Atom::Wrapped { sum, .. } => self.has_one_value(affine, sum, fixed),
        })
    }

    /// The induction variables in it: arguments of the bodies of loops.
    pub fn inductions(&self, sum: &Sum) -> Vec<Value> {
        let affine = self.affine.borrow();
        let atoms = sum.atoms().map(|atom| affine.atom(atom).0);
        atoms
            .filter_map(|atom| match atom {
                Atom::Value { value, .. } => Some(*value),
                Atom::Variable { .. } | Atom::Wrapped { .. } => None,
            })
            .filter(|value| value.defining_op().is_none() && affine.is_inside(self.ctx, *value))
            .collect()
    }

    /// By how much a sum grows with an induction variable, and the sum without that; `None` if that is not the same everywhere.
    pub fn stride(&self, sum: &Sum, iv: Value) -> Option<(Sum, Sum)> {
        match self.affine.borrow().known_atom(iv, true) {
            Some(atom) => Some((sum.stride(atom)?, sum.without(atom))),
            None => Some((Sum::default(), sum.clone())),
        }
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
