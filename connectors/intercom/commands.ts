import type { Command } from '../../core/contract/inbound-event.ts';
import type { IntercomAccount } from './manifest.ts';
import type { IntercomPart } from './notification-schema.ts';

const words: Readonly<Record<string, Command>> = { '/start': 'start', '/human': 'human', '/help': 'help' };

/** Of the button for a person: Intercom shows it to us again when the button is pressed. */
export const PERSON_UUID = '6d0b3f0e-3c5a-4b8e-9d7a-52f1c8a4e017';

interface Asked {
  /** Without the command. */
  readonly text: string;
  readonly command: Command | null;
}

/** Older versions of the API do not tell which button was pressed: its words are what is left. */
export function readCommand(
  text: string,
  metadata: IntercomPart['metadata'],
  { settings }: IntercomAccount,
): Asked {
  const pressed = metadata?.quick_reply_uuid ?? metadata?.quick_reply_option_uuid;
  if (pressed === PERSON_UUID || text === settings.person_button) return { text, command: 'human' };
  const [first = ''] = text.split(/\s/, 1);
  const command = words[first.toLowerCase()] ?? null;
  return { text: command === null ? text : text.slice(first.length).trim(), command };
}
