import { SlackRefusal } from './messages.ts';

/** A team, or an organisation of several, that has the app. */
interface Installation {
  readonly token: string;
  readonly team: { readonly id: string; readonly name: string } | null;
  readonly enterprise: { readonly id: string; readonly name: string } | null;
  readonly botUserId: string;
}

/** The team of the fixtures. */
export const gardenToken = 'xoxb-the-token-of-the-bot';

const garden: Installation = {
  token: gardenToken,
  team: { id: 'T0GARDEN1', name: 'Garden' },
  enterprise: null,
  botUserId: 'U0PARLEY1',
};

/** The installation for each code with which a person comes back after they allowed the app. */
const granted: Readonly<Record<string, Installation>> = {
  'a-code-of-the-garden': garden,
  'a-good-code': {
    token: 'xoxb-of-another-team',
    team: { id: 'T0OTHERS1', name: 'Others' },
    enterprise: null,
    botUserId: 'U0PARLEY2',
  },
  'a-code-of-an-organisation': {
    token: 'xoxb-of-an-organisation',
    team: null,
    enterprise: { id: 'E0GARDENS', name: 'Gardens' },
    botUserId: 'U0PARLEY3',
  },
};

/** Returns the installation of a token; undefined if there is none. */
export function installationOf(token: string): Installation | undefined {
  return Object.values(granted).find((one) => one.token === token);
}

/** The methods that answer about tokens. */
export const installationMethods = {
  'auth.test': (_: unknown, token: string) => {
    const { team, enterprise, botUserId } = installationOf(token) ?? garden;
    return {
      url: 'https://garden.slack.com/',
      team: team?.name ?? enterprise?.name,
      user: 'parley',
      team_id: team?.id ?? enterprise?.id,
      ...(enterprise !== null && { enterprise_id: enterprise.id }),
      user_id: botUserId,
      bot_id: botUserId.replace('U', 'B'),
      is_enterprise_install: team === null,
    };
  },
  'oauth.v2.access': ({ code = '' }: Readonly<Record<string, string>>) => {
    const installed = granted[code];
    if (installed === undefined) throw new SlackRefusal('invalid_code');
    const { token, team, enterprise, botUserId } = installed;
    return {
      access_token: token,
      token_type: 'bot',
      scope: 'chat:write',
      bot_user_id: botUserId,
      app_id: 'A0PARLEY1',
      team,
      enterprise,
      is_enterprise_install: team === null,
      authed_user: { id: 'U0ANA0001' },
    };
  },
};
