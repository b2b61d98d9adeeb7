//! Constants of the host's text with the addresses of functions, which regions compare pointers with.
//!
//! Problem: a region may stand in front of the first declaration of a function that a pointer leads it to.
//!
//! ```text
//! static __accrue_word const F;      in front of the user's text: a tentative definition
//! …
//! static __accrue_word const F=(__accrue_word)(unsigned long)&one;      behind it, where all is declared
//! ```

/// A constant of the host's text: the address of a function, which regions compare pointers with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionAddress {
    pub variable: String,
    /// The function's name in C.
    pub name: String,
}

impl FunctionAddress {
    /// What stands in front of the user's text.
    pub(super) fn declaration(&self) -> String {
        format!("static __accrue_word const {};", self.variable)
    }

    /// What stands behind it, where the function is declared.
    pub(super) fn definition(&self) -> String {
        let FunctionAddress { variable, name } = self;
        format!(
            "\n# 1 \"<accrue>\" 3\n__extension__ static __accrue_word const {variable}=(__accrue_word)(unsigned long)&{name};\n"
        )
    }
}
