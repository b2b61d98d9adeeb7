// A step of 2^20 relativistic electrons in a periodic plane of 512 x 512 cells with cubic shapes, float: fields from 16 points each, Boris' push, and
// currents by Esirkepov's scheme, which keep the charge, added atomically to 30 points in each direction.
#include "../kernels.h"

enum { SIZE = 512, EACH = 4, POINTS = 6 };

#define STEP 0.5f
#define HALF (-0.5f * STEP)

#if SPELLING == 1
static inline float shape(float d)
{
    d = fabsf(d);
    float far = 2 - d;
    return d < 1 ? 2.0f / 3 - d * d + 0.5f * d * d * d : d < 2 ? far * far * far / 6 : 0;
}

static void step(int n, int w, const float *restrict ex, const float *restrict ey, const float *restrict bz, const int *restrict cx,
                 const int *restrict cy, const float *restrict fx, const float *restrict fy, const float *restrict px, const float *restrict py,
                 float *restrict gx, float *restrict gy, float *restrict qx, float *restrict qy, float *restrict jx, float *restrict jy)
{
    int cells = w * w;
#pragma acc data present(ex[0:cells], ey[0:cells], bz[0:cells], cx[0:n], cy[0:n], fx[0:n], fy[0:n], px[0:n], py[0:n], gx[0:n], gy[0:n],          \
                         qx[0:n], qy[0:n], jx[0:cells], jy[0:cells])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int c = 0; c < cells; c++)
            jx[c] = jy[c] = 0;
#pragma acc parallel loop vector_length(128)
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float before[2][POINTS], after[2][POINTS], e0 = 0, e1 = 0, b = 0;
            for (int k = 0; k < POINTS; k++) {
                before[0][k] = shape(fx[i] - (k - 2));
                before[1][k] = shape(fy[i] - (k - 2));
            }
            for (int l = 1; l < POINTS - 1; l++)
                for (int k = 1; k < POINTS - 1; k++) {
                    int c = ((cy[i] + l - 2) & (w - 1)) * w + ((cx[i] + k - 2) & (w - 1));
                    float s = before[0][k] * before[1][l];
                    e0 += s * ex[c];
                    e1 += s * ey[c];
                    b += s * bz[c];
                }

            float ux = px[i] + HALF * e0, uy = py[i] + HALF * e1;
            float t = HALF * b / sqrtf(1 + ux * ux + uy * uy), s = 2 * t / (1 + t * t);
            float vx = ux + uy * t, vy = uy - ux * t;
            ux += vy * s + HALF * e0;
            uy += -vx * s + HALF * e1;
            float by = STEP / sqrtf(1 + ux * ux + uy * uy);
            float x = fx[i] + by * ux, y = fy[i] + by * uy;
            gx[i] = x;
            gy[i] = y;
            qx[i] = ux;
            qy[i] = uy;

            for (int k = 0; k < POINTS; k++) {
                after[0][k] = shape(x - (k - 2)) - before[0][k];
                after[1][k] = shape(y - (k - 2)) - before[1][k];
            }
            for (int l = 0; l < POINTS; l++) {
                float flow = 0, weight = before[1][l] + 0.5f * after[1][l];
                for (int k = 0; k < POINTS - 1; k++) {
                    flow += after[0][k] * weight;
                    if (flow != 0) {
                        int c = ((cy[i] + l - 2) & (w - 1)) * w + ((cx[i] + k - 2) & (w - 1));
#pragma acc atomic update
#pragma omp atomic
                        jx[c] += flow;
                    }
                }
            }
            for (int k = 0; k < POINTS; k++) {
                float flow = 0, weight = before[0][k] + 0.5f * after[0][k];
                for (int l = 0; l < POINTS - 1; l++) {
                    flow += after[1][l] * weight;
                    if (flow != 0) {
                        int c = ((cy[i] + l - 2) & (w - 1)) * w + ((cx[i] + k - 2) & (w - 1));
#pragma acc atomic update
#pragma omp atomic
                        jy[c] += flow;
                    }
                }
            }
        }
    }
}
#else
struct electron { unsigned cx, cy; float fx, fy, px, py; };
struct field { float ex, ey, bz; };
struct current { float x, y; };

#define CELL(k, l) ((((size_t)e.cy + (l) + w - 2) % w) * w + ((size_t)e.cx + (k) + w - 2) % w)
#define CUBE(v) ((v) * (v) * (v))
#define SPLINE(d) ((d) >= 2.0f ? 0.0f : (d) >= 1.0f ? CUBE(2.0f - (d)) / 6.0f : (4.0f - 6.0f * (d) * (d) + 3.0f * CUBE(d)) / 6.0f)

#pragma acc routine seq
static void shapes(float f, float *s)
{
    for (int k = 0; k < POINTS; ++k) {
        const float d = fabsf(f + 2.0f - k);
        s[k] = SPLINE(d);
    }
}

#pragma acc routine seq
static void push(struct electron *e, struct field f)
{
    e->px += HALF * f.ex;
    e->py += HALF * f.ey;
    const float t = HALF * f.bz / sqrtf(1.0f + e->px * e->px + e->py * e->py);
    const float tx = e->px + e->py * t, ty = e->py - e->px * t, s = 2.0f * t / (1.0f + t * t);
    e->px += ty * s;
    e->py -= tx * s;
    e->px += HALF * f.ex;
    e->py += HALF * f.ey;
    const float gamma = sqrtf(1.0f + e->px * e->px + e->py * e->py);
    e->fx += STEP * e->px / gamma;
    e->fy += STEP * e->py / gamma;
}

