// The limits of `<float.h>` in regions: literals of `long double` that are converted at once are numbers that every device has.
// launches: 2
#include <float.h>
#include <stdio.h>

int main(void)
{
    double most = 0, least = 0, step = 0, v[50];
    float single = 0, tenth = 0;
    for (int i = 0; i < 50; i++)
        v[i] = (i * 37 % 50) - 80;
    #pragma acc serial copy(most, least, step, single, tenth)
    {
        most = DBL_MAX;
        least = -DBL_MIN;
        step = 1 + DBL_EPSILON;
        single = FLT_MAX;
        tenth = (float)(0.1L);
    }
    printf("%a %a %a %a %a\n", most, least, step, single, tenth);

    double found = -DBL_MAX;
    #pragma acc parallel loop copyin(v) reduction(max: found)
    for (int i = 0; i < 50; i++) {
        double own = -DBL_MAX;
        if (v[i] > own)
            own = v[i];
        found = own > found ? own : found;
    }
    printf("%g\n", found);
    return 0;
}
