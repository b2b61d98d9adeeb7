// The surface on which a field of 129^3 floats has a value, by marching through the six tetrahedra of each of 128^3 cubes: triangles go to a list in
// any order, at places from an atomic counter; then their whole area, and its mean height.
#include "../kernels.h"

// MOST times the square of the side is the room for triangles.
enum { SIDE = 128, MOST = 96 };

#define LEVEL 0.2f

// Corners of a cube: 1 is one further in x, 2 in y, 4 in z.
#if SPELLING == 1
static void extract(int side, const float *restrict field, float *restrict triangles, int *found, double *area, double *moment)
{
    const int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
    int w = side + 1, count = 0;
    double sum = 0, high = 0;
#pragma acc data present(field[0:w * w * w], triangles[0:9 * MOST * side * side])
    {
#pragma acc parallel loop collapse(3) copy(count) copyin(tetrahedra)
#pragma omp parallel for
        for (int z = 0; z < side; z++)
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++) {
                    float value[8];
                    int inside = 0, mine = 0, at;
                    for (int k = 0; k < 8; k++) {
                        value[k] = field[((z + (k >> 2)) * w + y + (k >> 1 & 1)) * w + x + (k & 1)];
                        inside |= (value[k] < LEVEL) << k;
                    }
                    if (inside == 0 || inside == 255)
                        continue;
                    for (int t = 0; t < 6; t++) {
                        int in = 0;
                        for (int k = 0; k < 4; k++)
                            in += inside >> tetrahedra[t][k] & 1;
                        mine += in == 2 ? 2 : in == 1 || in == 3;
                    }
#pragma acc atomic capture
#pragma omp atomic capture
                    {
                        at = count;
                        count += mine;
                    }
                    for (int t = 0; t < 6; t++) {
                        int ins[4], outs[4], in = 0, out = 0;
                        for (int k = 0; k < 4; k++) {
                            int corner = tetrahedra[t][k];
                            if (inside >> corner & 1)
                                ins[in++] = corner;
                            else
                                outs[out++] = corner;
                        }
                        if (in == 0 || out == 0)
                            continue;
                        // Around the surface in this tetrahedron: three points, or four where two corners are inside.
                        float point[4][3];
                        int points = in == 2 ? 4 : 3;
                        for (int k = 0; k < points; k++) {
                            int a = in == 1 ? ins[0] : in == 3 ? ins[k] : ins[k >> 1];
                            int b = in == 1 ? outs[k] : in == 3 ? outs[0] : outs[(k + 1) >> 1 & 1];
                            float f = (LEVEL - value[a]) / (value[b] - value[a]);
                            point[k][0] = x + (a & 1) + f * ((b & 1) - (a & 1));
                            point[k][1] = y + (a >> 1 & 1) + f * ((b >> 1 & 1) - (a >> 1 & 1));
                            point[k][2] = z + (a >> 2) + f * ((b >> 2) - (a >> 2));
                        }
                        for (int k = 2; k < points; k++, at++)
                            for (int d = 0; d < 3; d++) {
                                triangles[9 * at + d] = point[0][d];
                                triangles[9 * at + 3 + d] = point[k - 1][d];
                                triangles[9 * at + 6 + d] = point[k][d];
                            }
                    }
                }
#pragma acc parallel loop reduction(+ : sum, high)
#pragma omp parallel for reduction(+ : sum, high)
        for (int i = 0; i < count; i++) {
            const float *t = triangles + 9 * i;
            float ax = t[3] - t[0], ay = t[4] - t[1], az = t[5] - t[2], bx = t[6] - t[0], by = t[7] - t[1], bz = t[8] - t[2];
            float nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx, size = 0.5f * sqrtf(nx * nx + ny * ny + nz * nz);
            sum += size;
            high += size * (t[2] + t[5] + t[8]) / 3;
        }
    }
    *found = count;
    *area = sum;
    *moment = high;
}
#else
typedef struct { float x, y, z; } vec;
typedef struct { vec corner[3]; } triangle;
typedef struct { float value[8]; vec first; } cube;

