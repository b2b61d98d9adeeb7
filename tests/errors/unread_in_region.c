// What clang cannot read is an error where a region needs it, with the place where it was declared.
_Decimal64 rate = 1.5dd;

int in_region(int *a)
{
#pragma acc parallel loop copy(a[0:4])
    for (int i = 0; i < 4; i++)
        a[i] *= 2.0dd;
    return a[0];
}

int shadowed(int *a)
{
    int d = 1;
    {
        _Decimal64 d = 2.0dd;
#pragma acc parallel loop copy(a[0:4])
        for (int i = 0; i < 4; i++)
            a[i] += d;
    }
    return a[d];
}
