// The definition that counts.
const int replaced[3] = {10, 20, 30};
