/** Whether an error of the database is one that a function of ours raises under that SQLSTATE. */
export function raises(error: unknown, state: string): boolean {
  return error instanceof Error && 'code' in error && error.code === state;
}
