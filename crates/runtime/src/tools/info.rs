//! The structures that callbacks get, as `acc_prof.h` declares them (OpenACC 3.4, 5.2).
//!
//! What this library does not know is 0 or null, as the specification wants: lines where constructs and functions end, files of
//! routines. `async_queue` is `async`, as every value has a queue of its own.

use super::{Context, kept};
use crate::abi::SiteKind;
use crate::device::Queue;
use crate::device::device_type::DeviceType;
use crate::fatal::Error;
use crate::runtime;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

/// `acc_prof_info.version`: the interface is that of OpenACC 3.4, as `_OPENACC` says of the compiler.
const VERSION: i32 = 202_506;
/// `acc_api_info.vendor`, which says whose runtime this is.
const VENDOR: i32 = 0x6163_6372;

/// Events that have an end; `acc_event_t` has the number of the start, and the next one for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Pair {
    DeviceInit = 1,
    DeviceShutdown = 3,
    EnterData = 10,
    ExitData = 12,
    Update = 14,
    ComputeConstruct = 16,
    Launch = 18,
    Upload = 20,
    Download = 22,
    Wait = 24,
}

/// The first number that is none of an event: `acc_ev_last`.
pub const LAST: i32 = 27;

impl Pair {
    const ALL: [Pair; 10] = [
        Pair::DeviceInit,
        Pair::DeviceShutdown,
        Pair::EnterData,
        Pair::ExitData,
        Pair::Update,
        Pair::ComputeConstruct,
        Pair::Launch,
        Pair::Upload,
        Pair::Download,
        Pair::Wait,
    ];

    pub fn start(self) -> i32 {
        self as i32
    }

    pub fn end(self) -> i32 {
        self as i32 + 1
    }

    /// Whether an event is the end of something.
    pub fn is_end(event: i32) -> bool {
        Pair::ALL.iter().any(|pair| pair.end() == event)
    }
}

/// Events without an end.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum Single {
    RuntimeShutdown = 5,
    Create = 6,
    Delete = 7,
    Alloc = 8,
    Free = 9,
    Error = 26,
}

/// `acc_construct_t`.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum Construct {
    Parallel = 0,
    Kernels = 1,
    Data = 3,
    EnterData = 4,
    ExitData = 5,
    HostData = 6,
    Declare = 8,
    Init = 9,
    Shutdown = 10,
    Set = 11,
    Update = 12,
    Wait = 14,
    RuntimeApi = 15,
    Serial = 16,
}

impl Construct {
    pub fn of(kind: SiteKind) -> Construct {
        match kind {
            SiteKind::Parallel => Construct::Parallel,
            SiteKind::Serial => Construct::Serial,
            SiteKind::Kernels => Construct::Kernels,
            SiteKind::Data => Construct::Data,
            SiteKind::HostData => Construct::HostData,
            SiteKind::EnterData => Construct::EnterData,
            SiteKind::ExitData => Construct::ExitData,
            SiteKind::Update => Construct::Update,
            SiteKind::Wait => Construct::Wait,
            SiteKind::Init => Construct::Init,
            SiteKind::Shutdown => Construct::Shutdown,
            SiteKind::Set => Construct::Set,
            SiteKind::Declare | SiteKind::DeclareGlobal => Construct::Declare,
        }
    }
}

/// Memory that an event is about.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The variable; empty where there is none.
    pub name: &'static str,
    pub bytes: usize,
    /// 0 where no memory of the host belongs to it.
    pub host: usize,
    pub device: usize,
}

/// `acc_prof_info`.
#[repr(C)]
pub struct ProfInfo {
    event_type: i32,
    valid_bytes: i32,
    version: i32,
    device_type: i32,
    device_number: i32,
    thread_id: i32,
    async_value: isize,
    async_queue: isize,
    src_file: *const c_char,
    func_name: *const c_char,
    line_no: i32,
    end_line_no: i32,
    func_line_no: i32,
    func_end_line_no: i32,
}

/// The beginning of all variants of `acc_event_info`, and `acc_other_event_info`.
#[derive(Clone, Copy)]
#[repr(C)]
struct OtherEvent {
    event_type: i32,
    valid_bytes: i32,
    parent_construct: i32,
    implicit: i32,
    tool_info: *mut c_void,
}

/// `acc_data_event_info`.
#[derive(Clone, Copy)]
#[repr(C)]
struct DataEvent {
    other: OtherEvent,
    var_name: *const c_char,
    bytes: usize,
    host_ptr: *const c_void,
    device_ptr: *const c_void,
}

/// `acc_launch_event_info`.
#[derive(Clone, Copy)]
#[repr(C)]
struct LaunchEvent {
    other: OtherEvent,
    kernel_name: *const c_char,
    num_gangs: usize,
    num_workers: usize,
    vector_length: usize,
}

/// `acc_error_event_info`.
#[derive(Clone, Copy)]
#[repr(C)]
struct ErrorEvent {
    other: OtherEvent,
    error_code: i32,
    error_message: *const c_char,
    runtime_info: usize,
}

/// `acc_event_info`.
#[repr(C)]
pub union EventInfo {
    other: OtherEvent,
    data: DataEvent,
    launch: LaunchEvent,
    error: ErrorEvent,
}

/// `acc_api_info`.
#[repr(C)]
pub struct ApiInfo {
    device_api: i32,
    valid_bytes: i32,
    device_type: i32,
    vendor: i32,
    device_handle: *const c_void,
    context_handle: *const c_void,
    async_handle: *const c_void,
}

