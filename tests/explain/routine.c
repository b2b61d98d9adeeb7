// Functions that regions call: inlined, called, with loops of their own.
// launches: 2
#pragma acc routine seq
static double square(double x)
{
    return x * x;
}

#pragma acc routine seq
static int collatz(int n)
{
    for (int steps = 0;; steps++) {
        if (n == 1)
            return steps;
        n = n % 2 ? 3 * n + 1 : n / 2;
    }
}

#pragma acc routine vector
static void fill(int n, double *row)
{
#pragma acc loop vector
    for (int j = 0; j < n; j++)
        row[j] = square(j);
}

int main(void)
{
    static double a[20][50];
    static int steps[100];
#pragma acc parallel loop gang copyout(a)
    for (int i = 0; i < 20; i++)
        fill(50, a[i]);
#pragma acc parallel loop copyout(steps)
    for (int i = 0; i < 100; i++)
        steps[i] = collatz(i + 1);
    return a[3][7] != 49 || steps[26] != 111;
}
