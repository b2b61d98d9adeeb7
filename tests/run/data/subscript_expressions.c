// Section bounds that are expressions, with members, calls and side-effect-free arithmetic.
// launches: 3
#include <stdio.h>

struct box {
    int lo, len;
};

static int twice(int x) { return 2 * x; }

int main(void)
{
    int a[100] = {0}, n = 10;
    struct box b = {5, 15}, *pb = &b;
    long off = 3;
#pragma acc parallel loop copy(a[b.lo:pb->len]) firstprivate(b)
    for (int i = b.lo; i < b.lo + b.len; i++)
        a[i] += 1;
#pragma acc parallel loop copy(a[twice(n):n * n - 60])
    for (int i = 20; i < 60; i++)
        a[i] += 10;
#pragma acc parallel loop copy(a[off + sizeof(int):(unsigned char)n])
    for (int i = 7; i < 17; i++)
        a[i] += 100;
    for (int i = 0; i < 100; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
