// Nests over which something is reduced: where an iteration is in its dimensions, with counts below, at and above the number of
// threads, dimensions without iterations, counters of all widths, steps, falling loops and `continue`.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

static long places(int n, int m, const long *a)
{
    long sum = 0;
#pragma acc parallel loop collapse(2) reduction(+ : sum) copyin(a[0 : n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum += a[i * m + j] * (i + 1) + 3 * j;
    return sum;
}

static double three(size_t n, unsigned m, short k, const double *a)
{
    double most = -1e300;
#pragma acc parallel loop gang vector collapse(3) reduction(max : most) copyin(a[0 : n * m * k]) num_gangs(3) vector_length(64)
    for (size_t i = 0; i < n; ++i)
        for (unsigned j = m; j > 0; j--)
            for (short l = 0; l < k; l++) {
                if ((i + j) % 5 == 3)
                    continue;
                double here = a[(i * m + (j - 1)) * k + l] - (double)i + 0.25 * j - l;
                most = fmax(most, here);
            }
    return most;
}

static long long steps(int lo, int hi, int by, long first, long last, const int *a)
{
    long long sum = 0, count = 0;
#pragma acc parallel loop collapse(2) reduction(+ : sum, count) copyin(a[0 : 40])
    for (int i = hi; i >= lo; i -= by)
        for (long j = first; j <= last; j += 3) {
            sum += (long long)i * 1000 + j * a[j % 40];
            count++;
        }
    return sum * 1000 + count;
}

static unsigned bytes(signed char lo, unsigned char hi, const unsigned *a)
{
    unsigned bits = 0;
#pragma acc parallel loop collapse(2) reduction(^ : bits) copyin(a[0 : 256])
    for (signed char i = lo; i < 100; i++)
        for (unsigned char j = 0; j < hi; j++)
            bits ^= (a[j] + (unsigned)(i + 128)) * 2654435761u;
    return bits;
}

static double change(int n, const double *u, double *v)
{
    double most = 0;
#pragma acc parallel loop collapse(2) reduction(max : most) copyin(u[0 : n * n]) copy(v[0 : n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            v[i * n + j] = 0.25 * (u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j]);
            most = fmax(most, fabs(v[i * n + j] - u[i * n + j]));
        }
    return most;
}

enum { ALL = 70000 };

int main(void)
{
    static long a[ALL];
    static double d[ALL], v[ALL];
    static int small[40];
    static unsigned words[256];
    for (int i = 0; i < ALL; i++) {
        a[i] = (i * 7919L) % 1013 - 500;
        d[i] = (i * 7919L) % 1013 * 0.125;
    }
    for (int i = 0; i < 40; i++)
        small[i] = i * i - 300;
    for (int i = 0; i < 256; i++)
        words[i] = i * 40503u;
    const int shapes[][2] = {{1, 1}, {1, 70000}, {70000, 1}, {264, 264}, {3, 7}, {0, 5}, {5, 0}, {33, 2048}, {2048, 33}, {255, 257}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        printf("%d x %d: %ld\n", shapes[s][0], shapes[s][1], places(shapes[s][0], shapes[s][1], a));
    printf("%g %g %g %g\n", three(7, 11, 13, d), three(1, 1, 1000, d), three(300, 2, 3, d), three(0, 3, 3, d));
    printf("%lld %lld %lld\n", steps(-20, 300, 7, 0, 100, small), steps(5, 4, 1, 0, 10, small), steps(0, 0, 1, 39, 39, small));
    printf("%u %u\n", bytes(-128, 255, words), bytes(99, 1, words));
    printf("%g\n", change(200, d, v));
    long sum = 0;
    for (int i = 0; i < 40000; i++)
        sum += (long)(v[i] * 32) * (i % 77);
    printf("%ld\n", sum);
    return 0;
}
