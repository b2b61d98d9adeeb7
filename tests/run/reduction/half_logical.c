// Truth values in arrays of _Float16 that the lanes of several workers reduce: NVIDIA's assembler lost their conversion to
// numbers once, in this shape.
// needs-clang: 15 (older ones have no _Float16 on x86-64)
#include <stdio.h>

enum { N = 200, MOST = 7 };

int main(void)
{
    static unsigned char src[1024];
    static _Float16 out[N * MOST * 2];
    double sum = -77;
    signed char most = -100;
    for (int k = 0; k < 1024; k++)
        src[k] = k * 37 % 61;
#pragma acc parallel copy(out, most) copyin(src) num_workers(4) num_gangs(128) reduction(+:sum)
    {
#pragma acc loop reduction(max:most) reduction(+:sum)
        for (long i = N - 1; i >= 0; i--) {
#pragma acc loop worker reduction(+:sum) reduction(max:most)
            for (unsigned j = 0; j < ((int)i * 7 + 3) % 8; j++) {
                _Float16 p[2];
                p[0] = 1;
                p[1] = 1;
#pragma acc loop vector reduction(+:sum) reduction(||:p)
                for (long k = 0; k < 0; k++) {
                    p[src[(int)(i * 11 + j + k) & 1023] % 2] = p[src[(int)(i * 11 + j + k) & 1023] % 2] || k == 104;
                    sum += (double)((int)(i * 3 + j + k) & 63);
                }
                out[(i * MOST + j) * 2 + 0] = p[0];
                out[(i * MOST + j) * 2 + 1] = p[1];
                most = (signed char)(src[(i * 7 + j + 3) & 1023]) > most ? (signed char)(src[(i * 7 + j + 3) & 1023]) : most;
            }
        }
    }
    int ones = 0, others = 0;
    for (int k = 0; k < N * MOST * 2; k++) {
        ones += out[k] == 1;
        others += out[k] != 1 && out[k] != 0;
    }
    printf("%d %d %g %d\n", ones, others, sum, most);
    return 0;
}
