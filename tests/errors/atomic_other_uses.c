// Nothing else in an atomic statement may use its object, or what the value is captured in.
void f(int n, int *restrict x, int *restrict out)
{
#pragma acc parallel loop copy(x[0:1]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        int v;
#pragma acc atomic capture
        {
            v = x[0];
            x[0] = v + 1;
        }
#pragma acc atomic update
        x[0] += x[0] * i;
#pragma acc atomic update
        x[0] = x[0] + i * x[0];
#pragma acc atomic write
        x[0] = x[0] + 1;
#pragma acc atomic capture
        v = x[0] += v;
        out[i] = v;
    }
}
