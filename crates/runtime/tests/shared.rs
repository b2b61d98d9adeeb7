//! The behaviour of directives and routines on the CPU device that shares the host's memory.

mod behaviour;
mod support;
