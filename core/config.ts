import { resolve } from 'node:path';
import { z } from 'zod';
import { parseModelChoice, providerNames, REQUIRED_VARIABLE } from './answering/models/model-choice.ts';
import { StartError } from './errors.ts';

const port = z.coerce.number().int().min(0).max(65535);

const httpUrl = z
  .url({ protocol: /^https?$/ })
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''))
  .optional();

const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, abort: true })
  .refine((value) => !new URL(value).searchParams.has('options'))
  .refine(isDecodable)
  .optional();

const redisUrl = z
  .url({ protocol: /^rediss?$/, hostname: /./, abort: true })
  .refine(isDecodable)
  .optional();

/** The client decodes an address when it connects, and throws what names no variable. */
function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

const trustProxy = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
  .refine((parts) => parts.every((part) => /^[0-9a-fA-F:.]+(\/\d{1,3})?$/.test(part)));

const adminToken = z
  .string()
  .regex(/^[\x21-\x7e]{16,}$/)
  .optional();

/** 32 bytes, as 64 hexadecimal digits or 44 characters of Base64. */
const encryptionKey = z
  .string()
  .regex(/^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/)
  .transform((value) => Buffer.from(value, value.length === 64 ? 'hex' : 'base64'));

const encryptionKeys = z
  .string()
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
  .pipe(z.array(encryptionKey))
  .default([]);

const modelChoice = z.string().transform((value, context) => {
  const choice = parseModelChoice(value);
  if (choice !== null) return choice;
  context.addIssue('not a model');
  return z.NEVER;
});

const modelChoices = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(z.array(modelChoice))
  .default([]);

/** The provider `openai` with OPENAI_BASE_URL takes any server that speaks its dialect. */
const embeddingProviders = ['openai', 'openai-compatible'];
const embeddingModel = modelChoice.refine(({ provider }) => embeddingProviders.includes(provider)).optional();

const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .optional();

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const embeddingEngines = ['auto', 'onnx', 'wasm'] as const;

const schema = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  PUBLIC_URL: httpUrl,
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((folder) => resolve(folder)),
  DATABASE_URL: postgresUrl,
  DATABASE_CONNECTIONS: z.coerce.number().int().min(4).max(1_000).optional(),
  REDIS_URL: redisUrl,
  ADMIN_TOKEN: adminToken,
  ADMIN_TOKEN_PREVIOUS: adminToken,
  ENCRYPTION_KEY: encryptionKey.optional(),
  ENCRYPTION_KEY_PREVIOUS: encryptionKeys,
  TRUST_PROXY: trustProxy,
  LLM_MODELS: modelChoices,
  EMBEDDING_MODEL: embeddingModel,
  OPENAI_API_KEY: apiKey,
  OPENAI_BASE_URL: httpUrl,
  ANTHROPIC_API_KEY: apiKey,
  ANTHROPIC_BASE_URL: httpUrl,
  GOOGLE_API_KEY: apiKey,
  GOOGLE_BASE_URL: httpUrl,
  MISTRAL_API_KEY: apiKey,
  MISTRAL_BASE_URL: httpUrl,
  OLLAMA_BASE_URL: httpUrl,
  OPENAI_COMPATIBLE_API_KEY: apiKey,
  OPENAI_COMPATIBLE_BASE_URL: httpUrl,
  EMBEDDING_ENGINE: z.enum(embeddingEngines).default('auto'),
  ALLOW_PRIVATE_WEBHOOKS: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  ALLOW_PRIVATE_CHANNELS: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  LOG_LEVEL: z.enum(logLevels).default('info'),
  SEARCH_MEMORY_MB: z.coerce.number().int().min(0).max(65_536).default(64),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(5),
  SHUTDOWN_SECONDS: z.coerce.number().int().min(1).max(300).default(20),
});

/** The names of all environment variables that are read. */
export const configVariables: readonly string[] = Object.keys(schema.shape);

const visibleKey = 'a key of visible ASCII characters';
const providerAddress = 'the http(s) address of the provider, or nothing for its own';

