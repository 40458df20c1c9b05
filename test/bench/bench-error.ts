/** Something that makes a figure impossible; the message is for whoever runs the benchmark. */
export class BenchError extends Error {
  override readonly name = 'BenchError';
}
