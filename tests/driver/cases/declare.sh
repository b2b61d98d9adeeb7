# Data that libraries declare is present on devices while the library is loaded, also when the devices are in use already.
cat >data.c <<'EOF'
#include <stdio.h>
static int numbers[4] = {1, 2, 3, 4};
int counter = 10;
#pragma acc declare copyin(numbers, counter)
#pragma acc routine seq
static int number(int i) { return numbers[i] + counter; }
void work(void) {
    int x[4];
#pragma acc parallel loop copyout(x)
    for (int i = 0; i < 4; i++) x[i] = number(i);
#pragma acc parallel
    counter++;
#pragma acc update self(counter)
    printf("%d %d %d %d %d\n", x[0], x[1], x[2], x[3], counter);
}
void *place(void) { return numbers; }
__attribute__((destructor)) static void last(void) {
    int y;
#pragma acc serial copyout(y)
    y = number(3);
    printf("last %d\n", y);
}
EOF
cat >main.c <<'EOF'
#include <dlfcn.h>
#include <openacc.h>
#include <stdio.h>
static int own[2] = {7, 8};
#pragma acc declare copyin(own)
int main(int argc, char **argv) {
    for (int round = 0; round < 2; round++) {
        int sum = 0;
#pragma acc parallel loop reduction(+:sum)
        for (int i = 0; i < 2; i++) sum += own[i];
        void *library = dlopen(argv[1], RTLD_NOW);
        if (!library) { fprintf(stderr, "%s\n", dlerror()); return 2; }
        void *place = ((void *(*)(void))dlsym(library, "place"))();
        void (*work)(void) = (void (*)(void))dlsym(library, "work");
        work();
        work();
        printf("%d %d", sum, acc_is_present(place, 4));
        fflush(stdout);
        dlclose(library);
        printf("%d\n", acc_is_present(place, 4) && argc == 2);
    }
    return 0;
}
EOF
accrue cc -fopenacc -O2 -Wall -Wextra -pedantic -Werror -fPIC -shared data.c -o data.so
accrue cc -fopenacc -O2 -Wall main.c -o main -ldl
cat >expected <<'EOF'
11 12 13 14 11
12 13 14 15 12
15 1last 16
0
11 12 13 14 11
12 13 14 15 12
15 1last 16
0
EOF
for device in host sim; do
    for memory in shared discrete; do
        status 0 env ACC_DEVICE_TYPE=$device ACCRUE_CPU_MEMORY=$memory timeout 20 ./main ./data.so
        same out.txt expected
    done
done
# What was allocated for the library is freed with it, and what the program declares stays to its end.
status 0 env ACC_DEVICE_TYPE=sim ACCRUE_NOTIFY=16 timeout 20 ./main ./data.so
test "$(cat out.txt err.txt | grep -c 'alloc .*name=numbers')" = 2
test "$(cat out.txt err.txt | grep -c 'free .*name=numbers')" = 2
test "$(cat out.txt err.txt | grep -c 'alloc .*name=own')" = 1
# The directive is one in all dialects, and warns of nothing.
cat >dialect.c <<'EOF'
static int g[2];
#pragma acc declare create(g)
int f(int n);
int f(int n) {
    int t[2];
#pragma acc declare create(t)
    int u;
    u = n;
    {
        int v;
#pragma acc declare copy(v)
        v = u;
#pragma acc parallel
        v += g[0] * 0 + 1 + t[0] * 0;
#pragma acc update self(v)
        return v;
    }
}
int main(void) { return f(1) - 2; }
EOF
for standard in c89 gnu89 c99 c11 gnu17; do
    accrue cc -fopenacc -std=$standard -O2 -Wall -Wextra -Wshadow -Wdeclaration-after-statement -pedantic -Werror dialect.c -o dialect
    ./dialect
done
