/** Of `vector` and the numbers of `vectors` from `start` on. Four sums at a time: they do not wait for each other. */
export function innerProduct(vectors: Float32Array, start: number, vector: Float32Array): number {
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let at = 0; at < vector.length; at += 4) {
    one += (vectors[start + at] ?? 0) * (vector[at] ?? 0);
    two += (vectors[start + at + 1] ?? 0) * (vector[at + 1] ?? 0);
    three += (vectors[start + at + 2] ?? 0) * (vector[at + 2] ?? 0);
    four += (vectors[start + at + 3] ?? 0) * (vector[at + 3] ?? 0);
  }
  return one + two + three + four;
}
