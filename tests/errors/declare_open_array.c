// An array whose length another file knows: it is where it is present, and nothing can be mapped without a length.
extern double a[];
#pragma acc declare create(a)
int f(void)
{
    double x = 0;
#pragma acc parallel copy(x)
    x += a[1];
#pragma acc update self(a)
#pragma acc parallel copyin(a) copy(x)
    x += a[3];
    return x;
}
