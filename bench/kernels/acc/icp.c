// Ten steps that find a depth camera's place (iterative closest points, KinectFusion): 1280 x 960 points of a picture are moved and projected into
// the model's, and where places and normals agree, 27 sums of the equations for six unknowns are taken, which the host solves.
#include "../kernels.h"

enum { COLUMNS = 1280, ROWS = 960, STEPS = 10, SUMS = 29 };

#define FOCUS 1050.0f
#define NEAR_BY 0.1f
#define ALIKE 0.8f

struct pose { float r[9], t[3]; };

#if SPELLING == 1
static void sums_of(int rows, struct pose pose, const float *restrict place, const float *restrict normal,
                    const float *restrict there, const float *restrict theirs, double *restrict sums)
{
    const int n = rows * COLUMNS;
    double s[SUMS];
    for (int k = 0; k < SUMS; k++)
        s[k] = 0;
#pragma acc parallel loop gang vector reduction(+ : s) \
    present(place[0:3 * n], normal[0:3 * n], there[0:3 * n], theirs[0:3 * n])
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
        float x = place[i], y = place[n + i], z = place[2 * n + i];
        if (z <= 0)
            continue;
        float px = pose.r[0] * x + pose.r[1] * y + pose.r[2] * z + pose.t[0];
        float py = pose.r[3] * x + pose.r[4] * y + pose.r[5] * z + pose.t[1];
        float pz = pose.r[6] * x + pose.r[7] * y + pose.r[8] * z + pose.t[2];
        if (pz <= 0)
            continue;
        int u = (int)floorf(FOCUS * px / pz + COLUMNS / 2 + 0.5f), v = (int)floorf(FOCUS * py / pz + ROWS / 2 + 0.5f);
        if (u < 0 || u >= COLUMNS || v < 0 || v >= rows)
            continue;
        int j = v * COLUMNS + u;
        float dx = there[j] - px, dy = there[n + j] - py, dz = there[2 * n + j] - pz;
        if (there[2 * n + j] <= 0 || dx * dx + dy * dy + dz * dz > NEAR_BY * NEAR_BY)
            continue;
        float nx = theirs[j], ny = theirs[n + j], nz = theirs[2 * n + j];
        float mx = pose.r[0] * normal[i] + pose.r[1] * normal[n + i] + pose.r[2] * normal[2 * n + i];
        float my = pose.r[3] * normal[i] + pose.r[4] * normal[n + i] + pose.r[5] * normal[2 * n + i];
        float mz = pose.r[6] * normal[i] + pose.r[7] * normal[n + i] + pose.r[8] * normal[2 * n + i];
        if (nx * mx + ny * my + nz * mz < ALIKE)
            continue;
        float row[7] = {py * nz - pz * ny, pz * nx - px * nz, px * ny - py * nx, nx, ny, nz, nx * dx + ny * dy + nz * dz};
        int at = 0;
        for (int a = 0; a < 7; a++)
            for (int b = a; b < 7; b++)
                s[at++] += row[a] * row[b];
        s[28] += 1;
    }
    for (int k = 0; k < SUMS; k++)
        sums[k] = s[k];
}
#else
typedef struct { float x, y, z; } point;
typedef struct { point place, normal; } surfel;

#pragma acc routine seq
static point turned(const struct pose *p, point a)
{
    point b = {p->r[0] * a.x + p->r[1] * a.y + p->r[2] * a.z, p->r[3] * a.x + p->r[4] * a.y + p->r[5] * a.z,
               p->r[6] * a.x + p->r[7] * a.y + p->r[8] * a.z};
    return b;
}

#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)
#define SQUARES(a) s##a##a += r[a] * (double)r[a]
#define PRODUCT(a, b) s##a##b += r[a] * (double)r[b]

