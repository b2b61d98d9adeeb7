// What becomes of `tile` and `cache`: the shape of blocks, tiles of iterations on cores, and elements that a gang loads once.
// launches: 3
enum { N = 256 };
static float a[N][N], b[N][N], x[N], y[N];

int main(void) {
#pragma acc data copyin(a, x) copyout(b, y)
    {
        // 8 rows of 32 columns: the clause begins with the innermost loop.
#pragma acc parallel loop tile(32, 8)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) b[i][j] = a[i][j] + 1;
        // Along the columns as well: as many threads in fewer columns.
#pragma acc parallel loop gang vector tile(32, 4)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) b[j][i] = a[i][j] + 2;
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            float s = 0;
            for (int k = 0; k < N; k++) {
#pragma acc cache(x[k])
                s += a[k][i] * x[k];
            }
            y[i] = s;
        }
    }
    return b[3][2] == 2 && y[0] == 0 ? 0 : 1;
}
