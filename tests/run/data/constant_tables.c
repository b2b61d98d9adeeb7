// Tables that the program says are constant: elements at known places are constants in kernels, wherever the table is declared.
// with: constant_tables.part.c
#include <stdio.h>
#include <string.h>

enum { N = 300 };
static const int order[8] = {3, 1, 4, 0, 7, 5, 2, 6};
const double weights[2][4] = {{1, 0.5, -0.25}, {3e0f, (float)0.1, .1, -(2)}};
static const float rates[5] = {0.1, 1 / 3.0, 2, [4] = 7};
static const unsigned char few[] = {250, 'a', sizeof(int) * 3, (unsigned char)-1};
static const _Bool bits[3] = {1, 0, 9};
static const long long wide[2] = {0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1};
enum direction { LEFT = -1, RIGHT = 2 };
static const enum direction ways[2] = {RIGHT, LEFT};
static const double scale = 1.5;
static volatile const int watched[2] = {5, 6};
static int changed[2] = {1, 2};
extern const short elsewhere[2];
const short elsewhere[2] = {-7, 9};

// Another file defines it.
__attribute__((weak)) const int replaced[3] = {1, 2, 3};

// The same by number of steps.
static double helper(int k)
{
    static const double steps[3] = {0.5, 0.25, 0.125};
    return steps[k % 3] + weights[1][k % 4] + few[k % 4];
}

static void mixed(const double *x, double *y, int declared)
{
    static const int inside[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    static int calls;
    const int local[3] = {declared, 2, 3};
    calls++;
#pragma acc parallel loop copyin(x[0:N], inside, order) copyout(y[0:N]) if(declared)
    for (int i = 0; i < N; i++) {
        double s[8], t = 0;
        for (int k = 0; k < 8; k++) s[k] = x[(i + k) % N];
        // Elements go round as the tables say.
        double last = s[0];
        for (int k = 0; k < 8; k++) {
            double next = s[order[k]];
            s[order[k]] = last + inside[k];
            last = next;
        }
        for (int k = 0; k < 8; k++) t += s[k] * weights[k / 4][k % 4];
        for (int k = 0; k < 5; k++) t += rates[k] * k + bits[k % 3] + few[k % 4];
        for (int k = 0; k < 2; k++) t += wide[k] % 1000 + ways[k] + watched[k] + changed[k] + elsewhere[k];
        for (int k = 0; k < 3; k++) t += helper(k + i % 2) + local[k] + replaced[k];
        y[i] = (t + calls) * scale;
    }
}

int main(void)
{
    static double x[N], y[N], wanted[N];
    for (int i = 0; i < N; i++) x[i] = (i * 13) % 32;
    changed[1] = 40;
    mixed(x, y, 1);
    changed[1] = 41;
    // By the host, which has one call more, a zero among its local numbers, and another changed one.
    mixed(x, wanted, 0);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double less = wanted[i] / 1.5 - 1, got = y[i] / 1.5, difference = less - got;
        wrong += difference > 1e-9 || difference < -1e-9;
    }
    printf("%d wrong, %g\n", wrong, y[7]);
    return 0;
}
