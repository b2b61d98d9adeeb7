# make with CC="accrue cc -fopenacc", dependency files included.
# needs: make
directive_program a.c
sed -i 's/#define N 1000/#include "n.h"/' a.c
echo '#define N 1000' >n.h
cat >Makefile <<'END'
CFLAGS = -O2 -MMD -MP
prog: a.o b.o
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
-include a.d b.d
END
echo 'int unused(void) { return 0; }' >b.c
make -s CC="accrue cc -fopenacc"
./prog
make -s CC="accrue cc -fopenacc" -q || fail "make would build again"
sleep 1
touch n.h
! make -s CC="accrue cc -fopenacc" -q || fail "a changed header goes unnoticed"
make -s CC="accrue-cc -acc" clean=1
./prog