static void sums_of(size_t rows, const struct pose *pose, surfel (*here)[COLUMNS], surfel (*model)[COLUMNS], double *sums)
{
    double s00 = 0, s01 = 0, s02 = 0, s03 = 0, s04 = 0, s05 = 0, s06 = 0, s11 = 0, s12 = 0, s13 = 0, s14 = 0, s15 = 0;
    double s16 = 0, s22 = 0, s23 = 0, s24 = 0, s25 = 0, s26 = 0, s33 = 0, s34 = 0, s35 = 0, s36 = 0, s44 = 0, s45 = 0;
    double s46 = 0, s55 = 0, s56 = 0, s66 = 0;
    unsigned many = 0;
#pragma acc parallel loop collapse(2) copyin(pose[0:1]) present(here[0:rows], model[0:rows]) \
    reduction(+ : s00, s01, s02, s03, s04, s05, s06, s11, s12, s13, s14, s15, s16, s22, s23, s24, s25, s26) \
    reduction(+ : s33, s34, s35, s36, s44, s45, s46, s55, s56, s66, many)
#pragma omp parallel for collapse(2) \
    reduction(+ : s00, s01, s02, s03, s04, s05, s06, s11, s12, s13, s14, s15, s16, s22, s23, s24, s25, s26) \
    reduction(+ : s33, s34, s35, s36, s44, s45, s46, s55, s56, s66, many)
    for (size_t y = 0; y < rows; ++y)
        for (size_t x = 0; x < COLUMNS; ++x) {
            const surfel own = here[y][x];
            point p = turned(pose, own.place);
            p.x += pose->t[0];
            p.y += pose->t[1];
            p.z += pose->t[2];
            if (own.place.z > 0 && p.z > 0) {
                const long u = (long)floorf(FOCUS * p.x / p.z + COLUMNS / 2 + 0.5f);
                const long v = (long)floorf(FOCUS * p.y / p.z + ROWS / 2 + 0.5f);
                if (u >= 0 && u < COLUMNS && v >= 0 && v < (long)rows) {
                    const surfel *const to = &model[v][u];
                    const point n = to->normal, d = {to->place.x - p.x, to->place.y - p.y, to->place.z - p.z};
                    if (to->place.z > 0 && DOT(d, d) <= NEAR_BY * NEAR_BY && DOT(n, turned(pose, own.normal)) >= ALIKE) {
                        const float r[7] = {p.y * n.z - p.z * n.y, p.z * n.x - p.x * n.z, p.x * n.y - p.y * n.x,
                                            n.x, n.y, n.z, DOT(n, d)};
                        SQUARES(0); PRODUCT(0, 1); PRODUCT(0, 2); PRODUCT(0, 3); PRODUCT(0, 4); PRODUCT(0, 5); PRODUCT(0, 6);
                        SQUARES(1); PRODUCT(1, 2); PRODUCT(1, 3); PRODUCT(1, 4); PRODUCT(1, 5); PRODUCT(1, 6);
                        SQUARES(2); PRODUCT(2, 3); PRODUCT(2, 4); PRODUCT(2, 5); PRODUCT(2, 6);
                        SQUARES(3); PRODUCT(3, 4); PRODUCT(3, 5); PRODUCT(3, 6);
                        SQUARES(4); PRODUCT(4, 5); PRODUCT(4, 6);
                        SQUARES(5); PRODUCT(5, 6);
                        SQUARES(6);
                        ++many;
                    }
                }
            }
        }
    const double all[SUMS] = {s00, s01, s02, s03, s04, s05, s06, s11, s12, s13, s14, s15, s16, s22, s23,
                              s24, s25, s26, s33, s34, s35, s36, s44, s45, s46, s55, s56, s66, many};
    for (int k = 0; k < SUMS; ++k)
        sums[k] = all[k];
}
#endif

