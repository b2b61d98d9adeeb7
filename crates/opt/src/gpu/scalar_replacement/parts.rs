//! What of a local variable is used, and where: its scalars, and the way from its address to every load and store.
//!
//! ```text
//! double m[3][3];   double *p = &m[0][0];        core.alloca array<3 x array<3 x f64>>
//! p[7] = x;                                      a store to m[2][1]
//! ```
//! Arrays of arrays have no gaps: a pointer to an element may go on to the elements behind it in the next inner array, and often
//! does, where a matrix is taken for a vector. An index is therefore a place in the outermost array; one that is no constant may lead to
//! each of its elements, unless its range is known to stay in the inner one. A struct of numbers of one type is an array of its fields, too:
//! `&y.a` and `(double *)&y` go on to the fields behind.
//!
//! An index may name few elements of a long array: `sums[5 * group + 2]` those of every fifth, as far as `group` goes ([`super::values`]).
//!
//! Cost: linear in the uses, times the length of the ways.

use super::{
    indexed::{Indexed, MOST_ELEMENTS, MOST_ELEMENTS_OF_MATRIX},
    values::Values,
};
use crate::analysis::{affine::Affine, records::Records};
use accrue_dialects::{
    core::{
        Alloca, Cast, CastKind, Copy, Decay, Load, Member, PtrAdd, Store, Zero, array_parts,
        fold::constant, is_scalar, pointee, pointee_of,
    },
    par::ReductionOp,
};
use accrue_ir::walk::operands_of;
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    op::{Op, op_cast},
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};

/// Scalars of a variable that may become registers.
const MOST_SCALARS: usize = 64;

/// The way from a variable to a part of it: fields and elements.
pub(super) type Path = Vec<Step>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// The field of this number and type.
    Field(u32, TypeHandle),
    Element(u64),
}

/// A scalar in a variable.
pub(super) struct Leaf {
    pub path: Path,
    pub ty: TypeHandle,
}

/// A variable whose scalars can be told apart.
pub(super) struct Aggregate {
    pub alloca: Alloca,
    pub leaves: Vec<Leaf>,
    pub uses: Vec<PartUse>,
    /// The operations that compute addresses in it, each after what it uses.
    pub addresses: Vec<Ptr<Operation>>,
    /// Those whose index is no constant: they stand for the element that they start from.
    pub indexed: Vec<Indexed>,
}

/// One use of a part of the variable: operand `index` of a load, store, copy or `core.zero`.
pub(super) struct PartUse {
    pub op: Ptr<Operation>,
    pub index: usize,
    pub path: Path,
}

/// What builtins of reductions are that have the address of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reductions {
    /// A reason to keep the variable, and what it is copied to and from.
    Keep,
    /// No uses: they can be those of elements ([`super::reduced`]).
    Leave,
}

/// The variable of `alloca`, if all its uses are loads, stores, copies and zeros of parts that can be told apart.
pub(super) fn aggregate(
    ctx: &Context,
    records: &Records,
    affine: &mut Affine,
    alloca: Alloca,
    reductions: Reductions,
) -> Option<Aggregate> {
    let ty = alloca.var_type(ctx);
    if alloca.count(ctx).is_some() || is_scalar(ctx, ty) {
        return None;
    }
    let mut leaves = vec![];
    add_leaves(ctx, records, ty, &mut vec![], &mut leaves)?;
    let mut tracing = Tracing {
        ctx,
        records,
        affine,
        reductions,
        found: Aggregate {
            alloca,
            leaves,
            uses: vec![],
            addresses: vec![],
            indexed: vec![],
        },
    };
    tracing.object(alloca.get_result(ctx), &Part::whole(ty))?;
    Some(tracing.found)
}

/// Appends the scalars of an object of type `ty`; `None` if there are too many, or they cannot be told apart.
fn add_leaves(
    ctx: &Context,
    records: &Records,
    ty: TypeHandle,
    path: &mut Path,
    leaves: &mut Vec<Leaf>,
) -> Option<()> {
    if is_scalar(ctx, ty) {
        leaves.push(Leaf {
            path: path.clone(),
            ty,
        });
        return (leaves.len() <= MOST_SCALARS).then_some(());
    }
    for (step, ty) in parts(ctx, records, ty)? {
        path.push(step);
        add_leaves(ctx, records, ty, path, leaves)?;
        path.pop();
    }
    Some(())
}

/// The fields or elements of a type.
fn parts(ctx: &Context, records: &Records, ty: TypeHandle) -> Option<Vec<(Step, TypeHandle)>> {
    if let Some((length, of)) = array_parts(ctx, ty) {
        let few = usize::try_from(length).is_ok_and(|l| l <= MOST_SCALARS);
        return few.then(|| (0..length).map(|i| (Step::Element(i), of)).collect());
    }
    let fields = records.fields_of(ctx, ty)?;
    let field = |(index, ty)| (Step::Field(index, ty), ty);
    Some((0..).zip(fields.iter().copied()).map(field).collect())
}

