//! libaccrue: what compiled OpenACC programs call at run time.
//!
//! | module | job |
//! | --- | --- |
//! | [`abi`], [`entry`], [`words`] | the interface to compiled code |
//! | [`launch`], [`directives`], [`wait`] | one function per kind of directive |
//! | [`region`], [`data`], [`section`] | data clauses: what is mapped, copied, undone |
//! | [`present`] | which host memory has a device copy, and who holds it |
//! | [`device`] | drivers: memory, transfers, launches, queues |
//! | [`runtime`], [`device_type`], [`fork`] | devices of the process, control variables of a thread |
//! | [`api`] | the `acc_*` routines of `openacc.h` |
//! | [`fatal`], [`report`], [`notify`], [`profile`], [`site`] | messages, traces, figures |
//!
//! Nothing touches a device before the first directive or routine that needs one.

pub mod abi;
pub mod api;
pub mod data;
pub mod device;
pub mod device_type;
pub mod directives;
pub mod entry;
pub mod fatal;
pub mod fork;
pub mod launch;
pub mod notify;
pub mod present;
pub mod profile;
pub mod region;
pub mod report;
pub mod runtime;
pub mod section;
pub mod site;
pub mod wait;
pub mod words;
