/* The C form of the runtime interface, version 1, as the compiler prints it. */
#include <stdint.h>

#define ACCRUE_SYNC 0x8000000000000000ull

struct accrue_cpu_launch {
    const uint64_t *args;
    uint64_t gangs[3];
    uint64_t workers;
    uint64_t vector;
    char *slots;
    uint64_t slot_stride;
};
struct accrue_var {
    const char *name;
    uint32_t action;
    uint32_t flags;
    uint64_t elem_size;
    uint16_t ndims;
    uint16_t pointer_dims;
    uint32_t line;
    uint32_t column;
};
struct accrue_kernel {
    const char *name;
    uint32_t line;
    uint32_t flags;
    void (*cpu)(const struct accrue_cpu_launch *, uint64_t gang);
    void (*cpu_finish)(const struct accrue_cpu_launch *);
    uint64_t cpu_slot_bytes;
    const void *reserved[4];
};
struct accrue_site {
    uint32_t abi;
    uint32_t kind;
    const char *file;
    const char *function;
    const char *text;
    uint32_t line;
    uint32_t column;
    uint32_t flags;
    uint32_t device_type;
    uint32_t nvars;
    uint32_t nkernels;
    const struct accrue_var *vars;
    const struct accrue_kernel *kernels;
    void *runtime;
};
struct accrue_image {
    uint32_t abi;
    uint32_t nsites;
    struct accrue_site *const *sites;
    const char *source;
    void *runtime;
};

#ifdef __cplusplus
extern "C" {
#endif
int __accrue_launch(struct accrue_site *, const unsigned long long *);
void __accrue_data_begin(struct accrue_site *, const unsigned long long *);
int __accrue_data_next(struct accrue_site *);
void __accrue_exec(struct accrue_site *, const unsigned long long *);
int __accrue_device_is(unsigned mask);
void __accrue_register_image(struct accrue_image *);
void __accrue_unregister_image(struct accrue_image *);
#ifdef __cplusplus
}
#endif
