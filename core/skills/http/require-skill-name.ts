import { AppError } from '../../errors.ts';
import { builtInSkillNames } from '../built-in-skills.ts';

/** Throws `invalid_name`. What models call by its name is not named as a person would. */
export function requireSkillName(name: string): void {
  if (builtInSkillNames.some((builtIn) => builtIn === name)) {
    throw new AppError('invalid_name', { detail: `name: ${name} is built in, take another one.` });
  }
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    throw new AppError('invalid_name', {
      detail: 'name must be 1 to 64 small letters, digits and underscores, beginning with a letter.',
    });
  }
}
