import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Tenancy } from '../../core/contract/facets.ts';
import { apiOf } from './call-slack.ts';
import { demandSlack } from './demand-slack.ts';
import type { SlackAccount } from './manifest.ts';
import { scopes } from './scopes.ts';

/** An app that many teams install: each installation is an account of its own, under the one that is the app's. */
export const tenancy: Tenancy<SlackAccount['credentials'], SlackAccount['settings']> = {
  tenantOf: ({ settings }) => settings.team_id ?? null,

  oauth: {
    authoriseUrl(account, { redirectUrl, state }) {
      const url = new URL('../oauth/v2/authorize', apiOf(account));
      const { client_id } = app(account);
      url.search = new URLSearchParams({
        client_id,
        scope: scopes.join(','),
        redirect_uri: redirectUrl,
        state,
      }).toString();
      return url.href;
    },

    /** Where an organisation of several teams installs the app, its id stands for all of them. */
    async exchange({ code, redirectUrl }, account, tools) {
      const { client_id, client_secret } = app(account);
      const grant = { client_id, client_secret, code, redirect_uri: redirectUrl };
      const installed = await demandSlack(
        { method: 'oauth.v2.access', token: null, run: (client) => client.oauth.v2.access(grant) },
        account,
        tools,
      );
      const { access_token, team, enterprise, is_enterprise_install } = installed;
      const place = is_enterprise_install === true ? enterprise : team;
      if (access_token === undefined || place?.id === undefined) {
        throw new ConnectorError('Slack does not say who installed the app.', { advice: { retry: 'never' } });
      }
      const { signing_secret, app_token } = account.credentials;
      return {
        tenant: place.id,
        name: place.name ?? place.id,
        credentials: { bot_token: access_token, signing_secret, app_token },
        settings: { ...account.settings, mode: 'events', team_id: place.id },
      };
    },
  },
};

function app({ credentials: { client_id, client_secret } }: SlackAccount) {
  if (client_id !== undefined && client_secret !== undefined) return { client_id, client_secret };
  throw new ConnectorError(
    'Teams install the app with client_id and client_secret: add both to the credentials of the channel.',
    {
      advice: { retry: 'never' },
    },
  );
}
