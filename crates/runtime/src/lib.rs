//! libaccrue: what compiled OpenACC programs call at run time.
//!
//! | module | job |
//! | --- | --- |
//! | [`abi`], [`entry`], [`version`], [`words`] | the interface to compiled code |
//! | [`launch`], [`directives`], [`wait`] | one function per kind of directive |
//! | [`host_region`] | regions that a device has no code for |
//! | [`results`] | results of reductions, which need no transfers |
//! | [`region`], [`data`], [`section`] | data clauses: what is mapped, copied, undone |
//! | [`declared`] | what `declare` directives outside of functions keep present |
//! | [`present`] | which host memory has a device copy, and who holds it |
//! | [`device`] | drivers: memory, transfers, launches, queues |
//! | [`runtime`], [`image`] | devices of the process, control variables of a thread |
//! | [`fork`], [`thread_end`] | a process that forks, a thread that ends |
//! | [`api`] | the `acc_*` routines of `openacc.h`, the device routines of `omp.h` |
//! | [`openmp`] | numbers of OpenMP's devices, the host's OpenMP library |
//! | [`tools`] | the profiling interface, `acc_prof.h` |
//! | [`fatal`], [`report`], [`notify`], [`profile`], [`site`] | messages, traces, figures |
//!
//! Nothing touches a device before the first directive or routine that needs one.
//!
//! Environment variables, read at first use:
//!
//! | variable | meaning |
//! | --- | --- |
//! | `ACC_DEVICE_TYPE`, `ACC_DEVICE_NUM` | the device to start with (OpenACC 3.4, chapter 4) |
//! | `OMP_TARGET_OFFLOAD`, `OMP_DEFAULT_DEVICE` | OpenMP's devices, see [`openmp`] |
//! | `OMP_NUM_TEAMS`, `OMP_TEAMS_THREAD_LIMIT` | sizes of OpenMP's regions |
//! | `ACC_PROFLIB` | tools to load, see [`tools`] |
//! | `ACC_NUM_CORES` | most threads of the CPU device |
//! | `ACCRUE_CPU_MEMORY` | `shared` (default) or `discrete`: the CPU device's own memory |
//! | `ACCRUE_CPU_MEMORY_SIZE` | most bytes of device memory; `K`, `M`, `G` |
//! | `ACCRUE_SIM_…` | the simulated GPU, see [`device::sim`] |
//! | `ACCRUE_NOTIFY`, `NVCOMPILER_ACC_NOTIFY` | which events to trace, see [`notify`] |
//! | `ACCRUE_TIME`, `NVCOMPILER_ACC_TIME` | a table of times at exit, see [`profile`] |

pub use accrue_abi as abi;

pub mod api;
pub mod data;
pub mod declared;
pub mod device;
pub mod directives;
pub mod disjoint;
pub mod entry;
pub mod fatal;
pub mod fork;
pub mod host_region;
pub mod image;
pub mod launch;
mod limits;
mod message;
pub mod notify;
pub mod once;
pub mod openmp;
pub mod present;
pub mod profile;
pub mod region;
pub mod report;
pub mod results;
pub mod rounds;
pub mod runtime;
pub mod section;
pub mod site;
pub mod thread_end;
pub mod tools;
mod unobserved;
pub mod version;
pub mod wait;
pub mod words;
