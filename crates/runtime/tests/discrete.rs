//! The behaviour of directives and routines on the CPU device with memory of its own.

mod behaviour;
mod support;
