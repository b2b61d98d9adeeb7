//! accrue-back-cpu
