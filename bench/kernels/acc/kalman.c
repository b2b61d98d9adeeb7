// Kalman filters of 2^16 tracks over 32 scans, double: place and velocity in space with a covariance of 6 x 6, predicted and corrected by a
// measured place where that lies within the gate.
#include "../kernels.h"

enum { TRACKS = 1 << 16, SCANS = 32, STATES = 6, SEEN = 3 };

#define STEP 0.5
#define JERK 0.8
#define NOISE 4.0
#define GATE 16.0

#if SPELLING == 1
static inline double inverse(double s[SEEN][SEEN], double si[SEEN][SEEN])
{
    double c0 = s[1][1] * s[2][2] - s[1][2] * s[2][1];
    double c1 = s[1][2] * s[2][0] - s[1][0] * s[2][2];
    double c2 = s[1][0] * s[2][1] - s[1][1] * s[2][0];
    double det = s[0][0] * c0 + s[0][1] * c1 + s[0][2] * c2;
    si[0][0] = c0 / det;
    si[1][0] = c1 / det;
    si[2][0] = c2 / det;
    si[0][1] = (s[0][2] * s[2][1] - s[0][1] * s[2][2]) / det;
    si[1][1] = (s[0][0] * s[2][2] - s[0][2] * s[2][0]) / det;
    si[2][1] = (s[0][1] * s[2][0] - s[0][0] * s[2][1]) / det;
    si[0][2] = (s[0][1] * s[1][2] - s[0][2] * s[1][1]) / det;
    si[1][2] = (s[0][2] * s[1][0] - s[0][0] * s[1][2]) / det;
    si[2][2] = (s[0][0] * s[1][1] - s[0][1] * s[1][0]) / det;
    return det;
}

static void filter(int n, const double *restrict z, double *restrict state, double *restrict spread, double *restrict score, int *restrict hits)
{
#pragma acc parallel loop gang vector present(z[0:SCANS * SEEN * n], state[0:STATES * n], spread[0:STATES * n], score[0:n], hits[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double x[STATES], p[STATES][STATES], total = 0;
        int found = 0;
        for (int a = 0; a < STATES; a++) {
            x[a] = a < SEEN ? z[a * n + i] : 0;
            for (int b = 0; b < STATES; b++)
                p[a][b] = a != b ? 0 : a < SEEN ? NOISE : 100;
        }
        for (int scan = 1; scan < SCANS; scan++) {
            for (int a = 0; a < SEEN; a++)
                x[a] += STEP * x[a + SEEN];
            for (int a = 0; a < SEEN; a++)
                for (int b = 0; b < STATES; b++)
                    p[a][b] += STEP * p[a + SEEN][b];
            for (int a = 0; a < STATES; a++)
                for (int b = 0; b < SEEN; b++)
                    p[a][b] += STEP * p[a][b + SEEN];
            for (int a = 0; a < SEEN; a++) {
                p[a][a] += JERK * STEP * STEP * STEP / 3;
                p[a][a + SEEN] += JERK * STEP * STEP / 2;
                p[a + SEEN][a] += JERK * STEP * STEP / 2;
                p[a + SEEN][a + SEEN] += JERK * STEP;
            }

            double y[SEEN], s[SEEN][SEEN], si[SEEN][SEEN], distance = 0;
            for (int a = 0; a < SEEN; a++) {
                y[a] = z[(scan * SEEN + a) * n + i] - x[a];
                for (int b = 0; b < SEEN; b++)
                    s[a][b] = p[a][b] + (a == b ? NOISE : 0);
            }
            double det = inverse(s, si);
            for (int a = 0; a < SEEN; a++)
                for (int b = 0; b < SEEN; b++)
                    distance += y[a] * si[a][b] * y[b];
            if (distance > GATE)
                continue;
            found++;
            total += distance + log(det);

            double gain[STATES][SEEN], seen[SEEN][STATES];
            for (int a = 0; a < STATES; a++)
                for (int b = 0; b < SEEN; b++) {
                    gain[a][b] = 0;
                    for (int c = 0; c < SEEN; c++)
                        gain[a][b] += p[a][c] * si[c][b];
                }
            for (int c = 0; c < SEEN; c++)
                for (int b = 0; b < STATES; b++)
                    seen[c][b] = p[c][b];
            for (int a = 0; a < STATES; a++)
                for (int c = 0; c < SEEN; c++) {
                    x[a] += gain[a][c] * y[c];
                    for (int b = 0; b < STATES; b++)
                        p[a][b] -= gain[a][c] * seen[c][b];
                }
        }
        for (int a = 0; a < STATES; a++) {
            state[a * n + i] = x[a];
            spread[a * n + i] = p[a][a];
        }
        score[i] = total;
        hits[i] = found;
    }
}
#else
typedef struct { double v[3]; } vec;
// In blocks: place with place, place with velocity, velocity with velocity.
typedef struct { double m[3][3]; } mat;
typedef struct { vec place, velocity; mat pp, pv, vv; double score; unsigned hits; } track;

#define EACH(k) for (int k = 0; k < 3; ++k)
#define AT(r, c) s->m[(r) % 3][(c) % 3]

#pragma acc routine seq
static mat inverted(const mat *s, double *det)
{
    mat out;
    EACH(r)
    EACH(c)
        out.m[c][r] = AT(r + 1, c + 1) * AT(r + 2, c + 2) - AT(r + 1, c + 2) * AT(r + 2, c + 1);
    *det = s->m[0][0] * out.m[0][0] + s->m[0][1] * out.m[1][0] + s->m[0][2] * out.m[2][0];
    EACH(r)
    EACH(c)
        out.m[r][c] /= *det;
    return out;
}

