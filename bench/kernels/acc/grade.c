// Colours of 2^23 pixels of three bytes changed by a table of 33 x 33 x 33 colours (floats): between the four corners of the tetrahedron
// in which a pixel's colour lies.
#include "../kernels.h"

enum { PIXELS = 1 << 23, GRID = 33 };

#if SPELLING == 1
typedef struct { unsigned char r, g, b; } pixel;

static void grade(int n, const float *restrict lut, const pixel *restrict in, pixel *restrict out)
{
#pragma acc parallel loop present(lut[0:GRID * GRID * GRID * 3], in[0:n], out[0:n])
#pragma omp parallel for
    for (int p = 0; p < n; p++) {
        float r = in[p].r * ((GRID - 1) / 255.0f), g = in[p].g * ((GRID - 1) / 255.0f), b = in[p].b * ((GRID - 1) / 255.0f);
        int ir = (int)r < GRID - 2 ? (int)r : GRID - 2, ig = (int)g < GRID - 2 ? (int)g : GRID - 2,
            ib = (int)b < GRID - 2 ? (int)b : GRID - 2;
        r -= ir, g -= ig, b -= ib;
        int at = ((ir * GRID + ig) * GRID + ib) * 3, dr = GRID * GRID * 3, dg = GRID * 3, db = 3, one, two;
        float high, middle, low;
        if (r > g) {
            if (g > b)
                high = r, middle = g, low = b, one = dr, two = dr + dg;
            else if (r > b)
                high = r, middle = b, low = g, one = dr, two = dr + db;
            else
                high = b, middle = r, low = g, one = db, two = dr + db;
        } else {
            if (b > g)
                high = b, middle = g, low = r, one = db, two = dg + db;
            else if (b > r)
                high = g, middle = b, low = r, one = dg, two = dg + db;
            else
                high = g, middle = r, low = b, one = dg, two = dr + dg;
        }
        float c[3];
        for (int k = 0; k < 3; k++)
            c[k] = (1 - high) * lut[at + k] + (high - middle) * lut[at + one + k] + (middle - low) * lut[at + two + k] +
                   low * lut[at + dr + dg + db + k];
        out[p].r = (unsigned char)(c[0] + 0.5f);
        out[p].g = (unsigned char)(c[1] + 0.5f);
        out[p].b = (unsigned char)(c[2] + 0.5f);
    }
}
#else
typedef float colours[GRID][GRID][GRID][3];

static inline int whole(float x) { return x >= GRID - 1 ? GRID - 2 : (int)x; }

static void add(float *sum, float weight, const float *colour)
{
    for (int k = 0; k < 3; ++k)
        sum[k] += weight * colour[k];
}

static void grade(size_t n, colours *table, unsigned char *in, unsigned char *out)
{
#pragma acc parallel loop gang vector present(table[0:1], in[0:3 * n], out[0:3 * n])
#pragma omp parallel for
    for (size_t p = 0; p < n; ++p) {
        float x[3], sum[3] = {0, 0, 0};
        int at[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = in[3 * p + k] / 255.0f * (GRID - 1);
            at[k] = whole(x[k]);
            x[k] -= at[k];
        }
        const int r = at[0], g = at[1], b = at[2];
        int first[3] = {r, g, b}, second[3] = {r + 1, g + 1, b + 1}, most, least;
        // which is not less than the next, in a circle; none is impossible
        switch ((x[0] >= x[1]) | (x[1] >= x[2]) << 1 | (x[2] >= x[0]) << 2) {
        case 1:
            most = 0, least = 1;
            break;
        case 2:
            most = 1, least = 2;
            break;
        case 4:
            most = 2, least = 0;
            break;
        case 5:
            most = 2, least = 1;
            break;
        case 6:
            most = 1, least = 0;
            break;
        default:
            most = 0, least = 2;
        }
        first[most]++;
        second[least]--;
        const float high = x[most], low = x[least], middle = x[3 - most - least];
        add(sum, 1 - high, (*table)[r][g][b]);
        add(sum, high - middle, (*table)[first[0]][first[1]][first[2]]);
        add(sum, middle - low, (*table)[second[0]][second[1]][second[2]]);
        add(sum, low, (*table)[r + 1][g + 1][b + 1]);
        for (int k = 0; k < 3; ++k)
            out[3 * p + k] = (unsigned char)(sum[k] + 0.5f);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PIXELS >> args.shift, entries = GRID * GRID * GRID * 3;
    unsigned char *in = NEW(unsigned char, 3 * n), *out = NEW(unsigned char, 3 * n);
    float *lut = NEW(float, entries);
    double sum = 0;
    // a colour near to the pixel's own
    for (int k = 0; k < entries; k++) {
        int place = k / 3, along[3] = {place / GRID / GRID, place / GRID % GRID, place % GRID};
        lut[k] = along[k % 3] * 7.0f + 30.0f * (float)number(k);
    }
    // a picture whose colours change slowly
    for (int k = 0; k < 3 * n; k++)
        in[k] = (k / 3 / (64 << k % 3) + mix(k) % 24) % 256;
#pragma acc enter data copyin(lut[0:entries], in[0:3 * n]) create(out[0:3 * n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        grade(n, lut, (pixel *)in, (pixel *)out);
#else
        grade(n, (colours *)lut, in, out);
#endif
    }
#pragma acc update self(out[0:3 * n])
    for (int k = 0; k < 3 * n; k++)
        sum += out[k] * (1 + k % 5);
    report("grade", t.best, sum);
    return 0;
}
