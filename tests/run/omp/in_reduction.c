// Regions take part in the reductions of tasks around them: each has its thread's own variable, which the group brings together.
// cflags: -fopenmp
// launches: 9
#include <stdio.h>

struct pair { int a, b; };

int main(void) {
    int sum = 100, errors = 0;
    double product[2] = {1, 2}, mapped = 0;
    #pragma omp parallel num_threads(4)
    #pragma omp single
    {
        #pragma omp taskgroup task_reduction(+: sum)
        for (int k = 0; k < 4; k++) {
            #pragma omp task in_reduction(+: sum)
            sum += 1000;
            #pragma omp task firstprivate(k)
            {
                #pragma omp target in_reduction(+: sum) nowait
                sum += k;
            }
        }
    }
    errors += sum != 4106;
    #pragma omp parallel num_threads(3) reduction(task, *: product[0:2]) reduction(task, +: mapped)
    #pragma omp single
    {
        for (int k = 1; k < 4; k++)
            #pragma omp target in_reduction(*: product[0:2]) in_reduction(+: mapped)
            {
                product[1] *= k;
                mapped += product[1] > 0;
            }
    }
    errors += product[0] != 1 || product[1] != 12 || mapped != 3;
    long all = 5;
    #pragma omp taskgroup task_reduction(+: all)
    {
        #pragma omp target teams distribute parallel for in_reduction(+: all) reduction(+: all)
        for (int i = 0; i < 1000; i++)
            all += i;
        if (errors < 100)
            #pragma omp target in_reduction(+: all)
            all += 7;
    }
    errors += all != 499512;
    printf("%d errors\n", errors);
    return errors;
}
