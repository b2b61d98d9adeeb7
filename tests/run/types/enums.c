// Enumerators as constants, enum variables and members, a negative and a large enumerator.
#include <stdio.h>

enum level { low = -2, mid, high = 40, top = high * 2 };
struct s {
    enum level l;
    enum { off, on } sw;
};
enum { COUNT = 25 };

int main(void)
{
    struct s a[COUNT];
    int score[COUNT];
#pragma acc parallel loop copyout(a, score)
    for (int i = 0; i < COUNT; i++) {
        enum level l = i < 10 ? low : i < 20 ? mid : top;
        a[i].l = l;
        a[i].sw = i % 2 ? on : off;
        score[i] = l + a[i].sw * high;
    }
    for (int i = 0; i < COUNT; i++)
        printf("%d %d %d\n", a[i].l, a[i].sw, score[i]);
    return 0;
}
