# `routine` directives in every spelling that a compiler sees: their clauses never reach the host's compiler as C.
cat >r.c <<'EOF'
#include <stdio.h>
#define LEVEL gang
#define CLAUSES worker
#define DO(x) _Pragma(#x)
#define ROUTINE(level) DO(acc routine level)
#define DECL(name, level) ROUTINE(level) static int name(int n, const int *a)
#define NAMED(f, level) DO(acc routine(f) level)
#define BODY { int s = 0; DO(acc loop vector reduction(+:s)) for (int i = 0; i < n; i++) s += a[i]; return s; }
#pragma acc routine CLAUSES
static void w(int n, int *a) {
#pragma acc loop worker
  for (int i = 0; i < n; i++) a[i] += 1; }
DECL(v1, vector) BODY
static int v2(int n, const int *a);
NAMED(v2, vector)
static int v2(int n, const int *a) BODY
#pragma acc routine \
  LEVEL
static void g(int n, int *a) {
#pragma acc loop \
   gang
  for (int i = 0; i < n; i++) a[i] = i; }
_Pragma("acc routine seq") static int s1(int x) { return x + 1; }
#pragma acc /* a */ routine /* b
 c */ seq /* d */
static int s2(int x) { return x + 2; }
%:pragma acc routine seq // end
static int s3(int x) { return x + 3; }
   #   pragma	acc	routine	seq
static int s4(int x) { return x + 4; }
int s5(int), s6(int);
#pragma acc routine(s5) seq
#pragma acc routine(s6) \
seq
int s5(int x) { return x + 5; }
int s6(int x) { return x + 6; }
#define ATTR __attribute__((noinline))
#pragma acc routine seq
ATTR static int s7(int x) { return x + 7; }
#define BOTH(n) _Pragma("acc routine worker") static void b##n(int m, int *a) { _Pragma("acc loop worker") for (int i = 0; i < m; i++) a[i] += n; }
BOTH(1) BOTH(2)
#include "r1.h"
int main(void) {
  int a[64], r[4];
#pragma acc parallel num_gangs(4) copyout(a)
  g(64, a);
#pragma acc parallel loop gang num_gangs(1) copy(a) copyout(r)
  for (int i = 0; i < 4; i++) { w(16, a + 16 * i); b1(16, a + 16 * i); b2(16, a+16*i); r[i] = v1(16, a + 16 * i) + v2(8, a + 16 * i); h(16, a + 16 * i); }
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 64; i++) a[i] = s1(s2(s3(s4(s5(s6(s7(a[i])))))));
  for (int i = 0; i < 64; i++) printf("%d ", a[i]);
  printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
}
EOF
cat >r1.h <<'EOF'
#define LVL worker
#pragma acc routine LVL
static void h(int n, int *a) {
#pragma acc loop LVL
  for (int i = 0; i < n; i++) a[i] *= 2; }
EOF
cc -w r.c -o plain
./plain >want.txt

# right words…: compiled with these words, the program prints what it should.
right() {
    rm -f p
    status 0 accrue cc -fopenacc "$@" -o p
    for device in host sim; do
        ACC_DEVICE_TYPE=$device ./p >got.txt
        same want.txt got.txt
    done
}

right r.c
right -save-temps r.c
right -pipe -g3 r.c
right -C r.c
right -fdirectives-only r.c

# Lines that end in CR LF.
sed 's/$/\r/; s/r1[.]h/crlf.h/' r.c >crlf.c
sed 's/$/\r/' r1.h >crlf.h
right crlf.c

# Trigraphs, and words in pieces.
sed 's/^#pragma acc routine \\$/??=pragma acc rou??\/\ntine ??\//' r.c >trigraphs.c
grep -q 'rou??/' trigraphs.c
right -trigraphs trigraphs.c
right -std=c11 trigraphs.c
sed 's/^#pragma acc routine CLAUSES$/#pra\\\ngma a\\\ncc rou\\\ntine CLAU\\\nSES/' r.c >pieces.c
grep -q '^ntine' pieces.c || grep -q 'tine CLAU' pieces.c
right pieces.c

# Text that was preprocessed before, with line markers and without.
accrue cc -fopenacc -E r.c -o ours.i
right ours.i
cc -fopenacc -E r.c -o theirs.i
right theirs.i
cc -fopenacc -E -P r.c -o unmarked.c
right unmarked.c
cc -fopenacc -E -CC r.c -o commented.c
right commented.c
