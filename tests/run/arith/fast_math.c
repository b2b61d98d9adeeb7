// -ffast-math: approximations of float functions are as close as documented.
// cflags: -ffast-math -fno-builtin
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

#define N 4000
#define FUNCTIONS 16

static const char *const names[FUNCTIONS] = {"sin", "cos", "tan", "exp", "exp2", "exp10", "log", "log2",
                                             "log10", "tanh", "pow", "sqrt", "1/sqrt", "1/x", "x/y", "sincos"};

int main(void)
{
    static float got[N][FUNCTIONS];
#pragma acc parallel loop copyout(got)
    for (int i = 0; i < N; i++) {
        float x = (i - N / 2) * 0.01f, positive = 0.001f + i * 0.05f;
        got[i][0] = sinf(x * 50);
        got[i][1] = cosf(x * 50);
        got[i][2] = tanf(x * 0.07f);
        got[i][3] = expf(x);
        got[i][4] = exp2f(x);
        got[i][5] = exp10f(x);
        got[i][6] = logf(positive);
        got[i][7] = log2f(positive);
        got[i][8] = log10f(positive);
        got[i][9] = tanhf(x);
        got[i][10] = powf(i % 2 ? positive : -positive, (float)(i % 7 - 3));
        got[i][11] = sqrtf(positive);
        got[i][12] = 1 / sqrtf(positive);
        got[i][13] = 1 / positive;
        got[i][14] = x / positive;
        float s, c;
        sincosf(x, &s, &c);
        got[i][15] = s * 2 + c;
    }
    for (int k = 0; k < FUNCTIONS; k++) {
        int bad = 0;
        double worst = 0;
        for (int i = 0; i < N; i++) {
            float xf = (i - N / 2) * 0.01f, positivef = 0.001f + i * 0.05f;
            double x = xf, positive = positivef, base = i % 2 ? positive : -positive;
            float many = xf * 50, few = xf * 0.07f;
            /* The exact result, and what it may be off by. */
            double exact = 0, slack = 0;
            switch (k) {
            case 0: exact = sin((double)many), slack = 1e-6; break;
            case 1: exact = cos((double)many), slack = 1e-6; break;
            case 2: exact = tan((double)few), slack = 2e-6 * (1 + exact * exact); break;
            case 3: exact = exp(x), slack = exact * 3e-7 * (2 + fabs(x)); break;
            case 4: exact = exp2(x), slack = exact * 6e-7; break;
            case 5: exact = exp(x * 2.302585092994046), slack = exact * 3e-7 * (2 + 2.4 * fabs(x)); break;
            case 6: exact = log(positive), slack = 3e-7 + 5e-7 * fabs(exact); break;
            case 7: exact = log2(positive), slack = 3e-7 + 5e-7 * fabs(exact); break;
            case 8: exact = log10(positive), slack = 3e-7 + 5e-7 * fabs(exact); break;
            case 9: exact = tanh(x), slack = 1e-6 * fabs(exact); break;
            case 10: exact = pow(base, i % 7 - 3), slack = fabs(exact) * 6e-7 * (2 + 3 * fabs(log(positive))); break;
            case 11: exact = sqrt(positive), slack = 4e-7 * exact; break;
            case 12: exact = 1 / sqrt(positive), slack = 5e-7 * exact; break;
            case 13: exact = 1 / positive, slack = 3e-7 * exact; break;
            case 14: exact = x / positive, slack = 4e-7 * fabs(exact); break;
            case 15: exact = 2 * sin(x) + cos(x), slack = 4e-6; break;
            }
            double error = fabs(got[i][k] - exact);
            bad += !(error <= slack);
            worst = error / slack > worst ? error / slack : worst;
        }
        printf("%s: %d\n", names[k], bad);
        if (bad)
            printf("%g times what is allowed\n", worst);
    }
    return 0;
}
