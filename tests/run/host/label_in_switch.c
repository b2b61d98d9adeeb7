// A label inside of a statement that the compiler does not follow: the path back through it reads what the region leaves.
#include <stdio.h>
int main(void) {
    int t = -1, rounds = 0, way = 1;
    double y[10];
    switch (way) {
    case 5:
        while (0) {
        case 1:
        back:;
        }
    }
    printf("%d\n", t);
    if (rounds++ == 0) {
#pragma acc kernels copyout(y)
        for (int i = 0; i < 10; i++) {
            t = 2 * i;
            y[i] = t;
        }
        for (int i = 0; i < 10; i++) printf("%g ", y[i]);
        goto back;
    }
    return 0;
}
