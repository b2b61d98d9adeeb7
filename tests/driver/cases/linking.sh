# The runtime library is added only with an OpenACC option, and found at run time without further ado.
directive_program a.c
openacc_probe plain.c
accrue cc -fopenacc -c a.c
accrue cc -fopenacc a.o -o p
./p
accrue cc plain.c -o q
readelf -d p >p.txt
contains p.txt libaccrue.so
readelf -d q >q.txt
lacks q.txt accrue
accrue cc -fopenacc -static a.c -o static
./static
accrue cc -fopenacc -r a.o -o r.o
accrue cc -fopenacc r.o -o p2
./p2

# OpenMP's library is there for who asks it for the time, and for nobody else.
cat >time.c <<'END'
double omp_get_wtime(void);
int main(void)
{
    double before = omp_get_wtime();
    int a[10];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = i;
    return omp_get_wtime() < before || a[9] != 9;
}
END
accrue cc -fopenacc time.c -o time
./time
lacks p.txt libgomp

# A shared library with directives, used by a program without.
sed 's/int main(void)/int work(void)/' a.c >work.c
echo 'int work(void); int main(void) { return work(); }' >main.c
accrue cc -fopenacc -O2 -fPIC -shared work.c -o libwork.so
cc main.c -L. -lwork -Wl,-rpath,. -o p3
./p3
accrue cc -fopenacc -fPIC -c work.c
ar rc libwork.a work.o
accrue cc -fopenacc main.c -L. -l:libwork.a -o p4
./p4
no_temporary_files
