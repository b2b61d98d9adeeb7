// Assertions that hold, in a loop, in a function, in a branch that few take, and beside a reduction.
// launches: 2
#include <assert.h>
#include <stdio.h>

static int checked(int x)
{
    assert(x >= 0 && x < 1000);
    return x * 2;
}

int main(void)
{
    int a[1000], n = 1000, sum = 0;
#pragma acc parallel loop copyout(a) firstprivate(n)
    for (int i = 0; i < n; i++) {
        a[i] = checked(i);
        if (i % 100 == 7)
            assert(a[i] == 2 * i);
    }
#pragma acc parallel loop gang copyin(a) reduction(+ : sum)
    for (int i = 0; i < 10; i++) {
        int of = 0;
#pragma acc loop vector reduction(+ : of)
        for (int j = 0; j < 100; j++)
            of += a[i * 100 + j];
        assert(of > 0);
        sum += of;
    }
    printf("%d %d\n", a[999], sum);
    return 0;
}
