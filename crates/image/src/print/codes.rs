//! The unit's code for groups of threads: for NVIDIA GPUs, in all its forms, and for devices behind OpenCL.
//!
//! PTX is text that the driver translates for the GPU it finds, so the companion carries it as a string, once per
//! architecture that it was made for. Machine code, where it was asked for, is a string as well: C compilers read a string
//! more than ten times as fast as an array of numbers, and unlike `.incbin` it survives `-S` and `-flto`. OpenCL C is a text for
//! all devices, in a module of its own: another driver reads it.
//! ```c
//! static const char accrue_ptx_60[] = ".version 7.0\n" ".target sm_60\n" …;
//! static const char accrue_machine_90[] = "\177ELF\2\1…" …;
//! static const struct accrue_code accrue_codes[] = { { 0, 60, 70, 0, sizeof accrue_ptx_60 - 1, accrue_ptx_60 }, … };
//! static struct accrue_module accrue_module = { 2, 0, accrue_codes, 0 };
//! ```
//! The runtime keeps what the driver made of a module in the module's last member.

use super::c_string;
use accrue_abi::{CodeKind, initial};
use std::fmt::Write;

/// What the tables of one driver's code are called.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    pub module: &'static str,
    codes: &'static str,
}

/// Of NVIDIA's driver, and of the simulator.
pub const GPUS: Names = Names {
    module: "accrue_module",
    codes: "accrue_codes",
};

/// Of drivers of OpenCL.
pub const OPENCL: Names = Names {
    module: "accrue_opencl_module",
    codes: "accrue_opencl_codes",
};

/// Of drivers of OpenCL, for CPU cores.
pub const OPENCL_CORES: Names = Names {
    module: "accrue_opencl_cores_module",
    codes: "accrue_opencl_cores_codes",
};

/// Version of OpenCL C that texts need, times ten.
const OPENCL_C: u32 = 12;

/// The unit's code for GPUs of one compute capability.
#[derive(Clone, Debug)]
pub struct CompanionCode<'a> {
    /// Compute capability, times ten (`.target sm_60`); 0 for OpenCL C.
    pub sm: u32,
    pub form: CodeForm<'a>,
}

/// A form of the code.
#[derive(Clone, Copy, Debug)]
pub enum CodeForm<'a> {
    /// PTX: for all later GPUs too.
    Ptx {
        /// Version of the PTX language, times ten (`.version 7.0`).
        version: u32,
        text: &'a str,
    },
    /// A cubin: for the later GPUs of the same generation too.
    Machine(&'a [u8]),
    /// OpenCL C: for all devices.
    OpenCl(&'a str),
    /// The same, for CPU cores.
    OpenClCores(&'a str),
}

/// Bytes of machine code in a line of the companion.
const LINE: usize = 64;

impl<'a> CompanionCode<'a> {
    /// A text of OpenCL C.
    pub fn opencl(text: &'a str) -> Self {
        CompanionCode {
            sm: 0,
            form: CodeForm::OpenCl(text),
        }
    }

    /// The same, for CPU cores.
    pub fn opencl_cores(text: &'a str) -> Self {
        CompanionCode {
            sm: 0,
            form: CodeForm::OpenClCores(text),
        }
    }

    fn kind(&self) -> CodeKind {
        match self.form {
            CodeForm::Ptx { .. } => CodeKind::Ptx,
            CodeForm::Machine(_) => CodeKind::Machine,
            CodeForm::OpenCl(_) | CodeForm::OpenClCores(_) => CodeKind::OpenCl,
        }
    }

    fn symbol(&self) -> String {
        match self.form {
            CodeForm::Ptx { .. } => format!("accrue_ptx_{}", self.sm),
            CodeForm::Machine(_) => format!("accrue_machine_{}", self.sm),
            CodeForm::OpenCl(_) => "accrue_opencl".to_string(),
            CodeForm::OpenClCores(_) => "accrue_opencl_cores".to_string(),
        }
    }

    /// The definition of the symbol.
    fn data(&self) -> String {
        let pieces: Vec<&[u8]> = match self.form {
            CodeForm::Ptx { text, .. } | CodeForm::OpenCl(text) | CodeForm::OpenClCores(text) => {
                text.as_bytes().split_inclusive(|b| *b == b'\n').collect()
            }
            CodeForm::Machine(image) => image.chunks(LINE).collect(),
        };
        // An image is read in place.
        let mut text = format!(
            "static const char {}[] __attribute__((aligned(8))) =\n",
            self.symbol()
        );
        for piece in pieces {
            let _ = writeln!(text, "    {}", c_string(piece));
        }
        text.push_str("    \"\";\n");
        text
    }
}

/// The unit's code and the module that holds it; nothing when there is no code.
pub fn module(names: Names, codes: &[CompanionCode]) -> String {
    if codes.is_empty() {
        return String::new();
    }
    // The code is longer than what every C compiler promises to take; those that are supported have no limit.
    let mut text = String::from("\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n");
    text.extend(codes.iter().map(CompanionCode::data));
    let _ = writeln!(
        text,
        "static const struct accrue_code {}[] = {{",
        names.codes
    );
    for code in codes {
        let symbol = code.symbol();
        let version = match code.form {
            CodeForm::Ptx { version, .. } => version,
            CodeForm::Machine(_) => 0,
            CodeForm::OpenCl(_) | CodeForm::OpenClCores(_) => OPENCL_C,
        };
        let initial = initial::Code {
            kind: &(code.kind() as u32),
            sm: &code.sm,
            ptx: &version,
            pad: &0,
            bytes: &format!("sizeof {symbol} - 1"),
            text: &symbol,
        };
        let _ = writeln!(text, "    {initial},");
    }
    let initial = initial::Module {
        ncodes: &codes.len(),
        pad: &0,
        codes: &names.codes,
        runtime: &0,
    };
    let _ = writeln!(
        text,
        "}};\nstatic struct accrue_module {} = {initial};",
        names.module
    );
    text
}
