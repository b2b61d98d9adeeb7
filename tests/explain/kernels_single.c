// A kernels construct that cannot be split: its parts share a local variable.
int main(void)
{
    static float a[1000];
#pragma acc kernels
    {
        float seen = 0;
#pragma acc loop independent
        for (int i = 0; i < 1000; i++)
            a[i] = i;
        seen = a[10];
#pragma acc loop independent
        for (int i = 0; i < 1000; i++)
            a[i] += seen;
    }
    return a[2] != 12;
}
