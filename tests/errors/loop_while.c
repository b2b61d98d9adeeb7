// loop on a while loop.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel copy(a)
    {
        int i = 0;
#pragma acc loop
        while (i < n)
            a[i++] = i;
    }
    return a[0] + b[0] + n + s;
}
