import type { Catalogue } from './english.ts';
import { audit } from './german/audit.ts';
import { frame } from './german/frame.ts';
import { me } from './german/me.ts';
import { parts } from './german/parts.ts';
import { people } from './german/people.ts';
import { signIn } from './german/sign-in.ts';

export const german: Catalogue = { frame, parts, signIn, me, people, audit };
