// Volatile objects: of every scalar type, behind pointers, members, parameters, in conditions, loops, clauses and reductions.
// launches: 6
#include <stdio.h>
#include <stdlib.h>
struct pair { volatile int a; int b; };
static volatile int global = 3;
static int twice(volatile int *p) { return *p + *p; }
int main(void)
{
    int n = 200;
    volatile int limit = 100;
    volatile double *w = malloc(n * sizeof *w);
    int out[200]; double f[200];
    struct pair s = {5, 6};
    for (int i = 0; i < n; i++) w[i] = i * 0.5;
    volatile int *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = i;
#pragma acc parallel loop copy(w[0:n], p[0:n]) copyout(out, f) copyin(s)
    for (int i = 0; i < n; i++) {
        volatile int local = i;
        volatile short narrow = (short)(i * 3);
        local++;
        local += 2;
        int x = local;
        (void)local;
        int y = (w[i] > 3, p[i]);
        f[i] = w[i] + w[i];
        w[i] = w[i] * 2;
        if (p[i] && local > 5) x += narrow;
        x += local ? p[i] : -p[i];
        while (local > 3) local--;
        for (volatile int k = 0; k < 3; k++) x += k;
        x += (local = 7);
        x += twice(&p[i]);
        x += s.a + limit;
        switch (local) { case 7: x += 1000; break; default: x -= 1000; }
        volatile float _Complex z = 1.0f;
        z += 2.0f;
        x += (int)__real__ z;
        out[i] = x + y;
    }
    double t = 0; long u = 0;
    for (int i = 0; i < n; i++) { t += f[i] + w[i]; u += out[i] * (i + 1); }
    printf("%g %ld\n", t, u);
    long sum = 0;
    volatile long vsum = 0;
#pragma acc parallel loop reduction(+:sum, vsum)
    for (int i = 0; i < n; i++) { sum += limit; vsum += i; }
    printf("%ld %ld\n", sum, vsum);
#pragma acc serial copy(limit)
    { limit = limit + 1; limit++; ++limit; limit--; int a = limit++; limit += a; }
    printf("%d\n", limit);
#pragma acc parallel loop copy(global) reduction(+:global)
    for (int i = 0; i < n; i++) global += 1;
    printf("%d\n", global);
    volatile int count = 0; int cap[100];
#pragma acc parallel loop copy(count) copyout(cap)
    for (int i = 0; i < 100; i++) {
        int c;
#pragma acc atomic capture
        c = count++;
        cap[i] = c >= 0;
    }
    printf("%d %d\n", count, cap[50]);
    volatile int q[10];
    for (int i = 0; i < 10; i++) q[i] = i;
    int r = 0;
#pragma acc parallel loop reduction(+:r) firstprivate(q)
    for (int i = 0; i < 10; i++) { volatile int *v = q; int a = *v++; int b = *v; r += a + b + v[i - 1]; }
    printf("%d\n", r);
    return 0;
}
