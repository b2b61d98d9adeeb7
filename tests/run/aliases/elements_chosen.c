// Elements of a thread's arrays and structs that a variable index chooses, with constants added before and behind it: into the next row, back
// from the end, and from fields of a struct to those behind it, with something else beside them.
#include <stdio.h>

enum { N = 90 };

typedef struct { double x, y; } pair;
typedef struct { pair first; double z; int n; pair second; } mixed;
typedef struct { float a[2]; pair p[2]; long n; } nested;
typedef struct { pair u, v; } both;

int main(void)
{
    static int kind[N];
    static double rows[N], ends[N], fields[N], parts[N], pairs[N];
    double sum = 0;
    for (int i = 0; i < N; i++)
        kind[i] = i * 7 % 5;
#pragma acc parallel loop copyin(kind) copyout(rows)
    for (int k = 0; k < N; k++) {
        double m[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                m[i][j] = 10 * i + j + k;
        double *p = &m[0][0] + (unsigned)kind[k] % 3;
        rows[k] = p[3] * 100 + p[6] + p[0];
        p[3] = 5;
        rows[k] += m[1][0] * 3 + m[1][1] * 7 + m[1][2] * 11;
    }
#pragma acc parallel loop copyin(kind) copyout(ends)
    for (int k = 0; k < N; k++) {
        double a[6];
        for (int i = 0; i < 6; i++)
            a[i] = i * i + k;
        double *p = a + 6, *q = a + 2;
        p -= kind[k] % 3;
        q += kind[k] % 2 - 1;
        ends[k] = p[-1] + 3 * p[-3] + 7 * q[2];
        p[-2] = 4;
        q[-1] += 2;
        for (int i = 0; i < 6; i++)
            ends[k] += (i + 1) * a[i];
    }
#pragma acc parallel loop copyin(kind) copyout(fields)
    for (int k = 0; k < N; k++) {
        mixed s = {{k, 2}, k * 3, kind[k], {1, 4}};
        double *p = &s.first.x;
        p[2] += 100;
        p[1] += 7;
        fields[k] = s.z * 10 + s.first.y + s.n + p[2];
        s.second = s.first;
        fields[k] += s.second.x - 3 * s.second.y;
    }
#pragma acc parallel loop copyin(kind) copyout(parts)
    for (int k = 0; k < N; k++) {
        nested s = {{1, 2}, {{3, 4}, {5, 6}}, kind[k]};
        double *q = &s.p[0].x + kind[k] % 2;
        q[2] += k;
        q[0] *= 2;
        s.a[s.n % 2] += (float)q[1];
        nested t = s;
        t.p[kind[k] % 2].y -= 1;
        parts[k] = s.p[0].x + 2 * s.p[0].y + 3 * s.p[1].x + 5 * s.p[1].y + 7 * s.a[0] + 11 * s.a[1] + t.p[0].y + 13 * t.p[1].y + (double)t.n;
    }
#pragma acc parallel loop copyin(kind) copyout(pairs)
    for (int k = 0; k < N; k++) {
        both w = {{k, 2}, {3, 4}};
        double *p = &w.u.x, *q = &w.u.x + (kind[k] & 1);
        p[kind[k] % 4] += 10;
        q[2] *= 3;
        w.u.y -= w.v.x;
        pairs[k] = w.u.x + 2 * w.u.y + 3 * w.v.x + 5 * w.v.y;
    }
    for (int k = 0; k < N; k++)
        sum += pairs[k] * (1 + k % 13) + rows[k] * (1 + k % 3) + ends[k] * (1 + k % 5) + fields[k] * (1 + k % 7) + parts[k] * (1 + k % 11);
    printf("%.12g\n", sum);
    return 0;
}
