// Loops of kernels constructs that nothing but pointers keeps from running in parallel, where they lead into one array: what is read under
// conditions that the launch does not know counts, spelled in four ways.
#include <stdio.h>

enum { N = 400 };

static int buffer[N], other[N], mask[N];

static void by_mask(int n, int *a, int *b)
{
#pragma acc kernels
    for (int i = 0; i < n; i++) {
        a[i] = b[i + 100];
        if (mask[i])
            a[i] = b[i];
    }
}

static void by_parity(unsigned n, int *a, const int *b)
{
#pragma acc kernels
    for (unsigned i = 0; i < n; ++i)
        a[i] = i & 1 ? b[i] + 1 : b[i + 150];
}

#define SMALL(p) ((p)[0] < 90 && (p)[1] > 3)

static void by_and(long n, int *a, int *b)
{
#pragma acc kernels loop
    for (long i = 0; i < n; i++)
        a[i] += SMALL(b + i) ? 2 : b[i + 120];
}

static inline int chosen(const int *row, int at, int other) { return mask[at] == 1 ? row[at] : row[other]; }

static void by_function(size_t n, int *a, int *b)
{
#pragma acc kernels
    for (size_t i = 0; i < n; i++)
        a[i] = chosen(b, i, i + 110);
}

int main(void)
{
    const int shifts[] = {1, -1, 0, 3, 150, -60};
    for (int i = 0; i < N; i++)
        mask[i] = i * 7 % 3, other[i] = i * 11 % 97;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < N; i++)
            buffer[i] = i * 37 % 101;
        int *b = buffer + 70, *a = b + shifts[k], n = 50;
#pragma acc data copy(buffer) copyin(mask, other)
        {
            by_mask(n, a, b);
            by_parity(n, a, b);
            by_and(n, a, b);
            by_function(n, a, b);
            by_mask(n, a, other + 70);
            by_function(n, a, other + 70);
        }
        unsigned sum = 0;
        for (int i = 0; i < N; i++)
            sum = sum * 31 + buffer[i];
        printf("%d %u\n", shifts[k], sum);
    }
    return 0;
}
