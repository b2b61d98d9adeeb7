// Cross sections from poles in windows of energy, double complex: 2^16 look-ups of eight nuclides each, resonances broadened by the
// Faddeeva function; a thread a look-up, the weights of the series in constant memory.
#include "kernels.cuh"

constexpr int LOOKUPS = 1 << 16, NUCLIDES = 64, WINDOWS = 64, POLES = 4, CHOSEN = 8, TERMS = 10;
constexpr double PI = 3.14159265358979323846, TAU = 12, INVERSE_ROOT_PI = 0.56418958354775628695;

__constant__ double weight[TERMS] = {0.275840233, 0.224573955, 0.159414938, 0.0986657664, 0.0532441408,
                                     0.02505215,  0.0102774657, 0.00367616433, 0.00114649364, 0.000311757015};

struct pole {
    double2 at, total, absorbed;
    int wave;
};

__device__ double2 times(double2 a, double2 b) { return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__device__ double2 over(double2 a, double2 b)
{
    double d = 1 / (b.x * b.x + b.y * b.y);
    return make_double2((a.x * b.x + a.y * b.y) * d, (a.y * b.x - a.x * b.y) * d);
}

__device__ double2 faddeeva(double2 z)
{
    double2 square = times(z, z), turned = make_double2(-z.y, z.x);
    if (z.x * z.x + z.y * z.y >= 36) {
        double2 first = over(make_double2(0.5124242, 0), make_double2(square.x - 0.2752551, square.y));
        double2 second = over(make_double2(0.05176536, 0), make_double2(square.x - 2.724745, square.y));
        return times(turned, make_double2(first.x + second.x, first.y + second.y));
    }
    double size = exp(-TAU * z.y), s, c;
    sincos(TAU * z.x, &s, &c);
    double2 e = make_double2(size * c, size * s), sum = make_double2(0, 0);
#pragma unroll
    for (int n = 1; n <= TERMS; n++) {
        double sign = n & 1 ? -1 : 1;
        double2 term = over(make_double2(sign * e.x - 1, sign * e.y),
                            make_double2(n * n * PI * PI - TAU * TAU * square.x, -TAU * TAU * square.y));
        sum.x += weight[n - 1] * term.x;
        sum.y += weight[n - 1] * term.y;
    }
    double2 first = over(make_double2(e.y, 1 - e.x), make_double2(TAU * z.x, TAU * z.y)), second = times(turned, sum);
    return make_double2(first.x + TAU * TAU * INVERSE_ROOT_PI * second.x, first.y + TAU * TAU * INVERSE_ROOT_PI * second.y);
}

__global__ void look_up(int n, const pole *__restrict__ poles, const int *__restrict__ many, const double *__restrict__ radius,
                        const double *__restrict__ smooth, double2 *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double energy = 0.01 + 0.98 * ((mix(i) % 65536) / 65536.0), root = sqrt(energy), inverse = 1 / energy;
    double2 sum = make_double2(0, 0);
    int window = (int)(energy * WINDOWS);
    for (int c = 0; c < CHOSEN; c++) {
        int nuclide = mix(i * CHOSEN + c) % NUCLIDES, place = nuclide * WINDOWS + window;
        double phi[4];
        for (int l = 0; l < 4; l++)
            phi[l] = radius[nuclide * 4 + l] * root;
        phi[1] -= atan(phi[1]);
        phi[2] -= atan(3 * phi[2] / (3 - phi[2] * phi[2]));
        phi[3] -= atan(phi[3] * (15 - phi[3] * phi[3]) / (15 - 6 * phi[3] * phi[3]));
        double2 factor[4];
        for (int l = 0; l < 4; l++) {
            double s, c2;
            sincos(2 * phi[l], &s, &c2);
            factor[l] = make_double2(c2, -s);
        }
        sum.x += smooth[place * 3] + smooth[place * 3 + 1] * root;
        sum.y += smooth[place * 3 + 2];
        int last = many[place];
        for (int p = 0; p < last; p++) {
            pole q = poles[place * POLES + p];
            double2 w = faddeeva(make_double2((root - q.at.x) * 20, -q.at.y * 20));
            sum.x += times(times(q.total, w), factor[q.wave]).x * inverse;
            sum.y += times(q.absorbed, w).x * inverse;
        }
    }
    out[i] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LOOKUPS >> args.shift, places = NUCLIDES * WINDOWS, *many = NEW(int, places);
    pole *poles = NEW(pole, places * POLES);
    double *radius = NEW(double, NUCLIDES * 4), *smooth = NEW(double, places * 3), sum = 0;
    double2 *out = NEW(double2, n);
    for (int k = 0; k < places; k++)
        many[k] = 1 + mix(k + 77) % POLES;
    for (int k = 0; k < places * POLES; k++) {
        double middle = (k / POLES % WINDOWS + number(k)) / WINDOWS;
        poles[k].at = make_double2(sqrt(middle), -0.001 - 0.01 * number(k + 1));
        poles[k].total = make_double2(1 + number(k + 2), 0.1 * number(k + 3));
        poles[k].absorbed = make_double2(0.5 + number(k + 4), 0.1 * number(k + 5));
        poles[k].wave = mix(k + 6) % 4;
    }
    FILL(radius, NUCLIDES * 4, 0.5);
    FILL(smooth, places * 3, 1);
    pole *dpoles = on_device(poles, places * POLES);
    int *dmany = on_device(many, places);
    double *dradius = on_device(radius, NUCLIDES * 4), *dsmooth = on_device(smooth, places * 3);
    double2 *dout = device<double2>(n);
    double best = fastest(args.repeats, [&] { look_up<<<ceiling(n, 128), 128>>>(n, dpoles, dmany, dradius, dsmooth, dout); });
    to_host(out, dout, n);
    for (int k = 0; k < n; k++)
        sum += fabs(out[k].x) + fabs(out[k].y);
    report("poles", best, sum);
    return 0;
}
