// Jumps in a region that have no structure: into a block, out of a shared loop, past an array of variable length, to a computed label.
int main(void)
{
    int a[10], n = 10;
    void *where;
#pragma acc parallel num_gangs(1) copy(a)
    {
        int i = 0;
        if (n > 3)
            goto inside;
        for (; i < n; i++) {
        inside:
            a[i] = i;
        }
    }
#pragma acc parallel num_gangs(1) copy(a)
    {
#pragma acc loop
        for (int i = 0; i < 10; i++) {
            if (a[i] == 3)
                goto out;
            a[i] = 0;
        }
    out:;
    }
#pragma acc parallel num_gangs(1) copy(a)
    {
    again:;
        int b[n];
        b[0] = a[0]++;
        if (b[0] < 5)
            goto again;
    }
#pragma acc parallel num_gangs(1) copy(a)
    {
        a[0] = ({
            if (n > 4)
                goto end;
            3;
        });
        a[1] = 4;
    end:;
    }
#pragma acc serial copy(a)
    {
        where = &&there;
        goto *where;
    there:
        a[0] = 1;
    }
    return a[0];
}
