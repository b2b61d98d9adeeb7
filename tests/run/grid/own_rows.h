// One set of loops along rows with indices of type I, see own_rows.c.

static void NAME(running)(I rows, I length, const int *in, int *out)
{
#pragma acc parallel loop present(in[0:rows * length], out[0:rows * length])
    for (I p = 0; p < rows; p++) {
        int s = (int)p;
        for (I k = 0; k < length; k++) {
            s += in[p * length + k];
            out[p * length + k] = s;
        }
    }
}

// Arrays of arrays, pointers that move on, a loop that counts down.
static void NAME(moved)(I rows, int *flat, int *result, int *last)
{
    int(*in)[64] = (int(*)[64])flat, (*out)[64] = (int(*)[64])result;
#pragma acc parallel loop gang vector present(in[0:rows][0:64], out[0:rows][0:64], last[0:rows])
    for (I p = 0; p < rows; p++) {
        const int *from = in[p];
        int *to = out[p], s = p == 0 ? 0 : last[p];
        for (I k = 64; k-- > 0;)
            *to++ = s += *from++;
        last[p] = out[p][63] + out[p][0];
    }
}

// What all lanes read, two rows and two results of different sizes, and a loop in front that only reads.
static void NAME(several)(I rows, I length, const double *a, const float *b, const double *x, double *c, short *d)
{
#pragma acc kernels loop independent copyin(a[0:rows * length], b[0:rows * length], x[0:length]) copy(c[0:rows * length], d[0:rows * length])
    for (I p = 0; p < rows; p++) {
        double sum = 0, s = 0;
        for (I k = 0; k < length; k++)
            sum += b[p * length + k];
        for (I k = 0; k < length; k++) {
            s += a[p * length + k] * x[k] + b[p * length + k] * sum;
            c[p * length + k] = s;
            d[p * length + k] = (short)(k + sum);
            if (k == 3)
                sum -= 1;
        }
    }
}

// From the second element on, to the left of what is read: results that are not apart from it are not moved together.
static void NAME(shifted)(I rows, I length, const int *in, int *out)
{
#pragma acc parallel loop present(in[0:rows * length], out[0:rows * length - 1])
    for (I p = 0; p < rows; p++)
        for (I k = 1; k < length; k++)
            out[p * length + k - 1] = in[p * length + k] * 2 - in[p * length];
}

// What each iteration reads at the same place may be what one of them has written.
static void NAME(added)(I rows, I length, const int *in, const int *first, int *out)
{
#pragma acc parallel loop present(in[0:rows * length], first[0:rows * length], out[0:rows * length])
    for (I p = 0; p < rows; p++)
        for (I k = 0; k < length; k++)
            out[p * length + k] = in[p * length + k] + first[p * length];
}

static void NAME(all)(const char *name)
{
    const int shapes[][2] = {{200, 64}, {128, 16}, {129, 17}, {1, 40}, {2, 33}, {33, 15}, {300, 31}, {7, 0}, {0, 9}, {127, 100}};
    for (int v = 0; v < (int)(sizeof shapes / sizeof shapes[0]); v++) {
        int rows = shapes[v][0], length = shapes[v][1];
        start();
#pragma acc data copyin(whole) copy(sums)
        NAME(running)((I)rows, (I)length, whole, sums);
        show(name, "running");
        start();
#pragma acc data copyin(whole) copy(sums, last)
        NAME(moved)((I)rows, whole, sums, last);
        show(name, "moved");
        start();
        NAME(several)((I)rows, (I)length, numbers, reals, factors, results, shorts);
        show(name, "several");
        if (rows == 0 || length == 0)
            continue;
        start();
#pragma acc data copy(whole, sums)
        {
            NAME(shifted)((I)rows, (I)length, whole, sums);
            NAME(shifted)((I)rows, (I)length, whole, whole + 1);
        }
        show(name, "shifted");
    }
    // Results that are what is read, element by element, and one further.
    start();
#pragma acc data copy(whole, last)
    {
        NAME(running)((I)130, (I)50, whole, whole);
        NAME(moved)((I)1, whole + 64, whole + 65, last);
    }
    show(name, "in place");
    start();
#pragma acc data copyin(whole) copy(sums)
    NAME(added)((I)130, (I)50, whole, sums, sums);
    show(name, "added");
}

#undef I
#undef NAME
