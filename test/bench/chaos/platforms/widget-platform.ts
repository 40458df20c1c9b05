import { setTimeout as wait } from 'node:timers/promises';
import type { ChatPlatform } from './chat-platform.ts';
import { WidgetVisitor } from './widget-visitor.ts';

const pauseMs = 100;

/** Visitors of pages that carry the widget, each in a browser of their own. */
export async function startWidgetPlatform(): Promise<ChatPlatform> {
  const sent = new Map<number, readonly string[]>();
  const typing = new Map<number, number>();
  const visitors = new Map<number, WidgetVisitor>();
  const hub = { base: '' };
  const visitorOf = (chat: number): WidgetVisitor => {
    const visitor = visitors.get(chat) ?? new WidgetVisitor(hub.base, `198.51.100.${chat % 250}`);
    visitors.set(chat, visitor);
    return visitor;
  };
  return {
    channel: { channel: 'widget', credentials: {}, settings: {} },
    // Visitors come by themselves.
    postTo: () => {},
    visit: ({ address, publicToken }) => {
      hub.base = `${address}/widget/${publicToken}`;
    },
    sent,
    typing,
    lostAnswers: () => 0,
    /** Resolves with the answer: until then the visitor cannot write. */
    async tell({ chat, text }) {
      const visitor = visitorOf(chat);
      for (let tries = 1; ; tries += 1) {
        const onSign = () => typing.set(chat, performance.now());
        const answer = await visitor.ask(text, { onSign }).catch(() => null);
        if (answer !== null) {
          sent.set(chat, [...(sent.get(chat) ?? []), answer]);
          return tries;
        }
        await wait(pauseMs);
      }
    },
    close: () => {},
  };
}
