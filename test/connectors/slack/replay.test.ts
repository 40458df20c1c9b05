import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { normalise } from '../../../connectors/slack/normalise.ts';
import { createWebhook } from '../../../connectors/slack/webhook.ts';
import type { Json } from '../../../core/contract/account.ts';
import { peersFile } from '../../helpers/platforms/peers-file.ts';
import { slackAccount } from '../../helpers/platforms/slack/account.ts';
import { signSlack } from '../../helpers/platforms/slack/sign-request.ts';

const folder = peersFile('payloads/slack');
const now = new Date();
const json = z.json();
const payload = z.union([
  z.looseObject({ type: z.enum(['event_callback', 'block_actions', 'view_submission']) }),
  z.looseObject({ command: z.string() }),
]);

/** The account of a recorded team; each recording names its bot. */
function accountOf(botUserId: string) {
  const account = slackAccount();
  return {
    ...account,
    profile: { ...account.profile, user_id: botUserId, bot_id: botUserId.replace(/^U/, 'B') },
  };
}

interface Recorded {
  readonly name: string;
  readonly bot: string;
  readonly native: Json;
}

function recordings(): readonly Recorded[] {
  if (folder === null) return [];
  const replay = readdirSync(join(folder, 'replay')).flatMap((file): Recorded[] => {
    const all = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(readFileSync(join(folder, 'replay', file), 'utf8')));
    const bot = z.string().parse(all.botUserId);
    return Object.entries(all).flatMap(([key, native]) =>
      key.endsWith('Context') || !payload.safeParse(native).success
        ? []
        : [{ name: `${file.replace('.json', '')} ${key}`, bot, native: json.parse(native) }],
    );
  });
  const raw = readFileSync(join(folder, 'raw/webhook-bodies.jsonl'), 'utf8').trim().split('\n');
  return [
    ...replay,
    ...raw.map((line, index) => ({
      name: `raw ${index + 1}`,
      bot: 'U00FAKEBOT01',
      native: json.parse(JSON.parse(line)),
    })),
  ];
}

/** The expected effect of each recording, by its name. */
const effects: readonly (readonly [RegExp, object])[] = [
  [/raw (1|2)$/, { type: 'message', addressed: true, text: '1', sender: { kind: 'person' } }],
  [/raw (3|5)$/, { type: 'message', sender: { kind: 'self' } }],
  [/raw 4$/, { type: 'message', addressed: 'joined', text: '2' }],
  [/raw (6|7)$/, { type: 'message-edited', sender: { kind: 'self' } }],
  [/raw 8$/, { type: 'unsupported', nativeType: 'app_context_changed' }],
  [/raw 9$/, { type: 'message', addressed: true, text: 'summarize this' }],
  [/raw 10$/, { type: 'opened', conversation: { address: { channel: 'D00FAKEDM001' } } }],
  [/raw 11$/, { type: 'message', sender: { kind: 'machine' } }],
  [/raw 12$/, { type: 'message', addressed: false, text: expect.stringContaining('Samsung | QB55C | 3') }],
  [
    / (mention|aiMention|aiMentionWithFile)$/,
    { type: 'message', addressed: true, text: expect.not.stringContaining('<@') },
  ],
  [/dm_slack-direct (directDM|followUp)$/, { type: 'message', addressed: true }],
  [/dm_slack dmMessage$/, { type: 'message', addressed: true, text: 'Hey!' }],
  [/ (followUp|dmRequest|threadFollowUp)$/, { type: 'message', addressed: 'joined' }],
  [/ promptMessage$/, { type: 'message', sender: { kind: 'self' } }],
  [/ reaction$/, { type: 'feedback', value: 'up' }],
  [/ memberJoinedChannel$/, { type: 'unsupported', nativeType: 'member_joined_channel' }],
  [/[aA]ction$|_action$/, { type: 'unsupported', nativeType: 'block_actions' }],
  [/ViewSubmission$|viewSubmission$/, { type: 'unsupported', nativeType: 'view_submission' }],
  [/ slashCommand/, { type: 'unsupported', nativeType: '/test-feedback' }],
];

const recorded = recordings();

describe.skipIf(folder === null)('recorded payloads (skipped if PEERS_DIR is not set)', () => {
  test('there are fifty, each with an expected effect', () => {
    expect(recorded).toHaveLength(50);
    expect(recorded.filter(({ name }) => !effects.some(([known]) => known.test(name)))).toEqual([]);
  });

  test.each(recorded.map((each) => [each.name, each] as const))(
    '%s is verified and has the expected effect',
    (name, { bot, native }) => {
      const account = accountOf(bot);
      const body = bodyOf(native);
      const request = {
        method: 'POST',
        path: '/webhooks/chan_slack',
        query: {},
        headers: {
          'content-type': body.type,
          ...signSlack(body.text, account.credentials.signing_secret ?? '', now),
        },
        body: Buffer.from(body.text),
      };
      expect(createWebhook(account).verify(request, now)).toBe(true);
      const reading = createWebhook(account).read(request);
      expect(reading).toMatchObject({ respond: { status: 200 } });
      const [, effect] = effects.find(([known]) => known.test(name)) ?? [];
      const stored = reading.kind === 'deliveries' ? reading.deliveries[0]?.native : native;
      expect(normalise(stored ?? null, account)).toMatchObject([effect]);
    },
  );

  test('a mention sent as two events is one delivery', () => {
    const account = accountOf('U00FAKEBOT01');
    const [first, second] = recorded
      .filter(({ name }) => /raw (1|2)$/.test(name))
      .map(({ native }) =>
        createWebhook(account).read({
          method: 'POST',
          path: '',
          query: {},
          headers: {},
          body: Buffer.from(JSON.stringify(native)),
        }),
      );
    const idOf = (reading: typeof first) =>
      reading?.kind === 'deliveries' ? reading.deliveries[0]?.id : null;
    expect(idOf(first)).toBe('T00FAKE00AA/C00FAKECHAN1/1766458026.240809');
    expect(idOf(second)).toBe(idOf(first));
  });

  test('events with empty fields cause no error', () => {
    const shapes = ['events', 'app-backend'].flatMap((kind) =>
      readdirSync(join(folder ?? '', 'shapes', kind)).map((file) => join(folder ?? '', 'shapes', kind, file)),
    );
    expect(shapes.length).toBeGreaterThan(40);
    for (const file of shapes) {
      const native = json.parse(JSON.parse(readFileSync(file, 'utf8')));
      expect(normalise(native, slackAccount()), file).toHaveLength(1);
    }
  });
});

function bodyOf(native: Json): { type: string; text: string } {
  const isForm = !z.object({ type: z.literal('event_callback') }).safeParse(native).success;
  const command = z.object({ command: z.string() }).safeParse(native).success;
  if (!isForm) return { type: 'application/json', text: JSON.stringify(native) };
  const fields = command
    ? z.record(z.string(), z.coerce.string()).parse(native)
    : { payload: JSON.stringify(native) };
  return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(fields).toString() };
}
