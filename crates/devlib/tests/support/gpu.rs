//! Calls of library functions on the simulated GPU: a kernel for a function makes one call per thread.

use super::{Call, Signature, words_of};
use accrue_ptx_sim::{Gpu, Launch, Module, Options};
use std::fmt::Write as _;

/// The head of a module for `sm`.
pub fn head(sm: u32) -> String {
    let version = if sm >= 100 { "8.6" } else { "7.8" };
    format!(".version {version}\n.target sm_{sm}\n.address_size 64\n")
}

/// A kernel in which each of `n` threads reads the words of a call's arguments and writes those of its results. The first
/// pointer points to memory of the thread, another one to global memory: the function must not take them to be of a kind.
pub fn kernel(name: &str, signature: &Signature) -> String {
    let (words_in, words_out) = (8 * signature.arguments(), 8 * signature.results().len());
    let mut text = format!(
        ".visible .entry k_{name}(.param .u64 in, .param .u64 out, .param .u32 n)\n{{\n\
         .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b64 %w; .reg .b32 %v; .local .align 8 .b8 cell[8];\n\
         ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n];\n\
         mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n\
         setp.ge.u32 %p1, %r5, %r1; @%p1 bra END;\n\
         mad.wide.u32 %rd1, %r5, {words_in}, %rd1; mad.wide.u32 %rd2, %r5, {words_out}, %rd2;\n"
    );
    let (mut body, mut after, mut names) = (String::new(), String::new(), vec![]);
    let mut read = 0;
    let mut written = signature.result.map_or(0, words_of);
    for (index, letter) in signature.parameters.chars().enumerate() {
        names.push(format!("a{index}"));
        let _ = writeln!(body, "{}", declare(&format!("a{index}"), letter));
        if letter.is_ascii_uppercase() {
            let _ = match after.is_empty() {
                true => {
                    let (bits, register) = class(letter.to_ascii_lowercase());
                    after = format!(
                        "ld.local.b{bits} {register}, [cell]; st.b{bits} [%rd2+{}], {register};\n",
                        8 * written
                    );
                    writeln!(body, "mov.u64 %w, cell; cvta.local.u64 %w, %w;")
                }
                false => writeln!(body, "add.u64 %w, %rd2, {};", 8 * written),
            };
            let _ = writeln!(body, "st.param.b64 [a{index}], %w;");
            written += 1;
            continue;
        }
        for part in 0..words_of(letter) {
            let (bits, register) = class(letter);
            let at = part * bits / 8;
            let _ = writeln!(
                body,
                "ld.b{bits} {register}, [%rd1+{}]; st.param.b{bits} [a{index}+{at}], {register};",
                8 * read
            );
            read += 1;
        }
    }
    let arguments = names.join(", ");
    match signature.result {
        None => {
            let _ = writeln!(body, "call __accrue_{name}, ({arguments});");
        }
        Some(letter) => {
            let _ = writeln!(body, "{}", declare("r", letter));
            let _ = writeln!(body, "call (r), __accrue_{name}, ({arguments});");
            for part in 0..words_of(letter) {
                let (bits, register) = class(letter);
                let at = part * bits / 8;
                let _ = writeln!(
                    body,
                    "ld.param.b{bits} {register}, [r+{at}]; st.b{bits} [%rd2+{}], {register};",
                    8 * part
                );
            }
        }
    }
    let _ = writeln!(text, "{{\n{body}{after}}}\nEND: ret;\n}}");
    text
}

/// Bits of a word of this type, and a register for it.
fn class(letter: char) -> (usize, &'static str) {
    match letter {
        'f' | 'i' | 'c' => (32, "%v"),
        _ => (64, "%w"),
    }
}

fn declare(name: &str, letter: char) -> String {
    match letter {
        'z' => format!(".param .align 8 .b8 {name}[16];"),
        'c' => format!(".param .align 4 .b8 {name}[8];"),
        'f' | 'i' => format!(".param .b32 {name};"),
        _ => format!(".param .b64 {name};"),
    }
}

/// A simulated GPU with a module.
pub struct Simulator {
    pub gpu: Gpu,
    module: Module,
}

impl Simulator {
    pub fn new(ptx: &str) -> Self {
        let gpu = Gpu::new(Options::default());
        let module = gpu.load(ptx).expect("the simulator reads the library");
        Self { gpu, module }
    }

    /// The result words of each call of a function that has a [`kernel`], or the fault.
    pub fn run(
        &self,
        name: &str,
        signature: &Signature,
        calls: &[Call],
    ) -> Result<Vec<Vec<u64>>, String> {
        let words = signature.results().len();
        let arguments = calls.iter().flat_map(|call| &call.arguments);
        let input: Vec<u8> = arguments.flat_map(|word| word.to_le_bytes()).collect();
        let mut output = vec![0u8; 8 * calls.len() * words];
        let from = self.memory(input.len());
        let to = self.memory(output.len());
        self.gpu.write(from, &input).expect("the arguments");
        self.gpu.write(to, &output).expect("room for results");
        let mut params = vec![];
        params.extend(from.to_le_bytes());
        params.extend(to.to_le_bytes());
        params.extend((calls.len() as u32).to_le_bytes());
        let kernel = self
            .module
            .kernel(&format!("k_{name}"))
            .expect("a kernel for the function");
        let launch = Launch {
            kernel: &kernel,
            grid: [(calls.len() as u32).div_ceil(32), 1, 1],
            block: [32, 1, 1],
            dynamic_shared: 0,
            params: &params,
        };
        self.gpu
            .launch(&launch)
            .map_err(|fault| fault.to_string())?;
        self.gpu.read(to, &mut output).expect("the results");
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, byte| word << 8 | u64::from(*byte))
        };
        let all: Vec<u64> = output.chunks(8).map(word).collect();
        Ok(all.chunks(words.max(1)).map(<[u64]>::to_vec).collect())
    }

    /// Device memory of at least this size.
    pub fn memory(&self, bytes: usize) -> u64 {
        self.gpu.alloc(bytes.max(8) as u64).expect("device memory")
    }
}
