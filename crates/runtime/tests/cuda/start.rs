//! Which device a program gets, and what is said when there is none.

use crate::gpu::add_on_host;
use crate::support::cases::Case;
use crate::support::{self, directive};
use crate::{HOST, NVIDIA, PLAIN};
use accrue::abi::*;
use accrue::api::device::*;
use accrue::device::cuda::interop::*;

pub const CASES: &[Case] = &[
    Case {
        name: "a GPU is the default",
        environment: PLAIN,
        body: || {
            assert_eq!(acc_get_device_type(), NVIDIA);
            assert_eq!(acc_get_num_devices(NVIDIA), 1);
            assert_eq!(acc_get_num_devices(HOST), 1);
            let name = unsafe { std::ffi::CStr::from_ptr(acc_get_property_string(0, NVIDIA, 101)) };
            assert_eq!(name.to_str(), Ok("Stub GPU 0"));
            assert_eq!(acc_get_property(0, NVIDIA, 1), 1 << 30);
            let (device, context) = (
                acc_get_current_cuda_device(),
                acc_get_current_cuda_context(),
            );
            assert_eq!(unsafe { *device.cast::<i32>() }, 100);
            assert!(!context.is_null());
            acc_set_device_type(HOST);
            assert!(acc_get_current_cuda_context().is_null());
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "no GPU: the CPU, without a word",
        environment: &[("STUB_INIT", "100")],
        body: || assert_eq!(acc_get_device_type(), HOST),
        status: 0,
        expected: &[],
    },
    Case {
        name: "a broken driver: the CPU, with a word",
        environment: &[("STUB_INIT", "803")],
        body: || assert_eq!(acc_get_device_type(), HOST),
        status: 0,
        expected: &[
            "accrue: warning: NVIDIA GPUs are not used: cuInit failed: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)",
            "regions run on the CPU",
        ],
    },
    Case {
        name: "a broken driver that was asked for",
        environment: &[("STUB_INIT", "803"), ("ACC_DEVICE_TYPE", "nvidia")],
        body: || acc_init(1),
        status: 1,
        expected: &[
            "accrue: fatal error: ACC_DEVICE_TYPE=nvidia: no NVIDIA GPU can be used: cuInit failed: \
             CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803); check the driver with nvidia-smi; available is: cpu:0 (host)",
        ],
    },
    Case {
        name: "no GPU, which was asked for",
        environment: &[("STUB_INIT", "100"), ("ACC_DEVICE_TYPE", "nvidia")],
        body: || acc_init(1),
        status: 1,
        expected: &["CUDA_ERROR_NO_DEVICE (100): the driver finds no GPU; see nvidia-smi"],
    },
    Case {
        name: "the host does not touch CUDA",
        environment: &[("STUB_INIT", "803"), ("ACC_DEVICE_TYPE", "host")],
        body: || assert_eq!(acc_get_device_type(), HOST),
        status: 0,
        expected: &[],
    },
    Case {
        name: "wrong device number",
        environment: &[("STUB_DEVICES", "2"), ("ACC_DEVICE_NUM", "2")],
        body: || acc_init(1),
        status: 1,
        expected: &[
            "ACC_DEVICE_NUM=2: there is no such device; available is: nvidia:0 (nvidia), nvidia:1 (nvidia), cpu:0 (host)",
        ],
    },
    Case {
        name: "a program without GPU code stays on the CPU",
        environment: PLAIN,
        body: || {
            let kernels = directive(SiteKind::Parallel, 1)
                .kernel(0, add_on_host)
                .build();
            let sites = Box::leak(Box::new([std::ptr::from_ref(kernels.site)]));
            let mut image = Image {
                abi: ABI_VERSION,
                nsites: 1,
                sites: sites.as_ptr(),
                source: support::text("a.c"),
                runtime: std::ptr::null_mut(),
            };
            unsafe { accrue::entry::__accrue_register_image(&mut image) };
            assert_eq!(acc_get_device_type(), HOST);
        },
        status: 0,
        expected: &[],
    },
];
