# Tools as libraries through ACC_PROFLIB: their functions are called in the order of the list, and what cannot be used is said.
cat >tool.c <<'EOF'
#include <acc_prof.h>
#include <stdio.h>
static void told(acc_prof_info *p, acc_event_info *e, acc_api_info *a) {
    printf("%s %d %d %d\n", NAME, (int)p->event_type, (int)e->other_event.parent_construct, a->valid_bytes > 0);
}
void acc_register_library(acc_prof_reg reg, acc_prof_reg unreg, acc_prof_lookup_func lookup) {
    printf("%s registers %d\n", NAME, unreg != 0 && lookup("acc_prof_lookup") != 0);
    reg(acc_ev_compute_construct_start, told, acc_reg);
    reg(acc_ev_compute_construct_end, told, acc_reg);
}
EOF
cat >main.c <<'EOF'
#include <stdio.h>
int main(void) {
    int x = 1;
#pragma acc serial copy(x)
    x++;
    printf("x=%d\n", x);
    return 0;
}
EOF
cat >other.c <<'EOF'
int nothing;
EOF
accrue cc -fopenacc -Wall -Wextra -pedantic -Werror -fPIC -shared -DNAME='"one"' tool.c -o one.so
accrue cc -fopenacc -fPIC -shared -DNAME='"two"' tool.c -o two.so
accrue cc -fPIC -shared other.c -o other.so
accrue cc -fopenacc main.c -o main
export ACC_DEVICE_TYPE=host

status 0 ./main
echo 'x=2' >expected
same out.txt expected

export ACC_PROFLIB="./one.so;;./missing.so;./other.so; ./two.so"
status 0 ./main
cat >expected <<'EOF'
one registers 1
two registers 1
one 16 16 1
two 16 16 1
two 17 16 1
one 17 16 1
x=2
EOF
same out.txt expected
contains err.txt 'accrue: warning: ACC_PROFLIB: ./missing.so: '
contains err.txt 'accrue: warning: ACC_PROFLIB: ./other.so: it has no acc_register_library; it is not used'

# A tool in the program comes first, also in one that is linked with the static library.
accrue cc -fopenacc -DNAME='"own"' main.c tool.c -o own
cat >expected <<'EOF'
own registers 1
one registers 1
own 16 16 1
one 16 16 1
one 17 16 1
own 17 16 1
x=2
EOF
export ACC_PROFLIB=./one.so
status 0 ./own
same out.txt expected
unset ACC_PROFLIB
status 0 accrue cc -fopenacc -static -DNAME='"own"' main.c tool.c -o own-static
status 0 ./own-static
printf 'own registers 1\nown 16 16 1\nown 17 16 1\nx=2\n' >expected
same out.txt expected

# What a callback must not do ends the program with a message instead of a deadlock.
cat >bad.c <<'EOF'
#include <acc_prof.h>
static void told(acc_prof_info *p, acc_event_info *e, acc_api_info *a) {
    (void)p, (void)e, (void)a;
    acc_malloc(8);
}
int main(void) {
    int x = 1;
    acc_prof_register(acc_ev_enter_data_start, told, acc_reg);
#pragma acc data copy(x)
    x++;
    return 0;
}
EOF
accrue cc -fopenacc bad.c -o bad
status 1 ./bad
contains err.txt 'a callback of acc_prof.h uses device memory or data of a device'
