// The statement of an atomic construct has one of the forms, also outside of compute constructs.
static int twice(int *p)
{
    int v;
#pragma acc atomic capture
    {
        v = *p;
        *p = *p + v;
    }
    return v;
}

int main(void)
{
    int x = 1, v = 0, a[10];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = i;
#pragma acc atomic
    x %= 3;
#pragma acc atomic read
    v = x + 1;
#pragma acc atomic write
    {
        x = 1;
        v = 2;
    }
#pragma acc atomic update
    x++;
    return x + v + a[0] + twice(&x);
}
