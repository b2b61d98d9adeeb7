// Sums that need nothing that is loaded, beside a branch that loads and reduces; iterations enough for several at a time.
// launches: 4
#include <stdio.h>

enum { N = 5000 };

static int d[512];
static double x[N];

int main(void)
{
    for (int i = 0; i < 512; i++)
        d[i] = i * 37 % 501;
    for (int i = 0; i < N; i++)
        x[i] = i % 17;
    int n = N, r = -1, a = 0, c = 0;
#pragma acc parallel loop reduction(+ : a, c) reduction(max : r)
    for (int i = 0; i < n; i++) {
        if (i < 48)
            if (d[298] > r)
                r = d[298];
        a += 1;
        c += 1;
    }
    printf("%d %d %d\n", a, c, r);
    double low = 1e30, one = 0, two = 0, three = 0;
#pragma acc parallel loop reduction(+ : one, two, three) reduction(min : low)
    for (unsigned i = 0; i < (unsigned)n; ++i) {
        one += 0.5;
        if (i % 3 == 1 && x[i] < low)
            low = x[i];
        two += 3;
        three += 0.25;
    }
    printf("%g %g %g %g\n", one, two, three, low);
    static int marked[N];
    int count = 0;
    long sum = 0;
#pragma acc parallel loop reduction(+ : count, sum) copy(marked)
    for (int i = 0; i < n; i++) {
        if (x[i] > 7) {
            count++;
            marked[i] = 1;
        }
        sum += i;
    }
    for (int i = 0; i < N; i++)
        count += i % 5 * marked[i];
    printf("%d %ld\n", count, sum);
    long sa = 1, sb = 2, sc = 3;
    int any = 0;
#pragma acc parallel loop reduction(+ : sa, sb, sc) reduction(| : any)
    for (size_t i = 0; i < (size_t)n; i++) {
        sa += i;
        if (d[i & 511] & 64)
            any |= d[i & 511];
        sb += 2 * i;
        sc += 1;
    }
    printf("%ld %ld %ld %d\n", sa, sb, sc, any);
    return 0;
}
