# `error at(execution)` in a region says something, and ends the program if it is fatal.
cat >e.c <<'END'
#include <stdio.h>
int main(int count, char **arguments) {
    int x = count;
#pragma omp target map(tofrom : x)
    {
        if (x == 2) {
#pragma omp error at(execution) severity(warning) message("two")
            x++;
        }
        if (x > 3) {
#pragma omp error at(execution) message("too many")
            x = 0;
        }
        x++;
    }
    printf("%d\n", x);
    return 0;
}
END
accrue cc -fopenmp e.c -o e
for device in host sim; do
    ACC_DEVICE_TYPE=$device ACCRUE_CPU_MEMORY=discrete ./e >printed.txt
    same printed.txt - <<'END'
2
END
    ACC_DEVICE_TYPE=$device ACCRUE_CPU_MEMORY=discrete ./e a >printed.txt
    same printed.txt - <<'END'
e.c:7: warning: two
4
END
    ! ACC_DEVICE_TYPE=$device ACCRUE_CPU_MEMORY=discrete ./e a b c >printed.txt 2>&1 || fail "a fatal error ends nothing"
done
