import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { peersFile } from '../peers-file.ts';

const operation = z.object({ requestBody: z.unknown().optional() });
const specSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.union([operation, z.unknown()]))),
  components: z.record(z.string(), z.unknown()),
});

const file = peersFile('specs/discord-openapi.json');

/** Discord's own description of its API; null if it is not available. */
export const discordSpec = file === null ? null : specSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
ajv.addFormat('snowflake', /^\d{1,20}$/);
ajv.addFormat('nonce', /^.{0,25}$/);
for (const name of ['int32', 'int64', 'double'])
  ajv.addFormat(name, { type: 'number', validate: () => true });
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
if (discordSpec !== null) ajv.addSchema({ ...discordSpec }, 'discord');

const validators = new Map<string, ValidateFunction | null>();

/** Returns the fault of a call, in words; null if there is none, or none is known. `path` is below the version. */
export function faultOfDiscordCall(method: string, path: string, body: unknown): string | null {
  if (discordSpec === null) return null;
  const template = templateOf(method.toLowerCase(), path);
  if (template === null) return `${method} ${path} is no operation`;
  const validate = validatorOf(method.toLowerCase(), template);
  if (validate === null) return null;
  return validate(body) ? null : ajv.errorsText(validate.errors?.slice(0, 4));
}

/** Returns the path with the most letters of its own. */
function templateOf(method: string, path: string): string | null {
  const [bare = ''] = path.split('?');
  const matching = Object.entries(discordSpec?.paths ?? {}).filter(
    ([template, operations]) => method in operations && patternOf(template).test(bare),
  );
  const wildcards = (template: string) => template.split('{').length;
  return (
    matching.map(([template]) => template).toSorted((one, other) => wildcards(one) - wildcards(other))[0] ??
    null
  );
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
}

function validatorOf(method: string, template: string): ValidateFunction | null {
  const key = `${method} ${template}`;
  const known = validators.get(key);
  if (known !== undefined) return known;
  const escaped = template
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D');
  const { data } = operation.safeParse(discordSpec?.paths[template]?.[method]);
  const $ref = `discord#/paths/${escaped}/${method}/requestBody/content/application~1json/schema`;
  const made = data?.requestBody === undefined ? null : ajv.compile({ $ref });
  validators.set(key, made);
  return made;
}
