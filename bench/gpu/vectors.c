// Runs the simulator's test vectors on the GPU and compares the results bit for bit. Uses the driver library alone, opened at
// run time, so that it can be built where there is no CUDA.
//
//     cc -O2 vectors.c -o vectors -ldl -lm      vectors FOLDER [TEXT]
//
// FOLDER is what `cargo run -p accrue-ptx-sim --example vectors -- FOLDER` wrote; its main.rs says what is in the files.
// With TEXT, only instructions are run whose text has it in it.
//
// For an approximation, the index has bounds; the results agree when one of these is kept. Otherwise all bits count. A NaN
// in place of another NaN is a difference too, but is counted apart.
//
// Prints a line per instruction that differs, the largest difference of each approximation, and a summary. Exit status: 0 all
// agree, 1 something differs, 2 something could not be run.

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The part of the driver interface that is used here.
typedef int Device;
typedef void *Handle;
typedef unsigned long long Address;

#define CALLS(X)                                                                                  \
    X(cuInit, "cuInit", (unsigned))                                                               \
    X(error_name, "cuGetErrorName", (int, const char **))                                         \
    X(device_get, "cuDeviceGet", (Device *, int))                                                 \
    X(device_name, "cuDeviceGetName", (char *, int, Device))                                      \
    X(primary_retain, "cuDevicePrimaryCtxRetain", (Handle *, Device))                             \
    X(set_current, "cuCtxSetCurrent", (Handle))                                                   \
    X(context_wait, "cuCtxSynchronize", (void))                                                   \
    X(module_load, "cuModuleLoadDataEx", (Handle *, const void *, unsigned, int *, void **))      \
    X(module_unload, "cuModuleUnload", (Handle))                                                  \
    X(module_function, "cuModuleGetFunction", (Handle *, Handle, const char *))                   \
    X(launch, "cuLaunchKernel", (Handle, unsigned, unsigned, unsigned, unsigned, unsigned,        \
                                 unsigned, unsigned, Handle, void **, void **))                   \
    X(alloc, "cuMemAlloc_v2", (Address *, size_t))                                                \
    X(fill, "cuMemsetD8_v2", (Address, unsigned char, size_t))                                    \
    X(to_device, "cuMemcpyHtoD_v2", (Address, const void *, size_t))                              \
    X(to_host, "cuMemcpyDtoH_v2", (void *, Address, size_t))

#define DECLARE(name, symbol, parameters) static int(*name) parameters;
CALLS(DECLARE)

static void fail(const char *what, const char *why)
{
    fflush(stdout);
    fprintf(stderr, "vectors: %s: %s\n", what, why);
    exit(2);
}

static void open_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        fail("no driver", dlerror());
#define FIND(name, symbol, parameters)                                                            \
    *(void **)&name = dlsym(library, symbol);                                                     \
    if (!name)                                                                                    \
        fail("the driver lacks", symbol);
    CALLS(FIND)
}

static const char *error_text(int status)
{
    const char *name = "unknown error";
    error_name(status, &name);
    return name;
}

static void check(int status, const char *what)
{
    if (status)
        fail(what, error_text(status));
}
#define CHECK(call) check(call, #call)

// ---- formats

struct format {
    const char *name;
    // Fields of a floating-point number, 0 for others; halves of a pair.
    int exponent, fraction, parts;
};

static const struct format formats[] = {
    {"f16", 5, 10, 1}, {"bf16", 8, 7, 1}, {"f32", 8, 23, 1}, {"f64", 11, 52, 1}, {"f16x2", 5, 10, 2}, {"bf16x2", 8, 7, 2},
};

static struct format format_named(const char *name)
{
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (!strcmp(formats[k].name, name))
            return formats[k];
    return (struct format){"integer", 0, 0, 1};
}

static int width(struct format f)
{
    return 1 + f.exponent + f.fraction;
}

