# A library may be unloaded, or loaded, while its regions are under way: their threads start while the loader's lock is held.
cat >work.c <<'EOF'
#include <stdio.h>
static int a[1000];
static int expected;
void work(int value) {
    expected = value;
#pragma acc parallel loop async(1) copy(a)
    for (int i = 0; i < 1000; i++) a[i] = value;
#pragma acc parallel loop async(2) wait(1) copy(a)
    for (int i = 0; i < 1000; i++) a[i] += 1;
}
__attribute__((destructor)) static void check(void) {
    int wrong = 0;
#pragma acc wait
    for (int i = 0; i < 1000; i++) wrong += a[i] != expected + 1;
    printf("%d wrong\n", wrong);
}
EOF
cat >starts.c <<'EOF'
#include <stdio.h>
__attribute__((constructor)) static void begin(void) {
    int a[100];
#pragma acc parallel loop async copyout(a)
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma acc wait
    printf("%d\n", a[99]);
}
EOF
cat >main.c <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) { fprintf(stderr, "%s\n", dlerror()); return 2; }
    void (*work)(int) = (void (*)(int))dlsym(library, "work");
    if (work) work(argc);
    dlclose(library);
    return 0;
}
EOF
accrue cc -fopenacc -O2 -fPIC -shared work.c -o work.so
accrue cc -fopenacc -O2 -fPIC -shared starts.c -o starts.so
cc main.c -o main -ldl
for n in 1 2 3 4 5 6 7 8 9 10; do
    for device in host sim; do
        status 0 env ACC_DEVICE_TYPE=$device timeout 20 ./main ./work.so
        contains out.txt "0 wrong"
        status 0 env ACC_DEVICE_TYPE=$device timeout 20 ./main ./starts.so
        contains out.txt 99
    done
    status 0 env ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete timeout 20 ./main ./work.so
    contains out.txt "0 wrong"
done
