/** Reads a JSON object that a person wrote; null if it is none. */
export function readObject(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
    return { ...read };
  } catch {
    return null;
  }
}
