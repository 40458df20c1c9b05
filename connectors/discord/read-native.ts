import type { Json } from '../../core/contract/account.ts';
import {
  type DiscordInteraction,
  type DiscordMessage,
  type Dispatch,
  dispatchSchema,
  interactionSchema,
  messageSchema,
} from './native-schema.ts';

/** What a stored event is: from the gateway with its name, or an interaction as it was posted. */
export type Read =
  | {
      readonly kind: 'message' | 'edit' | 'deletion';
      readonly message: DiscordMessage;
      readonly dispatch: Dispatch;
    }
  | { readonly kind: 'interaction'; readonly interaction: DiscordInteraction }
  | { readonly kind: 'other'; readonly name: string };

const kinds: Readonly<Record<string, 'message' | 'edit' | 'deletion'>> = {
  MESSAGE_CREATE: 'message',
  MESSAGE_UPDATE: 'edit',
  MESSAGE_DELETE: 'deletion',
};

export function readNative(native: Json): Read {
  const dispatch = dispatchSchema.safeParse(native).data;
  if (dispatch === undefined) return readInteraction(native, 'an interaction');
  if (dispatch.t === 'INTERACTION_CREATE') return readInteraction(dispatch.d, dispatch.t);
  const kind = kinds[dispatch.t];
  const message = messageSchema.safeParse(dispatch.d).data;
  if (kind === undefined || message === undefined) return { kind: 'other', name: dispatch.t || 'nothing' };
  return { kind, message, dispatch };
}

function readInteraction(value: unknown, name: string): Read {
  const interaction = interactionSchema.safeParse(value).data;
  return interaction === undefined ? { kind: 'other', name } : { kind: 'interaction', interaction };
}
