// private does not belong on data.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc data copy(a) private(s)
    {
        s = 1;
    }
    return a[0] + b[0] + n + s;
}
