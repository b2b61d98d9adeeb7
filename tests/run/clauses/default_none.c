// default(none): every variable appears in a clause; scalars with reduction or private count.
#include <stdio.h>

int main(void)
{
    int a[30], b[30], n = 30, s = 0, t;
    for (int i = 0; i < 30; i++)
        b[i] = i;
#pragma acc parallel loop default(none) copyin(b) copyout(a) firstprivate(n) private(t) reduction(+:s)
    for (int i = 0; i < n; i++) {
        t = b[i] * 2;
        a[i] = t;
        s += t;
    }
    printf("%d %d\n", a[29], s);
    return 0;
}
