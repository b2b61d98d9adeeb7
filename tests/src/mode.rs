//! The devices and kinds of memory that a program runs with.

use crate::share::Share;
use std::path::Path;
use std::process::Command;

/// Where the regions of a program run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The CPU device, sharing the host's memory (the default of the runtime where there is no GPU).
    Shared,
    /// The CPU device with memory of its own: a missing data clause shows.
    Discrete,
    /// The simulator of NVIDIA GPUs.
    Sim,
    /// A device behind OpenCL, where the machine has some, with groups of many work items: PoCL stands in for GPUs.
    OpenCl,
    /// CPU cores behind OpenCL, with code of their own: gangs of one work item, and vectors.
    OpenClCores,
    /// An NVIDIA GPU. Only when asked for: few machines have one.
    Nvidia,
}

/// Names the modes to run, in place of the default ones.
const CHOICE: &str = "ACCRUE_TEST_MODES";

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 6] = [
        Mode::Shared,
        Mode::Discrete,
        Mode::Sim,
        Mode::OpenCl,
        Mode::OpenClCores,
        Mode::Nvidia,
    ];

    /// What every machine can run, but that OpenCL needs a driver: one for CPU cores is enough (`make opencl`).
    const DEFAULT: [Mode; 5] = [
        Mode::Shared,
        Mode::Discrete,
        Mode::Sim,
        Mode::OpenCl,
        Mode::OpenClCores,
    ];

    /// The modes to run, in this order, and how much of them: those that `ACCRUE_TEST_MODES` names
    /// (`ACCRUE_TEST_MODES=nvidia`), whole, or the default ones and the share that `ACCRUE_TESTS` asks for.
    pub fn selected() -> Result<(Vec<Mode>, Share), String> {
        match std::env::var(CHOICE) {
            Ok(names) => names
                .split([',', ' '])
                .filter(|name| !name.is_empty())
                .map(|name| Mode::from_name(name).map_err(|why| format!("{CHOICE}: {why}")))
                .collect::<Result<_, _>>()
                .map(|modes| (modes, Share::All)),
            Err(_) => Ok((Mode::DEFAULT.to_vec(), Share::selected()?)),
        }
    }

    /// The name used in test names and in `// modes:` headers.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Shared => "shared",
            Mode::Discrete => "discrete",
            Mode::Sim => "sim",
            Mode::OpenCl => "opencl",
            Mode::OpenClCores => "opencl-cores",
            Mode::Nvidia => "nvidia",
        }
    }

    /// Whether this machine can run it at all. Whether it has an NVIDIA GPU, only who asks for one knows.
    pub fn is_there(self) -> bool {
        match self {
            Mode::Shared | Mode::Discrete | Mode::Sim | Mode::Nvidia => true,
            Mode::OpenCl | Mode::OpenClCores => {
                let drivers = std::env::var_os("OCL_ICD_VENDORS");
                let drivers = drivers.unwrap_or_else(|| "/etc/OpenCL/vendors".into());
                let path = Path::new(&drivers);
                path.is_file()
                    || path
                        .read_dir()
                        .is_ok_and(|mut files| files.next().is_some())
            }
        }
    }

    /// The mode of a name.
    fn from_name(name: &str) -> Result<Mode, String> {
        Mode::ALL
            .into_iter()
            .find(|mode| mode.name() == name)
            .ok_or_else(|| format!("unknown mode `{name}`"))
    }

    /// The modes of a name in a header: a mode, or `gpu` for GPUs and what stands for them.
    pub fn named(name: &str) -> Result<Vec<Mode>, String> {
        match name {
            "gpu" => Ok(vec![
                Mode::Sim,
                Mode::OpenCl,
                Mode::OpenClCores,
                Mode::Nvidia,
            ]),
            _ => Ok(vec![Mode::from_name(name)?]),
        }
    }

    /// Whether the regions run on a GPU, or on what stands for one.
    pub fn is_gpu(self) -> bool {
        match self {
            Mode::Shared | Mode::Discrete => false,
            Mode::Sim | Mode::OpenCl | Mode::OpenClCores | Mode::Nvidia => true,
        }
    }

    /// What the runtime calls the device.
    pub fn device(self) -> &'static str {
        match self {
            Mode::Shared | Mode::Discrete => "cpu",
            Mode::Sim => "sim",
            Mode::OpenCl | Mode::OpenClCores => "opencl",
            Mode::Nvidia => "nvidia",
        }
    }

    /// Whether it is a device behind OpenCL.
    pub fn is_opencl(self) -> bool {
        matches!(self, Mode::OpenCl | Mode::OpenClCores)
    }

    /// Selects the mode for a program about to be started.
    pub fn select(self, command: &mut Command) {
        match self {
            Mode::Shared => command.env("ACC_DEVICE_TYPE", "host"),
            Mode::Discrete => command
                .env("ACC_DEVICE_TYPE", "host")
                .env("ACCRUE_CPU_MEMORY", "discrete"),
            Mode::Sim => command.env("ACC_DEVICE_TYPE", "sim"),
            Mode::OpenCl => command
                .env("ACC_DEVICE_TYPE", "opencl")
                .env("ACCRUE_OPENCL_CODE", "groups")
                .env("ACCRUE_OPENCL_CACHE", ""),
            Mode::OpenClCores => command
                .env("ACC_DEVICE_TYPE", "opencl")
                .env("ACCRUE_OPENCL_CACHE", ""),
            Mode::Nvidia => command.env("ACC_DEVICE_TYPE", "nvidia"),
        };
    }

    /// How many times longer a program may take than its header says.
    pub fn patience(self) -> u32 {
        match self {
            Mode::Shared | Mode::Discrete | Mode::Nvidia => 1,
            Mode::Sim => 3,
            // Each kernel is built at its first launch.
            Mode::OpenCl | Mode::OpenClCores => 3,
        }
    }
}
