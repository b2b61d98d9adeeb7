// Many clauses and very long lines.
#include <stdio.h>

#define D(n) int v##n[4] = {n, n + 1, n + 2, n + 3}
#define S(n) v##n[i]

int main(void)
{
    D(0); D(1); D(2); D(3); D(4); D(5); D(6); D(7); D(8); D(9);
    D(10); D(11); D(12); D(13); D(14); D(15); D(16); D(17); D(18); D(19);
    int out[4];
#pragma acc parallel loop copyin(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9) copyin(v10) copyin(v11) copyin(v12) copyin(v13) copyin(v14) copyin(v15) copyin(v16) copyin(v17) copyin(v18) copyin(v19) copyout(out)
    for (int i = 0; i < 4; i++)
        out[i] = S(0) + S(1) * S(2) - S(3) + S(4) * S(5) - S(6) + S(7) * S(8) - S(9) + S(10) * S(11) - S(12) + S(13) * S(14) - S(15) + S(16) * S(17) - S(18) + S(19);
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    return 0;
}
