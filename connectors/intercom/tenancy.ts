import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Tenancy } from '../../core/contract/facets.ts';
import { platformError } from '../shared/platform-error.ts';
import { readJson } from '../shared/read-json.ts';
import { unreachableError } from '../shared/unreachable-error.ts';
import { hostsOf } from './hosts.ts';
import type { IntercomAccount } from './manifest.ts';
import { probe } from './probe.ts';

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

/** An app is told what happens in all workspaces that let it in, at one address: each has an account of its own here. */
export const tenancy: Tenancy<IntercomAccount['credentials'], IntercomAccount['settings']> = {
  tenantOf: ({ settings, profile }) =>
    settings.app_id ?? profileSchema.safeParse(profile).data?.app_id ?? null,

  oauth: {
    authoriseUrl({ credentials, settings }, { redirectUrl, state }) {
      const url = new URL('/oauth', hostsOf(settings).app);
      url.search = `${new URLSearchParams({ client_id: clientOf(credentials), state, redirect_uri: redirectUrl })}`;
      return url.href;
    },

    async exchange({ code }, account, tools) {
      const { access_token } = await tradeIn(code, account, tools);
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
};

async function tradeIn(code: string, { credentials, settings }: IntercomAccount, tools: Tools) {
  const { client_secret } = credentials;
  const body = { code, client_id: clientOf(credentials), client_secret };
  const response = await post(`${hostsOf(settings).api}/auth/eagle/token`, body, tools).catch(
    (error: unknown) => {
      throw unreachableError('Intercom', error, [client_secret, code]);
    },
  );
  const read = tokenSchema.safeParse(readJson(response.body));
  if (response.status === 200 && read.success) return read.data;
  throw platformError(`Intercom gave no token: status ${response.status}.`, response, tools.now());
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

function clientOf({ client_id }: IntercomAccount['credentials']): string {
  if (client_id !== undefined) return client_id;
  throw new ConnectorError('Workspaces can let the app in only where credentials.client_id is set.', {
    advice: { retry: 'never' },
  });
}
