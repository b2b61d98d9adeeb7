//! accrue-runtime
