//! The `acc` dialect: OpenACC as the user wrote it, decomposed but without loss (seed: the acc dialect of MLIR).
//!
//! # Data clauses
//! A data clause is an entry operation before the construct and an exit operation after it, linked by the value of the
//! entry operation, which is also a data operand of the construct:
//!
//! ```text
//! copy          acc.copyin  … acc.copyout       create     acc.create    … acc.delete
//! copyin        acc.copyin  … acc.delete        present    acc.present   … acc.delete
//! copyout       acc.create  … acc.copyout       no_create  acc.nocreate  … acc.delete
//! attach        acc.attach  … acc.detach        deviceptr  acc.deviceptr
//! device_resident   acc.declare_device_resident … acc.delete          link   acc.declare_link
//! ```
//!
//! Both keep the user's clause in `DataInfo` and, when explicit, its place in the directive in `Origin`.
//!
//! # Which address is `var`
//! `var` is the address of the *variable* named in the clause, also when the clause maps what a pointer points to: for
//! `copyin(p[0:n])` with `double *p`, `var` is `&p` (a pointer to a pointer) and the first `acc.bounds` is the section of
//! what `p` points to. For an array it is the address of the array, bounds applying to its dimensions; without bounds the
//! whole variable is meant. The result has the type of `var` and means the device's copy of that variable.
//! In the region of a construct the user's variables are still used directly; `lower-acc` replaces them.
//!
//! # Bounds
//! `acc.bounds` are zero-based counts of elements, outermost dimension first: `extent` elements, of which the first is
//! `lowerbound`, and each is `stride` (1 if absent, perhaps negative, never 0) behind the one before it. Fortran's `a(lb:ub:step)` of
//! `real a(first:last)` is lowerbound `lb - first`, extent `max((ub - lb + step) / step, 0)`, stride `step`.

pub mod clauses;
pub mod compute;
pub mod data;
pub mod declare;
pub mod hints;
pub mod loops;
pub mod presence;
pub mod routine;
pub mod standalone;

pub use clauses::*;
pub use compute::*;
pub use data::*;
pub use declare::*;
pub use hints::*;
pub use loops::*;
pub use presence::*;
pub use routine::*;
pub use standalone::*;

accrue_ir::view! {
    /// Every operation of the dialect.
    AccOp of "acc":
        // constructs
        Parallel, Serial, Kernels, Data, HostData, Loop, Yield,
        // standalone directives
        EnterData, ExitData, Update, Wait, Init, Shutdown, Set,
        // declare
        DeclareEnter, DeclareExit, GlobalCtor, GlobalDtor,
        // data clauses: entry
        Bounds, Copyin, Create, Present, Nocreate, Deviceptr, Attach, UseDevice, Private, Firstprivate, Pointer, Reduction,
        UpdateDevice, DeclareDeviceResident, DeclareLink, GetDeviceptr,
        // data clauses: exit
        Copyout, Delete, Detach, UpdateSelf,
}
