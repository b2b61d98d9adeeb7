// Loops in order of kernels constructs around loops that run in parallel: the launch repeats their kernels.
// launches: 130
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200, M = 37 };
static int failed;

static void check(const char *what, double got, double wanted)
{
    if (got != wanted) printf("%s: %.17g, not %.17g\n", what, got, wanted), failed = 1;
}

static void start(double a[N])
{
    for (int i = 0; i < N; i++) a[i] = (i * 29 + 3) % 71;
}

static double sum(const double a[N])
{
    double s = 0;
    for (int i = 0; i < N; i++) s += a[i] * (1 + i % 5);
    return s;
}

// Two loops in each round; the counter rises, with `<` and `<=`, by more than one.
#define STEPS(name, head, counter)                                                       \
    static double name(double *a, double *b, int n, int steps, int on_device)            \
    {                                                                                    \
        start(a);                                                                        \
        _Pragma("acc kernels copy(a[0:N]) create(b[0:N]) if(on_device)")                 \
        for (head) {                                                                     \
            for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + 2 * a[i + 1] + (counter);  \
            for (int i = 1; i < n - 1; i++) a[i] = b[i] - 512 * (int)(b[i] / 512);       \
        }                                                                                \
        return sum(a);                                                                   \
    }
STEPS(rising, int t = 0; t < steps; t++, t)
STEPS(to_the_last, int t = 3; t <= steps; t += 4, t)
STEPS(falling, int t = steps; t > 2; t--, t % 3)
STEPS(falling_far, long t = 7L * steps; t >= -5; t -= 9, (int)(t & 7))
STEPS(without_sign, unsigned t = 2; t < (unsigned)steps + 2u; ++t, (int)t)
STEPS(large, size_t t = 0; t != (size_t)steps; t++, (int)t)
STEPS(narrow, short t = -3; t < steps - 3; t++, t)
STEPS(never, int t = steps; t < 0; t++, 1000)
STEPS(constant, int t = 0; t < 5; t++, 2 * t)

// Elimination: the bounds of the loops inside follow the counter, and one number is computed in front of them.
static double eliminate(double a[M][M], int on_device)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) a[i][j] = (i * 5 + j * 3) % 16 + (i == j ? 256 : 0);
#pragma acc kernels copy(a[0:M]) if(on_device)
    for (int k = 0; k < M; k++) {
        double pivot = a[k][k] > 0 ? 0.5 : 0.25, shift[2] = {pivot, -pivot};
#pragma acc loop independent
        for (int i = k + 1; i < M; i++) a[i][k] = (int)(a[i][k] * pivot) + shift[i % 2];
#pragma acc loop independent
        for (int i = k + 1; i < M; i++)
#pragma acc loop independent
            for (int j = k + 1; j < M; j++) a[i][j] = (double)(((long)(a[i][j] - a[i][k] * a[k][j])) % 1024);
    }
    double s = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) s += a[i][j] * (1 + (i + j) % 3);
    return s;
}

// What is read in front of the loop stays, whatever the rounds write; what rounds add up in a variable of the construct goes on.
static double kept(double *a, int on_device)
{
    double result = 0;
    start(a);
#pragma acc kernels copy(a[0:N], result) if(on_device)
    {
        double first = a[0], all = 0, last;
        int rounds = 0;
        for (int t = 0; t < 6; t++) {
            for (int i = 0; i < N; i++) a[i] = a[i] + first;
            all += a[t];
            last = a[N - 1];
            rounds++;
            for (int i = 0; i < N; i++) a[i] = a[i] > 300 ? a[i] - 300 : a[i] + all;
        }
        result = first + all + last + rounds;
    }
    return result + sum(a);
}

// Reductions in rounds; their results are used in the same round and the next one.
static double reduced(double *a, int steps, int on_device)
{
    double most = 0, total = 0;
    start(a);
#pragma acc kernels copy(a[0:N]) if(on_device)
    for (int t = 0; t < steps; t++) {
        double s = 0;
        for (int i = 0; i < N; i++) s += a[i];
        for (int i = 0; i < N; i++) most = a[i] > most ? a[i] : most;
        total += s;
        for (int i = 0; i < N; i++) a[i] = (double)((long)(a[i] * 3 + s + most) % 97);
    }
    return most + total + sum(a);
}

