//! The present table: which host memory has a copy on a device (OpenACC 3.4, 2.6.3 to 2.6.8).
//!
//! [`ranges`] finds a mapping by address; [`table`] holds the mappings and their counters, [`groups`] references to many of them,
//! [`rows`] what constructs have found behind pointers; [`parts`] says which pointers lead to several mappings.

pub mod groups;
pub mod parts;
pub mod ranges;
pub mod rows;
pub mod table;
