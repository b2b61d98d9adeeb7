//! accrue-lower
