/* Memory. malloc and free are in src/ptx/system.ptx. */
#include "common.h"

#include <stdlib.h>

void *__accrue_memcpy(void *to, const void *from, size_t count)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    size_t i = 0;
    if ((((u64)t | (u64)f) & 7) == 0) {
        for (; i + 8 <= count; i += 8)
            *(u64 *)(t + i) = *(const u64 *)(f + i);
    }
    for (; i < count; i++)
        t[i] = f[i];
    return to;
}

void *__accrue_memmove(void *to, const void *from, size_t count)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((u64)t - (u64)f >= count)
        return __accrue_memcpy(to, from, count);
    for (size_t i = count; i > 0; i--)
        t[i - 1] = f[i - 1];
    return to;
}

void *__accrue_memset(void *to, int value, size_t count)
{
    unsigned char *t = to;
    u64 byte = (unsigned char)value;
    size_t i = 0;
    if (((u64)t & 7) == 0) {
        for (; i + 8 <= count; i += 8)
            *(u64 *)(t + i) = byte * 0x0101010101010101ull;
    }
    for (; i < count; i++)
        t[i] = (unsigned char)byte;
    return to;
}

int __accrue_memcmp(const void *left, const void *right, size_t count)
{
    const unsigned char *l = left, *r = right;
    for (size_t i = 0; i < count; i++) {
        if (l[i] != r[i])
            return l[i] < r[i] ? -1 : 1;
    }
    return 0;
}

void *__accrue_memchr(const void *memory, int value, size_t count)
{
    const unsigned char *m = memory;
    unsigned char byte = (unsigned char)value;
    for (size_t i = 0; i < count; i++) {
        if (m[i] == byte)
            return (void *)(m + i);
    }
    return NULL;
}

void *__accrue_calloc(size_t count, size_t size)
{
    if (size != 0 && count > (size_t)-1 / size)
        return NULL;
    void *memory = malloc(count * size);
    return memory ? __accrue_memset(memory, 0, count * size) : memory;
}

/* On the device, malloc keeps a block's size in front of it. */
#define BLOCK_SIZE(memory) (((const size_t *)(memory))[-2])

void *__accrue_realloc(void *memory, size_t size)
{
    void *larger;
    if (memory == NULL)
        return malloc(size);
    size_t old = BLOCK_SIZE(memory);
    if (size <= old && size >= old / 2)
        return memory;
    larger = malloc(size);
    if (larger == NULL)
        return size <= old ? memory : NULL;
    __accrue_memcpy(larger, memory, old < size ? old : size);
    free(memory);
    return larger;
}
