import { access, constants } from 'node:fs/promises';
import type { Models } from '../answering/open-models.ts';
import { withTimeout } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Channels } from '../channels/channels.ts';
import type { Config } from '../config/config.ts';
import type { Embedder } from '../knowledge/embedding/embedder.ts';
import type { Reranker } from '../knowledge/ranking/reranker.ts';
import { adviceFor } from '../models/model-check.ts';
import { ProviderFailure } from '../models/provider-failure.ts';
import { type Installation, isWeakToken } from '../secrets/installation.ts';
import { missingLoaders } from '../sources/loaders/loader-kind.ts';
import { isPrivateUrl } from './needs.ts';
import type { PartReport } from './part.ts';
import type { Readiness } from './readiness.ts';

interface DoctorDependencies {
  readonly config: Config;
  readonly clock: Clock;
  readonly installation: Pick<Installation, 'adminToken'>;
  readonly readiness: Pick<Readiness, 'report'>;
  readonly embedder: Pick<Embedder, 'model' | 'engine' | 'embedQuery'>;
  readonly checkModels: Models['checkModels'];
  readonly reranker: Pick<Reranker, 'model' | 'check'> | null;
  readonly channels: Pick<Channels, 'all'>;
}

/** The result of the check of one part of the installation. */
export interface Finding {
  /** The name of the part, such as `database` or `model openai:gpt-4o-mini`. */
  readonly part: string;
  /** `fail`: the part does not work. `warn`: it works, but something is missing or about to break. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** The next step of the operator; null if there is none. */
  readonly advice: string | null;
}

/** The timeout is below the 30 seconds after which a request ends. */
const MODEL_TIMEOUT_MS = 20_000;

type Examine = (dependencies: DoctorDependencies) => Promise<Finding | readonly Finding[]>;

const EXAMINATIONS: Readonly<Record<string, Examine>> = {
  configuration: examineConfiguration,
  'data folder': examineFolder,
  parts: examineParts,
  'embedding model': examineEmbedder,
  models: examineModels,
  reranker: examineReranker,
  'public URL': examinePublicUrl,
  channels: examineChannels,
  'document loaders': examineLoaders,
};

/** Checks every part of the installation, models and providers with a short request each. Never rejects. */
export async function examine(dependencies: DoctorDependencies): Promise<readonly Finding[]> {
  const findings = Object.entries(EXAMINATIONS).map(async ([part, examinePart]) => {
    try {
      return await examinePart(dependencies);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return fail(part, `It could not be checked: ${reason}.`, 'Correct the parts above first.');
    }
  });
  return (await Promise.all(findings)).flat();
}

const ok = (part: string, text: string): Finding => ({ part, state: 'ok', text, advice: null });
const warn = (part: string, text: string, advice: string): Finding => ({ part, state: 'warn', text, advice });
const fail = (part: string, text: string, advice: string): Finding => ({ part, state: 'fail', text, advice });

/** Reports the weak points that are left: an invalid configuration stops a process at its start. */
async function examineConfiguration({ config, installation }: DoctorDependencies): Promise<Finding> {
  if (isWeakToken(installation.adminToken)) {
    return warn('configuration', 'ADMIN_TOKEN is weak.', 'Set ADMIN_TOKEN to at least 32 random characters.');
  }
  const { FROM_FILES: names } = config;
  const files = names.length === 0 ? '' : ` Read from files: ${names.join(', ')}.`;
  return ok('configuration', `All variables are valid.${files}`);
}

async function examineFolder({ config }: DoctorDependencies): Promise<Finding> {
  const { DATA_DIR: folder } = config;
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    return ok('data folder', `${folder} is writable.`);
  } catch {
    return fail(
      'data folder',
      `${folder} is not writable.`,
      'Let the user of this process write to DATA_DIR.',
    );
  }
}

/** Looks at all parts anew. The table that decides is that of /readyz. */
async function examineParts({ readiness }: DoctorDependencies): Promise<readonly Finding[]> {
  const reports = await readiness.report({ isFresh: true });
  // The model is asked for a vector below, which tells more.
  return reports.filter(({ part }) => part !== 'embedder').map(describePart);
}

function describePart({ part, worker, state, seen, advice }: PartReport): Finding {
  const name = worker === null ? part : `worker ${worker}`;
  if (state === 'ok' || advice === null) return ok(name, seen);
  return state === 'failed' || state === 'degraded' ? fail(name, seen, advice) : warn(name, seen, advice);
}

async function examineLoaders({ config }: DoctorDependencies): Promise<readonly Finding[]> {
  const modules = config.SOURCE_LOADERS;
  if (modules.length === 0) return [];
  const missing = missingLoaders(modules);
  if (missing.length === 0) return [ok('document loaders', `${modules.length} can be loaded`)];
  return missing.map(({ module, advice }) => warn('document loaders', `${module} is missing`, advice));
}

