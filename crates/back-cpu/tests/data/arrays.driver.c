int main(void)
{
    int hist[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, line[3] = { 1, 5, 2 };
    long most = -1, product = 7;
    launch(accrue_k0_0, accrue_k0_0_finish, (unsigned long long[]){ P(hist), P(&most) }, 5);
    for (int i = 0; i < 6; i++) printf("%d ", hist[i / 3][i % 3]);
    printf("%ld\n", most);
    launch(accrue_k1_0, 0, (unsigned long long[]){ P(line), P(&product) }, 1);
    printf("%d %d %d %ld\n", line[0], line[1], line[2], product);
    float a[100], err = 12;
    for (int i = 0; i < 100; i++) a[i] = (i * 37) % 100;
    launch(accrue_k2_0, accrue_k2_0_finish, (unsigned long long[]){ P(&err), P(a), 10 }, 3);
    printf("%g\n", err);
    err = 200;
    launch(accrue_k2_0, accrue_k2_0_finish, (unsigned long long[]){ P(&err), P(a), 10 }, 12);
    printf("%g\n", err);
    (void)bits;
    return 0;
}
