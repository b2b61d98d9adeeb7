// Kernels of the runtime's own tests, written by hand in the form that the compiler emits.

//@kernel add_3
// a[i] += x for all i < n, spread over all work items.
__kernel void add_3(ulong a, ulong n, ulong x, ulong scratch, __global uchar *memory)
{
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
        ((__global ulong *)a)[i] += x;
}

//@kernel sum_2
// *sum += *number, by one work item.
__kernel void sum_2(ulong sum, ulong number, ulong scratch, __global uchar *memory)
{
    if (get_global_id(0) == 0)
        *(__global ulong *)sum += *(__global ulong *)number;
}

//@kernel into_3
// *first += x, *second is left alone.
__kernel void into_3(ulong first, ulong second, ulong x, ulong scratch, __global uchar *memory)
{
    if (get_global_id(0) == 0 && get_global_id(1) == 0) {
        *(__global ulong *)first += x;
        *(__global ulong *)second += 2 * x;
    }
}

//@kernel through_2
// p->a[i] += x for p->n elements: the pointer is in memory.
struct pair { ulong a; long n; };
__kernel void through_2(ulong p, ulong x, ulong scratch, __global uchar *memory)
{
    __global struct pair *pair = (__global struct pair *)p;
    for (ulong i = get_global_id(0); i < pair->n; i += get_global_size(0))
        ((__global uint *)pair->a)[i] += x;
}

//@kernel total_1
// The sum over all gangs and workers of (worker + 1): local memory, a slot per gang, the last gang adds up.
__kernel void total_1(ulong result, ulong scratch, __global uchar *memory)
{
    __local uint of_workers[32];
    __local uint last;
    uint worker = get_local_id(1), lane = get_local_id(0);
    if (lane == 0)
        of_workers[worker] = worker + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    __global volatile uint *slots = (__global volatile uint *)(scratch + 4096);
    if (lane == 0 && worker == 0) {
        uint sum = 0;
        for (uint w = 0; w < get_local_size(1); w++)
            sum += of_workers[w];
        slots[4 * get_group_id(0)] = sum;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = atomic_inc((__global volatile uint *)scratch) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && lane == 0 && worker == 0) {
        uint sum = 0;
        for (uint g = 0; g < get_num_groups(0); g++)
            sum += slots[4 * g];
        *(__global uint *)result = sum;
        *(__global volatile uint *)scratch = 0;
    }
}
