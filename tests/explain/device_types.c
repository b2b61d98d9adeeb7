// Clauses for some devices only: CPU cores and GPUs get different levels and sizes. (The simulator is no
// GPU of NVIDIA's to these clauses.)
// launches: 0
int main(void)
{
    static float a[100];
#pragma acc parallel copyout(a) vector_length(32) device_type(nvidia) vector_length(128)
    {
#pragma acc loop gang device_type(nvidia) vector
        for (int i = 0; i < 100; i++)
            a[i] = i;
    }
    return a[9] != 9;
}
