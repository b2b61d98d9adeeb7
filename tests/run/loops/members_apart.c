// Members of structs in arrays do not meet, whatever their subscripts are; those of unions, bit-fields of one word and whole structs do.
// launches: 6
#include <stdio.h>

enum { N = 400 };

struct body {
    float x, v;
    int seen[3];
    unsigned low : 5, high : 9;
};

union either {
    int whole;
    float part;
    short half[2];
};

static struct body b[N];
static union either u[N];
static int at[N];

int main(void)
{
    for (int i = 0; i < N; i++) {
        at[i] = i * 7 % N;
        b[i] = (struct body){i, 0, {i, 2 * i, 0}, i % 32, 0};
        u[i].whole = i;
    }
#pragma acc data copy(b, u) copyin(at)
    {
#pragma acc kernels
        for (int i = 0; i < N; i++) {
            b[i].v += b[at[i]].x - b[N - 1 - i].x;
            b[i].seen[2] = b[at[i]].seen[0] + (int)b[at[at[i]]].x;
        }
        struct body *p = b;
#pragma acc kernels present(p[0:N])
        for (int i = 1; i < N; ++i) {
            p[i].x = p[i - 1].v;
            p[i].seen[0] = (p + at[i])->seen[0] + 1;
        }
#pragma acc kernels
        for (int i = 1; i < N; i++)
            u[i].half[1] = u[i - 1].whole + (int)u[N - i].part;
#pragma acc kernels
        for (int i = 1; i < N; i++) {
            b[i].high = b[i - 1].low + b[i - 1].high;
            b[N - i].low = i;
        }
#pragma acc kernels
        for (int i = 1; i < N; i++)
            b[i].seen[1] += b[i - 1].seen[1 + i % 2];
#pragma acc kernels
        for (int i = 1; i < N; i++) {
            b[i] = b[at[i]];
            b[i].v += 1;
        }
    }
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum = sum / 2 + b[i].x + b[i].v + b[i].seen[0] + b[i].seen[1] + b[i].seen[2] + b[i].low + b[i].high;
        sum += u[i].half[0] + u[i].half[1];
    }
    printf("%.6f\n", sum);
    return 0;
}
