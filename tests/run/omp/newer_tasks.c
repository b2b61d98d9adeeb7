// Newer words outside and inside of regions: host compilers that do not know them get older ones.
// cflags: -fopenmp
// expect-output: newer_tasks.expect
// launches: 4
#include <omp.h>
#include <stdio.h>

#pragma omp begin declare_target
static int twice(int x) { return 2 * x; }
int kept = 3;
#pragma omp end declare_target

// Tasks of a set need not wait for each other, and may.
static int sets(void) {
    int parts[4] = {0}, sum = 0;
    #pragma omp parallel
    #pragma omp single
    {
        for (int i = 0; i < 4; i++)
            #pragma omp task shared(parts) depend(inoutset: parts)
            parts[i] = i + 1;
        #pragma omp task shared(parts, sum) depend(in: parts)
        for (int i = 0; i < 4; i++)
            sum += parts[i];
    }
    return sum;
}

static int tasks(void) {
    int x = 1, y = 2, sum = 0;
    #pragma omp parallel, num_threads(4)
    #pragma omp single
    {
        #pragma omp task shared(x) depend(out: x)
        x = 10;
        #pragma omp taskwait nowait depend(inout: x) depend(out: y)
        #pragma omp task shared(x, y) depend(inout: y)
        y += x;
        if (y)
            #pragma omp task shared(x, y, sum) depend(inout: omp_all_memory) if(x > 100)
            sum = x + y;
        #pragma omp task shared(sum) depend(in: x) threadset(omp_team)
        sum *= 2;
        _Pragma("omp taskwait depend(inout: omp_all_memory)")
    }
    return sum;
}

static int chains(int n) {
    int a[40] = {0}, b[40] = {0}, c[40] = {0}, last = 0, k = 0;
    #pragma omp parallel for ordered num_threads(4)
    for (int i = 1; i < n; i++) {
        #pragma omp ordered doacross(sink: i - 1)
        a[i] = a[i - 1] + i;
        #pragma omp ordered doacross(source: omp_cur_iteration)
    }
    #pragma omp parallel for ordered(1) num_threads(4)
    for (int i = n - 1; i > 0; i -= 3) {
        #pragma omp ordered doacross(sink: omp_cur_iteration - 1)
        b[i] = (i + 3 < n ? b[i + 3] : 0) + 1;
        #pragma omp ordered doacross(source:)
    }
    #pragma omp simd linear(k: val, step(3))
    for (int i = 0; i < n; i++) {
        c[i] = k;
        k += 3;
    }
    #pragma omp parallel num_threads(4)
    {
        #pragma omp for nowait(n > 100)
        for (int i = 0; i < n; i++)
            b[i] += c[i];
        #pragma omp for nowait(1)
        for (int i = 0; i < n; i++)
            a[i] += b[n - 1 - i];
        #pragma omp atomic memscope(all)
        last++;
        #pragma omp scope firstprivate(n) nowait
        {
            n++;
            if (n > 40)
                #pragma omp atomic
                last += 100;
        }
    }
    omp_depend_t event;
    #pragma omp depobj(event) depend(inout: last)
    #pragma omp task shared(last) depend(depobj: event)
    last += 7;
    #pragma omp taskwait
    #pragma omp depobj(event) destroy(event)
    for (int i = 0; i < n; i++)
        last += a[i] * (i + 1) + b[i];
    return last;
}

static int regions(void) {
    int x = 0, a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, sum = 0;
    #pragma omp target_data map(tofrom: a)
    {
        #pragma omp target map(from: x) map(to: a)
        {
            #pragma omp parallel num_threads(2)
            #pragma omp single
            {
                int y = 1;
                #pragma omp task shared(y) depend(out: omp_all_memory)
                y = twice(a[3]);
                #pragma omp task shared(x, y) depend(in: y)
                x = y + kept;
                #pragma omp taskwait nowait depend(in: x)
                #pragma omp taskwait
            }
        }
        #pragma omp target map(storage: sum) map(to: a) nowait(x > 100) depend(inout: omp_all_memory)
        {
            sum = 0;
            #pragma omp parallel for ordered
            for (int i = 1; i < 8; i++) {
                #pragma omp ordered doacross(sink: i - 1)
                a[i] += a[i - 1];
                #pragma omp ordered doacross(source:)
            }
        }
        #pragma omp target parallel for simd, linear(x: step(2)) map(tofrom: x)
        for (int i = 0; i < 8; i++) {
            a[i] += x;
            x += 2;
        }
        #pragma omp target_update from(a) depend(inout: omp_all_memory)
    }
    #pragma omp target_enter_data map(to: a)
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++)
        a[i] *= 2;
    #pragma omp target_exit_data map(from: a)
    #pragma omp target if(x > 1000) map(tofrom: sum)
    {
        #pragma omp task shared(sum) depend(inout: omp_all_memory)
        sum = 5;
        #pragma omp taskwait
    }
    for (int i = 0; i < 8; i++)
        sum += a[i] * (i + 1);
    return sum + x;
}

// A data environment that comes behind tasks.
static int environment(void) {
    int list[10];
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp task shared(list) depend(out: list)
        for (int i = 0; i < 10; i++)
            list[i] = i;
        #pragma omp target_data map(tofrom: list) depend(inout: list) nowait
        {
            #pragma omp target nowait depend(inout: list)
            for (int i = 0; i < 10; i++)
                list[i] *= 2;
        }
    }
    return list[9];
}

int main(void) {
    printf("%d\n", environment());
    printf("%d\n", sets());
    printf("%d\n", tasks());
    printf("%d\n", chains(40));
    printf("%d\n", regions());
    return 0;
}
