import { afterAll } from 'vitest';
import { listRules, varyRule } from '../../core/base/rules.ts';

/** Sets the rule `area.name` until the test file ends: other files run in the same process. */
export function varyRuleInFile(path: string, value: number): void {
  const before = listRules().get(path);
  if (before === undefined || !varyRule(path, value)) throw new RangeError(`There is no rule ${path}.`);
  afterAll(() => varyRule(path, before));
}
