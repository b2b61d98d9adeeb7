// A struct is reduced member by member: numbers of several types, an array, a struct inside.
// launches: 4
#include <complex.h>
#include <stdio.h>

struct stats {
    double sum;
    char flags;
    unsigned int top[2];
    struct {
        long low;
        float high;
    } range;
    double complex z;
};

struct bounds {
    unsigned char u;
    int i;
    unsigned short many[3];
    double d;
};

int main(void)
{
    struct stats s = {.sum = 0.5, .range = {.low = 7}, .z = I};
    // Over gangs and lanes, into a variable of the host.
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < 1000; i++) {
        s.sum += i * 0.25;
        s.flags += i & 1;
        s.top[i & 1] += 3;
        s.range.low += i;
        s.range.high += 0.5f;
        s.z += i - 2 * i * I;
    }
    printf("%.17g %d %u %u %ld %g %g %g\n", s.sum, s.flags, s.top[0], s.top[1], s.range.low, s.range.high,
           creal(s.z), cimag(s.z));

    // Members compare with or without sign, each as its type says.
    struct bounds b = {1, -1000, {2, 60000, 1}, -1e300};
#pragma acc parallel loop gang worker vector reduction(max:b)
    for (int i = 0; i < 777; i++) {
        b.u = b.u > i % 256 ? b.u : i % 256;
        b.i = b.i > i - 5000 ? b.i : i - 5000;
        unsigned short m = i * 100;
        if (m > b.many[i % 3])
            b.many[i % 3] = m;
        double d = i * 1.5 - 1e6;
        b.d = d > b.d ? d : b.d;
    }
    printf("%d %d %d %d %d %g\n", b.u, b.i, b.many[0], b.many[1], b.many[2], b.d);

    // A private struct over workers and lanes, inside a gang loop that reduces another one.
    struct pair { int n; double x; } total = {0, 0};
    int rows[20];
#pragma acc parallel loop gang copyout(rows) reduction(+:total) num_workers(3)
    for (int r = 0; r < 20; r++) {
        struct pair p = {0, 1};
#pragma acc loop worker vector reduction(+:p)
        for (int k = 0; k < 100 + r; k++) {
            p.n += k % 7;
            p.x += 2;
        }
        rows[r] = p.n;
        total.n += p.n;
        total.x += p.x;
        // The same variable in an inner loop.
#pragma acc loop vector reduction(+:total)
        for (int k = 0; k < r; k++)
            total.n += 1000;
    }
    printf("%d %g %d %d\n", total.n, total.x, rows[0], rows[19]);

    // On the construct.
    struct pair q = {1, 1};
#pragma acc parallel reduction(+:q) num_gangs(4)
    {
#pragma acc loop gang
        for (int i = 0; i < 50; i++) {
            q.x += i;
            q.n += i & 1;
        }
    }
    printf("%d %g\n", q.n, q.x);
    return 0;
}
