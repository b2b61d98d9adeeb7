// A jump into a block with a region: what cannot be followed is said, and the region is not dropped.
#include <stdio.h>
int main(int argc, char **argv)
{
    int a[10];
    switch (argc) {
        if (argc == 7) {
        case 1:
#pragma acc parallel loop copyout(a)
        for (int i = 0; i < 10; i++) a[i] = i;
        }
    }
    printf("%d\n", a[3]);
}
