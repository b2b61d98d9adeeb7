// A sequential loop with several reductions inside a gang loop: it has nothing to combine.
#include <stdio.h>

int main(void)
{
    int s = 5, largest = -1, out[10];
#pragma acc parallel loop gang copyout(out) reduction(+:s) reduction(max:largest)
    for (int i = 0; i < 10; i++) {
        int p = 1;
#pragma acc loop seq reduction(*:p) reduction(+:s) reduction(max:largest)
        for (int j = 0; j < i % 4; j++) {
            p *= 2;
            s += i ^ j;
            largest = i * 7 % 5 > largest ? i * 7 % 5 : largest;
        }
        out[i] = p;
    }
    for (int i = 0; i < 10; i++)
        printf("%d ", out[i]);
    printf("%d %d\n", s, largest);
    return 0;
}
