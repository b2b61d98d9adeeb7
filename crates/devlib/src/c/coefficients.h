/* Polynomials of the library. Made by tools/coefficients.py. */
#ifndef ACCRUE_DEVLIB_COEFFICIENTS_H
#define ACCRUE_DEVLIB_COEFFICIENTS_H

/* (exp(r) - 1 - r) / r^2, |r| <= ln2/2; error 2.8e-19 */
#define POLY_EXP(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.1f8daea6c91bfp-29 \
    , z, 0x1.af5f6f79e2b3fp-26) \
    , z, 0x1.27e4cb19a3014p-22) \
    , z, 0x1.71ddf7eedfa1cp-19) \
    , z, 0x1.a01a01add2f0bp-16) \
    , z, 0x1.a01a01b00d767p-13) \
    , z, 0x1.6c16c16c14f6cp-10) \
    , z, 0x1.111111110f646p-7) \
    , z, 0x1.5555555555558p-5) \
    , z, 0x1.5555555555559p-3) \
    , z, 0x1p-1)
/* (exp(r) - 1 - r) / r^2, |r| <= ln2/2; error 4.5e-10 */
#define POLY_EXPF(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(0x1.a29636p-13f \
    , z, 0x1.6d438cp-10f) \
    , z, 0x1.110fdep-7f) \
    , z, 0x1.5554fp-5f) \
    , z, 0x1.555556p-3f) \
    , z, 0x1p-1f)

/* (2^r - 1 - r ln2) / r^2, |r| <= 1/2; error 6.7e-19 */
#define POLY_EXP2(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.bdfb09f99e0e9p-36 \
    , z, 0x1.e9e5adbbc4cbcp-32) \
    , z, 0x1.e4d3fd2d3ffb4p-28) \
    , z, 0x1.b524f029b8031p-24) \
    , z, 0x1.62c020e77700bp-20) \
    , z, 0x1.ffcbfc6b8a077p-17) \
    , z, 0x1.430912f8c2835p-13) \
    , z, 0x1.5d87fe78a46afp-10) \
    , z, 0x1.3b2ab6fba4d47p-7) \
    , z, 0x1.c6b08d704a0c4p-5) \
    , z, 0x1.ebfbdff82c58fp-3)
/* (2^r - 1 - r ln2) / r^2, |r| <= 1/2; error 2.8e-10 */
#define POLY_EXP2F(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(0x1.011e1cp-16f \
    , z, 0x1.44175cp-13f) \
    , z, 0x1.5d86eep-10f) \
    , z, 0x1.3b2a54p-7f) \
    , z, 0x1.c6b08ep-5f) \
    , z, 0x1.ebfbep-3f)

/* (2 atanh(u/2) - u) / u^3, z = u^2 <= 0.119; error 1.0e-20 */
#define POLY_LOG(z) \
    fma(fma(fma(fma(fma(fma(fma(0x1.0f49b4f2c3258p-20 \
    , z, 0x1.0f6107865d367p-18) \
    , z, 0x1.3b20667306f8ap-16) \
    , z, 0x1.745ce06a98b9dp-14) \
    , z, 0x1.c71c724f316c4p-12) \
    , z, 0x1.2492492436f42p-9) \
    , z, 0x1.9999999999d25p-7) \
    , z, 0x1.5555555555555p-4)
/* (2 atanh(u/2) - u) / u^3, z = u^2 <= 0.119; error 2.9e-11 */
#define POLY_LOGF(z) \
    fmaf(fmaf(fmaf(0x1.ec15ccp-12f \
    , z, 0x1.23f1bap-9f) \
    , z, 0x1.999bd4p-7f) \
    , z, 0x1.555554p-4f)

/* (log(1 + f) - f) / f^2, |f| <= 1/3; error 6.6e-9 */
#define POLY_LOG1F(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(-0x1.0b7864p-3f \
    , z, 0x1.1ec61p-3f) \
    , z, -0x1.f1847p-4f) \
    , z, 0x1.1ec0f8p-3f) \
    , z, -0x1.55ab8ep-3f) \
    , z, 0x1.99d1c4p-3f) \
    , z, -0x1.fffea8p-3f) \
    , z, 0x1.555502p-2f) \
    , z, -0x1p-1f)

/* (log2(1 + f) - f log2(e)) / f^2, |f| <= 1/3; error 8.6e-9 */
#define POLY_LOG1_2F(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(-0x1.8b47bap-3f \
    , z, 0x1.9ddc18p-3f) \
    , z, -0x1.64546ap-3f) \
    , z, 0x1.9daaf6p-3f) \
    , z, -0x1.ed2a42p-3f) \
    , z, 0x1.279f9p-2f) \
    , z, -0x1.71525cp-2f) \
    , z, 0x1.ec7024p-2f) \
    , z, -0x1.715478p-1f)

/* (log10(1 + f) - f log10(e)) / f^2, |f| <= 1/3; error 6.7e-9 */
#define POLY_LOG1_10F(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(-0x1.d48752p-5f \
    , z, 0x1.f225e2p-5f) \
    , z, -0x1.af15ecp-5f) \
    , z, 0x1.f22622p-5f) \
    , z, -0x1.28d1eep-4f) \
    , z, 0x1.63f6ep-4f) \
    , z, -0x1.bcb61p-4f) \
    , z, 0x1.287a2ep-3f) \
    , z, -0x1.bcb7b2p-3f)

