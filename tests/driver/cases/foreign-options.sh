# Command lines for nvc, pgcc and icx, as public programs have them.
directive_program a.c
for options in "-fast -acc -ta=tesla:cc70,managed -c99 -mp" \
    "-acc=gpu -gpu=cc80,lineinfo -O4 -Mpreprocess -tp=host -Minform=warn -Kieee -cuda -Minfo=mp" \
    "-fopenacc -fastsse -Mvect=simd:256 -Munroll=c:4 -Mipa=fast,inline -Mlarge_arrays -Mcuda=cuda11.0 -i8" \
    "-acc -qopenmp -xHost -ipo -fp-model precise -fp-model=strict -qopt-report=5 -no-prec-div" \
    "-fiopenmp -fopenmp-targets=spir64 -acc -Mnoopenmp --diag_suppress 177 -mcmodel=medium" \
    "-acc -Minline -Mnoinline -Mfprelaxed -tp haswell -traceback -wd161 -diag-disable 161"; do
    status 0 accrue cc $options a.c -o p -lm
    [ "$(wc -l <err.txt)" = 1 ]
    contains err.txt 'accrue: note: options of other compilers: '
    status 0 ./p
    contains out.txt 499500
    status 0 accrue cc -w $options a.c -o p -lm
    lacks err.txt 'other compilers'
done
status 0 accrue cc -fast -acc -Mlarge_arrays -c99 -c a.c
contains err.txt '`-fast` is `-O3`, `-c99` is `-std=gnu99`; dropped: `-Mlarge_arrays`'
printf '%s\n' '-acc -fast -Minline' >words
status 0 accrue cc @words -c a.c
contains err.txt '`-fast` is `-O3`'
status 0 accrue run -fast a.c
contains out.txt 499500

# Old GPUs in an old spelling; in the new one they are an error.
status 0 accrue cc -ta=tesla:cc35,cc60 -c a.c
contains err.txt 'no code is made for cc35'
status 1 accrue cc -acc -gpu=cc35 -c a.c -o q.o

# OpenMP alone is enough; C++ and Fortran get theirs.
echo 'int main(int n, char **v) { return _OPENMP < 2; }' >m.c
status 0 accrue cc -mp -fast m.c -o p
status 0 ./p
cp m.c m.cpp
status 0 accrue c++ -acc -qopenmp -fast m.cpp -o p
status 0 ./p
printf '#define K 8\nprogram m\n  integer i\n  call exit(K - kind(i))\nend\n' >m.f90
if command -v gfortran >/dev/null; then
    status 0 accrue fc -acc -Mpreprocess -i8 m.f90 -o p
    status 0 ./p
fi

# Without directives, with an option that no table has, and as another option's argument, words stay as they are.
status 1 accrue cc -fast -c a.c -o q.o
status 1 accrue cc -acc -Mno_such_option -c a.c -o q.o
contains err.txt 'Mno_such_option'
absent q.o
status 0 accrue cc -acc a.c -o -fast
[ -x ./-fast ]
no_temporary_files
