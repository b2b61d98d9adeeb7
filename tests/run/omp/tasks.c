// Tasks, groups and loops of tasks in regions: the thread that comes to one runs it at once, with the variables that it is to have.
// cflags: -fopenmp
// launches: 8
#include <stdio.h>
#define N 40

int counter = 5;

int main(void) {
    int a[N], b[N], total = 0, n = N;
    for (int i = 0; i < N; i++)
        a[i] = i;

    // Outside of a parallel region all is the thread's.
    int seen[6] = {0}, kept = 1;
    #pragma omp target map(tofrom: seen, kept)
    {
        int mine = 10, other = 20;
        #pragma omp task shared(kept, seen)
        {
            mine += 5;
            kept += mine;
            seen[0] = mine;
        }
        #pragma omp task shared(other) private(mine) depend(out: other)
        {
            mine = 3;
            other += mine;
        }
        #pragma omp task firstprivate(mine, kept) shared(seen) depend(in: other) if(0)
        {
            mine *= 2;
            kept = -1;
            seen[1] = mine;
        }
        #pragma omp taskwait
        seen[2] = mine;
        seen[3] = other;
        #pragma omp task default(firstprivate) shared(seen)
        {
            kept += 1000;
            seen[4] = kept;
        }
        #pragma omp taskyield
        seen[5] = n;
        #pragma omp taskwait
        #pragma omp task
        n = 3;
        seen[5] += n;
    }
    printf("%d %d %d %d %d %d %d\n", seen[0], seen[1], seen[2], seen[3], seen[4], seen[5], kept);

    // A list of tasks that one thread makes.
    #pragma omp target map(tofrom: a, total)
    #pragma omp parallel num_threads(4)
    #pragma omp single
    {
        #pragma omp taskgroup task_reduction(+: total)
        for (int i = 0; i < N; i += 8) {
            #pragma omp task in_reduction(+: total) untied priority(i)
            for (int j = i; j < i + 8; j++) {
                total += a[j];
                a[j] *= 2;
            }
        }
        a[0] = total;
    }
    printf("%d %d %d\n", total, a[0], a[N - 1]);

    // Variables of a parallel region that are declared outside of it are shared by tasks, those inside are not.
    int sum = 0;
    #pragma omp target map(from: sum)
    {
        int team = 0;
        #pragma omp parallel num_threads(3)
        {
            int thread = 7;
            #pragma omp single
            {
                #pragma omp task
                {
                    team += thread;
                    thread = 100;
                }
                #pragma omp task
                team += thread;
            }
        }
        sum = team;
    }
    printf("%d\n", sum);

    // Loops of tasks.
    #pragma omp target map(tofrom: a) map(from: b)
    {
        #pragma omp parallel
        #pragma omp single
        #pragma omp taskloop grainsize(4) nogroup
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
        #pragma omp parallel masked taskloop simd num_tasks(4)
        for (int i = 0; i < N; i++)
            a[i] = b[i] + 1;
    }
    printf("%d %d\n", a[3], b[N - 1]);
    int last = 0, sums = 3, scale = 2;
    #pragma omp target parallel map(tofrom: a, sums, last) firstprivate(scale)
    #pragma omp master taskloop collapse(2) lastprivate(last) reduction(+: sums) firstprivate(scale)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 8; j++) {
            a[8 * i + j] = scale * (8 * i + j);
            sums += a[8 * i + j];
            last = i * 100 + j;
        }
    printf("%d %d %d\n", a[17], sums, last);

    // Globals are shared.
    #pragma omp target map(tofrom: counter)
    #pragma omp parallel reduction(task, +: counter) num_threads(2)
    {
        #pragma omp masked
        {
            #pragma omp task in_reduction(+: counter)
            counter += 4;
            #pragma omp flush
        }
    }
    printf("%d\n", counter);

    // One of the thread's variables in `single` and `scope`.
    int x = 4, y = 6, out[4] = {0};
    #pragma omp target parallel map(tofrom: out) map(tofrom: y) num_threads(4) firstprivate(x)
    {
        #pragma omp single private(x)
        {
            x = 9;
            out[0] = x;
        }
        #pragma omp scope private(y)
        {
            y = 3;
            #pragma omp atomic
            out[1] += x + y;
        }
        #pragma omp single firstprivate(y) nowait
        out[2] = ++y;
        #pragma omp atomic
        out[3] += x;
        #pragma omp flush(out)
    }
    printf("%d %d %d %d %d\n", out[0], out[1], out[2], out[3], y);
    #pragma omp target map(tofrom: x)
    {
        #pragma omp flush acq_rel
        x++;
    }
    printf("%d\n", x);
    return 0;
}