/* ((2 atanh(u/2) - u) / u^3 - 1/12) / u^2, z = u^2 <= 0.119; error 8.6e-23 */
#define POLY_POW(z) \
    fma(fma(fma(fma(fma(fma(fma(0x1.ebd9929bc6e2dp-23 \
    , z, 0x1.de1ad78dd1556p-21) \
    , z, 0x1.112154ba75e6dp-18) \
    , z, 0x1.3b135e72f56abp-16) \
    , z, 0x1.745d1842ea184p-14) \
    , z, 0x1.c71c71c55c294p-12) \
    , z, 0x1.2492492493179p-9) \
    , z, 0x1.9999999999995p-7)
/* ((2 atanh(u/2) - u) / u^3 - 1/12) / u^2, z = u^2 <= 0.119; error 7.7e-14 */
#define POLY_POWF(z) \
    fmaf(fmaf(fmaf(0x1.8ff274p-14f \
    , z, 0x1.c64488p-12f) \
    , z, 0x1.2493acp-9f) \
    , z, 0x1.999998p-7f)

/* (sin(r) - r) / r^3, z = r^2, r <= pi/4; error 3.5e-18 */
#define POLY_SIN(z) \
    fma(fma(fma(fma(fma(0x1.5d9345f8b2501p-33 \
    , z, -0x1.ae5e678a8c6afp-26) \
    , z, 0x1.71de357a0121bp-19) \
    , z, -0x1.a01a019c152f8p-13) \
    , z, 0x1.111111110f8a2p-7) \
    , z, -0x1.5555555555549p-3)
/* (sin(r) - r) / r^3, z = r^2, r <= pi/4; error 3.7e-9 */
#define POLY_SINF(z) \
    fmaf(fmaf(-0x1.99569ap-13f \
    , z, 0x1.11077ep-7f) \
    , z, -0x1.555546p-3f)

/* (cos(r) - 1 + z/2) / z^2, z = r^2, r <= pi/4; error 4.8e-20 */
#define POLY_COS(z) \
    fma(fma(fma(fma(fma(-0x1.8fb10f9208c47p-37 \
    , z, 0x1.1ee9f12bafa62p-29) \
    , z, -0x1.27e4f8129fd9ap-22) \
    , z, 0x1.a01a019cbf699p-16) \
    , z, -0x1.6c16c16c1522p-10) \
    , z, 0x1.555555555554cp-5)
/* (cos(r) - 1 + z/2) / z^2, z = r^2, r <= pi/4; error 1.1e-10 */
#define POLY_COSF(z) \
    fmaf(fmaf(0x1.99eac8p-16f \
    , z, -0x1.6c0c2ep-10f) \
    , z, 0x1.55554ap-5f)

/* (asin(x) - x) / x^3, z = x^2, x <= 1/2; error 1.5e-17 */
#define POLY_ASIN(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.05c7289289ad1p-5 \
    , z, -0x1.0adfea8c4f4c6p-6) \
    , z, 0x1.40a48540ce351p-6) \
    , z, 0x1.aac76984edb9fp-8) \
    , z, 0x1.8ee250adae735p-7) \
    , z, 0x1.c6f8dc89fe53bp-7) \
    , z, 0x1.1c6c22a1d1ee8p-6) \
    , z, 0x1.6e89efd8ec837p-6) \
    , z, 0x1.f1c72c68d3a72p-6) \
    , z, 0x1.6db6db41e3fb9p-5) \
    , z, 0x1.333333336f6b9p-4) \
    , z, 0x1.5555555555388p-3)
/* (asin(x) - x) / x^3, z = x^2, x <= 1/2; error 5.0e-9 */
#define POLY_ASINF(z) \
    fmaf(fmaf(fmaf(fmaf(0x1.59c386p-5f \
    , z, 0x1.8bc0dap-6f) \
    , z, 0x1.7488f8p-5f) \
    , z, 0x1.330174p-4f) \
    , z, 0x1.5555cap-3f)

/* (atan(x) - x) / x^3, z = x^2, x <= 1; error 2.8e-17 */
#define POLY_ATAN(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.5a86f9c3895efp-16 \
    , z, 0x1.db9624257c0c8p-13) \
    , z, -0x1.357370cce15eep-10) \
    , z, 0x1.ff227498966c1p-9) \
    , z, -0x1.2f8fd0a47515ep-7) \
    , z, 0x1.17e0b05dfb0e5p-6) \
    , z, -0x1.a8d2ae6a8af03p-6) \
    , z, 0x1.17b56e76d841bp-5) \
    , z, -0x1.4fa06f812a8a6p-5) \
    , z, 0x1.7f0c2226242c5p-5) \
    , z, -0x1.ad4043b62faf1p-5) \
    , z, 0x1.e17b8c797b55cp-5) \
    , z, -0x1.1108f144e854cp-4) \
    , z, 0x1.3b12be8db5671p-4) \
    , z, -0x1.745d0350c313fp-4) \
    , z, 0x1.c71c70b069bd8p-4) \
    , z, -0x1.2492491ffbccbp-3) \
    , z, 0x1.9999999985d2cp-3) \
    , z, -0x1.5555555555465p-2)
