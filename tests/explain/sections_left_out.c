// Pointers without data clauses: what is mapped of what they lead to, and which access keeps others from being mapped.
void sections(int n, const double *a, const double *b, const int *at, const int *ok, double *sum, double *c) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        double s = i > 0 ? a[i - 1] : 0;
        for (int j = i; j < n; j += 2)
            s += a[j];
        if (ok[i])
            s += b[i];
        sum[at[i]] = s;
    }
#pragma acc kernels loop independent copyout(c)
    for (int i = n - 1; i >= 0; i--)
        c[2 * i] = i;
}
int main(void) {
    double a[4] = {0}, b[4] = {0}, sum[4] = {0}, c[8];
    int at[4] = {0, 1, 2, 3}, ok[4] = {0};
   #pragma acc enter data copyin(a, b, sum, at, ok, c)
    sections(4, a, b, at, ok, sum, c);
    return 0;
}
