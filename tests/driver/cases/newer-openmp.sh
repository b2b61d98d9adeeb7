# Files without regions get older words for newer ones, too; the user's compiler says what it says about the user's lines.
cat >h.c <<'END'
#include <omp.h>
#include <stdio.h>
static int shifted(int x) { return x + 100; }
#pragma omp declare variant(shifted) match(construct={dispatch})
int plain(int x) { return x; }

int chosen(int x) { return x + 1; }
#pragma omp begin declare variant match(device={kind(host)})
int chosen(int x) { return x + 2; }
#pragma omp end declare variant

#pragma omp begin assumes no_openmp_routines
int zero(void) { return 0; }
#pragma omp end assumes

int main(void) {
    int x = 1, y = 0;
#pragma omp dispatch nocontext(y)
    y = plain(x);
    printf("%d %d", y, chosen(0));
#pragma omp dispatch novariants(y > 100)
    y = plain(x);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(x) depend(out : x)
        x = 5;
#pragma omp taskwait nowait depend(inout : x)
        if (x)
#pragma omp task shared(x, y) depend(inout : omp_all_memory)
            y += x;
#pragma omp taskwait depend(inout : omp_all_memory)
    }
#pragma omp assume holds(y > 0) no_openmp_constructs
    printf(" %d %d %d\n", y, zero(), __LINE__);
    return 0;
}
END
accrue cc -fopenmp -Wall -Wno-unknown-pragmas -Werror h.c -o h
./h >printed.txt
same printed.txt - <<'END'
101 2 6 0 35
END

# Lines are the user's.
sed 's/return 0;$/return nothing;/' h.c >wrong.c
status 1 accrue cc -fopenmp -c wrong.c
contains err.txt "wrong.c:36:12: error"
absent wrong.o

# A file without newer words is compiled as it is written: there is nothing in front of it.
cat >old.c <<'END'
int f(int *a) {
    int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 9; i++) s += a[i];
    return s;
}
END
status 0 accrue cc -fopenmp -v -c old.c
lacks err.txt host.i

# `error` in a region is said once, and is no error if it is a warning.
cat >said.c <<'END'
int main(void) {
    int x = 1;
#pragma omp target map(x)
    {
#pragma omp error severity(warning) message("here")
        x--;
    }
    return x;
}
END
status 0 accrue cc -fopenmp said.c -o said
./said
contains err.txt "warning: here"
[ "$(grep -c here err.txt)" = 2 ] || fail "it is said several times"

# Macros in directives that the compiler does not know.
cat >macros.c <<'END'
#include <stdio.h>
#define SIZE 4
#define MORE(x) x + 1
#define TILE _Pragma("omp tile sizes(MORE(1))")
#define WORD in
int main(void) {
    int a[20], time = 0, x = 0;
#pragma omp target_data map(from : a[0 : 5 * SIZE])
#pragma omp target
    {
#undef SIZE
#define SIZE 3
#pragma omp tile sizes(MORE(SIZE))
        for (int i = 0; i < 20; i++) a[i] = i;
    }
    TILE
    for (int i = 0; i < 20; i++) time += a[i];
#pragma omp assume holds(SIZE == 3)
#pragma omp interop use(x) depend(WORD : x)
    printf("%d %d\n", time, __LINE__);
    return 0;
}
END
status 0 accrue cc -fopenmp -MD macros.c -o macros
./macros >printed.txt
same printed.txt - <<'END'
190 20
END
contains macros.d "macros.c"
status 0 accrue explain -fopenmp macros.c

# Metadirectives that are known to be one directive.
cat >meta.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
    int count = 0, all = 0;
#pragma omp metadirective when(device = {kind(host)} : parallel num_threads(3) reduction(+ : count)) otherwise(single)
    count++;
#pragma omp metadirective when(device = {kind(nohost)} : parallel num_threads(3)) otherwise(nothing)
    all++;
#pragma omp metadirective when(user = {condition(1)} : parallel num_threads(2) reduction(+ : all))
    all++;
#pragma omp metadirective when(user = {condition(1)} : tile sizes(2, 2)) otherwise(nothing)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (all < 5) all += j;
    printf("%d %d\n", count, all);
    return 0;
}
END
accrue cc -fopenmp meta.c -o meta
./meta >printed.txt
same printed.txt - <<'END'
3 5
END