/* (atan(x) - x) / x^3, z = x^2, x <= 1; error 1.7e-8 */
#define POLY_ATANF(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(0x1.8610aep-9f \
    , z, -0x1.0fc1fcp-6f) \
    , z, 0x1.64ddd2p-5f) \
    , z, -0x1.368878p-4f) \
    , z, 0x1.b56cbep-4f) \
    , z, -0x1.231be4p-3f) \
    , z, 0x1.997aecp-3f) \
    , z, -0x1.5554e6p-2f)

/* (sinh(x) - x) / x^3, z = x^2, x <= 1; error 1.5e-19 */
#define POLY_SINH(z) \
    fma(fma(fma(fma(fma(fma(fma(0x1.3e91047ca79d1p-48 \
    , z, 0x1.aac7adcc4243cp-41) \
    , z, 0x1.612aab53fe451p-33) \
    , z, 0x1.ae644b4bc35dp-26) \
    , z, 0x1.71de3a609a725p-19) \
    , z, 0x1.a01a01a00dbafp-13) \
    , z, 0x1.111111111117cp-7) \
    , z, 0x1.5555555555555p-3)
/* (sinh(x) - x) / x^3, z = x^2, x <= 1; error 3.8e-10 */
#define POLY_SINHF(z) \
    fmaf(fmaf(fmaf(0x1.76ac86p-19f \
    , z, 0x1.a01adp-13f) \
    , z, 0x1.1110ecp-7f) \
    , z, 0x1.555556p-3f)

/* (tanh(x) - x) / x^3, z = x^2, x <= 0.65; error 2.3e-17 */
#define POLY_TANH(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.f8b21dc73e945p-17 \
    , z, 0x1.3a67227898966p-14) \
    , z, -0x1.db27d8bd9971dp-13) \
    , z, 0x1.32dccb343e7f7p-11) \
    , z, -0x1.7d52dbf4fd658p-10) \
    , z, 0x1.d6ccf351efbe5p-9) \
    , z, -0x1.226e03f40082ep-7) \
    , z, 0x1.664f46c17e79cp-6) \
    , z, -0x1.ba1ba1b0cfc45p-5) \
    , z, 0x1.1111111104c3ap-3) \
    , z, -0x1.55555555554ap-2)
/* (tanh(x) - x) / x^3, z = x^2, x <= 0.65; error 6.4e-9 */
#define POLY_TANHF(z) \
    fmaf(fmaf(fmaf(fmaf(-0x1.6a4c2cp-8f \
    , z, 0x1.4f977ap-6f) \
    , z, -0x1.b7dap-5f) \
    , z, 0x1.11044cp-3f) \
    , z, -0x1.555526p-2f)

/* erf(x) / x - 1, z = x^2, x <= 1; error 1.2e-17 */
#define POLY_ERF(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.2973ab6c8cfabp-34 \
    , z, -0x1.4677b2a71defep-30) \
    , z, 0x1.fc784beed087dp-27) \
    , z, -0x1.5f981d90005cbp-23) \
    , z, 0x1.b9ee944c2687ap-20) \
    , z, -0x1.f4d333726334bp-17) \
    , z, 0x1.f9a3353792b0fp-14) \
    , z, -0x1.c02db49b027d3p-11) \
    , z, 0x1.565bcd129902p-8) \
    , z, -0x1.b82ce312abf03p-6) \
    , z, 0x1.ce2f21a04362dp-4) \
    , z, -0x1.812746b0379fdp-2) \
    , z, 0x1.06eba8214db69p-3)
/* erf(x) / x - 1, z = x^2, x <= 1; error 1.3e-9 */
#define POLY_ERFF(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(0x1.4c5d48p-14f \
    , z, -0x1.a5199ep-11f) \
    , z, 0x1.542feep-8f) \
    , z, -0x1.b7fec4p-6f) \
    , z, 0x1.ce2d52p-4f) \
    , z, -0x1.81274p-2f) \
    , z, 0x1.06eba8p-3f)

/* (1 + 2x) exp(x^2) erfc(x), t = (x - 4) / (x + 4), 0.5 <= x <= 28; error 4.6e-17 */
#define POLY_ERFC(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.8103c482f3595p-26 \
    , z, 0x1.a9185d20f13a4p-26) \
    , z, -0x1.4935534296cd3p-24) \
    , z, -0x1.70a31fb00324p-24) \
    , z, 0x1.c3df39bebbbd4p-24) \
    , z, 0x1.fe4683eef97a6p-24) \
    , z, 0x1.1ff82fad1d8dep-28) \
    , z, -0x1.a307239206456p-25) \
    , z, -0x1.9ace2bb29050fp-21) \
    , z, 0x1.880df28da2958p-22) \
    , z, 0x1.7da193b4f6c2ap-18) \
    , z, -0x1.797946283de59p-17) \
    , z, -0x1.99402e1de804cp-16) \
    , z, 0x1.3be446c4125a2p-13) \
    , z, -0x1.a1dfafecdacc7p-13) \
    , z, -0x1.8d4ac7cc153cbp-11) \
    , z, 0x1.49c67303410a9p-8) \
    , z, -0x1.0962385a71f88p-6) \
    , z, 0x1.3079edf56a246p-5) \
    , z, -0x1.0fb06dff0d2eep-4) \
    , z, 0x1.7fee004e17e3bp-4) \
    , z, -0x1.9ddb23c3e12bap-4) \
    , z, 0x1.16ecefcfa51e8p-4) \
    , z, 0x1.f7f5df66fc4e6p-7) \
    , z, -0x1.1df1ad154a28dp-3) \
    , z, 0x1.3ba5916e9fd7fp+0)
