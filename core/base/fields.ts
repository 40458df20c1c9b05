import { z } from 'zod';
import { AppError } from './errors.ts';

export interface Fields {
  readonly [name: string]: unknown;
}

/**
 * Validates fields against a schema and returns the given ones unchanged, without the schema's defaults, because defaults
 * may change in later versions. A missing field may come from `inherited`. Throws `invalid_credentials` or
 * `invalid_settings` with the field's name and description, never with its value.
 */
export function parseFields(
  kind: 'credentials' | 'settings',
  schema: z.ZodType,
  given: Fields,
  inherited: Fields = {},
): Fields {
  const merged = { ...inherited, ...given };
  const result = schema.safeParse(merged);
  if (result.success) {
    const known = toFields(result.data);
    return Object.fromEntries(Object.entries(given).filter(([name]) => name in known));
  }
  const [issue] = result.error.issues;
  const path = issue?.path.map(String) ?? [];
  const fault = isAbsent(merged, path)
    ? 'is required'
    : `is invalid: ${issue?.message.replace(/\.$/, '') ?? ''}`;
  const description = describeField(schema, path[0]);
  const detail = `${[kind, ...path].join('.')} ${fault}${description === undefined ? '' : ` (${description})`}.`;
  throw new AppError(`invalid_${kind}`, { detail });
}

export function toFields(value: unknown): Fields {
  return z.record(z.string(), z.unknown()).parse(value);
}

function isAbsent(given: unknown, [name, ...inside]: readonly string[]): boolean {
  if (name === undefined) return given === undefined;
  if (typeof given !== 'object' || given === null) return false;
  return isAbsent(Object.entries(given).find(([field]) => field === name)?.[1], inside);
}

function describeField(schema: z.ZodType, field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const properties = z.object({ properties: z.record(z.string(), z.unknown()) }).safeParse(json);
  const property = z.object({ description: z.string() }).safeParse(properties.data?.properties[field]);
  return property.data?.description.replace(/\.$/, '');
}

/** Returns `before` with the given fields replaced; null removes a field. */
export function mergeFields(before: unknown, given: Fields): Fields {
  const merged = { ...toFields(before), ...given };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

/** Settings that name where credentials are sent. */
const ADDRESSES = ['api_base_url', 'site', 'server', 'endpoint', 'url', 'subdomain'];

interface MovedCredentials {
  readonly before: { readonly credentials: unknown; readonly settings: unknown };
  readonly after: { readonly settings: unknown };
  /** The credentials of this request. */
  readonly given: Fields;
}

/**
 * Refuses to send stored credentials to an address that they were not stored with: somebody who may change an address could
 * otherwise read them there. Do it before the first request to the address. Throws `credentials_required`.
 */
export function requireCredentialsForAddress({ before, after, given }: MovedCredentials): void {
  const [old, wanted] = [toFields(before.settings), toFields(after.settings)];
  const moved = ADDRESSES.filter((name) => readHost(old[name]) !== readHost(wanted[name]));
  const kept = Object.keys(toFields(before.credentials)).filter((name) => !(name in given));
  if (moved.length === 0 || kept.length === 0) return;
  throw new AppError('credentials_required', {
    detail: `settings.${moved[0]} names a new address, and stored credentials are not sent there. Send ${kept.map((name) => `credentials.${name}`).join(', ')} again in this request.`,
  });
}

/** The origin of a URL, and any other value as it is. */
function readHost(value: unknown): unknown {
  return typeof value === 'string' ? (URL.parse(value)?.origin ?? value) : value;
}
