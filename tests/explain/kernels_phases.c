// A kernels construct that is split into several kernels.
// launches: 3
int main(void)
{
    static float a[1000], b[1000];
    float scale = 0;
#pragma acc kernels
    {
        for (int i = 0; i < 1000; i++)
            a[i] = i;
        scale = a[10];
#pragma acc loop independent
        for (int i = 0; i < 1000; i++)
            b[i] = scale * a[i];
    }
    return b[2] != 20;
}
