//! Indices and addresses as sums: the one analysis of what an address is made of, how it changes from iteration to iteration, and by how
//! much two differ.
//!
//! Programs spell one index in many ways. What differs must not matter to any pass:
//!
//! ```text
//! in[(i + 1) * n + j - 1]                      in + 1·i·n + 1·n + 1·j - 1         (int: i, n and j extended by their signs)
//! in[(size_t)i * n + n + j]                    in + 1·i·n + 1·n + 1·j
//! double (*rows)[n];  rows[i + 1][j]           in + 1·i·n + 1·n + 1·j
//! int ld = n + 2;  in[i * ld + j]              in + 1·i·n + 2·i + 1·j             (`ld` is set once)
//! ```
//! - A [`Sum`] ([`sum`]) is one of products of *atoms* with factors, modulo 2^64, as addresses are computed. An [`Atom`] is a value that is
//!   computed in another way, with how it is extended; what a variable holds that nobody writes meanwhile; or a sum of fewer bits that
//!   may wrap there.
//! - Additions, subtractions and multiplications of 64 bits are just that, whether they wrap or not. A signed number of fewer bits does not
//!   overflow (C17, 6.5p5), so that its extension is the sum of the extensions. One that wraps is a sum as far as the operands' ranges
//!   ([`range`]) keep it from wrapping: the counter of a loop is below its bound, so that one more has room.
//! - A local variable that is set once where it is declared is what it was set to. What else is loaded is an atom of its own, unless there
//!   is a [`Scope`] ([`scope`]) that does not write the variable.
//! - An address ([`place`]) is the object that a chain of indices and members starts from, and a sum of elements: a row of an array
//!   of arrays is as many elements as it has.
//! - A sum becomes code again by its terms ([`mod@write`]).
//! - How a number or an address changes in a loop is the [`motion`] of its sum: not at all, or by a sum of what does not change.
//!
//! Who works on the source level asks for [`Affine::of_subscripts`]: numbers that are not taken to wrap in either signedness, since a
//! subscript that does is outside of its array.
//!
//! Cost: linear in the number of operations of a function, times the length of a sum, for all questions together. A scope costs that of
//! its own operations.

pub mod motion;
mod place;
mod range;
mod scope;
mod sum;
mod write;

use accrue_dialects::core::{
    Bin, BinKind, Cast, CastKind, For, Load, Ring, Store, fold::constant, int_width,
};
use accrue_ir::order::Order;
use pliron::{
    builtin::op_interfaces::OneOpdInterface, context::Context, op::Op, operation::Operation,
    r#type::Typed, value::Value,
};
use std::collections::{HashMap, HashSet};

pub use place::{Origin, OriginId, Place};
pub use range::Range;
pub use scope::Scope;
pub use sum::{AtomId, Sum};

use crate::analysis::variables::{Root, defined_inside, is_local_scalar, root_of};
use range::Ranges;
use scope::set_once;

/// Something that is not taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A value that is computed in another way, and how it is extended to 64 bits.
    Value { value: Value, signed: bool },
    /// What a variable holds that the scope does not write.
    Variable { root: Root, signed: bool },
    /// A sum of fewer bits, which may wrap there.
    Wrapped { width: u32, signed: bool, sum: Sum },
}

/// What is known of numbers of fewer than 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Numbers {
    /// As the language defines them.
    #[default]
    OfMachine,
    /// They are in range.
    OfSubscripts,
}

/// How a number becomes one of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reading {
    Signed,
    Unsigned,
    /// Only its own bits count.
    Low,
}

impl Reading {
    fn of(signed: bool) -> Reading {
        match signed {
            true => Reading::Signed,
            false => Reading::Unsigned,
        }
    }
}

/// The sums of a function.
#[derive(Default)]
pub struct Affine {
    numbers: Numbers,
    scope: Option<Scope>,
    equals: bool,
    /// The atoms, with a value that each is the extension of.
    atoms: Vec<(Atom, Value)>,
    ids: HashMap<Atom, AtomId>,
    origins: Vec<Origin>,
    origin_ids: HashMap<Origin, OriginId>,
    /// Of values that do not depend on the scope, and of those inside.
    everywhere: HashMap<(Value, Reading), Sum>,
    in_scope: HashMap<(Value, Reading), Sum>,
    places: HashMap<Value, Place>,
    places_in_scope: HashMap<Value, Place>,
    /// What local variables that are set once are set to.
    held: HashMap<Value, Option<Store>>,
    plain: HashMap<Value, bool>,
    /// What other values stand for.
    taken_for: HashMap<Value, Value>,
    /// What is loaded from places that the caller knows to keep what they hold.
    kept: HashSet<Value>,
    ranges: Ranges,
    order: Order,
    /// Products without sign that are taken not to wrap; `None`: they may.
    assumed: Option<Vec<Value>>,
}

