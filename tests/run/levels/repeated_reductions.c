// Reductions that run again and again: in sequential loops, for arrays, of several kinds at once, over all levels.
// launches: 4
#include <stdbool.h>
#include <stdio.h>

int main(void)
{
    enum { N = 333 };
    int x[N], rows[20], nested[20], histogram[10] = { 0 }, mapped = 7, shapes[4][3] = { { 0 } };
    for (int i = 0; i < N; i++)
        x[i] = i * 37 % 101;
#pragma acc parallel num_gangs(1) vector_length(96) copyin(x) copyout(rows)
    for (int r = 0; r < 20; r++) {
        int sum = r, least = 1000;
        bool all = true;
#pragma acc loop vector reduction(+ : sum) reduction(min : least) reduction(&& : all)
        for (int i = r; i < N; i++) {
            sum += x[i];
            least = x[i] < least ? x[i] : least;
            all = all && x[i] < 100;
        }
        rows[r] = sum * 1000 + least * 2 + all;
    }
#pragma acc parallel loop gang num_workers(3) vector_length(64) copyin(x) copyout(nested)
    for (int r = 0; r < 20; r++) {
        int outer = 0;
#pragma acc loop worker reduction(+ : outer)
        for (int i = 0; i < 9; i++) {
            int inner = 1;
#pragma acc loop vector reduction(max : inner)
            for (int j = i; j < N; j += 9)
                inner = x[j] - r > inner ? x[j] - r : inner;
            int odd = 0;
#pragma acc loop vector reduction(^ : odd)
            for (int j = 0; j < N; j++)
                odd ^= x[j] + i;
            outer += inner + odd;
        }
        nested[r] = outer;
    }
#pragma acc parallel loop gang worker vector num_gangs(7) num_workers(2) vector_length(64) copyin(x) copy(histogram, mapped) \
    reduction(+ : histogram, mapped)
    for (int i = 0; i < N; i++) {
        histogram[x[i] % 10]++;
        mapped += x[i];
    }
#pragma acc parallel num_gangs(3) copyin(x) copy(shapes) reduction(+ : shapes)
    {
        shapes[3][2] += 1;
#pragma acc loop gang
        for (int i = 0; i < N; i++)
            shapes[i % 4][i % 3] += x[i];
        shapes[3][2] -= 1;
    }
    for (int r = 0; r < 20; r++)
        printf("%d %d\n", rows[r], nested[r]);
    for (int i = 0; i < 10; i++)
        printf("%d ", histogram[i]);
    printf("%d", mapped);
    for (int i = 0; i < 12; i++)
        printf(" %d", shapes[i / 3][i % 3]);
    printf("\n");
    return 0;
}
