// update inside a compute region.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel copy(a)
    {
        a[0] = 1;
#pragma acc update self(a)
    }
    return a[0] + b[0] + n + s;
}
