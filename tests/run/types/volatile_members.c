// Volatile objects: bit-fields, members of structs and arrays, arguments of routines, values that nobody uses.
// cflags: -Wno-unused-value
// launches: 6
#include <stdio.h>
#include <stdlib.h>
struct bits { volatile unsigned a : 5; volatile int b : 7; int c; };
typedef volatile int vint;
struct deep { volatile struct { int x; double y; } in; volatile int arr[4]; };
static volatile int switch_on = 1;
#pragma acc routine seq
static int poll(volatile int *flag, int times) { int s = 0; for (int i = 0; i < times; i++) s += *flag; return s; }
#pragma acc routine seq
static volatile int *where(volatile int *p, int i) { return &p[i]; }
int main(void)
{
    volatile int n = 64;
    int *volatile vp = malloc(64 * sizeof(int));
    for (int i = 0; i < n; i++) vp[i] = i;
    int out[64];
    struct bits bits[64];
    struct deep deep = {{1, 2.5}, {1, 2, 3, 4}};
    volatile long total = 0;
    volatile unsigned char flag = 1;
    volatile const double scale = 1.5;
    vint arr[64];
    for (int i = 0; i < 64; i++) { bits[i].a = i; bits[i].b = -i; bits[i].c = i; arr[i] = 2 * i; }
#pragma acc parallel loop copyin(vp[0:64], arr) copy(bits) copyout(out) reduction(+:total)
    for (int i = 0; i < n; i++) {
        int x = vp[i] * 2;
        bits[i].a += 1;
        x += bits[i].a + bits[i].b;
        bits[i].b--;
        x += deep.in.x + (int)deep.in.y + deep.arr[i & 3];
        total += x;
        x += poll(&arr[i], 3) + *where(arr, (i + 1) % n);
        if (flag) x += (int)(scale * 2);
        volatile int *q = &arr[i];
        x += *q++;
        volatile struct deep copy = deep;
        copy.in.x += 3;
        x += copy.in.x;
        volatile int m = x;
        int twice = m + m;
        m;
        x = (m, twice);
        x += (m = 3) + (m ? m : 4);
        x += !m + ~m - -m;
        volatile _Bool yes = x;
        x += yes;
        out[i] = x;
    }
    long s = 0;
    for (int i = 0; i < 64; i++) s += out[i] * (i + 1) + bits[i].a + bits[i].b;
    printf("%ld %ld\n", s, total);
    volatile int spin = 0;
#pragma acc serial copy(spin)
    { while (spin < 10) spin++; do { spin += 2; } while (spin < 20); for (; spin > 3; --spin) ; }
    printf("%d\n", spin);
#pragma acc kernels copy(arr)
    for (int i = 0; i < n; i++) arr[i] = arr[i] * arr[i];
    volatile int t = 0;
#pragma acc parallel loop copy(arr) reduction(max:t)
    for (int i = 0; i < n; i++) t = t > arr[i] ? t : arr[i];
    printf("%d %d\n", arr[5], t);
    volatile float fl[64]; for (int i = 0; i < 64; i++) fl[i] = i;
#pragma acc parallel loop gang copy(fl)
    for (int j = 0; j < 4; j++) {
        volatile float acc = 0;
#pragma acc loop vector reduction(+:acc)
        for (int i = 0; i < 16; i++) acc += fl[j * 16 + i];
        fl[j * 16] = acc;
    }
    printf("%g %g\n", fl[0], fl[48]);
#pragma acc parallel loop copy(fl)
    for (int i = 0; i < n; i++) { volatile float z = fl[i]; fl[i] = z * scale + (switch_on ? z : 0); }
    printf("%g %g\n", fl[1], fl[63]);
    volatile int one = 1;
    int hits = 0;
#pragma acc parallel copy(hits) num_gangs(one) vector_length(one + 31)
    { 
#pragma acc loop reduction(+:hits)
      for (int i = 0; i < n; i += one) hits += one; }
    printf("%d\n", hits);
    return 0;
}
