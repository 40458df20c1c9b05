import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type Fields, withField } from './with-field.ts';

/**
 * Adds one `name=value` of the command line to the fields read so far. The value is text, or true, false, null, a list
 * or an object; `name:=value` takes any JSON, numbers too. `a.b=value` is the field b of a.
 */
export function readField(given: string, before: Fields = {}): Fields {
  const [, name = '', mark = '', text = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(given) ?? [];
  if (name === '') throw new InvalidArgumentError('It takes name=value.');
  const json = parseJson(text);
  if (mark === ':=' && json === undefined) throw new InvalidArgumentError('Its value is not valid JSON.');
  const isText = mark === '=' && (json === undefined || ['string', 'number'].includes(typeof json));
  return withField(before, name, isText ? text : json);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
