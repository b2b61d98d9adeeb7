// exit data takes no copyin.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc exit data copyin(a)
    return a[0] + b[0] + n + s;
}