async function examineEmbedder({ embedder, clock }: DoctorDependencies): Promise<Finding> {
  const part = `embedding model ${embedder.model}`;
  if (embedder.engine === 'none') return ok(part, 'This process does not search.');
  // The vectors of earlier questions are cached.
  const question = `What is the time after ${clock.now().toISOString()}?`;
  const { reason } = await works(() => embedder.embedQuery(question), MODEL_TIMEOUT_MS);
  if (reason === null) return ok(part, `It works (${embedder.engine}).`);
  const advice =
    embedder.engine === 'remote'
      ? "Check the provider's API key and address, and the name of the model in EMBEDDING_MODEL."
      : 'Install the packages again (npm ci), or change EMBEDDING_ENGINE.';
  return fail(part, `It does not work${reason}.`, advice);
}

async function examineModels({ checkModels }: DoctorDependencies): Promise<readonly Finding[]> {
  const models = await checkModels({ timeoutMs: MODEL_TIMEOUT_MS });
  const findings = models.map(({ model, failure, variable }) =>
    describeModel(`${MODEL_PARTS[variable ?? 'LLM_MODELS']} ${model}`, failure, variable ?? 'LLM_MODELS'),
  );
  return models.some(({ variable }) => variable === undefined)
    ? findings
    : [ok('models', 'LLM_MODELS is empty: answers are quoted from the documents.'), ...findings];
}

const MODEL_PARTS = {
  LLM_MODELS: 'model',
  TRANSCRIPTION_MODEL: 'transcription model',
  VISION_MODEL: 'vision model',
};

async function examineReranker({ reranker }: DoctorDependencies): Promise<readonly Finding[]> {
  if (reranker === null) return [];
  const failure = await reranker.check();
  return [describeModel(`reranker ${reranker.model}`, failure, 'RERANK_MODEL')];
}

function describeModel(part: string, failure: ProviderFailure | null, variable: string): Finding {
  if (failure === null) return ok(part, 'It answers.');
  return fail(part, `It does not answer: ${failure.kind}.`, adviceFor(failure, variable));
}

/** Says whether platforms and visitors can reach the address. It sends no request: only they can tell. */
async function examinePublicUrl({ config, channels }: DoctorDependencies): Promise<Finding> {
  const { PUBLIC_URL: address } = config;
  const part = 'public URL';
  if (address === undefined) {
    // Without the address no channel has a `webhookUrl`: how its events arrive tells which ones need it.
    const posting = (await channels.all()).filter(({ enabled, intake }) => enabled && intake === 'webhook');
    const text = 'PUBLIC_URL is not set';
    if (posting.length === 0) return ok(part, `${text}. No channel needs it.`);
    return warn(part, `${text}, and ${posting.length} channels need it.`, SET_PUBLIC_URL);
  }
  const { protocol, pathname } = new URL(address);
  if (isPrivateUrl(address))
    return warn(part, `${address} can be reached from this network only.`, SET_PUBLIC_URL);
  if (protocol !== 'https:') return warn(part, `${address} is not encrypted.`, SET_PUBLIC_URL);
  if (pathname !== '/') {
    const advice = 'Make sure that the proxy removes this path before it passes requests on.';
    return warn(part, `${address} has a path.`, advice);
  }
  return ok(part, `${address} has a form that platforms can reach.`);
}

const SET_PUBLIC_URL =
  'Set PUBLIC_URL to the https address under which platforms and visitors reach this server.';

async function examineChannels({ channels }: DoctorDependencies): Promise<readonly Finding[]> {
  const all = await channels.all();
  return all
    .filter(({ enabled }) => enabled)
    .map(({ id, channel, status, lastError }) => {
      const part = `channel ${id} (${channel})`;
      if (status === 'error') {
        const advice = 'Correct its credentials: npm run parley -- channel add, or PATCH the channel.';
        return fail(part, lastError ?? 'The platform refused the credentials.', advice);
      }
      if (status === 'stale') {
        const advice = 'Check that the workers run, and the webhook or connection at the platform.';
        return warn(part, 'The platform has been silent for unusually long.', advice);
      }
      if (status === 'connecting') {
        return warn(part, 'The platform has not been heard yet.', 'Write a message to the channel.');
      }
      return ok(part, 'It is connected.');
    });
}

/** Returns why a part does not work, as the end of a sentence; null if it works. */
async function works(
  ask: () => Promise<unknown>,
  timeoutMs: number,
): Promise<{ readonly reason: string | null }> {
  let answer: unknown;
  const asking = async () => {
    answer = await ask();
  };
  try {
    if (!(await withTimeout(timeoutMs, asking()))) return { reason: ' in time' };
    return { reason: answer === false ? '' : null };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const kind = cause instanceof ProviderFailure ? `: ${cause.kind}` : '';
    return { reason: kind };
  }
}
