// Where 384 x 384 rays meet the nearest of 1024 triangles, double (Moller and Trumbore): distance and which, and how many rays meet any.
#include "../kernels.h"

enum { SIDE = 384, TRIANGLES = 1024 };

#if SPELLING == 1
static int meet(int n, const double *restrict corner, const double *restrict edge1, const double *restrict edge2, double *restrict depth, int *restrict which)
{
    int count = 0;
#pragma acc parallel loop collapse(2) reduction(+ : count) present(corner[0:3 * TRIANGLES], edge1[0:3 * TRIANGLES], edge2[0:3 * TRIANGLES], depth[0:n * n], which[0:n * n])
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dx = (j + 0.5) / n - 0.5, dy = (i + 0.5) / n - 0.5, dz = 1, nearest = 1e30;
            int found = -1;
            for (int t = 0; t < TRIANGLES; t++) {
                double ax = edge1[3 * t], ay = edge1[3 * t + 1], az = edge1[3 * t + 2];
                double bx = edge2[3 * t], by = edge2[3 * t + 1], bz = edge2[3 * t + 2];
                double px = dy * bz - dz * by, py = dz * bx - dx * bz, pz = dx * by - dy * bx;
                double det = ax * px + ay * py + az * pz;
                if (fabs(det) < 1e-12)
                    continue;
                double sx = -corner[3 * t], sy = -corner[3 * t + 1], sz = -corner[3 * t + 2];
                double u = (sx * px + sy * py + sz * pz) / det;
                if (u < 0 || u > 1)
                    continue;
                double qx = sy * az - sz * ay, qy = sz * ax - sx * az, qz = sx * ay - sy * ax;
                double v = (dx * qx + dy * qy + dz * qz) / det;
                if (v < 0 || u + v > 1)
                    continue;
                double far = (bx * qx + by * qy + bz * qz) / det;
                if (far > 0 && far < nearest) {
                    nearest = far;
                    found = t;
                }
            }
            depth[i * n + j] = found < 0 ? 0 : nearest;
            which[i * n + j] = found;
            if (found >= 0)
                count++;
        }
    return count;
}
#else
struct vec { double x, y, z; };
struct triangle { struct vec corner, edge1, edge2; };
struct hit { double distance; int which; };

static double dot(const struct vec *a, const struct vec *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

static void cross(const struct vec *a, const struct vec *b, struct vec *to)
{
    to->x = a->y * b->z - a->z * b->y;
    to->y = a->z * b->x - a->x * b->z;
    to->z = a->x * b->y - a->y * b->x;
}

static int hits(const struct triangle *t, const struct vec *d, double *distance)
{
    struct vec p, q, s = {-t->corner.x, -t->corner.y, -t->corner.z};
    cross(d, &t->edge2, &p);
    double det = dot(&t->edge1, &p);
    if (det > -1e-12 && det < 1e-12)
        return 0;
    cross(&s, &t->edge1, &q);
    double u = dot(&s, &p) / det, v = dot(d, &q) / det;
    *distance = dot(&t->edge2, &q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && *distance > 0;
}

static unsigned meet(unsigned n, struct triangle *triangles, struct hit *hit)
{
    unsigned count = 0;
#pragma acc parallel loop tile(8, 32) reduction(+ : count) present(triangles[0:TRIANGLES], hit[0:n * n])
#pragma omp parallel for reduction(+ : count)
    for (unsigned i = 0; i < n; ++i)
        for (unsigned j = 0; j < n; ++j) {
            struct vec d = {(j + 0.5) / n - 0.5, (i + 0.5) / n - 0.5, 1};
            struct hit best = {0, -1};
            for (unsigned t = 0; t < TRIANGLES; ++t) {
                double distance;
                if (hits(&triangles[t], &d, &distance) && (best.which < 0 || distance < best.distance))
                    best = (struct hit){distance, t};
            }
            hit[i * n + j] = best;
            count += best.which >= 0;
        }
    return count;
}
#endif

static void triangle_at(int t, double *corner, double *edge1, double *edge2)
{
    for (int c = 0; c < 3; c++) {
        corner[c] = (c == 2 ? 2 : -2) + 4 * number(9 * t + c);
        edge1[c] = 0.8 * number(9 * t + 3 + c) - 0.4;
        edge2[c] = 0.8 * number(9 * t + 6 + c) - 0.4;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n, count = 0;
    double sum = 0;
#if SPELLING == 1
    double *corner = NEW(double, 3 * TRIANGLES), *edge1 = NEW(double, 3 * TRIANGLES), *edge2 = NEW(double, 3 * TRIANGLES), *depth = NEW(double, all);
    int *which = NEW(int, all);
    for (int t = 0; t < TRIANGLES; t++)
        triangle_at(t, corner + 3 * t, edge1 + 3 * t, edge2 + 3 * t);
#pragma acc enter data copyin(corner[0:3 * TRIANGLES], edge1[0:3 * TRIANGLES], edge2[0:3 * TRIANGLES]) create(depth[0:all], which[0:all])
#else
    struct triangle *triangles = NEW(struct triangle, TRIANGLES);
    struct hit *hit = NEW(struct hit, all);
    for (int t = 0; t < TRIANGLES; t++)
        triangle_at(t, &triangles[t].corner.x, &triangles[t].edge1.x, &triangles[t].edge2.x);
#pragma acc enter data copyin(triangles[0:TRIANGLES]) create(hit[0:all])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        count = meet(n, corner, edge1, edge2, depth, which);
#else
        count = meet(n, triangles, hit);
#endif
    }
#if SPELLING == 1
#pragma acc update self(depth[0:all], which[0:all])
    for (int k = 0; k < all; k++)
        sum += depth[k] + 1e-3 * which[k];
#else
#pragma acc update self(hit[0:all])
    for (int k = 0; k < all; k++)
        sum += hit[k].distance + 1e-3 * hit[k].which;
#endif
    report("moller", t.best, sum + count);
    return 0;
}
