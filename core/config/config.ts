import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { StartError } from '../base/errors.ts';
import { findMisspelt } from './misspelt-variables.ts';
import { parseModelChoice } from './model-choice.ts';
import {
  EMBEDDERS,
  findVariables,
  PROVIDERS,
  type ProviderVariables,
  parseProviderVariable,
  RERANKERS,
  reasoningEfforts,
  TRANSCRIBERS,
} from './provider-table.ts';
import { readSecretFiles } from './secret-files.ts';
import { secretTelemetry, telemetryShape, telemetryValues } from './telemetry.ts';

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

/** Checked here, because the client decodes the URL on connect and throws an error that names no variable. */
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
  context.addIssue('invalid model');
  return z.NEVER;
});

const modelChoices = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(z.array(modelChoice))
  .default([]);

const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .optional();

const folders = z
  .string()
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
  .transform((parts) => parts.map(parseFolder))
  .refine((folders) => folders.every(({ path }) => isAbsolute(path)))
  .transform((folders) => folders.map(({ ownerId, path }) => ({ ownerId, path: resolve(path) })))
  .default([]);

/** Modules of packages, such as `@langchain/community/document_loaders/web/sitemap`, or absolute paths. */
const loaders = z
  .string()
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
  .refine((modules) => modules.every((one) => isAbsolute(one) || /^(?:@[\w.-]+\/)?[\w-][\w./-]*$/.test(one)))
  .default([]);

/** `owner_id:/path`, or a path alone, which is for the first owner. */
function parseFolder(part: string): { readonly ownerId: string | null; readonly path: string } {
  const colon = isAbsolute(part) ? -1 : part.indexOf(':');
  return colon < 1
    ? { ownerId: null, path: part }
    : { ownerId: part.slice(0, colon), path: part.slice(colon + 1) };
}

const mailUrl = z
  .url({ protocol: /^smtps?$/, hostname: /./, abort: true })
  .refine(isDecodable)
  .optional();

/** An address, alone or behind a name: `Parley <parley@acme.example>`. */
const mailSender = z
  .string()
  .regex(/^(?:[^<>@\r\n]* <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/)
  .optional();

/** Where weaknesses are reported to, as in RFC 9116. */
const securityContact = z
  .url({ protocol: /^(?:https|mailto)$/ })
  .max(500)
  .regex(/^[\x21-\x7e]+$/)
  .optional();

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const ocrEngines = ['off', 'tesseract'] as const;
const ocrLanguages = z
  .string()
  .default('eng')
  .transform((value) => value.split(/[,+]/).map((part) => part.trim()))
  .refine((parts) => parts.length <= 20 && parts.every((part) => /^[a-z]{3}(?:_[a-z]{2,10})?$/i.test(part)));
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
  LLM_REASONING_EFFORT: z.enum(reasoningEfforts).optional(),
  EMBEDDING_MODEL: modelChoice.optional(),
  RERANK_MODEL: modelChoice.optional(),
  TRANSCRIPTION_MODEL: modelChoice.optional(),
  VISION_MODEL: modelChoice.optional(),
  RERANK_TIMEOUT_MS: z.coerce.number().int().min(50).max(10_000).default(300),
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
  AZURE_OPENAI_ENDPOINT: httpUrl,
  AZURE_OPENAI_API_KEY: apiKey,
  AZURE_OPENAI_API_VERSION: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
  EMBEDDING_ENGINE: z.enum(embeddingEngines).default('auto'),
  READER: z.enum(['on', 'off']).default('on'),
  OCR: z.enum(ocrEngines).default('off'),
  OCR_LANGUAGES: ocrLanguages,
  ALLOW_PRIVATE_WEBHOOKS: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  ALLOW_PRIVATE_CHANNELS: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  ALLOW_PRIVATE_SIGN_IN: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  SOURCE_FOLDERS: folders,
  SOURCE_LOADERS: loaders,
  RENDERER_URL: httpUrl,
  SMTP_URL: mailUrl,
  MAIL_FROM: mailSender,
  SECURITY_CONTACT: securityContact,
  LOG_LEVEL: z.enum(logLevels).default('info'),
  SEARCH_MEMORY_MB: z.coerce.number().int().min(0).max(65_536).default(64),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(5),
  SHUTDOWN_SECONDS: z.coerce.number().int().min(1).max(300).default(20),
  ...telemetryShape,
});

