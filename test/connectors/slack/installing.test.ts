import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { manifest } from '../../../connectors/slack/manifest.ts';
import { createTenancy, guideValues } from '../../../connectors/slack/setup.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack/account.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack/stand-in.ts';

const peer = await openSlackStandIn();
const app = {
  signing_secret: 'the-signing-secret-of-the-app',
  client_id: '1.2',
  client_secret: 'of-the-client',
};
const parent = slackAccount({
  credentials: app,
  settings: slackSettings({ api_base_url: peer.url }),
  profile: {},
});
const back = { redirectUrl: 'https://parley.example/oauth/back', state: 'made-by-us' };

describe('an app that many teams install', () => {
  test('requires no bot token, but client_id and client_secret', () => {
    expect(manifest.credentials.safeParse(app).success).toBe(true);
    const { client_secret: _, ...half } = app;
    expect(manifest.credentials.safeParse(half).error?.issues[0]?.message).toContain('Set bot_token');
    expect(manifest.credentials.safeParse({ bot_token: 'xoxb-1' }).error?.issues[0]?.message).toContain(
      'signing_secret',
    );
  });

  test('redirects to Slack’s authorisation page with the required scopes', () => {
    const home = slackAccount({ credentials: app });
    const url = new URL(createTenancy(home).oauth?.authoriseUrl(back) ?? '');
    expect(`${url.origin}${url.pathname}`).toBe('https://slack.com/oauth/v2/authorize');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: '1.2',
      redirect_uri: back.redirectUrl,
      state: 'made-by-us',
      scope: expect.stringContaining('app_mentions:read,assistant:write'),
    });
  });

  test('exchanges the code for a token of the installing team', async () => {
    const grant = { code: 'a-good-code', redirectUrl: back.redirectUrl };
    const installed = await createTenancy(parent).oauth?.exchange(grant, connectorTools());
    expect(installed).toMatchObject({
      tenant: 'T0OTHERS1',
      name: 'Others',
      credentials: { bot_token: 'xoxb-of-another-team', signing_secret: app.signing_secret },
      settings: { team_id: 'T0OTHERS1', mode: 'events', api_base_url: peer.url },
    });
    expect(manifest.credentials.parse(installed?.credentials)).not.toHaveProperty('client_secret');
    const child = {
      ...parent,
      credentials: manifest.credentials.parse(installed?.credentials),
      settings: manifest.settings.parse(installed?.settings),
    };
    expect([createTenancy(parent).tenant, createTenancy(child).tenant]).toEqual([null, 'T0OTHERS1']);
  });

  test('reports Slack’s error for an invalid code', async () => {
    const grant = { code: 'an-old-code', redirectUrl: back.redirectUrl };
    const exchanged = createTenancy(parent).oauth?.exchange(grant, connectorTools());
    await expect(exchanged).rejects.toMatchObject({
      message: 'Slack refused oauth.v2.access: invalid_code',
      advice: { retry: 'never' },
    });
  });
});

describe('the app manifest of the guide', () => {
  const appOf = (facts: Parameters<typeof guideValues>[0]) =>
    z.looseObject({ settings: z.looseObject({}) }).parse(JSON.parse(guideValues(facts).app_manifest ?? ''));

  test('uses socket mode without a webhook address, and requests only the used scopes', () => {
    expect(appOf({ name: 'Help bot', webhookUrl: null })).toMatchObject({
      display_information: { name: 'Help bot' },
      features: { bot_user: { display_name: 'help-bot' }, agent_view: {} },
      settings: { socket_mode_enabled: true, interactivity: { is_enabled: true } },
      oauth_config: { scopes: { bot: expect.arrayContaining(['channels:history', 'users:read']) } },
    });
  });

  test('contains the webhook address if there is one', () => {
    const webhookUrl = 'https://parley.example/webhooks/chan_1';
    expect(appOf({ name: 'Ä'.repeat(50), webhookUrl })).toMatchObject({
      display_information: { name: 'Ä'.repeat(35) },
      features: { bot_user: { display_name: 'parley' } },
      settings: {
        socket_mode_enabled: false,
        event_subscriptions: {
          request_url: webhookUrl,
          bot_events: expect.arrayContaining(['app_mention', 'message.im']),
        },
        interactivity: { request_url: webhookUrl },
      },
      oauth_config: { redirect_urls: ['https://parley.example/install/callback'] },
    });
  });
});
