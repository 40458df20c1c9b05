import { z } from 'zod';
import type { AnyConnector } from '../contract/connector.ts';
import { AppError } from '../errors.ts';
import type { OpenedAccount } from './channel-account.ts';

export interface Fields {
  readonly [name: string]: unknown;
}

/**
 * What `schema` takes of `given`, as it was given: defaults may be others one day. What is not given may be `inherited`.
 * Throws `invalid_credentials` or
 * `invalid_settings`, with the field and what it is, and never with its value.
 */
export function parseFields(
  kind: 'credentials' | 'settings',
  schema: z.ZodType,
  given: Fields,
  inherited: Fields = {},
): Fields {
  const whole = { ...inherited, ...given };
  const read = schema.safeParse(whole);
  if (read.success) {
    const known = toFields(read.data);
    return Object.fromEntries(Object.entries(given).filter(([name]) => name in known));
  }
  const [issue] = read.error.issues;
  const path = issue?.path.map(String) ?? [];
  const fault = isAbsent(whole, path)
    ? 'is required'
    : `is not understood: ${issue?.message.replace(/\.$/, '') ?? ''}`;
  const what = describeField(schema, path[0]);
  const detail = `${[kind, ...path].join('.')} ${fault}${what === undefined ? '' : ` (${what})`}.`;
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

/** `before` with what is given in place of it; null clears a field. */
export function mergeFields(before: unknown, given: Fields): Fields {
  const merged = { ...toFields(before), ...given };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

interface ChannelFields {
  readonly credentials: Fields;
  readonly settings: Fields;
}

/**
 * What a channel has of its own, as it is stored: what it lacks may be its parent's. Throws `invalid_credentials` and
 * `invalid_settings`.
 */
export function parseOwnFields(
  { manifest }: AnyConnector,
  { credentials, settings }: ChannelFields,
  parent: OpenedAccount | null,
): ChannelFields {
  const inherited = {
    credentials: toFields(parent?.credentials ?? {}),
    settings: toFields(parent?.settings ?? {}),
  };
  return {
    credentials: parseFields('credentials', manifest.credentials, credentials, inherited.credentials),
    settings: parseFields('settings', manifest.settings, settings, inherited.settings),
  };
}

const schema = z.looseObject({ verify: z.boolean().default(true), enabled: z.boolean().optional() });

interface CommonSettings {
  /** Whether the platform is asked before anything is stored. */
  readonly verify: boolean;
  readonly enabled: boolean | undefined;
  /** What the connector is told. */
  readonly own: Fields;
}

/** Takes from the settings what is ours, whatever the channel. Throws `invalid_settings`. */
export function parseCommonSettings(given: Fields): CommonSettings {
  const read = schema.safeParse(given);
  if (!read.success) {
    const field = String(read.error.issues[0]?.path[0]);
    throw new AppError('invalid_settings', { detail: `settings.${field} must be true or false.` });
  }
  const { verify, enabled, ...own } = read.data;
  return { verify, enabled, own };
}
