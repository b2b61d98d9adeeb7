// Docking: the energies of 16384 poses of a ligand of 26 atoms beside a protein of 938, float; charges, steric and desolvation terms;
// a thread a pose, the kinds of atoms in shared memory.
#include "kernels.cuh"

constexpr int LIGAND = 26, PROTEIN = 938, KINDS = 16;
struct atom { float x, y, z; int kind; };
struct parameters { int hydrophobic; float radius, charge; };

__global__ void dock(int poses, const atom *__restrict__ protein, const atom *__restrict__ ligand,
                     const parameters *__restrict__ given, const float *__restrict__ angle, float *__restrict__ energy)
{
    __shared__ parameters kinds[KINDS];
    if (threadIdx.x < KINDS)
        kinds[threadIdx.x] = given[threadIdx.x];
    __syncthreads();
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= poses)
        return;
    float sx, cx, sy, cy, sz, cz;
    sincosf(angle[p], &sx, &cx);
    sincosf(angle[poses + p], &sy, &cy);
    sincosf(angle[2 * poses + p], &sz, &cz);
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

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int poses = 16384 >> args.shift;
    atom *protein = NEW(atom, PROTEIN), *ligand = NEW(atom, LIGAND);
    parameters *kinds = NEW(parameters, KINDS);
    float *angle = NEW(float, 6 * poses), *energy = NEW(float, poses);
    double sum = 0;
    for (int k = 0; k < PROTEIN; k++)
        protein[k] = {(float)(30 * number(k) - 15), (float)(30 * number(3 * k) - 15), (float)(30 * number(5 * k) - 15),
                      (int)(mix(k) % KINDS)};
    for (int k = 0; k < LIGAND; k++)
        ligand[k] = {(float)(6 * number(7 * k) - 3), (float)(6 * number(9 * k) - 3), (float)(6 * number(11 * k) - 3),
                     (int)(mix(3 * k) % KINDS)};
    for (int k = 0; k < KINDS; k++)
        kinds[k] = {k % 3 == 0, (float)(1 + number(13 * k)), (float)(2 * number(17 * k) - 1)};
    FILL(angle, 6 * poses, 6.28f);
    atom *dprotein = on_device(protein, PROTEIN), *dligand = on_device(ligand, LIGAND);
    parameters *dkinds = on_device(kinds, KINDS);
    float *dangle = on_device(angle, 6 * poses), *denergy = device<float>(poses);
    double best = fastest(args.repeats, [&] { dock<<<ceiling(poses, 64), 64>>>(poses, dprotein, dligand, dkinds, dangle, denergy); });
    to_host(energy, denergy, poses);
    for (int p = 0; p < poses; p++)
        sum += fabs(energy[p]);
    report("bude", best, sum);
    return 0;
}
