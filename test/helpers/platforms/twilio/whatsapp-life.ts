import { twilioFixture } from './fixture.ts';
import type { openTwilioPeer } from './peer.ts';

/** The place of the story: an installation whose clock the script sets. */
export interface Stage {
  readonly twilio: Awaited<ReturnType<typeof openTwilioPeer>>;
  readonly time: { now: Date };
  /** A person's reply: 201 and the status of its message, or the code of the refusal. */
  reply(content: string): Promise<{
    readonly status: number;
    readonly code?: string | undefined;
    readonly detail?: string | undefined;
  }>;
  /** `reply_window` of the conversation. */
  window(): Promise<{ readonly open: boolean; readonly closes_at: string | null } | null>;
  /** Sets `templates.reply` of the channel, or removes it. */
  setTemplate(contentSid: string | null): Promise<void>;
  settled(): Promise<void>;
  /** Of the part that was written last. */
  lastPart(): Promise<{ readonly status: string; readonly failure: string | null }>;
  /** Stops the workers that send, or starts them again. */
  pause(paused: boolean): Promise<void>;
}

const HOUR_MS = 3_600_000;
const template = `HX${'7'.repeat(32)}`;

/** Plays the life of a conversation on WhatsApp over some days; `tell` receives the events, line by line. */
export async function playWhatsappLife(stage: Stage, tell: (line: string) => void): Promise<void> {
  const { twilio, time } = stage;
  let heard = 0;
  let shown = 0;
  const at = () => time.now.toISOString().slice(0, 16).replace('T', ' ');
  const line = (text: string) => tell(`${at()}  ${text}`);
  const pass = (hours: number) => {
    time.now = new Date(time.now.getTime() + hours * HOUR_MS);
  };
  const showSent = () => {
    for (const { body, fields } of twilio.sent.slice(shown)) {
      line(`  -> ${fields.ContentSid === undefined ? 'text' : 'template'}: ${body}`);
    }
    shown = twilio.sent.length;
  };
  const look = async () => {
    await stage.settled();
    showSent();
    const window = await stage.window();
    line(
      `  window: ${window?.open ? 'open' : 'closed'}, ${window?.open ? 'closes' : 'closed'} ${window?.closes_at}`,
    );
  };
  const visitor = async (text: string) => {
    heard += 1;
    const sid = `SM${(0x9000 + heard).toString(16).padStart(32, '0')}`;
    line(`visitor: ${text}`);
    await twilio.tell({ ...twilioFixture('whatsapp-question'), MessageSid: sid, SmsSid: sid, Body: text });
    await look();
  };
  const person = async (text: string) => {
    line(`person: ${text}`);
    const { status, code, detail } = await stage.reply(text);
    line(code === undefined ? `  ${status} accepted` : `  ${status} ${code}: ${detail}`);
    await look();
  };

  const overtaken = async (text: string) => {
    line('sending stands still');
    await stage.pause(true);
    await person(text);
    pass(26);
    line('a day later sending goes on: the window has closed meanwhile');
    await stage.pause(false);
    await look();
    const { status, failure } = await stage.lastPart();
    line(`  last part: ${status}${failure === null ? '' : `, ${failure}`}`);
  };

  await visitor('When are you open?');
  pass(3);
  await person('Is there anything else?');
  pass(30);
  await look();
  await person('We have the pot that you asked for.');
  line(`operator: templates.reply = ${template}`);
  await stage.setTemplate(template);
  await person('We have the pot that you asked for.');
  pass(14);
  await visitor('Great! Please keep it for me.');
  pass(1);
  await person('It is kept **for you**.');
  await overtaken('Your pot is here until Saturday.');
  line('operator: templates = null');
  await stage.setTemplate(null);
  await visitor('Thank you!');
  await overtaken('You are welcome.');
}
