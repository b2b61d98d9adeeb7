// The copy of a variable that the construct reduces starts from the operator's identity, also where there is one gang.
// expect-output: on_construct_identity.expect
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    int s = 100, m = 3, h[2] = {5, 6}, seen[6];
#pragma acc parallel num_gangs(1) reduction(+ : s, h) reduction(* : m) copyout(seen)
    {
        seen[0] = s + 10 * m;
        s += 2;
        seen[1] = s;
        h[1] += 7;
    }
    printf("%d %d %d %d %d %d\n", s, m, h[0], h[1], seen[0], seen[1]);
#pragma acc serial reduction(+ : s) copy(seen)
    {
        seen[2] = s;
        s += 1;
    }
#pragma acc parallel num_gangs(argc) reduction(+ : s) copy(seen)
    {
        seen[3] = s;
#pragma acc loop vector reduction(+ : s)
        for (int i = 0; i < 10; i++)
            s += i;
        seen[4] = s;
    }
    printf("%d %d %d %d\n", s, seen[2], seen[3], seen[4]);
    return 0;
}
