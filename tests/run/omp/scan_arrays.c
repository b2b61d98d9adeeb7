// `inscan` reductions of arrays and sections, inclusive and exclusive, in `parallel for`, `for` and `simd`, on a device and where the region
// runs on the host, whose compiler may know such reductions of numbers only.
// cflags: -fopenmp
// expect-output: scan_arrays.expect
// launches: 4
#include <stdio.h>
#define N 40

static int s[3], a[N], b[N][3];

static void inclusive(int on_device)
{
    for (int k = 0; k < 3; k++)
        s[k] = k;
    #pragma omp target map(tofrom: s, b) map(to: a) if(target: on_device)
    #pragma omp parallel for reduction(inscan, +: s[0:3]) num_threads(8)
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            s[k] += a[i] * (k + 1);
        #pragma omp scan inclusive(s[0:3])
        for (int k = 0; k < 3; k++)
            b[i][k] = s[k];
    }
    printf("%d %d %d %d\n", b[5][1], b[39][2], s[0], s[2]);
}

static void exclusive(int on_device)
{
    double m[2][2] = {{9, 9}, {9, 9}}, c[N], last = 0;
    #pragma omp target parallel map(tofrom: m, c, last) map(to: a) num_threads(4) if(target: on_device)
    {
        #pragma omp for reduction(inscan, min: m) lastprivate(last) schedule(static, 3)
        for (int i = 0; i < N; i++) {
            c[i] = m[0][0] + m[0][1] * 10 + m[1][0] * 100 + m[1][1] * 1000;
            #pragma omp scan exclusive(m)
            {
                double v = a[i] * 7 % 11 + 1;
                last = v;
                if (v < m[i & 1][i >> 1 & 1])
                    m[i & 1][i >> 1 & 1] = v;
            }
        }
    }
    printf("%g %g %g %g %g %g\n", c[0], c[7], c[39], m[0][0], m[1][1], last);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int on_device = 0; on_device < 2; on_device++) {
        inclusive(on_device);
        exclusive(on_device);
    }

    // Outside of the section nothing changes.
    int t[5] = {1, 2, 3, 4, 5}, product = 0;
    #pragma omp target map(tofrom: t, product)
    #pragma omp simd reduction(inscan, +: t[1:2])
    for (int i = 0; i < 6; i++) {
        t[1] += i;
        t[2] += 2 * i;
        #pragma omp scan inclusive(t[1:2])
        product += t[1] * t[2];
    }
    printf("%d %d %d %d %d %d\n", t[0], t[1], t[2], t[3], t[4], product);

    _Bool seen[2] = {0, 0};
    int first = 0;
    #pragma omp target parallel for map(tofrom: first) reduction(inscan, ||: seen) map(to: a)
    for (int i = 0; i < N; i++) {
        seen[a[i] % 2] = seen[a[i] % 2] || a[i] > 17;
        #pragma omp scan inclusive(seen)
        if (seen[0] && seen[1] && i < 20)
            first += i;
    }
    printf("%d %d %d\n", seen[0], seen[1], first);
    return 0;
}
