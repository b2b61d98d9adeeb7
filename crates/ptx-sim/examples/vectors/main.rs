//! Test vectors for comparing the simulator with a GPU.
//!
//! ```text
//! cargo run --release -p accrue-ptx-sim --example vectors -- FOLDER
//! ```
//!
//! writes, for every form of an instruction in `forms`, a kernel that applies it to each row of operands, the operands, and
//! what the simulator computes:
//!
//! - `GROUP.ptx`: the kernels of a group
//! - `data.bin`: columns of operands and results, little-endian, one after the other
//! - `index.txt`: what is where, one thing per line, offsets in bytes of `data.bin`:
//!
//! ```text
//! vectors VERSION ROWS BLOCK
//! column NUMBER FORMAT BYTES OFFSET
//! module FILE
//! test KERNEL FORMAT BYTES OFFSET A B C ULPS RELATIVE ABSOLUTE TEXT
//! ```
//!
//! A test belongs to the module above it; A, B, C are numbers of columns, -1 for none; the last numbers are the bounds of an
//! approximation, 0 0 0 for an instruction whose result is exact. `bench/gpu/vectors.c` runs the same kernels on a GPU.

mod compare;
mod convert;
mod cooperation;
mod float;
mod forms;
mod integer;
mod kernel;
mod operands;

use accrue_ptx_sim::{Gpu, Launch, Module, Options};
use forms::Form;
use operands::{Kind, ROWS};
use std::{
    collections::{BTreeMap, HashMap},
    error::Error,
    fmt::Write,
    fs,
    path::Path,
    process::ExitCode,
};

const VERSION: u32 = 1;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: vectors FOLDER");
        return ExitCode::from(2);
    };
    match write(Path::new(&folder)) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("vectors: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A column of operands: its number, and where it is on the simulated device.
struct Column {
    number: usize,
    address: u64,
}

struct Writer {
    gpu: Gpu,
    columns: BTreeMap<(Kind, u64), Column>,
    results: HashMap<Vec<u8>, usize>,
    data: Vec<u8>,
    index: String,
}

fn write(folder: &Path) -> Result<String, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut writer = Writer {
        gpu: Gpu::new(Options::default()),
        columns: BTreeMap::new(),
        results: HashMap::new(),
        data: Vec::new(),
        index: format!("vectors {VERSION} {ROWS} {}\n", kernel::BLOCK),
    };
    let mut count = 0;
    for (group, forms) in forms::groups() {
        let named: Vec<(String, &Form)> = forms
            .iter()
            .enumerate()
            .map(|(n, form)| (format!("{group}_{n}"), form))
            .collect();
        let text = kernel::module(&named);
        fs::write(folder.join(format!("{group}.ptx")), &text)?;
        let module = writer
            .gpu
            .load(&text)
            .map_err(|e| format!("{group}.ptx: {e}"))?;
        for form in &forms {
            writer.add_columns(form)?;
        }
        writeln!(writer.index, "module {group}.ptx")?;
        for (name, form) in named {
            writer.run(&module, &name, form)?;
            count += 1;
        }
    }
    fs::write(folder.join("index.txt"), &writer.index)?;
    fs::write(folder.join("data.bin"), &writer.data)?;
    Ok(format!(
        "{count} forms of instructions, {ROWS} rows each, {:.1} MiB",
        writer.data.len() as f64 / f64::from(1 << 20)
    ))
}

impl Writer {
    /// Makes the columns that the form reads and nobody has read before.
    fn add_columns(&mut self, form: &Form) -> Result<(), Box<dyn Error>> {
        for (position, kind) in form.sources.iter().enumerate() {
            let key = (*kind, position as u64);
            if self.columns.contains_key(&key) {
                continue;
            }
            let bytes = kind.bytes();
            let column: Vec<u8> = (0..ROWS)
                .flat_map(|row| {
                    let value = operands::value(*kind, key.1, row).to_le_bytes();
                    value.into_iter().take(bytes as usize)
                })
                .collect();
            let address = self
                .gpu
                .alloc(column.len() as u64)
                .ok_or("out of simulated memory")?;
            self.gpu.write(address, &column)?;
            let number = self.columns.len();
            let (format, offset) = (kind.format(), self.data.len());
            writeln!(self.index, "column {number} {format} {bytes} {offset}")?;
            self.data.extend(column);
            self.columns.insert(key, Column { number, address });
        }
        Ok(())
    }

    fn run(&mut self, module: &Module, name: &str, form: &Form) -> Result<(), Box<dyn Error>> {
        let bytes = form.bytes();
        let size = ROWS * bytes;
        let out = self.gpu.alloc(size).ok_or("out of simulated memory")?;
        self.gpu.fill(out, 0, size)?;
        let (mut params, mut numbers) = ([0; 4], [-1; 3]);
        for (position, kind) in form.sources.iter().enumerate() {
            let column = &self.columns[&(*kind, position as u64)];
            params[position] = column.address;
            numbers[position] = column.number as i64;
        }
        params[3] = out;
        let params: Vec<u8> = params.iter().flat_map(|p| p.to_le_bytes()).collect();
        let kernel = module.kernel(name).ok_or("the kernel is missing")?;
        let launch = Launch {
            kernel: &kernel,
            grid: [(ROWS / kernel::BLOCK) as u32, 1, 1],
            block: [kernel::BLOCK as u32, 1, 1],
            dynamic_shared: 0,
            params: &params,
        };
        self.gpu
            .launch(&launch)
            .map_err(|fault| format!("{}: {fault}", form.text))?;
        let mut results = vec![0; size as usize];
        self.gpu.read(out, &mut results)?;
        self.gpu.free(out)?;
        let offset = self.store(results);
        let [a, b, c] = numbers;
        let bound = &form.bound;
        writeln!(
            self.index,
            "test {name} {} {bytes} {offset} {a} {b} {c} {} {:e} {:e} {}",
            form.dest, bound.ulps, bound.relative, bound.absolute, form.text
        )?;
        Ok(())
    }

    /// Where the results are in the data; many instructions have the same ones, which are stored once.
    fn store(&mut self, results: Vec<u8>) -> usize {
        if let Some(offset) = self.results.get(&results) {
            return *offset;
        }
        let offset = self.data.len();
        self.data.extend(&results);
        self.results.insert(results, offset);
        offset
    }
}