/// An array, or a struct that is one of its fields.
#[derive(Clone, Copy)]
struct Row {
    length: u64,
    /// The type of the fields.
    fields: Option<TypeHandle>,
}

impl Row {
    fn step(self, element: u64) -> Step {
        match self.fields {
            Some(ty) => Step::Field(element as u32, ty),
            None => Step::Element(element),
        }
    }
}

/// An object in the variable: what is around the outermost array that it is an element of, and its place there.
#[derive(Clone)]
struct Part {
    around: Path,
    /// That array and the arrays in it, from the outside in; none, if the object is no element.
    rows: Vec<Row>,
    /// Its number among the elements of the innermost of these arrays, counted from the begin of the outermost.
    place: i128,
    ty: TypeHandle,
}

impl Part {
    fn whole(ty: TypeHandle) -> Part {
        Part {
            around: vec![],
            rows: vec![],
            place: 0,
            ty,
        }
    }

    /// The field that `step` leads to.
    fn field(&self, step: Step, ty: TypeHandle) -> Option<Part> {
        let around = self.path()?.into_iter().chain([step]).collect();
        Some(Part {
            around,
            ..Part::whole(ty)
        })
    }

    /// The first element of this array, or field of this struct that is one.
    fn first_element(&self, ctx: &Context, records: &Records) -> Option<Part> {
        let (row, ty) = match array_parts(ctx, self.ty) {
            Some((length, ty)) => (
                Row {
                    length,
                    fields: None,
                },
                ty,
            ),
            None => {
                let (length, ty) = records.elements_of(ctx, self.ty)?;
                let fields = Some(ty);
                (Row { length, fields }, ty)
            }
        };
        Some(Part {
            around: self.around.clone(),
            rows: self.rows.iter().copied().chain([row]).collect(),
            place: self.place.checked_mul(row.length.into())?,
            ty,
        })
    }

    fn behind(&self, elements: i128) -> Option<Part> {
        let place = self.place.checked_add(elements)?;
        Some(Part {
            place,
            ..self.clone()
        })
    }

    /// The way to it; `None` if it is outside of the array.
    fn path(&self) -> Option<Path> {
        let mut place = u64::try_from(self.place).ok()?;
        let mut steps = vec![];
        for row in self.rows.iter().rev() {
            steps.push(row.step(place.checked_rem(row.length)?));
            place /= row.length;
        }
        let inside = place == 0;
        inside.then(|| {
            self.around
                .iter()
                .copied()
                .chain(steps.into_iter().rev())
                .collect()
        })
    }

    /// The elements that an index of these values, added to this one's place, may name: the first as a number to add, and how
    /// many there are. Constants that are added behind it may lead from its row into another one.
    fn reach(&self, values: &Values) -> Option<(i128, u64)> {
        let inner = self.rows.last()?.length;
        let all = self.rows.iter().map(|row| row.length).product::<u64>();
        let in_row = self.place.rem_euclid(inner.into());
        let (first, end) = (-in_row, i128::from(inner) - in_row);
        let stays = first <= values.range.min && values.range.max < end;
        let most = match self.rows.len() == 1 || stays {
            true => MOST_ELEMENTS,
            false => MOST_ELEMENTS_OF_MATRIX,
        };
        let few = all <= MOST_SCALARS as u64
            && (1..=most).contains(&(values.among(-self.place, all).count() as u64));
        few.then_some((-self.place, all))
    }

    /// Whether nothing but the variable's other elements is around, or an array, which C lets nobody leave. A struct in a struct may be
    /// taken for an array of all that is in the outer one.
    fn has_end(&self) -> bool {
        self.around.is_empty() || self.rows.first().is_none_or(|row| row.fields.is_none())
    }
}

struct Tracing<'a> {
    ctx: &'a Context,
    records: &'a Records,
    affine: &'a mut Affine,
    reductions: Reductions,
    found: Aggregate,
}

