// A declare directive is about data regions, which begin on the host.
int f(int n)
{
#pragma acc parallel copy(n)
    {
        int t = n;
#pragma acc declare create(t)
        n = t;
    }
    return n;
}
