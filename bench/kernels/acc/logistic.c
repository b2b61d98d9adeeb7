// Ten steps of gradient descent for a logistic regression of 2^16 samples with 64 numbers each, double: the error of each sample, then from these
// the slope for each weight, and the loss.
#include "../kernels.h"

enum { SAMPLES = 1 << 16, FEATURES = 64, STEPS = 10, CHUNK = 256 };

#define RATE 2.0
#define DECAY 1e-3

#if SPELLING == 1
static double fit(int n, const double *restrict x, const double *restrict label, double *restrict weight, double *restrict error)
{
    double loss = 0;
#pragma acc data present(x[0:n * FEATURES], label[0:n], weight[0:FEATURES], error[0:n])
    {
#pragma acc parallel loop
        for (int j = 0; j < FEATURES; j++)
            weight[j] = 0;
        for (int step = 0; step < STEPS; step++) {
            loss = 0;
#pragma acc parallel loop reduction(+ : loss)
#pragma omp parallel for reduction(+ : loss)
            for (int i = 0; i < n; i++) {
                double z = 0;
                for (int j = 0; j < FEATURES; j++)
                    z += x[i * FEATURES + j] * weight[j];
                double p = 1 / (1 + exp(-z));
                error[i] = p - label[i];
                loss -= label[i] > 0 ? log(p) : log(1 - p);
            }
#pragma acc parallel loop gang
#pragma omp parallel for
            for (int j = 0; j < FEATURES; j++) {
                double slope = 0;
#pragma acc loop vector reduction(+ : slope)
                for (int i = 0; i < n; i++)
                    slope += error[i] * x[i * FEATURES + j];
                weight[j] -= RATE * (slope / n + DECAY * weight[j]);
            }
        }
    }
    return loss / n;
}
#else
typedef struct { double x[FEATURES]; } sample;

#pragma acc routine seq
static double sigmoid(double z) { return 1.0 / (1.0 + exp(-z)); }

static double fit(unsigned n, const sample *samples, const double *label, double *weight, double *slope, double *error)
{
    double loss = 0.0;
#pragma acc kernels loop independent present(weight[0:FEATURES], slope[0:FEATURES])
    for (unsigned j = 0; j < FEATURES; ++j)
        weight[j] = slope[j] = 0.0;
    for (unsigned step = 0; step != STEPS; ++step) {
        loss = 0.0;
#pragma acc parallel loop gang reduction(+ : loss) present(samples[0:n], label[0:n], weight[0:FEATURES], error[0:n])
#pragma omp parallel for reduction(+ : loss)
        for (unsigned i = 0; i < n; ++i) {
            const double *x = samples[i].x;
            double z = 0.0;
#pragma acc loop vector reduction(+ : z)
            for (unsigned j = 0; j < FEATURES; ++j)
                z += x[j] * weight[j];
            const double p = sigmoid(z);
            error[i] = p - label[i];
            loss += -label[i] * log(p) - (1.0 - label[i]) * log(1.0 - p);
        }
#pragma acc kernels present(samples[0:n], error[0:n], slope[0:FEATURES])
#pragma acc loop independent collapse(2)
#pragma omp parallel for collapse(2)
        for (unsigned chunk = 0; chunk < (n + CHUNK - 1) / CHUNK; ++chunk)
            for (unsigned j = 0; j < FEATURES; ++j) {
                const unsigned end = chunk * CHUNK + CHUNK < n ? chunk * CHUNK + CHUNK : n;
                double part = 0.0;
                for (unsigned i = chunk * CHUNK; i < end; ++i)
                    part += error[i] * samples[i].x[j];
#pragma acc atomic update
#pragma omp atomic
                slope[j] += part;
            }
#pragma acc kernels loop independent present(weight[0:FEATURES], slope[0:FEATURES])
        for (unsigned j = 0; j < FEATURES; ++j) {
            weight[j] -= RATE * (slope[j] / n + DECAY * weight[j]);
            slope[j] = 0.0;
        }
    }
    return loss / n;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift;
    double *x = NEW(double, n *FEATURES), *label = NEW(double, n), *weight = NEW(double, FEATURES), *error = NEW(double, n), loss = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        double z = 0;
        for (int j = 0; j < FEATURES; j++) {
            x[i * FEATURES + j] = 2 * number(i * FEATURES + j) - 1;
            z += x[i * FEATURES + j] * (j % 5 - 1.5);
        }
        label[i] = z + 4 * (number(i + 12345) - 0.5) > 0;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(x[0:n * FEATURES], label[0:n]) create(weight[0:FEATURES], error[0:n])
    while (lap(&t))
        loss = fit(n, x, label, weight, error);
#else
    sample *samples = (sample *)x;
    double *slope = NEW(double, FEATURES);
#pragma acc enter data copyin(samples[0:n], label[0:n]) create(weight[0:FEATURES], slope[0:FEATURES], error[0:n])
    while (lap(&t))
        loss = fit(n, samples, label, weight, slope, error);
#endif
#pragma acc update self(weight[0:FEATURES])
    for (int j = 0; j < FEATURES; j++)
        sum += (j + 1) * fabs(weight[j]);
    report("logistic", t.best, sum + 100 * loss);
    return 0;
}
