// Memory that host and devices share is required: devices with memory of their own are left out, and the host does the work.
// cflags: -fopenmp
// expect-output: requires.expect
// launches: 0
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp requires unified_shared_memory atomic_default_mem_order(relaxed)

struct node { int value; struct node *next; };
static int table[100];

int main(void)
{
    int errors = omp_get_num_devices() != 0;
    // Pointers lead to the host's memory, without any clause.
    struct node *list = 0;
    for (int i = 0; i < 5; i++) {
        struct node *more = malloc(sizeof *more);
        more->value = i;
        more->next = list;
        list = more;
    }
    int sum = 0, count = 0;
    #pragma omp target map(tofrom: sum, count)
    for (struct node *at = list; at; at = at->next) {
        #pragma omp atomic
        sum += at->value;
        at->value += 100;
        count++;
    }
    errors += sum != 10 || count != 5 || list->value != 104;
    int *p = malloc(100 * sizeof *p);
    for (int i = 0; i < 100; i++)
        p[i] = i;
    #pragma omp target teams distribute parallel for map(p)
    for (int i = 0; i < 100; i++)
        table[i] = p[i] += 1;
    for (int i = 0; i < 100; i++)
        errors += p[i] != i + 1 || table[i] != i + 1;
    printf("%d errors\n", errors);
    return errors;
}