/* (1 + 2x) exp(x^2) erfc(x), t = (x - 4) / (x + 4), 0.5 <= x <= 28; error 3.4e-8 */
#define POLY_ERFCF(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(0x1.247d06p-13f \
    , z, 0x1.b4d13cp-12f) \
    , z, -0x1.f030eep-12f) \
    , z, -0x1.4f5eep-10f) \
    , z, 0x1.5579ap-8f) \
    , z, -0x1.032214p-6f) \
    , z, 0x1.3005b2p-5f) \
    , z, -0x1.103bfap-4f) \
    , z, 0x1.7ff69ep-4f) \
    , z, -0x1.9dc386p-4f) \
    , z, 0x1.16ec68p-4f) \
    , z, 0x1.f7e82cp-7f) \
    , z, -0x1.1df1acp-3f) \
    , z, 0x1.3ba592p+0f)

/* log2(erfc(x)), 1 <= x <= 4; error of erfc; error 1.2e-9 */
#define POLY_ERFC_EXPONENTF(z) \
    fmaf(fmaf(fmaf(fmaf(fmaf(fmaf(0x1.18a2p-12f \
    , z, -0x1.15e0f8p-8f) \
    , z, 0x1.01ae52p-5f) \
    , z, -0x1.306cdep-3f) \
    , z, -0x1.d76f6cp-1f) \
    , z, -0x1.a03fa4p+0f) \
    , z, -0x1.0c0bb4p-11f)

/* log2(erfc(x)), 1 <= x <= 5.93; error of erfc; error 1.2e-17 */
#define POLY_ERF_EXPONENT(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.f8fc9c62858fbp-38 \
    , z, 0x1.47c22350acb7ap-32) \
    , z, -0x1.8a6b9bd13b07bp-28) \
    , z, 0x1.230a87b459267p-24) \
    , z, -0x1.24af8ac9802e5p-21) \
    , z, 0x1.a2e3355e44ed7p-19) \
    , z, -0x1.a99784d112644p-17) \
    , z, 0x1.19677b9e57acp-15) \
    , z, -0x1.033a75cdb8431p-15) \
    , z, -0x1.91467d83a07d2p-13) \
    , z, 0x1.21f22dd294d91p-10) \
    , z, -0x1.69552f0e9e349p-9) \
    , z, 0x1.32c59cb016cbep-11) \
    , z, 0x1.c0f6569e7be86p-6) \
    , z, -0x1.2f752ca7b094bp-3) \
    , z, -0x1.d64334bdeda24p-1) \
    , z, -0x1.a0be0d41e4dap+0) \
    , z, -0x1.76bbb4d2dd8efp-21)

/* (log(gamma(x)) - Stirling's formula) * x, z = 1 / x^2, x >= 8; error 4.6e-18 */
#define POLY_STIRLING(z) \
    fma(fma(fma(fma(fma(fma(fma(0x1.5129b5aa1d322p-10 \
    , z, 0x1.41d353407e706p-8) \
    , z, -0x1.ee06488df01efp-10) \
    , z, 0x1.b91eb40a653a8p-11) \
    , z, -0x1.38132f032d249p-11) \
    , z, 0x1.a01a015be351ap-11) \
    , z, -0x1.6c16c16c107e6p-9) \
    , z, 0x1.5555555555555p-4)

/* (gamma(x) / Stirling's formula - 1) * x, z = 1 / x, x >= 10; error 4.3e-21 */
#define POLY_GAMMA(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.3a1a4bc6ea042p-10 \
    , z, -0x1.ec6ed618edcd8p-14) \
    , z, 0x1.c2b211cb4abp-11) \
    , z, -0x1.b742834d94003p-15) \
    , z, -0x1.36803f5fa43abp-11) \
    , z, 0x1.247f5dd48de28p-14) \
    , z, 0x1.9b0fe6f7fa03cp-11) \
    , z, -0x1.e13ce2a107f7ap-13) \
    , z, -0x1.5f7268ee1d61ap-9) \
    , z, 0x1.c71c71c71d57cp-9) \
    , z, 0x1.5555555555555p-4)

/* J0(x) / d, d = x - 2.4048255576957728, 1.5 <= x <= 4; error 4.7e-17 */
#define POLY_J0_2(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.099705d577602p-46 \
    , z, 0x1.a36659e3556ecp-44) \
    , z, -0x1.6c4d415d36999p-43) \
    , z, -0x1.345c5e6b45816p-43) \
    , z, 0x1.763e9b63a89d3p-41) \
    , z, -0x1.62c1adbefa659p-43) \
    , z, 0x1.6bf110bb7f7f3p-41) \
    , z, -0x1.aeddaabaffe4cp-36) \
    , z, -0x1.5b5f9ffdeed21p-32) \
    , z, 0x1.2941bef70dccfp-28) \
    , z, 0x1.7ff8f5e6dcebbp-25) \
    , z, -0x1.1cce1e32a0e5fp-21) \
    , z, -0x1.232c779bbcd8fp-18) \
    , z, 0x1.6ed3b9d9fbb4cp-15) \
    , z, 0x1.15382ba06563cp-12) \
    , z, -0x1.1f992590c215cp-9) \
    , z, -0x1.1bb1cbe1a414ap-7) \
    , z, 0x1.cfae864368c49p-5) \
    , z, 0x1.ba1deea029495p-4) \
    , z, -0x1.09cdb3655128p-1)

