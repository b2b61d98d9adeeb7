// What nothing is made of is said.
// launches: 2
#pragma acc routine seq nohost
static int next(int x) { return x + 1; }

void shift(int n, int *restrict a, const int *restrict b) {
#pragma acc parallel loop gang copy(a[0:n]) copyin(b[0:n + 1])
    for (int i = 0; i < n; i++) {
#pragma acc cache(b[i:2])
        if (a[i] > 0) {
#pragma acc cache(a[i])
            a[i] = next(b[i]) + b[i + 1];
        }
    }
#pragma acc kernels copy(a[0:n])
#pragma acc loop tile(4) gang(static: 2)
    for (int i = 0; i < n; i++) a[i] *= 2;
}

int main(void) {
    int a[10], b[11] = {0};
    for (int i = 0; i < 10; i++) a[i] = i;
    shift(10, a, b);
    return a[9] == 2 ? 0 : 1;
}
