# Places that all iterations of a partitioned loop write for certain, each another value: said once, with both places and a way out.
cat >races.c <<'END'
struct s { double sum; int count; unsigned low : 5, high : 9; struct { int c[4]; } in; };
union u { int i; float f; unsigned char bytes[4]; };
struct s global;
double many[9];
static void fill(struct s *to, double from) { to->sum = from; }
static void set(union u *to, int from) { to->i = from; }
void structs(double *a, double *b, int n, struct s *all) {
    union u u, v, w;
    struct s bits;
#pragma acc parallel loop copyin(a[0:n], all[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
        global = all[i];                             // assign global
        bits = all[i];                               // assign bits
        u = (union u){.i = i};                       // assign u
        b[i] = global.sum + bits.low + u.f;
    }
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) {
        fill(&global, a[i]);                         // assign global
        set(&v, i);                                  // assign v
        if (i % 2) w.f = a[i]; else w.f = -a[i];     // assign w.f
        b[i] = global.sum + v.f + w.i;
    }
}
void f(double *a, double *b, int n, double *p, struct s *q, int k, double c[restrict]) {
    struct s s = {0}, t = {0};
    union u u;
    double acc[3] = {0}, table[2][2] = {{0}}, flat = 0;
#pragma acc parallel loop copy(s) copyin(a[0:n])
    for (int i = 0; i < n; i++)
        s.sum += a[i];                               // atomic
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n])
    for (int i = 0; i < n; i++) {
        u.i = i;                                     // assign u.i
        b[i] = u.f;
        t.high = i;                                  // assign t.high
        global.low++;                                // update global.low
        global.in.c[2] = i;                          // assign global.in.c[2]
    }
#pragma acc parallel copy(acc, table, p[0:1], q[0:2]) copyin(a[0:n])
    {
#pragma acc loop gang
        for (int i = 0; i < n; i++) {
            *p += a[i];                              // atomic
            if (a[i] > 1) q->sum += 1; else q->sum += a[i]; // atomic
            q[1].count++;                            // atomic
            acc[k] = i;                              // assign acc[…]
        }
#pragma acc loop worker vector
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 3; j++)
                table[1][0] += a[i] * j;             // atomic
    }
#pragma acc parallel loop gang copy(c[0:n]) copyin(a[0:n * n])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            c[i] += a[i * n + j];                    // atomic
    }
#pragma acc parallel
    {
        struct s mine = {0};
        double own[2] = {0};
#pragma acc loop vector
        for (int j = 0; j < n; j++) {
            mine.sum += j;                           // atomic
            own[1] += j;                             // atomic
        }
#pragma acc loop gang
        for (int j = 0; j < n; j++) a[j] = mine.sum + own[1];
    }
#pragma acc kernels loop independent copyin(a[0:n]) copy(many)
    for (int i = 0; i < n; i++)
        many[8] += a[i];                             // atomic
#pragma acc parallel loop copy(flat) copyin(a[0:n])
    for (int i = 0; i < n; i++)
        flat = a[i] - flat;                          // update flat
}
END
rm -f races.o
accrue cc -fopenacc -Wno-openacc-lost-value -c races.c -o races.o 2>err.txt
sed -n 's,.*[^ ] *// \(update\|assign\) ,\1 ,p' races.c | sort >expected.txt
grep 'warning:' err.txt | sed -n 's/.*\(update\) `\([^`]*\)` at the same.*/\1 \2/p; s/.*\(assign\) different values to `\([^`]*\)` at the same.*/\1 \2/p' | sort >got.txt
same expected.txt got.txt
grep -n '// \(update\|assign\) ' races.c | sed 's/:.*//' | while read -r line; do contains err.txt "races.c:$line:"; done
contains err.txt '[-Wopenacc-race]'
grep -n '// atomic' races.c | sed 's/:.*//' >expected.txt
grep -A1 'the updates are made atomic \[-Wopenacc-left-out-reduction\]' err.txt | sed -n 's/.*--> races.c:\([0-9]*\):.*/\1/p' | sort -n >got.txt
same expected.txt got.txt
contains err.txt 'add `#pragma acc atomic update` in front of the statement'
contains err.txt 'add `private(t)` if its value is not used behind it'
contains err.txt 'its iterations run at the same time'
contains err.txt 'OpenACC 3.4, section 2.9.6'

for option in -w -Wno-openacc-race '-Werror -Wno-openacc-race'; do
    accrue cc -fopenacc -Wno-openacc-lost-value -Wno-openacc-left-out-reduction -c races.c -o races.o $option 2>err.txt
    [ ! -s err.txt ] || { cat err.txt; fail "$option"; }
done
rm races.o
status 1 accrue cc -fopenacc -Werror=openacc-race -c races.c -o races.o
contains err.txt 'error: iterations of this loop update `flat` at the same time'
absent races.o

