// What regions of the other file call.
#pragma acc routine seq
int doubled_on_device(int x)
{
    return 2 * x + 1000;
}

#pragma acc routine vector
int total_on_device(int n, const int *v)
{
    int s = 500;
#pragma acc loop vector reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}
