import { createContext, Script } from 'node:vm';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { JsonSchema } from '../../contract/skill.ts';
import { linearPattern } from './linear-pattern.ts';

/** By their JSON: to compile one takes 20 ms, and a skill is called again and again. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

/** References may refer to one part again and again: a few of them can ask for more checks than there is time for. */
const longestMs = 2_000;
const codeSchema = z.object({ code: z.string() });
const script = new Script('run()');
const context = createContext({ run: (): void => {} });

/** What checking took too long. */
export class SlowSchemaError extends Error {
  override readonly name = 'SlowSchemaError';
}

/**
 * What is wrong with arguments by a schema; nothing where they fit. Throws an Error that says what is wrong with the
 * schema, a PatternError for a pattern that is not linear, and a SlowSchemaError where checking takes longer than two
 * seconds. Formats are not checked, as JSON Schema says of them where nothing else was agreed on.
 */
export function findFaults(parameters: JsonSchema, given: unknown): readonly ErrorObject[] {
  const validate = validatorFor(parameters);
  return withinTime(() => (validate(given) ? [] : (validate.errors ?? [])));
}

function validatorFor(parameters: JsonSchema): ValidateFunction {
  const json = JSON.stringify(parameters);
  const known = compiled.get(json);
  if (known !== undefined) return known;
  // Each by itself: schemas of different workspaces may bear the same $id.
  const ajv = new Ajv2020({
    strictTypes: false,
    strictTuples: false,
    allErrors: true,
    verbose: true,
    validateFormats: false,
    logger: false,
    code: { regExp: linearPattern },
  });
  const validate = ajv.compile({ ...parameters });
  compiled.set(json, validate);
  return validate;
}

/** Node ends a script that takes too long, with all that it called. */
function withinTime<Result>(work: () => Result): Result {
  const results: Result[] = [];
  context.run = () => void results.push(work());
  try {
    script.runInContext(context, { timeout: longestMs });
  } catch (error) {
    // The error is of the script's own realm, so that it is no Error here.
    if (codeSchema.safeParse(error).data?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new SlowSchemaError('To check arguments takes too long.', { cause: error });
    }
    throw error;
  }
  const [result] = results;
  if (result === undefined) throw new SlowSchemaError('Nothing was checked.');
  return result;
}
