int main(void)
{
    int i[2] = { 5, 100 };
    double f[2] = { 2.5, 0 };
    double _Complex c = 1;
    long out[10];
    launch(accrue_k0_0, 0, (unsigned long long[]){ P(i), P(f), P(&c), P(out), 3 }, 10);
    printf("%d %d %g %g %g\n", i[0], i[1], f[0], f[1], __real__ c);
    for (int g = 0; g < 10; g++) printf("%ld\n", out[g]);
    (void)bits;
    return 0;
}