#pragma acc routine seq
static mat product(const mat *a, const mat *b)
{
    mat out;
    EACH(r)
    EACH(c)
        out.m[r][c] = a->m[r][0] * b->m[0][c] + a->m[r][1] * b->m[1][c] + a->m[r][2] * b->m[2][c];
    return out;
}

#pragma acc routine seq
static mat transposed(const mat *a)
{
    mat out;
    EACH(r)
    EACH(c)
        out.m[r][c] = a->m[c][r];
    return out;
}

#pragma acc routine seq
static void predict(track *t)
{
    EACH(r)
    {
        t->place.v[r] += STEP * t->velocity.v[r];
        EACH(c)
            t->pp.m[r][c] += STEP * (t->pv.m[r][c] + t->pv.m[c][r]) + STEP * STEP * t->vv.m[r][c];
    }
    EACH(r)
    {
        EACH(c)
            t->pv.m[r][c] += STEP * t->vv.m[r][c];
        t->pp.m[r][r] += JERK * pow(STEP, 3) / 3;
        t->pv.m[r][r] += JERK * pow(STEP, 2) / 2;
        t->vv.m[r][r] += JERK * STEP;
    }
}

#pragma acc routine seq
static void correct(track *t, const vec *z)
{
    mat s = t->pp;
    vec y;
    double det, d2 = 0.0;
    EACH(r)
    {
        s.m[r][r] += NOISE;
        y.v[r] = z->v[r] - t->place.v[r];
    }
    mat si = inverted(&s, &det);
    EACH(r)
    EACH(c)
        d2 += y.v[r] * si.m[r][c] * y.v[c];
    if (d2 <= GATE) {
        mat vp = transposed(&t->pv), gain = product(&t->pp, &si), swing = product(&vp, &si);
        mat less_pp = product(&gain, &t->pp), less_pv = product(&gain, &t->pv), less_vv = product(&swing, &t->pv);
        EACH(r)
        EACH(c)
        {
            t->place.v[r] += gain.m[r][c] * y.v[c];
            t->velocity.v[r] += swing.m[r][c] * y.v[c];
            t->pp.m[r][c] -= less_pp.m[r][c];
            t->pv.m[r][c] -= less_pv.m[r][c];
            t->vv.m[r][c] -= less_vv.m[r][c];
        }
        t->hits++;
        t->score += d2 + log(det);
    }
}

static void filter(size_t n, const vec *measured, track *tracks)
{
#pragma acc kernels loop independent present(measured[0:SCANS * n], tracks[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        track t = {.place = measured[i], .score = 0.0, .hits = 0};
        EACH(r)
        {
            t.velocity.v[r] = 0.0;
            EACH(c)
            {
                t.pp.m[r][c] = r == c ? NOISE : 0.0;
                t.pv.m[r][c] = 0.0;
                t.vv.m[r][c] = r == c ? 100.0 : 0.0;
            }
        }
        for (size_t scan = 1; scan < SCANS; ++scan) {
            predict(&t);
            correct(&t, &measured[scan * n + i]);
        }
        tracks[i] = t;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TRACKS >> args.shift;
    double *z = NEW(double, SCANS * SEEN * n), sum = 0;
    for (int scan = 0; scan < SCANS; scan++)
        for (int a = 0; a < SEEN; a++)
            for (int i = 0; i < n; i++) {
                double clutter = mix(scan * n + i) % 8 == 0 ? 60 : 4;
                z[(scan * SEEN + a) * n + i] = 1000 * number(3 * i + a) + STEP * scan * 20 * (number(5 * i + a) - 0.5) +
                                               clutter * (number((scan * SEEN + a) * n + i) - 0.5);
            }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *state = NEW(double, STATES * n), *spread = NEW(double, STATES * n), *score = NEW(double, n);
    int *hits = NEW(int, n);
#pragma acc enter data copyin(z[0:SCANS * SEEN * n]) create(state[0:STATES * n], spread[0:STATES * n], score[0:n], hits[0:n])
    while (lap(&t))
        filter(n, z, state, spread, score, hits);
#pragma acc update self(state[0:STATES * n], spread[0:STATES * n], score[0:n], hits[0:n])
    for (int k = 0; k < STATES * n; k++)
        sum += fabs(state[k]) + spread[k];
    for (int i = 0; i < n; i++)
        sum += score[i] + hits[i];
#else
    vec *measured = NEW(vec, SCANS * n);
    track *tracks = NEW(track, n);
    for (int scan = 0; scan < SCANS; scan++)
        for (int i = 0; i < n; i++)
            EACH(a)
                measured[scan * n + i].v[a] = z[(scan * SEEN + a) * n + i];
#pragma acc enter data copyin(measured[0:SCANS * n]) create(tracks[0:n])
    while (lap(&t))
        filter(n, measured, tracks);
#pragma acc update self(tracks[0:n])
    for (int i = 0; i < n; i++) {
        EACH(a)
            sum += fabs(tracks[i].place.v[a]) + fabs(tracks[i].velocity.v[a]) + tracks[i].pp.m[a][a] + tracks[i].vv.m[a][a];
        sum += tracks[i].score + tracks[i].hits;
    }
#endif
    report("kalman", t.best, sum);
    return 0;
}
