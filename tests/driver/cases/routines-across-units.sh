# Regions that call routines of other units, however the two are linked, and what the link says if they do not fit together.
cat >use.c <<'EOF'
#pragma acc routine seq
double f(double x);
double work(void) {
    double s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < 100; i++) s += f(i);
    return s;
}
EOF
cat >first.c <<'EOF'
#pragma acc routine seq
double g(double x);
#pragma acc routine seq
double f(double x) { return g(x) + 1; }
EOF
cat >second.c <<'EOF'
#pragma acc routine seq
double g(double x) { return 2 * x; }
EOF
cat >main.c <<'EOF'
#include <stdio.h>
double work(void);
int main(void) { printf("%g\n", work()); return 0; }
EOF
for file in use first second main; do accrue cc -fopenacc -fPIC -c "$file.c"; done
accrue cc -fopenacc use.o first.o second.o main.o -o program1
accrue cc -fopenacc main.o second.o first.o use.o -o program2
accrue cc -fopenacc main.c use.c first.c second.c -o program3
ar rc libroutines.a first.o second.o
accrue cc -fopenacc main.o use.o -L. -lroutines -o program4
ar rc liball.a use.o first.o second.o
accrue cc -fopenacc main.o liball.a -o program5
ar rcT thin.a use.o first.o second.o
accrue cc -fopenacc main.o thin.a -o program6
ld -r use.o first.o -o some.o
accrue cc -fopenacc -r some.o second.o -o all.o
accrue cc -fopenacc main.o all.o -o program7
accrue cc -fopenacc -shared use.o first.o second.o -o libboth.so
accrue cc -fopenacc main.o -L. -lboth -Wl,-rpath,. -o program8
accrue cc -fopenacc -S use.c first.c
accrue cc -fopenacc main.o use.s first.s second.o -o program9
accrue cc -fopenacc -O2 -g -flto use.c first.c second.c main.c -o program10
printf '10000\n' >expected
for number in 1 2 3 4 5 6 7 8 9 10; do
    for mode in "ACC_DEVICE_TYPE=host" "ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete" "ACC_DEVICE_TYPE=sim"; do
        # shellcheck disable=SC2086
        status 0 env $mode ACCRUE_NOTIFY=1 "./program$number"
        same out.txt expected
        contains err.txt "launch file=use.c"
    done
done
# Programs and libraries hold nothing of it, and who needs no other unit links with anything.
for file in program1 program5 libboth.so; do lacks "$file" "accrueIR"; done
lacks main.o "accrueIR"
library=$(accrue cc -fopenacc -### main.o -o plain 2>&1 | tr " " "\n" | sed -n "s/^-L//p" | tail -1)
printf 'double f(double);
int main(void) { return f(1) != 3; }
' >plain.c
status 0 cc plain.c first.o second.o -L"$library" -laccrue -Wl,-rpath,"$library" -o plain
status 0 ./plain
# Another linker is told what to do.
status 1 cc main.o use.o first.o second.o -o program
contains err.txt "__accrue_link_with_accrue_cc_site_"
# What is missing.
status 1 accrue cc -fopenacc main.o use.o first.o -o program
contains err.txt "error: no object of the link has the body of the routine \`g\`"
contains err.txt "first.c:2:1"
absent program
# What is there twice.
sed 's/2 \* x/3 * x/' second.c >third.c
accrue cc -fopenacc -c third.c
status 1 accrue cc -fopenacc main.o use.o first.o second.o third.o -o program
contains err.txt "error: the routine \`g\` is defined twice: in second.o and in third.o"
contains err.txt "second.c:2:1"
contains err.txt "third.c:2:1"
# An object goes before an archive.
ar rc libthird.a third.o
accrue cc -fopenacc main.o use.o first.o second.o -L. -lthird -o program
status 0 ./program
same out.txt expected
# Other levels, other types.
printf '#pragma acc routine vector\ndouble f(double x) { return x; }\n' >level.c
printf '#pragma acc routine seq\ndouble f(int x) { return x; }\n' >types.c
accrue cc -fopenacc -c level.c types.c
status 1 accrue cc -fopenacc main.o use.o level.o -o program
contains err.txt "error: \`f\` is declared as a routine that works at seq level, and works at vector level"
contains err.txt "use.c:2:1"
contains err.txt "level.c:2:1"
status 1 accrue cc -fopenacc main.o use.o types.o -o program
contains err.txt "error: \`f\` is defined with other types than it is called with"
contains err.txt "use.c:6:35"
contains err.txt "types.c:2:1"
# What a device cannot run is a mistake for those who call it.
cat >pointer.c <<'EOF'
double (*chosen)(double);
#pragma acc routine seq
double f(double x) { return chosen(x); }
EOF
accrue cc -fopenacc -c pointer.c
status 1 accrue cc -fopenacc main.o use.o pointer.o -o program
contains err.txt "error: the routine \`f\` in pointer.o cannot be called by other files: a routine that other files call cannot call through pointers"
contains err.txt "pointer.c:3:29"
contains err.txt "use.c:2:1"
# A variable outside of functions is on the device if a directive says so; static ones are found by their unit, in any way of linking.
cat >counts.c <<'EOF'
double factor = 2;
static double shift = 1;
#pragma acc declare copyin(shift)
#pragma acc routine seq
double f(double x) { return factor * x + shift; }
EOF
accrue cc -fopenacc -fPIC -c counts.c
status 1 accrue cc -fopenacc main.o use.o counts.o -o program
contains err.txt "error: the routine \`f\` in counts.o cannot be called by other files: it uses \`factor\`, a variable that no \`declare\` directive names"
contains err.txt "counts.c:5:22"
contains err.txt "use.c:2:1"
sed -i 's/copyin(shift)/copyin(factor, shift)/' counts.c
accrue cc -fopenacc -fPIC -c counts.c
accrue cc -fopenacc main.o use.o counts.o -o program1
accrue cc -fopenacc -shared use.o counts.o -o libcounts.so
accrue cc -fopenacc main.o -L. -lcounts -Wl,-rpath,. -o program2
accrue cc -fopenacc -O2 -g -flto use.c counts.c main.c -o program3
for number in 1 2 3; do
    for mode in "ACC_DEVICE_TYPE=host" "ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete" "ACC_DEVICE_TYPE=sim"; do
        # shellcheck disable=SC2086
        status 0 env $mode "./program$number"
        same out.txt expected
    done
done
# Another version's object.
sed 's/"accrue":"[0-9.]* /"accrue":"7.7.7 /' second.o >other.o
status 1 accrue cc -fopenacc main.o use.o first.o other.o -o program
contains err.txt "other.o: second.c was compiled by accrue 7.7.7"
no_temporary_files
