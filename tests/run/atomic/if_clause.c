// The `if` clause of `atomic`: where it is false, one iteration at a time is all there is.
#include <stdio.h>

int main(void)
{
    int sum = 0, many = 1000, old = 0, last = 0;
    double most = 0;
#pragma acc parallel loop copy(sum)
    for (int i = 0; i < many; i++) {
#pragma acc atomic update if(many > 10)
        sum += i;
    }
#pragma acc serial loop copy(most, old, last)
    for (int i = 0; i < many; i++) {
#pragma acc atomic if(many < 10)
        most = most + i;
#pragma acc atomic capture if(0)
        {
            old = last;
            last = i;
        }
    }
    printf("%d %g %d %d\n", sum, most, old, last);
    return 0;
}
