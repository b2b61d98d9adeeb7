//! What a kernel's code needs that a device behind OpenCL may not have. The region runs on the host then, and the program is told why.
//!
//! ```text
//! heat.c:12: this region computes with `double`, which opencl:0 does not have (cl_khr_fp64), and runs on the host
//! ```

use crate::abi::{SIMT_DOUBLES, SimtKernel};

/// What a device has, as far as kernels differ in needing it.
#[derive(Clone, Copy, Debug)]
pub struct Has {
    pub doubles: bool,
    /// Most bytes of a kernel's arguments.
    pub parameter_bytes: u64,
}

/// What is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    Doubles,
    /// The bytes of the arguments.
    Parameters(u64),
}

impl Has {
    /// What is missing for a kernel.
    pub fn lacks(self, kernel: &SimtKernel) -> Option<Lack> {
        self.lacking(kernel.flags, kernel.args_words)
    }

    fn lacking(self, flags: u32, args_words: u32) -> Option<Lack> {
        // Beside the words: the addresses of scratch memory and of the memory that all addresses are in.
        let parameters = (u64::from(args_words) + 2) * 8;
        if flags & SIMT_DOUBLES != 0 && !self.doubles {
            return Some(Lack::Doubles);
        }
        (parameters > self.parameter_bytes).then_some(Lack::Parameters(parameters))
    }

    /// Ends `this region …`.
    pub fn text(self, lack: Lack, device: &str) -> String {
        match lack {
            Lack::Doubles => {
                format!("computes with `double`, which {device} does not have (cl_khr_fp64),")
            }
            Lack::Parameters(bytes) => format!(
                "has {bytes} bytes of arguments, of which {device} takes {} at most,",
                self.parameter_bytes
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Has = Has {
        doubles: false,
        parameter_bytes: 1024,
    };

    #[test]
    fn a_kernel_with_doubles_needs_a_device_with_doubles() {
        let large = Has {
            doubles: true,
            ..SMALL
        };
        assert_eq!(SMALL.lacking(SIMT_DOUBLES, 4), Some(Lack::Doubles));
        assert_eq!(SMALL.lacking(0, 4), None);
        assert_eq!(large.lacking(SIMT_DOUBLES, 4), None);
        let text = SMALL.text(Lack::Doubles, "opencl:0");
        assert!(text.contains("`double`, which opencl:0 does not have"));
    }

    #[test]
    fn arguments_have_to_fit() {
        assert_eq!(SMALL.lacking(0, 126), None);
        assert_eq!(SMALL.lacking(0, 127), Some(Lack::Parameters(1032)));
    }
}
