//! Par level, for every target.

pub mod continues;
pub mod drop_host;
pub mod inline;
pub mod level_queries;
pub mod partition;
pub mod private_scalars;
pub mod private_structs;
pub mod privatized_atomics;
pub mod single_exit;
pub mod variable_length;
