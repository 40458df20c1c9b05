import type { Catalogue } from './english.ts';
import { audit } from './german/audit.ts';
import { channels } from './german/channels.ts';
import { conversation } from './german/conversation.ts';
import { evaluation } from './german/evaluation.ts';
import { channelFields } from './german/fields/channel-fields.ts';
import { sourceFields } from './german/fields/source-fields.ts';
import { fields } from './german/fields.ts';
import { frame } from './german/frame.ts';
import { inbox } from './german/inbox.ts';
import { knowledge } from './german/knowledge.ts';
import { me } from './german/me.ts';
import { parts } from './german/parts.ts';
import { people } from './german/people.ts';
import { settings } from './german/settings.ts';
import { signIn } from './german/sign-in.ts';
import { sources } from './german/sources.ts';

export const german: Catalogue = {
  frame,
  parts,
  signIn,
  me,
  inbox,
  conversation,
  knowledge,
  evaluation,
  settings,
  people,
  audit,
  channels,
  fields,
  channelFields,
  sources,
  sourceFields,
};
