// Members of a struct in data clauses: a member array and a member scalar.
// launches: 2
#include <stdio.h>

struct state {
    int n;
    double v[10];
    double sum;
};

int main(void)
{
    struct state s = {10, {0}, 0};
    int n = s.n;
#pragma acc parallel loop copy(s.v) firstprivate(n)
    for (int i = 0; i < n; i++)
        s.v[i] = i * 1.5;
#pragma acc data copyin(s.v[0:10]) copyout(s.sum)
    {
#pragma acc serial present(s.v, s.sum)
        {
            s.sum = 0;
            for (int i = 0; i < 10; i++)
                s.sum += s.v[i];
        }
    }
    printf("%d %g %g\n", s.n, s.v[9], s.sum);
    return 0;
}
