// Who runs what: `target parallel for`, loops that bind, plain and sequential regions, `distribute` with `parallel for` and `simd`
// inside, several loops in one region, functions, atomic updates.
// cflags: -fopenmp
// launches: 15
#include <stdio.h>

#define ROWS 37
#define COLUMNS 90

static float m[ROWS][COLUMNS], v[COLUMNS], w[ROWS];

static float dot(const float *a, const float *b, int n) {
    float s = 0;
    #pragma omp simd reduction(+: s)
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

static void print(const char *name) {
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
        sum += w[i] * (i + 1);
    printf("%s %.3f\n", name, sum);
}

int main(void) {
    for (int j = 0; j < COLUMNS; j++) {
        v[j] = j % 5 - 2;
        for (int i = 0; i < ROWS; i++)
            m[i][j] = (i * j) % 9;
    }

    #pragma omp target parallel for map(to: m, v) map(from: w)
    for (int i = 0; i < ROWS; i++) {
        float s = 0;
        for (int j = 0; j < COLUMNS; j++)
            s += m[i][j] * v[j];
        w[i] = s;
    }
    print("parallel for");

    #pragma omp target teams distribute map(to: m, v) map(from: w)
    for (int i = 0; i < ROWS; i++) {
        float s = 1;
        #pragma omp parallel for reduction(+: s)
        for (int j = 0; j < COLUMNS; j++)
            s += m[i][j] * v[j];
        w[i] = s;
    }
    print("distribute, parallel for");

    #pragma omp target teams distribute parallel for map(to: m, v) map(from: w) num_threads(8)
    for (int i = 0; i < ROWS; i++) {
        float s = 2;
        #pragma omp simd reduction(+: s)
        for (int j = 0; j < COLUMNS; j++)
            s += m[i][j] * v[j];
        w[i] = s;
    }
    print("parallel for, simd");

    #pragma omp target teams distribute map(tofrom: m) num_teams(8)
    for (int i = 0; i < ROWS; i++) {
        #pragma omp parallel for simd
        for (int j = 0; j < COLUMNS; j++)
            m[i][j] += 1;
        m[i][0] = 0;
        #pragma omp parallel for schedule(dynamic, 2)
        for (int j = COLUMNS - 1; j > 0; j--)
            m[i][j] -= 1;
    }
    #pragma omp target teams loop map(to: m, v) map(from: w)
    for (int i = 0; i < ROWS; i++)
        w[i] = dot(m[i], v, COLUMNS);
    print("teams loop");

    #pragma omp target teams loop collapse(2) map(tofrom: m)
    for (int i = 0; i < ROWS; i++)
        for (int j = 1; j < COLUMNS; j += 2)
            m[i][j] *= 2;
    #pragma omp target
    #pragma omp teams
    #pragma omp distribute
    for (int i = 0; i < ROWS; i++) {
        float s = 0;
        #pragma omp parallel loop reduction(+: s)
        for (int j = 0; j < COLUMNS; j++)
            s += m[i][j];
        w[i] = s;
    }
    print("loop");

    // A region of one thread, and one with lanes.
    int steps = 0;
    #pragma omp target map(tofrom: w, steps)
    {
        float carry = 0;
        for (int i = 0; i < ROWS; i++) {
            carry += w[i];
            w[i] = carry;
            steps++;
        }
    }
    print("sequential");
    printf("steps %d\n", steps);
    #pragma omp target simd map(tofrom: w) simdlen(8)
    for (int i = 0; i < ROWS; i++)
        w[i] = w[i] * 0.5f + i;
    print("simd");

    // Two loops and what is between them in one region.
    float largest = 0;
    #pragma omp target map(tofrom: w) map(tofrom: largest)
    {
        float scale = 2;
        #pragma omp parallel for
        for (int i = 0; i < ROWS; i++)
            w[i] *= scale;
        scale = 3;
        #pragma omp parallel for reduction(max: largest) num_threads(4)
        for (int i = 0; i < ROWS; i++)
            if (w[i] * scale > largest)
                largest = w[i] * scale;
        w[0] = largest;
    }
    print("two loops");
    #pragma omp target parallel map(tofrom: w)
    {
        #pragma omp for
        for (int i = 0; i < ROWS; i++)
            w[i] += 1;
        #pragma omp for nowait
        for (int i = 0; i < ROWS; i++)
            w[i] *= 0.25f;
    }
    print("parallel");

    // Atomic updates of mapped scalars and arrays.
    int count = 0, bins[4] = {0}, last = -1, order = 0;
    #pragma omp target teams distribute parallel for collapse(2) map(tofrom: count, bins) map(to: m)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            if (m[i][j] > 3) {
                #pragma omp atomic
                count++;
            }
            #pragma omp atomic update
            bins[(i + j) % 4] += 1;
        }
    #pragma omp target teams distribute parallel for map(tofrom: order, last)
    for (int i = 0; i < 100; i++) {
        int mine;
        #pragma omp atomic capture
        mine = order++;
        if (mine == 99) {
            #pragma omp atomic write
            last = 1;
        }
    }
    printf("atomic %d %d %d %d %d\n", count, bins[0], bins[3], order, last);

    // private, firstprivate and shared on inner constructs.
    int t = 5;
    #pragma omp target teams distribute map(from: w) private(t)
    for (int i = 0; i < ROWS; i++) {
        t = i;
        float part = 0;
        #pragma omp parallel for firstprivate(t) reduction(+: part) shared(i)
        for (int j = 0; j < 10; j++) {
            part += t + j;
            t = i;
        }
        w[i] = part + t;
    }
    print("private");

    // Nested parallel regions have one thread.
    #pragma omp target teams distribute parallel for map(from: w)
    for (int i = 0; i < ROWS; i++) {
        float s = 0;
        #pragma omp parallel for reduction(+: s)
        for (int j = 0; j < i; j++)
            s += j;
        w[i] = s;
    }
    print("nested");
    return 0;
}
