// What the routines of across_files_globals.c use.
#include <stdlib.h>

typedef struct {
    double gravity;
    int steps[3];
} settings;

settings shared;
double *field;
#pragma acc declare create(shared, field)

extern double table[16];
#pragma acc declare create(table)

static const double weights[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static int hidden = 3;
#pragma acc declare copyin(weights, hidden)

static double looked_up(int k) { return table[k & 15] + hidden; }

#pragma acc routine seq
double weight(int i) { return weights[i % 9]; }

#pragma acc routine seq
double base(int i);

#pragma acc routine seq
double based(int i) { return base(i) + table[i & 15]; }

#pragma acc routine seq
void raise(int i) { table[i & 15] *= 0.5; }

#pragma acc routine seq
double at(int i) { return field[i] * shared.gravity + looked_up(i) + shared.steps[1]; }

#pragma acc routine vector
void scale(double *row, int n)
{
#pragma acc loop vector
    for (int i = 0; i < n; i++) row[i] *= weights[i % 9] * shared.gravity;
}

static int length;

void set_up(int n)
{
    length = n;
    shared.gravity = 2;
    shared.steps[1] = 7;
    field = malloc(n * sizeof *field);
    for (int i = 0; i < n; i++) field[i] = i % 7;
#pragma acc update device(shared)
#pragma acc enter data copyin(field[0:n])
}

void tear_down(void)
{
#pragma acc exit data delete(field[0:length])
    free(field);
}
