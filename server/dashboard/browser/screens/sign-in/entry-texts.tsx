import type { ReactNode } from 'react';
import {
  type CommonCatalogue,
  CommonTexts,
  type Language,
  useChosenTexts,
} from '../../texts/common-texts.tsx';
import { frame } from '../../texts/english/frame.ts';
import { parts } from '../../texts/english/parts.ts';
import { signIn } from '../../texts/english/sign-in.ts';
import { frame as germanFrame } from '../../texts/german/frame.ts';
import { parts as germanParts } from '../../texts/german/parts.ts';
import { signIn as germanSignIn } from '../../texts/german/sign-in.ts';

const english: CommonCatalogue = { frame, parts, signIn };
const german: CommonCatalogue = { frame: germanFrame, parts: germanParts, signIn: germanSignIn };

const load = async (language: Language) => (language === 'de' ? german : english);

/** The texts of pages without a person, in every language: a request for one would take longer than its bytes. */
export function EntryTexts({ children }: { readonly children: ReactNode }) {
  const value = useChosenTexts(load, english);
  return value === undefined ? null : <CommonTexts value={value}>{children}</CommonTexts>;
}
