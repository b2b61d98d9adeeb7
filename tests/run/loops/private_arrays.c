// Arrays and structs of a thread: indices that unrolling makes constants, copies, parts that stay in memory.
#include <stdio.h>

#define N 100

typedef struct { float x, y; int v[3]; } S;
typedef union { int i; float f; } U;
typedef struct { unsigned a : 3, b : 5; int c; } B;

int main(void)
{
	double r[N];
	S q[N];
	for (int i = 0; i < N; i++)
		q[i] = (S){i, i * 2.0f, {i, 1, i % 7}};
#pragma acc parallel loop copyout(r) copy(q)
	for (int i = 0; i < N; i++) {
		double c[3] = {1, 2, 3}, m[2][3] = {{i}}, z[4] = {0}, w[9], dynamic[5];
		S s = q[i], t = s, u;
		U f;
		B b = {1, 2, 3};
		u = t;
		u.v[1] += 2;
		m[1][0] = c[2];
		*z = 4;
		z[3] += m[1][0] + m[0][0];
		for (int k = 0; k < 9; k++)
			w[k] = i * k + (k == 0 ? 5 : k < 4 ? 1 : c[k % 3]);
		for (int j = 0; j < 2; j++)
			for (int k = 2; k >= 0; k--) {
				if (k == 1)
					continue;
				m[j][k] += w[3 * j + k];
			}
		for (int k = 0; k < 5; k++)
			dynamic[(k * 3 + i) % 5] = k;
		double *p = c;
		p[1] = 3;
		*(c + 2) = 5;
		S parts[2];
		parts[0] = u;
		parts[1] = parts[0];
		parts[1].v[2] = 9;
		f.i = i;
		b.b += 3;
		double sum = f.i + b.a + b.b + b.c;
		for (int k = 0; k < 9; k += 2)
			sum += w[k] * w[8 - k];
		for (int j = 0; j < 2; j++)
			for (int k = 0; k < 3; k++)
				sum = sum * 0.5 + m[j][k] + dynamic[j + k];
		r[i] = sum + z[0] + z[3] + p[0] + c[1] + c[2] + s.x + t.y + u.v[1] + parts[1].v[2] + parts[0].v[2];
		q[i] = parts[1];
	}
	double total = 0;
	for (int i = 0; i < N; i++)
		total = total * 1.001 + r[i] + q[i].x + q[i].v[0] + q[i].v[1] + q[i].v[2];
	printf("%.10g\n", total);
	return 0;
}
