// goto inside a region.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel num_gangs(1) copy(a)
    {
        int i = 0;
    again:
        a[i] = i;
        if (++i < 10)
            goto again;
    }
    return a[0] + b[0] + n + s;
}
