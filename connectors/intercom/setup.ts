import { z } from 'zod';
import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Tenancy } from '../../core/contract/facets.ts';
import { expectPlatform, optionalField, parseJson, platformError, unreachableError } from '../shared/http.ts';
import { type CallTools, callIntercom } from './api-client.ts';
import { topicNames } from './deliveries.ts';
import { type IntercomAccount, resolveHosts } from './manifest.ts';

/** Returns the notifications to subscribe to. */
export function guideValues(): Readonly<Record<string, string>> {
  return { topics: topicNames.join('\n') };
}

const id = z.union([z.string().min(1), z.int().transform(String)]);
const adminSchema = z.object({ id, name: optionalField(z.string()) });
const meSchema = adminSchema.extend({
  app: z.object({
    id_code: z.string().min(1),
    name: optionalField(z.string()),
    region: optionalField(z.string()),
    identity_verification: optionalField(z.boolean()),
  }),
});

/** Returns the workspace and the bot's teammate. Throws Intercom's error if the workspace has no such teammate. */
export function probe(account: IntercomAccount, tools: CallTools): Promise<Readonly<Record<string, Json>>> {
  return expectPlatform('Intercom', account, () => profileOf(account, tools));
}

async function profileOf(
  account: IntercomAccount,
  tools: CallTools,
): Promise<Readonly<Record<string, Json>>> {
  const me = parseResponse(meSchema, await identify(account, tools));
  requireRegion(me.app.region, account);
  const { admin_id } = account.settings;
  const admin = admin_id === undefined || admin_id === me.id ? me : await findAdmin(admin_id, account, tools);
  return {
    admin_id: admin.id,
    admin_name: admin.name,
    app_id: me.app.id_code,
    app_name: me.app.name,
    region: me.app.region,
    identity_verification: me.app.identity_verification ?? false,
  };
}

async function identify(account: IntercomAccount, tools: CallTools): Promise<unknown> {
  try {
    return await callIntercom((client) => client.admins.identify(), account, tools);
  } catch (error) {
    const { region, api_base_url } = account.settings;
    if (!(error instanceof ConnectorError) || !error.account || api_base_url !== undefined) throw error;
    const hint = `A token is valid only in the region of its workspace. Check \`region\`, which is ${region}.`;
    throw new ConnectorError(`${error.message} (${hint})`, { advice: error.advice, account: true });
  }
}

/** Throws if the workspace is hosted in another region, where neither notifications nor replies work. */
function requireRegion(hostRegion: string | null, { settings }: IntercomAccount): void {
  const { region, api_base_url } = settings;
  const expected = hostRegion?.toLowerCase() ?? region;
  if (api_base_url !== undefined || expected === region) return;
  throw new ConnectorError(`The workspace is hosted in ${hostRegion}. Set \`region\` to ${expected}.`, {
    advice: { retry: 'never' },
  });
}

async function findAdmin(admin: string, account: IntercomAccount, tools: CallTools) {
  const request = { admin_id: Number(admin) };
  const response = await callIntercom((client) => client.admins.find(request), account, tools);
  return parseResponse(adminSchema, response);
}

function parseResponse<Schema extends z.ZodType>(schema: Schema, response: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(response);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("Intercom's response cannot be parsed.", {
    advice: { retry: 'backoff' },
    foreign: true,
  });
}

const profileSchema = z.object({ app_id: z.string().min(1) });
const tokenSchema = z.object({ access_token: z.string().min(1) });
const workspaceSchema = z.object({
  app_id: z.string(),
  app_name: z.string().nullable(),
  admin_id: z.string(),
  region: z
    .string()
    .transform((name) => name.toLowerCase())
    .pipe(z.enum(['us', 'eu', 'au']))
    .catch('us'),
});

/** An app receives the notifications of all its workspaces at one address. Each workspace is an account of its own. */
export const createTenancy = (account: IntercomAccount): Tenancy => ({
  tenant: account.settings.app_id ?? profileSchema.safeParse(account.profile).data?.app_id ?? null,

  oauth: {
    authoriseUrl({ redirectUrl, state }) {
      const { credentials, settings } = account;
      const url = new URL('/oauth', resolveHosts(settings).app);
      url.search = `${new URLSearchParams({ client_id: requireClientId(credentials), state, redirect_uri: redirectUrl })}`;
      return url.href;
    },

    async exchange({ code }, tools) {
      const { access_token } = await exchangeCode(code, account, tools);
      const { admin_id: _owner, app_id: _app, ...common } = account.settings;
      const credentials = { ...account.credentials, access_token };
      const profile = await probe({ ...account, credentials, settings: common }, tools);
      const { app_id, app_name, admin_id, region } = workspaceSchema.parse(profile);
      return {
        tenant: app_id,
        name: app_name ?? app_id,
        credentials,
        settings: { ...common, admin_id, app_id, region },
      };
    },
  },
});

async function exchangeCode(code: string, { credentials, settings }: IntercomAccount, tools: Tools) {
  const { client_secret } = credentials;
  const body = { code, client_id: requireClientId(credentials), client_secret };
  const response = await post(`${resolveHosts(settings).api}/auth/eagle/token`, body, tools).catch(
    (error: unknown) => {
      throw unreachableError('Intercom', error, [client_secret, code]);
    },
  );
  const parsed = tokenSchema.safeParse(parseJson(response.body));
  if (response.status === 200 && parsed.success) return parsed.data;
  throw platformError(`Intercom returned no token: status ${response.status}.`, response, tools.now());
}

async function post(url: string, body: object, { fetch, signal }: Tools) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal,
  });
  const { status, headers } = response;
  return { status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}

function requireClientId({ client_id }: IntercomAccount['credentials']): string {
  if (client_id !== undefined) return client_id;
  throw new ConnectorError(
    'Installation by OAuth requires client_id. Add it to the credentials of the channel.',
    {
      advice: { retry: 'never' },
    },
  );
}
