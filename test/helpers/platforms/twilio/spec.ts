import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { peersFile } from '../peers-file.ts';

const operationSchema = z.object({
  requestBody: z.object({
    content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })),
  }),
});
const specSchema = z.object({
  components: z.unknown(),

  paths: z.record(z.string(), z.object({ post: operationSchema.optional().catch(undefined) })),
});

const file = peersFile('specs/twilio_api_v2010.json');
// A form repeats the key for each item of an array, so an array of one looks like its item.
const ajv = new Ajv({ strict: false, coerceTypes: 'array', formats: { 'phone-number': true } });
addFormats.default(ajv);

/** Whether a message is valid as Twilio describes it; null if that description is not available. */
const validate = file === null ? null : ajv.compile(schemaOfMessages(readFileSync(file, 'utf8')));

function schemaOfMessages(text: string): object {
  const { paths, components } = specSchema.parse(JSON.parse(text));
  const content = paths['/2010-04-01/Accounts/{AccountSid}/Messages.json']?.post?.requestBody.content ?? {};
  return { ...content['application/x-www-form-urlencoded']?.schema, additionalProperties: false, components };
}

/** Returns the fault of the fields of a message, in words; null if there is none, or none is known. */
export function faultOfMessage(fields: Readonly<Record<string, string>>): string | null {
  if (validate === null || validate({ ...fields })) return null;
  return ajv.errorsText(validate.errors, { dataVar: 'message' });
}
