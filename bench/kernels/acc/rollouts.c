// Control of a car by path integrals (MPPI), double: in each of four iterations 8192 noisy courses of 64 steps over a map of costs of 256 x 256
// points, weights by how much worse than the best they are, and the controls changed by the weighted means of the noise.
#include "../kernels.h"

enum { COURSES = 8192, STEPS = 64, SIDE = 256, ROUNDS = 4 };

#define DT 0.1
#define CELL 0.25
#define LENGTH 2.7
#define HEAT 6.0
#define GOALX 50.0
#define GOALY 45.0

#if SPELLING == 1
// Noise of step t of all courses together; `plan` has the throttle and the wheel's angle of all steps.
static double improve(int n, const double *restrict map, const double *restrict throttle, const double *restrict wheel,
                      double *restrict cost, double *restrict weight, double *restrict plan)
{
    double least = 0;
#pragma acc data present(map[0:SIDE * SIDE], throttle[0:STEPS * n], wheel[0:STEPS * n], cost[0:n], weight[0:n], plan[0:2 * STEPS])
    {
#pragma acc parallel loop
        for (int t = 0; t < 2 * STEPS; t++)
            plan[t] = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double sign = round % 2 ? -1 : 1, total = 0;
#pragma acc parallel loop gang vector vector_length(64)
#pragma omp parallel for
            for (int c = 0; c < n; c++) {
                double x = 4, y = 5, angle = 0.5, speed = 3, all = 0;
                for (int t = 0; t < STEPS; t++) {
                    double push = plan[t] + sign * throttle[t * n + c], turn = plan[STEPS + t] + sign * wheel[t * n + c];
                    turn = fmin(fmax(turn, -0.5), 0.5);
                    x += DT * speed * cos(angle);
                    y += DT * speed * sin(angle);
                    angle += DT * speed * tan(turn) / LENGTH;
                    speed = fmin(fmax(speed + DT * push, 0), 15);
                    double u = fmin(fmax(x / CELL, 0), SIDE - 1.001), v = fmin(fmax(y / CELL, 0), SIDE - 1.001);
                    int i = (int)u, j = (int)v;
                    double p = u - i, q = v - j;
                    const double *m = map + j * SIDE + i;
                    all += (1 - q) * ((1 - p) * m[0] + p * m[1]) + q * ((1 - p) * m[SIDE] + p * m[SIDE + 1]);
                    all += 0.01 * push * push + 0.3 * turn * turn + 0.002 * ((x - GOALX) * (x - GOALX) + (y - GOALY) * (y - GOALY));
                }
                cost[c] = all;
            }
            least = 1e300;
#pragma acc parallel loop reduction(min : least)
#pragma omp parallel for reduction(min : least)
            for (int c = 0; c < n; c++)
                least = fmin(least, cost[c]);
#pragma acc parallel loop reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
            for (int c = 0; c < n; c++) {
                weight[c] = exp((least - cost[c]) / HEAT);
                total += weight[c];
            }
#pragma acc parallel loop gang vector_length(256)
#pragma omp parallel for
            for (int t = 0; t < STEPS; t++) {
                double push = 0, turn = 0;
#pragma acc loop vector reduction(+ : push, turn)
                for (int c = 0; c < n; c++) {
                    push += weight[c] * throttle[t * n + c];
                    turn += weight[c] * wheel[t * n + c];
                }
                plan[t] += sign * push / total;
                plan[STEPS + t] += sign * turn / total;
            }
        }
    }
    return least;
}
#else
struct control { double push, turn; };
struct car { double x, y, angle, speed; };

#define CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

#pragma acc routine seq
static void drive(struct car *car, struct control by)
{
    car->x += DT * car->speed * cos(car->angle);
    car->y += DT * car->speed * sin(car->angle);
    car->angle += DT * car->speed * tan(by.turn) / LENGTH;
    car->speed += DT * by.push;
    car->speed = CLAMP(car->speed, 0, 15);
}

#pragma acc routine seq
static double between(const double (*map)[SIDE], double x, double y)
{
    x = CLAMP(x / CELL, 0, SIDE - 1.001);
    y = CLAMP(y / CELL, 0, SIDE - 1.001);
    const unsigned i = (unsigned)x, j = (unsigned)y;
    const double above = map[j][i] + (x - i) * (map[j][i + 1] - map[j][i]);
    const double below = map[j + 1][i] + (x - i) * (map[j + 1][i + 1] - map[j + 1][i]);
    return above + (y - j) * (below - above);
}

