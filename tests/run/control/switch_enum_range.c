// switch over an enum; GNU case ranges.
#include <stdio.h>

enum colour { red, green = 5, blue, none = -1 };

int main(void)
{
    int a[10], g[10];
#pragma acc parallel loop copyout(a, g)
    for (int i = 0; i < 10; i++) {
        enum colour c = i % 3 == 0 ? red : i % 3 == 1 ? green : i > 6 ? none : blue;
        switch (c) {
        case red:
            a[i] = 100;
            break;
        case green:
            a[i] = 200 + green;
            break;
        case blue:
            a[i] = 300 + blue;
            break;
        case none:
            a[i] = none;
        }
        switch (i) {
        case 0 ... 3:
            g[i] = 1;
            break;
        case 4 ... 7:
            g[i] = 2;
            break;
        default:
            g[i] = 3;
        }
    }
    for (int i = 0; i < 10; i++)
        printf("%d %d\n", a[i], g[i]);
    return 0;
}
