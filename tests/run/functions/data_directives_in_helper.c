// Directives for data in functions that regions and the host call: on a device, whose memory they are about, they do nothing
// (2.6); called on the host they map and copy.
// launches: 6
#include <stdio.h>

static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static int sum_of(const int *a, int n)
{
    int sum = 0;
#pragma acc data copyin(a[0:n]) if(n > 2)
    {
        for (int i = 0; i < n; i++)
            sum += a[i];
    }
    return sum;
}

#pragma acc routine seq
static void shift(int *a, int n, int by)
{
#pragma acc update self(a[0:n]) if_present
    for (int i = 0; i < n; i++)
        a[i] += by;
#pragma acc update device(a[0:n]) if_present
#pragma acc wait
}

static int *at(int *a, int n, int i)
{
    int *p = 0;
#pragma acc enter data copyin(a[0:n])
#pragma acc host_data use_device(a)
    p = a + i;
#pragma acc exit data delete(a)
    return p;
}

static int nested(int *a, int n)
{
    int last = 0;
#pragma acc data create(a[0:n])
    for (int i = 0; i < n; i++) {
        if (a[i] > 3)
            break;
#pragma acc data present(a[0:n])
        last = a[i];
    }
    return last + sum_of(a, n);
}

static void launches_inside(int *a, int n)
{
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] *= 3;
    }
}

int main(void)
{
    int a[8], sums[8], n = 8;
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop copyin(a) copyout(sums)
    for (int i = 0; i < n; i++)
        sums[i] = sum_of(a, i + 1) + sum_of(table, i + 1);
    for (int i = 0; i < n; i++)
        printf("%d ", sums[i] + sum_of(a, i));
#pragma acc serial copy(a)
    {
        shift(a, n, 5);
        *at(a, n, 3) = 77;
    }
    shift(a, n, 1);
    launches_inside(a, n);
#pragma acc data copy(a)
    {
#pragma acc serial present(a)
        shift(a, n, 100);
        shift(a, n, 1000);
#pragma acc serial present(a)
        a[0] += sum_of(a, n);
    }
#pragma acc serial copy(a) copyin(table)
    a[1] += nested(a, n) + nested(table, 3);
    a[2] += nested(a, 1);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
