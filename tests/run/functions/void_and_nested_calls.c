// Calls as arguments of calls, void functions, functions that return void expressions, ignored results.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static void set(int *p, int v) { *p = v; }
static void bump(int *p)
{
    if (*p > 40)
        return;
    set(p, add(*p, 1));
}

int main(void)
{
    int a[50];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 50; i++) {
        set(&a[i], add(add(i, 1), add(add(2, 3), -i / 2)));
        bump(a + i);
        (void)add(1, 2);
        add(i, i);
        i > 25 ? bump(&a[i]) : (void)0;
    }
    for (int i = 0; i < 50; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
