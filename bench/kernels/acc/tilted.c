// A step of waves in rock whose axis of symmetry is tilted (pseudo-acoustic, two fields) in 160^3 cells, float: second derivatives of eighth order,
// mixed ones of fourth order from 16 points in each of three planes, turned by two angles of each cell.
#include "../kernels.h"

enum { SIZE = 160, EDGE = 4 };

#define STEP2 0.04f
#define D0 (-205.0f / 72)
#define D1 (8.0f / 5)
#define D2 (-1.0f / 5)
#define D3 (8.0f / 315)
#define D4 (-1.0f / 560)
#define F1 (2.0f / 3)
#define F2 (-1.0f / 12)

#if SPELLING == 1
static inline float second(const float *restrict f, int c, int s)
{
    return D0 * f[c] + D1 * (f[c - s] + f[c + s]) + D2 * (f[c - 2 * s] + f[c + 2 * s]) + D3 * (f[c - 3 * s] + f[c + 3 * s]) +
           D4 * (f[c - 4 * s] + f[c + 4 * s]);
}

static inline float first(const float *restrict f, int c, int s)
{
    return F1 * (f[c + s] - f[c - s]) + F2 * (f[c + 2 * s] - f[c - 2 * s]);
}

static inline float mixed(const float *restrict f, int c, int s, int r)
{
    return F1 * (first(f, c + r, s) - first(f, c - r, s)) + F2 * (first(f, c + 2 * r, s) - first(f, c - 2 * r, s));
}

static void step(int w, const float *restrict p, const float *restrict q, const float *restrict pold, const float *restrict qold,
                 const float *restrict speed, const float *restrict epsilon, const float *restrict delta, const float *restrict theta,
                 const float *restrict phi, float *restrict pnew, float *restrict qnew)
{
    const int n = w * w * w, sy = w, sz = w * w;
#pragma acc parallel loop tile(32, 4, 1) present(p[0:n], q[0:n], pold[0:n], qold[0:n], speed[0:n], epsilon[0:n], delta[0:n], theta[0:n],         \
                                                 phi[0:n], pnew[0:n], qnew[0:n])
#pragma omp parallel for collapse(2)
    for (int z = EDGE; z < w - EDGE; z++)
        for (int y = EDGE; y < w - EDGE; y++)
            for (int x = EDGE; x < w - EDGE; x++) {
                int c = z * sz + y * sy + x;
                float st = sinf(theta[c]), ct = cosf(theta[c]), sp = sinf(phi[c]), cp = cosf(phi[c]);
                float ax = st * cp, ay = st * sp;
                float pxx = second(p, c, 1), pyy = second(p, c, sy), pzz = second(p, c, sz);
                float qxx = second(q, c, 1), qyy = second(q, c, sy), qzz = second(q, c, sz);
                float along_p = ax * ax * pxx + ay * ay * pyy + ct * ct * pzz +
                                2 * (ax * ay * mixed(p, c, 1, sy) + ay * ct * mixed(p, c, sy, sz) + ax * ct * mixed(p, c, 1, sz));
                float along_q = ax * ax * qxx + ay * ay * qyy + ct * ct * qzz +
                                2 * (ax * ay * mixed(q, c, 1, sy) + ay * ct * mixed(q, c, sy, sz) + ax * ct * mixed(q, c, 1, sz));
                float across_p = pxx + pyy + pzz - along_p, v = STEP2 * speed[c] * speed[c];
                pnew[c] = 2 * p[c] - pold[c] + v * ((1 + 2 * epsilon[c]) * across_p + along_q);
                qnew[c] = 2 * q[c] - qold[c] + v * ((1 + 2 * delta[c]) * across_p + along_q);
            }
}
#else
struct rock { float speed, epsilon, delta, theta, phi; };
struct pair { float p, q; };

#define LOOP(v) for (unsigned v = EDGE; v < w - EDGE; ++v)
#define ADD2(sum, k, a, b)                                                                                                                       \
    do {                                                                                                                                         \
        (sum).p += side[k] * ((a).p + (b).p);                                                                                                    \
        (sum).q += side[k] * ((a).q + (b).q);                                                                                                    \
    } while (0)
#define ADD4(sum, f, pp, pm, mp, mm)                                                                                                             \
    do {                                                                                                                                         \
        (sum).p += (f) * ((pp).p - (pm).p - (mp).p + (mm).p);                                                                                    \
        (sum).q += (f) * ((pp).q - (pm).q - (mp).q + (mm).q);                                                                                    \
    } while (0)
#define TURNED(m) (a.x * a.x * xx.m + a.y * a.y * yy.m + a.z * a.z * zz.m + 2.0f * (a.x * a.y * xy.m + a.y * a.z * yz.m + a.x * a.z * xz.m))