impl OtherEvent {
    /// The event's number comes with each call.
    fn new(construct: Construct, implicit: bool, valid_bytes: usize) -> OtherEvent {
        OtherEvent {
            event_type: 0,
            valid_bytes: valid_bytes as i32,
            parent_construct: construct as i32,
            implicit: i32::from(implicit),
            tool_info: null_mut(),
        }
    }
}

impl EventInfo {
    pub fn other(construct: Construct, implicit: bool) -> EventInfo {
        EventInfo {
            other: OtherEvent::new(construct, implicit, size_of::<OtherEvent>()),
        }
    }

    pub fn data(construct: Construct, implicit: bool, memory: &Memory) -> EventInfo {
        EventInfo {
            data: DataEvent {
                other: OtherEvent::new(construct, implicit, size_of::<DataEvent>()),
                var_name: kept(memory.name),
                bytes: memory.bytes,
                host_ptr: memory.host as *const c_void,
                device_ptr: memory.device as *const c_void,
            },
        }
    }

    pub fn launch(
        construct: Construct,
        name: *const c_char,
        gangs: u64,
        lanes: [u64; 2],
    ) -> EventInfo {
        let [workers, vector] = lanes;
        EventInfo {
            launch: LaunchEvent {
                other: OtherEvent::new(construct, false, size_of::<LaunchEvent>()),
                kernel_name: name,
                num_gangs: gangs as usize,
                num_workers: workers as usize,
                vector_length: vector as usize,
            },
        }
    }

    /// `message` must be there as long as the result is.
    pub fn error(construct: Construct, error: Error, message: &CStr) -> EventInfo {
        EventInfo {
            error: ErrorEvent {
                other: OtherEvent::new(construct, false, size_of::<ErrorEvent>()),
                error_code: error as i32,
                error_message: message.as_ptr(),
                runtime_info: 0,
            },
        }
    }

    /// The event that it is about now.
    pub fn is_of(&mut self, event: i32) {
        self.other.event_type = event;
    }
}

/// What belongs to every event, where no directive or routine is known and no device may be looked at.
pub(super) fn prof_info_alone(event: i32) -> ProfInfo {
    ProfInfo {
        event_type: event,
        valid_bytes: size_of::<ProfInfo>() as i32,
        version: VERSION,
        device_type: 0,
        device_number: 0,
        // SAFETY: the call has no preconditions.
        thread_id: unsafe { libc::gettid() },
        async_value: crate::abi::ASYNC_SYNC as isize,
        async_queue: crate::abi::ASYNC_SYNC as isize,
        src_file: null(),
        func_name: null(),
        line_no: 0,
        end_line_no: 0,
        func_line_no: 0,
        func_end_line_no: 0,
    }
}

/// What the driver below says, where no device may be looked at.
pub(super) fn api_info_alone() -> ApiInfo {
    ApiInfo {
        device_api: 0,
        valid_bytes: size_of::<ApiInfo>() as i32,
        device_type: 0,
        vendor: VENDOR,
        device_handle: null(),
        context_handle: null(),
        async_handle: null(),
    }
}

/// What belongs to every event.
pub(super) fn prof_info(context: &Context, event: i32) -> ProfInfo {
    let async_value = match context.queue {
        Queue::Sync => crate::abi::ASYNC_SYNC as isize,
        Queue::Async(number) => number as isize,
    };
    let site = context.site;
    ProfInfo {
        event_type: event,
        valid_bytes: size_of::<ProfInfo>() as i32,
        version: VERSION,
        device_type: context.device.device_type as i32,
        device_number: number_of(context),
        // SAFETY: the call has no preconditions.
        thread_id: unsafe { libc::gettid() },
        async_value,
        async_queue: async_value,
        src_file: site.map_or(null(), |site| kept(site.file)),
        func_name: site.map_or(null(), |site| kept(site.function)),
        line_no: site.map_or(0, |site| site.line as i32),
        end_line_no: 0,
        func_line_no: 0,
        func_end_line_no: 0,
    }
}

/// The number of the context's device among those of its type.
fn number_of(context: &Context) -> i32 {
    let runtime = runtime::get();
    let all = runtime.numbers_of(context.device.device_type);
    let is_it = |&index: &_| std::ptr::eq(runtime.device(index), context.device);
    all.iter().position(is_it).map_or(0, |number| number as i32)
}

/// What the driver below calls the device; it has no such names before it is used and when it is given up.
pub(super) fn api_info(context: &Context, initialised: bool) -> ApiInfo {
    let state = context.device;
    let handles = |device: usize, context: usize, queue: usize| {
        [device, context, queue].map(|handle| handle as *const c_void)
    };
    let native = state.device.native().filter(|_| initialised);
    let opencl = state.device.opencl().filter(|_| initialised);
    let [device_handle, context_handle, async_handle] = match (native, opencl) {
        (Some(native), _) => {
            let stream = match context.queue {
                Queue::Sync => 0,
                queue @ Queue::Async(_) => native.stream(queue),
            };
            handles(native.device(), native.context(), stream)
        }
        (None, Some(opencl)) => {
            let [device, context] = opencl.handles();
            handles(device, context, 0)
        }
        (None, None) => [null(); 3],
    };
    ApiInfo {
        device_api: match state.device_type {
            DeviceType::Nvidia => 1,
            DeviceType::OpenCl => 2,
            DeviceType::Sim | DeviceType::Radeon => 4,
            DeviceType::None
            | DeviceType::Default
            | DeviceType::Host
            | DeviceType::NotHost
            | DeviceType::Current
            | DeviceType::Cpu => 0,
        },
        valid_bytes: size_of::<ApiInfo>() as i32,
        device_type: state.device_type as i32,
        vendor: VENDOR,
        device_handle,
        context_handle,
        async_handle,
    }
}
