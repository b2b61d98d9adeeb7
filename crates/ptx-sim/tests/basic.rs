//! Ordinary kernels: loads, stores, branches, barriers, shuffles, atomics, calls, locks.

use accrue_ptx_sim::{Gpu, Launch, Module, Options, Stats};

const TEXT: &str = include_str!("ptx/basic.ptx");

fn gpu(cores: usize, seed: u64) -> (Gpu, Module) {
    let gpu = Gpu::new(Options {
        cores,
        seed,
        ..Options::default()
    });
    let module = gpu.load(TEXT).unwrap_or_else(|e| panic!("{e}"));
    (gpu, module)
}

fn launch(gpu: &Gpu, module: &Module, name: &str, grid: u32, block: u32, params: &[u8]) -> Stats {
    let kernel = module.kernel(name).unwrap();
    let launch = Launch {
        kernel: &kernel,
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        dynamic_shared: 0,
        params,
    };
    gpu.launch(&launch).unwrap_or_else(|e| panic!("{e}"))
}

fn upload(gpu: &Gpu, words: &[u32]) -> u64 {
    let address = gpu.alloc(4 * words.len() as u64).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    gpu.write(address, &bytes).unwrap();
    address
}

fn download(gpu: &Gpu, address: u64, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 * count];
    gpu.read(address, &mut bytes).unwrap();
    bytes
        .chunks(4)
        .map(|w| u32::from_le_bytes(w.try_into().unwrap()))
        .collect()
}

fn params(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

#[test]
fn fma_array() {
    let (gpu, module) = gpu(2, 0);
    let n = 1000;
    let data = |f: fn(u32) -> f32| (0..n).map(|i| f(i).to_bits()).collect::<Vec<_>>();
    let a = upload(&gpu, &data(|i| i as f32));
    let b = upload(&gpu, &data(|i| 0.5 * i as f32));
    let c = upload(&gpu, &data(|_| 1.0));
    let mut p = params(&[a, b, c]);
    p.extend(n.to_le_bytes());
    let stats = launch(&gpu, &module, "fma_array", 8, 128, &p);
    let out = download(&gpu, c, n as usize);
    for i in 0..n {
        assert_eq!(
            f32::from_bits(out[i as usize]),
            (i as f32).mul_add(0.5 * i as f32, 1.0)
        );
    }
    // 1000 = 31 warps and 8 lanes: only the warp with the end in it diverges.
    assert_eq!(stats.divergent_branches, 1);
}

#[test]
fn block_sums() {
    for (cores, seed) in [(1, 0), (2, 0), (1, 1), (1, 2)] {
        let (gpu, module) = gpu(cores, seed);
        let input: Vec<u32> = (0..1024 * 7)
            .map(|i: u32| i.wrapping_mul(2654435761) >> 20)
            .collect();
        let (a, out) = (upload(&gpu, &input), upload(&gpu, &[0; 7]));
        launch(&gpu, &module, "block_sum", 7, 1024, &params(&[a, out]));
        let expected: Vec<u32> = input.chunks(1024).map(|c| c.iter().sum()).collect();
        assert_eq!(download(&gpu, out, 7), expected);
        let (counter, bytes) = module.variable("counter").unwrap();
        assert_eq!(
            (download(&gpu, counter, 1)[0], bytes),
            (5 + expected.iter().sum::<u32>(), 4)
        );
    }
}

#[test]
fn recursive_calls_of_divergent_lanes() {
    let (gpu, module) = gpu(1, 0);
    let out = upload(&gpu, &[0; 96]);
    launch(&gpu, &module, "factorials", 1, 96, &params(&[out]));
    for (i, value) in download(&gpu, out, 96).into_iter().enumerate() {
        let expected = (1..=i as u32 % 13).product::<u32>() + [10, 20, 30, 40][i & 3];
        assert_eq!(value, expected, "thread {i}");
    }
}

#[test]
fn lanes_of_a_warp_get_a_lock_one_after_another() {
    for seed in 0..3 {
        let (gpu, module) = gpu(2, seed);
        let (lock, sum) = (upload(&gpu, &[0]), upload(&gpu, &[0]));
        launch(&gpu, &module, "locked", 3, 64, &params(&[lock, sum]));
        assert_eq!(download(&gpu, sum, 1), [3 * 64]);
    }
}
