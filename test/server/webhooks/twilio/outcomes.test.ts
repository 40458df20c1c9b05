import { expect, test } from 'vitest';
import { createAccountFinder } from '../../../../core/channels/accounts/channel-accounts.ts';
import { pollDeliveryStatus } from '../../../../workers/deliver/delivery-status.ts';
import { twilioFixture } from '../../../helpers/platforms/twilio/fixture.ts';
import { openTwilioServer } from '../../../helpers/servers/channels/open-twilio-server.ts';

const HOUR_MS = 3_600_000;
const patienceMs = 90_000;

test(
  'polls the status of unreported messages once after twelve hours',
  async () => {
    const clock = { at: new Date('2026-09-21T09:00:00Z'), now: () => clock.at };
    const server = await openTwilioServer({ channel: 'sms', clock });
    const { twilio, runtime, eventually, sentTo } = server;
    const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
    const visitors = ['+46700100601', '+46700100602', '+46700100603', '+46700100604'];
    for (const [index, visitor] of visitors.entries()) {
      const MessageSid = `SM${index.toString(16).padStart(32, '7')}`;
      await twilio.tell({ ...twilioFixture('sms-question'), MessageSid, From: visitor });
      await eventually(() => expect(sentTo(visitor)).toHaveLength(1));
    }
    await server.settled();
    const statuses = async () => (await server.parts()).map(({ status }) => status);
    const asked = () => twilio.calls.filter(({ path }) => /\/Messages\/SM/.test(path)).length;
    const messageTo = (visitor: string) => twilio.sent.filter(({ to }) => to === visitor);
    for (const message of messageTo('+46700100601')) twilio.become(message, 'delivered');
    for (const message of messageTo('+46700100602')) twilio.become(message, 'undelivered', 30_034);
    for (const message of messageTo('+46700100604')) await twilio.report(message, 'delivered');
    await eventually(async () => expect(await statuses()).toEqual(['sent', 'sent', 'sent', 'delivered']));

    clock.at = new Date(clock.at.getTime() + 12 * HOUR_MS - 1_000);
    await pollDeliveryStatus(dependencies);
    expect(asked()).toBe(0);

    clock.at = new Date(clock.at.getTime() + 1_000);
    await pollDeliveryStatus(dependencies);
    expect(await statuses()).toEqual(['delivered', 'failed', 'sent', 'delivered']);
    expect((await server.parts())[1]?.failure).toContain('not registered for 10DLC');
    expect(asked()).toBe(3);

    clock.at = new Date(clock.at.getTime() + 24 * HOUR_MS);
    await pollDeliveryStatus(dependencies);
    expect(asked()).toBe(3);
  },
  patienceMs,
);

test(
  'polls again after an hour if Twilio is unavailable, and never for unknown messages',
  async () => {
    const clock = { at: new Date('2026-09-21T09:00:00Z'), now: () => clock.at };
    const { twilio, runtime, eventually, sentTo, parts, settled } = await openTwilioServer({
      channel: 'whatsapp',
      clock,
    });
    const dependencies = { ...runtime, findAccount: createAccountFinder(runtime) };
    await twilio.tell(twilioFixture('whatsapp-question'));
    await eventually(() => expect(sentTo('whatsapp:+46700100200')).toHaveLength(1));
    await settled();
    const asked = () => twilio.calls.filter(({ path }) => /\/Messages\/SM/.test(path)).length;
    const askLater = async (hours: number) => {
      clock.at = new Date(clock.at.getTime() + hours * HOUR_MS);
      await pollDeliveryStatus(dependencies);
      return asked();
    };
    twilio.trouble('garbled');
    expect(await askLater(12)).toBe(1);
    expect(await askLater(0.9)).toBe(1);
    const [message] = twilio.sent.splice(0);
    expect(message).toBeDefined();
    expect(await askLater(0.2)).toBe(2);
    expect(await askLater(48)).toBe(2);
    expect((await parts()).map(({ status }) => status)).toEqual(['sent']);
  },
  patienceMs,
);
