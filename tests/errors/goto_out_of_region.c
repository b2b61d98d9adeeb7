// goto out of a region.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel num_gangs(1) copy(a)
    {
        a[0] = 1;
        if (n > 5)
            goto out;
    }
out:
    return a[0] + b[0] + n + s;
}
