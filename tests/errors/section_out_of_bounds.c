// A constant section that ends behind the array.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop copyout(a[5:10])
    for (int i = 5; i < 10; i++)
        a[i] = i;
    return a[0] + b[0] + n + s;
}