static uint64_t part(struct format f, uint64_t bits, int number)
{
    int shift = 64 - width(f);
    return bits >> (number * width(f)) << shift >> shift;
}

static uint64_t magnitude(struct format f, uint64_t bits)
{
    return bits & (((uint64_t)1 << (width(f) - 1)) - 1);
}

static int is_nan(struct format f, uint64_t bits)
{
    return magnitude(f, bits) > (((uint64_t)1 << f.exponent) - 1) << f.fraction;
}

static double value(struct format f, uint64_t bits)
{
    uint64_t size = magnitude(f, bits), low = size & (((uint64_t)1 << f.fraction) - 1);
    int field = (int)(size >> f.fraction), bias = (1 << (f.exponent - 1)) - 1;
    double x;
    if (is_nan(f, bits))
        return NAN;
    if (field == (1 << f.exponent) - 1)
        x = INFINITY;
    else if (field == 0)
        x = ldexp((double)low, 1 - bias - f.fraction);
    else
        x = ldexp((double)(low | (uint64_t)1 << f.fraction), field - bias - f.fraction);
    return size == bits ? x : -x;
}

// How many numbers of the format one is above the other.
static uint64_t distance(struct format f, uint64_t a, uint64_t b)
{
    uint64_t x = magnitude(f, a), y = magnitude(f, b);
    if ((x == a) != (y == b))
        return x + y;
    return x > y ? x - y : y - x;
}

// ---- comparison

struct bound {
    unsigned ulps;
    double relative, absolute;
};

enum verdict { SAME, CLOSE, OTHER_NAN, DIFFERENT };

static enum verdict compare_part(struct format f, struct bound bound, uint64_t gpu, uint64_t simulator, uint64_t *ulps)
{
    if (gpu == simulator)
        return SAME;
    if (!f.exponent)
        return DIFFERENT;
    if (is_nan(f, gpu) || is_nan(f, simulator))
        return is_nan(f, gpu) && is_nan(f, simulator) ? OTHER_NAN : DIFFERENT;
    if (!bound.ulps && bound.relative == 0 && bound.absolute == 0)
        return DIFFERENT;
    double x = value(f, gpu), y = value(f, simulator), difference = fabs(x - y);
    uint64_t apart = distance(f, gpu, simulator);
    // What counts is where the result is far from zero: near it, the absolute bound may allow many units.
    if ((bound.ulps || bound.relative > 0 || fabs(y) > 0.5) && apart > *ulps)
        *ulps = apart;
    // The simulator's own result is half a unit off.
    if (apart <= (bound.ulps ? bound.ulps : 1) || difference <= bound.relative * fabs(y) || difference <= bound.absolute)
        return CLOSE;
    return DIFFERENT;
}

static enum verdict compare(struct format f, struct bound bound, uint64_t gpu, uint64_t simulator, uint64_t *ulps)
{
    enum verdict worst = SAME;
    if (!f.exponent)
        return gpu == simulator ? SAME : DIFFERENT;
    for (int k = 0; k < f.parts; k++) {
        enum verdict one = compare_part(f, bound, part(f, gpu, k), part(f, simulator, k), ulps);
        worst = one > worst ? one : worst;
    }
    return worst;
}

static uint64_t element(const unsigned char *data, unsigned bytes, size_t row)
{
    uint64_t bits = 0;
    memcpy(&bits, data + row * bytes, bytes);
    return bits;
}

static void show(const char *what, struct format f, unsigned bytes, uint64_t bits)
{
    printf("%s0x%0*llx", what, (int)(2 * bytes), (unsigned long long)bits);
    for (int k = 0; f.exponent && k < f.parts; k++)
        printf("%s%.9g%s", k ? ", " : " (", value(f, part(f, bits, k)), k == f.parts - 1 ? ")" : "");
}

// ---- the folder

struct column {
    struct format format;
    unsigned bytes;
    const unsigned char *data;
    Address address;
};

