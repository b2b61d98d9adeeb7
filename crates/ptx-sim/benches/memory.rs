//! How much memory the simulator takes for 1 GiB of device data that the host has written and a kernel reads and writes.
//!
//! Without arguments, it runs itself once for each set of checks: the largest size that a process had is one figure of the
//! whole process. The host's own copy of the data is not in it.

use accrue_ptx_sim::{Checks, Gpu, Launch, Options};
use std::{env, fs, process::Command};

const DATA: u64 = 1 << 30;

/// Every lane adds one to 16 bytes at a time.
const TEXT: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 end)
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [end];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    mad.wide.u32 %rd3, %r4, 16, %rd1;
    mov.u32 %r5, %nctaid.x;
    mul.lo.u32 %r6, %r5, %r2;
    mul.wide.u32 %rd4, %r6, 16;
loop:
    ld.global.v2.u64 {%rd5, %rd6}, [%rd3];
    add.u64 %rd5, %rd5, 1;
    add.u64 %rd6, %rd6, 1;
    st.global.v2.u64 [%rd3], {%rd5, %rd6};
    add.u64 %rd3, %rd3, %rd4;
    setp.lt.u64 %p1, %rd3, %rd2;
    @%p1 bra loop;
    ret;
}
";

/// Names of the sets of checks: none, those on by default, and also the search for old data.
const SETS: [&str; 3] = ["none", "default", "all"];

fn main() {
    match env::args()
        .nth(1)
        .as_deref()
        .filter(|set| SETS.contains(set))
    {
        Some(set) => run(set),
        None => {
            for set in SETS {
                let Ok(itself) = env::current_exe() else {
                    return;
                };
                if let Err(error) = Command::new(itself).arg(set).status() {
                    println!("{set}: {error}");
                }
            }
        }
    }
}

fn run(set: &str) {
    let gpu = Gpu::new(Options {
        checks: match set {
            "none" => Checks::NONE,
            _ => Checks::ALL,
        },
        ..Options::default()
    });
    let (Ok(module), Some(data)) = (gpu.load(TEXT), gpu.alloc(DATA)) else {
        return;
    };
    let Some(kernel) = module.kernel("add") else {
        return;
    };
    if set == "all" {
        let _ = gpu.track(data);
    }
    let part = vec![1; 1 << 20];
    for at in (0..DATA).step_by(part.len()) {
        let _ = gpu.write(data + at, &part);
        let _ = gpu.transferred(data + at, part.len() as u64);
    }
    let params: Vec<u8> = [data, data + DATA]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let launch = Launch {
        kernel: &kernel,
        grid: [264, 1, 1],
        block: [128, 1, 1],
        dynamic_shared: 0,
        params: &params,
    };
    if let Err(fault) = gpu.launch(&launch) {
        println!("{fault}");
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!(
        "checks {set:8} largest size {}",
        most.unwrap_or("unknown").trim()
    );
}
