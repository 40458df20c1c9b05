import { Problem, toProblem } from '../../../api/problem.ts';
import type { JsonSchema } from '../../../parts/schema-form/json-schema.ts';

/** Puts the words of the platform and of the schema at the field that they are about. */
export function placeWords(error: unknown, schema: JsonSchema): unknown {
  const problem = toProblem(error);
  const { status, code, message, requestId } = problem;
  const path = fieldOf(code, message, schema);
  if (path === null) return error;
  return new Problem({ status, code, detail: message, requestId, fields: { [path]: message } });
}

function fieldOf(code: string, message: string, schema: JsonSchema): string | null {
  if (code === 'channel_verification_failed') return findSecret(schema);
  if (code === 'slug_taken') return 'slug';
  if (code !== 'invalid_credentials' && code !== 'invalid_settings') return null;
  // The detail begins with the path of the field: “credentials.bot_token is required …”.
  const [path = ''] = message.split(' ', 1);
  const [, ...inside] = path.split('.');
  return inside.length === 0 ? null : inside.join('.');
}

function findSecret({ properties = {} }: JsonSchema): string | null {
  for (const [name, property] of Object.entries(properties)) {
    if (property.format === 'password') return name;
    const inside = findSecret(property);
    if (inside !== null) return `${name}.${inside}`;
  }
  return Object.keys(properties)[0] ?? null;
}
