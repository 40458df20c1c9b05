import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Fields } from './read-fields.ts';

const schema = z.looseObject({ verify: z.boolean().default(true), enabled: z.boolean().optional() });

interface CommonSettings {
  /** Whether the platform is asked before anything is stored. */
  readonly verify: boolean;
  readonly enabled: boolean | undefined;
  /** What the connector is told. */
  readonly own: Fields;
}

/** Takes from the settings what is ours, whatever the channel. Throws `invalid_settings`. */
export function commonSettings(given: Fields): CommonSettings {
  const read = schema.safeParse(given);
  if (!read.success) {
    const field = String(read.error.issues[0]?.path[0]);
    throw new AppError('invalid_settings', { detail: `settings.${field} must be true or false.` });
  }
  const { verify, enabled, ...own } = read.data;
  return { verify, enabled, own };
}
