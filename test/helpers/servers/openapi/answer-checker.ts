import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import type { ApiOperation } from './api-operations.ts';

const api = 'the-api';
const eventsSchema = z.object({ contentSchema: z.record(z.string(), z.unknown()) });

export interface GivenAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** Texts that no answer may contain: traces of the stack, of the source, of SQL and of the machine. */
const internals = [
  /\bat .+:\d+:\d+/,
  /node_modules|node:internal|file:\/\//,
  /\b(select|insert into|update|delete from)\b[^"]*\b(from|values|set|where)\b/i,
  /\b(syntax error|violates|relation|constraint|ECONNREFUSED|ENOENT)\b/i,
  /(^|["' ])\/(home|root|tmp|usr|var|work)\//,
];

/** Returns the faults of an answer, by the description; none if it is valid. */
export function answerChecker(schemas: Readonly<Record<string, unknown>>) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
  addFormats.default(ajv);
  ajv.addSchema({ components: { schemas } }, api);
  const validators = new Map<object, ValidateFunction>();

  const validatorOf = (schema: object): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile(withinApi(schema));
    validators.set(schema, validate);
    return validate;
  };

  return (operation: ApiOperation, { status, contentType, body }: GivenAnswer): string[] => {
    const described = operation.responses[String(status)];
    if (described === undefined) return [`${status} is not described: ${body.slice(0, 300)}`];
    const leaks =
      status < 400 ? [] : internals.filter((sign) => sign.test(body)).map((sign) => `holds ${sign}`);
    const [type = ''] = (contentType ?? '').split(';');
    const schema = described.content[type]?.schema;
    if (schema === undefined) {
      const empty = body === '' && Object.keys(described.content).length === 0;
      return empty ? leaks : [...leaks, `${status} is not described as ${type || 'nothing'}`];
    }
    const faults = documentsIn(type, schema, body).flatMap(([expected, text]) => {
      const validate = validatorOf(expected);
      const valid = validate(JSON.parse(text));
      return valid ? [] : `${status} ${ajv.errorsText(validate.errors)}: ${text.slice(0, 300)}`;
    });
    return [...leaks, ...faults];
  };
}

/** Adds the references to shared parts of answers, so that the schema is compiled once. */
function withinApi(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${api}#/components/`));
}

/** Returns the JSON documents of an answer, each with its schema: the whole of it, or every event of a stream. */
function documentsIn(type: string, schema: object, body: string): [schema: object, text: string][] {
  if (type === 'application/json') return [[schema, body]];
  const { data: ofEvents } = eventsSchema.safeParse(schema);
  if (ofEvents === undefined) return [];
  const events = body.split('\n').filter((line) => line.startsWith('data: '));
  return events.map((event) => [ofEvents.contentSchema, event.slice('data: '.length)]);
}
