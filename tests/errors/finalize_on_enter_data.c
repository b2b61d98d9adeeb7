// finalize belongs to exit data.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc enter data copyin(a) finalize
    return a[0] + b[0] + n + s;
}
