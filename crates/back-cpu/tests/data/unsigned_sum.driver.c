int main(void)
{
    int a[6] = { 1000000, 0, -7, -3, 0, 4 }, r[2];
    launch(accrue_k0_0, 0, (unsigned long long[]){ P(a), P(r), 2 }, 1);
    printf("%d %d\n", r[0], r[1]);
    launch(accrue_k0_0, 0, (unsigned long long[]){ P(a), P(r), 6 }, 1);
    printf("%d %d\n", r[0], r[1]);
    (void)bits;
    return 0;
}
