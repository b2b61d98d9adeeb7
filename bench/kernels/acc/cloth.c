// Two small steps of a cloth of 512 x 512 particles that falls onto a ball, float, by extended position-based dynamics: threads along, across and
// aslant in eight colours, of which no two share a particle, a launch each, in three rounds; then the ball and the new velocities.
#include "../kernels.h"

enum { SIDE = 512, COLOURS = 8, ROUNDS = 3, STEPS = 2 };

#define DT 0.004f
#define SPACING 0.01f
#define SOFT 1e-7f
#define RADIUS 1.0f
#define FRICTION 0.3f

#if SPELLING == 1
static void fall(int n, const int *restrict first, const int *restrict a, const int *restrict b, const float *restrict rest,
                 const float *restrict weight, const float *restrict start, float *restrict x, float *restrict old,
                 float *restrict v, float *restrict lambda)
{
    const int threads = first[COLOURS];
#pragma acc data present(a[0:threads], b[0:threads], rest[0:threads], lambda[0:threads], weight[0:n]) \
    present(start[0:3 * n], x[0:3 * n], old[0:3 * n], v[0:3 * n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < 3 * n; k++) {
            x[k] = start[k];
            v[k] = 0;
        }
        for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                if (weight[i] > 0)
                    v[3 * i + 1] -= 9.81f * DT;
                for (int c = 0; c < 3; c++) {
                    old[3 * i + c] = x[3 * i + c];
                    x[3 * i + c] += DT * v[3 * i + c];
                }
            }
#pragma acc parallel loop
#pragma omp parallel for
            for (int k = 0; k < threads; k++)
                lambda[k] = 0;
            for (int round = 0; round < ROUNDS; round++)
                for (int colour = 0; colour < COLOURS; colour++) {
#pragma acc parallel loop
#pragma omp parallel for
                    for (int k = first[colour]; k < first[colour + 1]; k++) {
                        int i = a[k], j = b[k];
                        float dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
                        float length = sqrtf(dx * dx + dy * dy + dz * dz), both = weight[i] + weight[j], soft = SOFT / (DT * DT);
                        float change = (rest[k] - length - soft * lambda[k]) / (both + soft), s = change / length;
                        lambda[k] += change;
                        x[3 * i] += weight[i] * s * dx;
                        x[3 * i + 1] += weight[i] * s * dy;
                        x[3 * i + 2] += weight[i] * s * dz;
                        x[3 * j] -= weight[j] * s * dx;
                        x[3 * j + 1] -= weight[j] * s * dy;
                        x[3 * j + 2] -= weight[j] * s * dz;
                    }
                }
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                float px = x[3 * i], py = x[3 * i + 1], pz = x[3 * i + 2], r = sqrtf(px * px + py * py + pz * pz), keep = 1;
                if (weight[i] > 0 && r < RADIUS) {
                    x[3 * i] = px * RADIUS / r;
                    x[3 * i + 1] = py * RADIUS / r;
                    x[3 * i + 2] = pz * RADIUS / r;
                    keep = 1 - FRICTION;
                }
                for (int c = 0; c < 3; c++)
                    v[3 * i + c] = keep * (x[3 * i + c] - old[3 * i + c]) / DT;
            }
        }
    }
}
#else
typedef struct { float x[3], weight; } particle;
typedef struct { float v[3]; } arrow;
typedef struct { unsigned ends[2]; float rest, lambda; } thread;

#define EACH(c) for (unsigned c = 0; c < 3; ++c)

