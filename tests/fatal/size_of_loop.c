// A number in `gang` of a loop in kernels that is not positive when the construct is launched.
int main(void)
{
    int a[10], n = -3;
#pragma acc kernels copy(a)
    {
#pragma acc loop gang(n) independent
        for (int i = 0; i < 10; i++)
            a[i] = 0;
    }
    return a[0];
}