# What is no race, or not for certain.
cat >fine.c <<'END'
#include <math.h>
struct s { double sum, t; int found; unsigned low : 5; };
struct pair { double x, y; };
struct s global;
static void fill(struct s *to, double from) { if (from > 1) to->sum = from; }
static void add(struct s *to, double from) {
#pragma acc atomic
    to->sum += from;
}
static void same(struct s *to, int n) { to->found = n; }
void f(double *a, double *b, int n, double *p, struct s *q, int k, int gangs, struct pair *all) {
    struct s s = {0};
    struct first { double t; int found; } first;
    struct pair v = {0, 0};
    double acc[3] = {0}, own;
#pragma acc parallel loop copy(s, global) copyin(a[0:n]) copy(p[0:1], q[0:1])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        s.sum += a[i];
#pragma acc atomic
        *p += a[i];
#pragma acc atomic write
        q->found = i;
        if (a[i] > 3) s.t = a[i];           /* one of them, perhaps */
        s.found = 1;                        /* all the same */
        global.low |= 4;
        acc[0] = n;
        fill(&global, a[i]);
        add(&global, a[i]);
        same(&global, n);
        if (i == 7) continue;
    }
#pragma acc parallel loop reduction(+ : v)
    for (int i = 0; i < n; i++) { v.x += a[i]; v.y += 1; }
#pragma acc parallel loop private(s, acc)
    for (int i = 0; i < n; i++) { s.t = a[i]; acc[1] = i; acc[1] += a[i]; b[i] = s.t + acc[1]; }
#pragma acc parallel loop
    for (int i = 0; i < n; i++) { first.t = a[i]; first.found = i; b[i] = first.t * first.found; }
#pragma acc parallel loop seq copy(s)
    for (int i = 0; i < n; i++) s.sum += a[i];
#pragma acc kernels loop copy(s)
    for (int i = 0; i < n; i++) s.sum += a[i];
#pragma acc serial loop copy(s)
    for (int i = 0; i < n; i++) s.sum += a[i];
#pragma acc parallel loop gang num_gangs(1) copy(s)
    for (int i = 0; i < n; i++) s.sum += a[i];
#pragma acc parallel loop gang num_gangs(gangs) copy(s)
    for (int i = 0; i < n; i++) s.sum += a[i];
#pragma acc parallel loop vector num_gangs(1) vector_length(1) copy(s)
    for (int i = 0; i < n; i++) s.sum += a[i];
#pragma acc parallel loop copy(s)
    for (int i = 3; i < 4; i++) s.sum += a[i];
#pragma acc parallel loop gang copy(p[0:n])
    for (int i = 0; i < n; i++) {
        double *row = a + i * n, sum = 0;
        struct s mine = {0};
        for (int j = 0; j < n; j++) { sum += row[j]; mine.sum += row[j]; row[0] += 1; p[i] += row[j]; }
        b[i] = sum + mine.sum;
#pragma acc loop vector reduction(+ : sum)
        for (int j = 0; j < n; j++) sum += row[j];
    }
    double *line;
#pragma acc parallel loop present(a[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++) { line = a + i; b[i] = *line; }
#pragma acc parallel
    {
        double mine[2];
        double *at = mine;
        struct pair pair;
#pragma acc loop gang
        for (int i = 0; i < n; i++) { mine[0] = i; *at += 1; pair.x = i; b[i] = mine[0] + pair.x; }
#pragma acc loop vector
        for (int i = 0; i < n; i++) { pair = all[i]; b[i] = pair.x; own = pair.y; b[i] += own; }
    }
}
END
accrue cc -fopenacc -Wno-openacc-lost-value -c fine.c -o fine.o 2>err.txt
[ ! -s err.txt ] || { cat err.txt; fail "fine.c"; }

# Threads that wait for each other: by locks, and one of them alone.
cat >locks.c <<'END'
#include <omp.h>
#pragma omp declare target
omp_lock_t lock;
#pragma omp end declare target

void f(int n, int *a, int count, int sum)
{
#pragma omp target map(tofrom: count, sum, a[0:n])
#pragma omp parallel num_threads(4)
    {
#pragma omp for ordered nowait
        for (int i = 0; i < n; i++) {
#pragma omp ordered
            { a[count] = i; count++; }
        }
        omp_set_lock(&lock);
        if (sum > 7) {
            sum++;
            omp_unset_lock(&lock);
        } else {
            sum--;
            omp_unset_lock(&lock);
        }
    }
}
END
accrue cc -fopenmp -c locks.c -o locks.o 2>err.txt
[ ! -s err.txt ] || { cat err.txt; fail "locks.c"; }
no_temporary_files
