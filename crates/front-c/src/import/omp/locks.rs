//! Locks in regions (OpenMP 5.2, section 18.9): the first word of a lock is 0 while nobody holds it.
//!
//! ```text
//! omp_init_lock(&l)       core.atomic_store 0, %l         omp_set_lock(&l)       omp.set_lock %l    fence
//! omp_destroy_lock(&l)                                    omp_unset_lock(&l)     fence    omp.unset_lock %l
//!                                                         omp_test_lock(&l)      omp.test_lock %l   fence
//! ```
//! A lock is an object of the program, which it maps or declares like any other. That of the library on the host may look different:
//! who uses a lock in regions makes it there (18.9: only threads of one contention group use it).

use crate::ast::node::NodeId;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use accrue_dialects::core::{self, AtomicStore, CastKind};
use accrue_dialects::omp::{SetLock, TestLock, UnsetLock};
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
            "omp_init_lock" | "omp_init_lock_with_hint" => {
                let free = self.constant(32, 0);
                let op = AtomicStore::new(self.ctx, free, lock);
                self.emit(op);
            }
            "omp_destroy_lock" => {}
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
                .help("use a lock of the type `omp_lock_t`, and pass on who holds it")
                .openmp("18.9"));
            }
        }
        Ok(None)
    }
}
