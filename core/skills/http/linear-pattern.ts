import { RE2JS, RE2JSException } from 're2js';

/** A pattern that cannot be matched in time that grows with the text only. */
export class PatternError extends Error {
  readonly pattern: string;

  constructor(pattern: string, cause: unknown) {
    super(`The pattern ${JSON.stringify(pattern)} is not supported.`, { cause });
    this.name = 'PatternError';
    this.pattern = pattern;
  }
}

/**
 * What Ajv matches the patterns of a workspace with: whatever they and the text are, it takes linear time. Throws a
 * SyntaxError for what is no regular expression, and a PatternError for back references and look-around.
 */
export function linearPattern(pattern: string, flags: string): RE2JS {
  // The engine below reads some of what JavaScript refuses, and means something else by it.
  new RegExp(pattern, flags);
  try {
    if (/\\k</u.test(pattern)) throw new PatternError(pattern, 'back reference');
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternError(pattern, error);
    throw error;
  }
}

/** Ajv writes it into code that it only prints, which nobody here does. */
linearPattern.code = 'linearPattern';
