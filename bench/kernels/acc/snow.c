// A step of snow by the material point method on a grid of 512 x 512 nodes, float: each of 2^18 particles stretches, yields and hardens, and adds its
// momentum, stress and mass to 3 x 3 nodes; these fall and are held by walls; the particles gather velocity and its gradient, and move.
#include "../kernels.h"

enum { PARTICLES = 1 << 18, GRID = 512, WALL = 3 };

#define DT 2e-5f
#define MU 417.0f
#define LAMBDA 278.0f
#define HARDENING 10.0f
#define SQUEEZE 0.975f
#define STRETCH 1.0045f
#define GRAVITY 50.0f

#if SPELLING == 1
static inline float clamp(float x, float low, float high) { return fminf(fmaxf(x, low), high); }

// Place, velocity, its gradient and the deformation of particle p: x[p], x[n + p]; c[p] to c[3 * n + p] by rows, as f.
static void step(int n, int g, float *restrict x, float *restrict v, float *restrict c, float *restrict f, float *restrict plastic,
                 float *restrict mass, float *restrict px, float *restrict py)
{
    const float dx = 1.0f / g, inverse = g, volume = 0.25f * dx * dx, weight_of_one = volume;
#pragma acc data present(x[0:2 * n], v[0:2 * n], c[0:4 * n], f[0:4 * n], plastic[0:n], mass[0:g * g], px[0:g * g], py[0:g * g])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < g * g; i++)
            mass[i] = px[i] = py[i] = 0;
#pragma acc parallel loop
#pragma omp parallel for
        for (int p = 0; p < n; p++) {
            // The deformation after the step, as the product of a turn (co, si) and a symmetric stretch (s00, s01, s11).
            float c00 = c[p], c01 = c[n + p], c10 = c[2 * n + p], c11 = c[3 * n + p];
            float f00 = f[p] + DT * (c00 * f[p] + c01 * f[2 * n + p]), f01 = f[n + p] + DT * (c00 * f[n + p] + c01 * f[3 * n + p]);
            float f10 = f[2 * n + p] + DT * (c10 * f[p] + c11 * f[2 * n + p]), f11 = f[3 * n + p] + DT * (c10 * f[n + p] + c11 * f[3 * n + p]);
            float co = f00 + f11, si = f10 - f01, scale = 1 / sqrtf(co * co + si * si);
            co *= scale;
            si *= scale;
            float s00 = co * f00 + si * f10, s01 = co * f01 + si * f11, s11 = co * f11 - si * f01;
            // What the snow bears of it; the rest remains.
            float mean = 0.5f * (s00 + s11), half = 0.5f * (s00 - s11), r = sqrtf(half * half + s01 * s01);
            float large = clamp(mean + r, SQUEEZE, STRETCH), little = clamp(mean - r, SQUEEZE, STRETCH), j = large * little;
            float hardness = clamp(expf(HARDENING * (1 - plastic[p])), 0.1f, 5.0f), mu = MU * hardness, lambda = LAMBDA * hardness;
            plastic[p] *= (mean + r) * (mean - r) / j;
            float ratio = r > 1e-7f ? 0.5f * (large - little) / r : 1;
            mean = 0.5f * (large + little);
            s00 = mean + ratio * half;
            s11 = mean - ratio * half;
            s01 *= ratio;
            f00 = co * s00 - si * s01;
            f01 = co * s01 - si * s11;
            f10 = si * s00 + co * s01;
            f11 = si * s01 + co * s11;
            f[p] = f00;
            f[n + p] = f01;
            f[2 * n + p] = f10;
            f[3 * n + p] = f11;
            // 2 mu (F - R) F' + lambda J (J - 1), scaled to a momentum, and the gradient's own.
            float k = -DT * volume * 4 * inverse * inverse, pressure = lambda * j * (j - 1);
            float a00 = k * (2 * mu * ((f00 - co) * f00 + (f01 + si) * f01) + pressure) + weight_of_one * c00;
            float a01 = k * 2 * mu * ((f00 - co) * f10 + (f01 + si) * f11) + weight_of_one * c01;
            float a10 = k * 2 * mu * ((f10 - si) * f00 + (f11 - co) * f01) + weight_of_one * c10;
            float a11 = k * (2 * mu * ((f10 - si) * f10 + (f11 - co) * f11) + pressure) + weight_of_one * c11;
            int ix = x[p] * inverse - 0.5f, iy = x[n + p] * inverse - 0.5f;
            float ux = x[p] * inverse - ix, uy = x[n + p] * inverse - iy;
            float wx[3] = {0.5f * (1.5f - ux) * (1.5f - ux), 0.75f - (ux - 1) * (ux - 1), 0.5f * (ux - 0.5f) * (ux - 0.5f)};
            float wy[3] = {0.5f * (1.5f - uy) * (1.5f - uy), 0.75f - (uy - 1) * (uy - 1), 0.5f * (uy - 0.5f) * (uy - 0.5f)};
            for (int b = 0; b < 3; b++)
                for (int a = 0; a < 3; a++) {
                    float w = wx[a] * wy[b], rx = (a - ux) * dx, ry = (b - uy) * dx;
                    int node = (iy + b) * g + ix + a;
#pragma acc atomic update
#pragma omp atomic
                    px[node] += w * (weight_of_one * v[p] + a00 * rx + a01 * ry);
#pragma acc atomic update
#pragma omp atomic
                    py[node] += w * (weight_of_one * v[n + p] + a10 * rx + a11 * ry);
#pragma acc atomic update
#pragma omp atomic
                    mass[node] += w * weight_of_one;
                }
        }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int y = 0; y < g; y++)
            for (int x = 0; x < g; x++) {
                int i = y * g + x;
                if (mass[i] > 0) {
                    float vx = px[i] / mass[i], vy = py[i] / mass[i] - DT * GRAVITY;
                    if ((x < WALL && vx < 0) || (x > g - WALL && vx > 0))
                        vx = 0;
                    if ((y < WALL && vy < 0) || (y > g - WALL && vy > 0))
                        vy = 0;
                    px[i] = vx;
                    py[i] = vy;
                }
            }
