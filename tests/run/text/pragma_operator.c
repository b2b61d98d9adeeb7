// Directives by _Pragma, directly and from macros with arguments.
// launches: 4
#include <stdio.h>

#define STR(x) #x
#define ACC(x) _Pragma(STR(acc x))
#define LOOP(v, n) ACC(parallel loop copy(v[0:n])) for (int i = 0; i < (n); i++)
#define ADD(v, n, by)      \
    do {                   \
        LOOP(v, n)         \
        {                  \
            v[i] += by;    \
        }                  \
    } while (0)

int main(void)
{
    int a[10] = {0};
    _Pragma("acc parallel loop copy(a)") for (int i = 0; i < 10; i++) a[i] = i;
    LOOP(a, 5)
        a[i] *= 2;
    ADD(a, 10, 100);
    ACC(serial copy(a))
    a[0] = 1;
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
