//! A simulator for PTX: a GPU without a GPU.
//!
//! ```text
//! PTX text ──text──▶ tokens ──parse──▶ ast::Module ──lower──▶ Program (one per kernel) ──exec──▶ blocks of warps on host threads
//!                                                                                         │
//!                                                                       memory (allocations of device memory)
//! ```
//!
//! ```no_run
//! let gpu = accrue_ptx_sim::Gpu::new(Default::default());
//! let module = gpu.load(".version 7.0 …").unwrap();
//! let kernel = module.kernel("add").unwrap();
//! let memory = gpu.alloc(4096).unwrap();
//! let params = memory.to_le_bytes();
//! let stats = gpu.launch(&accrue_ptx_sim::Launch {
//!     kernel: &kernel, grid: [8, 1, 1], block: [128, 1, 1], dynamic_shared: 0, params: &params,
//! });
//! ```

mod alu;
mod ast;
mod exec;
mod fault;
mod gpu;
mod initial;
mod lower;
mod memory;
mod options;
mod parse;
mod program;
mod soft;
mod stats;
mod text;

pub use ast::Single;
pub use fault::{
    Access, AddressError, Fault, FaultKind, LoadError, Nearest, OtherAccess, Place, Space,
    ThreadId, Waiting,
};
pub use gpu::{Gpu, Kernel, Launch, Module, Param};
pub use memory::track::Newer;
pub use options::{Checks, MODELS, Model, Options, Printer};
pub use stats::{Stats, Traffic};
