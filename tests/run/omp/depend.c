// Regions and data directives that depend on tasks of the host, and tasks that depend on them.
// cflags: -fopenmp
// launches: 7
#include <stdio.h>

static int slow(int n) {
    volatile int x = 0;
    for (int i = 0; i < n; i++)
        x += i & 1;
    return x;
}

int main(void) {
    int a = 0, b = 0, c = 0;
    int v[100];
    for (int round = 0; round < 2; round++) {
        #pragma omp parallel num_threads(4)
        #pragma omp single
        {
            #pragma omp task depend(out: a) shared(a)
            a = slow(2000000);
            #pragma omp target map(to: a) map(from: b) depend(in: a) depend(out: b) nowait
            b = a + 1;
            #pragma omp task depend(in: b) depend(out: v) shared(b, v)
            for (int i = 0; i < 100; i++)
                v[i] = b + slow(10000);
            #pragma omp target teams distribute parallel for map(tofrom: v) depend(inout: v)
            for (int i = 0; i < 100; i++)
                v[i] += i;
            #pragma omp task depend(in: v) depend(out: c) shared(c, v)
            c = v[99] + slow(1000000);
            if (round)
                #pragma omp target map(tofrom: c) depend(inout: c)
                c += 5;
            else
                c -= 0;
            #pragma omp task depend(in: c) shared(c)
            c += 1;
        }
        printf("%d %d %d %d\n", a, b, v[99], c);
    }

    int w[10] = {0};
    #pragma omp target enter data map(alloc: w)
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task depend(out: w) shared(w)
        for (int i = 0; i < 10; i++)
            w[i] = slow(100000) + i;
        #pragma omp target update to(w) depend(inout: w)
        #pragma omp target map(tofrom: w) depend(inout: w) nowait
        w[2] *= 2;
        #pragma omp target update from(w) depend(inout: w) nowait
        #pragma omp task depend(in: w) shared(w)
        w[3]++;
    }
    #pragma omp target exit data map(release: w)
    #pragma omp target map(tofrom: w)
    w[4] -= 1;
    printf("%d %d %d at line %d\n", w[2], w[3], w[4], __LINE__);
    return 0;
}
