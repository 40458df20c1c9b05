import { requireModel } from '../../../core/models/provider-settings.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';

const NO_KEYS = new Map<string, string>();

/**
 * Throws `invalid_settings` if one of the models that a workspace is to choose has a key neither of the installation nor of its
 * owner. `owner` is undefined for a new owner.
 */
export async function requireUsableModel(
  { config, modelKeys }: Pick<Runtime, 'config' | 'modelKeys'>,
  owner: string | undefined,
  model: string | null | undefined,
): Promise<void> {
  if (model === undefined || model === null) return;
  requireModel(config, model, owner === undefined ? NO_KEYS : await modelKeys.of(owner));
}
