/* One type: T, called NAME. KIND: 3 integers, with bit operators; 2 real numbers, with max and min; 1 complex numbers. */

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

#if KIND == 3
#define BITS reduction(& : both) reduction(| : some) reduction(^ : odd)
#define ADD_BITS \
    both &= (T)(VALUE(i) | 8); \
    some |= (T)(VALUE(i) << 1); \
    odd ^= (T)VALUE(i);
#else
#define BITS
#define ADD_BITS
#endif
#if KIND >= 2
#define EXTREMA reduction(max : most) reduction(min : least)
#define ADD_EXTREMA \
    most = most > (T)VALUE(i) ? most : (T)VALUE(i); \
    least = least < (T)(100 - VALUE(i)) ? least : (T)(100 - VALUE(i));
#else
#define EXTREMA
#define ADD_EXTREMA
#endif

#define START \
    T sum = (T)3, product = (T)1, most = (T)2, least = (T)120, both = (T)31, some = (T)1, odd = (T)5, all = (T)1, \
      any = (T)0;

#define ADD(i) \
    sum += (T)VALUE(i); \
    product *= (T)SMALL(i); \
    all = all && VALUE(i) != 40; \
    any = any || VALUE(i) == 13; \
    ADD_EXTREMA \
    ADD_BITS

#define KEEP(at) \
    { \
        T now[9] = {sum, product, most, least, both, some, odd, all, any}; \
        for (int o = 0; o < 9; o++) \
            at[o] = at[o] * (T)3 + now[o]; \
    }

static void PASTE(show_, NAME)(const char *where, const T *v)
{
    printf("%s", where);
    for (int o = 0; o < 9; o++)
        printf(" %.17g", (double)v[o]);
#if KIND == 1
    for (int o = 0; o < 9; o++)
        printf(" %.17g", (double)cimag(v[o]));
#endif
    printf("\n");
}

static void PASTE(test_, NAME)(const char *name, int n)
{
    printf("%s\n", name);
    T results[2][3][9] = {{{0}}}, gangs[9] = {0}, list[3] = {1, 2, 3};
    {
        START
#pragma acc parallel loop gang worker vector num_gangs(3) num_workers(WORKERS) vector_length(LANES) \
    reduction(+ : sum) reduction(* : product) EXTREMA BITS reduction(&& : all) reduction(|| : any)
        for (int i = 0; i < n; i++) {
            ADD(i)
        }
        KEEP(gangs)
    }
    PASTE(show_, NAME)("gang worker vector", gangs);
    /* The inner loops run several times, so that slots are used again; one of them has no iteration for most threads. */
#pragma acc parallel num_gangs(2) num_workers(WORKERS) vector_length(LANES) copy(results)
    {
#pragma acc loop gang
        for (int g = 0; g < 2; g++) {
#pragma acc loop seq
            for (int k = 0; k < 2; k++) {
                {
                    START
#pragma acc loop worker reduction(+ : sum) reduction(* : product) EXTREMA BITS reduction(&& : all) reduction(|| : any)
                    for (int i = g; i < n; i++) {
                        ADD(i)
                    }
                    KEEP(results[g][0])
                }
                {
                    START
#pragma acc loop vector reduction(+ : sum) reduction(* : product) EXTREMA BITS reduction(&& : all) reduction(|| : any)
                    for (int i = g + k; i < n; i++) {
                        ADD(i)
                    }
                    KEEP(results[g][1])
                }
                {
                    START
#pragma acc loop worker vector reduction(+ : sum) reduction(* : product) EXTREMA BITS reduction(&& : all) \
    reduction(|| : any)
                    for (int i = k * n / 2; i < n / 2 + 3; i++) {
                        ADD(i)
                    }
                    KEEP(results[g][2])
                }
            }
        }
    }
    for (int g = 0; g < 2; g++) {
        PASTE(show_, NAME)("worker", results[g][0]);
        PASTE(show_, NAME)("vector", results[g][1]);
        PASTE(show_, NAME)("worker vector", results[g][2]);
    }
    /* A vector loop inside of a worker loop, and an array at both levels. */
    T rows[5] = {0};
    T total = (T)1;
#pragma acc parallel num_gangs(2) num_workers(WORKERS) vector_length(LANES) copy(rows, total, list) reduction(+ : total)
    {
#pragma acc loop gang worker reduction(+ : list[:3])
        for (int r = 0; r < 5; r++) {
            T row = (T)r;
#pragma acc loop vector reduction(+ : row, list[:3])
            for (int i = 0; i < n; i += r + 1) {
                row += (T)VALUE(i);
                list[i % 3] += (T)1;
            }
            rows[r] = row;
        }
#pragma acc loop gang vector reduction(+ : total)
        for (int i = 0; i < n; i++)
            total += (T)SMALL(i);
    }
    printf("rows");
    for (int r = 0; r < 5; r++)
        printf(" %g", (double)rows[r]);
    printf(" list %g %g %g total %g\n", (double)list[0], (double)list[1], (double)list[2], (double)total);
}

#undef BITS
#undef ADD_BITS
#undef EXTREMA
#undef ADD_EXTREMA
#undef START
#undef ADD
#undef KEEP
#undef PASTE
#undef PASTE_
#undef T
#undef NAME
#undef KIND
