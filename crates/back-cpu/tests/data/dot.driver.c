int main(void)
{
    double x[1000], y[1000];
    for (int i = 0; i < 1000; i++) { x[i] = i; y[i] = 2; }
    for (int gangs = 1; gangs <= 7; gangs += 3) {
        double sum = 0.5;
        launch(accrue_k0_0, accrue_k0_0_finish, (unsigned long long[]){ P(&sum), P(x), P(y), 1000 }, gangs);
        printf("%d gangs: %g\n", gangs, sum);
    }
    double sum = 3;
    launch(accrue_k0_0, accrue_k0_0_finish, (unsigned long long[]){ P(&sum), P(x), P(y), 0 }, 4);
    printf("no iterations: %g\n", sum);
    (void)bits;
    return 0;
}
