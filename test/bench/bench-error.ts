/** An error that makes a figure impossible; the message is for the person who runs the benchmark. */
export class BenchError extends Error {
  override readonly name = 'BenchError';
}
