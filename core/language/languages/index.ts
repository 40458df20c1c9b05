import type { LanguagePack } from '../language-pack.ts';
import { arabic } from './ar/arabic.ts';
import { german } from './de/german.ts';
import { greek } from './el/greek.ts';
import { english } from './en/english.ts';
import { spanish } from './es/spanish.ts';
import { french } from './fr/french.ts';
import { hebrew } from './he/hebrew.ts';
import { hindi } from './hi/hindi.ts';
import { italian } from './it/italian.ts';
import { japanese } from './ja/japanese.ts';
import { khmer } from './km/khmer.ts';
import { korean } from './ko/korean.ts';
import { lao } from './lo/lao.ts';
import { dutch } from './nl/dutch.ts';
import { polish } from './pl/polish.ts';
import { portuguese } from './pt/portuguese.ts';
import { romanian } from './ro/romanian.ts';
import { russian } from './ru/russian.ts';
import { swedish } from './sv/swedish.ts';
import { thai } from './th/thai.ts';
import { turkish } from './tr/turkish.ts';
import { ukrainian } from './uk/ukrainian.ts';
import { vietnamese } from './vi/vietnamese.ts';
import { chinese } from './zh/chinese.ts';

/**
 * The languages that the engine knows. Words that are small talk in several languages belong to the first of them. Japanese
 * stands before Chinese because it uses Chinese characters too.
 */
export const languages: readonly LanguagePack[] = [
  english,
  french,
  german,
  spanish,
  italian,
  portuguese,
  dutch,
  polish,
  turkish,
  arabic,
  japanese,
  korean,
  chinese,
  swedish,
  romanian,
  vietnamese,
  russian,
  ukrainian,
  thai,
  lao,
  khmer,
  greek,
  hebrew,
  hindi,
];