impl Affine {
    /// For the source level, with numbers that do not wrap in subscripts.
    pub fn of_subscripts() -> Affine {
        Affine {
            numbers: Numbers::OfSubscripts,
            ..Affine::default()
        }
    }

    /// The same, where products of 32 bits without sign are taken not to wrap either: who asks has to test those that were met
    /// ([`Affine::assumed`]).
    pub fn of_tested_subscripts() -> Affine {
        Affine {
            assumed: Some(vec![]),
            ..Affine::of_subscripts()
        }
    }

    /// The products that are taken to be from 0 to the largest signed number of 32 bits.
    pub fn assumed(&self) -> &[Value] {
        self.assumed.as_deref().unwrap_or_default()
    }

    /// Whether a product, or what is shifted by a constant, may be taken not to wrap; it is noted then.
    fn assume_product(&mut self, value: Value, width: u32, reading: Reading) -> bool {
        let may = match reading {
            Reading::Signed | Reading::Unsigned => width == 32,
            Reading::Low => false,
        };
        match &mut self.assumed {
            Some(assumed) if may => {
                assumed.push(value);
                true
            }
            Some(_) | None => false,
        }
    }

    /// For who asks whether places are the same, of a function that is being written: what its variables hold will be known when all
    /// is there, and sums of fewer bits are equal whether they wrap or not.
    pub fn of_equals() -> Affine {
        Affine {
            equals: true,
            ..Affine::default()
        }
    }

    /// For a part of a function.
    pub fn within(scope: Scope) -> Affine {
        Affine {
            scope: Some(scope),
            ..Affine::default()
        }
    }

    /// Goes on with another part of the same function.
    pub fn enter(&mut self, scope: Scope) {
        self.scope = Some(scope);
        self.in_scope.clear();
        self.places_in_scope.clear();
    }

    pub fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// The caller knows that the value is in this range, of numbers that are not negative.
    pub fn assume(&mut self, value: Value, range: Range) {
        self.ranges.assume(value, range);
    }

    /// The same of a number that is read with its sign.
    pub fn assume_signed(&mut self, value: Value, range: Range) {
        self.ranges.assume_signed(value, range);
    }

    /// Whether an integer of at most 64 bits is the same when it is cut to `width` bits and extended again, by its sign or by zeros.
    pub fn is_whole(&mut self, ctx: &Context, value: Value, width: u32, signed: bool) -> bool {
        let from = int_width(ctx, value.get_type(ctx)).filter(|from| *from <= 64);
        from.is_some_and(|from| self.ranges.is_whole(ctx, value, from, (width, signed)))
    }

    /// Between which numbers an integer of at most 64 bits is, read with its sign.
    pub fn range(&mut self, ctx: &Context, value: Value) -> Option<Range> {
        let width = int_width(ctx, value.get_type(ctx)).filter(|width| *width <= 64)?;
        Some(self.ranges.of(ctx, value, width, true))
    }

    /// Whether reading the value with its sign and without is the same.
    pub fn is_natural(&mut self, ctx: &Context, value: Value) -> bool {
        let width = int_width(ctx, value.get_type(ctx)).filter(|width| *width <= 64);
        width.is_some_and(|width| self.ranges.is_natural(ctx, value, width))
    }

    /// The caller knows that a value is always another one's, which stands for both.
    pub fn take_for(&mut self, value: Value, other: Value) {
        self.taken_for.insert(value, other);
    }

    /// The caller knows that an integer is loaded from memory that nothing writes meanwhile, and `first` from the same place.
    pub fn keep_loaded(&mut self, value: Value, first: Value) {
        self.kept.insert(first);
        if value != first {
            self.take_for(value, first);
        }
    }

    /// Whether it is such a value, the first of its place.
    pub(super) fn is_kept(&self, value: Value) -> bool {
        self.kept.contains(&value)
    }

