import { audit } from './english/audit.ts';
import { channels } from './english/channels.ts';
import { conversation } from './english/conversation.ts';
import { evaluation } from './english/evaluation.ts';
import { channelFields, fields, sourceFields } from './english/fields.ts';
import { frame } from './english/frame.ts';
import { inbox } from './english/inbox.ts';
import { knowledge } from './english/knowledge.ts';
import { me } from './english/me.ts';
import { parts } from './english/parts.ts';
import { people } from './english/people.ts';
import { settings } from './english/settings.ts';
import { signIn } from './english/sign-in.ts';
import { sources } from './english/sources.ts';

/** Every text that the dashboard shows, by area. Other languages have the same shape. */
export const english = {
  frame,
  parts,
  signIn,
  me,
  inbox,
  knowledge,
  evaluation,
  settings,
  people,
  audit,
  channels,
  conversation,
  fields,
  channelFields,
  sources,
  sourceFields,
};

export type Catalogue = typeof english;
