//! What passes ask about code: accesses, dependences, liveness, iteration counts. Nothing here changes a kernel.

pub mod accesses;
pub mod affine;
pub mod alike;
pub mod atomics;
pub mod call_effects;
pub mod exact_trip;
pub mod first_use;
pub mod flattened;
pub mod gang_trip;
pub mod only_loops;
pub mod overlap;
pub mod own_elements;
pub mod parameters;
pub mod plain_accesses;
pub mod pointers_in_memory;
pub mod read_only;
pub mod records;
pub mod same;
pub mod slice;
pub mod straight;
pub mod strides;
pub mod trip;
pub mod unchanged;
pub mod uneven;
pub mod variables;
