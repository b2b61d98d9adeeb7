// deviceptr clauses: memory of acc_malloc, of mapped data, and one in another.
//
// launches: 5
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

#define N 200

static void copy_and_add(int n, const int *from, int *to)
{
#pragma acc parallel loop seq deviceptr(from, to)
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}

static void from_mapped(int n, const int *from, int *to)
{
#pragma acc parallel loop seq present(from[0:n]) deviceptr(to)
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}

static int sum(const int *a, int n)
{
    unsigned all = 0;
    for (int i = 0; i < n; i++)
        all = all * 3 + a[i];
    return (int)all;
}

int main(void)
{
    int host[2 * N];
    for (int i = 0; i < 2 * N; i++)
        host[i] = i * i % 17;

#ifdef _OPENACC
    int *block = acc_malloc(2 * N * sizeof *block), *other = acc_malloc(N * sizeof *other);
    acc_memcpy_to_device(block, host, sizeof host);
#else
    int *block = malloc(2 * N * sizeof *block), *other = malloc(N * sizeof *other);
    for (int i = 0; i < 2 * N; i++)
        block[i] = host[i];
#endif
    copy_and_add(N, block, other);
    copy_and_add(N - 1, other, block);
    copy_and_add(N, block, block + 1);
    int result[2 * N];
#ifdef _OPENACC
    acc_memcpy_from_device(result, block, sizeof result);
    acc_free(block);
    // What was two blocks may be one now.
    int *larger = acc_malloc(4 * N * sizeof *larger);
    acc_memcpy_to_device(larger, host, sizeof host);
    copy_and_add(N, larger, larger + 1);
    acc_memcpy_from_device(result, larger, N * sizeof *result);
    acc_free(larger);
    acc_free(other);
#else
    for (int i = 0; i < 2 * N; i++)
        result[i] = block[i];
    for (int i = 0; i < 2 * N; i++)
        block[i] = host[i];
    copy_and_add(N, block, block + 1);
    for (int i = 0; i < N; i++)
        result[i] = block[i];
    free(block);
    free(other);
#endif
    printf("%d\n", sum(result, 2 * N));

#pragma acc data copy(host)
    {
        int *shifted = host;
#pragma acc host_data use_device(host)
        shifted = host + 3;
        from_mapped(N, host, shifted);
    }
    printf("%d\n", sum(host, 2 * N));
    return 0;
}
