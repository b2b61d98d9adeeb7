// A standalone directive as the body of if.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc enter data copyin(a)
    if (n)
#pragma acc update self(a)
    s = 1;
    return a[0] + b[0] + n + s;
}
