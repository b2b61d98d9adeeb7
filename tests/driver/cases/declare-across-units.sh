# Data that one file defines and another one's regions use, however the two are linked: objects in both orders, archives, shared
# libraries, one object made of two.
cat >data.c <<'EOF'
double table[4] = {1, 2, 3, 4};
int scale = 10;
#pragma acc declare copyin(table, scale)
void set(int s) {
    scale = s;
#pragma acc update device(scale)
}
EOF
cat >use.c <<'EOF'
extern double table[4];
extern int scale;
#pragma acc declare copyin(table, scale)
double work(void) {
    double s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < 4; i++) s += table[i] * scale;
    return s;
}
EOF
cat >main.c <<'EOF'
#include <stdio.h>
double work(void);
void set(int);
int main(void) {
    printf("%g\n", work());
    set(100);
    printf("%g\n", work());
    return 0;
}
EOF
for file in data use main; do accrue cc -fopenacc -fPIC -c "$file.c"; done
accrue cc -fopenacc data.o use.o main.o -o program1
accrue cc -fopenacc main.o use.o data.o -o program2
ar rc libfirst.a use.o data.o
accrue cc -fopenacc main.o -L. -lfirst -o program3
ar rc libsecond.a data.o use.o
accrue cc -fopenacc main.o libsecond.a -o program4
accrue cc -fopenacc -shared use.o data.o -o libboth.so
accrue cc -fopenacc main.o -L. -lboth -Wl,-rpath,. -o program5
accrue cc -fopenacc -shared data.o -o libdata.so
accrue cc -fopenacc main.o use.o -L. -ldata -Wl,-rpath,. -o program6
ld -r use.o data.o -o both.o
accrue cc -fopenacc main.o both.o -o program7
printf '100\n1000\n' >expected
for number in 1 2 3 4 5 6 7; do
    for mode in "ACC_DEVICE_TYPE=host" "ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete" "ACC_DEVICE_TYPE=sim"; do
        # shellcheck disable=SC2086
        status 0 env $mode "./program$number"
        same out.txt expected
    done
done
