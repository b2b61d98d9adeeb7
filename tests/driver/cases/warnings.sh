# Values that regions compute and the host does not get: said once, with both places, and by the user's options an error or not.
cat >lost.c <<'END'
#include <math.h>
#include <stdio.h>
int main(void) {
    double error = 1, t = 1, x[100];
    int last;
    while (error > 0.5) {
        error = 0;
#pragma acc parallel loop
        for (int i = 0; i < 100; i++) {
            x[i] = 1.0 / (i + 1);
            error = x[i] - error;
        }
    }
#pragma acc parallel loop
    for (int i = 0; i < 100; i++) last = i;
    puts("done");
    printf("%d\n", last);
    do {
#pragma acc serial
        { t = t / 2; x[0] = t; }
    } while (t > 0.1);
    return 0;
}
END
accrue cc -fopenacc -c lost.c -o lost.o 2>err.txt
[ "$(grep -c 'warning: what the region assigns to `error` is lost.*\[-Wopenacc-lost-value\]' err.txt)" = 1 ]
contains err.txt 'lost.c:11:13'
contains err.txt 'lost.c:6:5'
contains err.txt 'lost.c:15:35'
contains err.txt 'lost.c:17:5'
contains err.txt 'lost.c:20:11'
contains err.txt 'add a `reduction` clause for `error`'
contains err.txt 'OpenACC 3.4, section 2.6.2'
[ "$(grep -c 'warning:' err.txt)" = 3 ]

for option in -w -Wno-openacc-lost-value '-Werror -Wno-openacc-lost-value'; do
    accrue cc -fopenacc -c lost.c -o lost.o $option 2>err.txt
    [ ! -s err.txt ] || { cat err.txt; fail "$option"; }
done
for option in -Werror -Werror=openacc-lost-value '-Wall -Werror'; do
    rm -f lost.o
    status 1 accrue cc -fopenacc -c lost.c -o lost.o $option
    contains err.txt 'error: what the region assigns to `last` is lost'
    contains err.txt '[-Werror=openacc-lost-value]'
    absent lost.o
done
for option in '-Werror -Wno-error' '-Werror -Wno-error=openacc-lost-value' '-Wopenacc-lost-value'; do
    accrue cc -fopenacc -c lost.c -o lost.o $option 2>err.txt
    contains err.txt 'warning: what the region assigns to `last` is lost'
done

# The same programs as they are meant, and variables that nobody reads.
cat >kept.c <<'END'
#include <math.h>
#include <stdio.h>
int main(void) {
    double error = 1, t = 1, u = 1, v = 1, x[100];
    int j, k, last;
    while (error > 0.5) {
        error = 0;
#pragma acc parallel loop reduction(max : error)
        for (int i = 0; i < 100; i++) {
            x[i] = 0.1 / (i + 1);
            error = fmax(error, x[i]);
            last = i;
        }
        if (error > 3) break;
    }
#pragma acc parallel loop firstprivate(u) private(k)
    for (int i = 0; i < 100; i++) {
        u = i;
        for (k = 0; k < 3; k++) x[i] += u;
        for (j = 0; j < 3; j++) x[i] += u;
    }
    for (j = 0; j < 3; j++) printf("%g %g\n", x[j], u);
#pragma acc serial copy(t)
    t = t / 2;
#pragma acc kernels
    v = t;
    if (t > 3) last = 1; else last = 2;
    for (int i = 0; i < 3; i++) {
        double w = 0, z;
#pragma acc parallel loop
        for (int m = 0; m < 100; m++) { w = m; z = w; x[m] = z; }
        switch (i) { case 0: z = 1; break; default: z = 2; }
        printf("%g\n", z);
    }
    printf("%g %g %d\n", t, v, last);
#pragma acc parallel loop
    for (int i = 0; i < 100; i++) { u = i; x[i] = u; }
#pragma acc kernels
    for (int i = 0; i < 100; i++) { u = i; x[i] = u; }
    volatile int limit = 50;
#pragma acc parallel loop
    for (int i = 0; i < limit; i++) x[i] = limit;
    printf("%d\n", limit);
    return 0;
}
END
accrue cc -fopenacc -c kept.c -o kept.o 2>err.txt
[ ! -s err.txt ] || { cat err.txt; fail "kept.c"; }

# A reduction without its clause: it is inferred, and in `parallel` the standard says otherwise.
cat >left_out.c <<'END'
#include <math.h>
double f(int n, const double *a, const double *b) {
    double error = 0, sum = 0;
#pragma acc parallel loop copyin(a[0:n], b[0:n])
    for (int i = 0; i < n; i++)
        error = fmax(error, fabs(a[i] - b[i]));
#pragma acc kernels copyin(a[0:n])
    for (int i = 0; i < n; i++) sum += a[i];
    return error + sum;
}
END
accrue cc -fopenacc -c left_out.c -o left_out.o 2>err.txt
[ "$(grep -c 'warning:' err.txt)" = 1 ] || { cat err.txt; fail "left_out.c"; }
contains err.txt 'warning: `error` is reduced by `max` over this loop, which has no `reduction` clause for it [-Wopenacc-left-out-reduction]'
contains err.txt 'left_out.c:6:'
contains err.txt 'add `reduction(max : error)`'
contains err.txt 'OpenACC 3.4, section 2.9.11'
accrue cc -fopenacc -Wno-openacc-left-out-reduction -c left_out.c -o left_out.o 2>err.txt
[ ! -s err.txt ] || { cat err.txt; fail "-Wno-openacc-left-out-reduction"; }
status 1 accrue cc -fopenacc -Werror=openacc-left-out-reduction -c left_out.c -o left_out.o

# What no iteration is known to assign last.
cat >last.c <<'END'
#include <stdio.h>
static double x[100], y[100];
static void add(double *to) { *to += 1; }
int main(void) {
    double t = 3, u;
    int found = 0;
    add(&t);
    add(&u);
#pragma acc kernels loop independent copyin(x) copyout(y)
    for (int i = 0; i < 100; i++) {
        u = i;
        y[i] = u;
        if (x[i] > 2) {
            t = x[i];
            y[i] = t * t;
            found = i;
        }
    }
    printf("%g %d\n", t, found);
    return 0;
}
END
accrue cc -fopenacc -c last.c -o last.o 2>err.txt
[ "$(grep -c 'warning:' err.txt)" = 1 ] || { cat err.txt; fail "last.c"; }
contains err.txt 'what `t` holds behind this independent loop is not known'
contains err.txt 'last.c:14:13'
contains err.txt 'last.c:19:5'
contains err.txt 'OpenACC 3.4, section 2.9.6'
no_temporary_files
