import type { Json, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { expectPlatform } from '../shared/expect-platform.ts';
import { demandSlack } from './demand-slack.ts';
import { intakeOf } from './intake-of.ts';
import type { SlackAccount } from './manifest.ts';

/** Who we are in the team. Of an app that teams install by OAuth there is nothing to ask before one did. */
export async function probe(account: SlackAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  requireIntake(account);
  if (account.credentials.bot_token === undefined) return {};
  const who = await expectPlatform('Slack', account, () =>
    demandSlack({ method: 'auth.test', run: (client) => client.auth.test() }, account, tools),
  );
  return {
    team_id: who.team_id ?? null,
    team: who.team ?? null,
    enterprise_id: who.enterprise_id ?? null,
    is_enterprise_install: who.is_enterprise_install ?? false,
    user_id: who.user_id ?? null,
    name: who.user ?? null,
    bot_id: who.bot_id ?? null,
  };
}

function requireIntake(account: SlackAccount): void {
  const { signing_secret, app_token } = account.credentials;
  const missing =
    intakeOf(account) === 'webhook' ? [signing_secret, 'signing_secret'] : [app_token, 'app_token'];
  if (missing[0] !== undefined) return;
  throw new ConnectorError(`What Slack sends in this mode needs the credential ${missing[1]}.`, {
    advice: { retry: 'never' },
  });
}
