// A function that a region calls, with a body that clang cannot read.
static int twice(int x)
{
    int inner(int y) { return 2 * y; }
    return inner(x);
}

void region(int *a)
{
#pragma acc parallel loop copy(a[0:4])
    for (int i = 0; i < 4; i++)
        a[i] = twice(i);
}
