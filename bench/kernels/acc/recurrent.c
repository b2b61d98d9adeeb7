// A recurrent layer of a network (LSTM), float: 128 sequences of 16 steps with 256 units. In each step what the units gave last goes through a matrix
// to four gates, beside what the input has given them, and the gates change the cells; launches for each step.
#include "../kernels.h"

enum { BATCH = 128, STEPS = 16, UNITS = 256, GATES = 4 * UNITS };

#if SPELLING == 1
static inline float sigmoid(float x) { return 1 / (1 + expf(-x)); }

static void forward(int n, const float *restrict input, const float *restrict weight, const float *restrict bias, float *restrict gates,
                    float *restrict cell, float *restrict hidden)
{
#pragma acc data present(input[0:STEPS * n * GATES], weight[0:UNITS * GATES], bias[0:GATES], gates[0:n * GATES], cell[0:n * UNITS],               \
                             hidden[0:n * UNITS])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < n * UNITS; i++)
            cell[i] = hidden[i] = 0;
        for (int t = 0; t < STEPS; t++) {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
            for (int b = 0; b < n; b++)
                for (int j = 0; j < GATES; j++) {
                    float z = input[(t * n + b) * GATES + j] + bias[j];
                    for (int k = 0; k < UNITS; k++)
                        z += hidden[b * UNITS + k] * weight[k * GATES + j];
                    gates[b * GATES + j] = z;
                }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
            for (int b = 0; b < n; b++)
                for (int j = 0; j < UNITS; j++) {
                    const float *z = gates + b * GATES;
                    float c = sigmoid(z[UNITS + j]) * cell[b * UNITS + j] + sigmoid(z[j]) * tanhf(z[2 * UNITS + j]);
                    cell[b * UNITS + j] = c;
                    hidden[b * UNITS + j] = sigmoid(z[3 * UNITS + j]) * tanhf(c);
                }
        }
    }
}
#else
typedef struct { float in, forget, fresh, out; } gates;
typedef struct { float cell[UNITS], hidden[2][UNITS]; } state;

#define SIGMOID(x) (1.0f / (1.0f + expf(-(x))))

#pragma acc routine seq
static gates add_scaled(gates z, float h, gates w)
{
    const gates r = {z.in + h * w.in, z.forget + h * w.forget, z.fresh + h * w.fresh, z.out + h * w.out};
    return r;
}

static void step(size_t n, const gates *input_, const gates weight[UNITS][UNITS], const gates *bias, state *states, unsigned now_)
{
    const gates(*input)[UNITS] = (const gates(*)[UNITS])input_;
#pragma acc parallel loop gang present(input[0:n], weight[0:UNITS], bias[0:UNITS], states[0:n])
#pragma omp parallel for
    for (size_t b = 0; b < n; ++b) {
        state *s = &states[b];
#pragma acc loop vector
        for (size_t j = 0; j < UNITS; ++j) {
            gates z = add_scaled(bias[j], 1.0f, input[b][j]);
            for (size_t k = 0; k < UNITS; ++k)
                z = add_scaled(z, s->hidden[now_][k], weight[k][j]);
            s->cell[j] = SIGMOID(z.forget) * s->cell[j] + SIGMOID(z.in) * tanhf(z.fresh);
            s->hidden[1 - now_][j] = SIGMOID(z.out) * tanhf(s->cell[j]);
        }
    }
}

static void forward(size_t n, const gates *input, const gates weight[UNITS][UNITS], const gates *bias, state *states)
{
#pragma acc parallel loop gang vector collapse(2) present(states[0:n])
#pragma omp parallel for
    for (size_t b = 0; b < n; ++b)
        for (size_t j = 0; j < UNITS; ++j)
            states[b].cell[j] = states[b].hidden[0][j] = 0.0f;
    for (unsigned t = 0; t < STEPS; ++t)
        step(n, input + t * n * UNITS, weight, bias, states, t % 2);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BATCH >> args.shift > 0 ? BATCH >> args.shift : 1;
    float *input = NEW(float, STEPS *n *GATES), *weight = NEW(float, UNITS *GATES), *bias = NEW(float, GATES);
    double sum = 0;
    for (int i = 0; i < STEPS * n * GATES; i++)
        input[i] = 2 * number(i) - 1;
    for (int i = 0; i < UNITS * GATES; i++)
        weight[i] = 0.2 * number(i + 54321) - 0.1;
    for (int j = 0; j < GATES; j++)
        bias[j] = 0.5 * number(j + 77) + (j / UNITS == 1);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    float *gates = NEW(float, n *GATES), *cell = NEW(float, n *UNITS), *hidden = NEW(float, n *UNITS);
#pragma acc enter data copyin(input[0:STEPS * n * GATES], weight[0:UNITS * GATES], bias[0:GATES])                                                 \
    create(gates[0:n * GATES], cell[0:n * UNITS], hidden[0:n * UNITS])
    while (lap(&t))
        forward(n, input, weight, bias, gates, cell, hidden);
#pragma acc update self(cell[0:n * UNITS], hidden[0:n * UNITS])
    for (int i = 0; i < n * UNITS; i++)
        sum += fabs(cell[i]) + fabs(hidden[i]);
#else
    gates *inputs = NEW(gates, STEPS *n *UNITS), (*weights)[UNITS] = (gates(*)[UNITS])NEW(gates, UNITS *UNITS), *biases = NEW(gates, UNITS);
    state *states = NEW(state, n);
#define GATHER(to, from) (to) = (gates){(from)[j], (from)[UNITS + j], (from)[2 * UNITS + j], (from)[3 * UNITS + j]}
    for (int j = 0; j < UNITS; j++) {
        for (int i = 0; i < STEPS * n; i++)
            GATHER(inputs[i * UNITS + j], input + i * GATES);
        for (int k = 0; k < UNITS; k++)
            GATHER(weights[k][j], weight + k * GATES);
        GATHER(biases[j], bias);
    }
#pragma acc enter data copyin(inputs[0:STEPS * n * UNITS], weights[0:UNITS], biases[0:UNITS]) create(states[0:n])
    while (lap(&t))
        forward(n, inputs, (const gates(*)[UNITS])weights, biases, states);
#pragma acc update self(states[0:n])
    for (int b = 0; b < n; b++)
        for (int j = 0; j < UNITS; j++)
            sum += fabs(states[b].cell[j]) + fabs(states[b].hidden[STEPS % 2][j]);
#endif
    report("recurrent", t.best, sum);
    return 0;
}
