# On which device OpenMP's directives work: numbers, the default device, the initial one, what the environment says.
cat >d.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
/* Cores and GPUs with memory of their own do not see what the host writes after the mapping. */
static int runs_at(int number) {
    int a[1] = {1}, seen = 0;
#pragma omp target enter data map(to : a) device(number)
    a[0] = 2;
#pragma omp target map(from : seen) device(number)
    seen = a[0];
#pragma omp target update from(a) device(number)
    int back = a[0];
#pragma omp target exit data map(release : a) device(number)
    return 10 * seen + back;
}
int main(int count, char **arguments) {
    int number = count > 1 ? atoi(arguments[1]) : omp_get_initial_device();
    int a[1] = {1}, seen = 0, address = 0, n = 10, *p = a;
#pragma omp target data map(to : a) device(number) use_device_ptr(p)
    address = p == a;
#pragma omp target data map(to : a)
    {
        a[0] = 2;
#pragma omp target map(from : seen)
        seen = a[0];
    }
    long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) if (n > 10) device(77)
    for (int i = 0; i < n; i++) sum += i;
    printf("device %d %d, default %d, sum %ld\n", runs_at(number), address, seen, sum);
    if (!omp_is_initial_device() || omp_get_device_num() != omp_get_initial_device()) return 1;
    if (count > 2) return 0;
    omp_set_default_device(omp_get_initial_device());
    seen = 0, a[0] = 3;
#pragma omp target map(to : a) map(from : seen)
    seen = a[0];
    return seen != 3;
}
END
prints() {
    expected=$1
    shift
    env "$@" >printed.txt 2>&1 || { cat printed.txt; fail "$*"; }
    contains printed.txt "$expected"
}
stops() {
    message=$1
    shift
    status 1 env "$@"
    contains err.txt "$message"
}
accrue cc -fopenmp -O2 d.c -o d
for device in ACCRUE_CPU_MEMORY=discrete ACC_DEVICE_TYPE=sim; do
    # The host, by each of its numbers; device 0.
    prints "device 22 1, default 1, sum 45" $device ./d
    prints "device 22 1, default 1, sum 45" $device ./d -1
    prints "device 11 0, default 1, sum 45" $device ./d 0
    # Without the region for the host: there libgomp looks for a device of its own with this number.
    prints "device 11 0, default 1, sum 45" $device OMP_DEFAULT_DEVICE=0 OMP_TARGET_OFFLOAD=mandatory ./d 0 -
    prints "device 22 1, default 2, sum 45" $device OMP_DEFAULT_DEVICE=1 ./d 1
    prints "device 22 1, default 2, sum 45" $device OMP_TARGET_OFFLOAD=Disabled ./d 0
    stops "d.c:19: there is no device 2: devices are 0 to 0, and the initial device is 1" $device ./d 2
    stops "d.c:19: there is no device 5" $device OMP_DEFAULT_DEVICE=5 ./d 5
    stops "d.c:21: there is no device 5" $device OMP_DEFAULT_DEVICE=5 ./d 0
    stops "d.c:19: device number -4 is omp_invalid_device" $device ./d -4
done
# Cores that share the host's memory are the host.
prints "device 22 1, default 2, sum 45" ACC_DEVICE_TYPE=host ./d
prints "device 22 1, default 2, sum 45" ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=disabled ./d 0
stops "the only device is the initial one, number 0" ACC_DEVICE_TYPE=host ./d 1
stops "d.c:21: OMP_TARGET_OFFLOAD is MANDATORY, and there is no device but the host" \
    ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=MANDATORY ./d 0

# What regions ask of the device that they run on.
cat >a.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
    int initial = -1, hosts = 0;
    double before = -1, after = -1, tick = -1;
#pragma omp target map(from : initial, before, after, tick)
    {
        initial = omp_is_initial_device();
        before = omp_get_wtime();
        tick = omp_get_wtick();
        after = omp_get_wtime();
    }
