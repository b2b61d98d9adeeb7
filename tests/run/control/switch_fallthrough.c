// switch with fall-through, no default, negative and character labels, on unsigned char and long long.
#include <stdio.h>

int main(void)
{
    int a[40], b[40];
#pragma acc parallel loop copyout(a, b)
    for (int i = 0; i < 40; i++) {
        int r = 0;
        switch (i - 3) {
        case -3:
            r += 1;
        case -2:
            r += 10;
        case -1:
        case 0:
            r += 100;
            break;
        case 'a' - 90:
            r = 7;
        }
        a[i] = r;
        unsigned char c = (unsigned char)(i * 16);
        long long wide = (long long)i << 33;
        switch (c) {
        case 0:
            b[i] = 1;
            break;
        case 240:
            b[i] = 2;
            break;
        default:
            switch (wide) {
            case 1LL << 33:
                b[i] = 3;
                break;
            default:
                b[i] = 4;
            }
        }
    }
    for (int i = 0; i < 40; i++)
        printf("%d %d\n", a[i], b[i]);
    return 0;
}