// Two loops in order, with work of one gang before, between and behind; one iteration may be left early inside, and a loop in order is in
// another.
static double several(double *a, double *b, int n, int on_device)
{
    start(a), start(b);
#pragma acc kernels copy(a[0:N], b[0:N]) if(on_device)
    {
        a[0] = 5;
        for (int t = 0; t < 4; t++)
            for (int i = 0; i < n; i++) {
                if (a[i] == t) continue;
                a[i] += b[i] + t;
            }
        b[1] = a[2];
#pragma acc loop seq
        for (int t = n / 40; t > 0; t--) {
            for (int u = 0; u < 3; u++) b[0] += a[u];
            for (int i = 1; i < n; i++) {
                b[i] = b[i] + a[i] * t;
                for (int u = 0; u < 8; u++)
                    if (b[i] > 700) b[i] -= 700;
                    else break;
            }
        }
        a[1] = b[0];
    }
    return sum(a) + sum(b);
}

// What is computed in front of the rounds from memory that they write, and what they leave in variables of the construct.
static double crossed(double *a, int n, int on_device)
{
    start(a);
#pragma acc kernels copy(a[0:N]) if(on_device)
    {
        double first = a[0], pair[2], *place = &pair[1];
        _Bool is_odd = a[1] > 2;
        int last = n - 1;
        pair[1] = a[3];
        for (int t = 0; t < 6; t++) {
            for (int i = 0; i < n; i++) a[i] += first + pair[1] + is_odd;
            a[0] = 100 + t;
            a[1] = 0;
            pair[0] = a[last];
            for (int i = 0; i < n; i++) a[last - i] -= pair[0] - *place;
            *place += 1;
        }
        a[2] = first + pair[0] + pair[1] + is_odd;
    }
    return sum(a);
}

// The loop in order itself reduces, which is found or said.
static double added(double *a, int steps, int on_device)
{
    double all = 0, most = 0;
    start(a);
#pragma acc kernels copy(a[0:N]) copy(all, most) if(on_device)
    {
#pragma acc loop seq reduction(+ : all)
        for (int t = 0; t < steps; t++) {
            double s = 0;
            for (int i = 0; i < N; i++) s += a[i];
            all += s;
            most = s > most ? s : most;
            for (int i = 0; i < N; i++) a[i] = (double)((long)(a[i] * 3 + s) % 97);
        }
    }
    return all + most + sum(a);
}

// An array of variable length that several rounds share: one gang runs all of it.
static double with_array(double *a, int n, int on_device)
{
    start(a);
#pragma acc kernels copy(a[0:N]) if(on_device)
    {
        double last[n / 8], most = 0;
        for (int i = 0; i < n / 8; i++) last[i] = i;
        for (int t = 0; t < 5; t++) {
            for (int i = 0; i < n / 8; i++) last[i] = a[8 * i] + last[i];
            for (int i = 0; i < n / 8; i++) a[8 * i] = (int)(last[i] * 3) % 64 + t;
        }
        for (int i = 0; i < n / 8; i++) most = last[i] > most ? last[i] : most;
        a[1] = most;
    }
    return sum(a);
}

// In a queue; counted from a variable of the file.
static int from = 2;

static double queued(double *a, int steps, int on_device)
{
    start(a);
#pragma acc enter data copyin(a[0:N]) async(3)
#pragma acc kernels present(a[0:N]) async(3) if(on_device)
    for (int t = from; t < steps + from; t++)
#pragma acc loop independent
        for (int i = 0; i < N; i++) a[i] = a[i] + t;
    if (!on_device)
        for (int t = from; t < steps + from; t++)
            for (int i = 0; i < 0; i++) a[i] += t;
#pragma acc exit data copyout(a[0:N]) async(3)
#pragma acc wait(3)
    return sum(a);
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), (*matrix)[M] = malloc(M * sizeof *matrix);
#define COMPARE(name) check(#name, name(a, b, N, 6, 1), name(a, b, N, 6, 0))
    COMPARE(rising);
    COMPARE(to_the_last);
    COMPARE(falling);
    COMPARE(falling_far);
    COMPARE(without_sign);
    COMPARE(large);
    COMPARE(narrow);
    COMPARE(never);
    COMPARE(constant);
    check("none", rising(a, b, N, 0, 1), rising(a, b, N, 0, 0));
    check("eliminate", eliminate(matrix, 1), eliminate(matrix, 0));
    check("kept", kept(a, 1), kept(a, 0));
    check("reduced", reduced(a, 5, 1), reduced(a, 5, 0));
    check("crossed", crossed(a, N, 1), crossed(a, N, 0));
    check("added", added(a, 5, 1), added(a, 5, 0));
    check("with_array", with_array(a, N, 1), with_array(a, N, 0));
    check("several", several(a, b, N, 1), several(a, b, N, 0));
    start(a);
    double wanted = sum(a);
    for (int i = 0; i < N; i++) wanted += (1 + i % 5) * (2 + 3 + 4);
    check("queued", queued(a, 3, 1), wanted);
    if (!failed) printf("all right\n");
    return failed;
}
