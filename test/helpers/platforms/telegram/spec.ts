import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { peersFile } from '../peers-file.ts';

const field = z.object({ name: z.string(), types: z.array(z.string()), required: z.boolean() });
const item = z.object({ fields: z.array(field).default([]), subtypes: z.array(z.string()).default([]) });
const specSchema = z.object({ methods: z.record(z.string(), item), types: z.record(z.string(), item) });

type Item = z.infer<typeof item>;

const file = peersFile('specs/telegram-bot-api-10.1.min.json');

/** The methods and types of the Bot API as Telegram describes them; null if that description is not available. */
export const telegramSpec = file === null ? null : specSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Returns the fault of the parameters of a call, in words; null if there is none, or none is known. */
export function faultOfCall(method: string, parameters: unknown): string | null {
  const described = telegramSpec?.methods[method];
  return described === undefined ? null : faultOfFields(described, parameters, method);
}

/** Returns why a value is not of a type of the Bot API. */
export function faultOfType(type: string, value: unknown, path = type): string | null {
  if (type.startsWith('Array of ')) {
    if (!Array.isArray(value)) return `${path} is no array`;
    const inner = type.slice('Array of '.length);
    return firstOf(value.map((one, index) => faultOfType(inner, one, `${path}[${index}]`)));
  }
  const primitive = primitives[type];
  if (primitive !== undefined) return primitive(value) ? null : `${path} is no ${type}`;
  const described = telegramSpec?.types[type];
  if (described === undefined) return `${path}: there is no type ${type}`;
  if (described.subtypes.length === 0) return faultOfFields(described, value, path);
  return oneOf(described.subtypes, value, path);
}

const primitives: Readonly<Record<string, (value: unknown) => boolean>> = {
  Integer: Number.isInteger,
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  True: (value) => value === true,
};

function faultOfFields({ fields }: Item, value: unknown, path: string): string | null {
  const read = z.record(z.string(), z.unknown()).safeParse(value);
  if (!read.success) return `${path} is no object`;
  const unknown = Object.keys(read.data).find((name) => !fields.some((known) => known.name === name));
  if (unknown !== undefined) return `${path} has no field ${unknown}`;
  const faults = fields.map(({ name, types, required }) => {
    if (read.data[name] === undefined) return required ? `${path}.${name} is missing` : null;
    return oneOf(types, read.data[name], `${path}.${name}`);
  });
  return firstOf(faults);
}

function oneOf(types: readonly string[], value: unknown, path: string): string | null {
  const faults = types.map((type) => faultOfType(type, value, path));
  return faults.includes(null) ? null : firstOf(faults);
}

function firstOf(faults: readonly (string | null)[]): string | null {
  return faults.find((fault) => fault !== null) ?? null;
}
