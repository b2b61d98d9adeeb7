// Objects and functions that cannot move between threads.
// cflags: -fopenmp
struct list { int n, *items; };
struct bits { int a : 3, b : 5; };
struct large { int n[100]; };
int base = 3;
static int up(int n) { return n > 0 ? 1 + up(n - 1) : 0; }
static int add(int a, int b) { return a + b - base; }
#pragma omp declare target(base)
#pragma omp declare reduction(join: struct list: omp_out.n += omp_in.n)
#pragma omp declare reduction(join: struct bits: omp_out.a += omp_in.a)
#pragma omp declare reduction(join: struct large: omp_out.n[0] += omp_in.n[0])
#pragma omp declare reduction(add: int: omp_out = add(omp_out, omp_in))
#pragma omp declare reduction(up: int: omp_out = up(omp_out) + up(omp_in))
#pragma omp declare reduction(sum: int: omp_out += omp_in)

void f(int n, struct list l, struct bits b, struct large t, int x, int y, int *p) {
#pragma omp target teams distribute parallel for reduction(join: l)
    for (int i = 0; i < 9; i++) l.n += i;
#pragma omp target teams distribute parallel for reduction(join: b)
    for (int i = 0; i < 9; i++) b.a ^= i;
#pragma omp target teams distribute parallel for reduction(join: t)
    for (int i = 0; i < 9; i++) t.n[i] += i;
#pragma omp target teams distribute parallel for reduction(add: x)
    for (int i = 0; i < 9; i++) x += i;
#pragma omp target teams distribute parallel for reduction(up: y)
    for (int i = 0; i < 9; i++) y += i;
#pragma omp target teams distribute parallel for reduction(sum: p[0:n])
    for (int i = 0; i < 9; i++) p[i] += i;
}

int main(void) { return 0; }
