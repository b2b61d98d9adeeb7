// Reductions whose iterations take several ways, all lanes of a gang together: found by random nests (seed 41, 32 and 40). PoCL merges the ways
// of such a kernel wrongly when it optimises it.
// modes: opencl (it is about the compiler of PoCL, and others run random nests)
// launches: 2
#include <stdio.h>

static volatile int zero;

#pragma acc routine seq
static void fill(unsigned long *p, int at)
{
    for (unsigned long k = 0; k < 8; k++)
        p[k] = (unsigned long)((at * 3 + (int)k * 29) & 63);
}

#pragma acc routine seq
static unsigned long total(const unsigned long *p)
{
    unsigned long t = 0;
    for (unsigned char k = 0; k < 8; k++)
        t += p[k] * (unsigned long)(k % 2 + 1);
    return t;
}

static void product(const unsigned char *src, signed char *out_s1, unsigned *out_s2, unsigned long *out)
{
    signed char s1[5] = {7, 7, 7, 7, 7};
    unsigned s2 = 0xfffffff5u;
    int n3 = zero + 127;
    int n7 = zero + 45;
#pragma acc parallel loop gang worker reduction(&:s2) reduction(*:s1[3:2]) copy(out[0:127]) vector_length(1) copyin(src[0:1024])
    for (short i = 1; i <= n3; ++i) {
        {
            unsigned long w[8];
            fill(w, (int)(((int)(i - 1)) & 1023));
            unsigned long v = total(w);
            out[(int)(i - 1)] = v;
        }
        if ((int)(((int)(i - 1) * 1 + 34) & 63) % 2 == 1) {
            s1[3 + (int)(((int)(i - 1) * 29 + 59) & 63) % 2] =
                s1[3 + (int)(((int)(i - 1) * 29 + 59) & 63) % 2] *
                (signed char)(((int)(i - 1)) == 81 ? 2 : src[((int)(i - 1) * 3 + 30 + n7) & 1023] % 2 ? -1 : 1);
        }
        s2 = s2 & (unsigned)~((unsigned long long)(((int)(i - 1)) % 25 == 3) << src[((int)(i - 1) * 1 + 7) & 1023] % 32);
    }
    for (int k = 0; k < 5; k++)
        out_s1[k] = s1[k];
    *out_s2 = s2;
}

/* Vector loops in one lane's work, with none and with one iteration. */
static void sums(const unsigned char *src, unsigned *out)
{
    int n12 = zero + 3;
    int n19 = zero;
    int all = 1;
#pragma acc parallel loop gang copyin(src[0:1024]) copy(out[0:384]) reduction(&&:all)
    for (int i = 0; i < 128; i++) {
        unsigned long long p5 = 1;
#pragma acc loop worker reduction(max:p5)
        for (long long j = 1; j <= n12; ++j) {
            _Bool p14 = 0;
            unsigned p15 = 5;
#pragma acc loop vector reduction(max:p5) reduction(||:p14) reduction(+:p15)
            for (int k = 0; k < 1; k++) {
                p14 = p14 || (i * 3 + (int)(j - 1) + k == 473);
                p15 += (unsigned)(src[(i * 11 + (int)(j - 1) * 11 + k * 11 + 40) & 1023] * 0x9e3779b9u);
                p5 = p5 > (unsigned long long)(i % 201) ? p5 : (unsigned long long)(i % 201);
            }
#pragma acc loop vector reduction(||:p14) reduction(+:p15)
            for (int k = -3; k < n19 * 2 - 3; k += 2) {
                p14 = p14 || (k == 416);
                p15 += (unsigned)k;
            }
            p15 += (unsigned)(src[(i + (int)(j - 1) * 7 + 35) & 1023] * 0x9e3779b9u);
            if (src[(i + (int)(j - 1) * 5 + 63) & 1023] % 7 == 1)
                p5 = p5 > (unsigned long long)p14 ? p5 : (unsigned long long)p14;
            out[i * 3 + (int)(j - 1)] = p15;
        }
        all = all && p5 != 126;
    }
    out[0] += (unsigned)all;
}

int main(void)
{
    static unsigned char src[1024];
    static unsigned long first[127];
    static unsigned second[384];
    signed char s1[5];
    unsigned s2;
    for (int k = 0; k < 1024; k++)
        src[k] = (unsigned char)(k * 37 % 61);
    product(src, s1, &s2, first);
    for (int k = 0; k < 5; k++)
        printf("%d ", s1[k]);
    printf("%x\n", s2);
    sums(src, second);
    for (int k = 0; k < 127; k++)
        printf("%lu ", first[k]);
    for (int k = 0; k < 384; k++)
        printf("%x%c", second[k], k % 8 == 7 ? '\n' : ' ');
    return 0;
}
