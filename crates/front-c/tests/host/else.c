/* Regions as bodies: every `else` stays with its `if`, and a region is skipped as a whole.
// standards: c90 c99 gnu17
// shape a: Array
*/
extern int printf(const char *, ...);

static void f(int n, int a[])
{
    int i;
    if (n > 1)
        if (n > 2)
#pragma acc parallel loop num_gangs(n)
            for (i = 0; i < n; i++)
                a[i] = 1;
        else
            a[0] = 2;
    else
#pragma acc kernels if(n)
        a[0] = 3;
    if (n == 4)
#pragma acc data copy(n)
#pragma acc serial
    {
        a[1] = 4;
    }
    else
        a[1] = 5;
    switch (n) {
    case 1:
#pragma acc wait(n)
#pragma acc data create(n)
        a[2] = 6;
        break;
    default:
#pragma acc parallel
        switch (n) {
        case 4:
            a[2] = 7;
            break;
        }
    }
    for (i = 0; i < 3; i++) {
        if (i == 1)
            continue;
#pragma acc parallel
        a[3] += i;
    }
    printf("%d: %d %d %d %d\n", n, a[0], a[1], a[2], a[3]);
}

int main(void)
{
    int n;
    for (n = 1; n <= 4; n++) {
        int a[4];
        a[0] = a[1] = a[2] = a[3] = 0;
        f(n, a);
    }
    return 0;
}
