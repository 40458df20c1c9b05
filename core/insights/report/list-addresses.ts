import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { type ModelChoice, parseModelChain } from '../../config/model-choice.ts';
import {
  findEmbeddingModel,
  findRerankModel,
  ownSettings,
  providerSettings,
} from '../../models/provider-settings.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { workspaceSettingsSchema } from '../../workspaces/workspace-settings.ts';

/** An address that data of a workspace goes to, as far as the installation knows it. */
export interface DataAddress {
  /** `host`, or `platform` for a channel or tool whose own servers are reached. */
  readonly kind: 'host' | 'platform';
  readonly address: string;
  /** Such as `language model` or `webhook`. */
  readonly purpose: string;
}

/**
 * Lists the addresses that data of a workspace goes to with today's configuration: models, stores, mail, channels, sources,
 * webhooks and skills. They are sorted, each once for each purpose.
 */
export async function listAddresses(
  database: Kysely<Tables>,
  config: Config,
  workspaceId: string,
): Promise<readonly DataAddress[]> {
  const found = [
    ...fromConfig(config),
    ...(await fromChosenModels(database, config, workspaceId)),
    ...(await fromWorkspace(database, workspaceId)),
  ];
  const keyOf = ({ purpose, kind, address }: DataAddress) => `${purpose} ${kind} ${address}`;
  const distinct = new Map(found.map((each) => [keyOf(each), each]));
  return [...distinct].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

function fromConfig(config: Config): readonly DataAddress[] {
  const chats = config.LLM_MODELS.flatMap((choice) => ofModel(config, choice, 'language model'));
  const others = [
    [config.TRANSCRIPTION_MODEL, 'transcription of recordings'],
    [config.VISION_MODEL, 'reading of pictures'],
  ] as const;
  return [
    ...chats,
    ...others.flatMap(([choice, purpose]) => (choice === undefined ? [] : ofModel(config, choice, purpose))),
    ...host(findEmbeddingModel(config)?.settings.baseUrl, 'embedding model'),
    ...host(findRerankModel(config)?.settings.baseUrl, 'order of passages'),
    ...host(config.DATABASE_URL, 'database'),
    ...host(config.REDIS_URL, 'queue'),
    ...host(config.SMTP_URL, 'mail'),
    ...host(config.RENDERER_URL, 'drawing of web pages'),
  ];
}

function ofModel(config: Config, choice: ModelChoice, purpose: string): readonly DataAddress[] {
  const hosts = host(providerSettings(config, choice)?.baseUrl, purpose);
  return hosts.length > 0 ? hosts : [{ kind: 'platform', address: choice.provider, purpose }];
}

/** The models that the workspace chose, as far as there is a key of the installation or its owner. */
async function fromChosenModels(
  database: Kysely<Tables>,
  config: Config,
  workspaceId: string,
): Promise<readonly DataAddress[]> {
  const workspace = await database
    .selectFrom('workspace')
    .select(['owner_id', 'settings'])
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  if (workspace === undefined) return [];
  const rows = await database
    .selectFrom('owner_model_key')
    .select('provider')
    .where('owner_id', '=', workspace.owner_id)
    .execute();
  const { model } = workspaceSettingsSchema.parse(workspace.settings);
  // The address of a provider does not depend on the key.
  const keys = new Map(rows.map(({ provider }) => [provider, provider]));
  const chosen = model === undefined ? [] : (parseModelChain(model) ?? []);
  return chosen.flatMap((choice) => {
    const settings = ownSettings(config, choice, keys) ?? providerSettings(config, choice);
    if (settings === null) return [];
    const hosts = host(settings.baseUrl, 'language model');
    return hosts.length > 0 ? hosts : [platform(choice.provider, 'language model')];
  });
}

async function fromWorkspace(database: Kysely<Tables>, workspaceId: string): Promise<readonly DataAddress[]> {
  const [webhooks, skills, channels, sources] = await Promise.all([
    database.selectFrom('webhook').select('url').where('workspace_id', '=', workspaceId).execute(),
    database
      .selectFrom('http_skill')
      .select('url')
      .where('workspace_id', '=', workspaceId)
      .where('enabled', '=', true)
      .execute(),
    database.selectFrom('channel').select('channel').where('workspace_id', '=', workspaceId).execute(),
    database
      .selectFrom('source')
      .select(['kind', 'settings'])
      .where('workspace_id', '=', workspaceId)
      .execute(),
  ]);
  return [
    ...webhooks.flatMap(({ url }) => host(url, 'webhook')),
    ...skills.flatMap(({ url }) => host(url, 'skill')),
    ...channels.map(({ channel }) => platform(channel, 'channel')),
    ...sources.flatMap(({ kind, settings }) => {
      const hosts = textsIn(settings).flatMap((text) => host(text, 'source'));
      return hosts.length > 0 ? hosts : [platform(kind, 'source')];
    }),
  ];
}

function platform(address: string, purpose: string): DataAddress {
  return { kind: 'platform', address, purpose };
}

function host(address: string | undefined, purpose: string): readonly DataAddress[] {
  const found = address === undefined ? undefined : URL.parse(address)?.hostname;
  return found === undefined || found === '' ? [] : [{ kind: 'host', address: found, purpose }];
}

const settingsSchema = z.record(z.string(), z.unknown());

/** The web addresses among the settings of a source. */
function textsIn(settings: unknown): readonly string[] {
  const values = Object.values(settingsSchema.safeParse(settings).data ?? {}).flat();
  return values.filter((value) => typeof value === 'string').filter((text) => /^https?:/.test(text));
}
