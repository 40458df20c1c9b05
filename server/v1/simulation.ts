import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANSWER_STAGES, type AnswerListener } from '../../core/answering/answer.ts';
import { type AskOptions, ask } from '../../core/answering/ask.ts';
import type { AskDependencies, AskRequest } from '../../core/answering/ask-request.ts';
import { type Clock, secondsUntil, type Wait } from '../../core/base/clock.ts';
import { AppError } from '../../core/base/errors.ts';
import { humanSkill } from '../../core/contract/skill.ts';
import { quotaExhaustedError } from '../../core/limits/quota.ts';
import { keyAdmission } from '../plugins/admission.ts';
import { RequestContext } from '../request-context.ts';
import type { TypedApp } from '../typed-app.ts';

/** The values of the header X-Parley-Simulate. */
const simulations = [
  'provider_down',
  'upstream_timeout',
  'rate_limit_minute',
  'quota_exhausted',
  'low_confidence',
  'slow',
  'drop_stream',
  'escalate',
] as const;

type Simulation = (typeof simulations)[number];

/** The sentence about them in the descriptions of operations. */
export const simulationText = `A test key can send \`X-Parley-Simulate\` with one of ${simulations.join(', ')}.`;

export interface SimulationOptions {
  /** Milliseconds by which `slow` delays an answer. */
  readonly slowMs: number;
  readonly wait: Wait;
}

/** Milliseconds that the tokens before the end of a dropped stream have to leave. */
const DROP_MS = 50;
const MINUTE_MS = 60_000;

const wanted = new RequestContext<Simulation>('simulation');

/**
 * Reads the header of each request to `app` that a key was admitted for. Throws `test_key_required`, `invalid_simulation` and a
 * simulated `rate_limit_minute`.
 */
export function readSimulations(app: TypedApp, { clock }: { readonly clock: Clock }): void {
  app.addHook('onRequest', async (request, reply) => {
    const header = request.headers['x-parley-simulate'];
    if (header === undefined) return;
    if (keyAdmission.get(request).holder.mode !== 'test') throw new AppError('test_key_required');
    const simulation = simulations.find((name) => name === header);
    if (simulation === undefined) throw new AppError('invalid_simulation');
    if (simulation === 'rate_limit_minute') {
      const now = clock.now();
      const ends = new Date(now.getTime() + MINUTE_MS);
      reply.header('x-ratelimit-remaining-minute', 0);
      throw new AppError('rate_limit_minute', { retryAfterSeconds: secondsUntil(ends, now) });
    }
    if (request.routeOptions.config.countsMessage !== true) {
      throw new AppError('invalid_simulation', {
        detail: `${simulation} is simulated where questions are answered. Here only rate_limit_minute is.`,
      });
    }
    wanted.set(request, simulation);
  });
}

interface Asking {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly options: SimulationOptions;
}

/** Returns `ask`, or what takes its place for a request that wants a simulation. It throws the errors that it simulates. */
export function askOf({ request, reply, options }: Asking): typeof ask {
  const simulation = wanted.find(request);
  switch (simulation) {
    case undefined:
    case 'rate_limit_minute':
      return ask;
    case 'quota_exhausted':
      return async ({ clock }) => {
        throw quotaExhaustedError(clock.now());
      };
    case 'provider_down':
      return failWith(() => new AppError('provider_down', { retryAfterSeconds: 1 }));
    case 'upstream_timeout':
      return failWith(() => new AppError('upstream_timeout'));
    case 'low_confidence':
      return (dependencies, asked, more) => ask(dependencies, { ...asked, fallsBack: true }, more);
    case 'escalate':
      return (dependencies, asked, more) => ask(dependencies, askForPerson(asked), more);
    case 'slow':
      return async (dependencies, asked, more) => askSlowly(dependencies, asked, { ...more, ...options });
    case 'drop_stream':
      return (dependencies, asked, more) => ask(dependencies, asked, dropped(more, { reply, options }));
  }
}

/** Fails as the models do: after all stages, so that a stream has begun. */
function failWith(makeError: () => AppError): typeof ask {
  return async (_dependencies, _asked, { listener }) => {
    for (const stage of ANSWER_STAGES) await listener?.stage(stage);
    throw makeError();
  };
}

/** Runs the skill even where the workspace has switched it off. */
function askForPerson({ workspace, ...asked }: AskRequest): AskRequest {
  const { settings } = workspace;
  const skills = settings.skills && [...settings.skills, humanSkill];
  return { ...asked, workspace: { ...workspace, settings: { ...settings, skills } }, skill: humanSkill };
}

/** Delays a complete answer, and a stream after its first stage. */
async function askSlowly(
  dependencies: AskDependencies,
  asked: AskRequest,
  { slowMs, wait, ...more }: AskOptions & SimulationOptions,
) {
  const { signal, listener } = more;
  // A request that ends meanwhile ends for its own reason.
  const delay = () => wait(slowMs, signal).catch(() => signal.throwIfAborted());
  if (listener === undefined) {
    await delay();
    return ask(dependencies, asked, more);
  }
  const stage: AnswerListener['stage'] = async (entered) => {
    await listener.stage(entered);
    if (entered === ANSWER_STAGES[0]) await delay();
  };
  return ask(dependencies, asked, { ...more, listener: relay(listener, { stage }) });
}

/** Closes the connection after the first tokens. Throws `invalid_simulation` if the answer is not streamed. */
function dropped(
  more: AskOptions,
  { reply, options: { wait } }: Pick<Asking, 'reply' | 'options'>,
): AskOptions {
  const { signal, listener } = more;
  if (listener === undefined) {
    throw new AppError('invalid_simulation', {
      detail:
        'drop_stream needs a stream. Send the question to POST /v1/query/stream, or with "stream": true.',
    });
  }
  const token: AnswerListener['token'] = async (text) => {
    await listener.token(text);
    await wait(DROP_MS, signal).catch(() => signal.throwIfAborted());
    reply.raw.destroy();
    signal.throwIfAborted();
  };
  return { ...more, listener: relay(listener, { token }) };
}

function relay(listener: AnswerListener, instead: Partial<AnswerListener>): AnswerListener {
  return {
    ...(listener.isRead !== undefined && { isRead: listener.isRead }),
    stage: (stage) => listener.stage(stage),
    token: (text) => listener.token(text),
    ...instead,
  };
}
