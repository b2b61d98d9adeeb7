// The 8 nearest of 4096 points for each of 32768 queries in 4 dimensions, float, kept in order in private arrays.
#include "../kernels.h"

enum { QUERIES = 1 << 15, POINTS = 1 << 12, NEAREST = 8 };

#if SPELLING == 1
static void nearest(int n, int m, const float *restrict query, const float *restrict point, float *restrict distance,
                    int *restrict index)
{
#pragma acc parallel loop present(query[0:4 * n], point[0:4 * m], distance[0:NEAREST * n], index[0:NEAREST * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float best[NEAREST];
        int where[NEAREST];
        for (int k = 0; k < NEAREST; k++)
            best[k] = 1e30f, where[k] = -1;
        for (int j = 0; j < m; j++) {
            float d = 0;
            for (int c = 0; c < 4; c++) {
                float e = query[4 * i + c] - point[4 * j + c];
                d += e * e;
            }
            if (d < best[NEAREST - 1]) {
                int k = NEAREST - 1;
                while (k > 0 && best[k - 1] > d) {
                    best[k] = best[k - 1];
                    where[k] = where[k - 1];
                    k--;
                }
                best[k] = d;
                where[k] = j;
            }
        }
        for (int k = 0; k < NEAREST; k++) {
            distance[k * n + i] = best[k];
            index[k * n + i] = where[k];
        }
    }
}
#elif SPELLING == 3
typedef struct { float a, b, c, d; } quad;
typedef struct { float dist; int id; } hit;
static void nearest(int nq, int np, const float *query, const float *point, float *distance, int *index)
{
    const quad *Q = (const quad *)query, *P = (const quad *)point;
#pragma acc parallel loop gang vector vector_length(64) present(Q[0:nq], P[0:np], distance[0:NEAREST * nq], index[0:NEAREST * nq])
    for (int q = 0; q < nq; q++) {
        hit best[NEAREST];
        const quad me = Q[q];
        for (int k = 0; k < NEAREST; k++) {
            best[k].dist = INFINITY;
            best[k].id = -1;
        }
        for (int j = 0; j < np; j++) {
            float da = me.a - P[j].a, db = me.b - P[j].b, dc = me.c - P[j].c, dd = me.d - P[j].d;
            hit h = {da * da + db * db + dc * dc + dd * dd, j};
            if (!(h.dist < best[NEAREST - 1].dist))
                continue;
            best[NEAREST - 1] = h;
            for (int k = NEAREST - 1; k > 0; k--)
                if (best[k].dist < best[k - 1].dist) {
                    hit t = best[k];
                    best[k] = best[k - 1];
                    best[k - 1] = t;
                }
        }
        for (int k = 0; k < NEAREST; k++) {
            distance[k * nq + q] = best[k].dist;
            index[k * nq + q] = best[k].id;
        }
    }
}
#else
struct found {
    float distance;
    int index;
};

typedef struct {
    float at[4];
} place;

static inline float between(place a, place b)
{
    float sum = 0;
    for (size_t c = 0; c < 4; ++c)
        sum += (a.at[c] - b.at[c]) * (a.at[c] - b.at[c]);
    return sum;
}

static void insert(struct found *list, struct found it)
{
    for (int k = 0; k < NEAREST; ++k)
        if (it.distance < list[k].distance) {
            struct found other = list[k];
            list[k] = it;
            it = other;
        }
}

static void nearest(size_t n, size_t m, place *query, place *point, float *distance, int *index)
{
#pragma acc parallel loop gang vector present(query[0:n], point[0:m], distance[0:NEAREST * n], index[0:NEAREST * n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        struct found list[NEAREST];
        place own = query[i];
        for (int k = 0; k < NEAREST; ++k)
            list[k] = (struct found){1e30f, -1};
        for (size_t j = 0; j < m; ++j) {
            struct found it = {between(own, point[j]), (int)j};
            if (it.distance < list[NEAREST - 1].distance)
                insert(list, it);
        }
        for (int k = 0; k < NEAREST; ++k)
            distance[k * n + i] = list[k].distance, index[k * n + i] = list[k].index;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = QUERIES >> args.shift, m = POINTS >> args.shift / 2, *index = NEW(int, NEAREST * n);
    float *query = NEW(float, 4 * n), *point = NEW(float, 4 * m), *distance = NEW(float, NEAREST * n);
    double sum = 0;
    for (int k = 0; k < 4 * n; k++)
        query[k] = mix(k) / 4294967296.0;
    for (int k = 0; k < 4 * m; k++)
        point[k] = mix(k + 1000003) / 4294967296.0;
#pragma acc enter data copyin(query[0:4 * n], point[0:4 * m]) create(distance[0:NEAREST * n], index[0:NEAREST * n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1 || SPELLING == 3
        nearest(n, m, query, point, distance, index);
#else
        nearest(n, m, (place *)query, (place *)point, distance, index);
#endif
    }
#pragma acc update self(distance[0:NEAREST * n], index[0:NEAREST * n])
    for (int k = 0; k < NEAREST * n; k++)
        sum += distance[k] + index[k] % 97;
    report("knn", t.best, sum);
    return 0;
}
