# A region whose printf a GPU cannot have is named, and runs on the host, where it prints what C says.
cat >host.c <<'END'
#include <stdio.h>

static void show(double x, int digits)
{
    printf("%.*f|%*.*e\n", digits, x, 12, digits, x);
}

int main(void)
{
    int a[2] = {1, 2}, length = 0;
#pragma acc serial copy(a)
    {
        for (int digits = 0; digits <= a[1]; digits++)
            show(3.14159, digits);
        a[0] = 5;
    }
#pragma acc serial copy(a, length)
    {
        printf("abc%n|%d\n", &length, a[0]);
        a[1] = length;
    }
#pragma acc serial copy(a)
    printf("%lc|%F|%d\n", L'w', 1.5, a[1]++);
#pragma acc serial copy(a)
    printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", a[0], a[1], 2,
           3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32);
    return a[1] == 4 && length == 3 ? 0 : 1;
}
END
accrue cc -fopenacc -Wno-format host.c -o host 2>err.txt
contains err.txt 'runs on the host: the precision of `%.*f` must be constant on a GPU'
contains err.txt 'host.c:5:5'
contains err.txt 'runs on the host: `printf` has no `%n` on a GPU'
contains err.txt 'runs on the host: `printf` has no `%lc` on a GPU'
contains err.txt 'runs on the host: `printf` takes 32 arguments at most on a GPU'
cat >expected.txt <<'END'
3|       3e+00
3.1|     3.1e+00
3.14|    3.14e+00
abc|5
w|1.500000|3
5 4 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
END
ACC_DEVICE_TYPE=sim status 0 ./host
same expected.txt out.txt

# What is no literal reaches the driver as it is.
cat >variable.c <<'END'
#include <stdio.h>

int main(int argc, char **argv)
{
    const char format[] = "%d %zu %d\n";
#pragma acc serial copyin(format)
    printf(format, 1, 2);
    return 0;
}
END
accrue cc -fopenacc -Wno-format variable.c -o variable
ACC_DEVICE_TYPE=sim status 0 ./variable
contains out.txt '1 %zu 2'