/** The names of all environment variables that are read. */
export const configVariables: readonly string[] = Object.keys(schema.shape);

const keyFormat = 'a key of visible ASCII characters';
const providerUrl = "an http(s) URL, or leave it empty for the provider's default";

/** The valid values of each variable, as shown to operators after "Set it to". */
const expectedValues: Record<keyof typeof schema.shape, string> = {
  PORT: 'a port number from 0 to 65535',
  HOST: 'an address to listen on, such as 0.0.0.0',
  METRICS_PORT:
    'a port number from 0 to 65535 that serves /healthz, /readyz and /metrics without a token, or leave it empty for no such port',
  PUBLIC_URL: 'the public http(s) URL of this server',
  DATA_DIR: 'a folder that this process can write to',
  DATABASE_URL:
    'a postgres:// URL without an "options" parameter, or leave it empty for the embedded database',
  DATABASE_CONNECTIONS: 'a whole number from 4 to 1000',
  REDIS_URL: 'a redis:// URL, or leave it empty to keep the queue in the database',
  ADMIN_TOKEN: 'at least 16 visible ASCII characters',
  ADMIN_TOKEN_PREVIOUS:
    'the previous admin token of at least 16 visible ASCII characters while clients change to the new one, or leave it empty',
  ENCRYPTION_KEY: '32 bytes as 64 hexadecimal digits or as Base64',
  ENCRYPTION_KEY_PREVIOUS:
    'a comma-separated list of previous keys, each 32 bytes as 64 hexadecimal digits or as Base64, or leave it empty',
  TRUST_PROXY: 'a comma-separated list of addresses or networks, such as 10.0.0.0/8',
  LLM_MODELS: `a comma-separated list of provider:model, or leave it empty for answers without a language model. Providers: ${Object.keys(PROVIDERS).join(', ')}, and each server named by OPENAI_COMPATIBLE_BASE_URL_<NAME>`,
  LLM_REASONING_EFFORT: `one of ${reasoningEfforts.join(', ')}, or leave it empty`,
  EMBEDDING_MODEL: `provider:model, or leave it empty for the built-in model. Providers: ${Object.keys(EMBEDDERS).join(', ')}, and each server named by OPENAI_COMPATIBLE_BASE_URL_<NAME>`,
  RERANK_MODEL: `provider:model, or leave it empty for no reranking. Providers: ${Object.keys(RERANKERS).join(', ')}, and each server named by OPENAI_COMPATIBLE_BASE_URL_<NAME>`,
  TRANSCRIPTION_MODEL: `provider:model, or leave it empty so that recordings are not heard. Providers: ${Object.keys(TRANSCRIBERS).join(', ')}, and each server named by OPENAI_COMPATIBLE_BASE_URL_<NAME>`,
  VISION_MODEL: `provider:model, or leave it empty so that pictures are not seen. Providers: ${Object.keys(PROVIDERS).join(', ')}, and each server named by OPENAI_COMPATIBLE_BASE_URL_<NAME>`,
  RERANK_TIMEOUT_MS: 'a whole number of milliseconds from 50 to 10000',
  OPENAI_API_KEY: keyFormat,
  OPENAI_BASE_URL: providerUrl,
  ANTHROPIC_API_KEY: keyFormat,
  ANTHROPIC_BASE_URL: providerUrl,
  GOOGLE_API_KEY: keyFormat,
  GOOGLE_BASE_URL: providerUrl,
  MISTRAL_API_KEY: keyFormat,
  MISTRAL_BASE_URL: providerUrl,
  OLLAMA_BASE_URL: 'the http(s) URL of an Ollama server, or leave it empty for one on this machine',
  OPENAI_COMPATIBLE_API_KEY: `${keyFormat}, or leave it empty if the server needs none`,
  OPENAI_COMPATIBLE_BASE_URL: 'the http(s) URL of a server with an OpenAI-compatible API',
  AZURE_OPENAI_ENDPOINT: 'the http(s) URL of an Azure OpenAI resource',
  AZURE_OPENAI_API_KEY: keyFormat,
  AZURE_OPENAI_API_VERSION: "a version such as 2024-10-21, or leave it empty for Azure's v1 address",
  EMBEDDING_ENGINE: `one of ${embeddingEngines.join(', ')}`,
  READER: 'on to read the best passages before an answer is quoted from them, or to off',
  OCR: `one of ${ocrEngines.join(', ')}; tesseract reads pictures and scanned PDFs with the programs tesseract and pdftoppm`,
  OCR_LANGUAGES: 'a comma-separated list of languages that tesseract has, such as eng,deu',
  ALLOW_PRIVATE_WEBHOOKS:
    'true to let webhooks and skills call private networks and this machine, or to false',
  ALLOW_PRIVATE_CHANNELS:
    'true to let the api_base_url of a channel point to private networks and this machine, or to false',
  ALLOW_PRIVATE_SIGN_IN:
    'true to let the identity provider of an owner be in private networks and on this machine, also without https, or to false',
  SOURCE_FOLDERS:
    'a comma-separated list of owner_id:/absolute/path, whose files the workspaces of that owner may read as sources, or leave it empty for none; a path alone is for the first owner',
  SOURCE_LOADERS:
    'a comma-separated list of modules with document loaders that sources may run, such as @langchain/community/document_loaders/web/sitemap, or leave it empty for none',
  RENDERER_URL:
    'the http(s) URL of a service that draws web pages in a browser, such as http://browserless:3000/content, or leave it empty for none',
  SMTP_URL:
    'an smtp:// or smtps:// URL with the user and password of the mail server, or leave it empty to send no mail',
  MAIL_FROM: 'the sender of invitations, such as Parley <parley@acme.example>',
  SECURITY_CONTACT:
    'a mailto: or https: address for reports of weaknesses, or leave it empty to serve no /.well-known/security.txt',
  LOG_LEVEL: `one of ${logLevels.join(', ')}`,
  SEARCH_MEMORY_MB: 'a whole number of megabytes from 0 to 65536',
  DRAIN_SECONDS: 'a whole number of seconds from 0 to 300',
  SHUTDOWN_SECONDS: 'a whole number of seconds from 1 to 300',
  ...telemetryValues,
};

