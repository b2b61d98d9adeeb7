// Regions inside the host's control flow: in a switch, in a loop with break, after a continue.
// launches: 9
#include <stdio.h>

int main(void)
{
    int a[5] = {1, 2, 3, 4, 5};
    for (int t = 0; t < 10; t++) {
        if (t % 2)
            continue;
        switch (t) {
        case 0:
        case 4: {
#pragma acc parallel loop copy(a)
            for (int i = 0; i < 5; i++)
                a[i] += t;
            break;
        }
        case 2: {
#pragma acc parallel loop copy(a)
            for (int i = 0; i < 5; i++)
                a[i] *= 2;
        }
        case 6: {
#pragma acc parallel loop copy(a)
            for (int i = 0; i < 5; i++)
                a[i] -= 1;
        }
        }
        if (t == 8)
            break;
#pragma acc serial copy(a)
        a[t / 2] = -a[t / 2];
    }
    for (int i = 0; i < 5; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
