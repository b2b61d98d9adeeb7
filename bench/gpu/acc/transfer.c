// Transfers of 1 GiB of ordinary (pageable) memory in both directions.
#include "common.h"

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift), repeats = args.repeats < 20 ? args.repeats : 20;
    double bytes = (double)n * sizeof(double), *a = get((size_t)n * sizeof(double));
    long long sum = 0;
    struct watch w;
    for (int i = 0; i < n; i++)
        a[i] = i % 1000;
#pragma acc enter data create(a[0:n])
    w = watch(repeats);
    while (lap(&w)) {
#pragma acc update device(a[0:n])
    }
    row("h2d", n, w, bytes, 'B', checksum(n, a, 1));
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
    w = watch(repeats);
    while (lap(&w)) {
#pragma acc update self(a[0:n])
    }
    for (int i = 0; i < n; i++)
        sum += ADDEND(a[i], 1, i);
    row("d2h", n, w, bytes, 'B', sum);
    return 0;
}