/** What each variable takes, in the words an operator gets when its value is wrong. */
const acceptsProvider: Record<keyof typeof schema.shape, string> = {
  PORT: 'a port number from 0 to 65535',
  HOST: 'an address to listen on, such as 0.0.0.0',
  METRICS_PORT:
    'a port number from 0 to 65535, for /healthz, /readyz and /metrics without a token, or nothing for none',
  PUBLIC_URL: 'the http(s) address at which the world reaches this server',
  DATA_DIR: 'a folder that this process may write to',
  DATABASE_URL: 'a postgres:// address without an "options" parameter, or nothing for the embedded database',
  DATABASE_CONNECTIONS: 'a whole number from 4 to 1000',
  REDIS_URL: 'a redis:// address, or nothing for a queue in the database',
  ADMIN_TOKEN: 'at least 16 visible ASCII characters',
  ADMIN_TOKEN_PREVIOUS:
    "the operator's former token, of at least 16 visible ASCII characters, while callers change to the new one, or nothing",
  ENCRYPTION_KEY: '32 bytes as 64 hexadecimal digits or as Base64',
  ENCRYPTION_KEY_PREVIOUS:
    'comma-separated former keys, each 32 bytes as 64 hexadecimal digits or as Base64, or nothing',
  TRUST_PROXY: 'comma-separated addresses or networks, such as 10.0.0.0/8',
  LLM_MODELS: `comma-separated provider:model with a provider of ${providerNames.join(', ')}, or nothing for answers without a model`,
  EMBEDDING_MODEL: `provider:model with a provider of ${embeddingProviders.join(', ')}, or nothing for the built-in model`,
  OPENAI_API_KEY: visibleKey,
  OPENAI_BASE_URL: providerAddress,
  ANTHROPIC_API_KEY: visibleKey,
  ANTHROPIC_BASE_URL: providerAddress,
  GOOGLE_API_KEY: visibleKey,
  GOOGLE_BASE_URL: providerAddress,
  MISTRAL_API_KEY: visibleKey,
  MISTRAL_BASE_URL: providerAddress,
  OLLAMA_BASE_URL: 'the http(s) address of an Ollama server, or nothing for this machine',
  OPENAI_COMPATIBLE_API_KEY: `${visibleKey}, or nothing where the server takes none`,
  OPENAI_COMPATIBLE_BASE_URL: "the http(s) address of a server that speaks OpenAI's dialect",
  EMBEDDING_ENGINE: embeddingEngines.join(', '),
  ALLOW_PRIVATE_WEBHOOKS:
    'true, where webhooks and skills may also call private networks and this machine, or false',
  ALLOW_PRIVATE_CHANNELS:
    'true, where the api_base_url of a channel may be in private networks and on this machine, or false',
  LOG_LEVEL: logLevels.join(', '),
  SEARCH_MEMORY_MB: 'a whole number of megabytes from 0 to 65536',
  DRAIN_SECONDS: 'a whole number of seconds from 0 to 300',
  SHUTDOWN_SECONDS: 'a whole number of seconds from 1 to 300',
};

const isSecret = (name: string) =>
  /_API_KEY$/.test(name) ||
  /^(ADMIN_TOKEN|ENCRYPTION_KEY)/.test(name) ||
  ['DATABASE_URL', 'REDIS_URL'].includes(name);

export type Config = z.output<typeof schema>;

/**
 * Reads the whole configuration from the environment, once.
 * An empty variable counts as absent. Throws a StartError that names every faulty variable, a line each:
 * what it holds (secrets excepted) and what it takes.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, environment[name]?.trim() || undefined]),
  );
  const parsed = schema.safeParse(given);
  const faulty = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  const faults = [...faulty].map((name) => describeFault(name, given[name] ?? ''));
  faults.push(...missingVariables(given));
  if (parsed.success && faults.length === 0) return parsed.data;
  throw new StartError(faults.join('\n'));
}

function describeFault(name: string, value: string): string {
  const held = isSecret(name) ? 'something else' : JSON.stringify(value);
  const wanted =
    Object.entries(acceptsProvider).find(([variable]) => variable === name)?.[1] ?? 'something else';
  return `${name} holds ${held}; it takes ${wanted}.`;
}

/** A provider that is named has to be reachable: one line for each variable that is absent. */
function missingVariables(given: Readonly<Record<string, string | undefined>>): string[] {
  const lines = new Map<string, string>();
  for (const name of ['LLM_MODELS', 'EMBEDDING_MODEL']) {
    for (const part of (given[name] ?? '').split(',')) {
      const choice = parseModelChoice(part);
      const required = choice && REQUIRED_VARIABLE[choice.provider];
      if (!required || given[required] !== undefined) continue;
      lines.set(
        required,
        `${required} is absent; ${name} names the provider ${choice.provider}, which needs it.`,
      );
    }
  }
  return [...lines.values()];
}
