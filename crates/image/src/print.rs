//! Prints the static tables of the companion object.
