import { z } from 'zod';
import type { Facets } from '../../core/contract/facets.ts';
import { addressOf } from './address.ts';
import { demandTelegram } from './demand-telegram.ts';
import type { TelegramAccount } from './manifest.ts';

type Typing = NonNullable<Facets<TelegramAccount['credentials'], TelegramAccount['settings']>['typing']>;

export const typing: Typing = {
  lastsMs: 5_000,

  /** Other than for messages, the General topic of a forum is to be named. */
  async show(to, account, tools) {
    const { chat, topic } = addressOf(to);
    const params = {
      chat_id: chat,
      action: 'typing' as const,
      ...(topic === null ? {} : { message_thread_id: topic }),
    };
    await demandTelegram({ method: 'sendChatAction', params, result: z.unknown() }, account, tools);
  },
};
