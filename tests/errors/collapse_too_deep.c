// collapse(3) on a nest of two loops.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop collapse(3) copyout(a)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i] = j;
    return a[0] + b[0] + n + s;
}