#pragma acc parallel loop
#pragma omp parallel for
        for (int p = 0; p < n; p++) {
            int ix = x[p] * inverse - 0.5f, iy = x[n + p] * inverse - 0.5f;
            float ux = x[p] * inverse - ix, uy = x[n + p] * inverse - iy, vx = 0, vy = 0, c00 = 0, c01 = 0, c10 = 0, c11 = 0;
            float wx[3] = {0.5f * (1.5f - ux) * (1.5f - ux), 0.75f - (ux - 1) * (ux - 1), 0.5f * (ux - 0.5f) * (ux - 0.5f)};
            float wy[3] = {0.5f * (1.5f - uy) * (1.5f - uy), 0.75f - (uy - 1) * (uy - 1), 0.5f * (uy - 0.5f) * (uy - 0.5f)};
            for (int b = 0; b < 3; b++)
                for (int a = 0; a < 3; a++) {
                    int node = (iy + b) * g + ix + a;
                    float w = wx[a] * wy[b], k = 4 * inverse * w;
                    vx += w * px[node];
                    vy += w * py[node];
                    c00 += k * px[node] * (a - ux);
                    c01 += k * px[node] * (b - uy);
                    c10 += k * py[node] * (a - ux);
                    c11 += k * py[node] * (b - uy);
                }
            v[p] = vx;
            v[n + p] = vy;
            c[p] = c00;
            c[n + p] = c01;
            c[2 * n + p] = c10;
            c[3 * n + p] = c11;
            x[p] += DT * vx;
            x[n + p] += DT * vy;
        }
    }
}
#else
typedef struct { float x, y; } vec;
typedef struct { vec x, y; } mat;
typedef struct { vec place, velocity; mat gradient, deformation; float plastic; } particle;
typedef struct { vec momentum; float mass; } node;
typedef struct { size_t first; vec at; float wx[3], wy[3]; } around;

#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

#pragma acc routine seq
static float dot(vec a, vec b) { return a.x * b.x + a.y * b.y; }

#pragma acc routine seq
static vec times(mat m, vec v) { return (vec){dot(m.x, v), dot(m.y, v)}; }

#pragma acc routine seq
static mat transposed(mat m) { return (mat){{m.x.x, m.y.x}, {m.x.y, m.y.y}}; }

// A times the transpose of B.
#pragma acc routine seq
static mat by_transposed(mat a, mat b) { return (mat){{dot(a.x, b.x), dot(a.x, b.y)}, {dot(a.y, b.x), dot(a.y, b.y)}}; }

#pragma acc routine seq
static mat scaled_sum(float s, mat a, float t, mat b)
{
    return (mat){{s * a.x.x + t * b.x.x, s * a.x.y + t * b.x.y}, {s * a.y.x + t * b.y.x, s * a.y.y + t * b.y.y}};
}