static const unsigned char TETRAHEDRA[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
// For each set of corners of a tetrahedron that are inside: how many triangles, and between which corners the points around them lie.
static const unsigned char TRIANGLES[16] = {0, 1, 1, 2, 1, 2, 2, 1, 1, 2, 2, 1, 2, 1, 1, 0};
static const unsigned char EDGES[16][4][2] = {
    {{0}}, {{0, 1}, {0, 2}, {0, 3}}, {{1, 0}, {1, 2}, {1, 3}}, {{0, 2}, {0, 3}, {1, 3}, {1, 2}},
    {{2, 0}, {2, 1}, {2, 3}}, {{0, 1}, {0, 3}, {2, 3}, {2, 1}}, {{1, 0}, {1, 3}, {2, 3}, {2, 0}}, {{0, 3}, {1, 3}, {2, 3}},
    {{3, 0}, {3, 1}, {3, 2}}, {{0, 1}, {0, 2}, {3, 2}, {3, 1}}, {{1, 0}, {1, 2}, {3, 2}, {3, 0}}, {{0, 2}, {1, 2}, {3, 2}},
    {{2, 0}, {2, 1}, {3, 1}, {3, 0}}, {{0, 1}, {2, 1}, {3, 1}}, {{1, 0}, {2, 0}, {3, 0}}, {{0}}};
#pragma acc declare copyin(TETRAHEDRA, TRIANGLES, EDGES)

#define PLACE(w, x, y, z) (((size_t)(z) * (w) + (y)) * (w) + (x))
#define MIX(a, b, f) ((a) + (f) * ((b) - (a)))

#pragma acc routine seq
static vec corner(unsigned c)
{
    return (vec){(float)(c & 1), (float)(c >> 1 & 1), (float)(c >> 2)};
}

#pragma acc routine seq
static vec crossing(const cube *c, unsigned a, unsigned b)
{
    const float f = (LEVEL - c->value[a]) / (c->value[b] - c->value[a]);
    const vec p = corner(a), q = corner(b);
    return (vec){c->first.x + MIX(p.x, q.x, f), c->first.y + MIX(p.y, q.y, f), c->first.z + MIX(p.z, q.z, f)};
}

#pragma acc routine seq
static unsigned inside(const cube *c, unsigned t)
{
    unsigned set = 0;
    for (unsigned k = 0; k < 4; ++k)
        if (c->value[TETRAHEDRA[t][k]] < LEVEL)
            set |= 1u << k;
    return set;
}

static unsigned cut_cubes(unsigned side, const float *field, unsigned *cubes)
{
    const unsigned w = side + 1;
    unsigned count = 0;
#pragma acc parallel loop gang vector collapse(3) copy(count) present(field[0:w * w * w], cubes[0:MOST * side * side])
#pragma omp parallel for
    for (unsigned z = 0; z < side; ++z)
        for (unsigned y = 0; y < side; ++y)
            for (unsigned x = 0; x < side; ++x) {
                const float *f = field + PLACE(w, x, y, z);
                unsigned below = 0;
                for (unsigned c = 0; c < 8; ++c)
                    below += f[PLACE(w, c & 1, c >> 1 & 1, c >> 2)] < LEVEL;
                if (below > 0 && below < 8) {
                    unsigned at;
#pragma acc atomic capture
#pragma omp atomic capture
                    at = count++;
                    cubes[at] = (unsigned)PLACE(side, x, y, z);
                }
            }
    return count;
}

static unsigned march(unsigned side, const float *field, unsigned n, const unsigned *cubes, triangle *triangles)
{
    const unsigned w = side + 1;
    unsigned count = 0;
#pragma acc parallel loop gang vector vector_length(128) copy(count)                                                                             \
    present(field[0:w * w * w], cubes[0:MOST * side * side], triangles[0:MOST * side * side])
#pragma omp parallel for
    for (unsigned i = 0; i < n; ++i) {
        const unsigned x = cubes[i] % side, y = cubes[i] / side % side, z = cubes[i] / side / side;
        cube c;
        c.first = (vec){(float)x, (float)y, (float)z};
        for (unsigned k = 0; k < 8; ++k)
            c.value[k] = field[PLACE(w, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2))];
        unsigned mine = 0, at;
        for (unsigned t = 0; t < 6; ++t)
            mine += TRIANGLES[inside(&c, t)];
#pragma acc atomic capture
#pragma omp atomic capture
        {
            at = count;
            count += mine;
        }
        for (unsigned t = 0; t < 6; ++t) {
            const unsigned set = inside(&c, t);
            for (unsigned k = 0; k < TRIANGLES[set]; ++k) {
                // The second one of four points: the first, third and last of them.
                for (unsigned p = 0; p < 3; ++p) {
                    const unsigned char *edge = EDGES[set][p > 0 ? p + k : 0];
                    triangles[at].corner[p] = crossing(&c, TETRAHEDRA[t][edge[0]], TETRAHEDRA[t][edge[1]]);
                }
                ++at;
            }
        }
    }
    return count;
}

static double measure(unsigned side, unsigned n, const triangle *triangles, double *moment)
{
    double area = 0.0, high = 0.0;
#pragma acc parallel loop gang vector reduction(+ : area, high) present(triangles[0:MOST * side * side])
#pragma omp parallel for reduction(+ : area, high)
    for (unsigned i = 0; i < n; ++i) {
        const vec p = triangles[i].corner[0], q = triangles[i].corner[1], r = triangles[i].corner[2];
        const vec a = {q.x - p.x, q.y - p.y, q.z - p.z}, b = {r.x - p.x, r.y - p.y, r.z - p.z};
        const vec normal = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
        const float size = 0.5f * sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
        area += size;
        high += size * (p.z + q.z + r.z) / 3.0f;
    }
    *moment = high;
    return area;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 2) / 3, w = side + 1, n = w * w * w, found = 0;
    float *field = NEW(float, n);
    double area = 0, moment = 0;
    // Two periods of a gyroid each way, bent a little.
    for (int i = 0; i < n; i++) {
        double scale = 4 * acos(-1) / side, x = scale * (i % w), y = scale * (i / w % w), z = scale * (i / w / w) + 0.3 * sin(0.5 * x);
        field[i] = sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x);
    }
    struct watch t = watch(args.repeats);
    int room = MOST * side * side;
#if SPELLING == 1
    float *triangles = NEW(float, 9 * room);
#pragma acc enter data copyin(field[0:n]) create(triangles[0:9 * room])
    while (lap(&t))
        extract(side, field, triangles, &found, &area, &moment);
#else
    triangle *triangles = NEW(triangle, room);
    unsigned *cubes = NEW(unsigned, room);
#pragma acc enter data copyin(field[0:n]) create(triangles[0:room], cubes[0:room])
    while (lap(&t)) {
        unsigned cut = cut_cubes(side, field, cubes);
        found = march(side, field, cut, cubes, triangles);
        area = measure(side, found, triangles, &moment);
    }
#endif
    report("isosurface", t.best, area + moment / side + found);
    return 0;
}
