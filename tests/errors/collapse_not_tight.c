// collapse(2) with a statement between the loops.
int main(void)
{
    int a[10], b[10], n = 10, s = 0;
#pragma acc parallel loop collapse(2) copyout(a)
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        for (int j = 0; j < n; j++)
            a[i] = j;
    }
    return a[0] + b[0] + n + s;
}