#pragma acc routine seq
static void spline(float u, float w[3])
{
    w[0] = 0.5f * (1.5f - u) * (1.5f - u);
    w[1] = 0.75f - (u - 1.0f) * (u - 1.0f);
    w[2] = 0.5f * (u - 0.5f) * (u - 0.5f);
}

#pragma acc routine seq
static around nodes_around(vec place, unsigned g)
{
    around r;
    const unsigned x = (unsigned)(place.x * g - 0.5f), y = (unsigned)(place.y * g - 0.5f);
    r.first = (size_t)y * g + x;
    r.at.x = place.x * g - x;
    r.at.y = place.y * g - y;
    spline(r.at.x, r.wx);
    spline(r.at.y, r.wy);
    return r;
}

// What the snow bears of its deformation remains in it; gives its stress.
#pragma acc routine seq
static mat yield(particle *p)
{
    const mat identity = {{1.0f, 0.0f}, {0.0f, 1.0f}};
    const mat f = by_transposed(scaled_sum(1.0f, identity, DT, p->gradient), transposed(p->deformation));
    const float c = f.x.x + f.y.y, s = f.y.x - f.x.y, size = sqrtf(c * c + s * s);
    const mat turn = {{c / size, -s / size}, {s / size, c / size}};
    const mat stretch = by_transposed(transposed(turn), transposed(f));
    const float mean = 0.5f * (stretch.x.x + stretch.y.y), half = 0.5f * (stretch.x.x - stretch.y.y);
    const float r = sqrtf(half * half + stretch.x.y * stretch.x.y);
    const float large = CLAMP(mean + r, SQUEEZE, STRETCH), little = CLAMP(mean - r, SQUEEZE, STRETCH), volume = large * little;
    const float exponential = expf(HARDENING * (1.0f - p->plastic)), hardness = CLAMP(exponential, 0.1f, 5.0f);
    const float ratio = r > 1e-7f ? 0.5f * (large - little) / r : 1.0f;
    // The same directions with the lengths that are left.
    const mat borne = scaled_sum(ratio, stretch, 0.5f * (large + little) - ratio * mean, identity);
    p->plastic *= (mean + r) * (mean - r) / volume;
    p->deformation = by_transposed(turn, transposed(borne));
    const mat strain = scaled_sum(1.0f, p->deformation, -1.0f, turn);
    return scaled_sum(2.0f * MU * hardness, by_transposed(strain, p->deformation), LAMBDA * hardness * volume * (volume - 1.0f), identity);
}

