import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { editDistance } from '../../core/base/edit-distance.ts';
import { AppError } from '../../core/base/errors.ts';
import { findPart, wrapped } from './request-input.ts';

/** A header that lists more helps nobody, and its length is not for the client to choose. */
const MOST_NAMES = 5;
const LONGEST_NAME = 40;
const MAX_EDITS = 2;

type Schema = z.core.$ZodType;

/**
 * Tells the client of fields and parameters that an operation does not know: they are ignored, and a misspelt one would go
 * unnoticed. The response has a `Warning`; with `Prefer: handling=strict` the request fails with `unknown_field`.
 */
export function tellUnknownFields(app: FastifyInstance): void {
  app.addHook('preValidation', async (request, reply) => {
    const { body, querystring } = request.routeOptions.schema ?? {};
    const unknown = [
      ...(body instanceof z.ZodType ? findUnknownFields(body, request.body) : []),
      ...(querystring instanceof z.ZodType ? findUnknownFields(querystring, request.query) : []),
    ];
    const isStrict = /(?:^|[,;]) *handling=strict\b/i.test(String(request.headers.prefer ?? ''));
    if (isStrict) reply.header('preference-applied', 'handling=strict');
    if (unknown.length === 0) return;
    const text = describe(unknown);
    if (isStrict) throw new AppError('unknown_field', { detail: text });
    reply.header('warning', `299 - "${text}"`);
  });
}

/** A field that a schema does not know, with the known one that is meant if it is near. */
export interface UnknownField {
  /** The path of the field, such as `user.id`. */
  readonly name: string;
  readonly meant: string | null;
}

/** Returns the fields of `value` that `schema` leaves out, also within its objects. Records may have any field. Pure. */
export function findUnknownFields(schema: Schema, value: unknown, within = ''): readonly UnknownField[] {
  if (Array.isArray(value)) {
    const element = findPart(schema, z.core.$ZodArray, wrapped)?._zod.def.element;
    return element === undefined ? [] : value.flatMap((item) => findUnknownFields(element, item, within));
  }
  if (typeof value !== 'object' || value === null) return [];
  // Of several options none is certain.
  const object = findPart(schema, z.core.$ZodObject, wrapped);
  // An object with a catch-all accepts further fields.
  if (object === undefined || object._zod.def.catchall !== undefined) return [];
  const { shape } = object._zod.def;
  return Object.entries(value).flatMap(([name, field]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known !== undefined) return findUnknownFields(known, field, `${within}${name}.`);
    return [{ name: within + name, meant: findNear(name, Object.keys(shape)) }];
  });
}

function findNear(name: string, known: readonly string[]): string | null {
  if (name.length > LONGEST_NAME) return null;
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, '');
  const near = known
    .map((each) => ({ each, edits: editDistance(plain(name), plain(each)) }))
    .filter(({ each, edits }) => edits <= Math.min(MAX_EDITS, Math.floor(each.length / 3)))
    .toSorted((one, other) => one.edits - other.edits);
  return near[0]?.each ?? null;
}

function describe(unknown: readonly UnknownField[]): string {
  // Clients choose these names, and a header takes no quotes and no other alphabets.
  const shown = unknown
    .slice(0, MOST_NAMES)
    .map(({ name }) => name.replaceAll(/[^\w.-]/g, '?').slice(0, LONGEST_NAME));
  const meant = unknown.slice(0, MOST_NAMES).flatMap((field) => field.meant ?? []);
  const question = meant.length === 0 ? '' : ` Did you mean ${[...new Set(meant)].join(', ')}?`;
  return `Unknown fields: ${shown.join(', ')}${unknown.length > MOST_NAMES ? ', ...' : ''}.${question}`;
}
