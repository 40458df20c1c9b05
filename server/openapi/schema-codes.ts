import { z } from 'zod';
import type { ErrorCode } from '../../core/errors.ts';
import { errorCode } from '../schemas/error-code.ts';

type Schema = z.core.$ZodType;

const namingCheck = z.object({ params: z.object({ code: z.string() }) });

/** The codes that refinements anywhere in a schema choose for themselves (`answerWith`). */
export function namedCodes(schema: Schema): ErrorCode[] {
  const { def } = schema._zod;
  const own = (def.checks ?? []).flatMap((check) => {
    const code = namingCheck.safeParse(check._zod.def).data?.params.code;
    return errorCode(code) ?? [];
  });
  return [...own, ...parts(schema).flatMap(namedCodes)];
}

/** What input that is an object may be refused with by its schema, by field; `lacking` when a field is required. */
export function fieldCodes(schema: Schema): { readonly codes: ErrorCode[]; readonly lacking: boolean } {
  const fields = fieldsOf(schema);
  const codes = fields.map(([name]) => errorCode(`invalid_${name}`) ?? 'invalid_body');
  const lacking = fields.some(([, field]) => field._zod.optin === undefined);
  return { codes: [...codes, ...namedCodes(schema)], lacking };
}

/**
 * The same for the parameters of a path, which are strings that are always there: only what is more than a string
 * can be wrong by itself.
 */
export function parameterCodes(schema: Schema): ErrorCode[] {
  const choosy = fieldsOf(schema).filter(([, field]) => !isPlainString(field));
  return [...choosy.flatMap(([name]) => errorCode(`invalid_${name}`) ?? []), ...namedCodes(schema)];
}

function isPlainString(field: Schema): boolean {
  if (!(field instanceof z.ZodString)) return false;
  return (field._zod.def.checks ?? []).every((check) => namingCheck.safeParse(check._zod.def).success);
}

function fieldsOf(schema: Schema): [string, Schema][] {
  return schema instanceof z.core.$ZodObject
    ? Object.entries(schema._zod.def.shape)
    : parts(schema).flatMap(fieldsOf);
}

/** The schemas that a schema is made of, whatever its kind. */
function parts(schema: Schema): Schema[] {
  const held = Object.entries(schema._zod.def).flatMap(([name, value]) => (name === 'checks' ? [] : [value]));
  return held.flatMap((value) =>
    isSchema(value) ? [value] : isHolder(value) ? Object.values(value).filter(isSchema) : [],
  );
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSchema(value: unknown): value is Schema {
  return value instanceof z.core.$ZodType;
}