static struct {
    const char *folder;
    unsigned char *data;
    size_t size, rows, block;
    struct column columns[256];
    int ncolumns;
    Handle module;
    Address out;
    unsigned char *results;
} v;

static struct {
    int run, same, close, other_nan, different, failed;
} count;

static char *read_file(const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", v.folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        fail(path, "cannot be read");
    long length = ftell(file);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    rewind(file);
    if (!text || fread(text, 1, (size_t)length, file) != (size_t)length)
        fail(path, "cannot be read");
    fclose(file);
    text[length] = 0;
    if (size)
        *size = (size_t)length;
    return text;
}

static const unsigned char *data_at(size_t offset, unsigned bytes)
{
    if (bytes < 1 || bytes > 8 || offset > v.size || v.rows * bytes > v.size - offset)
        fail("index.txt", "a column is not inside data.bin");
    return v.data + offset;
}

static void add_column(const char *line)
{
    int number;
    char format[16];
    size_t offset;
    struct column c = {0};
    if (sscanf(line, "column %d %15s %u %zu", &number, format, &c.bytes, &offset) != 4 || number != v.ncolumns ||
        number >= (int)(sizeof v.columns / sizeof *v.columns))
        fail("index.txt", line);
    c.format = format_named(format);
    c.data = data_at(offset, c.bytes);
    CHECK(alloc(&c.address, v.rows * c.bytes));
    CHECK(to_device(c.address, c.data, v.rows * c.bytes));
    v.columns[v.ncolumns++] = c;
}

static void load_module(const char *line)
{
    static char log[4096];
    char name[256];
    if (sscanf(line, "module %255s", name) != 1)
        fail("index.txt", line);
    if (v.module)
        CHECK(module_unload(v.module));
    v.module = NULL;
    char *text = read_file(name, NULL);
    int options[] = {5 /* error log */, 6 /* its size */};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    log[0] = 0;
    int status = module_load(&v.module, text, 2, options, values);
    if (status) {
        v.module = NULL;
        printf("vectors NOT LOADED %s: %s %.1000s\n", name, error_text(status), log);
    }
    free(text);
}

struct test {
    const char *text;
    struct format format;
    unsigned bytes;
    int sources[3];
    struct bound bound;
    const unsigned char *expected;
};

static void print_difference(const struct test *t, size_t row, const char *why, size_t rows, uint64_t gpu)
{
    static const char *const names[] = {"a ", "b ", "c "};
    printf("vectors %s: %s in %zu of %zu rows, as row %zu: ", why, t->text, rows, v.rows, row);
    for (int k = 0; k < 3; k++) {
        if (t->sources[k] < 0)
            continue;
        const struct column *c = &v.columns[t->sources[k]];
        show(names[k], c->format, c->bytes, element(c->data, c->bytes, row));
        printf(", ");
    }
    show("GPU ", t->format, t->bytes, gpu);
    show(", simulator ", t->format, t->bytes, element(t->expected, t->bytes, row));
    printf("\n");
}

static void judge(const struct test *t)
{
    size_t rows[DIFFERENT + 1] = {0}, first[DIFFERENT + 1] = {0};
    uint64_t ulps = 0;
    for (size_t row = 0; row < v.rows; row++) {
        uint64_t gpu = element(v.results, t->bytes, row), simulator = element(t->expected, t->bytes, row);
        enum verdict verdict = compare(t->format, t->bound, gpu, simulator, &ulps);
        if (!rows[verdict]++)
            first[verdict] = row;
    }
    for (enum verdict verdict = DIFFERENT; verdict >= OTHER_NAN; verdict--)
        if (rows[verdict])
            print_difference(t, first[verdict], verdict == DIFFERENT ? "DIFFERS" : "OTHER NAN", rows[verdict],
                             element(v.results, t->bytes, first[verdict]));
    if (t->bound.ulps || t->bound.relative > 0 || t->bound.absolute > 0)
        printf("vectors approximation: %s at most %llu ulp apart, %zu of %zu rows not the same\n", t->text,
               (unsigned long long)ulps, v.rows - rows[SAME], v.rows);
    count.different += rows[DIFFERENT] > 0;
    count.other_nan += !rows[DIFFERENT] && rows[OTHER_NAN];
    count.close += !rows[DIFFERENT] && !rows[OTHER_NAN] && rows[CLOSE];
    count.same += rows[SAME] == v.rows;
}

