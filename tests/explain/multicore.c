// No code for GPUs: only what CPU cores do is told.
// cflags: -acc=multicore
// launches: 0
int main(void)
{
    static float a[100];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 100; i++)
        a[i] = i;
    return a[9] != 9;
}
