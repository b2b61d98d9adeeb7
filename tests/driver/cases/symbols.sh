# What only one unit has, it has under a name of its own: two units with the same `static` function, `static` variable and tag of
# another layout, in files of one name, are linked to one program, in one order or the other, and as library and program.
unit() {
    mkdir -p $1
    cat >$1/part.c <<EOF
#include <stdio.h>
struct item { $2 };
static $3 scale = $4;
static $3 weight(struct item item) { return item.value * scale; }
static $3 sum(const struct item *items, int n) {
    $3 total = 0;
#pragma acc parallel loop reduction(+ : total) copyin(items[0:n])
    for (int i = 0; i < n; i++) total += weight(items[i]) + scale;
    return total;
}
void $1(void) {
    struct item items[10];
    for (int i = 0; i < 10; i++) items[i].value = i + 1;
#pragma acc serial copy(scale)
    scale += 1;
    printf("$1 %g\n", (double)sum(items, 10));
}
EOF
}
unit north "char tag; int value;" int 2
unit south "double value; long rest[3]; char tag;" double 0.5
echo 'void north(void); void south(void); int main(void) { north(); south(); north(); }' >main.c
for kind in -O0 -O2; do
    cc $kind main.c north/part.c south/part.c -o expected
    ./expected >expected.txt
    (cd north && accrue cc $kind -fPIC -fopenacc -c part.c)
    (cd south && accrue cc $kind -fPIC -fopenacc -c part.c)
    accrue cc $kind -fopenacc main.c north/part.o south/part.o -o one
    accrue cc $kind -fopenacc main.c south/part.o north/part.o -o two
    accrue cc -fopenacc -shared north/part.o -o libnorth.so
    accrue cc $kind -fopenacc main.c south/part.o -L. -lnorth -Wl,-rpath,. -o three
    accrue cc -fopenacc -r north/part.o south/part.o -o both.o
    accrue cc $kind -fopenacc main.c both.o -o four
    for program in one two three four; do
        for device in host sim; do
            ACC_DEVICE_TYPE=$device ./$program >got.txt
            same expected.txt got.txt
        done
    done
done

# No symbol of the IR is that of another unit.
symbols() {
    accrue ir $1 --after=sites | grep -o '[A-Za-z0-9_]*__u[0-9a-f]\{16\}' | sort -u
}
symbols north/part.c >north.txt
symbols south/part.c >south.txt
for name in accrue_k0_0 accrue_k1_0 item weight scale; do contains north.txt ${name}__u; done
[ -z "$(comm -12 north.txt south.txt)" ]
symbols north/part.c >again.txt
same north.txt again.txt
mkdir copy
cp north/part.c copy
symbols copy/part.c >copied.txt
[ -z "$(comm -12 north.txt copied.txt)" ]

# The code for devices, a module of its own, has the names in the program: whatever changes in the host's code, its text stays the
# same but for the numbers of lines, and with it the name under which a driver keeps what it has made of the text.
ptx() {
    (cd $1 && accrue ir part.c --emit=ptx) >$1.ptx
}
ptx north
contains north.ptx '.entry accrue_k0_0('
lacks north.ptx __u
ptx copy
same north.ptx copy.ptx
sed 's/i + 1;/2 * i;/' north/part.c >copy/part.c
status 1 cmp north/part.c copy/part.c
ptx copy
same north.ptx copy.ptx
sed 's/^#include.*/&\nstatic const char *unit = "another";\nconst char *name(void) { return unit; }/' north/part.c >copy/part.c
ptx copy
for part in north copy; do grep -v '^.\.loc ' $part.ptx >$part.txt; done
same north.txt copy.txt

# People see the names in the program: reports, notes of launches, what goes wrong on the simulator, frames of debuggers.
accrue explain north/part.c >report.txt
contains report.txt '`weight` is inlined'
contains report.txt 'kernel accrue_k0_0 (line 7)'
lacks report.txt __u
ACC_DEVICE_TYPE=sim ACCRUE_NOTIFY=31 ./one >notes.txt 2>&1
contains notes.txt kernel=accrue_k0_0
lacks notes.txt __u
cat >wrong.c <<'EOF'
#include <stdlib.h>
static void far(int *p, int n) { if (n > 1) far(p, n - 1); else p[20] = n; }
int main(void) {
    int *p = malloc(40);
#pragma acc parallel copy(p[0:10])
    far(p, 3);
}
EOF
accrue cc -fopenacc -g wrong.c -o wrong
ACC_DEVICE_TYPE=sim status 1 ./wrong
contains err.txt 'wrong.c:2'
contains err.txt 'in function far'
lacks err.txt __u
accrue cc --keep -fopenacc -c north/part.c -o kept.o 2>kept.txt
folder=$(sed -n 's/.*kept in //p' kept.txt)
contains "$folder"/0-part.acc.i 'static int weight('
lacks "$folder"/0-part.acc.i 'struct item__u'
rm -r "$folder"
no_temporary_files
