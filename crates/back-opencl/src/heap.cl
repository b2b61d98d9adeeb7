/* The heap of kernels: blocks of 32 bytes and twice, four times … as many, one after another. In front of what a block is for are 16 bytes:
   how many were asked for, the size, and the next block of this size that was given back. The heap starts with the first byte that was never
   given away, with how many bytes there are, and with the latest block of each size that was given back: its number, and above 32 bits how
   often this has changed, so that a block which comes back between two looks does not seem to have stayed. */
#define ACCRUE_HEAP_SIZES 36
#define ACCRUE_HEAP(scratch) ((volatile __global ulong *)ACCRUE_ADDRESS(*(volatile __global ulong *)((scratch) + HEAP_PLACE)))
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
