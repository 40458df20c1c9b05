import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { manifest } from '../../../connectors/slack/manifest.ts';
import { guide, tenancy } from '../../../connectors/slack/setup.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { slackAccount, slackSettings } from '../../helpers/platforms/slack-account.ts';
import { openSlackStandIn } from '../../helpers/platforms/slack-stand-in.ts';

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
    const url = new URL(tenancy.oauth?.authoriseUrl(home, back) ?? '');
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
    const installed = await tenancy.oauth?.exchange(grant, parent, connectorTools());
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
    expect([tenancy.tenantOf(parent), tenancy.tenantOf(child)]).toEqual([null, 'T0OTHERS1']);
  });

  test('reports Slack’s error for an invalid code', async () => {
    const grant = { code: 'an-old-code', redirectUrl: back.redirectUrl };
    const exchanged = tenancy.oauth?.exchange(grant, parent, connectorTools());
    await expect(exchanged).rejects.toMatchObject({
      message: 'Slack refused oauth.v2.access: invalid_code',
      advice: { retry: 'never' },
    });
  });
});

describe('the guide', () => {
  const appIn = (text: string) =>
    z.looseObject({ settings: z.looseObject({}) }).parse(JSON.parse(/^\{[\s\S]*^\}/m.exec(text)?.[0] ?? ''));

  test('contains a socket mode manifest without a webhook address', () => {
    const text = guide({ name: 'Help bot', webhookUrl: null });
    expect(appIn(text)).toMatchObject({
      display_information: { name: 'Help bot' },
      features: { bot_user: { display_name: 'help-bot' }, agent_view: {} },
      settings: { socket_mode_enabled: true, interactivity: { is_enabled: true } },
    });
    expect(text).toContain('--credential-env app_token=SLACK_APP_TOKEN');
    expect(text).toContain('Request URL');
  });

  test('requests only the used scopes, and explains how other teams install the app', () => {
    const text = guide({ name: 'Help bot', webhookUrl: null });
    expect(appIn(text)).toMatchObject({
      oauth_config: { scopes: { bot: expect.arrayContaining(['channels:history', 'users:read']) } },
    });
    expect(text).toContain('PUBLIC_URL/install/callback');
    expect(text).toContain('channel install-link');
  });

  test('contains the webhook address if there is one', () => {
    const webhookUrl = 'https://parley.example/webhooks/chan_1';
    expect(appIn(guide({ name: 'Ä'.repeat(50), webhookUrl }))).toMatchObject({
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
