// Strict ISO C17: no GNU keywords, digraphs and trigraph-free code, _Generic and _Static_assert around regions.
// cflags: -std=c17
// launches: 2
#include <stdio.h>

_Static_assert(sizeof(int) >= 4, "int is too small");
#define KIND(x) _Generic((x), int: 1, double: 2, float: 3, default: 4)

int main(void)
<%
    double a<:6:>;
    int k = 0;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 6; i++)
        a[i] = KIND(i) + KIND(1.0) * 10 + KIND(1.f) * 100 + KIND('c' + 0L) * 1000 + i;
#pragma acc serial copy(k) copyin(a)
    k = (int)a[5];
    printf("%g %d\n", a<:0:>, k);
    return 0;
%>