impl Tracing<'_> {
    /// Collects all uses of `address`, where `part` is.
    fn object(&mut self, address: Value, part: &Part) -> Option<()> {
        for using in address.uses(self.ctx) {
            let op = using.user_op();
            if let Some(add) = Operation::get_op::<PtrAdd>(op, self.ctx)
                && add.get_operand_base(self.ctx) == address
            {
                self.element(add, part)?;
            } else if let Some(member) = Operation::get_op::<Member>(op, self.ctx) {
                self.found.addresses.push(op);
                let index = usize::try_from(member.field(self.ctx)).ok()?;
                let inside = match self.records.elements_of(self.ctx, part.ty) {
                    Some(_) => part
                        .first_element(self.ctx, self.records)?
                        .behind(index as i128)?,
                    None => {
                        let fields = parts(self.ctx, self.records, part.ty)?;
                        let (step, ty) = fields.into_iter().nth(index)?;
                        part.field(step, ty)?
                    }
                };
                self.object(member.get_result(self.ctx), &inside)?;
            } else if let Some(decay) = Operation::get_op::<Decay>(op, self.ctx) {
                self.found.addresses.push(op);
                let first = part.first_element(self.ctx, self.records)?;
                self.object(decay.get_result(self.ctx), &first)?;
            } else if let Some(cast) = Operation::get_op::<Cast>(op, self.ctx)
                && cast.kind(self.ctx) == CastKind::PtrCast
            {
                self.found.addresses.push(op);
                let to = pointee(self.ctx, cast.get_result(self.ctx))?;
                let mut inside = part.clone();
                while inside.ty != to {
                    inside = inside.first_element(self.ctx, self.records)?;
                }
                self.object(cast.get_result(self.ctx), &inside)?;
            } else {
                self.note_use(op, address, part)?;
            }
        }
        Some(())
    }

    /// Collects all uses of the element that `add` leads to from `part`.
    fn element(&mut self, add: PtrAdd, part: &Part) -> Option<()> {
        let index = add.get_operand_index(self.ctx);
        let elements = match constant(self.ctx, index) {
            Some(constant) => constant,
            None => {
                let values = Values::of(self.ctx, self.affine, index)?;
                let (first, length) = part.reach(&values)?;
                self.found.indexed.push(Indexed {
                    add,
                    first,
                    length,
                    values,
                    has_end: part.has_end(),
                });
                0
            }
        };
        self.found.addresses.push(add.get_operation());
        self.object(add.get_result(self.ctx), &part.behind(elements)?)
    }

    /// Notes the operands of `op` that are `address`, if `op` only reads or writes what is there.
    fn note_use(&mut self, op: Ptr<Operation>, address: Value, part: &Part) -> Option<()> {
        let ctx = self.ctx;
        let plain = match Operation::get_op::<Load>(op, ctx) {
            Some(load) => !load.is_volatile(ctx),
            None => match Operation::get_op::<Store>(op, ctx) {
                Some(store) => !store.is_volatile(ctx) && store.get_operand_value(ctx) != address,
                None => Operation::is_op::<Copy>(op, ctx) || Operation::is_op::<Zero>(op, ctx),
            },
        };
        let path = part.path()?;
        match self.reductions {
            Reductions::Leave if path.is_empty() && reduces(ctx, op, address) => return Some(()),
            Reductions::Keep if is_reduction_copy(ctx, op, address) => return None,
            Reductions::Leave | Reductions::Keep => {}
        }
        // Pointers have no zero of their own in the IR.
        let leaf = |l: &Leaf| l.path.starts_with(&path);
        let zeroed = Operation::is_op::<Zero>(op, ctx)
            && (self.found.leaves.iter()).any(|l| leaf(l) && !has_zero(ctx, l.ty));
        if !plain || zeroed {
            return None;
        }
        let operands = operands_of(ctx, op);
        // A copy from one part of the variable to another would be replaced twice.
        let seen = self.found.uses.iter().any(|u| u.op == op);
        let mut indices = operands.iter().enumerate().filter(|(_, o)| **o == address);
        let (Some((index, _)), None, false) = (indices.next(), indices.next(), seen) else {
            return None;
        };
        self.found.uses.push(PartUse { op, index, path });
        Some(())
    }
}

/// Whether `op` copies between `address` and the LOCAL of a reduction, which stays an object, and starts from one and ends in
/// one.
pub(super) fn is_reduction_copy(ctx: &Context, op: Ptr<Operation>, address: Value) -> bool {
    let Some(copy) = Operation::get_op::<Copy>(op, ctx) else {
        return false;
    };
    [copy.get_operand_to(ctx), copy.get_operand_from(ctx)]
        .into_iter()
        .filter(|side| *side != address)
        .flat_map(|side| side.uses(ctx))
        .any(|u| op_cast::<dyn ReductionOp>(&*Operation::get_op_dyn(u.user_op(), ctx)).is_some())
}

/// Whether `op` is a builtin of a reduction whose LOCAL is at `address`.
fn reduces(ctx: &Context, op: Ptr<Operation>, address: Value) -> bool {
    op_cast::<dyn ReductionOp>(&*Operation::get_op_dyn(op, ctx)).is_some_and(|reduction| {
        reduction.local(ctx) == address && reduction.result_ref(ctx) != Some(address)
    })
}

pub(super) fn has_zero(ctx: &Context, ty: TypeHandle) -> bool {
    pointee_of(ctx, ty).is_none()
}