static double improve(size_t n, const double (*map)[SIDE], const struct control (*noise)[n], double *cost, struct control *plan)
{
    double least;
#pragma acc data present(map[0:SIDE], noise[0:STEPS], cost[0:n], plan[0:STEPS])
    {
#pragma acc parallel loop
        for (size_t t = 0; t < STEPS; ++t)
            plan[t].push = plan[t].turn = 0;
        for (unsigned round = 0; round < ROUNDS; ++round) {
            const double sign = round & 1 ? -1 : 1;
            least = HUGE_VAL;
#pragma acc parallel loop vector_length(32) reduction(min : least)
#pragma omp parallel for reduction(min : least)
            for (size_t c = 0; c < n; ++c) {
                struct car car = {4, 5, 0.5, 3};
                double all = 0;
#pragma acc loop seq
                for (size_t t = 0; t < STEPS; ++t) {
                    struct control now = plan[t];
                    now.push += sign * noise[t][c].push;
                    now.turn += sign * noise[t][c].turn;
                    now.turn = CLAMP(now.turn, -0.5, 0.5);
                    drive(&car, now);
                    const double dx = car.x - GOALX, dy = car.y - GOALY;
                    all += between(map, car.x, car.y) + 0.01 * now.push * now.push + 0.3 * now.turn * now.turn;
                    all += 0.002 * (dx * dx + dy * dy);
                }
                cost[c] = all;
                least = all < least ? all : least;
            }
            // the weights are not kept
#pragma acc parallel loop gang num_workers(4) vector_length(32)
#pragma omp parallel for
            for (size_t t = 0; t < STEPS; ++t) {
                double push = 0, turn = 0, total = 0;
#pragma acc loop worker vector reduction(+ : push, turn, total)
                for (size_t c = 0; c < n; ++c) {
                    const double weight = exp((least - cost[c]) * (1 / HEAT));
                    total += weight;
                    push += weight * noise[t][c].push;
                    turn += weight * noise[t][c].turn;
                }
                plan[t].push += sign / total * push;
                plan[t].turn += sign / total * turn;
            }
        }
    }
    return least;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COURSES >> args.shift;
    double *map = NEW(double, SIDE * SIDE), *throttle = NEW(double, STEPS * n), *wheel = NEW(double, STEPS * n);
    double *cost = NEW(double, n), plan[2 * STEPS], least = 0, sum = 0;
    for (int k = 0; k < SIDE * SIDE; k++)
        map[k] = 0;
    for (int b = 0; b < 24; b++)
        for (int k = 0; k < SIDE * SIDE; k++) {
            double dx = k % SIDE - 256 * number(b + 40), dy = k / SIDE - 256 * number(b + 80);
            map[k] += 4 * exp(-(dx * dx + dy * dy) / (100 + 300 * number(b)));
        }
    for (int k = 0; k < STEPS * n; k++) {
        throttle[k] = 3 * (number(4 * k) + number(4 * k + 1) - 1);
        wheel[k] = 0.4 * (number(4 * k + 2) + number(4 * k + 3) - 1);
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *weight = NEW(double, n);
#pragma acc enter data copyin(map[0:SIDE * SIDE], throttle[0:STEPS * n], wheel[0:STEPS * n]) create(cost[0:n], weight[0:n], plan)
    while (lap(&t))
        least = improve(n, map, throttle, wheel, cost, weight, plan);
#pragma acc update self(plan, cost[0:n])
#else
    struct control *noise = NEW(struct control, STEPS * n), plans[STEPS];
    for (int k = 0; k < STEPS * n; k++)
        noise[k] = (struct control){throttle[k], wheel[k]};
#pragma acc enter data copyin(map[0:SIDE * SIDE], noise[0:STEPS * n]) create(cost[0:n], plans)
    while (lap(&t))
        least = improve(n, (const double(*)[SIDE])map, (const struct control(*)[n])noise, cost, plans);
#pragma acc update self(plans, cost[0:n])
    for (int k = 0; k < STEPS; k++) {
        plan[k] = plans[k].push;
        plan[STEPS + k] = plans[k].turn;
    }
#endif
    for (int k = 0; k < STEPS; k++)
        sum += 100 * fabs(plan[k]) * (1 + k % 3) + 1000 * fabs(plan[STEPS + k]) * (1 + k % 5);
    for (int c = 0; c < n; c++)
        sum += cost[c] / n;
    report("rollouts", t.best, sum + least);
    return 0;
}