/* J0(x) / d, d = x - 5.5200781102863106, 4 <= x <= 7; error 1.2e-17 */
#define POLY_J0_5(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.e6d35e5b7dc46p-54 \
    , z, -0x1.658185d8d09dep-55) \
    , z, 0x1.b942b61c293c3p-50) \
    , z, 0x1.9f22b407f352ap-48) \
    , z, -0x1.1b9857169c628p-43) \
    , z, -0x1.84cdbab123241p-40) \
    , z, 0x1.e32affcbd92d2p-36) \
    , z, 0x1.1d049cc6dfc08p-32) \
    , z, -0x1.41d77f58b0cecp-28) \
    , z, -0x1.2da37f2632569p-25) \
    , z, 0x1.32e6da2d7759ep-21) \
    , z, 0x1.ad77d74b06d1ap-19) \
    , z, -0x1.863f481b71a81p-15) \
    , z, -0x1.6f641f4198c17p-13) \
    , z, 0x1.27e31fe9aace3p-9) \
    , z, 0x1.2f7ffe90256ffp-8) \
    , z, -0x1.b2150cb41e8edp-5) \
    , z, -0x1.f8f72e7a848e1p-6) \
    , z, 0x1.5c6e60a097823p-2)

/* J1(x) / d, d = x - 3.8317059702075123, 2 <= x <= 5.5; error 8.2e-18 */
#define POLY_J1_3(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.30773509092c2p-58 \
    , z, 0x1.7cb82efe4166ap-57) \
    , z, -0x1.68c3d7fdfb13p-55) \
    , z, -0x1.3e041c8d971e2p-51) \
    , z, -0x1.51de0a5d86ab6p-48) \
    , z, 0x1.19346bc057045p-43) \
    , z, 0x1.5e859d2d59bf1p-40) \
    , z, -0x1.ec6be10e080f9p-36) \
    , z, -0x1.03b9705bc1fdbp-32) \
    , z, 0x1.4569c40605a78p-28) \
    , z, 0x1.1706912884098p-25) \
    , z, -0x1.33825cfabc645p-21) \
    , z, -0x1.9799d4c7338abp-19) \
    , z, 0x1.83a06e312cc66p-15) \
    , z, 0x1.6e4c2d535021ap-13) \
    , z, -0x1.24b34099599bcp-9) \
    , z, -0x1.537544c331d4ep-8) \
    , z, 0x1.b589d1da1391dp-5) \
    , z, 0x1.ae8a39f51ad03p-5) \
    , z, -0x1.9c6cf582cbf7fp-2)

/* J1(x) / d, d = x - 7.0155866698156188, 5.5 <= x <= 8; error 2.3e-17 */
#define POLY_J1_7(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.12e14f8d32b26p-49 \
    , z, 0x1.9d0a6badee4ffp-47) \
    , z, 0x1.6c4b5082794afp-46) \
    , z, -0x1.4ad52d94fe697p-43) \
    , z, -0x1.4fb466f586efbp-40) \
    , z, 0x1.ec8751da504d7p-36) \
    , z, 0x1.c669ae300f6ffp-33) \
    , z, -0x1.446290da2ca3dp-28) \
    , z, -0x1.d48e27bc3214fp-26) \
    , z, 0x1.3026de8ca7bc8p-21) \
    , z, 0x1.4255b05ac70c3p-19) \
    , z, -0x1.796a751b1ce2p-15) \
    , z, -0x1.07358bbdf4806p-13) \
    , z, 0x1.13fbc7d693e6cp-9) \
    , z, 0x1.9a4b292e3e271p-9) \
    , z, -0x1.80c83bdeee54p-5) \
    , z, -0x1.5e70dc60362c2p-6) \
    , z, 0x1.33518b3874e8ap-2)

/* Y0(x) / d, d = x - 0.89357696627916752, 0.75 <= x <= 1.15; error 1.6e-17 */
#define POLY_Y0_0(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.da4d54ee88477p-6 \
    , z, 0x1.1eff85482b5fcp-3) \
    , z, -0x1.c9085620883e7p-3) \
    , z, 0x1.e01c6556877cep-3) \
    , z, -0x1.c5550f334f725p-3) \
    , z, 0x1.afdc50e1ed67bp-3) \
    , z, -0x1.a1902cddf3308p-3) \
    , z, 0x1.96dae0421b1fdp-3) \
    , z, -0x1.8f7ecdfdae5cdp-3) \
    , z, 0x1.8c08e6ee78a21p-3) \
    , z, -0x1.8d35b34ec975p-3) \
    , z, 0x1.9424b8f1dd7e5p-3) \
    , z, -0x1.a396a806b3262p-3) \
    , z, 0x1.c068086c7fb94p-3) \
    , z, -0x1.cf18e6a4b3382p-3) \
    , z, 0x1.c3b1338af3b59p-3) \
    , z, -0x1.f7e38a46d7102p-2) \
    , z, 0x1.c24371844b88ap-1)

