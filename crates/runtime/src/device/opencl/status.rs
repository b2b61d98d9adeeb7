//! Error numbers of OpenCL and their names.

use opencl_sys as cl;

/// An error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub cl::cl_int);

pub type Result<T> = std::result::Result<T, Status>;

/// Number 0 is success.
pub fn check(code: cl::cl_int) -> Result<()> {
    match code {
        cl::CL_SUCCESS => Ok(()),
        code => Err(Status(code)),
    }
}

macro_rules! names {
    ($($name:ident)*) => {
        impl Status {
            /// `CL_OUT_OF_RESOURCES`.
            pub fn name(self) -> &'static str {
                match self.0 {
                    $(cl::$name => stringify!($name),)*
                    PLATFORM_NOT_FOUND => "CL_PLATFORM_NOT_FOUND_KHR",
                    _ => "an error number of the driver's own",
                }
            }
        }
    };
}

/// The loader of drivers has found none.
const PLATFORM_NOT_FOUND: cl::cl_int = -1001;

impl Status {
    pub const DEVICE_NOT_FOUND: Status = Status(cl::CL_DEVICE_NOT_FOUND);
    pub const NO_PLATFORM: Status = Status(PLATFORM_NOT_FOUND);
}

names! {
    CL_DEVICE_NOT_FOUND CL_DEVICE_NOT_AVAILABLE CL_COMPILER_NOT_AVAILABLE CL_MEM_OBJECT_ALLOCATION_FAILURE
    CL_OUT_OF_RESOURCES CL_OUT_OF_HOST_MEMORY CL_PROFILING_INFO_NOT_AVAILABLE CL_MEM_COPY_OVERLAP
    CL_BUILD_PROGRAM_FAILURE CL_MISALIGNED_SUB_BUFFER_OFFSET CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    CL_COMPILE_PROGRAM_FAILURE CL_LINKER_NOT_AVAILABLE CL_LINK_PROGRAM_FAILURE CL_KERNEL_ARG_INFO_NOT_AVAILABLE
    CL_INVALID_VALUE CL_INVALID_DEVICE_TYPE CL_INVALID_PLATFORM CL_INVALID_DEVICE CL_INVALID_CONTEXT
    CL_INVALID_QUEUE_PROPERTIES CL_INVALID_COMMAND_QUEUE CL_INVALID_HOST_PTR CL_INVALID_MEM_OBJECT CL_INVALID_BINARY
    CL_INVALID_BUILD_OPTIONS CL_INVALID_PROGRAM CL_INVALID_PROGRAM_EXECUTABLE CL_INVALID_KERNEL_NAME
    CL_INVALID_KERNEL_DEFINITION CL_INVALID_KERNEL CL_INVALID_ARG_INDEX CL_INVALID_ARG_VALUE CL_INVALID_ARG_SIZE
    CL_INVALID_KERNEL_ARGS CL_INVALID_WORK_DIMENSION CL_INVALID_WORK_GROUP_SIZE CL_INVALID_WORK_ITEM_SIZE
    CL_INVALID_GLOBAL_OFFSET CL_INVALID_EVENT_WAIT_LIST CL_INVALID_EVENT CL_INVALID_OPERATION CL_INVALID_BUFFER_SIZE
    CL_INVALID_GLOBAL_WORK_SIZE CL_INVALID_PROPERTY
}