static void run_test(char *line, const char *wanted)
{
    char kernel[64], format[16];
    int text = 0;
    size_t offset;
    struct test t;
    int *s = t.sources;
    if (sscanf(line, "test %63s %15s %u %zu %d %d %d %u %lf %lf %n", kernel, format, &t.bytes, &offset, &s[0], &s[1],
               &s[2], &t.bound.ulps, &t.bound.relative, &t.bound.absolute, &text) != 10 || !text)
        fail("index.txt", line);
    t.text = line + text;
    if (!strstr(t.text, wanted))
        return;
    count.run++;
    t.format = format_named(format);
    t.expected = data_at(offset, t.bytes);
    Address addresses[4] = {0};
    void *arguments[4];
    for (int k = 0; k < 3; k++) {
        if (s[k] >= v.ncolumns)
            fail("index.txt", line);
        addresses[k] = s[k] < 0 ? 0 : v.columns[s[k]].address;
    }
    addresses[3] = v.out;
    for (int k = 0; k < 4; k++)
        arguments[k] = &addresses[k];
    Handle function;
    if (!v.module || module_function(&function, v.module, kernel)) {
        count.failed++;
        return;
    }
    CHECK(fill(v.out, 0, v.rows * t.bytes));
    int status = launch(function, (unsigned)(v.rows / v.block), 1, 1, (unsigned)v.block, 1, 1, 0, NULL, arguments, NULL);
    if (!status)
        status = context_wait();
    if (!status)
        status = to_host(v.results, v.out, v.rows * t.bytes);
    // After most failures of a kernel nothing runs any more in the process.
    if (status)
        fail(t.text, error_text(status));
    judge(&t);
}

int main(int argc, char **argv)
{
    unsigned version;
    char name[256];
    Device gpu;
    Handle context;
    if (argc < 2) {
        fprintf(stderr, "usage: vectors FOLDER [TEXT]\n");
        return 2;
    }
    v.folder = argv[1];
    const char *wanted = argc > 2 ? argv[2] : "";
    char *index = read_file("index.txt", NULL);
    v.data = (unsigned char *)read_file("data.bin", &v.size);
    if (sscanf(index, "vectors %u %zu %zu", &version, &v.rows, &v.block) != 3 || version != 1 || !v.block ||
        v.rows % v.block || v.rows > 1 << 24)
        fail("index.txt", "another version than this program knows");
    open_driver();
    CHECK(cuInit(0));
    CHECK(device_get(&gpu, 0));
    CHECK(device_name(name, sizeof name, gpu));
    CHECK(primary_retain(&context, gpu));
    CHECK(set_current(context));
    CHECK(alloc(&v.out, v.rows * 8));
    v.results = malloc(v.rows * 8);
    if (!v.results)
        fail("results", "out of memory");
    for (char *line = strtok(index, "\n"); line; line = strtok(NULL, "\n")) {
        if (!strncmp(line, "column ", 7))
            add_column(line);
        else if (!strncmp(line, "module ", 7))
            load_module(line);
        else if (!strncmp(line, "test ", 5))
            run_test(line, wanted);
        fflush(stdout);
    }
    printf("vectors: %s: %d instruction forms: %d the same, %d within the bounds of approximations, %d other in NaNs alone, "
           "%d different, %d not run\n", name, count.run, count.same, count.close, count.other_nan, count.different,
           count.failed);
    return count.failed ? 2 : count.different || count.other_nan ? 1 : 0;
}