    /// Takes the value as it is, however it is computed.
    pub fn keep_whole(&mut self, ctx: &Context, value: Value) {
        for reading in [Reading::Signed, Reading::Unsigned, Reading::Low] {
            let sum = self.opaque(ctx, value, reading);
            self.everywhere.insert((value, reading), sum);
        }
    }

    /// An integer as a sum, extended by its sign: an index of an address is.
    pub fn sum(&mut self, ctx: &Context, value: Value) -> Sum {
        self.read(ctx, value, Reading::Signed)
    }

    /// What an atom is, and a value that it is the extension of: of a variable, what one load gives.
    pub fn atom(&self, id: AtomId) -> (&Atom, Value) {
        let (atom, value) = &self.atoms[id.0 as usize];
        (atom, *value)
    }

    /// How an atom is extended.
    pub fn is_signed(&self, id: AtomId) -> bool {
        match self.atom(id).0 {
            Atom::Value { signed, .. }
            | Atom::Variable { signed, .. }
            | Atom::Wrapped { signed, .. } => *signed,
        }
    }

    /// Whether a sum changes evenly with `value`: no product has it twice, and nothing else in it depends on it.
    pub fn is_linear(&self, sum: &Sum, value: Value, depends: impl Fn(Value) -> bool) -> bool {
        let is_own = |atom: AtomId| match self.atom(atom).0 {
            Atom::Value { value: own, .. } => *own == value,
            Atom::Variable { .. } | Atom::Wrapped { .. } => false,
        };
        sum.terms().all(|(atoms, _)| {
            let own = atoms.iter().filter(|atom| is_own(**atom)).count();
            let mut others = atoms.iter().filter(|atom| !is_own(**atom));
            own <= 1 && !others.any(|atom| depends(self.atom(*atom).1))
        })
    }

    /// The atom that a value is, if it has been met as one.
    pub(super) fn known_atom(&self, value: Value, signed: bool) -> Option<AtomId> {
        self.ids.get(&Atom::Value { value, signed }).copied()
    }

    pub(super) fn is_inside(&self, ctx: &Context, value: Value) -> bool {
        self.scope
            .as_ref()
            .is_some_and(|scope| defined_inside(ctx, value, scope.region))
    }

    fn read(&mut self, ctx: &Context, value: Value, reading: Reading) -> Sum {
        let value = self.taken_for.get(&value).copied().unwrap_or(value);
        let width = int_width(ctx, value.get_type(ctx));
        let reading = match (width, reading) {
            // What has 64 bits is not extended.
            (Some(64), _) => Reading::Signed,
            // In a subscript, neither 32 bits nor a counter are negative that are to be extended by zeros.
            (Some(width), Reading::Unsigned)
                if self.numbers == Numbers::OfSubscripts
                    && (width == 32 || value.defining_op().is_none()) =>
            {
                Reading::Signed
            }
            (_, Reading::Signed | Reading::Unsigned | Reading::Low) => reading,
        };
        let key = (value, reading);
        if let Some(known) = self.in_scope.get(&key).or(self.everywhere.get(&key)) {
            return known.clone();
        }
        let inside = self.is_inside(ctx, value);
        let closed = self.scope.as_ref().is_some_and(|scope| scope.closed);
        let open = inside || !closed || constant(ctx, value).is_some();
        let sum = match width.filter(|width| *width <= 64 && open) {
            Some(width) => self.compute(ctx, value, width, reading),
            None => None,
        };
        let sum = sum.filter(Sum::is_short);
        let sum = sum.unwrap_or_else(|| self.opaque(ctx, value, reading));
        match inside || closed {
            true => self.in_scope.insert(key, sum.clone()),
            false => self.everywhere.insert(key, sum.clone()),
        };
        sum
    }

