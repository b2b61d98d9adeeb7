#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF
#if defined(__NV_CL_C_VERSION)
#define accrue_fence() __asm__ volatile("membar.gl;" ::: "memory")
#elif defined(__opencl_c_atomic_scope_device) && defined(__opencl_c_atomic_order_acq_rel)
#define accrue_fence() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#else
#define accrue_fence() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#endif
/* The heap of kernels: blocks of 32 bytes and twice, four times … as many, one after another. In front of what a block is for are 16 bytes:
   how many were asked for, the size, and the next block of this size that was given back. The heap starts with the first byte that was never
   given away, with how many bytes there are, and with the latest block of each size that was given back: its number, and above 32 bits how
   often this has changed, so that a block which comes back between two looks does not seem to have stayed. */
#define ACCRUE_HEAP_SIZES 36
#define ACCRUE_HEAP(scratch) ((volatile __global ulong *)ACCRUE_ADDRESS(*(volatile __global ulong *)((scratch) + 4080)))
static volatile __global uint *accrue_heap_links(volatile __global ulong *heap, ulong block)
{
    return (volatile __global uint *)((volatile __global char *)heap + block * 32) + 2;
}
static ulong accrue_heap_again(volatile __global ulong *heap, uint size)
{
    volatile __global ulong *latest = heap + 2 + size;
    ulong old = atom_add(latest, 0UL);
    while ((uint)old != 0) {
        accrue_fence();
        ulong next = atomic_add(accrue_heap_links(heap, (uint)old) + 1, 0u);
        ulong seen = atom_cmpxchg(latest, old, ((old >> 32) + 1) << 32 | next);
        if (seen == old)
            return (uint)old;
        old = seen;
    }
    return 0;
}
static ulong accrue_heap_new(volatile __global ulong *heap, ulong bytes)
{
    ulong first = atom_add(heap, 0UL);
    while (heap[1] - first >= bytes) {
        ulong seen = atom_cmpxchg(heap, first, first + bytes);
        if (seen == first)
            return first / 32;
        first = seen;
    }
    return 0;
}
static __global char *accrue_heap_malloc(__global char *scratch, ulong bytes)
{
    volatile __global ulong *heap = ACCRUE_HEAP(scratch);
    if (heap == 0 || bytes > heap[1] - 16)
        return 0;
    uint size = 0;
    while ((32UL << size) - 16 < bytes)
        ++size;
    ulong block = accrue_heap_again(heap, size);
    if (block == 0)
        block = accrue_heap_new(heap, 32UL << size);
    while (block == 0 && ++size < ACCRUE_HEAP_SIZES)
        block = accrue_heap_again(heap, size);
    if (block == 0)
        return 0;
    volatile __global uint *links = accrue_heap_links(heap, block);
    ((volatile __global ulong *)links)[-1] = bytes;
    links[0] = size;
    return (__global char *)(links + 2);
}
static void accrue_heap_free(__global char *scratch, __global char *memory)
{
    if (memory == 0)
        return;
    volatile __global ulong *heap = ACCRUE_HEAP(scratch);
    volatile __global uint *links = (volatile __global uint *)memory - 2;
    volatile __global ulong *latest = heap + 2 + links[0];
    ulong block = (ulong)((volatile __global char *)memory - 16 - (volatile __global char *)heap) / 32;
    ulong old = atom_add(latest, 0UL);
    for (;;) {
        atomic_xchg(links + 1, (uint)old);
        accrue_fence();
        ulong seen = atom_cmpxchg(latest, old, ((old >> 32) + 1) << 32 | block);
        if (seen == old)
            return;
        old = seen;
    }
}
static __global char *accrue_heap_calloc(__global char *scratch, ulong count, ulong bytes)
{
    if (mul_hi(count, bytes) != 0)
        return 0;
    __global char *memory = accrue_heap_malloc(scratch, count * bytes);
    for (ulong at = 0; memory != 0 && at < count * bytes; ++at)
        memory[at] = 0;
    return memory;
}
static __global char *accrue_heap_realloc(__global char *scratch, __global char *memory, ulong bytes)
{
    if (memory == 0)
        return accrue_heap_malloc(scratch, bytes);
    if (bytes == 0) {
        accrue_heap_free(scratch, memory);
        return 0;
    }
    ulong before = ((__global ulong *)memory)[-2];
    ulong room = (32UL << ((__global uint *)memory)[-2]) - 16;
    if (bytes <= room) {
        ((__global ulong *)memory)[-2] = bytes;
        return memory;
    }
    __global char *larger = accrue_heap_malloc(scratch, bytes);
    if (larger == 0)
        return 0;
    for (ulong at = 0; at < before; ++at)
        larger[at] = memory[at];
    accrue_heap_free(scratch, memory);
    return larger;
}

static void f_put(__global int *, int);
static int f_square(int);

static void f_put(__global int *p, int x)
{
    *p = x;
    return;
}

static int f_square(int x)
{
    return x * x;
}

//@kernel accrue_k2_0
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void accrue_k2_0(ulong word_0, ulong word_1, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __local char accrue_local_accrue_k2_0_slot0[8] __attribute__((aligned(16)));
    __global char *accrue_scratch = (__global char *)ACCRUE_ADDRESS(accrue_scratch_address);
    __global int *y = (__global int *)ACCRUE_ADDRESS(word_0);
    int n = (int)word_1;
    bool t1 = (int)get_local_id(0) == 0;
    int t2 = f_square(n);
    if (t1) {
        f_put(y, t2);
    }
    if (t1) {
        __global void *t3 = (__global void *)accrue_heap_malloc(accrue_scratch, 4L);
        *(__global void *__local *)accrue_local_accrue_k2_0_slot0 = t3;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    __global int *m = (__global int *)*(__global void *__local *)accrue_local_accrue_k2_0_slot0;
    int t4 = y[0];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t1) {
        m[0] = t4;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int t5 = m[0];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (t1) {
        y[1] = t5;
    }
    __global void *t6 = (__global void *)m;
    if (t1) {
        accrue_heap_free(accrue_scratch, (__global char *)t6);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    long t7 = (long)n;
    long t8 = 2L < t7 ? (long)((ulong)t7 - 2UL) : 0L;
    long t9 = (long)((ulong)t8 + 128UL - 1UL) / 128L;
    long t10 = (long)((ulong)(long)(uint)(int)get_local_id(0) * (ulong)t9);
    long t11 = t10 < t8 ? t10 : t8;
    long t12 = (long)((ulong)t11 + (ulong)t9);
    int t13 = (int)(2U + (uint)(int)(long)((ulong)t11 + ((ulong)(t12 < t8 ? t12 : t8) - (ulong)t11)));
    for (int i = (int)(2U + (uint)(int)t11); i < t13; ++i) {
        int t14 = f_square(i);
        f_put(&y[i], t14);
    }
    return;
}