static void step(size_t n, size_t w, const struct field *fields, const struct electron *in, struct electron *out, struct current *j)
{
#pragma acc kernels present(fields[0:w * w], in[0:n], out[0:n], j[0:w * w])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t c = 0; c < w * w; ++c)
            j[c] = (struct current){0.0f, 0.0f};
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            struct electron e = in[i];
            struct field f = {0.0f, 0.0f, 0.0f};
            float x0[POINTS], y0[POINTS], x1[POINTS], y1[POINTS], down[POINTS] = {0};
            shapes(e.fx, x0);
            shapes(e.fy, y0);
            for (size_t l = 1; l <= 4; ++l) {
                struct field row = {0.0f, 0.0f, 0.0f};
                for (size_t k = 1; k <= 4; ++k) {
                    const struct field *p = &fields[CELL(k, l)];
                    row.ex += x0[k] * p->ex;
                    row.ey += x0[k] * p->ey;
                    row.bz += x0[k] * p->bz;
                }
                f.ex += y0[l] * row.ex;
                f.ey += y0[l] * row.ey;
                f.bz += y0[l] * row.bz;
            }
            push(&e, f);
            shapes(e.fx, x1);
            shapes(e.fy, y1);
            out[i] = e;
            for (size_t l = 0; l < POINTS; ++l) {
                float along = 0.0f;
                for (size_t k = 0; k < POINTS; ++k) {
                    struct current *to = &j[CELL(k, l)];
                    along += (x1[k] - x0[k]) * 0.5f * (y0[l] + y1[l]);
                    down[k] += (y1[l] - y0[l]) * 0.5f * (x0[k] + x1[k]);
                    if (k < POINTS - 1 && along != 0.0f) {
#pragma acc atomic
#pragma omp atomic
                        to->x += along;
                    }
                    if (l < POINTS - 1 && down[k] != 0.0f) {
#pragma acc atomic
#pragma omp atomic
                        to->y += down[k];
                    }
                }
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIZE >> (args.shift + 1) / 2, cells = w * w, n = cells * EACH;
    float *ex = NEW(float, cells), *ey = NEW(float, cells), *bz = NEW(float, cells);
    int *cx = NEW(int, n), *cy = NEW(int, n);
    float *fx = NEW(float, n), *fy = NEW(float, n), *px = NEW(float, n), *py = NEW(float, n);
    double sum = 0;
    for (int c = 0; c < cells; c++) {
        ex[c] = number(3 * c) - 0.5;
        ey[c] = number(3 * c + 1) - 0.5;
        bz[c] = 0.5 + number(3 * c + 2);
    }
    for (int i = 0; i < n; i++) {
        cx[i] = i / EACH % w;
        cy[i] = i / EACH / w;
        fx[i] = number(4 * i);
        fy[i] = number(4 * i + 1);
        px[i] = 2 * number(4 * i + 2) + 0.2;
        py[i] = 2 * number(4 * i + 3) - 0.6;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    float *gx = NEW(float, n), *gy = NEW(float, n), *qx = NEW(float, n), *qy = NEW(float, n), *jx = NEW(float, cells), *jy = NEW(float, cells);
#pragma acc enter data copyin(ex[0:cells], ey[0:cells], bz[0:cells], cx[0:n], cy[0:n], fx[0:n], fy[0:n], px[0:n], py[0:n])                       \
    create(gx[0:n], gy[0:n], qx[0:n], qy[0:n], jx[0:cells], jy[0:cells])
    while (lap(&t))
        step(n, w, ex, ey, bz, cx, cy, fx, fy, px, py, gx, gy, qx, qy, jx, jy);
#pragma acc update self(gx[0:n], gy[0:n], qx[0:n], qy[0:n], jx[0:cells], jy[0:cells])
    for (int c = 0; c < cells; c++)
        sum += fabs(jx[c]) + fabs(jy[c]);
    for (int i = 0; i < n; i++)
        sum += gx[i] + gy[i] + fabs(qx[i]) + fabs(qy[i]);
#else
    struct electron *in = NEW(struct electron, n), *out = NEW(struct electron, n);
    struct field *fields = NEW(struct field, cells);
    struct current *j = NEW(struct current, cells);
    for (int c = 0; c < cells; c++)
        fields[c] = (struct field){ex[c], ey[c], bz[c]};
    for (int i = 0; i < n; i++)
        in[i] = (struct electron){cx[i], cy[i], fx[i], fy[i], px[i], py[i]};
#pragma acc enter data copyin(fields[0:cells], in[0:n]) create(out[0:n], j[0:cells])
    while (lap(&t))
        step(n, w, fields, in, out, j);
#pragma acc update host(out[0:n], j[0:cells])
    for (int c = 0; c < cells; c++)
        sum += fabs(j[c].x) + fabs(j[c].y);
    for (int i = 0; i < n; i++)
        sum += out[i].fx + out[i].fy + fabs(out[i].px) + fabs(out[i].py);
#endif
    report("currents", t.best, sum);
    return 0;
}
