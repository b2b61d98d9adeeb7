// A loop in kernels says how many gangs, workers or lanes there are only where the construct does not.
int main(void)
{
    int a[10], n = 10;
#pragma acc kernels num_gangs(4) num_workers(n) copy(a)
    {
#pragma acc loop gang(num: n) worker(2) vector(32)
        for (int i = 0; i < n; i++)
            a[i] = 0;
#pragma acc loop gang vector
        for (int i = 0; i < n; i++)
            a[i]++;
    }
#pragma acc kernels copy(a) device_type(nvidia) num_gangs(8)
    {
#pragma acc loop device_type(host) gang(2)
        for (int i = 0; i < n; i++)
            a[i]++;
    }
    return a[0];
}
