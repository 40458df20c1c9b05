import type { Catalogue } from './english.ts';
import { channels } from './german/channels.ts';
import { frame } from './german/frame.ts';
import { me } from './german/me.ts';
import { parts } from './german/parts.ts';
import { signIn } from './german/sign-in.ts';

export const german: Catalogue = { frame, parts, signIn, me, channels };
