// `ordered` in functions that loops with the clause call.
// cflags: -fopenmp
// expect-output: ordered_functions.expect
// launches: 2
#include <stdio.h>

static int log_[64], count;
#pragma omp declare target enter(log_, count)

static void note(int value) {
    #pragma omp ordered
    log_[count++] = value;
}

static void twice(int value) {
    note(value);
    for (int k = 0; k < 1; k++)
        value++;
}

int main(void) {
    int squares[64], errors = 0;
    #pragma omp target parallel for ordered map(from: squares)
    for (int i = 0; i < 40; i++) {
        squares[i] = i * i;
        twice(squares[i]);
    }
    #pragma omp target update from(log_, count)
    for (int i = 0; i < 40; i++)
        errors += log_[i] != i * i;
    errors += count != 40;
    #pragma omp target map(from: squares)
    #pragma omp parallel
    {
        #pragma omp for ordered
        for (int i = 0; i < 8; i++)
            note(-i);
        #pragma omp for
        for (int i = 0; i < 8; i++)
            squares[i] = log_[40 + i];
    }
    for (int i = 0; i < 8; i++)
        errors += squares[i] != -i;
    printf("%d errors\n", errors);
    return errors;
}
