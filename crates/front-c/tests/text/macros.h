/* Directives in headers and macros. */
#define N 10
#define COPY(x, n) copy(x[0:n])
#define FILL(x) _Pragma("acc parallel loop copy(x0[0:N])") for (i = 0; i < N; i++) x[i] = i
#define SQUARE(x) ((x) * (x))

static void from_header(float *x0)
{
    int i;
    FILL(x0);
#pragma acc parallel loop COPY(x0, SQUARE(N / 5))
    for (i = 0; i < N; i++)
        x0[i] += 1;
}
