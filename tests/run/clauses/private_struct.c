// Private structs and pointers.
// expect-output: private_struct.expect
#include <stdio.h>

struct acc_state {
    int n;
    double v[3];
};

int main(void)
{
    double out[30];
    int data[30], *p = 0;
    struct acc_state st = {1, {2, 3, 4}};
    for (int i = 0; i < 30; i++)
        data[i] = i;
#pragma acc parallel loop private(st, p) copyin(data) copyout(out)
    for (int i = 0; i < 30; i++) {
        p = &data[i];
        st.n = *p;
        for (int k = 0; k < 3; k++)
            st.v[k] = st.n * k;
        out[i] = st.v[0] + st.v[1] + st.v[2];
    }
    for (int i = 0; i < 30; i++)
        printf("%g ", out[i]);
    printf("%d %g %d\n", st.n, st.v[2], p == 0);
    return 0;
}
