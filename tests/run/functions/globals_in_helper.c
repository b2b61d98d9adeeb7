// A helper that reads constant file-scope data.
#include <stdio.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int day_of_year(int month, int day)
{
    for (int m = 0; m < month; m++)
        day += days[m];
    return day;
}

int main(void)
{
    int r[12];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 12; i++)
        r[i] = day_of_year(i, days[i] / 2);
    for (int i = 0; i < 12; i++)
        printf("%d\n", r[i]);
    return 0;
}
