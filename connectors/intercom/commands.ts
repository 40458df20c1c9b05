import type { Command } from '../../core/contract/inbound.ts';
import type { IntercomAccount } from './manifest.ts';
import type { IntercomPart } from './notification-schema.ts';
import { isPersonButton, PERSON_UUID } from './person-button.ts';

const words: Readonly<Record<string, Command>> = { '/start': 'start', '/human': 'human', '/help': 'help' };

interface Asked {
  /** Without the command. */
  readonly text: string;
  readonly command: Command | null;
}

/** Older versions of the API do not tell which button was pressed: its words are what is left. */
export function readCommand(
  text: string,
  metadata: IntercomPart['metadata'],
  account: IntercomAccount,
): Asked {
  const pressed = metadata?.quick_reply_uuid ?? metadata?.quick_reply_option_uuid;
  if (pressed === PERSON_UUID || isPersonButton(text, account)) return { text, command: 'human' };
  const [first = ''] = text.split(/\s/, 1);
  const command = words[first.toLowerCase()] ?? null;
  return { text: command === null ? text : text.slice(first.length).trim(), command };
}
