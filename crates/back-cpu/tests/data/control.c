static int classify(int);
static int counted(int, int);
static int do_while(int);
static int odd_sum(int);
static int slow_steps(int);

static int classify(int p)
{
    int r = 0;
    switch (p) {
    case 1L: case 4L ... 6L: {
        r = r + 1;
        __attribute__((fallthrough));
    }
    default: {
        r = r + 10;
        if (p > 100) {
            break;
        }
        __attribute__((fallthrough));
    }
    case -3L: {
        r = r + 100;
        break;
    }
    }
    return r;
}

static int odd_sum(int p)
{
    int s = 0;
    int i = 0;
    for (; i < p; i = i + 1) {
        if (i % 2 == 0) {
            continue;
        }
        if (i > 20) {
            break;
        }
        s = s + i;
    }
    return s;
}

static int slow_steps(int p)
{
    int count = 0;
    int i = 1;
    for (;;) {
        int t1 = i;
        if (!(t1 * t1 < p)) break;
        {
            if (i % 3 == 0) {
                goto next;
            }
            count = count + 1;
        }
        next:;
        int t2;
        if (i % 3 == 0) {
            t2 = 1;
        } else {
            t2 = 2;
        }
        i = i + t2;
    }
    return count;
}

static int do_while(int n)
{
    int n_2 = n;
    int s = 0;
    for (;;) {
        {
            s = s + n_2;
            if (s % 5 == 0) {
                goto next;
            }
            if (s > 1000) {
                return 1000;
            }
            s = s + 1;
        }
        next:;
        n_2 = n_2 - 1;
        if (!(n_2 > 0)) break;
    }
    return s;
}

static int counted(int p, int p_2)
{
    int s = 0;
    int k = 3;
    for (int i = p; i > 0; i -= 2) {
        s = s + i;
    }
    for (int i_2 = 0; i_2 < p; i_2 += p_2) {
        s = (int)((unsigned)s + (unsigned)i_2);
    }
    for (unsigned i_3 = (unsigned)0; i_3 < (unsigned)-294967296; i_3 += 1000000000) {
        s = s ^ (int)i_3;
    }
    do {
        k = k + -2;
    } while (k > 0);
    return s + k;
}

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    int *arg0 = (int *)launch->args[0];
    int arg1 = (int)launch->args[1];
    int t1 = classify(arg1);
    int t2 = odd_sum(arg1);
    int t3 = slow_steps(arg1);
    int t4 = do_while(arg1);
    int t5 = counted(arg1, 3);
    arg0[0] = t1;
    arg0[1] = t2;
    arg0[2] = t3;
    arg0[3] = t4;
    arg0[4] = t5;
    return;
}
