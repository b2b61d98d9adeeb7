//! Which device a program gets, by type and by name, and what it says of itself.

use crate::support::cases::Case;
use crate::{HOST, ON, OPENCL};
use accrue::api::device::*;
use accrue::device::opencl::interop::*;
use std::ffi::CStr;

pub const CASES: &[Case] = &[
    Case {
        name: "devices have numbers, names and memory",
        environment: ON,
        body: || {
            assert_eq!(acc_get_device_type(), OPENCL);
            let devices = acc_get_num_devices(OPENCL);
            assert!(devices > 0);
            let report = unsafe { CStr::from_ptr(accrue_opencl_report()) };
            let report = report.to_str().unwrap();
            let used = report.lines().filter(|line| !line.contains("not used"));
            assert_eq!(used.count(), devices as usize);
            for number in 0..devices {
                let name = unsafe { CStr::from_ptr(acc_get_property_string(number, OPENCL, 101)) };
                assert!(report.contains(name.to_str().unwrap()), "{report}");
                assert!(acc_get_property(number, OPENCL, 1) > 1 << 20);
            }
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "a program that has not asked does not get a CPU behind OpenCL",
        environment: &[],
        body: || {
            let first = acc_get_device_type();
            assert!(first == HOST || first == 4 || first == OPENCL);
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "a device by its name",
        environment: ON,
        body: || {
            let name = unsafe { CStr::from_ptr(acc_get_property_string(0, OPENCL, 101)) };
            let name = name.to_str().unwrap().to_string();
            let program = std::env::current_exe().unwrap();
            let again = |device: &str| {
                std::process::Command::new(&program)
                    .args(["child", "--exact", "--nocapture", "--test-threads=1"])
                    .env("ACCRUE_TEST_CASE", "devices have numbers, names and memory")
                    .env("ACC_DEVICE_TYPE", format!("OpenCL:{device}"))
                    .output()
                    .unwrap()
            };
            let found = again(&name.to_uppercase());
            assert!(found.status.code().is_some());
            let text = String::from_utf8_lossy(&found.stderr).into_owned();
            assert!(!text.contains("fatal"), "{text}");
            let missing = again("no such name");
            let text = String::from_utf8_lossy(&missing.stderr).into_owned();
            assert_eq!(missing.status.code(), Some(1));
            assert!(text.contains("no OpenCL device can be used"), "{text}");
            assert!(text.contains("not asked for"), "{text}");
        },
        status: 0,
        expected: &[],
    },
    Case {
        name: "a child of fork does not use the device",
        environment: ON,
        body: || {
            acc_init(OPENCL);
            let child = unsafe { libc::fork() };
            if child == 0 {
                acc_get_property(0, OPENCL, 1);
                unsafe { libc::_exit(0) };
            }
            let mut status = 0;
            unsafe { libc::waitpid(child, &mut status, 0) };
            assert_eq!(libc::WEXITSTATUS(status), 1);
            assert!(acc_get_property(0, OPENCL, 1) > 0);
        },
        status: 0,
        expected: &["opencl:0 cannot be used in a child process after fork()"],
    },
    Case {
        name: "handles of OpenCL",
        environment: ON,
        body: || {
            assert!(!accrue_get_opencl_device().is_null());
            assert!(!accrue_get_opencl_context().is_null());
            let queue = accrue_get_opencl_queue(3);
            assert!(!queue.is_null());
            assert_eq!(accrue_get_opencl_queue(3), queue);
            assert_eq!(unsafe { accrue_set_opencl_queue(4, queue) }, 1);
            assert_eq!(accrue_get_opencl_queue(4), queue);
            acc_set_device_type(HOST);
            assert!(accrue_get_opencl_device().is_null());
            assert!(accrue_get_opencl_context().is_null());
            assert!(accrue_get_opencl_queue(3).is_null());
            assert_eq!(unsafe { accrue_set_opencl_queue(4, queue) }, 0);
        },
        status: 0,
        expected: &[],
    },
];
