// What a gang reduction costs: a sum of 2^16 doubles with 1 to 8192 gangs of 128 lanes, and with 256 gangs of 32 to 1024
// lanes. Compiled once for each way of combining gangs (-freduction=gang:…); costs.py draws the times.
//
//     reduction_cost [REPEATS]
//
// Prints `cost gangs=64 vector=128 seconds=0.000012345 checksum=131068` lines.
#include "../bench.h"

#define N (1 << 16)

static double sum(const double *a, int gangs, int lanes)
{
    double s = 0;
#pragma acc parallel loop gang vector num_gangs(gangs) vector_length(lanes) reduction(+:s) present(a[0:N])
    for (int i = 0; i < N; i++)
        s += a[i];
    return s;
}

static void measure(int repeats, const double *a, int gangs, int lanes)
{
    double s = 0;
    struct watch w = watch(repeats);
    while (lap(&w))
        s = sum(a, gangs, lanes);
    printf("cost gangs=%d vector=%d seconds=%.9f checksum=%lld\n", gangs, lanes, w.best, (long long)s);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const int lanes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
    static double a[N];
    int repeats = argc > 1 ? atoi(argv[1]) : 30;
    for (int i = 0; i < N; i++)
        a[i] = i % 5;
#pragma acc enter data copyin(a)
    for (int gangs = 1; gangs <= 8192; gangs *= 2)
        measure(repeats, a, gangs, 128);
    for (size_t k = 0; k < sizeof lanes / sizeof *lanes; k++)
        measure(repeats, a, 256, lanes[k]);
#pragma acc exit data delete(a)
    return 0;
}
