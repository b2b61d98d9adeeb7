// return inside a data region.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc data copy(a)
    {
        if (n > 5)
            return 3;
    }
    return a[0] + b[0] + n + s;
}
