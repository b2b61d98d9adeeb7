//! What is known about the pointers of expanded functions.
//!
//! | module | finds |
//! | --- | --- |
//! | [`forward`] | the frame of the next two: facts that follow values |
//! | [`spaces`] | the memory that a pointer leads to: global, of the group, of the thread |
//! | [`origins`] | the parameters that a pointer comes from, and its lowest bits ([`residue`]) |
//! | [`versions`] | what the fast version of a kernel may assume |
//! | [`enough_threads`] | how few threads a multiprocessor may have, for the sake of their registers |

pub mod enough_threads;
pub mod forward;
pub mod origins;
pub mod residue;
pub mod spaces;
pub mod versions;
