// The function NAME: loops with LEVELS in a CONSTRUCT, and code behind each that reads what it has reduced.
static void NAME(const int *a, double *b, int one)
{
    int s = 5, most = -1, h[4] = {1, 2, 3, 4};
    long q[6] = {0, 10, 20, 30, 40, 50}, *p = q;
    both v = {0.5, 3};
#pragma acc CONSTRUCT DATA
    {
#pragma acc loop LEVELS reduction(+ : s) reduction(max : most)
        for (int i = 0; i < N; i++) {
            s += a[i];
            most = a[i] > most ? a[i] : most;
        }
#pragma acc loop LEVELS
        for (int i = 0; i < N; i++)
            b[i] = (double)a[i] / s + most;
        s = 2;
#pragma acc loop LEVELS reduction(* : s)
        for (int i = 0; i < N; i++)
            if (i % 100 == 0)
                s *= 3;
#pragma acc loop LEVELS reduction(+ : h)
        for (int i = 0; i < N; i++)
            h[i % 4] += s;
#pragma acc loop LEVELS reduction(+ : p[1 : 3])
        for (int i = 0; i < N; i++)
            p[1 + i % 3] += h[i % 4];
#pragma acc loop LEVELS reduction(+ : v)
        for (int i = 0; i < N; i++) {
            v.sum += p[3] % 7 + i;
            v.most += 1;
        }
        b[0] += v.sum + v.most;
        p[0] = p[1] + p[4];
        s += v.most;
    }
    printf(TEXT(NAME) " %d %d %g %g | %d %d %d %d | %ld %ld %ld %ld %ld | %g %d\n", s, most, b[0], b[N - 1], h[0],
           h[1], h[2], h[3], q[0], q[1], q[2], q[3], q[4], v.sum, v.most);
}
