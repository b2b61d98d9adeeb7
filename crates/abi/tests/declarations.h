#define ACCRUE_ABI_VERSION 17
#define ACCRUE_SYNC 0x8000000000000000ull
#define ACCRUE_ABSENT 0xffffffffffffffffull
#define ACCRUE_ZERO_SIZE 0x8000000000000000ull
#define ACCRUE_HEADER_WORDS 10
#define ACCRUE_SIZE_WORDS 3
#define ACCRUE_SITE_Parallel 1
#define ACCRUE_SITE_Serial 2
#define ACCRUE_SITE_Kernels 3
#define ACCRUE_SITE_Data 4
#define ACCRUE_SITE_HostData 5
#define ACCRUE_SITE_EnterData 6
#define ACCRUE_SITE_ExitData 7
#define ACCRUE_SITE_Update 8
#define ACCRUE_SITE_Wait 9
#define ACCRUE_SITE_Init 10
#define ACCRUE_SITE_Shutdown 11
#define ACCRUE_SITE_Set 12
#define ACCRUE_SITE_Declare 13
#define ACCRUE_SITE_DeclareGlobal 14
#define ACCRUE_ACTION_Copy 1
#define ACCRUE_ACTION_Copyin 2
#define ACCRUE_ACTION_Copyout 3
#define ACCRUE_ACTION_Create 4
#define ACCRUE_ACTION_NoCreate 5
#define ACCRUE_ACTION_Present 6
#define ACCRUE_ACTION_Deviceptr 7
#define ACCRUE_ACTION_Attach 8
#define ACCRUE_ACTION_Detach 9
#define ACCRUE_ACTION_Delete 10
#define ACCRUE_ACTION_UpdateSelf 11
#define ACCRUE_ACTION_UpdateDevice 12
#define ACCRUE_ACTION_UseDevice 13
#define ACCRUE_ACTION_Firstprivate 14
#define ACCRUE_ACTION_Value 15
#define ACCRUE_ACTION_Pointer 16
#define ACCRUE_FORM_Cpu 1
#define ACCRUE_FORM_Ptx 2
#define ACCRUE_FORM_OpenCl 3
#define ACCRUE_FORM_OpenClCores 4
#define ACCRUE_CODE_Ptx 0
#define ACCRUE_CODE_Machine 1
#define ACCRUE_CODE_OpenCl 2
#define ACCRUE_STEP_End 0
#define ACCRUE_STEP_Constant 1
#define ACCRUE_STEP_Argument 2
#define ACCRUE_STEP_Add 3
#define ACCRUE_STEP_Sub 4
#define ACCRUE_STEP_Mul 5
#define ACCRUE_STEP_DivideUp 6
#define ACCRUE_STEP_NotNegative 7
#define ACCRUE_STEP_Argument32 8
#define ACCRUE_STEP_ArgumentU32 9
#define ACCRUE_STEP_Divide 10
#define ACCRUE_STEP_Signed32 11
#define ACCRUE_STEP_Unsigned32 12
#define ACCRUE_STEP_Less 13
#define ACCRUE_STEP_LessUnsigned 14
#define ACCRUE_STEP_Again 15
#define ACCRUE_STEP_And 16
#define ACCRUE_STEP_Or 17
#define ACCRUE_STEP_Xor 18
#define ACCRUE_STEP_ShiftLeft 19
#define ACCRUE_STEP_ShiftRight 20
#define ACCRUE_STEP_ShiftRightUnsigned 21
#define ACCRUE_STEP_Remainder 22
#define ACCRUE_VAR_IMPLICIT 1
#define ACCRUE_VAR_READONLY 2
#define ACCRUE_VAR_ZERO 4
#define ACCRUE_VAR_ALWAYS_IN 8
#define ACCRUE_VAR_ALWAYS_OUT 16
#define ACCRUE_VAR_CAPTURE 32
#define ACCRUE_VAR_ATTACH 64
#define ACCRUE_VAR_REQUIRED 128
#define ACCRUE_VAR_RESULT 256
#define ACCRUE_VAR_POINTER 512
#define ACCRUE_VAR_PART 1024
#define ACCRUE_VAR_ON_DEVICE 2048
#define ACCRUE_VAR_LIMIT 4096
#define ACCRUE_VAR_VALUE 8192
#define ACCRUE_VAR_FOLLOWED 16384
#define ACCRUE_VAR_AROUND 32768
#define ACCRUE_VAR_OWN 65536
#define ACCRUE_SITE_FINALIZE 1
#define ACCRUE_SITE_IF_PRESENT 2
#define ACCRUE_SITE_ASYNC_GIVEN 4
#define ACCRUE_SITE_DEFAULT_PRESENT 8
#define ACCRUE_SITE_OPENMP 16
#define ACCRUE_SITE_SIZES 32
#define ACCRUE_KERNEL_GANG_LOOP 1
#define ACCRUE_KERNEL_SINGLE_GANG 2
#define ACCRUE_KERNEL_GANG_DIMS_1 4
#define ACCRUE_KERNEL_GANG_DIMS_2 8
#define ACCRUE_KERNEL_GANG_DIMS_3 16
#define ACCRUE_KERNEL_UNEVEN 32
#define ACCRUE_KERNEL_POINTERS 64
#define ACCRUE_SIMT_WORKERS 1
#define ACCRUE_SIMT_VECTOR 2
#define ACCRUE_SIMT_SCRATCH 4
#define ACCRUE_SIMT_GANG_WORKER_LOOP 8
#define ACCRUE_SIMT_GANG_VECTOR_LOOP 16
#define ACCRUE_SIMT_NO_GANG_LOOP 32
#define ACCRUE_SIMT_SEVERAL 64
#define ACCRUE_SIMT_GANG_COST 128
#define ACCRUE_SIMT_GANG_DIMS_1 256
#define ACCRUE_SIMT_GANG_DIMS_2 512
#define ACCRUE_SIMT_GANG_DIMS_3 1024
#define ACCRUE_SIMT_ONLY_LOOPS 2048
#define ACCRUE_SIMT_DOUBLES 4096
#define ACCRUE_SIMT_HALVING 8192
#define ACCRUE_SIMT_WAITS_IN_BRANCHES 16384
#define ACCRUE_SIMT_OWN_GANG_LOOP 32768
#define ACCRUE_SIMT_OPEN_LANES 65536
#define ACCRUE_REQUIRES_UNIFIED_ADDRESS 1
#define ACCRUE_REQUIRES_UNIFIED_SHARED_MEMORY 2
#define ACCRUE_REQUIRES_REVERSE_OFFLOAD 4
#define ACCRUE_TARGET_INITIAL 1
#define ACCRUE_TARGET_CORES 2
#define ACCRUE_TARGET_NVIDIA 4
#define ACCRUE_TARGET_OPENCL 8
#define ACCRUE_DEVICE_NONE 1
#define ACCRUE_DEVICE_HOST 2
#define ACCRUE_DEVICE_NVIDIA 4
#define ACCRUE_DEVICE_RADEON 8
#define ACCRUE_DEVICE_DEFAULT 16
#define ACCRUE_DEVICE_ANY 32
#define ACCRUE_DEVICE_SIM 64
#define ACCRUE_DEVICE_OPENCL 128
#ifdef __cplusplus
extern "C" {
#endif
struct accrue_cpu_launch {
    const unsigned long long *args;
    unsigned long long gangs[3];
    unsigned long long workers;
    unsigned long long vector;
    char *slots;
    unsigned long long slot_stride;
};
struct accrue_reach {
    unsigned long long element;
    const long long *lower;
    const long long *length;
};
struct accrue_pointer {
    unsigned long long offset;
    unsigned long long before;
    unsigned long long bytes;
};
struct accrue_var {
    const char *name;
    unsigned action;
    unsigned flags;
    unsigned long long elem_size;
    unsigned short ndims;
    unsigned short pointer_dims;
    unsigned line;
    unsigned column;
    unsigned npointers;
    const struct accrue_pointer *pointers;
    const struct accrue_reach *reach;
};
struct accrue_kernel {
    const char *name;
    unsigned line;
    unsigned flags;
    unsigned nforms;
    unsigned pad;
    const struct accrue_form *forms;
};
struct accrue_form {
    unsigned kind;
    unsigned pad;
    const void *code;
};
struct accrue_cpu_kernel {
    void (*gang)(const struct accrue_cpu_launch *, unsigned long long);
    void (*finish)(const struct accrue_cpu_launch *);
    unsigned long long slot_bytes;
    const long long *trip;
};
struct accrue_code {
    unsigned kind;
    unsigned sm;
    unsigned ptx;
    unsigned pad;
    unsigned long long bytes;
    const char *text;
};
struct accrue_module {
    unsigned ncodes;
    unsigned pad;
    const struct accrue_code *codes;
    void *runtime;
};
struct accrue_simt_disjoint {
    const char *entry;
    unsigned long long read_words;
    unsigned long long written_words;
    unsigned long long aligned_words;
    unsigned long long written_once;
    void *runtime;
};
struct accrue_simt_apart {
    unsigned long long read_words;
    unsigned long long written_words;
};
struct accrue_simt_inner {
    const long long *length;
    struct accrue_simt_kernel *narrow;
    struct accrue_simt_kernel *wide;
};
struct accrue_simt_grid {
    const long long *columns;
    const long long *rows;
    const long long *outer;
    struct accrue_simt_kernel *kernel;
    const struct accrue_simt_grid *next;
};
struct accrue_simt_kernel {
    struct accrue_module *module;
    const char *entry;
    unsigned flags;
    unsigned args_words;
    unsigned max_workers;
    unsigned max_vector;
    unsigned long long shared_worker_bytes;
    unsigned long long scratch_gang_bytes;
    unsigned long long scratch_worker_bytes;
    unsigned workers;
    unsigned vector;
    const long long *trip;
    void *runtime;
    const struct accrue_simt_apart *apart;
    struct accrue_simt_disjoint *disjoint;
    const struct accrue_simt_inner *inner;
    const struct accrue_simt_grid *each;
    const struct accrue_simt_grid *grid;
};
struct accrue_rounds {
    unsigned first;
    unsigned nkernels;
    unsigned word;
    unsigned pad;
    const long long *count;
};
struct accrue_site {
    unsigned abi;
    unsigned kind;
    const char *file;
    const char *function;
    const char *text;
    unsigned line;
    unsigned column;
    unsigned flags;
    unsigned device_type;
    unsigned nvars;
    unsigned nkernels;
    const struct accrue_var *vars;
    const struct accrue_kernel *kernels;
    unsigned nglobals;
    unsigned nrounds;
    const unsigned long long *globals;
    const struct accrue_rounds *rounds;
    void *runtime;
};
struct accrue_image {
    unsigned abi;
    unsigned nsites;
    struct accrue_site *const *sites;
    const char *source;
    void *runtime;
};
extern void __accrue_register_image(struct accrue_image *);
extern void __accrue_unregister_image(struct accrue_image *);
extern int __accrue_launch(struct accrue_site *, const unsigned long long *);
extern void __accrue_data_begin(struct accrue_site *, const unsigned long long *);
extern int __accrue_data_next(struct accrue_site *);
extern void __accrue_exec(struct accrue_site *, const unsigned long long *);
extern int __accrue_device_is(unsigned);
extern void *__accrue_device_address(struct accrue_site *, unsigned);
extern void __accrue_declare_leave(struct accrue_site *const *);
extern void __accrue_declare_global(struct accrue_site *, const unsigned long long *);
extern int __accrue_unobserved(int);
extern void __accrue_requires(int);
extern int __accrue_target_is(int, unsigned);
extern void *__accrue_mapped_pointer(const void *);
#ifdef __cplusplus
}
#endif
