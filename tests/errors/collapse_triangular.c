// collapse(2) with an inner bound that depends on the outer variable.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop collapse(2) copyout(a)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i] = j;
    return a[0] + b[0] + n + s;
}
