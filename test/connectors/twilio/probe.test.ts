import { afterAll, describe, expect, test } from 'vitest';
import { sms } from '../../../connectors/twilio/sms/sms.ts';
import type { VoiceAccount } from '../../../connectors/twilio/voice/manifest.ts';
import { voice } from '../../../connectors/twilio/voice/voice.ts';
import { whatsapp } from '../../../connectors/twilio/whatsapp/whatsapp.ts';
import { connectorTools } from '../../helpers/platforms/connector-tools.ts';
import { openTwilioPeer } from '../../helpers/platforms/twilio/peer.ts';
import { voiceAccount } from '../../helpers/platforms/twilio/voice-account.ts';

describe('the probe before a channel is added', async () => {
  const twilio = await openTwilioPeer();
  afterAll(() => twilio.close());
  const accountOf = (from: string) => voiceAccount({ from, api_base_url: twilio.url });
  const tools = connectorTools();
  const channels = [
    ['SMS', (account: VoiceAccount) => sms.open(account)],
    ['the telephone', (account: VoiceAccount) => voice.open(account)],
    ['WhatsApp', (account: VoiceAccount) => whatsapp.open(account)],
  ] as const;

  test.each(channels)('for %s returns the name of the account', async (_channel, open) => {
    expect(await open(accountOf(twilio.number)).probe(tools)).toEqual({
      account: 'Garden shop',
      number: twilio.number,
    });
  });

  test.each(channels.slice(0, 2))(
    'for %s checks that the account owns the number',
    async (_channel, open) => {
      await expect(open(accountOf('+15550009999')).probe(tools)).rejects.toThrow(
        '+15550009999 is not a number of this Twilio account.',
      );
    },
  );

  test.each(channels)('for %s reports a suspended account', async (_channel, open) => {
    twilio.suspend();
    await expect(open(accountOf(twilio.number)).probe(tools)).rejects.toMatchObject({
      message: 'The Twilio account is suspended.',
      account: true,
    });
    twilio.suspend(false);
  });
});
