import type { Clock } from '../base/clock.ts';
import { StartError } from '../base/errors.ts';
import type { Config } from '../config/config.ts';
import type { ModelChoice } from '../config/model-choice.ts';
import { withDeadline } from '../contract/abort-signal.ts';
import { openChatModel } from './model-pool.ts';
import { ProviderFailure, refusedStatus, safeReason, toProviderFailure } from './provider-failure.ts';
import { ownSettings } from './provider-settings.ts';

/**
 * The outcomes of a try of a key. `no_credit`: the account has none left. `not_installed`: the package of the provider is missing
 * here. `failed`: the reason says why.
 */
export const trialOutcomes = [
  'answered',
  'key_refused',
  'no_credit',
  'unknown_model',
  'rate_limited',
  'unreachable',
  'timeout',
  'not_installed',
  'failed',
] as const;

type TrialOutcome = (typeof trialOutcomes)[number];

/** A short request to a model with a key, and what came of it. */
export interface KeyTrial {
  /** As the provider names it. */
  readonly model: string;
  readonly outcome: TrialOutcome;
  /** Milliseconds until the answer was complete, or the failure was known. */
  readonly ms: number;
  /** Tokens that the provider billed; 0 if it does not report them. */
  readonly tokens: number;
  /** The provider's explanation, without the key; null for an answer, and for a refused key, which it may repeat in part. */
  readonly reason: string | null;
}

/** Less than a request of the operator's API may take. */
const TRIAL_TIMEOUT_MS = 20_000;

interface TrialOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** The provider by the name that `keyProvider` gives it. */
  readonly choice: ModelChoice;
  readonly apiKey: string;
  /** Default: 20 seconds. */
  readonly timeoutMs?: number;
}

/** Sends one tiny request with the key, in the way in which answers are written, and reports what came of it. It pauses no model. */
export async function tryKey({
  config,
  clock,
  choice,
  apiKey,
  timeoutMs = TRIAL_TIMEOUT_MS,
}: TrialOptions): Promise<KeyTrial> {
  const startedAt = clock.now().getTime();
  const trial = (result: Pick<KeyTrial, 'outcome' | 'reason'>, tokens = 0): KeyTrial => ({
    ...{ model: choice.model, ...result, tokens },
    ms: Math.max(0, clock.now().getTime() - startedAt),
  });
  const settings = ownSettings(config, choice, new Map([[choice.provider, apiKey]]));
  if (settings === null) return trial({ outcome: 'not_installed', reason: 'nobody can bring a key of it' });
  try {
    const model = await openChatModel(choice, settings);
    const tokens = await withDeadline({ timeoutMs }, async (connection) => {
      const messages = [{ role: 'user', text: 'Reply with the word OK.' }] as const;
      let used = 0;
      let isEmpty = true;
      const pieces = model.write({ messages, temperature: null, streamed: false, signal: connection });
      for await (const { text, tokensUsed } of pieces) {
        used += tokensUsed;
        isEmpty &&= text === '';
      }
      if (isEmpty) throw new ProviderFailure('failed', { cause: 'the answer is empty' });
      return used;
    });
    return trial({ outcome: 'answered', reason: null }, tokens);
  } catch (error) {
    if (error instanceof StartError) return trial({ outcome: 'not_installed', reason: error.message });
    const failure = toProviderFailure(error);
    const reason = safeReason(failure, apiKey);
    const outcome = judge(failure, reason);
    return trial({ outcome, reason: outcome === 'key_refused' || reason === '' ? null : reason });
  }
}

/** Google refuses a wrong key with status 400, and Anthropic an empty account. */
const WRONG_KEY = /api[ _-]?key not valid|invalid[ _-](?:x-)?api[ _-]?key|incorrect api key|unauthorized/i;
const NO_CREDIT =
  /insufficient[ _](?:quota|balance|credit)|credit balance|billing|payment required|out of credits/i;
const NO_MODEL =
  /model[^.]{0,80}(?:not found|does not exist|not exist|invalid|unknown)|(?:invalid|unknown) model|no such model/i;

function judge(failure: ProviderFailure, reason: string): TrialOutcome {
  const status = refusedStatus(failure);
  if (failure.kind === 'timeout' || failure.kind === 'unreachable') return failure.kind;
  if (status === 402 || NO_CREDIT.test(reason)) return 'no_credit';
  if (status === 401 || WRONG_KEY.test(reason)) return 'key_refused';
  if (status === 404 || NO_MODEL.test(reason)) return 'unknown_model';
  if (status === 403) return 'key_refused';
  return failure.kind === 'rate_limited' ? 'rate_limited' : 'failed';
}
