# A mistake in a directive: one message with its place, exit status 1, no output.
cat >a.c <<'END'
int main(void) {
    int a[8] = {0};
#pragma acc parallel loop copi(a)
    for (int i = 0; i < 8; i++) a[i] = i;
    return 0;
}
END
for options in "-c" "-S" "-o p" "-fsyntax-only"; do
    status 1 accrue cc -fopenacc $options a.c
    contains err.txt 'a.c:3'
    contains err.txt copi
    absent a.o a.s p
done
status 0 accrue cc $options a.c
no_temporary_files