const isSecret = (name: string) =>
  /_API_KEY(?:_|$)/.test(name) ||
  /^(ADMIN_TOKEN|ENCRYPTION_KEY)/.test(name) ||
  ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'RENDERER_URL', ...secretTelemetry].includes(name);

const isKnown = (name: string) => name in schema.shape || parseProviderVariable(name) !== null;
const correctNames = configVariables.flatMap((name) => (isSecret(name) ? [name, `${name}_FILE`] : [name]));

export type Config = z.output<typeof schema> & {
  /** The names of the variables whose values were read from files. */
  readonly FROM_FILES: readonly string[];
  /** The variables of all providers, by name with underscores. */
  readonly PROVIDERS: Readonly<Record<string, ProviderVariables>>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the whole configuration from the environment, once. Empty variables count as absent. Throws a
 * StartError with one line for each invalid variable: its value (except secrets) and the valid values.
 */
export function readConfig(given: Environment): Config {
  const files = readSecretFiles(given, (name) => isSecret(name) && isKnown(name));
  const { environment } = files;
  const values = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, environment[name]?.trim() || undefined]),
  );
  const parsed = schema.safeParse(values);
  const invalidNames = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  const faults = [...files.faults, ...findMisspelt(environment, { known: correctNames, isKnown })];
  faults.push(...[...invalidNames].map((name) => describeFault(name, values[name] ?? '')));
  const providers = readProviders(environment, faults);
  if (values.SMTP_URL !== undefined && !invalidNames.has('SMTP_URL') && values.MAIL_FROM === undefined) {
    faults.push(`MAIL_FROM is not set, but SMTP_URL is. Set it to ${expectedValues.MAIL_FROM}.`);
  }
  // Otherwise the host of a request would decide where a mailed link leads.
  if (values.SMTP_URL !== undefined && !invalidNames.has('SMTP_URL') && values.PUBLIC_URL === undefined) {
    faults.push(
      `PUBLIC_URL is not set, but SMTP_URL is: mailed links need an address. Set it to ${expectedValues.PUBLIC_URL}.`,
    );
  }
  const missing = new Map<string, string>();
  for (const name of modelVariables) {
    if (invalidNames.has(name)) continue;
    for (const [fault, line] of findModelFaults(name, { values, providers })) missing.set(fault, line);
  }
  faults.push(...missing.values());
  if (parsed.success && faults.length === 0)
    return { ...parsed.data, PROVIDERS: providers, FROM_FILES: files.fromFiles };
  throw new StartError(faults.join('\n'));
}