/* Y0(x) / d, d = x - 3.9576784193148579, 2 <= x <= 5.5; error 5.8e-18 */
#define POLY_Y0_3(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.80da493686dd4p-55 \
    , z, 0x1.df4cfbe40e6a6p-54) \
    , z, -0x1.f3ffb114cfbap-52) \
    , z, -0x1.0ba90d22ac036p-49) \
    , z, 0x1.6b5cbb467db3dp-49) \
    , z, 0x1.59cf1dbc76b15p-47) \
    , z, 0x1.9442b1833316fp-48) \
    , z, -0x1.678a6bf84528ap-44) \
    , z, 0x1.34100086dc9bp-43) \
    , z, -0x1.173e4c192d9fbp-41) \
    , z, 0x1.6b2545b7e3bb2p-39) \
    , z, -0x1.7b932ad9ce313p-37) \
    , z, 0x1.87b906882d374p-35) \
    , z, -0x1.98dc761fe17a6p-33) \
    , z, 0x1.a5b5e7c09eb66p-31) \
    , z, -0x1.f698e851de277p-29) \
    , z, 0x1.452e1d406a1c8p-26) \
    , z, -0x1.77700304120ep-26) \
    , z, -0x1.3b2164094806ap-22) \
    , z, -0x1.486372013056dp-18) \
    , z, 0x1.ab2c1fea3d6bap-15) \
    , z, 0x1.998276518bc74p-13) \
    , z, -0x1.1e32bc4ef6d88p-9) \
    , z, -0x1.c116fdc59823p-8) \
    , z, 0x1.df6d59bf50e99p-5) \
    , z, 0x1.a09c9290367fp-5) \
    , z, -0x1.9c34256a12a0cp-2)

/* Y0(x) / d, d = x - 7.0860510603017727, 5.5 <= x <= 8; error 2.2e-17 */
#define POLY_Y0_7(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.01613cdde5b57p-48 \
    , z, -0x1.6fe451e7a5ccbp-46) \
    , z, -0x1.0b0490532cb5p-45) \
    , z, -0x1.9110abed6487cp-44) \
    , z, -0x1.4ec05c338d49bp-40) \
    , z, 0x1.f2148a3202a45p-36) \
    , z, 0x1.fa15c217854ebp-33) \
    , z, -0x1.442c4bcffd67cp-28) \
    , z, -0x1.0a27e0f4ceb85p-25) \
    , z, 0x1.34aa78f709d85p-21) \
    , z, 0x1.6a9226f76abc7p-19) \
    , z, -0x1.8177e5042d9bdp-15) \
    , z, -0x1.26dd71e371341p-13) \
    , z, 0x1.1d35e85fe310ap-9) \
    , z, 0x1.b2f14a955269bp-9) \
    , z, -0x1.8969c64cbf4c6p-5) \
    , z, -0x1.5aef611fc4d58p-6) \
    , z, 0x1.334cca0697a5bp-2)

/* Y1(x) / d, d = x - 2.197141326031017, 1.6 <= x <= 3.8; error 1.8e-17 */
#define POLY_Y1_2(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.6b581b4f201d5p-40 \
    , z, 0x1.b1bb2b23fe3p-37) \
    , z, -0x1.98a601817daf9p-36) \
    , z, -0x1.004c71831a26p-32) \
    , z, 0x1.04eb6251bc0cap-29) \
    , z, -0x1.00013d9ff8fe1p-27) \
    , z, 0x1.5bb22859074b5p-26) \
    , z, -0x1.8296a5648e31ep-25) \
    , z, 0x1.944315fddf89cp-24) \
    , z, -0x1.afe3b291fd0dp-23) \
    , z, 0x1.d9991b7d303c9p-22) \
    , z, -0x1.04e4ada02675ap-20) \
    , z, 0x1.1e8bbb670ef22p-19) \
    , z, -0x1.3a32e4271e905p-18) \
    , z, 0x1.58659e285f0f4p-17) \
    , z, -0x1.7955d6fa0a9a5p-16) \
    , z, 0x1.9d1736c8b006bp-15) \
    , z, -0x1.c3faec55bdec6p-14) \
    , z, 0x1.eea7bd41163aap-13) \
    , z, -0x1.0b2d8765384e5p-11) \
    , z, 0x1.17ab4af4b6fdbp-10) \
    , z, -0x1.5429dc5a88815p-9) \
    , z, 0x1.e671c7d13109bp-8) \
    , z, -0x1.3a6dec372874ep-8) \
    , z, -0x1.0d2af4e9324ccp-5) \
    , z, -0x1.e56f82217b8f2p-4) \
    , z, 0x1.0aa48442f014bp-1)

/* Y1(x) / d, d = x - 5.4296810407941351, 3.8 <= x <= 7; error 2.4e-17 */
#define POLY_Y1_5(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.4ae7fc00c98aap-54 \
    , z, 0x1.9fd57f6b11509p-53) \
    , z, -0x1.239c7f94d4dbfp-50) \
    , z, -0x1.6b00c818206edp-49) \
    , z, 0x1.a4f377a998521p-48) \
    , z, 0x1.360c697d5eaf4p-46) \
    , z, -0x1.efb6152c82555p-46) \
    , z, -0x1.8076f6358cfa3p-46) \
    , z, -0x1.5acfa395a291cp-43) \
    , z, 0x1.6d56173dbfde1p-40) \
    , z, -0x1.3cb62b07b57b1p-38) \
    , z, 0x1.263bcf6ec5111p-39) \
    , z, -0x1.a7ddc97c579cfp-32) \
    , z, 0x1.80b4ccd75c171p-28) \
    , z, 0x1.b62caa10f263p-26) \
    , z, -0x1.255e70d2d500dp-21) \
    , z, -0x1.8061912c91ddbp-19) \
    , z, 0x1.85b940f1301fcp-15) \
    , z, 0x1.337c7e1379de5p-13) \
    , z, -0x1.1be6db99288acp-9) \
    , z, -0x1.10a329e2c2302p-8) \
    , z, 0x1.a15d92dfe3e9fp-5) \
    , z, 0x1.00b9f8571ca1ep-5) \
    , z, -0x1.5c7c556f0c19ap-2)

