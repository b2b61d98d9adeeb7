// Constant static tables of blocks and functions, whose address is used behind the block, and by functions that are called.
#include <stdio.h>

static int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = s * 2 + p[i];
    return s;
}

static double polynomial(double x)
{
    static const double factors[] = {1, -0.5, 0.25, 2};
    static const struct { int first, count; } part = {1, 3};
    double y = 0;
    for (int k = part.first; k <= part.count; k++)
        y = y * x + factors[k];
    return y;
}

static const char *name(int k)
{
    static const char *const names[] = {"zero", "one", "two"};
    return names[k % 3];
}

int main(void)
{
    int a[30], c[30];
    double b[30];
#pragma acc parallel loop copyout(a, b, c)
    for (int i = 0; i < 30; i++) {
        const int *p;
        if (i & 1) {
            static const int odd[3] = {1, 2, 3};
            p = odd;
        } else {
            static const int even[3] = {10, 20, 30};
            p = i % 4 ? even : &even[0];
            for (int k = 0; k < 2; k++) {
                static const int inner[2] = {5, 6};
                if (inner[k] == i)
                    p = even;
            }
        }
        int other[3] = {i, i, i};
        a[i] = sum(p, 3) + sum(other, 3);
        b[i] = polynomial(i * 0.125);
        c[i] = name(i)[1];
    }
    for (int i = 0; i < 30; i++)
        printf("%d %a %d\n", a[i], b[i], c[i]);
    return 0;
}
