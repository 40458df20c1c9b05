import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { readModelChoice } from './model-choice.ts';
import { providerSettings } from './provider-settings.ts';

/** Throws `invalid_settings` where a workspace's model is none that this installation could ask. */
export function requireModel(config: Config, model: string | null | undefined): void {
  if (model === null || model === undefined) return;
  const choice = readModelChoice(model);
  if (choice !== null && providerSettings(config, choice.provider) !== null) return;
  throw new AppError('invalid_settings', {
    detail: `settings.model must be provider:model with a provider that is configured here, not ${JSON.stringify(model)}.`,
  });
}
