# A kernel that uses a null pointer is named, also where memory is shared.
cat >a.c <<'EOF'
#include <stddef.h>
int main(int argc, char **argv) {
    int n = 1, *p = argc > 1 ? NULL : NULL;
#pragma acc parallel loop copy(p[0:n])
    for (int i = 0; i < n; i++) p[i] = i;
    return 0;
}
EOF
accrue cc -fopenacc a.c -o a
for memory in shared discrete; do
    got=0
    ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=$memory ./a 2>err.txt || got=$?
    [ "$got" = 139 ] || { cat err.txt; fail "status $got"; }
    contains err.txt "a.c:4: the kernel of this parallel accesses the invalid address 0x0 (a null pointer)"
done
status 1 env ACC_DEVICE_TYPE=sim ./a
contains err.txt "null pointer"
