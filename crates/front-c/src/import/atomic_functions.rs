//! The functions of `stdatomic.h`, and the compilers' builtins behind them, in code for a device.
//!
//! Accesses have an order for all threads: a fence on both sides, as those of `_Atomic` objects have ([`super::atomic_objects`]), but
//! where the program says that it needs none (`memory_order_relaxed`). The text side has made calls of functions of them
//! ([`crate::text::atomics`]).
//!
//! ```text
//! atomic_compare_exchange_strong(p, &e, v)      %e = core.load …
//!                                          →    %old, %new = core.atomic_update %p { ^(%o): core.yield select(%o == %e, %v, %o) }
//!                                               core.if !(%old == %e) { core.store %old … }
//! ```
//! C compares bytes there: floating-point numbers are accessed as the integers that they look like. Cost: as the operations of the
//! `atomic` construct, and the fences.

use super::functions::Module;
use super::library;
use super::place::Place;
use super::state::{Result, Stop};
use super::symbols::symbol;
use super::types::Scalar;
use crate::ast::constant;
use crate::ast::node::{Kind, NodeId};
use crate::ast::types::TypeId;
use crate::text::atomics::{Access, BUILTINS, Builtin, Change, FUNCTIONS, Family};
use accrue_dialects::core::{self, BinKind, CmpKind, Extern};
use pliron::r#type::Typed;
use pliron::value::Value;

/// Functions of which only the order of accesses is known: each is a fence.
const FENCES: [&str; 2] = ["__atomic_thread_fence", "__c11_atomic_thread_fence"];
/// Those that only keep a compiler from moving accesses of one thread.
const SIGNAL_FENCES: [&str; 2] = ["__atomic_signal_fence", "__c11_atomic_signal_fence"];
/// Those that ask whether objects of a size are accessed in one piece.
const QUESTIONS: [&str; 3] = [
    "__atomic_is_lock_free",
    "__atomic_always_lock_free",
    "__c11_atomic_is_lock_free",
];

/// A call of a builtin.
struct Use {
    call: NodeId,
    builtin: Builtin,
    /// The object's address, and its type.
    address: Value,
    ty: TypeId,
    /// Other threads see what happens before and behind it in that order.
    ordered: bool,
}