static void step(unsigned w, const struct pair *now_, const struct pair *old_, const struct rock *rock_, struct pair *new_)
{
    const struct pair(*u)[w][w] = (const struct pair(*)[w][w])now_, (*old)[w][w] = (const struct pair(*)[w][w])old_;
    const struct rock(*rock)[w][w] = (const struct rock(*)[w][w])rock_;
    struct pair(*next)[w][w] = (struct pair(*)[w][w])new_;
#pragma acc parallel loop gang vector collapse(3) present(u[0:w], old[0:w], rock[0:w], next[0:w])
#pragma omp parallel for collapse(2)
    LOOP(z)
    LOOP(y)
    LOOP(x)
    {
        const float side[5] = {D0, D1, D2, D3, D4}, slope[3] = {0.0f, F1, F2};
        const struct rock r = rock[z][y][x];
        const struct pair c = u[z][y][x];
        struct pair xx = {D0 * c.p, D0 * c.q}, yy = xx, zz = xx, xy = {0.0f, 0.0f}, yz = xy, xz = xy;
        struct { float x, y, z; } a = {sinf(r.theta) * cosf(r.phi), sinf(r.theta) * sinf(r.phi), cosf(r.theta)};
        for (unsigned k = 1; k <= 4; ++k) {
            ADD2(xx, k, u[z][y][x - k], u[z][y][x + k]);
            ADD2(yy, k, u[z][y - k][x], u[z][y + k][x]);
            ADD2(zz, k, u[z - k][y][x], u[z + k][y][x]);
        }
        for (unsigned k = 1; k <= 2; ++k)
            for (unsigned l = 1; l <= 2; ++l) {
                const float f = slope[k] * slope[l];
                ADD4(xy, f, u[z][y + k][x + l], u[z][y + k][x - l], u[z][y - k][x + l], u[z][y - k][x - l]);
                ADD4(yz, f, u[z + k][y + l][x], u[z + k][y - l][x], u[z - k][y + l][x], u[z - k][y - l][x]);
                ADD4(xz, f, u[z + k][y][x + l], u[z + k][y][x - l], u[z - k][y][x + l], u[z - k][y][x - l]);
            }
        const float across = xx.p + yy.p + zz.p - TURNED(p), along = TURNED(q), v = STEP2 * r.speed * r.speed;
        next[z][y][x].p = 2.0f * c.p - old[z][y][x].p + v * ((1.0f + 2.0f * r.epsilon) * across + along);
        next[z][y][x].q = 2.0f * c.q - old[z][y][x].q + v * ((1.0f + 2.0f * r.delta) * across + along);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = (SIZE >> (args.shift + 2) / 3) + 2 * EDGE, n = w * w * w;
    float *p = NEW(float, n), *q = NEW(float, n), *pold = NEW(float, n), *qold = NEW(float, n), *speed = NEW(float, n), *epsilon = NEW(float, n);
    float *delta = NEW(float, n), *theta = NEW(float, n), *phi = NEW(float, n), *pnew = NEW(float, n), *qnew = NEW(float, n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        p[i] = number(i);
        q[i] = number(i + 1);
        pold[i] = number(i + 2);
        qold[i] = number(i + 3);
        speed[i] = 1 + number(i / w);
        epsilon[i] = 0.25 * number(i / w + 1);
        delta[i] = 0.1 * number(i / w + 2);
        theta[i] = 1.5 * number(i / 4);
        phi[i] = 6 * number(i / 4 + 5);
        pnew[i] = qnew[i] = 0;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(p[0:n], q[0:n], pold[0:n], qold[0:n], speed[0:n], epsilon[0:n], delta[0:n], theta[0:n], phi[0:n])                  \
    copyin(pnew[0:n], qnew[0:n])
    while (lap(&t))
        step(w, p, q, pold, qold, speed, epsilon, delta, theta, phi, pnew, qnew);
#pragma acc update self(pnew[0:n], qnew[0:n])
#else
    struct pair *now_ = NEW(struct pair, n), *old = NEW(struct pair, n), *next = NEW(struct pair, n);
    struct rock *rock = NEW(struct rock, n);
    for (int i = 0; i < n; i++) {
        now_[i] = (struct pair){p[i], q[i]};
        old[i] = (struct pair){pold[i], qold[i]};
        next[i] = (struct pair){0, 0};
        rock[i] = (struct rock){speed[i], epsilon[i], delta[i], theta[i], phi[i]};
    }
#pragma acc enter data copyin(now_[0:n], old[0:n], rock[0:n], next[0:n])
    while (lap(&t))
        step(w, now_, old, rock, next);
#pragma acc update self(next[0:n])
    for (int i = 0; i < n; i++) {
        pnew[i] = next[i].p;
        qnew[i] = next[i].q;
    }
#endif
    for (int i = 0; i < n; i++)
        sum += fabs(pnew[i]) + fabs(qnew[i]);
    report("tilted", t.best, sum);
    return 0;
}
