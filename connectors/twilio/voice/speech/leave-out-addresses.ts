import type { SpeechLanguage } from './speech-language.ts';

const MAIL = /(?<![\w.+-])([\w.+-]+)@((?:[\w-]+\.)+\p{L}{2,})/gu;
const WEB = /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?)\]]/giu;
const HOST =
  /(?<![\p{L}\w@.-])(?:[\p{L}\d-]{1,63}\.){1,20}(?:com|net|org|io|eu|de|at|ch|fr|es|uk|info|app|dev|example)(?:\/[^\s<>"]*[^\s<>".,;:!?)\]])?(?![\p{L}\d])/giu;

/** Nobody can follow an address of the web that is read out; one of mail can be told. */
export function leaveOutAddresses(text: string, language: SpeechLanguage | null): string {
  const { webAddress = '', at = '@', dot = '.' } = language ?? {};
  const tell = (part: string) => part.replaceAll('.', ` ${dot} `);
  return text
    .replaceAll(MAIL, (all, name: string, host: string) =>
      language === null ? all : `${tell(name)} ${at} ${tell(host)}`,
    )
    .replaceAll(WEB, webAddress)
    .replaceAll(HOST, webAddress);
}
