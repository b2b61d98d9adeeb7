//! Which device a program gets, by type and by name, and what it says of itself.

use crate::gpu::{launch_add, pointer};
use crate::support::cases::Case;
use crate::{HOST, ON, OPENCL};
use accrue::api::between_devices::*;
use accrue::api::data::*;
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
            let used: Vec<_> = report
                .lines()
                .filter(|line| !line.contains("not used"))
                .collect();
            assert_eq!(used.len(), devices as usize);
            if std::env::var_os("ACCRUE_OPENCL_ADDRESSES").is_some() {
                let all = |line: &&str| line.contains("addresses in one buffer");
                assert!(used.iter().all(all), "{report}");
            }
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
        // PoCL offers the cores twice then; other drivers do not read the variable.
        name: "two devices",
        environment: &[
            ("ACC_DEVICE_TYPE", "opencl"),
            ("POCL_DEVICES", "pthread basic"),
        ],
        body: two_devices,
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

/// Each has data, code and queues of its own; copies go from one to the other.
fn two_devices() {
    if acc_get_num_devices(OPENCL) < 2 {
        return;
    }
    let mut own = [[0u64; 100], [10; 100]];
    let addresses = [0, 1].map(|number: i32| {
        acc_set_device_num(number, OPENCL);
        assert_eq!(acc_get_device_num(OPENCL), number);
        let own = &mut own[number as usize];
        acc_copyin(pointer(own), 800);
        launch_add(1, own, 5, |builder| builder);
        acc_deviceptr(pointer(own))
    });
    acc_memcpy_d2d(addresses[1], addresses[0], 400, 1, 0);
    acc_copyout(pointer(&own[1]), 800);
    let second = std::hint::black_box(own)[1];
    assert_eq!((second[0], second[49], second[50]), (5, 5, 15));
    acc_set_device_num(0, OPENCL);
    assert_eq!(acc_is_present(pointer(&own[1]), 8), 0);
    acc_copyout(pointer(&own[0]), 800);
    assert_eq!(std::hint::black_box(own)[0], [5; 100]);
}
