//! Memory of devices and copies between any two of them (OpenMP 5.2, 18.8.1, 18.8.2 and 18.8.5 to 18.8.8).
//!
//! The asynchronous forms copy at once: they wait for the tasks that they might depend on, which are children of the calling
//! task, with the host's `taskwait`. What the objects of type `omp_depend_t` contain is the host library's secret.

use super::super::call;
use super::super::memory::{self, Direction, Free};
use super::FAILED;
use super::rect::{self, Block};
use crate::device::{Queue, Rows};
use crate::fatal::{Place, fatal};
use crate::openmp::{self, Target, host};
use std::ffi::{c_int, c_void};

/// 18.8.1: memory on a device; null for 0 bytes, when there is not as much, and when there is no such device.
#[unsafe(export_name = "__wrap_omp_target_alloc")]
pub extern "C" fn alloc(bytes: usize, number: c_int) -> *mut c_void {
    let routine = "omp_target_alloc";
    match openmp::conforming(number, call(routine)) {
        None => std::ptr::null_mut(),
        Some(Target::Device(state)) => memory::allocate(state, bytes, routine),
        Some(Target::Initial) if bytes == 0 => std::ptr::null_mut(),
        // SAFETY: any size may be asked for.
        Some(Target::Initial) => unsafe { libc::malloc(bytes) },
    }
}

/// 18.8.2: frees memory of [`alloc`] on the same device; null means no action.
///
/// # Safety
/// On the initial device, as for `free`.
#[unsafe(export_name = "__wrap_omp_target_free")]
pub unsafe extern "C" fn free(data: *mut c_void, number: c_int) {
    let free = Free {
        place: call("omp_target_free"),
        allocator: "omp_target_alloc",
        unmapped_by: "`target exit data` ends",
    };
    match openmp::existing(number, free.place) {
        Target::Device(state) => memory::release(state, data, &free),
        // SAFETY: the program says that it is memory of `omp_target_alloc`, which is `malloc`'s on the host, or null.
        Target::Initial => unsafe { libc::free(data) },
    }
}

/// 18.8.5: copies `bytes` bytes between two devices; 0 when that is done.
#[unsafe(export_name = "__wrap_omp_target_memcpy")]
pub extern "C" fn memcpy(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_offset: usize,
    from_offset: usize,
    to_number: c_int,
    from_number: c_int,
) -> c_int {
    let place = call("omp_target_memcpy");
    let block = Block::bytes(bytes, [to_offset, from_offset]);
    copy(to, from, block.as_slice(), [to_number, from_number], place)
}

/// 18.8.7: [`memcpy`] after what the depend objects name.
#[unsafe(export_name = "__wrap_omp_target_memcpy_async")]
pub extern "C" fn memcpy_async(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_offset: usize,
    from_offset: usize,
    to_number: c_int,
    from_number: c_int,
    depend_count: c_int,
    _depend_objects: *mut c_void,
) -> c_int {
    let place = call("omp_target_memcpy_async");
    wait_for_dependences(depend_count, place);
    let block = Block::bytes(bytes, [to_offset, from_offset]);
    copy(to, from, block.as_slice(), [to_number, from_number], place)
}

/// 18.8.6: copies a block of an array of elements between two devices; 0 when that is done. Without addresses, how many
/// dimensions an array may have.
///
/// # Safety
/// The last five arrays have as many numbers as there are dimensions.
#[unsafe(export_name = "__wrap_omp_target_memcpy_rect")]
pub unsafe extern "C" fn memcpy_rect(
    to: *mut c_void,
    from: *const c_void,
    element_bytes: usize,
    dimensions: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_dimensions: *const usize,
    from_dimensions: *const usize,
    to_number: c_int,
    from_number: c_int,
) -> c_int {
    let place = call("omp_target_memcpy_rect");
    let arrays = [
        volume,
        to_offsets,
        from_offsets,
        to_dimensions,
        from_dimensions,
    ];
    let numbers = [to_number, from_number];
    // SAFETY: passed on to the caller.
    unsafe { copy_rect(to, from, element_bytes, dimensions, arrays, numbers, place) }
}

