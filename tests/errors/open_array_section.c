// The rest of an array whose length another file knows.
extern double a[];
int f(void)
{
    double x = 0;
#pragma acc parallel copyin(a[2:]) copy(x)
    x += a[3];
    return x;
}
