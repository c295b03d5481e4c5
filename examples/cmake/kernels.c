void add(float *sum, const float *left, const float *right, int count) {
    for (int i = 0; i < count; i++)
        sum[i] = left[i] + right[i];
}