/* (J0(x) - 1) / z, z = x^2, x <= 2; error 2.6e-19 */
#define POLY_J0_NEAR(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(-0x1.fd1f1e0225324p-56 \
    , z, 0x1.51c400fa1f7e8p-47) \
    , z, -0x1.52287d108f43fp-39) \
    , z, 0x1.02e85754a627dp-31) \
    , z, -0x1.2345677aab298p-24) \
    , z, 0x1.c71c71c6e4e3fp-18) \
    , z, -0x1.c71c71c71c06bp-12) \
    , z, 0x1.ffffffffffff6p-7) \
    , z, -0x1p-2)

/* (J1(x) / x - 1/2) / z, z = x^2, x <= 2; error 1.4e-20 */
#define POLY_J1_NEAR(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(-0x1.98db1b6024a5p-60 \
    , z, 0x1.2c4a9b64204afp-51) \
    , z, -0x1.5228e8089a191p-43) \
    , z, 0x1.27e4f7c9598dep-35) \
    , z, -0x1.845c8a00d130cp-28) \
    , z, 0x1.6c16c16bff938p-21) \
    , z, -0x1.c71c71c71c42fp-15) \
    , z, 0x1.5555555555553p-9) \
    , z, -0x1p-4)

/* Y0(x) - 2/pi ln(x) J0(x), z = x^2, x <= 2; error 6.5e-18 */
#define POLY_Y0_NEAR(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.dfa28261e94dbp-55 \
    , z, -0x1.30c387c4b16bep-46) \
    , z, 0x1.23931158763cap-38) \
    , z, -0x1.a6ee78937a0a8p-31) \
    , z, 0x1.bce4a60ec4189p-24) \
    , z, -0x1.3e997942551e8p-17) \
    , z, 0x1.1a6206b7baff6p-11) \
    , z, -0x1.075b1bbf413d7p-6) \
    , z, 0x1.6bbcb4103428ap-3) \
    , z, -0x1.2e4d699cbd01fp-4)

/* (Y1(x) - 2/pi (ln(x) J1(x) - 1/x)) / x, z = x^2, x <= 2; error 7.7e-18 */
#define POLY_Y1_NEAR(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.4658076acd924p-59 \
    , z, -0x1.11d46240d91f4p-50) \
    , z, 0x1.2a3a21931458ep-42) \
    , z, -0x1.f0cd8aa88f4bfp-35) \
    , z, 0x1.32e5a32aff113p-27) \
    , z, -0x1.0a780ac230ea2p-20) \
    , z, 0x1.2c7dbffccb52bp-14) \
    , z, -0x1.835b97894b996p-9) \
    , z, 0x1.bd3975c75b496p-5) \
    , z, -0x1.91866143cbc8ap-3)

/* M of order 0, z = 49/x^2, x >= 7; error 6.8e-18 */
#define POLY_MODULUS0(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.0862a2db7e068p-30 \
    , z, 0x1.fbecde95ab8ep-28) \
    , z, -0x1.c4ca883c54b77p-26) \
    , z, 0x1.f949f3dfacb8cp-25) \
    , z, -0x1.97c7a69aef151p-24) \
    , z, 0x1.0c1d950595d28p-23) \
    , z, -0x1.4a363d9464b85p-23) \
    , z, 0x1.c3af7c95530fbp-23) \
    , z, -0x1.9594f421c277fp-22) \
    , z, 0x1.1052a9335299ap-20) \
    , z, -0x1.35a5e8afd7491p-18) \
    , z, 0x1.69a9a2ba138bp-15) \
    , z, -0x1.4e5e0a72ee447p-10) \
    , z, 0x1p+0)

/* M of order 1, z = 49/x^2, x >= 7; error 7.6e-18 */
#define POLY_MODULUS1(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.2af0788e3d3d1p-30 \
    , z, -0x1.1f7bd8c8a461fp-27) \
    , z, 0x1.00b6417b6e5d9p-25) \
    , z, -0x1.1f3c7b6ff49f3p-24) \
    , z, 0x1.d1aba036fe56p-24) \
    , z, -0x1.349353808e4fbp-23) \
    , z, 0x1.815fbe0a0c56dp-23) \
    , z, -0x1.0defa5a08db06p-22) \
    , z, 0x1.f7da08f124e77p-22) \
    , z, -0x1.6862d0cfbe7a5p-20) \
    , z, 0x1.cb5ab836f20ddp-18) \
    , z, -0x1.51c77d724d438p-14) \
    , z, 0x1.f58d0fac67555p-9) \
    , z, 0x1p+0)