impl Module<'_> {
    /// A call of one of these functions in code for a device; `None` for others. Inside: its value, if it has one.
    pub(super) fn atomic_function(&mut self, call: NodeId) -> Result<Option<Option<Value>>> {
        let ast = self.source.ast;
        let callee = self.child(call, 0)?;
        let function = ast.referenced(ast.strip_implicit(callee));
        let Some(function) = function.filter(|it| ast.kind(*it) == Kind::FunctionDecl) else {
            return Ok(None);
        };
        let name = ast.name(function);
        if FENCES.contains(&name) {
            if !self.is_relaxed(call, 1) {
                self.fence();
            }
            return Ok(Some(None));
        }
        if SIGNAL_FENCES.contains(&name) {
            return Ok(Some(None));
        }
        if QUESTIONS.contains(&name) {
            let bytes = self.child(call, 1)?;
            let answer = constant::integer(&mut self.types, bytes).is_some_and(|it| it <= 8);
            return Ok(Some(Some(self.constant(1, i128::from(answer)))));
        }
        if !FUNCTIONS.contains(&name) {
            return Ok(None);
        }
        let number = self.child(call, 1)?;
        let number = constant::integer(&mut self.types, number);
        let builtin = number.and_then(|number| BUILTINS.get(usize::try_from(number).ok()?));
        let Some(builtin) = builtin else {
            return Err(self.unsupported(call));
        };
        let used = self.atomic_use(call, *builtin)?;
        if used.ordered {
            self.fence();
        }
        let value = self.atomic_access(&used)?;
        if used.ordered {
            self.fence();
        }
        Ok(Some(value))
    }

    /// The value of a cast that the text side has made, of a call that has the cast's type already.
    pub(super) fn atomic_value(&mut self, cast: NodeId) -> Result<Option<Value>> {
        let ast = self.source.ast;
        let call = ast.child(cast, 0).filter(|_| self.on_device());
        let callee = call.and_then(|call| ast.child(call, 0));
        let function = callee.and_then(|it| ast.referenced(ast.strip_implicit(it)));
        match (call, function) {
            (Some(call), Some(function)) if ast.name(function) == FUNCTIONS[2] => self.call(call),
            _ => Ok(None),
        }
    }

    /// The object that a call is about.
    fn atomic_use(&mut self, call: NodeId, builtin: Builtin) -> Result<Use> {
        let argument = self.child(call, 2)?;
        let pointer = self.source.ast.strip_implicit(argument);
        let pointer = match self.is_pointer(pointer) {
            true => pointer,
            false => argument,
        };
        let declared = self.type_of(pointer)?;
        let address = self.value(argument)?;
        let byte = matches!(builtin.access, Access::TestAndSet | Access::Clear);
        let ty = match self.types.pointee(declared) {
            Some(target) if !byte => target.ty,
            Some(_) => self.types.intern(crate::ast::types::CType::Bool),
            None => return Err(self.unsupported(call)),
        };
        let object = self.ir_type(ty, call)?;
        let address = match self.atomic_place(address, ty, argument)? {
            Place::Atomic { address } | Place::Memory { address, .. } => address,
            Place::Bits { .. } => return Err(self.unsupported(argument)),
        };
        let address = self.as_pointer_to(address, object);
        let order = order_of(builtin);
        let ordered = order.is_none_or(|order| !self.is_relaxed(call, order))
            && builtin.family != Family::Unordered;
        Ok(Use {
            call,
            builtin,
            address,
            ty,
            ordered,
        })
    }

    pub(super) fn is_pointer(&mut self, expression: NodeId) -> bool {
        self.type_of(expression)
            .is_ok_and(|ty| self.scalar(ty) == Some(Scalar::Pointer))
    }

    /// Whether argument `index` of a call is `memory_order_relaxed`.
    fn is_relaxed(&mut self, call: NodeId, index: usize) -> bool {
        let order = self.source.ast.child(call, index);
        order.and_then(|it| constant::integer(&mut self.types, it)) == Some(0)
    }

    fn atomic_access(&mut self, used: &Use) -> Result<Option<Value>> {
        Ok(match used.builtin.access {
            Access::Load => Some(self.loaded(used)),
            Access::LoadInto => {
                let value = self.loaded(used);
                self.store_through(used, 3, value)?;
                None
            }
            Access::Store => {
                let value = self.operand(used, 3)?;
                self.stored(used, value);
                None
            }
            Access::StoreFrom => {
                let value = self.operand_behind(used, 3)?;
                self.stored(used, value);
                None
            }
            Access::Release | Access::Clear => {
                let zero = self.zero_of(used.ty, used.call)?;
                self.stored(used, zero);
                None
            }
            Access::Exchange => {
                let value = self.operand(used, 3)?;
                Some(self.exchanged(used, value))
            }
            Access::ExchangeInto => {
                let value = self.operand_behind(used, 3)?;
                let old = self.exchanged(used, value);
                self.store_through(used, 4, old)?;
                None
            }
            Access::TestAndSet => {
                let one = self.constant(1, 1);
                Some(self.exchanged(used, one))
            }
            Access::Compare | Access::CompareFrom => {
                let expected = self.operand_behind(used, 3)?;
                let value = match used.builtin.access == Access::Compare {
                    true => self.operand(used, 4)?,
                    false => self.operand_behind(used, 4)?,
                };
                let (old, equal) = self.swapped(used, expected, value)?;
                let (op, yes, no) = core::If::new(self.ctx, equal, vec![]);
                self.emit(op);
                self.in_yielding_block(yes, |_| Ok(()))?;
                self.in_yielding_block(no, |this| this.store_through(used, 3, old))?;
                Some(equal)
            }
            Access::Swaps | Access::Swap => {
                let (expected, value) = (self.operand(used, 3)?, self.operand(used, 4)?);
                let (old, equal) = self.swapped(used, expected, value)?;
                Some(match used.builtin.access == Access::Swaps {
                    true => equal,
                    false => old,
                })
            }
            Access::Fetch(change) => Some(self.changed_by(used, change)?.0),
            Access::Change(change) => Some(self.changed_by(used, change)?.1),
        })
    }

    fn loaded(&mut self, used: &Use) -> Value {
        let op = core::AtomicLoad::new(self.ctx, used.address);
        self.emit_value(op)
    }

    fn stored(&mut self, used: &Use, value: Value) {
        let op = core::AtomicStore::new(self.ctx, value, used.address);
        self.emit(op);
    }

    fn exchanged(&mut self, used: &Use, value: Value) -> Value {
        let (op, block) = core::AtomicUpdate::new(self.ctx, used.address);
        self.emit(op);
        // It has no effect, and no place that could fail.
        let _ = self.in_block(block, |this| {
            this.yield_values(vec![value]);
            Ok(())
        });
        op.old(self.ctx)
    }

    /// Argument `index` of the call as a value of the object's type.
    fn operand(&mut self, used: &Use, index: usize) -> Result<Value> {
        let argument = self.child(used.call, index)?;
        let from = self.type_of(argument)?;
        let value = self.value(argument)?;
        self.convert(value, from, used.ty, argument)
    }

    /// The same of what the argument points to.
    fn operand_behind(&mut self, used: &Use, index: usize) -> Result<Value> {
        let place = self.behind(used, index)?;
        Ok(self.load(place, false))
    }

    fn store_through(&mut self, used: &Use, index: usize, value: Value) -> Result<()> {
        let place = self.behind(used, index)?;
        self.store(value, place, false);
        Ok(())
    }

    /// What argument `index` points to, as an object of the same type as the atomic one.
    fn behind(&mut self, used: &Use, index: usize) -> Result<Value> {
        let argument = self.child(used.call, index)?;
        let pointer = self.value(argument)?;
        let ty = self.ir_type(used.ty, argument)?;
        Ok(self.as_pointer_to(pointer, ty))
    }

    /// Writes `value` if the object is what is expected; what it was before, and whether it was that.
    fn swapped(&mut self, used: &Use, expected: Value, value: Value) -> Result<(Value, Value)> {
        let ty = expected.get_type(self.ctx);
        let Some(width) = core::float_width(self.ctx, ty) else {
            return self.swapped_as(used.address, expected, value);
        };
        let int = core::int(self.ctx, width);
        let address = self.as_pointer_to(used.address, int);
        let expected = self.same_bytes(used, expected, int)?;
        let value = self.same_bytes(used, value, int)?;
        let (old, equal) = self.swapped_as(address, expected, value)?;
        Ok((self.same_bytes(used, old, ty)?, equal))
    }

    fn swapped_as(
        &mut self,
        address: Value,
        expected: Value,
        value: Value,
    ) -> Result<(Value, Value)> {
        let (op, block) = core::AtomicUpdate::new(self.ctx, address);
        self.emit(op);
        let old = block.deref(self.ctx).get_argument(0);
        self.in_block(block, |this| {
            let equal = this.compare(CmpKind::Eq, old, expected);
            let chosen = this.select(equal, value, old);
            this.yield_values(vec![chosen]);
            Ok(())
        })?;
        let old = op.old(self.ctx);
        Ok((old, self.compare(CmpKind::Eq, old, expected)))
    }

    /// The value of type `to` with the bytes of `value`.
    fn same_bytes(
        &mut self,
        used: &Use,
        value: Value,
        to: pliron::r#type::TypeHandle,
    ) -> Result<Value> {
        let from = value.get_type(self.ctx);
        let (source, target) = (self.temporary(from), self.temporary(to));
        self.store(value, source, false);
        let void = core::VoidType::get(self.ctx).into();
        let (from, into) = (
            self.as_pointer_to(source, void),
            self.as_pointer_to(target, void),
        );
        let bytes = self
            .types
            .size_of(used.ty)
            .map_err(|error| Stop::at(used.call, error.to_string()))?;
        let bytes = self.constant(64, i128::from(bytes));
        let pointer = core::pointer(self.ctx, void);
        let types = vec![pointer, pointer, core::int(self.ctx, 64)];
        let declared = Extern {
            ty: self.function_handle(types, vec![pointer]).into(),
            traits: library::traits("memcpy", false),
            known: library::known("memcpy"),
        };
        self.called.insert("memcpy".to_owned(), declared);
        let name = symbol("memcpy", used.call)?;
        let op = core::Call::new(self.ctx, name, vec![into, from, bytes], Some(pointer));
        self.emit(op);
        Ok(self.load(target, false))
    }

    /// Changes the object; what it was before, and what it is then.
    fn changed_by(&mut self, used: &Use, change: Change) -> Result<(Value, Value)> {
        let argument = self.child(used.call, 3)?;
        let scalar = self.scalar(used.ty);
        let right = match scalar {
            Some(Scalar::Pointer) => {
                let ty = self.type_of(argument)?;
                let value = self.value(argument)?;
                self.index_of(value, ty)
            }
            _ => self.operand(used, 3)?,
        };
        let (op, block) = core::AtomicUpdate::new(self.ctx, used.address);
        self.emit(op);
        let old = block.deref(self.ctx).get_argument(0);
        self.in_block(block, |this| {
            let new = this.changed_value(used, change, old, right)?;
            this.yield_values(vec![new]);
            Ok(())
        })?;
        Ok((op.old(self.ctx), op.new_value(self.ctx)))
    }

    fn changed_value(
        &mut self,
        used: &Use,
        change: Change,
        old: Value,
        right: Value,
    ) -> Result<Value> {
        let kind = match (self.scalar(used.ty), change) {
            (Some(Scalar::Int { signed, .. }), change) => match (change, signed) {
                (Change::Add, _) => BinKind::Add,
                (Change::Sub, _) => BinKind::Sub,
                (Change::And | Change::Nand, _) => BinKind::And,
                (Change::Or, _) => BinKind::Or,
                (Change::Xor, _) => BinKind::Xor,
                (Change::Min, true) => BinKind::MinS,
                (Change::Max, true) => BinKind::MaxS,
                (Change::Min, false) => BinKind::MinU,
                (Change::Max, false) => BinKind::MaxU,
            },
            (Some(Scalar::Float(_)), Change::Add) => BinKind::FAdd,
            (Some(Scalar::Float(_)), Change::Sub) => BinKind::FSub,
            (Some(Scalar::Bool), Change::And) => BinKind::And,
            (Some(Scalar::Bool), Change::Or) => BinKind::Or,
            (Some(Scalar::Bool), Change::Xor) => BinKind::Xor,
            (Some(Scalar::Pointer), Change::Add | Change::Sub) => {
                let distance = match change == Change::Sub {
                    true => {
                        let op = core::Un::new(self.ctx, core::UnKind::NegS, right);
                        self.emit_value(op)
                    }
                    false => right,
                };
                let ty = old.get_type(self.ctx);
                let byte = core::int(self.ctx, 8);
                let from = match used.builtin.family {
                    Family::C11 | Family::Unordered => old,
                    Family::Gnu | Family::Sync => self.as_pointer_to(old, byte),
                };
                let op = core::PtrAdd::new(self.ctx, from, distance);
                let moved = self.emit_value(op);
                return Ok(match moved.get_type(self.ctx) == ty {
                    true => moved,
                    false => self.cast(core::CastKind::PtrCast, moved, ty),
                });
            }
            (
                Some(Scalar::Bool | Scalar::Float(_) | Scalar::Complex(_) | Scalar::Pointer) | None,
                _,
            ) => {
                return Err(Stop::at(
                    used.call,
                    "this atomic operation is not defined for the object's type",
                )
                .help("use a loop with `atomic_compare_exchange_weak`"));
            }
        };
        let new = self.binary(kind, old, right);
        if change != Change::Nand {
            return Ok(new);
        }
        let op = core::Un::new(self.ctx, core::UnKind::Not, new);
        Ok(self.emit_value(op))
    }
}

/// Which argument of a call says the order of an access that succeeds, if one does.
fn order_of(builtin: Builtin) -> Option<usize> {
    let order = match (builtin.access, builtin.family) {
        (_, Family::Sync | Family::Unordered) => return None,
        (Access::Load | Access::TestAndSet | Access::Clear, _) => 3,
        (
            Access::LoadInto
            | Access::Store
            | Access::StoreFrom
            | Access::Exchange
            | Access::Fetch(_)
            | Access::Change(_),
            _,
        ) => 4,
        (Access::ExchangeInto, _) => 5,
        (Access::Compare | Access::CompareFrom, Family::C11) => 5,
        // Behind a word that says whether it may fail for no reason.
        (Access::Compare | Access::CompareFrom, Family::Gnu) => 6,
        (Access::Release | Access::Swaps | Access::Swap, _) => return None,
    };
    Some(order)
}
