// Small firstprivate objects arrive as the values of their members: unnamed structs, arrays in structs and structs in arrays,
// pointers, numbers of 16 bytes; what is too large, a union or a bit-field as bytes.
#include <complex.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
    float x, y, z;
} vec;

struct item {
    size_t weight;
    int value;
    struct {
        short a;
        char b;
    };
    vec corner[2];
    const char *text;
    _Bool yes;
    double complex turn;
};

struct bits {
    unsigned low : 3, high : 5;
};

union either {
    int number;
    float real;
};

#define N 40

static double sum(const vec *v) { return v->x + 10 * v->y + 100 * v->z; }

// Read only, by members, at places known and not known.
static void read_only(struct item it, const int *w)
{
    int few[5] = {w[0], w[1], w[2], w[3], w[4]}, many[20];
    double out[N];
    for (int i = 0; i < 20; i++)
        many[i] = 3 * i;
#pragma acc parallel loop firstprivate(it, few, many) copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = it.weight * i + it.value + it.a * it.b + it.corner[1].y + it.corner[i & 1].z + few[i % 5] + many[i % 20] +
                 (it.text != NULL) + it.yes + creal(it.turn) * cimag(it.turn);
    for (int i = 0; i < N; i++)
        printf("%g ", out[i]);
    puts("");
}

// Each gang changes its copy; its address goes to a function.
static void changed(const struct item *p)
{
    struct item it = *p;
    double out[4] = {0};
#pragma acc parallel num_gangs(4) firstprivate(it) copyout(out)
    {
        it.value++;
        it.corner[0].x *= 2;
        vec here = it.corner[0];
#pragma acc loop gang
        for (int i = 0; i < 4; i++)
            out[i] = it.value + sum(&it.corner[0]) + sum(&it.corner[1]) + here.x;
    }
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
}

// The value at the launch counts.
static void captured(void)
{
    struct {
        int from, step;
    } range = {0, 1};
    int out[3][N];
#pragma acc data copyout(out)
    {
        for (int k = 0; k < 3; k++) {
            range.from = 100 * k;
            range.step++;
#pragma acc parallel loop async firstprivate(range) present(out)
            for (int i = 0; i < N; i++)
                out[k][i] = range.from + i * range.step;
        }
        range.from = -1;
#pragma acc wait
    }
    for (int k = 0; k < 3; k++)
        printf("%d %d ", out[k][0], out[k][N - 1]);
    puts("");
}

static void as_bytes(void)
{
    struct bits bits = {5, 17};
    union either either = {.real = 1.5f};
    float out[N];
#pragma acc parallel loop firstprivate(bits, either) copyout(out)
    for (int i = 0; i < N; i++)
        out[i] = bits.low * i + bits.high + either.real;
    printf("%g %g\n", out[0], out[N - 1]);
}

int main(void)
{
    struct item it = {3, 4, {5, 6}, {{1, 2, 3}, {4, 5, 6}}, "text", 1, 2 + 3 * I};
    int w[5] = {1, 2, 3, 4, 5};
    read_only(it, w);
    changed(&it);
    captured();
    as_bytes();
    return 0;
}
