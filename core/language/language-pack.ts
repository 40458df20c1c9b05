import type { Grammar } from './grammar.ts';
import type { ContactWords, Courtesies, RequestForms } from './requests.ts';
import type { SmallTalkData } from './small-talk.ts';

/** Everything that the engine knows of one language. README.md tells what takes the place of a missing part. */
export interface LanguagePack {
  /** ISO 639-1. */
  readonly code: string;
  /** In English. */
  readonly name: string;
  /** How the language is detected: by letters that only it has, or by statistics among those of Latin or of other scripts. */
  readonly script: RegExp | 'latin' | 'other';
  /** Whether every noun starts with a capital, so that a capital does not tell a name. */
  readonly capitalisesNouns?: boolean;
  /** Whether there are no spaces between words and sentences. */
  readonly spaceless?: boolean;
  /** Between the titles of a list, with its space; `; ` without it. */
  readonly listSeparator?: string;
  readonly grammar?: Grammar;
  readonly smallTalk?: SmallTalkData;
  readonly courtesies?: Courtesies;
  /** Requests for a person of the team. */
  readonly personRequests?: RequestForms;
  /** Requests to be called, written to or sent an offer. */
  readonly contactRequests?: RequestForms;
  readonly contactWords?: ContactWords;
}
