// Routines of another file that use variables outside of functions, which it, this file, or both declare.
// with: across_files_globals.part.c
// launches: 5
#include <stdio.h>
#include <stdlib.h>

#define N 60

typedef struct {
    double gravity;
    int steps[3];
} settings;

// Of the other file.
extern settings shared;
extern double *field;
#pragma acc declare create(shared, field)

// Of this file, used by both.
double table[16];
#pragma acc declare create(table)

#pragma acc routine seq
double at(int i);
#pragma acc routine seq
double based(int i);
#pragma acc routine seq
void raise(int i);
#pragma acc routine seq
double weight(int i);
#pragma acc routine vector
void scale(double *row, int n);
void set_up(int n);
void tear_down(void);

// The other file has a variable of this name, too.
static int hidden = 1000;
#pragma acc declare copyin(hidden)

// The other file calls it, and the region below does, too.
#pragma acc routine seq
double base(int i) { return 2 * table[i & 15]; }

int main(void)
{
    double out[N], sum = 0;
    for (int i = 0; i < 16; i++) table[i] = i;
#pragma acc update device(table)
    set_up(N);
#pragma acc parallel loop reduction(+ : sum) copyout(out)
    for (int i = 0; i < N; i++) {
        out[i] = at(i) + table[i % 16] + hidden;
        sum += weight(i);
    }
    printf("%g\n", sum);
    shared.gravity = 3;
#pragma acc update device(shared.gravity)
#pragma acc parallel loop gang copy(out)
    for (int i = 0; i < N / 10; i++) scale(out + 10 * i, 10);
#pragma acc kernels copy(out)
    {
        for (int i = 0; i < N; i++) out[i] += weight(i);
        for (int i = 0; i < 16; i++) table[i] += 2;
    }
#pragma acc parallel loop copy(out)
    for (int i = 0; i < N; i++) out[i] += at(i);
#pragma acc serial copy(out)
    for (int i = 0; i < N; i++) {
        // Both files mean the same memory.
        table[i & 15] += i;
        raise(i);
        out[i] += base(i) - based(i + 1) + table[i & 15];
        table[(i + 1) & 15] = out[i];
    }
    tear_down();
    for (int i = 0; i < N; i += 7) printf("%g\n", out[i]);
    return 0;
}