#pragma omp target teams distribute parallel for reduction(+ : hosts)
    for (int i = 0; i < 100; i++) hosts += omp_is_initial_device() != 0;
    printf("initial %d %d\n", initial, hosts);
    return before < 0 || after < before || after > before + 100 || tick <= 0 || tick > 1;
}
END
for options in "" "-O2 -flto"; do
    accrue cc -fopenmp $options a.c -o a
    prints "initial 1 100" ACC_DEVICE_TYPE=host ./a
    prints "initial 1 100" ACC_DEVICE_TYPE=sim OMP_DEFAULT_DEVICE=1 ./a
    prints "initial 1 100" ACC_DEVICE_TYPE=sim OMP_TARGET_OFFLOAD=disabled ./a
    prints "initial 0 0" ACC_DEVICE_TYPE=host ACCRUE_CPU_MEMORY=discrete ./a
    prints "initial 0 0" ACC_DEVICE_TYPE=sim ./a
done

# Numbers of teams and threads that no clause names.
cat >n.c <<'END'
int main(void) {
    static float a[100][100];
#pragma omp target teams distribute parallel for collapse(2) map(from : a)
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 100; j++) a[i][j] = i + j;
#pragma omp target teams distribute num_teams(7) map(tofrom : a)
    for (int i = 0; i < 100; i++) {
#pragma omp parallel for
        for (int k = 0; k < 10; k++)
#pragma omp simd
            for (int j = 0; j < 10; j++) a[i][10 * k + j]++;
    }
    return a[99][99] != 199;
}
END
accrue cc -fopenmp n.c -o n
launches() {
    env ACC_DEVICE_TYPE=sim ACCRUE_NOTIFY=1 "$@" ./n >all.txt 2>&1 || { cat all.txt; fail "$*"; }
    sed 's/.* line=\([0-9]*\) .*\(gangs=[0-9]*\) \(workers=[0-9]*\).*/line \1: \2 \3/' all.txt >printed.txt
}
launches OMP_NUM_TEAMS=5 OMP_TEAMS_THREAD_LIMIT=4
contains printed.txt "line 3: gangs=5 workers=1"
contains printed.txt "line 6: gangs=7 workers=4"
contains printed.txt "n.c:3: OMP_TEAMS_THREAD_LIMIT(4): device sim:0 uses 256"
launches OMP_NUM_TEAMS=5 OMP_NUM_TEAMS_ALL=6 OMP_NUM_TEAMS_DEV=8 OMP_NUM_TEAMS_DEV_0=9 OMP_NUM_TEAMS_DEV_1=10
contains printed.txt "line 3: gangs=9 workers=1"
launches OMP_NUM_TEAMS=5 OMP_NUM_TEAMS_ALL=6 OMP_TEAMS_THREAD_LIMIT=1000
contains printed.txt "line 3: gangs=6 workers=1"
lacks printed.txt THREAD_LIMIT
stops "OMP_NUM_TEAMS=-3: expected a number from 1 on (OpenMP 5.2, 21.6.1)" OMP_NUM_TEAMS=-3 ./n

# What a device does not have, and what no device has.
cat >w.c <<'END'
#include <stdlib.h>
int main(int count, char **arguments) {
    static float a[5000];
    int threads = atoi(arguments[1]), teams = atoi(arguments[2]);
#pragma omp target teams distribute parallel for num_threads(threads) num_teams(teams) map(from : a)
    for (int i = 0; i < 5000; i++) a[i] = i;
    return a[4999] != 4999;
}
END
accrue cc -fopenmp w.c -o w
prints "w.c:5: num_threads or thread_limit(4000): device sim:0 uses" ACC_DEVICE_TYPE=sim ./w 4000 2
prints "w.c:5: num_teams(0): device sim:0 uses as many as it chooses" ACC_DEVICE_TYPE=sim ./w 64 0
stops "w.c:5: num_threads or thread_limit(-1): the value must be positive (OpenMP 5.2, 10.1.2, 13.3)" \
    ACC_DEVICE_TYPE=sim ./w -1 2
no_temporary_files
