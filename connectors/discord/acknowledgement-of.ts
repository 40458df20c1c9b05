import type { Json } from '../../core/contract/account.ts';
import { EPHEMERAL, isPrivate } from './is-private.ts';
import { COMMAND, COMPONENT } from './kinds.ts';
import type { DiscordAccount } from './manifest.ts';
import { readNative } from './read-native.ts';

/** "Thinking", until the answer takes its place. */
const DEFERRED_MESSAGE = { type: 5 };
const DEFERRED_PRIVATE = { ...DEFERRED_MESSAGE, data: { flags: EPHEMERAL } };
/** What was pressed stays as it is. */
const DEFERRED_UPDATE = { type: 6 };

/** What Discord is to show within three seconds; null for what is no command or button. */
export function acknowledgementOf(native: Json, account: DiscordAccount): { readonly type: number } | null {
  const read = readNative(native);
  if (read.kind !== 'interaction') return null;
  const { interaction } = read;
  if (interaction.type === COMMAND)
    return isPrivate(interaction, account) ? DEFERRED_PRIVATE : DEFERRED_MESSAGE;
  return interaction.type === COMPONENT ? DEFERRED_UPDATE : null;
}
