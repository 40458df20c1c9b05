import { z } from 'zod';

export type Fields = Readonly<Record<string, unknown>>;

const fields = z.record(z.string(), z.unknown()).catch({});

/** `before` with a value under that name; `a.b` is the field b of a. */
export function withField(before: Fields, name: string, value: unknown): Fields {
  const [, own = name, inside] = /^([^.]+)\.(.+)$/s.exec(name) ?? [];
  if (inside === undefined) return { ...before, [own]: value };
  return { ...before, [own]: withField(fields.parse(before[own]), inside, value) };
}