static void step(unsigned n, unsigned g, particle *particles, node *grid)
{
    const float spacing = 1.0f / g, own = 0.25f * spacing * spacing;
#pragma acc parallel loop gang vector present(grid[0:g * g])
#pragma omp parallel for
    for (unsigned i = 0; i < g * g; ++i)
        grid[i] = (node){{0.0f, 0.0f}, 0.0f};
#pragma acc parallel loop gang vector present(particles[0:n], grid[0:g * g])
#pragma omp parallel for
    for (unsigned i = 0; i < n; ++i) {
        particle *p = &particles[i];
        const mat stress = yield(p), affine = scaled_sum(-DT * own * 4.0f * g * g, stress, own, p->gradient);
        const around r = nodes_around(p->place, g);
        for (unsigned b = 0; b < 3; ++b)
            for (unsigned a = 0; a < 3; ++a) {
                node *to = &grid[r.first + b * g + a];
                const vec apart = {(a - r.at.x) * spacing, (b - r.at.y) * spacing}, extra = times(affine, apart);
                const float w = r.wx[a] * r.wy[b];
#pragma acc atomic
#pragma omp atomic
                to->momentum.x += w * (own * p->velocity.x + extra.x);
#pragma acc atomic
#pragma omp atomic
                to->momentum.y += w * (own * p->velocity.y + extra.y);
#pragma acc atomic
#pragma omp atomic
                to->mass += w * own;
            }
    }
#pragma acc parallel loop gang vector present(grid[0:g * g])
#pragma omp parallel for
    for (unsigned i = 0; i < g * g; ++i) {
        const unsigned x = i % g, y = i / g;
        if (grid[i].mass <= 0.0f)
            continue;
        vec v = {grid[i].momentum.x / grid[i].mass, grid[i].momentum.y / grid[i].mass - DT * GRAVITY};
        v.x = x < WALL ? fmaxf(v.x, 0.0f) : x > g - WALL ? fminf(v.x, 0.0f) : v.x;
        v.y = y < WALL ? fmaxf(v.y, 0.0f) : y > g - WALL ? fminf(v.y, 0.0f) : v.y;
        grid[i].momentum = v;
    }
#pragma acc parallel loop gang vector present(particles[0:n], grid[0:g * g])
#pragma omp parallel for
    for (unsigned i = 0; i < n; ++i) {
        particle *p = &particles[i];
        const around r = nodes_around(p->place, g);
        vec v = {0.0f, 0.0f};
        mat gradient = {{0.0f, 0.0f}, {0.0f, 0.0f}};
        for (unsigned b = 0; b < 3; ++b)
            for (unsigned a = 0; a < 3; ++a) {
                const vec of_node = grid[r.first + b * g + a].momentum;
                const float w = r.wx[a] * r.wy[b], x = 4.0f * g * w * (a - r.at.x), y = 4.0f * g * w * (b - r.at.y);
                v.x += w * of_node.x;
                v.y += w * of_node.y;
                gradient = scaled_sum(1.0f, gradient, 1.0f, (mat){{x * of_node.x, y * of_node.x}, {x * of_node.y, y * of_node.y}});
            }
        p->velocity = v;
        p->gradient = gradient;
        p->place.x += DT * v.x;
        p->place.y += DT * v.y;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int half = (args.shift + 1) / 2, g = GRID >> half, n = PARTICLES >> 2 * half, side = 1;
    while (side * side < n)
        side *= 2;
    float *x = NEW(float, 2 * n), *v = NEW(float, 2 * n), *c = NEW(float, 4 * n), *f = NEW(float, 4 * n), *plastic = NEW(float, n);
    double sum = 0;
    // A block of snow, row after row, that turns and falls.
    for (int p = 0; p < n; p++) {
        x[p] = 0.2 + 0.5 * (p % side + number(p)) / side;
        x[n + p] = 0.1 + 0.5 * (p / side + number(p + 77)) / side;
        v[p] = -4 * (x[n + p] - 0.35) + 0.2 * sin(30 * x[p]);
        v[n + p] = 4 * (x[p] - 0.45) - 3 + 0.2 * sin(40 * x[n + p]);
        for (int k = 0; k < 4; k++) {
            c[k * n + p] = k == 1 ? -4 : k == 2 ? 4 : 0;
            f[k * n + p] = (k % 3 == 0) + 0.01 * sin(20 * x[p] + 10 * k);
        }
        plastic[p] = 1 + 0.05 * sin(15 * x[n + p]);
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    float *mass = NEW(float, g *g), *px = NEW(float, g *g), *py = NEW(float, g *g);
#pragma acc enter data copyin(x[0:2 * n], v[0:2 * n], c[0:4 * n], f[0:4 * n], plastic[0:n]) create(mass[0:g * g], px[0:g * g], py[0:g * g])
    while (lap(&t))
        step(n, g, x, v, c, f, plastic, mass, px, py);
#pragma acc update self(x[0:2 * n], v[0:2 * n], f[0:4 * n], plastic[0:n])
#else
    particle *particles = NEW(particle, n);
    node *grid = NEW(node, g *g);
    for (int p = 0; p < n; p++)
        particles[p] = (particle){{x[p], x[n + p]}, {v[p], v[n + p]}, {{c[p], c[n + p]}, {c[2 * n + p], c[3 * n + p]}},
                                  {{f[p], f[n + p]}, {f[2 * n + p], f[3 * n + p]}}, plastic[p]};
#pragma acc enter data copyin(particles[0:n]) create(grid[0:g * g])
    while (lap(&t))
        step(n, g, particles, grid);
#pragma acc update self(particles[0:n])
    for (int p = 0; p < n; p++) {
        x[p] = particles[p].place.x;
        x[n + p] = particles[p].place.y;
        v[p] = particles[p].velocity.x;
        v[n + p] = particles[p].velocity.y;
        f[p] = particles[p].deformation.x.x;
        f[n + p] = particles[p].deformation.x.y;
        f[2 * n + p] = particles[p].deformation.y.x;
        f[3 * n + p] = particles[p].deformation.y.y;
        plastic[p] = particles[p].plastic;
    }
#endif
    for (int p = 0; p < 2 * n; p++)
        sum += x[p] + 0.1 * fabs(v[p]);
    for (int p = 0; p < 4 * n; p++)
        sum += fabs(f[p]);
    SUM(sum, plastic, n);
    report("snow", t.best, sum);
    return 0;
}
