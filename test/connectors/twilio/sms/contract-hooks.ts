import { messageHooks } from '../messaging/message-hooks.ts';

export const hooks = messageHooks('sms');
