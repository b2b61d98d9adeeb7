// An array that `use_device` makes a pointer cannot be mapped by its name inside.
void f(int n)
{
    int a[100];
#pragma acc data copy(a)
#pragma acc host_data use_device(a)
    {
#pragma acc parallel loop copy(a)
        for (int i = 0; i < 100; i++)
            a[i] = n;
    }
}
