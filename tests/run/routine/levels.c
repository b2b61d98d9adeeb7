// Routines of every level with loops inside, by directive before the definition, before a prototype, and by name.
// launches: 3
#include <stdio.h>

#define N 40

float by_name(const float *row, int n);
#pragma acc routine(by_name) worker

#pragma acc routine vector
float by_prototype(const float *row, int n);

#pragma acc routine seq
static float plain(const float *row, int n)
{
    float sum = 0;
#pragma acc loop seq
    for (int j = 0; j < n; j++)
        sum += row[j];
    return sum;
}

float by_name(const float *row, int n)
{
    float sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
    for (int j = 0; j < n; j++)
        sum += row[j];
    return sum;
}

float by_prototype(const float *row, int n)
{
    float largest = row[0], sum = 0;
#pragma acc loop vector reduction(max : largest) reduction(+ : sum)
    for (int j = 0; j < n; j++) {
        largest = row[j] > largest ? row[j] : largest;
        sum += 1;
    }
    return largest + sum;
}

/* No directive: a routine by being called. */
static void fill(float *row, int n, float value)
{
#pragma acc loop vector
    for (int j = 0; j < n; j++)
        row[j] = value + j;
}

int main(void)
{
    static float a[N][N];
    float sums[N], others[N], largest[N];
#pragma acc parallel loop gang copyout(a)
    for (int i = 0; i < N; i++)
        fill(a[i], N, i * 100);
#pragma acc parallel loop gang copyin(a) copyout(sums, others)
    for (int i = 0; i < N; i++) {
        sums[i] = plain(a[i], N);
        others[i] = by_name(a[i], N);
    }
#pragma acc kernels loop independent copyin(a) copyout(largest)
    for (int i = 0; i < N; i++)
        largest[i] = by_prototype(a[i], N);
    float total = 0;
    for (int i = 0; i < N; i++)
        total += sums[i] - others[i] + largest[i];
    printf("%g %g %g %g\n", total, sums[3], others[7], largest[39]);
    return 0;
}
