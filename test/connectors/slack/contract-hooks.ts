import { messageContents, parsePart } from '../../../connectors/slack/render.ts';
import type { RawRequest } from '../../../core/contract/webhook.ts';
import { slackAccount } from '../../helpers/platforms/slack/account.ts';
import { faultOfBlocks, faultOfText } from '../../helpers/platforms/slack/faults.ts';
import { slackFixture } from '../../helpers/platforms/slack/fixture.ts';
import { signSlack } from '../../helpers/platforms/slack/sign-request.ts';
import type { ContractHooks } from '../contract/contract-hooks.ts';

const secret = slackAccount().credentials.signing_secret ?? '';
const minute = 60_000;

function posted(body: string, headers: Readonly<Record<string, string>>): RawRequest {
  return {
    method: 'POST',
    path: '/webhooks/chan_slack',
    headers: { 'content-type': 'application/json', ...headers },
    query: {},
    body: Buffer.from(body),
  };
}

function later(ms: number): Date {
  return new Date(Date.now() + ms);
}

export const hooks: ContractHooks = {
  account: slackAccount({
    credentials: {
      ...slackAccount().credentials,
      client_id: '1.2',
      client_secret: 'of-the-client-of-the-app',
    },
  }),
  webhook: {
    signed: (body) => posted(body, signSlack(body, secret, new Date())),
    forged: (body) => {
      const good = signSlack(body, secret, new Date());
      return [
        posted(body, {}),
        posted(body, { ...good, 'x-slack-signature': '' }),
        posted(body, { ...good, 'x-slack-signature': 'v0=' }),
        posted(body, { ...good, 'x-slack-signature': good['x-slack-signature']?.replace('v0', 'v1') ?? '' }),
        posted(body, { ...good, 'x-slack-request-timestamp': 'now' }),
        posted(`${body} `, good),
        posted(body, signSlack(body, `${secret}x`, new Date())),
        posted(body, signSlack(body, '', new Date())),
        posted(body, signSlack(body, secret, later(-6 * minute))),
        posted(body, signSlack(body, secret, later(6 * minute))),
      ];
    },
  },
  question: slackFixture('mention'),
  own: slackFixture('own-answer'),
  unknown: slackFixture('pin'),
  conversation: {
    lane: 'T0GARDEN1/C0HELP001/1790000001.000101',
    address: {
      tenant: 'T0GARDEN1',
      team: 'T0GARDEN1',
      channel: 'C0HELP001',
      thread: '1790000001.000101',
      user: 'U0ANA0001',
      userTeam: 'T0GARDEN1',
    },
  },
  faultOf(part) {
    for (const { text, blocks } of messageContents(parsePart(part))) {
      if (text.trim() === '') return 'nothing to read';
      if (text.length > 40_000) return 'longer than Slack takes';
      const words = faultOfText(`${text}\n${parsePart(part).markdown}`);
      const fault = words ?? (blocks === undefined ? null : faultOfBlocks(blocks));
      if (fault !== null) return fault;
    }
    return null;
  },
  limited: {
    respond: () =>
      Response.json({ ok: false, error: 'ratelimited' }, { status: 429, headers: { 'retry-after': '7' } }),
    afterMs: 7_000,
  },
  unauthorised: () => Response.json({ ok: false, error: 'invalid_auth' }),
};
