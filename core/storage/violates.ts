/** Whether an error of the database says that a row like that is there already, by the index of that name. */
export function violates(error: unknown, index: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  return 'constraint' in error && error.constraint === index;
}