function describeFault(name: string, value: string, fallback = 'a valid value'): string {
  const invalid = isSecret(name) ? 'an invalid value' : `the invalid value ${JSON.stringify(value)}`;
  const expected = Object.entries(expectedValues).find(([variable]) => variable === name)?.[1] ?? fallback;
  return `${name} has ${invalid}. Set it to ${expected}.`;
}

/** Reads the variables of all providers, and adds a line to `faults` for each invalid one that is not in the schema. */
function readProviders(environment: Environment, faults: string[]): Config['PROVIDERS'] {
  const providers: Record<string, ProviderVariables> = {};
  for (const [name, value = ''] of Object.entries(environment)) {
    const variable = value.trim() === '' ? null : parseProviderVariable(name);
    if (variable === null) continue;
    const { key, field, isServer } = variable;
    const { success, data } = (field === 'apiKey' ? apiKey : httpUrl).safeParse(value.trim());
    if (success) providers[key] = { ...providers[key], [field]: data, ...(isServer && { isServer }) };
    else if (!(name in schema.shape)) {
      faults.push(describeFault(name, value, field === 'apiKey' ? keyFormat : providerUrl));
    }
  }
  return providers;
}

interface Variables {
  readonly values: Environment;
  readonly providers: Config['PROVIDERS'];
}

const modelVariables = [
  'LLM_MODELS',
  'EMBEDDING_MODEL',
  'RERANK_MODEL',
  'TRANSCRIPTION_MODEL',
  'VISION_MODEL',
] as const;

const providersOf = {
  LLM_MODELS: PROVIDERS,
  EMBEDDING_MODEL: EMBEDDERS,
  RERANK_MODEL: RERANKERS,
  TRANSCRIPTION_MODEL: TRANSCRIBERS,
  VISION_MODEL: PROVIDERS,
} as const;

/** Returns a line for each provider that does not exist, and for each variable that is missing, by its name. */
function findModelFaults(
  name: (typeof modelVariables)[number],
  { values, providers }: Variables,
): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const part of (values[name] ?? '').split(',')) {
    const provider = parseModelChoice(part)?.provider;
    if (provider === undefined) continue;
    const known = providersOf[name][provider];
    const given = findVariables(providers, provider);
    if (given?.isServer === true && (given.baseUrl ?? known?.baseUrl) !== undefined) continue;
    if (known === undefined) lines.set(name, describeFault(name, values[name] ?? ''));
    for (const variable of known?.required ?? []) {
      if (isSet(variable, { values, providers })) continue;
      lines.set(
        variable,
        `${variable} is not set, but ${name} uses the provider ${provider}, which needs it. Set ${variable}, or remove the provider from ${name}.`,
      );
    }
  }
  return lines;
}

/** An invalid value counts as set: it has a line of its own. */
function isSet(variable: string, { values, providers }: Variables): boolean {
  if (variable in schema.shape) return values[variable] !== undefined;
  const parsed = parseProviderVariable(variable);
  return parsed !== null && findVariables(providers, parsed.key)?.[parsed.field] !== undefined;
}
