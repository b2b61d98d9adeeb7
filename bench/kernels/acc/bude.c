// Docking: the energies of 16384 poses of a ligand of 26 atoms beside a protein of 938, float; charges, steric and desolvation terms.
#include "../kernels.h"

enum { POSES = 16384, LIGAND = 26, PROTEIN = 938, KINDS = 16 };

typedef struct { float x, y, z; int kind; } atom;
typedef struct { int hydrophobic; float radius, charge; } parameters;

#if SPELLING == 1
static void dock(int poses, const atom *restrict protein, const atom *restrict ligand, const parameters *restrict kinds,
                 const float *restrict angle, float *restrict energy)
{
#pragma acc parallel loop gang vector present(protein[0:PROTEIN], ligand[0:LIGAND], kinds[0:KINDS], angle[0:6 * poses], energy[0:poses])
#pragma omp parallel for
    for (int p = 0; p < poses; p++) {
        float sx = sinf(angle[p]), cx = cosf(angle[p]), sy = sinf(angle[poses + p]), cy = cosf(angle[poses + p]),
              sz = sinf(angle[2 * poses + p]), cz = cosf(angle[2 * poses + p]);
        float m[3][4] = {{cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz, angle[3 * poses + p]},
                         {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz, angle[4 * poses + p]},
                         {-sy, sx * cy, cx * cy, angle[5 * poses + p]}};
        float sum = 0;
        for (int l = 0; l < LIGAND; l++) {
            atom a = ligand[l];
            parameters lp = kinds[a.kind];
            float x = m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z + m[0][3],
                  y = m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z + m[1][3],
                  z = m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z + m[2][3];
            for (int q = 0; q < PROTEIN; q++) {
                atom b = protein[q];
                parameters pp = kinds[b.kind];
                float dx = x - b.x, dy = y - b.y, dz = z - b.z, r = sqrtf(dx * dx + dy * dy + dz * dz);
                float touch = r - lp.radius - pp.radius;
                if (touch < 0)
                    sum += 38.0f * (1 - r / (lp.radius + pp.radius));
                float near = touch < 4 ? 1 - touch * 0.25f : 0;
                sum += near * lp.charge * pp.charge * (touch < 0 ? 1 : near);
                if (lp.hydrophobic && pp.hydrophobic && touch < 6)
                    sum -= touch < 2 ? 0.5f : 0.125f * (6 - touch);
            }
        }
        energy[p] = 0.5f * sum;
    }
}
#else
typedef unsigned index;
struct pose { float m[3][4]; };

static void turn(struct pose *out, const float *angle, index poses, index p)
{
    float s[3], c[3];
    for (int d = 0; d < 3; ++d) {
        s[d] = sinf(angle[d * poses + p]);
        c[d] = cosf(angle[d * poses + p]);
        out->m[d][3] = angle[(3 + d) * poses + p];
    }
    out->m[0][0] = c[1] * c[2];
    out->m[0][1] = s[0] * s[1] * c[2] - c[0] * s[2];
    out->m[0][2] = c[0] * s[1] * c[2] + s[0] * s[2];
    out->m[1][0] = c[1] * s[2];
    out->m[1][1] = s[0] * s[1] * s[2] + c[0] * c[2];
    out->m[1][2] = c[0] * s[1] * s[2] - s[0] * c[2];
    out->m[2][0] = -s[1];
    out->m[2][1] = s[0] * c[1];
    out->m[2][2] = c[0] * c[1];
}

static float pair(const float *at, const parameters *l, const atom *b, const parameters *p)
{
    float d[3] = {at[0] - b->x, at[1] - b->y, at[2] - b->z}, sum = 0;
    float r = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), both = l->radius + p->radius, touch = r - both;
    if (touch < 0)
        sum = 38.0f * (1 - r / both);
    if (touch < 4) {
        float near = 1 - touch * 0.25f, charge = near * l->charge * p->charge;
        sum += touch < 0 ? charge : charge * near;
    }
    if (l->hydrophobic && p->hydrophobic) {
        if (touch < 2)
            sum -= 0.5f;
        else if (touch < 6)
            sum -= 0.125f * (6 - touch);
    }
    return sum;
}

static void dock(index poses, atom *protein, atom *ligand, parameters *kinds, float *angle, float *energy)
{
#pragma acc kernels present(protein[0:PROTEIN], ligand[0:LIGAND], kinds[0:KINDS], angle[0:6 * poses], energy[0:poses])
#pragma acc loop independent
#pragma omp parallel for
    for (index p = 0; p < poses; ++p) {
        struct pose t;
        turn(&t, angle, poses, p);
        float sum = 0;
        for (const atom *a = ligand; a < ligand + LIGAND; ++a) {
            float at[3];
            for (int d = 0; d < 3; ++d)
                at[d] = t.m[d][0] * a->x + t.m[d][1] * a->y + t.m[d][2] * a->z + t.m[d][3];
            for (index q = 0; q < PROTEIN; ++q)
                sum += pair(at, &kinds[a->kind], &protein[q], &kinds[protein[q].kind]);
        }
        energy[p] = sum / 2;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int poses = POSES >> args.shift;
    atom *protein = NEW(atom, PROTEIN), *ligand = NEW(atom, LIGAND);
    parameters *kinds = NEW(parameters, KINDS);
    float *angle = NEW(float, 6 * poses), *energy = NEW(float, poses);
    double sum = 0;
    for (int k = 0; k < PROTEIN; k++)
        protein[k] = (atom){30 * number(k) - 15, 30 * number(3 * k) - 15, 30 * number(5 * k) - 15, mix(k) % KINDS};
    for (int k = 0; k < LIGAND; k++)
        ligand[k] = (atom){6 * number(7 * k) - 3, 6 * number(9 * k) - 3, 6 * number(11 * k) - 3, mix(3 * k) % KINDS};
    for (int k = 0; k < KINDS; k++)
        kinds[k] = (parameters){k % 3 == 0, 1 + number(13 * k), 2 * number(17 * k) - 1};
    FILL(angle, 6 * poses, 6.28f);
#pragma acc enter data copyin(protein[0:PROTEIN], ligand[0:LIGAND], kinds[0:KINDS], angle[0:6 * poses]) create(energy[0:poses])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        dock(poses, protein, ligand, kinds, angle, energy);
#pragma acc update self(energy[0:poses])
    for (int p = 0; p < poses; p++)
        sum += fabs(energy[p]);
    report("bude", t.best, sum);
    return 0;
}