/// 18.8.8: [`memcpy_rect`] after what the depend objects name.
///
/// # Safety
/// As for [`memcpy_rect`].
#[unsafe(export_name = "__wrap_omp_target_memcpy_rect_async")]
pub unsafe extern "C" fn memcpy_rect_async(
    to: *mut c_void,
    from: *const c_void,
    element_bytes: usize,
    dimensions: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_dimensions: *const usize,
    from_dimensions: *const usize,
    to_number: c_int,
    from_number: c_int,
    depend_count: c_int,
    _depend_objects: *mut c_void,
) -> c_int {
    let place = call("omp_target_memcpy_rect_async");
    if !to.is_null() || !from.is_null() {
        wait_for_dependences(depend_count, place);
    }
    let arrays = [
        volume,
        to_offsets,
        from_offsets,
        to_dimensions,
        from_dimensions,
    ];
    let numbers = [to_number, from_number];
    // SAFETY: passed on to the caller.
    unsafe { copy_rect(to, from, element_bytes, dimensions, arrays, numbers, place) }
}

/// Waits until the copy may begin. Dependences are among the children of one task, so all that it can depend on are children
/// of the calling task.
fn wait_for_dependences(count: c_int, place: Place) {
    if count > 0 && !host::taskwait() {
        fatal(
            place,
            "there is no OpenMP library with tasks in the program, so that nothing is known of dependences; link with -fopenmp",
        );
    }
}

/// # Safety
/// As for [`memcpy_rect`].
unsafe fn copy_rect(
    to: *mut c_void,
    from: *const c_void,
    element_bytes: usize,
    dimensions: c_int,
    arrays: [*const usize; 5],
    numbers: [c_int; 2],
    place: Place,
) -> c_int {
    if to.is_null() && from.is_null() {
        return c_int::MAX;
    }
    let count = match usize::try_from(dimensions) {
        Ok(count) if count > 0 && arrays.iter().all(|array| !array.is_null()) => count,
        Ok(_) | Err(_) => return FAILED,
    };
    // SAFETY: the caller passes arrays of `count` numbers.
    let arrays = arrays.map(|array| unsafe { std::slice::from_raw_parts(array, count) });
    let [
        volume,
        to_offsets,
        from_offsets,
        to_dimensions,
        from_dimensions,
    ] = arrays;
    let offsets = [to_offsets, from_offsets];
    match rect::blocks(
        element_bytes,
        volume,
        offsets,
        [to_dimensions, from_dimensions],
    ) {
        Some(blocks) => copy(to, from, &blocks, numbers, place),
        None => FAILED,
    }
}

/// Copies blocks from one device to another: target and source.
fn copy(
    to: *mut c_void,
    from: *const c_void,
    blocks: &[Block],
    numbers: [c_int; 2],
    place: Place,
) -> c_int {
    let [Some(target), Some(source)] = numbers.map(|number| openmp::conforming(number, place))
    else {
        return FAILED;
    };
    let (state, direction) = match (target, source) {
        (Target::Initial, Target::Initial) => {
            for block in blocks {
                // SAFETY: the program vouches for both ranges, as for `memmove`.
                unsafe { copy_on_host(to, from, block) };
            }
            return 0;
        }
        (Target::Device(target), Target::Initial) => (target, Direction::In),
        (Target::Initial, Target::Device(source)) => (source, Direction::Out),
        (Target::Device(target), Target::Device(source)) if std::ptr::eq(target, source) => {
            (source, Direction::Within)
        }
        (Target::Device(target), Target::Device(source)) => {
            (source, Direction::To(&*target.device))
        }
    };
    let device = &*state.device;
    for block in blocks {
        let (to, from) = (
            to.wrapping_byte_add(block.to),
            from.wrapping_byte_add(block.from),
        );
        memory::start_copy(device, direction, to, from, block.rows, Queue::Sync, place);
    }
    device.complete();
    0
}

/// # Safety
/// The block is in valid memory on both sides.
unsafe fn copy_on_host(to: *mut c_void, from: *const c_void, block: &Block) {
    let Rows {
        width,
        height,
        pitch,
    } = block.rows;
    for row in 0..height {
        let offset = row * pitch;
        let to = to.wrapping_byte_add(block.to + offset);
        let from = from.wrapping_byte_add(block.from + offset);
        // SAFETY: passed on to the caller.
        unsafe { std::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), width) };
    }
}