/* (phase of order 0 + 1/(8x)) x^3, z = 49/x^2, x >= 7; error 9.2e-18 */
#define POLY_PHASE0(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.b90022b58dbb2p-21 \
    , z, -0x1.0dea3251618c2p-17) \
    , z, 0x1.332f25975591ap-15) \
    , z, -0x1.b06fb6c6c28eep-14) \
    , z, 0x1.a7082490ba25bp-13) \
    , z, -0x1.32e878093068ap-12) \
    , z, 0x1.595e7c111bab7p-12) \
    , z, -0x1.3934991dc5214p-12) \
    , z, 0x1.dd868877a1da5p-13) \
    , z, -0x1.43cd490324118p-13) \
    , z, 0x1.a7690229dd4fp-14) \
    , z, -0x1.28397e2730967p-14) \
    , z, 0x1.ed0dedee02bf4p-15) \
    , z, -0x1.08c5ca6941557p-14) \
    , z, 0x1.85b640d7fd21cp-14) \
    , z, -0x1.a274ac50d128ep-13) \
    , z, 0x1.65b121411a199p-11) \
    , z, -0x1.184b3b8f24eb2p-8) \
    , z, 0x1.0aaaaaaaaaaaap-4)

/* (phase of order 1 - 3/(8x)) x^3, z = 49/x^2, x >= 7; error 9.0e-18 */
#define POLY_PHASE1(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.ee7fcdcfd81aap-21 \
    , z, 0x1.2e67945b1edcep-17) \
    , z, -0x1.57d84b0606c2p-15) \
    , z, 0x1.e3918fe3c2de4p-14) \
    , z, -0x1.d89097983b5e4p-13) \
    , z, 0x1.567ed7df66fbap-12) \
    , z, -0x1.811425efc65c6p-12) \
    , z, 0x1.5d0dddd5d3094p-12) \
    , z, -0x1.0a37fa183dbc3p-12) \
    , z, 0x1.69e8ab94f0356p-13) \
    , z, -0x1.dc066d451b5a3p-14) \
    , z, 0x1.50b8d2bfaa909p-14) \
    , z, -0x1.1d249f7b327fep-14) \
    , z, 0x1.3a0d43454ceebp-14) \
    , z, -0x1.df9975acd6f49p-14) \
    , z, 0x1.10f1afcece2c5p-12) \
    , z, -0x1.02b1925989c24p-10) \
    , z, 0x1.f010b7e6eae39p-8) \
    , z, -0x1.5p-3)

/* log(gamma(1 + t)) / t, -0.26 <= t <= 0.26; error 8.6e-18 */
#define POLY_LGAMMA1(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.07e35b6bf8f9fp-4 \
    , z, -0x1.1c6d25137256ep-4) \
    , z, 0x1.ba40ffcd1bee7p-5) \
    , z, -0x1.d077503bc8149p-5) \
    , z, 0x1.004cda90ce0c4p-4) \
    , z, -0x1.119bdf7f83944p-4) \
    , z, 0x1.24964a8eb4adfp-4) \
    , z, -0x1.3b19cd0fcb9e8p-4) \
    , z, 0x1.556ac1fd40237p-4) \
    , z, -0x1.748c322adcd5bp-4) \
    , z, 0x1.9a01e4440a8dcp-4) \
    , z, -0x1.c806713ad2c6dp-4) \
    , z, 0x1.010b36ae87c94p-3) \
    , z, -0x1.2703a1da3328ep-3) \
    , z, 0x1.5b40cb100ac3fp-3) \
    , z, -0x1.a8b9c17aadbe2p-3) \
    , z, 0x1.151322ac7d894p-2) \
    , z, -0x1.9a4d55beab29p-2) \
    , z, 0x1.a51a6625307d3p-1) \
    , z, -0x1.2788cfc6fb619p-1)

/* log(gamma(2 + t)) / t, -0.75 <= t <= 0.75; error 1.2e-17 */
#define POLY_LGAMMA2(z) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.6beab230894cdp-28 \
    , z, 0x1.a89f8791ec391p-28) \
    , z, 0x1.c38a9d03f7845p-28) \
    , z, 0x1.fd2bb6fa9ed7ap-29) \
    , z, -0x1.527a2430b46ccp-25) \
    , z, 0x1.d96e6095be02ap-25) \
    , z, -0x1.71decda7af20ep-24) \
    , z, 0x1.bd0f0630008f8p-23) \
    , z, -0x1.eafed895cc235p-22) \
    , z, 0x1.00f439400577dp-20) \
    , z, -0x1.114a29a003088p-19) \
    , z, 0x1.258d178124634p-18) \
    , z, -0x1.3cc362f66e31dp-17) \
    , z, 0x1.580e55e29723p-16) \
    , z, -0x1.78de0f5777b2bp-15) \
    , z, 0x1.a127ac7341c89p-14) \
    , z, -0x1.d3fd4eac9bb2ep-13) \
    , z, 0x1.0b36af9269e25p-11) \
    , z, -0x1.38ac5c26e42c8p-10) \
    , z, 0x1.7add6ead8ff0dp-9) \
    , z, -0x1.e404fc219c865p-8) \
    , z, 0x1.51322ac7d8675p-6) \
    , z, -0x1.13e001a5575c7p-4) \
    , z, 0x1.4a34cc4a60fa6p-2) \
    , z, 0x1.b0ee6072093cep-2)

#endif
