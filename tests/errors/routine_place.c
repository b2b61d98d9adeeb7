// `routine` directives in functions.
static int f(int n)
{
    int s = 0;
#pragma acc routine seq
    for (int j = 0; j < n; j++)
        s += j;
    return s;
}

static int g(int n)
{
#pragma acc routine(f) seq
    return f(n);
}