static void fall(unsigned n, const unsigned *first, thread *threads, const particle *start, particle *now, arrow *old, arrow *speed)
{
    const unsigned all = first[COLOURS];
#pragma acc parallel loop present(start[0:n], now[0:n], speed[0:n])
#pragma omp parallel for
    for (unsigned i = 0; i < n; ++i) {
        now[i] = start[i];
        EACH(c)
            speed[i].v[c] = 0;
    }
    for (unsigned step = 0; step < STEPS; ++step) {
#pragma acc parallel loop present(now[0:n], old[0:n], speed[0:n]) async
#pragma omp parallel for
        for (unsigned i = 0; i < n; ++i) {
            particle p = now[i];
            speed[i].v[1] -= p.weight > 0 ? 9.81f * DT : 0;
            EACH(c) {
                old[i].v[c] = p.x[c];
                p.x[c] += DT * speed[i].v[c];
            }
            now[i] = p;
        }
        for (unsigned launch = 0; launch < ROUNDS * COLOURS; ++launch) {
            const unsigned begin = first[launch % COLOURS], end = first[launch % COLOURS + 1];
#pragma acc parallel loop independent present(threads[0:all], now[0:n]) async
#pragma omp parallel for
            for (unsigned k = begin; k < end; ++k) {
                thread *t = threads + k;
                particle *p = &now[t->ends[0]], *q = &now[t->ends[1]];
                const float soft = SOFT / (DT * DT), before = launch < COLOURS ? 0 : t->lambda;
                float d[3], length = 0;
                EACH(c) {
                    d[c] = p->x[c] - q->x[c];
                    length += d[c] * d[c];
                }
                length = sqrtf(length);
                const float change = (t->rest - length - soft * before) / (p->weight + q->weight + soft);
                t->lambda = before + change;
                EACH(c) {
                    p->x[c] += p->weight * (change / length) * d[c];
                    q->x[c] -= q->weight * (change / length) * d[c];
                }
            }
        }
#pragma acc parallel loop present(now[0:n], old[0:n], speed[0:n]) async
#pragma omp parallel for
        for (unsigned i = 0; i < n; ++i) {
            particle p = now[i];
            const float r = sqrtf(p.x[0] * p.x[0] + p.x[1] * p.x[1] + p.x[2] * p.x[2]);
            const int touches = p.weight > 0 && r < RADIUS;
            EACH(c) {
                if (touches)
                    p.x[c] *= RADIUS / r;
                speed[i].v[c] = (touches ? 1 - FRICTION : 1) * (p.x[c] - old[i].v[c]) / DT;
            }
            now[i] = p;
        }
    }
#pragma acc wait
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = SIDE >> args.shift, n = rows * SIDE, first[COLOURS + 1] = {0}, m = 0;
    int *a = NEW(int, 4 * n), *b = NEW(int, 4 * n);
    float *rest = NEW(float, 4 * n), *weight = NEW(float, n), *start = NEW(float, 3 * n), *x = NEW(float, 3 * n), *v = NEW(float, 3 * n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        weight[i] = i == 0 || i == SIDE - 1 ? 0 : 0.8f + 0.4f * (float)number(i);
        start[3 * i] = SPACING * (i % SIDE - SIDE / 2) + 0.003f * (float)number(3 * i);
        start[3 * i + 1] = 0.9f + 0.2f * (float)number(3 * i + 1) * (i % 7 == 0) + 0.003f * (float)number(3 * i + 1);
        start[3 * i + 2] = SPACING * (i / SIDE - rows / 2) + 0.003f * (float)number(3 * i + 2);
    }
    for (int colour = 0; colour < COLOURS; colour++) {
        int di = colour / 2 == 1 ? 0 : 1, dj = colour / 2 == 0 ? 0 : 1, back = colour / 2 == 3;
        for (int j = 0; j + dj < rows; j++)
            for (int i = 0; i + di < SIDE; i++)
                if ((di ? i : j) % 2 == colour % 2) {
                    a[m] = j * SIDE + (back ? i + 1 : i);
                    b[m] = (j + dj) * SIDE + (back ? i : i + di);
                    rest[m++] = SPACING * (di + dj == 2 ? 1.41421356f : 1);
                }
        first[colour + 1] = m;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    float *old = NEW(float, 3 * n), *lambda = NEW(float, m);
#pragma acc enter data copyin(a[0:m], b[0:m], rest[0:m], weight[0:n], start[0:3 * n]) \
    create(x[0:3 * n], old[0:3 * n], v[0:3 * n], lambda[0:m])
    while (lap(&t))
        fall(n, first, a, b, rest, weight, start, x, old, v, lambda);
#pragma acc update self(x[0:3 * n], v[0:3 * n])
#else
    particle *begin = NEW(particle, n), *now = NEW(particle, n);
    arrow *old = NEW(arrow, n), *speed = NEW(arrow, n);
    thread *threads = NEW(thread, m);
    for (int i = 0; i < n; i++)
        begin[i] = (particle){{start[3 * i], start[3 * i + 1], start[3 * i + 2]}, weight[i]};
    for (int k = 0; k < m; k++)
        threads[k] = (thread){{a[k], b[k]}, rest[k], 0};
#pragma acc enter data copyin(threads[0:m], begin[0:n]) create(now[0:n], old[0:n], speed[0:n])
    while (lap(&t))
        fall(n, (unsigned *)first, threads, begin, now, old, speed);
#pragma acc update self(now[0:n], speed[0:n])
    for (int k = 0; k < 3 * n; k++) {
        x[k] = now[k / 3].x[k % 3];
        v[k] = speed[k / 3].v[k % 3];
    }
#endif
    for (int k = 0; k < 3 * n; k++)
        sum += fabsf(x[k]) * (1 + k % 5) + 0.01 * fabsf(v[k]);
    report("cloth", t.best, sum);
    return 0;
}
