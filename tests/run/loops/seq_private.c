// `private` on loops with `seq` that are left by a jump, are not in canonical form, or change their bound: scalars, arrays and structs.
#include <stdio.h>

struct pair {
    int a, b;
};

int main(void)
{
    enum { N = 40 };
    int found[N], sums[N], counts[N], t = -1, w[3] = {7, 8, 9};
    struct pair s = {5, 6};
#pragma acc parallel loop gang vector copyout(found, sums, counts)
    for (int i = 0; i < N; i++) {
        int end = i % 9, sum = 0, count = 0;
        found[i] = -1;
#pragma acc loop seq private(t)
        for (int j = 0; j < 30; j++) {
            t = j * j % 31;
            if (t == i % 31) {
                found[i] = j;
                break;
            }
        }
#pragma acc loop seq private(s, w)
        for (int j = i; j > 0; j /= 2) {
            s = (struct pair){j, 2 * j};
            w[j % 3] = s.b;
            sum += s.a + w[j % 3];
        }
#pragma acc loop seq private(t)
        for (int j = 0; j < end; j++) {
            t = j % 2;
            count++;
            if (t)
                end--;
        }
        sums[i] = sum;
        counts[i] = count;
    }
    for (int i = 0; i < N; i++)
        printf("%d %d %d\n", found[i], sums[i], counts[i]);
    return 0;
}
