// Gangs without iterations are not started where nobody can tell, and run where somebody can.
// launches: 10
#include <stdio.h>

#pragma acc routine seq
static int twice(int i, int *calls)
{
#pragma acc atomic update
    *calls += 1;
    return 2 * i;
}

int main(void)
{
    static int a[100], b[3][70];
    int n = 10, sum = 0, counted = 0, all = 0, calls = 0, most = -1, start = 5, many = 2000000000;
#pragma acc parallel loop num_gangs(1000000) reduction(+ : sum) copyout(a[0:n])
    for (int i = 0; i < n; i++) {
        a[i] = i;
        sum += i;
    }
#pragma acc parallel num_gangs(1000000) firstprivate(start) copyout(b)
    {
        int offset = start + 1;
        for (int k = 0; k < 3; k++) {
#pragma acc loop gang worker vector
            for (int i = 0; i < 70; i++)
                b[k][i] = i + k + offset;
        }
    }
#pragma acc kernels loop gang(num: 1000000) vector reduction(max : most)
    for (int i = n; i > 0; i -= 3)
        most = i > most ? i : most;
#pragma acc parallel loop num_gangs(1000000) reduction(+ : sum)
    for (int i = n; i < 0; i++)
        sum += i;
    /* Each gang counts. */
#pragma acc parallel num_gangs(300) copy(counted) copyout(a)
    {
#pragma acc atomic update
        counted += 1;
#pragma acc loop gang
        for (int i = 0; i < 10; i++)
            a[i] = i;
    }
#pragma acc parallel num_gangs(300) reduction(+ : all) copyout(a)
    {
        all += 1;
#pragma acc loop gang
        for (int i = 0; i < 10; i++)
            a[i] = i;
    }
#pragma acc parallel num_gangs(300) copy(calls) copy(a)
    {
        int offset = twice(1, &calls);
#pragma acc loop gang
        for (int i = 0; i < 10; i++)
            a[i] += offset;
    }
    /* What the construct reduces, and gang loops alone use. */
    int total = 1, largest = -5, some = 0;
#pragma acc parallel num_gangs(1000000) reduction(+ : total) reduction(max : largest) copy(a)
    {
#pragma acc loop gang reduction(+ : total) reduction(max : largest)
        for (int i = 0; i < n; i += 5) {
#pragma acc loop worker vector reduction(+ : total)
            for (int j = i; j < i + 5; j++) {
                a[j] += j;
                total += j;
            }
            largest = i > largest ? i : largest;
        }
    }
#pragma acc parallel num_gangs(many) reduction(+ : total) copy(a)
    {
#pragma acc loop gang worker vector reduction(+ : total)
        for (int i = 0; i < n; i++)
            total += a[i];
    }
    /* A gang notices what it has before and behind the loop. */
#pragma acc parallel num_gangs(300) reduction(+ : some) copy(a)
    {
#pragma acc loop gang reduction(+ : some)
        for (int i = 0; i < 10; i++)
            some += a[i];
        some += 2;
    }
#ifndef _OPENACC
    some += 2 * 299;
    counted = all = calls = 300;
#endif
    printf("%d %d %d %d %d %d %d %d\n", sum, a[9], b[0][0], b[2][69], most, counted, all, calls);
    printf("%d %d %d\n", total, largest, some);
    return 0;
}
