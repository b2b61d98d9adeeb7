// Sums over what all lanes read, kept in memory while they are added up: the results are not behind the elements if there are several
// iterations, and may be if there is one. Three spellings, and short loops inside that read several elements.
#include <stddef.h>
#include <stdio.h>

enum { MOST = 700, TERMS = 300 };

static float position[MOST], wave[TERMS * 4], re[MOST], im[MOST];
static int nearest[MOST];

static void in_memory(int n, int terms, float *x, float *w, float *r, float *i)
{
#pragma acc parallel loop copyin(x[0:n]) copy(w[0:4 * terms], r[0:n], i[0:n])
    for (int k = 0; k < n; k++) {
        r[k] = i[k] = 0;
        for (int t = 0; t < terms; t++) {
            r[k] += w[4 * t] * x[k];
            i[k] += w[4 * t + 1] - x[k];
        }
    }
}

static void moved(size_t n, size_t terms, float *x, float *w, float *r, float *i)
{
#pragma acc parallel loop gang vector vector_length(64) copyin(x[0:n]) copy(w[0:4 * terms], r[0:n], i[0:n])
    for (size_t k = 0; k < n; ++k) {
        float *sum = r + k, here = x[k];
        const float *p = w;
        *sum = 0;
        i[k] = 0;
        for (size_t t = 0; t < terms; t++, p += 4) {
            *sum += *p * here;
            i[k] = i[k] + (p[1] - here);
        }
    }
}

static void members(unsigned n, unsigned terms, float *x, float *pw, float *r, float *i)
{
    struct four {
        float a, b, c, d;
    } *w = (struct four *)pw;
#pragma acc kernels loop independent copyin(x[0:n]) copy(w[0:terms], r[0:n], i[0:n])
    for (unsigned k = 0; k < n; k++) {
        r[k] = 0;
        i[k] = 0;
        for (unsigned t = 0; t < terms; t++) {
            struct four f = w[t];
            r[k] += f.a * x[k];
            i[k] += f.b - x[k];
        }
    }
}

#pragma acc routine seq
static float distance(const float *a, const float *b, unsigned dims)
{
    float s = 0;
    for (unsigned d = 0; d < dims; d++) {
        float difference = *a++ - *b++;
        s += difference * difference;
    }
    return s;
}

static void assign(size_t n, int terms, float *x, float *w, int *to)
{
#pragma acc parallel loop copyin(x[0:n], w[0:4 * terms]) copy(to[0:n])
    for (size_t k = 0; k < n / 4; k++) {
        int which = 0;
        float best = 1e30f;
        for (int t = 0; t < terms; t++) {
            float s = distance(x + 4 * k, &w[t * 4], 4);
            which = s < best ? t : which;
            best = s < best ? s : best;
        }
        to[k] = which;
    }
}

static void start(void)
{
    for (int k = 0; k < MOST; k++)
        position[k] = (float)(k % 13) / 8, re[k] = im[k] = -1, nearest[k] = -1;
    for (int t = 0; t < TERMS * 4; t++)
        wave[t] = (float)(t * 5 % 17) / 4;
}

static void show(const char *name)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (int k = 0; k < MOST; k++)
        a += re[k] * (k % 7), b += im[k] * (k % 5), d += nearest[k] * (k % 3);
    for (int t = 0; t < TERMS * 4; t++)
        c += wave[t] * (t % 3);
    printf("%s %g %g %g %g\n", name, a, b, c, d);
}

int main(void)
{
    const int numbers[] = {MOST, 129, 2, 1, 0};
    for (int v = 0; v < 5; v++) {
        int n = numbers[v];
        start();
        in_memory(n, TERMS, position, wave, re, im);
        show("in memory");
        start();
        moved(n, TERMS, position, wave, re, im);
        show("moved");
        start();
        members(n, TERMS, position, wave, re, im);
        show("members");
        start();
        assign(n, TERMS, position, wave, nearest);
        show("nearest");
    }
    // One iteration, which adds up where it reads.
    start();
#pragma acc data copy(wave, position)
    {
        in_memory(1, TERMS, position, wave, wave + 40, wave + 81);
        moved(1, TERMS, position, wave, wave + 44, wave + 85);
    }
    show("one");
    return 0;
}
