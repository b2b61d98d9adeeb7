//! Locks in regions (OpenMP 5.2, section 18.9): the first word of a lock is 0 while nobody holds it.
//!
//! ```text
//! omp_init_lock(&l)       core.atomic_store 0, %l         omp_set_lock(&l)       omp.set_lock %l    fence
//! omp_destroy_lock(&l)                                    omp_unset_lock(&l)     fence    omp.unset_lock %l
//!                                                         omp_test_lock(&l)      omp.test_lock %l   fence
//! ```
//! One that a thread may take several times has two words: how often it is taken, and by whom, as a number of the thread plus 1.
//!
//! ```text
//! omp_set_nest_lock(&l)       if (l.count != 0 && l.owner == me) l.count++;  else { omp.set_lock %l.count;  l.owner = me; }
//! omp_unset_nest_lock(&l)     if (l.count != 1) l.count--;  else { l.owner = 0;  omp.unset_lock %l.count; }
//! ```
//! A lock is an object of the program, which it maps or declares like any other. That of the library on the host may look different:
//! who uses a lock in regions makes it there (18.9: only threads of one contention group use it).

use crate::ast::node::NodeId;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use accrue_dialects::core::{self, AtomicLoad, AtomicStore, BinKind, CastKind, CmpKind};
use accrue_dialects::omp::{Asked, Query, SetLock, TestLock, UnsetLock};
use pliron::value::Value;

/// Whether `name` is one of the routines.
pub(in crate::import) fn is_routine(name: &str) -> bool {
    let of_locks = ["_lock", "_lock_with_hint"];
    of_locks.iter().any(|end| name.ends_with(end))
}

impl Module<'_> {
    /// A call of such a routine.
    pub(in crate::import) fn lock_routine(
        &mut self,
        expression: NodeId,
        name: &str,
    ) -> Result<Option<Value>> {
        let lock = self.child(expression, 1)?;
        let lock = self.value(lock)?;
        let word = core::int(self.ctx, 32);
        let pointer = core::pointer(self.ctx, word);
        let lock = self.cast(CastKind::PtrCast, lock, pointer);
        match name {
            "omp_init_lock"
            | "omp_init_lock_with_hint"
            | "omp_init_nest_lock"
            | "omp_init_nest_lock_with_hint" => {
                let free = self.constant(32, 0);
                self.write_word(free, lock);
                if name.contains("nest") {
                    let owner = self.owner_of(lock);
                    self.write_word(free, owner);
                }
            }
            "omp_destroy_lock" | "omp_destroy_nest_lock" => {}
            "omp_set_nest_lock" => {
                self.take_again(lock, |this| {
                    let op = SetLock::new(this.ctx, lock);
                    this.emit(op);
                    this.fence();
                    Ok(this.constant(32, 1))
                })?;
            }
            "omp_test_nest_lock" => {
                let taken = self.take_again(lock, |this| {
                    let op = TestLock::new(this.ctx, lock);
                    let took = this.emit_value(op);
                    this.fence();
                    Ok(took)
                })?;
                return Ok(Some(taken));
            }
            "omp_unset_nest_lock" => self.give_back_once(lock)?,
            "omp_set_lock" => {
                let op = SetLock::new(self.ctx, lock);
                self.emit(op);
                self.fence();
            }
            "omp_unset_lock" => {
                self.fence();
                let op = UnsetLock::new(self.ctx, lock);
                self.emit(op);
            }
            "omp_test_lock" => {
                let op = TestLock::new(self.ctx, lock);
                let took = self.emit_value(op);
                self.fence();
                return Ok(Some(took));
            }
            _ => {
                return Err(Stop::at(
                    expression,
                    format!("`{name}` in a region of `target` is not supported yet"),
                )
                .help("use `omp_init_lock`, `omp_set_lock`, `omp_unset_lock`, `omp_test_lock` and their kin for nestable locks")
                .openmp("18.9"));
            }
        }
        Ok(None)
    }

    /// Takes a nestable lock by `first`, which gives whether it did, or once more: how often it is taken then.
    fn take_again(
        &mut self,
        lock: Value,
        first: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        let word = core::int(self.ctx, 32);
        let result = self.temporary(word);
        let owner = self.owner_of(lock);
        let me = self.thread_number();
        let (held, zero) = (self.read_word(lock), self.constant(32, 0));
        let by = self.read_word(owner);
        let is_held = self.compare(CmpKind::Ne, held, zero);
        let is_mine = self.compare(CmpKind::Eq, by, me);
        let again = self.binary(BinKind::And, is_held, is_mine);
        let (op, yes, no) = core::If::new(self.ctx, again, vec![]);
        self.emit(op);
        self.in_yielding_block(yes, |this| {
            let one = this.constant(32, 1);
            let count = this.binary(BinKind::Add, held, one);
            this.write_word(count, lock);
            this.store(count, result, false);
            Ok(())
        })?;
        self.in_yielding_block(no, |this| {
            let took = first(this)?;
            this.store(took, result, false);
            let zero = this.constant(32, 0);
            let took = this.compare(CmpKind::Ne, took, zero);
            let (op, yes, no) = core::If::new(this.ctx, took, vec![]);
            this.emit(op);
            this.in_yielding_block(yes, |this| {
                this.write_word(me, owner);
                Ok(())
            })?;
            this.in_yielding_block(no, |_| Ok(()))
        })?;
        Ok(self.load(result, false))
    }

    fn give_back_once(&mut self, lock: Value) -> Result<()> {
        let owner = self.owner_of(lock);
        let (held, one) = (self.read_word(lock), self.constant(32, 1));
        let is_last = self.compare(CmpKind::Eq, held, one);
        let (op, yes, no) = core::If::new(self.ctx, is_last, vec![]);
        self.emit(op);
        self.in_yielding_block(yes, |this| {
            let nobody = this.constant(32, 0);
            this.write_word(nobody, owner);
            this.fence();
            let op = UnsetLock::new(this.ctx, lock);
            this.emit(op);
            Ok(())
        })?;
        self.in_yielding_block(no, |this| {
            let one = this.constant(32, 1);
            let count = this.binary(BinKind::Sub, held, one);
            this.write_word(count, lock);
            Ok(())
        })
    }

    /// The number of the thread among those of all teams, from 1.
    fn thread_number(&mut self) -> Value {
        let asked = [Asked::TeamNum, Asked::NumThreads, Asked::ThreadNum];
        let [team, threads, thread] = asked.map(|asked| {
            let op = Query::new(self.ctx, asked);
            self.emit_value(op)
        });
        let before = self.binary(BinKind::Mul, team, threads);
        let number = self.binary(BinKind::Add, before, thread);
        let one = self.constant(32, 1);
        self.binary(BinKind::Add, number, one)
    }

    /// The second word of a nestable lock.
    fn owner_of(&mut self, lock: Value) -> Value {
        let one = self.constant(64, 1);
        let op = core::PtrAdd::new(self.ctx, lock, one);
        self.emit_value(op)
    }

    fn read_word(&mut self, address: Value) -> Value {
        let op = AtomicLoad::new(self.ctx, address);
        self.emit_value(op)
    }

    fn write_word(&mut self, value: Value, address: Value) {
        let op = AtomicStore::new(self.ctx, value, address);
        self.emit(op);
    }
}
