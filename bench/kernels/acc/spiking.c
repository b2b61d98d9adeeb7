// 32 milliseconds of 2^17 neurons (Izhikevich), double: two half steps of the potential, a step of the recovery, and where a neuron fires, its 64 synapses
// add to the currents of others, in whole numbers; launches for each step.
#include "../kernels.h"

enum { NEURONS = 1 << 17, SYNAPSES = 64, STEPS = 32, UNIT = 256 };

#if SPELLING == 1
static void spiking(int n, const double *restrict a, const double *restrict b, const double *restrict c, const double *restrict d,
                    const int *restrict target, const int *restrict weight, double *restrict v, double *restrict u, int *restrict current,
                    unsigned char *restrict fired, int *restrict spikes)
{
#pragma acc data present(a[0:n], b[0:n], c[0:n], d[0:n], target[0:n * SYNAPSES], weight[0:n * SYNAPSES], v[0:n], u[0:n], current[0:n], fired[0:n], spikes[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            v[i] = -65;
            u[i] = -65 * b[i];
            current[i] = 0;
            spikes[i] = 0;
        }
        for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                double in = (mix(step * n + i) & 0xffff) * (16.0 / 65536) + current[i] * (1.0 / UNIT), p = v[i], r = u[i];
                p += 0.5 * (0.04 * p * p + 5 * p + 140 - r + in);
                p += 0.5 * (0.04 * p * p + 5 * p + 140 - r + in);
                r += a[i] * (b[i] * p - r);
                fired[i] = p >= 30;
                v[i] = fired[i] ? c[i] : p;
                u[i] = fired[i] ? r + d[i] : r;
                spikes[i] += fired[i];
                current[i] = 0;
            }
#pragma acc parallel loop collapse(2)
            for (int i = 0; i < n; i++)
                for (int k = 0; k < SYNAPSES; k++)
                    if (fired[i]) {
#pragma acc atomic update
                        current[target[i * SYNAPSES + k]] += weight[i * SYNAPSES + k];
                    }
        }
    }
}
#else
struct neuron { double v, u, a, b, c, d; };
struct synapse { unsigned target; int weight; };

#pragma acc routine seq
static int advance(struct neuron *restrict one, double in)
{
    for (int half = 0; half < 2; ++half)
        one->v += 0.5 * ((0.04 * one->v + 5) * one->v + 140 - one->u + in);
    one->u += one->a * (one->b * one->v - one->u);
    if (one->v < 30)
        return 0;
    one->v = one->c;
    one->u += one->d;
    return 1;
}

static void spiking(size_t n, struct neuron *neurons, struct synapse (*synapses)[SYNAPSES], int *current, unsigned *list, unsigned *count, int *spikes)
{
#pragma acc data present(neurons[0:n], synapses[0:n], current[0:n], list[0:n], count[0:STEPS], spikes[0:n])
    {
#pragma acc parallel loop async(1)
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            neurons[i].v = -65;
            neurons[i].u = -65 * neurons[i].b;
            current[i] = spikes[i] = 0;
        }
#pragma acc parallel loop async(1)
        for (size_t step = 0; step < STEPS; ++step)
            count[step] = 0;
        for (size_t step = 0; step < STEPS; ++step) {
#pragma acc parallel loop async(1)
            for (size_t i = 0; i < n; ++i) {
                double noise = mix((unsigned)(step * n + i)) % 65536 / 4096.0;
                if (advance(&neurons[i], noise + (double)current[i] / UNIT)) {
                    unsigned place;
#pragma acc atomic capture
                    place = count[step]++;
                    list[place] = i;
                    ++spikes[i];
                }
                current[i] = 0;
            }
            // The device knows how many have fired.
#pragma acc parallel num_gangs(1024) num_workers(4) vector_length(32) async(1)
            {
                unsigned all = count[step];
#pragma acc loop gang worker
                for (unsigned f = 0; f < all; ++f) {
                    const struct synapse *from = synapses[list[f]];
#pragma acc loop vector
                    for (int k = 0; k < SYNAPSES; ++k) {
#pragma acc atomic
                        current[from[k].target] += from[k].weight;
                    }
                }
            }
        }
#pragma acc wait(1)
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = NEURONS >> args.shift, *current = NEW(int, n), *spikes = NEW(int, n);
    double sum = 0;
#pragma acc enter data create(current[0:n], spikes[0:n])
#if SPELLING == 1
    double *a = NEW(double, n), *b = NEW(double, n), *c = NEW(double, n), *d = NEW(double, n), *v = NEW(double, n), *u = NEW(double, n);
    int *target = NEW(int, n *SYNAPSES), *weight = NEW(int, n *SYNAPSES);
    unsigned char *fired = NEW(unsigned char, n);
#else
    struct neuron *neurons = NEW(struct neuron, n);
    struct synapse(*synapses)[SYNAPSES] = malloc(n * sizeof *synapses);
    unsigned *list = NEW(unsigned, n), *count = NEW(unsigned, STEPS);
#endif
    for (int i = 0; i < n; i++) {
        double r = number(i + 123);
        int calm = i % 5 == 4;
        struct { double a, b, c, d; } is = {calm ? 0.02 + 0.08 * r : 0.02, calm ? 0.25 - 0.05 * r : 0.2, calm ? -65 : -65 + 15 * r * r, calm ? 2 : 8 - 6 * r * r};
#if SPELLING == 1
        a[i] = is.a;
        b[i] = is.b;
        c[i] = is.c;
        d[i] = is.d;
#else
        neurons[i] = (struct neuron){0, 0, is.a, is.b, is.c, is.d};
#endif
        for (int k = 0; k < SYNAPSES; k++) {
            int to = mix(i * SYNAPSES + k) % n, strength = mix(i * SYNAPSES + k + 1234567) % (calm ? 1024 : 512);
#if SPELLING == 1
            target[i * SYNAPSES + k] = to;
            weight[i * SYNAPSES + k] = calm ? -strength : strength;
#else
            synapses[i][k] = (struct synapse){to, calm ? -strength : strength};
#endif
        }
    }
#if SPELLING == 1
#pragma acc enter data copyin(a[0:n], b[0:n], c[0:n], d[0:n], target[0:n * SYNAPSES], weight[0:n * SYNAPSES]) create(v[0:n], u[0:n], fired[0:n])
#else
#pragma acc enter data copyin(neurons[0:n], synapses[0:n]) create(list[0:n], count[0:STEPS])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        spiking(n, a, b, c, d, target, weight, v, u, current, fired, spikes);
#else
        spiking(n, neurons, synapses, current, list, count, spikes);
#endif
    }
#pragma acc update self(spikes[0:n])
#if SPELLING == 1
#pragma acc update self(v[0:n])
    for (int i = 0; i < n; i++)
        sum += spikes[i] * (1 + i % 3) - v[i];
#else
#pragma acc update self(neurons[0:n])
    for (int i = 0; i < n; i++)
        sum += spikes[i] * (1 + i % 3) - neurons[i].v;
#endif
    report("spiking", t.best, sum);
    return 0;
}
