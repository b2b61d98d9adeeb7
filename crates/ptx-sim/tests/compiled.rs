//! Code as compilers make it: `compiled/work.c` by clang (`--target=nvptx64-nvidia-cuda -O2 -ffp-contract=off
//! -fno-math-errno`), against the numbers that the same C gives on the host (`work.expected`).

use accrue_ptx_sim::{Gpu, Launch, Options};

#[test]
fn compiled_c_gives_the_hosts_numbers() {
    let expected: Vec<u64> = include_str!("compiled/work.expected")
        .lines()
        .map(|l| u64::from_str_radix(l, 16).unwrap())
        .collect();
    for (cores, seed) in [(2, 0), (1, 3)] {
        let gpu = Gpu::new(Options {
            cores,
            seed,
            ..Options::default()
        });
        let module = gpu
            .load(include_str!("compiled/work.ptx"))
            .unwrap_or_else(|e| panic!("{e}"));
        let kernel = module.kernel("run").unwrap();
        let out = gpu.alloc(8 * expected.len() as u64).unwrap();
        let launch = Launch {
            kernel: &kernel,
            grid: [expected.len() as u32 / 64, 1, 1],
            block: [64, 1, 1],
            dynamic_shared: 0,
            params: &out.to_le_bytes(),
        };
        gpu.launch(&launch).unwrap_or_else(|e| panic!("{e}"));
        let mut bytes = vec![0; 8 * expected.len()];
        gpu.read(out, &mut bytes).unwrap();
        let got: Vec<u64> = bytes
            .chunks(8)
            .map(|b| u64::from_le_bytes(b.try_into().unwrap()))
            .collect();
        assert_eq!(got, expected);
    }
}
