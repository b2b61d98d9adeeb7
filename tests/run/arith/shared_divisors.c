// Quotients with a divisor in common, spelled in four ways: in straight code, in branches, in loops, of a variable that changes; zeros,
// infinities, NaN, subnormal and huge numbers, and significands whose reciprocals are next to the middle between two numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPECIAL = 18, N = SPECIAL * SPECIAL + 1700 };

typedef struct { double x, y, z; } vector;

#define OVER(v, r) ((vector){(v).x / (r), (v).y / (r), (v).z / (r)})

static double turns(double d, double box) { return rint(d / box); }

// The same bits, also of zeros; any NaN is like any other.
static unsigned long folded(unsigned long sum, double x)
{
    union { double number; unsigned long bits; } u = {x == x ? x : -1};
    return (sum ^ u.bits) * 0x9e3779b97f4a7c15;
}

int main(void)
{
    const double special[SPECIAL] = {0.0, -0.0, 1, -1, 3, 1e-320, 1e-300, 1e300, 1e-308, 1.7e308, HUGE_VAL, -HUGE_VAL, NAN,
                                     0x1.fffffffffffffp0, 0x1.fffffffffffffp-1, 0x1.ffffffffffd00p3, 5e-324, 7};
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *out = malloc(10 * N * sizeof *out), box = 2.7;
    for (int i = 0; i < N; i++) {
        int few = i < SPECIAL * SPECIAL;
        a[i] = few ? special[i % SPECIAL] : ldexp((i * 7919 % 1000 + 1) / 3.0, i % 1900 - 950);
        b[i] = few ? special[i / SPECIAL] : ldexp((i * 7919L * 13 % 1000 - 499.5) / 7.0, i % 37 - 18);
    }
#pragma acc parallel loop copyin(a[0:N], b[0:N]) copyout(out[0:10 * N])
    for (int i = 0; i < N; i++) {
        double d = b[i];
        out[i] = a[i] / d;
        out[N + i] = (a[i] + 1) / d;
        out[2 * N + i] = 1 / d;
    }
#pragma acc parallel loop copyin(a[0:N], b[0:N]) copy(out[0:10 * N])
    for (size_t i = 0; i < N; i++) {
        vector v = {a[i], -a[i], 0};
        v = i % 3 ? OVER(v, b[i]) : (vector){i / b[i], a[i], 3};
        if (i % 2)
            v.z = v.y / b[i];
        out[3 * N + i] = v.x;
        out[4 * N + i] = v.y;
        out[5 * N + i] = v.z;
    }
#pragma acc parallel loop copyin(a[0:N]) copy(out[0:10 * N])
    for (long i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < 37; k++)
            sum += turns(a[i] + 37 * k, box);
        out[6 * N + i] = sum;
    }
#pragma acc parallel loop gang copyin(a[0:N], b[0:N]) copy(out[0:10 * N])
    for (unsigned i = 0; i < N; i++) {
        double d = b[i], *to = out + 7 * N + 3 * i;
#pragma acc loop vector
        for (unsigned k = 0; k < 3; k++) {
            double last = 0, r = d;
            for (unsigned t = 0; t < 9 + k; t++) {
                last += (a[i] - t) / r + 1 / d;
                if (t == 4)
                    r = -r / d;
                last -= t / r;
            }
            to[k] = last;
        }
    }
    for (int k = 0; k < 10; k++) {
        unsigned long sum = 0;
        for (int i = 0; i < N; i++)
            sum = folded(sum, out[k * N + i]);
        printf("%d %016lx\n", k, sum);
    }
    free(a), free(b), free(out);
    return 0;
}
