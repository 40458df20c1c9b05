import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import type { JsonSchema } from '../../contract/skill.ts';

/** By their JSON: to compile one takes 20 ms, and a skill is called again and again. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

/**
 * What checks arguments by a schema. Throws an Error that says what is wrong with the schema. Formats are not checked,
 * as JSON Schema says of them where nothing else was agreed on.
 */
export function parametersValidator(parameters: JsonSchema): ValidateFunction {
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
  });
  const validate = ajv.compile({ ...parameters });
  compiled.set(json, validate);
  return validate;
}
