import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../base/log.ts';
import {
  type KnownItem,
  type ListedPage,
  type ReadResult,
  SourceError,
  type SourceKind,
  type SourceReader,
  type SourceTools,
} from '../source-reader.ts';
import { withoutSecrets } from '../source-tools.ts';
import { type LoadedText, type LoaderLimits, runLoader } from './run-loader.ts';

const jsonText = (schema: z.ZodType, message: string) =>
  z
    .string()
    .max(20_000)
    .refine((text) => schema.safeParse(parseJson(text)).success, message);

const settingsSchema = z.object({
  module: z.string().min(1).max(500).meta({
    description: 'The module of the loader: one of those that the operator lists in SOURCE_LOADERS.',
  }),
  loader: z
    .string()
    .regex(/^\w{1,100}$/, 'Give the name of the class.')
    .optional()
    .meta({
      description:
        'The name of its class, such as `SitemapLoader`. Empty: the first that the module exports.',
    }),
  arguments: jsonText(z.array(z.unknown()), 'Give a JSON array.').default('[]').meta({
    description:
      'The arguments of the class as a JSON array, such as `["https://acme.example/sitemap.xml"]`.',
  }),
});

const credentialsSchema = z.object({
  secret_options: jsonText(z.record(z.string(), z.unknown()), 'Give a JSON object.').optional().meta({
    description: 'A JSON object with secrets, which is added to the last argument: `{"accessToken": "…"}`.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

const LIMITS: LoaderLimits = { timeoutMs: 150_000, memoryMb: 512, documents: 5_000, characters: 50_000_000 };

/**
 * Documents of a loader of LangChain, or of any class with `load(): Promise<{ pageContent, metadata }[]>`. A loader is code of
 * others, so only operators allow modules. It reads everything at each run.
 */
export function loaderKind(
  modules: readonly string[],
  limits: Partial<LoaderLimits> = {},
): SourceKind<Settings, Credentials> {
  return {
    kind: 'loader',
    settings: settingsSchema,
    credentials: credentialsSchema,
    unavailable: whyUnavailable(modules),
    open: (values, tools) => new LoaderReader(values, { tools, modules, limits: { ...LIMITS, ...limits } }),
  };
}

function whyUnavailable(modules: readonly string[]): string | undefined {
  if (modules.length === 0) {
    return 'Loaders run code of others. An operator can list modules in SOURCE_LOADERS and restart the server.';
  }
  return missingLoaders(modules)[0]?.advice;
}

/** Returns the modules that are allowed and not installed, and how to install each. */
export function missingLoaders(modules: readonly string[]) {
  return modules
    .filter((module) => findModule(module) === null)
    .map((module) => ({
      module,
      advice: isAbsolute(module)
        ? `The module ${module} of SOURCE_LOADERS cannot be found. Correct its path.`
        : `The package of ${module} is not installed. Run: npm install ${packageOf(module)}`,
    }));
}

/** Tells operators at the start which modules are missing. Returns all of them. */
export function warnOfMissing(modules: readonly string[], log: Pick<Logger, 'warn'>): readonly string[] {
  for (const missing of missingLoaders(modules)) log.warn(missing, 'document loader missing');
  return modules;
}

function packageOf(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}

function findModule(module: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(module);
  } catch {
    return null;
  }
}

interface LoaderParts {
  readonly tools: SourceTools;
  readonly modules: readonly string[];
  readonly limits: LoaderLimits;
}

interface Loaded {
  readonly key: string;
  readonly text: string;
  readonly title: string | null;
  readonly url: string | null;
}

class LoaderReader implements SourceReader {
  readonly isComplete = true;
  readonly holdsListed = true;
  readonly #values: { readonly settings: Settings; readonly credentials: Credentials };
  readonly #parts: LoaderParts;
  #loading: Promise<ReadonlyMap<string, Loaded>> | undefined;

  constructor(
    values: { readonly settings: Settings; readonly credentials: Credentials },
    parts: LoaderParts,
  ) {
    this.#values = values;
    this.#parts = parts;
  }

  async list(): Promise<ListedPage> {
    const items = [...(await this.#load()).values()].map(({ key, text, title, url }) => ({
      key,
      version: createHash('sha256').update(text).digest('base64url'),
      ...(title !== null && { title }),
      ...(url !== null && { url }),
    }));
    return { items, next: null };
  }

  async read({ key }: KnownItem): Promise<ReadResult> {
    const found = (await this.#load()).get(key);
    if (found === undefined) return { kind: 'gone' };
    const { text, title, url } = found;
    if (text.trim() === '') return { kind: 'skipped', code: 'empty', reason: 'The document has no text.' };
    return {
      ...{ kind: 'content', bytes: Buffer.from(text), contentType: 'text/markdown' },
      ...(title !== null && { title }),
      ...(url !== null && { url }),
    };
  }

  #load(): Promise<ReadonlyMap<string, Loaded>> {
    this.#loading ??= this.#run();
    return this.#loading;
  }

  async #run(): Promise<ReadonlyMap<string, Loaded>> {
    const { tools, modules, limits } = this.#parts;
    const { module, loader = null, arguments: given } = this.#values.settings;
    const path = modules.includes(module) ? findModule(module) : null;
    if (path === null) throw notAllowed(module);
    const options = withSecrets(z.array(z.unknown()).parse(parseJson(given)), this.#values.credentials);
    try {
      return byKey(await runLoader({ path, name: loader ?? null, options }, tools, limits));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      // The secrets are inside a text, where others do not look for them.
      const secrets = parseJson(this.#values.credentials.secret_options ?? '');
      throw new SourceError(error.code, withoutSecrets(error.message, secrets), { cause: error });
    }
  }
}

function notAllowed(module: string): SourceError {
  const reason = `The operator of this installation does not allow the module ${module}, or it is not installed.`;
  return new SourceError('loader_not_allowed', reason);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Loaders take secrets among the fields of their last argument. */
function withSecrets(given: readonly unknown[], { secret_options: text }: Credentials): readonly unknown[] {
  const secrets = fieldsSchema.safeParse(parseJson(text ?? ''));
  if (!secrets.success) return given;
  const last = fieldsSchema.safeParse(given.at(-1));
  return last.success ? [...given.slice(0, -1), { ...last.data, ...secrets.data }] : [...given, secrets.data];
}

const fieldsSchema = z.record(z.string(), z.unknown());
const text = z.string().min(1).optional().catch(undefined);
const metadataSchema = z
  .looseObject({ id: text, source: text, url: text, title: text, loc: z.unknown() })
  .partial();

/** Loaders give long items in parts with the same source: the parts are joined. */
function byKey(documents: readonly LoadedText[]): ReadonlyMap<string, Loaded> {
  const found = new Map<string, Loaded>();
  for (const [index, { text: body, metadata }] of documents.entries()) {
    const parsed = metadataSchema.safeParse(parseJson(metadata));
    const { id, source, url, title } = parsed.success ? parsed.data : {};
    const key = id ?? source ?? url ?? `document ${index + 1}`;
    const before = found.get(key);
    found.set(key, {
      key,
      text: before === undefined ? body : `${before.text}\n\n${body}`,
      title: before?.title ?? title ?? null,
      url: before?.url ?? [url, source].find(isWebAddress) ?? null,
    });
  }
  return found;
}

function isWebAddress(address: string | undefined): boolean {
  return ['http:', 'https:'].includes(URL.parse(address ?? '')?.protocol ?? '');
}
