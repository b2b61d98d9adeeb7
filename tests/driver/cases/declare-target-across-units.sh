# Regions that call functions of other units, which `declare target` names, and what the link says of functions that cannot be called so.
cat >use.c <<'EOF'
#include <stdio.h>
#pragma omp declare target
double f(double x);
#pragma omp end declare target
int main(void) {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+:s)
    for (int i = 0; i < 100; i++) s += f(i);
    printf("%g\n", s);
    return 0;
}
EOF
cat >good.c <<'EOF'
double f(double x) { return 2 * x; }
#pragma omp declare target(f)
EOF
cat >threads.c <<'EOF'
#include <omp.h>
#pragma omp declare target
double f(double x) { return x + omp_get_thread_num(); }
#pragma omp end declare target
EOF
cat >loop.c <<'EOF'
#pragma omp declare target
double f(double x) {
    double s = 0;
#pragma omp for
    for (int i = 0; i < 9; i++) s += i;
    return s + x;
}
#pragma omp end declare target
EOF
cat >host.c <<'EOF'
double f(double x) { return x; }
#pragma omp declare target to(f) device_type(host)
EOF
for file in use good threads loop host; do accrue cc -fopenmp -c "$file.c"; done
accrue cc -fopenmp use.o good.o -o program
printf '9900\n' >expected
for mode in "ACC_DEVICE_TYPE=host" "ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete" "ACC_DEVICE_TYPE=sim"; do
    # shellcheck disable=SC2086
    status 0 env $mode ACCRUE_NOTIFY=1 ./program
    same out.txt expected
    contains err.txt "launch file=use.c"
done
rm program
status 1 accrue cc -fopenmp use.o threads.o -o program
contains err.txt "this is for the threads of the region that calls the function, and that is in another file"
contains err.txt "threads.c:3"
status 1 accrue cc -fopenmp use.o loop.o -o program
contains err.txt "cannot be called by other files"
contains err.txt "loop.c:4"
# With a region beside it, the loop is for devices.
printf 'void region(void) {\n#pragma omp target\n    f(1);\n}\n' >>loop.c
accrue cc -fopenmp -c loop.c
status 1 accrue cc -fopenmp use.o loop.o -o program
contains err.txt "this is for the threads of the region that calls the function, and that is in another file"
contains err.txt "loop.c:4"
status 1 accrue cc -fopenmp use.o host.o -o program
contains err.txt "no object of the link has the body of the routine \`f\`"
absent program
