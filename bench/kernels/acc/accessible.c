// The surface of a protein that water can reach (Shrake and Rupley), float: 128 points on a sphere around each of
// 157000 atoms, of which those inside the sphere of a neighbour do not count; lists of neighbours as compressed
// rows.
#include "../kernels.h"

enum { SIDE = 64, DEPTH = 64, POINTS = 128, KINDS = 4, MOST = 124 };

static const float radius[KINDS] = {2.75f, 2.9375f, 3.0625f, 3.25f};

#if SPELLING == 1
static double reach(int n, const float *restrict x, const float *restrict y, const float *restrict z,
                    const unsigned char *restrict kind, const int *restrict start, const int *restrict list,
                    const float *restrict ball, const float *restrict reach2, int *restrict free)
{
    double area = 0;
#pragma acc parallel loop gang reduction(+ : area) present(x[0:n], y[0:n], z[0:n], kind[0:n], start[0:n + 1]) \
    present(list[0:start[n]], ball[0:3 * KINDS * POINTS], reach2[0:KINDS], free[0:n])
#pragma omp parallel for reduction(+ : area)
    for (int i = 0; i < n; i++) {
        int count = 0;
#pragma acc loop vector reduction(+ : count)
        for (int p = 0; p < POINTS; p++) {
            int at = (kind[i] * POINTS + p) * 3, open = 1;
            float px = x[i] + ball[at], py = y[i] + ball[at + 1], pz = z[i] + ball[at + 2];
            for (int k = start[i]; k < start[i + 1]; k++) {
                int j = list[k];
                float dx = px - x[j], dy = py - y[j], dz = pz - z[j];
                if (dx * dx + dy * dy + dz * dz < reach2[kind[j]]) {
                    open = 0;
                    break;
                }
            }
            count += open;
        }
        free[i] = count;
        area += count * reach2[kind[i]];
    }
    return area;
}
#else
struct vector { float x, y, z; };

struct atom { struct vector at; unsigned kind; };

#define SQUARE(a) ((a) * (a))

static inline int inside(const struct vector *p, const struct atom *by, const float *reach2)
{
    return SQUARE(p->x - by->at.x) + SQUARE(p->y - by->at.y) + SQUARE(p->z - by->at.z) < reach2[by->kind];
}

static double reach(size_t n, struct atom *atoms, int *start, int *list, struct vector (*ball)[POINTS],
                    float *reach2, int *free)
{
    double area = 0;
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) reduction(+ : area) present(atoms[0:n]) \
    present(start[0:n + 1], list[0:start[n]], ball[0:KINDS], reach2[0:KINDS], free[0:n])
#pragma omp parallel for reduction(+ : area)
    for (size_t i = 0; i < n; ++i) {
        const struct atom me = atoms[i];
        const struct vector *sphere = ball[me.kind];
        unsigned count = POINTS;
#pragma acc loop vector reduction(+ : count)
        for (unsigned char p = 0; p < POINTS; ++p) {
            struct vector at = {me.at.x + sphere[p].x, me.at.y + sphere[p].y, me.at.z + sphere[p].z};
            const int *j = list + start[i], *end = list + start[i + 1];
            while (j < end && !inside(&at, atoms + *j, reach2))
                ++j;
            if (j != end)
                count -= 1;
        }
        free[i] = count;
        area += count * reach2[me.kind];
    }
    return area;
}
#endif

// All lengths are multiples of 1/64, so that no square of a distance is rounded.
static float rounded(double a) { return (float)(floor(a * 64 + 0.5) / 64); }

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = DEPTH >> args.shift < 2 ? 2 : DEPTH >> args.shift, cells = depth * SIDE * SIDE, n = 0, pairs = 0;
    int *of = NEW(int, cells), *start = NEW(int, cells + 1), *free = NEW(int, cells), *list;
    float *x = NEW(float, cells), *y = NEW(float, cells), *z = NEW(float, cells), ball[3 * KINDS * POINTS];
    float reach2[KINDS];
    unsigned char *kind = NEW(unsigned char, cells);
    double sum = 0, area = 0;
    for (int c = 0; c < cells; c++) {
        of[c] = -1;
        if (number(5 * c) > 0.6)
            continue;
        x[n] = 3 * (c % SIDE) + rounded(1.5 * number(5 * c + 1));
        y[n] = 3 * (c / SIDE % SIDE) + rounded(1.5 * number(5 * c + 2));
        z[n] = 3 * (c / SIDE / SIDE) + rounded(1.5 * number(5 * c + 3));
        kind[n] = mix(5 * c + 4) % KINDS;
        of[c] = n++;
    }
    list = NEW(int, n * MOST);
    for (int c = 0; c < cells; c++) {
        int i = of[c], cx = c % SIDE, cy = c / SIDE % SIDE, cz = c / SIDE / SIDE;
        if (i < 0)
            continue;
        start[i] = pairs;
        for (int b = 0; b < 125; b++) {
            int bx = cx + b % 5 - 2, by = cy + b / 5 % 5 - 2, bz = cz + b / 25 - 2;
            if (bx < 0 || bx >= SIDE || by < 0 || by >= SIDE || bz < 0 || bz >= depth || b == 62)
                continue;
            int j = of[(bz * SIDE + by) * SIDE + bx];
            float limit = radius[kind[i]] + radius[j < 0 ? 0 : kind[j]];
            if (j >= 0 && (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]) +
                                  (z[i] - z[j]) * (z[i] - z[j]) < limit * limit)
                list[pairs++] = j;
        }
        start[i + 1] = pairs;
    }
    for (int k = 0; k < KINDS; k++) {
        reach2[k] = radius[k] * radius[k];
        for (int p = 0; p < POINTS; p++) {
            double h = (2 * p + 1.0) / POINTS - 1, turn = 2.399963229728653 * p, r = radius[k];
            ball[(k * POINTS + p) * 3] = rounded(r * sqrt(1 - h * h) * cos(turn));
            ball[(k * POINTS + p) * 3 + 1] = rounded(r * sqrt(1 - h * h) * sin(turn));
            ball[(k * POINTS + p) * 3 + 2] = rounded(r * h);
        }
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], kind[0:n], start[0:n + 1], list[0:pairs], ball) \
    copyin(reach2[0:KINDS]) create(free[0:n])
    while (lap(&t))
        area = reach(n, x, y, z, kind, start, list, ball, reach2, free);
#else
    struct atom *atoms = NEW(struct atom, n);
    struct vector(*spheres)[POINTS] = (struct vector(*)[POINTS])ball;
    for (int i = 0; i < n; i++)
        atoms[i] = (struct atom){{x[i], y[i], z[i]}, kind[i]};
#pragma acc enter data copyin(atoms[0:n], start[0:n + 1], list[0:pairs], spheres[0:KINDS], reach2[0:KINDS]) \
    create(free[0:n])
    while (lap(&t))
        area = reach(n, atoms, start, list, spheres, reach2, free);
#endif
#pragma acc update self(free[0:n])
    for (int i = 0; i < n; i++)
        sum += free[i] * (1 + i % 3);
    report("accessible", t.best, sum + area);
    return 0;
}
