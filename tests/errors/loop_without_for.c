// loop is followed by something else than a for loop.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop copyout(a)
    a[0] = 1;
    return a[0] + b[0] + n + s;
}
