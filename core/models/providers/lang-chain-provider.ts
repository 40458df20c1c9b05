import { readFile } from 'node:fs/promises';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { getChatModelByClassName, MODEL_PROVIDER_CONFIG } from 'langchain/chat_models/universal';
import { Agent, type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { StartError } from '../../base/errors.ts';
import { toHeaders } from '../../base/http-client.ts';
import type { ModelChoice } from '../../config/model-choice.ts';
import type { MakeModel } from '../lang-chain-model.ts';
import { readField } from '../provider-failure.ts';
import type { ProviderSettings } from '../provider-settings.ts';

/** How the constructor of a package names what it takes. */
interface Constructor {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly maxTokens?: string;
  readonly others?: object;
  readonly guard?: (model: BaseChatModel) => BaseChatModel;
}

const CONSTRUCTORS: Readonly<Record<string, Constructor>> = {
  ChatAnthropic: {
    baseUrl: 'anthropicApiUrl',
    others: { clientOptions: { authToken: null, logLevel: 'off', fetch: providerFetch } },
  },
  ChatGoogleGenerativeAI: { maxTokens: 'maxOutputTokens', guard: withoutStrayRejections },
  ChatMistralAI: { baseUrl: 'serverURL' },
  ChatOllama: { maxTokens: 'numPredict' },
  ChatVertexAI: { baseUrl: 'endpoint', maxTokens: 'maxOutputTokens' },
  ChatBedrockConverse: { baseUrl: 'endpointHost' },
};

/** LangChain's name for the package of Google's API that Parley ships. */
const LANG_CHAIN_NAMES: Readonly<Record<string, string>> = { google: 'google-genai' };

/** Loads the package of a provider. Throws a StartError with the command that installs it if it is missing. */
export async function loadLangChainModel(
  { provider, model }: ModelChoice,
  { apiKey, baseUrl }: ProviderSettings,
): Promise<MakeModel> {
  const name = LANG_CHAIN_NAMES[provider] ?? provider;
  const known = Object.entries(MODEL_PROVIDER_CONFIG).find(([other]) => other === name)?.[1];
  if (known === undefined) throw new StartError(`LangChain does not know the provider ${provider}.`);
  const Model = await loadClass(provider, { name, ...known });
  const names = CONSTRUCTORS[known.className] ?? {};
  return ({ temperature, maxTokens }) => {
    const made: unknown = Reflect.construct(Model, [
      {
        model,
        temperature,
        maxRetries: 0,
        [names.maxTokens ?? 'maxTokens']: maxTokens,
        ...(apiKey !== '' && { [names.apiKey ?? 'apiKey']: apiKey }),
        ...(baseUrl !== '' && { [names.baseUrl ?? 'baseUrl']: baseUrl }),
        ...names.others,
      },
    ]);
    if (!(made instanceof BaseChatModel)) throw new TypeError(`${known.className} is no chat model`);
    return names.guard?.(made) ?? made;
  };
}

interface Package {
  readonly name: string;
  readonly package: string;
  readonly className: string;
}

async function loadClass(provider: string, { name, className, ...known }: Package): Promise<() => unknown> {
  const install = `Install it with: npm install --save-prod ${await withVersion(known.package)}`;
  let loaded: unknown;
  try {
    loaded = await getChatModelByClassName(className, name);
  } catch (error) {
    throw new StartError(
      `The provider ${provider} needs the package ${known.package}, which is missing or does not load. ${install}`,
      error,
    );
  }
  if (isConstructor(loaded)) return loaded;
  throw new StartError(`The package ${known.package} does not export ${className}. ${install}`);
}

/** Returns the package with the version that Parley is tested with, if there is one. */
async function withVersion(name: string): Promise<string> {
  const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  const { peerDependencies } = manifestSchema.parse(JSON.parse(manifest));
  const version = peerDependencies[name];
  return version === undefined ? name : `${name}@${version}`;
}

const manifestSchema = z.looseObject({ peerDependencies: z.record(z.string(), z.string()) });

function isConstructor(value: unknown): value is () => unknown {
  return typeof value === 'function';
}

/** Keeps connections to providers open for 30 seconds. The models enforce their own timeouts. */
const agent = new Agent({ keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 });

/**
 * Implements the part of `fetch` that the providers' libraries use, at half the CPU time: 0.3 instead of 0.6 ms for a
 * question. The body is a Node stream, which the libraries can read like a web stream.
 */
async function providerFetch(
  input: string | URL | Request,
  { method = 'GET', headers, body, signal }: RequestInit = {},
): Promise<Response> {
  const url = input instanceof Request ? input.url : input;
  const response = await request(url, {
    method: method.toUpperCase() === 'POST' ? 'POST' : 'GET',
    headers: new Map(new Headers(headers)),
    body: typeof body === 'string' ? body : null,
    signal: signal ?? null,
    dispatcher: agent,
  });
  return toResponse(String(url), response);
}

function toResponse(url: string, { statusCode, headers, body }: Dispatcher.ResponseData): Response {
  const own = {
    url,
    status: statusCode,
    ok: statusCode >= 200 && statusCode < 300,
    statusText: '',
    headers: toHeaders(headers),
    body,
    json: () => body.json(),
    text: () => body.text(),
  };
  return Object.create(Response.prototype, Object.getOwnPropertyDescriptors(own));
}

/**
 * Google's library creates, besides each stream, a promise of the complete answer. LangChain uses only the stream. If it
 * breaks off, that promise rejects without a handler, which would end the process.
 */
function withoutStrayRejections(model: BaseChatModel): BaseChatModel {
  const client = readField(model, 'client');
  const stream = readField(client, 'generateContentStream');
  if (typeof client !== 'object' || client === null || typeof stream !== 'function') return model;
  Reflect.set(client, 'generateContentStream', async (...request: unknown[]): Promise<unknown> => {
    const result: unknown = await Reflect.apply(stream, client, request);
    void Promise.allSettled([readField(result, 'response')]);
    return result;
  });
  return model;
}