    fn compute(
        &mut self,
        ctx: &Context,
        value: Value,
        width: u32,
        reading: Reading,
    ) -> Option<Sum> {
        if let Some(number) = constant(ctx, value) {
            return Some(number_of(number, width, reading));
        }
        let op = value.defining_op()?;
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            return self.loaded(ctx, load, value, reading);
        }
        if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            let inner = cast.get_operand(ctx);
            let from = int_width(ctx, inner.get_type(ctx)).filter(|from| *from <= 64)?;
            return match (cast.kind(ctx), reading) {
                (CastKind::SExt, Reading::Signed | Reading::Low) => {
                    Some(self.read(ctx, inner, Reading::Signed))
                }
                (CastKind::SExt, Reading::Unsigned) => {
                    let natural = self.ranges.is_natural(ctx, inner, from);
                    natural.then(|| self.read(ctx, inner, Reading::Signed))
                }
                (CastKind::ZExt, _) => Some(self.read(ctx, inner, Reading::Unsigned)),
                (CastKind::Trunc, Reading::Low) => {
                    Some(self.read(ctx, inner, Reading::Low).within(width))
                }
                (CastKind::Trunc, Reading::Signed | Reading::Unsigned) => {
                    let signed = reading == Reading::Signed;
                    Some(
                        match self.ranges.is_whole(ctx, inner, from, (width, signed)) {
                            true => self.read(ctx, inner, reading),
                            false => self.wrapped(ctx, value, width, reading),
                        },
                    )
                }
                _ => None,
            };
        }
        let bin = Operation::get_op::<Bin>(op, ctx)?;
        let kind = bin.kind(ctx);
        if kind == BinKind::Shl {
            let rhs = bin.get_operand_rhs(ctx);
            let count =
                constant(ctx, rhs).filter(|count| (0..i128::from(width)).contains(count))?;
            let wraps = match reading {
                Reading::Low => false,
                Reading::Signed | Reading::Unsigned if width == 64 => false,
                Reading::Signed => !self.ranges.is_exact(ctx, &bin, width, true),
                Reading::Unsigned => !self.ranges.is_exact(ctx, &bin, width, false),
            };
            if wraps && !self.assume_product(value, width, reading) {
                return Some(self.wrapped(ctx, value, width, reading));
            }
            let lhs = self.read(ctx, bin.get_operand_lhs(ctx), reading);
            let shifted = Sum::default().plus(&lhs, 1 << count);
            return Some(shifted.within(width));
        }
        let ring = kind.ring()?;
        let defined = matches!(kind, BinKind::AddS | BinKind::SubS | BinKind::MulS);
        let in_range = self.numbers == Numbers::OfSubscripts && ring != Ring::Product;
        let by = match reading {
            _ if width == 64 => Reading::Signed,
            Reading::Low => Reading::Low,
            Reading::Signed if defined || in_range => Reading::Signed,
            Reading::Signed if self.ranges.is_exact(ctx, &bin, width, true) => Reading::Signed,
            Reading::Unsigned if self.ranges.is_exact(ctx, &bin, width, false) => Reading::Unsigned,
            Reading::Unsigned if defined && self.ranges.is_natural(ctx, value, width) => {
                Reading::Signed
            }
            Reading::Unsigned if in_range => Reading::Unsigned,
            Reading::Signed | Reading::Unsigned if self.assume_product(value, width, reading) => {
                reading
            }
            Reading::Signed | Reading::Unsigned => {
                return Some(self.wrapped(ctx, value, width, reading));
            }
        };
        let left = self.read(ctx, bin.get_operand_lhs(ctx), by);
        let rhs = bin.get_operand_rhs(ctx);
        let counted_down = kind == BinKind::SubS && is_unsigned_counter(ctx, rhs);
        let right = match by {
            Reading::Signed if counted_down => self.read(ctx, rhs, Reading::Unsigned),
            _ => self.read(ctx, rhs, by),
        };
        let sum = match ring {
            Ring::Sum => left.plus(&right, 1),
            Ring::Difference => left.plus(&right, -1),
            Ring::Product => left.times(&right),
        };
        // What is equal as a whole may be put together from different parts that wrap.
        let wraps = self.equals && width < 64 && by != Reading::Low && self.has_wrapped(&sum);
        Some(match by {
            Reading::Low => sum.within(width),
            Reading::Signed | Reading::Unsigned if wraps => {
                self.wrapped(ctx, value, width, reading)
            }
            Reading::Signed | Reading::Unsigned => sum,
        })
    }

    fn has_wrapped(&self, sum: &Sum) -> bool {
        sum.atoms().any(|atom| match self.atom(atom).0 {
            Atom::Wrapped { .. } => true,
            Atom::Value { .. } | Atom::Variable { .. } => false,
        })
    }

    /// The extension of a sum that may wrap in its own width.
    fn wrapped(&mut self, ctx: &Context, value: Value, width: u32, reading: Reading) -> Sum {
        let low = self.read(ctx, value, Reading::Low);
        let signed = reading == Reading::Signed || self.ranges.is_natural(ctx, value, width);
        if let Some(number) = low.as_number() {
            return number_of(i128::from(number), width, reading);
        }
        let itself = low.as_atom().is_some_and(|(atom, factor)| {
            let same = Atom::Value {
                value,
                signed: true,
            };
            factor == 1 && *self.atom(atom).0 == same
        });
        if itself {
            return self.opaque(ctx, value, reading);
        }
        self.intern(
            Atom::Wrapped {
                width,
                signed,
                sum: low,
            },
            value,
        )
    }

    /// What a load gives.
    fn loaded(&mut self, ctx: &Context, load: Load, value: Value, reading: Reading) -> Option<Sum> {
        if let Some(held) = self.held(ctx, load) {
            return Some(self.read(ctx, held, reading));
        }
        let root = root_of(ctx, load.get_operand_address(ctx))?;
        let scope = self.scope.as_ref()?;
        let kept = !scope.writes(&root) && !load.is_volatile(ctx);
        if !kept || !defined_inside(ctx, value, scope.region) {
            return None;
        }
        let known = match (&root, self.numbers) {
            (Root::Local(variable), _) if self.is_inside(ctx, *variable) => false,
            // Who asks for these compares all accesses, also those by way of pointers.
            (_, Numbers::OfSubscripts) => true,
            (Root::Local(variable), Numbers::OfMachine) => self.is_plain(ctx, *variable),
            (Root::Global(_), Numbers::OfMachine) => false,
        };
        if !known {
            return None;
        }
        let signed = reading != Reading::Unsigned;
        Some(self.intern(Atom::Variable { root, signed }, value))
    }

    /// Whether a local variable is only loaded and stored, so that its stores are all that changes it.
    fn is_plain(&mut self, ctx: &Context, variable: Value) -> bool {
        let plain = self.plain.entry(variable);
        *plain.or_insert_with(|| is_local_scalar(ctx, variable))
    }

    /// What a load from a local variable gives that is set once where it is declared, and of which nobody has the address.
    pub fn held(&mut self, ctx: &Context, load: Load) -> Option<Value> {
        let variable = load.get_operand_address(ctx);
        let closed = self.scope.as_ref().is_some_and(|scope| scope.closed);
        if self.equals || closed && !self.is_inside(ctx, variable) {
            return None;
        }
        let set = match self.held.get(&variable) {
            Some(known) => *known,
            None => {
                let set = set_once(ctx, variable);
                self.held.insert(variable, set);
                set
            }
        }?;
        // What is loaded before it is set is anything; code that goes on working with it must be there already.
        let later = match self.numbers {
            Numbers::OfSubscripts => true,
            Numbers::OfMachine => {
                let ops = [set.get_operation(), load.get_operation()];
                self.order.comes_before(ctx, ops[0], ops[1])
            }
        };
        later.then(|| set.get_operand_value(ctx))
    }

    fn opaque(&mut self, ctx: &Context, value: Value, reading: Reading) -> Sum {
        let width = int_width(ctx, value.get_type(ctx)).filter(|width| *width <= 64);
        let signed = match (reading, width) {
            (Reading::Signed | Reading::Low, _) => true,
            (Reading::Unsigned, Some(width)) => self.ranges.is_natural(ctx, value, width),
            (Reading::Unsigned, None) => false,
        };
        self.intern(Atom::Value { value, signed }, value)
    }

    fn intern(&mut self, atom: Atom, value: Value) -> Sum {
        let next = AtomId(self.atoms.len() as u32);
        let id = *self.ids.entry(atom.clone()).or_insert(next);
        if id == next {
            self.atoms.push((atom, value));
        }
        Sum::atom(id)
    }
}

/// Whether the value is the counter of a loop that counts without sign. A loop that counts down becomes one that counts how far it has
/// come (pass `counted-loops`): from a signed number that may be more than the largest signed one, and yet there is no overflow.
fn is_unsigned_counter(ctx: &Context, value: Value) -> bool {
    let around = value
        .defining_block()
        .and_then(|block| block.deref(ctx).get_parent_op(ctx));
    let lp = around.and_then(|op| Operation::get_op::<For>(op, ctx));
    lp.is_some_and(|lp| lp.info(ctx).unsigned)
}

/// A constant of `width` bits as one of 64.
fn number_of(number: i128, width: u32, reading: Reading) -> Sum {
    let bits = number & ((1 << width) - 1);
    let negative = reading != Reading::Unsigned && bits >> (width - 1) != 0;
    let number = if negative { bits - (1 << width) } else { bits };
    Sum::number(number as i64)
}