// A turn and a shift from the sums, by elimination, put before the pose.
static void improve(const double *sums, struct pose *pose)
{
    double a[6][7], old[12];
    for (int i = 0, at = 0; i < 6; i++)
        for (int j = i; j < 7; j++) {
            a[i][j] = sums[at++];
            if (j < 6)
                a[j][i] = a[i][j];
        }
    for (int i = 0; i < 6; i++)
        for (int k = i + 1; k < 6; k++) {
            double f = a[k][i] / a[i][i];
            for (int j = i; j < 7; j++)
                a[k][j] -= f * a[i][j];
        }
    for (int i = 5; i >= 0; i--) {
        for (int j = i + 1; j < 6; j++)
            a[i][6] -= a[i][j] * a[j][6];
        a[i][6] /= a[i][i];
    }
    double x = a[0][6], y = a[1][6], z = a[2][6], cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z);
    double r[9] = {cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx, sz * cy, sz * sy * sx + cz * cx,
                   sz * sy * cx - cz * sx, -sy, cy * sx, cy * cx};
    for (int k = 0; k < 9; k++)
        old[k] = pose->r[k];
    for (int k = 0; k < 3; k++)
        old[9 + k] = pose->t[k];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            pose->r[3 * i + j] = (float)(r[3 * i] * old[j] + r[3 * i + 1] * old[3 + j] + r[3 * i + 2] * old[6 + j]);
        pose->t[i] = (float)(r[3 * i] * old[9] + r[3 * i + 1] * old[10] + r[3 * i + 2] * old[11] + a[3 + i][6]);
    }
}

// How far the scene is, which the camera at `shift` sees, and its normal.
static void scene(int u, int v, double shift, float *place, float *normal)
{
    double x = (u - COLUMNS / 2) / FOCUS, y = (v - ROWS / 2) / FOCUS, z = 2;
    for (int k = 0; k < 8; k++)
        z = 2 + 0.2 * sin(3 * (x * z + shift)) * cos(2 * y * z + shift) + 0.3 * (x * z + shift) - shift;
    double gx = 0.6 * cos(3 * (x * z + shift)) * cos(2 * y * z + shift) + 0.3;
    double gy = -0.4 * sin(3 * (x * z + shift)) * sin(2 * y * z + shift), size = sqrt(1 + gx * gx + gy * gy);
    int hole = u % 97 == 0 || v % 89 == 3;
    place[0] = hole ? 0 : (float)(x * z);
    place[1] = hole ? 0 : (float)(y * z);
    place[2] = hole ? 0 : (float)z;
    normal[0] = (float)(gx / size);
    normal[1] = (float)(gy / size);
    normal[2] = (float)(-1 / size);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, n = rows * COLUMNS;
    float *place = NEW(float, 3 * n), *normal = NEW(float, 3 * n), *there = NEW(float, 3 * n), *theirs = NEW(float, 3 * n);
    double sums[SUMS], sum = 0;
    struct pose pose;
    for (int i = 0; i < n; i++) {
        float p[3], q[3];
        scene(i % COLUMNS, i / COLUMNS, 0.02, p, q);
        for (int k = 0; k < 3; k++) {
            place[k * n + i] = p[k];
            normal[k * n + i] = q[k];
        }
        scene(i % COLUMNS, i / COLUMNS, 0, p, q);
        for (int k = 0; k < 3; k++) {
            there[k * n + i] = p[k];
            theirs[k * n + i] = q[k];
        }
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(place[0:3 * n], normal[0:3 * n], there[0:3 * n], theirs[0:3 * n])
#else
    surfel(*here)[COLUMNS] = (surfel(*)[COLUMNS])NEW(surfel, n), (*model)[COLUMNS] = (surfel(*)[COLUMNS])NEW(surfel, n);
    for (int i = 0; i < n; i++) {
        here[0][i] = (surfel){{place[i], place[n + i], place[2 * n + i]}, {normal[i], normal[n + i], normal[2 * n + i]}};
        model[0][i] = (surfel){{there[i], there[n + i], there[2 * n + i]}, {theirs[i], theirs[n + i], theirs[2 * n + i]}};
    }
#pragma acc enter data copyin(here[0:rows], model[0:rows])
#endif
    while (lap(&t)) {
        pose = (struct pose){{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
        for (int s = 0; s < STEPS; s++) {
#if SPELLING == 1
            sums_of(rows, pose, place, normal, there, theirs, sums);
#else
            sums_of(rows, &pose, here, model, sums);
#endif
            improve(sums, &pose);
        }
    }
    for (int k = 0; k < 9; k++)
        sum += pose.r[k] * (k + 1);
    for (int k = 0; k < 3; k++)
        sum += pose.t[k] * (k + 1);
    report("icp", t.best, sum + sums[28] / n);
    return 0;
}
