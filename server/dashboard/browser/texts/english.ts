import { channels } from './english/channels.ts';
import { frame } from './english/frame.ts';
import { me } from './english/me.ts';
import { parts } from './english/parts.ts';
import { signIn } from './english/sign-in.ts';

/** Every text that the dashboard shows, by area. Other languages have the same shape. */
export const english = { frame, parts, signIn, me, channels };

export type Catalogue = typeof english;
