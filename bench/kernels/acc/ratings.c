// Half a step of alternating least squares for recommendations, double: each of 2^15 users has 8 to 135 ratings of 2^14 films with 16 factors
// each; the normal equations of a user's factors, Cholesky's method, and the squared error of all ratings.
#include "../kernels.h"

enum { USERS = 1 << 15, FILMS = 1 << 14, K = 16 };

#define DAMPING 0.08

#if SPELLING == 1
static double factors(int n, const int *restrict first, const int *restrict film, const float *restrict rating,
                      const double *restrict films, double *restrict users)
{
    double error = 0;
#pragma acc data present(first[0:n + 1], film[0:first[n]], rating[0:first[n]], films[0:FILMS * K], users[0:n * K])
    {
#pragma acc parallel loop gang vector_length(128)
#pragma omp parallel for
        for (int u = 0; u < n; u++) {
            double a[K][K], b[K];
            int from = first[u], to = first[u + 1];
#pragma acc loop vector collapse(2)
            for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++) {
                    double sum = i == j ? DAMPING * (to - from) : 0;
                    for (int r = from; r < to; r++)
                        sum += films[film[r] * K + i] * films[film[r] * K + j];
                    a[i][j] = sum;
                }
#pragma acc loop vector
            for (int i = 0; i < K; i++) {
                double sum = 0;
                for (int r = from; r < to; r++)
                    sum += rating[r] * films[film[r] * K + i];
                b[i] = sum;
            }
#pragma acc loop seq
            for (int k = 0; k < K; k++) {
                double pivot = sqrt(a[k][k]);
#pragma acc loop vector
                for (int i = k; i < K; i++)
                    a[i][k] /= pivot;
#pragma acc loop vector
                for (int i = k + 1; i < K; i++)
                    for (int j = k + 1; j <= i; j++)
                        a[i][j] -= a[i][k] * a[j][k];
            }
#pragma acc loop seq
            for (int k = 0; k < K; k++) {
                b[k] /= a[k][k];
#pragma acc loop vector
                for (int i = k + 1; i < K; i++)
                    b[i] -= a[i][k] * b[k];
            }
#pragma acc loop seq
            for (int k = K - 1; k >= 0; k--) {
                b[k] /= a[k][k];
#pragma acc loop vector
                for (int i = 0; i < k; i++)
                    b[i] -= a[k][i] * b[k];
            }
#pragma acc loop vector
            for (int i = 0; i < K; i++)
                users[u * K + i] = b[i];
        }
#pragma acc parallel loop gang vector_length(32) reduction(+ : error)
#pragma omp parallel for reduction(+ : error)
        for (int u = 0; u < n; u++) {
#pragma acc loop vector reduction(+ : error)
            for (int r = first[u]; r < first[u + 1]; r++) {
                double e = rating[r];
                for (int i = 0; i < K; i++)
                    e -= users[u * K + i] * films[film[r] * K + i];
                error += e * e;
            }
        }
    }
    return error;
}
#else
typedef struct { unsigned film; float stars; } rated;
typedef double vector[K];

// The lower triangle by rows.
#define A(i, j) a[(i) * ((i) + 1) / 2 + (j)]

#pragma acc routine seq
static void solve(double *a, double *b)
{
    for (unsigned i = 0; i < K; ++i) {
        for (unsigned j = 0; j <= i; ++j) {
            double sum = A(i, j);
            for (unsigned k = 0; k < j; ++k)
                sum -= A(i, k) * A(j, k);
            A(i, j) = i == j ? sqrt(sum) : sum / A(j, j);
        }
        for (unsigned k = 0; k < i; ++k)
            b[i] -= A(i, k) * b[k];
        b[i] /= A(i, i);
    }
    for (unsigned i = K; i-- > 0;) {
        for (unsigned k = i + 1; k < K; ++k)
            b[i] -= A(k, i) * b[k];
        b[i] /= A(i, i);
    }
}

static double factors(size_t n, size_t total, const unsigned *first, const rated *list, const vector *films, vector *users)
{
    double error = 0;
#pragma acc parallel loop vector_length(64) reduction(+ : error) present(first[0:n + 1], list[0:total], films[0:FILMS], users[0:n])
#pragma omp parallel for reduction(+ : error)
    for (size_t u = 0; u < n; ++u) {
        double a[K * (K + 1) / 2], b[K], mine = 0;
        for (unsigned i = 0; i < K; ++i) {
            for (unsigned j = 0; j <= i; ++j)
                A(i, j) = 0;
            A(i, i) = DAMPING * (first[u + 1] - first[u]);
            b[i] = 0;
        }
        for (unsigned r = first[u]; r < first[u + 1]; ++r) {
            const double *f = films[list[r].film];
            for (unsigned i = 0; i < K; ++i) {
                b[i] += list[r].stars * f[i];
                for (unsigned j = 0; j <= i; ++j)
                    A(i, j) += f[i] * f[j];
            }
        }
        solve(a, b);
        for (unsigned r = first[u]; r < first[u + 1]; ++r) {
            double guess = 0;
            for (unsigned i = 0; i < K; ++i)
                guess += b[i] * films[list[r].film][i];
            mine += (list[r].stars - guess) * (list[r].stars - guess);
        }
        for (unsigned i = 0; i < K; ++i)
            users[u][i] = b[i];
        error += mine;
    }
    return error;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = USERS >> args.shift, *first = NEW(int, n + 1);
    double *films = NEW(double, FILMS * K), *users = NEW(double, n * K), error = 0, sum = 0;
    first[0] = 0;
    for (int u = 0; u < n; u++)
        first[u + 1] = first[u] + 8 + mix(u) % 128;
    int total = first[n], *film = NEW(int, total);
    float *rating = NEW(float, total);
    for (int r = 0; r < total; r++) {
        unsigned any = mix(r + 17) % FILMS;
        film[r] = (int)((unsigned long)any * any / FILMS);
        rating[r] = 1 + 0.5f * (mix(r) % 9);
    }
    FILL(films, FILMS * K, 1);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(first[0:n + 1], film[0:total], rating[0:total], films[0:FILMS * K]) create(users[0:n * K])
    while (lap(&t))
        error = factors(n, first, film, rating, films, users);
#else
    rated *list = NEW(rated, total);
    for (int r = 0; r < total; r++)
        list[r] = (rated){film[r], rating[r]};
#pragma acc enter data copyin(first[0:n + 1], list[0:total], films[0:FILMS * K]) create(users[0:n * K])
    while (lap(&t))
        error = factors(n, total, (unsigned *)first, list, (const vector *)films, (vector *)users);
#endif
#pragma acc update self(users[0:n * K])
    for (int k = 0; k < n * K; k++)
        sum += users[k] * (1 + k % K);
    report("ratings", t.best, sum + error);
    return 0;
}
