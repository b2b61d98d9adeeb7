//! A region without GPU code, whose data are on the GPU.

use crate::PLAIN;
use crate::gpu::pointer;
use crate::support::cases::Case;
use crate::support::{arg, directive};
use accrue::abi::*;
use accrue::api::memory::*;

pub const CASES: &[Case] = &[Case {
    name: "a region without GPU code",
    environment: PLAIN,
    body: host_region,
    status: 0,
    expected: &["accrue: test.c:90: this region has no GPU code and runs on the host\n"],
}];

/// A structure with an attached pointer, and data on the device that differs from the host's.
fn host_region() {
    #[repr(C)]
    struct Vector {
        len: u64,
        data: *mut u64,
    }
    /// v.data[i] += v.len; a[i] += 1, for i < 4
    unsafe extern "C" fn body(launch: *const CpuLaunch, _gang: u64) {
        unsafe {
            let v = arg::<Vector>(launch, 0);
            for i in 0..4 {
                *(*v).data.add(i) += (*v).len;
                *arg::<u64>(launch, 2).add(i) += 1;
                *arg::<u64>(launch, 3).add(i) += 2;
            }
        }
    }
    let mut data = vec![10u64; 4];
    let mut a = vec![20u64; 8];
    let mut v = Vector {
        len: 5,
        data: data.as_mut_ptr(),
    };
    let own = acc_malloc(64);
    let own_values = [30u64; 8];
    acc_memcpy_to_device(own, pointer(&own_values), 64);
    let at = &raw mut v.data;
    directive(SiteKind::Data, 89)
        .object(Action::Copy, 0, "v", &raw mut v)
        .slice_through(
            Action::Copy,
            VAR_ATTACH,
            "v.data",
            data.as_ptr(),
            at as usize,
            0,
            4,
        )
        .slice(Action::Copy, 0, "a", a.as_ptr(), 0, 8)
        .region(|| {
            // The host's values are not those of the region.
            data.fill(0);
            a.fill(0);
            for queue in [None, Some(1)] {
                let region = directive(SiteKind::Parallel, 90)
                    .object(Action::Present, 0, "v", &raw mut v)
                    .word(Action::Value, "n", 4)
                    .slice(Action::Present, 0, "a", a.as_ptr(), 2, 4)
                    .word(Action::Deviceptr, "own", own as u64 + 8)
                    .kernel(KERNEL_POINTERS, body);
                let region = match queue {
                    Some(queue) => region.queue(queue),
                    None => region,
                };
                assert!(region.launch());
                assert_eq!((data[0], a[0]), (0, 0));
            }
        });
    assert_eq!(data, [20; 4]);
    assert_eq!(a, [22, 22, 22, 22, 20, 20, 20, 20]);
    assert_eq!((v.len, v.data), (5, data.as_mut_ptr()));
    acc_memcpy_from_device(pointer(&own_values), own, 64);
    assert_eq!(own_values, [30, 34, 34, 34, 34, 30, 30, 30]);
}
