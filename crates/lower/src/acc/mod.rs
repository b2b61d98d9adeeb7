//! Source level: from the `acc` dialect to kernels and sites.

pub mod arguments;
pub mod assign_levels;
pub mod check_clauses;
pub mod device_types;
pub mod drop_host;
pub mod exclusive_clauses;
pub mod gang_dims;
pub mod gang_private;
pub mod helper_globals;
pub mod host_code;
pub mod host_data;
pub mod host_flow;
pub mod implicit_clause;
pub mod implicit_data;
pub mod implied_reductions;
pub mod kernel_splitting;
pub mod kernels_scalars;
pub mod last_values;
pub mod lost_values;
pub mod outline;
pub mod par_loops;
pub mod privatize;
pub mod result_cells;
pub mod routines;
pub mod sites;
