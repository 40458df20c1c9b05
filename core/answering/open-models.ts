import type { AnswerWriter } from '../contract/answer-writer.ts';
import type { Complete } from '../models/complete.ts';
import type { StreamTimeouts } from '../models/fail-over.ts';
import type { CheckedModel, CheckOptions } from '../models/model-check.ts';
import type { ModelPool, ModelPoolOptions } from '../models/model-pool.ts';
import type { OwnerKeys } from '../models/provider-settings.ts';
import type { FindOwnerModels } from './ask-request.ts';
import type { ModelWriterOptions } from './generated/model-writer.ts';
import type { OwnerModels } from './generated/owner-models.ts';
import type { MediaModels } from './media/media-models.ts';

interface OpenModelsOptions extends ModelPoolOptions {
  readonly log: ModelPoolOptions['log'] & ModelWriterOptions['log'];
  readonly patience?: ModelWriterOptions['patience'];
  /** Finds the keys that an owner brought; nobody brought any if absent. */
  readonly findKeys?: ((ownerId: string) => Promise<OwnerKeys>) | undefined;
}

const streamed: StreamTimeouts = { firstMs: 10_000, nextMs: 10_000 };
/** Without streaming, the first output is the complete answer. */
const whole: StreamTimeouts = { firstMs: 20_000, nextMs: 10_000 };
/**
 * Longer than a request's limit of 30 s, which then fails with its own error. Channels have no such limit and retry
 * later.
 */
const last: StreamTimeouts = { firstMs: 35_000, nextMs: 35_000 };
/** Many providers send nothing while a model thinks. A request's own limit ends the wait earlier. */
const thinking: StreamTimeouts = { firstMs: 120_000, nextMs: 120_000 };

/** The model functions of the installation. The first three are null if no model of theirs is configured. */
export interface Models {
  readonly writer: AnswerWriter | null;
  readonly complete: Complete | null;
  readonly media: MediaModels | null;
  readonly ownerModels: FindOwnerModels;
  /** Sends a short request to each configured model, and logs those that do not work. */
  readonly checkModels: (
    limits?: Pick<CheckOptions, 'signal' | 'timeoutMs'>,
  ) => Promise<readonly CheckedModel[]>;
}

/**
 * Completions delay the first word of an answer. After this time the answer continues without them, at slightly lower
 * quality.
 */
const COMPLETION_TIMEOUT_MS = 4_000;

/** Opens the configured models. It loads the model libraries only if a model is configured, or an owner brought a key. */
export async function openModels({
  patience = { streamed, whole, last, thinking },
  ...given
}: OpenModelsOptions): Promise<Models> {
  const options = { ...given, patience };
  const media = await openMedia(options);
  if (options.config.LLM_MODELS.length === 0) {
    return {
      ...{ writer: null, complete: null, media },
      ownerModels: findOwnerModels(options, openPool),
      checkModels: async (limits) => media?.check(limits) ?? [],
    };
  }
  const [pool, { ModelWriter }, { createComplete }, { checkModels }] = await Promise.all([
    openPool(options),
    import('./generated/model-writer.ts'),
    import('../models/complete.ts'),
    import('../models/model-check.ts'),
  ]);
  // The providers' libraries are loaded now, so that the first question does not wait for them.
  await pool.inOrder(null);
  return {
    writer: new ModelWriter({ pool, log: options.log, patience }),
    complete: createComplete({ pool, log: options.log, timeoutMs: COMPLETION_TIMEOUT_MS }),
    media,
    ownerModels: findOwnerModels(options, async () => pool),
    checkModels: async (limits) => {
      const checks = [checkModels({ pool, log: options.log, ...limits }), media?.check(limits) ?? []];
      return (await Promise.all(checks)).flat();
    },
  };
}

async function openPool(options: ModelPoolOptions): Promise<ModelPool> {
  const { ModelPool } = await import('../models/model-pool.ts');
  return new ModelPool(options);
}

type PatientOptions = OpenModelsOptions & Pick<ModelWriterOptions, 'patience'>;

/** Opens nothing before the first owner brings a key. */
function findOwnerModels(
  options: PatientOptions,
  open: (options: ModelPoolOptions) => Promise<ModelPool>,
): FindOwnerModels {
  const { findKeys, log, patience } = options;
  let opening: Promise<OwnerModels> | null = null;
  const openOwn = async () => {
    const [pool, { OwnerModels }] = await Promise.all([open(options), import('./generated/owner-models.ts')]);
    return new OwnerModels({ pool, log, patience, timeoutMs: COMPLETION_TIMEOUT_MS });
  };
  return async (ownerId, model) => {
    const keys = await findKeys?.(ownerId);
    if (keys === undefined || keys.size === 0) return null;
    opening ??= openOwn();
    return (await opening).find({ ownerId, keys }, model);
  };
}

async function openMedia(options: ModelPoolOptions): Promise<MediaModels | null> {
  const { TRANSCRIPTION_MODEL: hearing, VISION_MODEL: seeing } = options.config;
  if (hearing === undefined && seeing === undefined) return null;
  const { openMediaModels } = await import('./media/media-models.ts');
  return openMediaModels(options);
}
