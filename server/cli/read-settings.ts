import { InvalidArgumentError } from '@commander-js/extra-typings';
import { workspaceSettingsSchema } from '../../core/workspaces/workspace-settings.ts';

const { shape } = workspaceSettingsSchema;

export const settingNames: readonly string[] = Object.keys(shape);

/**
 * Adds one `key=value` of the command line to the settings read so far. The value may be plain text, a list with
 * commas or JSON, whichever the setting takes; `null` clears it.
 */
export function readSetting(
  given: string,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const [, name = '', text = ''] = /^([^=]*)=(.*)$/s.exec(given) ?? [];
  const schema = Object.entries(shape).find(([known]) => known === name)?.[1];
  if (schema === undefined) {
    throw new InvalidArgumentError(`It takes key=value; the keys are ${settingNames.join(', ')}.`);
  }
  if (text === 'null') return { ...before, [name]: null };
  const readings = [text, parseJson(text), text.split(',').map((item) => item.trim())];
  const fitting = readings.find((reading) => reading !== undefined && schema.safeParse(reading).success);
  if (fitting === undefined) throw new InvalidArgumentError(`${name} does not take ${JSON.stringify(text)}.`);
  return { ...before, [name]: fitting };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
