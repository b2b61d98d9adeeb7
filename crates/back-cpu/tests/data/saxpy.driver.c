int main(void)
{
    double x[10], y[10];
    for (int i = 0; i < 10; i++) { x[i] = i; y[i] = 100; }
    launch(accrue_k0_0, 0, (unsigned long long[]){ P(y), P(x), bits(2.5), 10 }, 3);
    for (int i = 0; i < 10; i++) printf("%g\n", y[i]);
    (void)bits;
    return 0;
}
