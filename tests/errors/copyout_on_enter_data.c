// enter data takes no copyout.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc enter data copyout(a)
    return a[0] + b[0] + n + s;
}
