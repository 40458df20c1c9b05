import type { SupportState } from '../../../workspaces/support-hours.ts';

interface Handover {
  readonly language: string;
  /** True if the team already knows of the conversation. */
  readonly wasKnown: boolean;
  /** Null if no support hours are set. */
  readonly support: SupportState | null;
  /** Time zone of the support hours. */
  readonly zone: string;
}

/** From this many days ahead the weekday alone is ambiguous. */
const DAYS_PER_WEEK = 7;

/** Returns the text for a visitor who asked for a person. */
export function handoverMessage({ language, wasKnown, support, zone }: Handover): string {
  const wording = handoverWording(language);
  const first = wasKnown ? wording.alreadyKnown : wording.passedOn;
  if (support === null) return `${first} ${wording.someTime}`;
  if (!support.isOpen)
    return `${first} ${wording.backOn(formatHandoverTime(support, zone, wording.language))}`;
  // A waiting visitor already got this text, and the remaining time is unknown.
  return `${first} ${wasKnown ? wording.someTime : wording.shortly}`;
}

function formatHandoverTime(
  { opensAt, daysAhead }: Extract<SupportState, { isOpen: false }>,
  zone: string,
  language: string,
): HandoverTime {
  const show = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(opensAt);
  const date = daysAhead < DAYS_PER_WEEK ? {} : ({ day: 'numeric', month: 'long' } as const);
  return {
    day: show({ weekday: 'long', ...date }),
    time: show({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    zone,
  };
}

/** The texts of the handover. `when` holds a weekday and a time. */
interface HandoverWording {
  readonly passedOn: string;
  readonly alreadyKnown: string;
  /** During support hours. */
  readonly shortly: string;
  /** Without support hours: promises no time. */
  readonly someTime: string;
  readonly backOn: (when: HandoverTime) => string;
}

interface HandoverTime {
  readonly day: string;
  readonly time: string;
  readonly zone: string;
}

const english: HandoverWording = {
  passedOn: 'I have passed this conversation on to our team.',
  alreadyKnown: 'Our team already knows of this conversation.',
  shortly: 'Someone will be with you here shortly.',
  someTime: 'A person will answer you here.',
  backOn: ({ day, time, zone }) =>
    `Our team is back on ${day} at ${time} (${zone}) and will answer you here.`,
};

const wordings: Readonly<Record<string, HandoverWording>> = {
  en: english,
  de: {
    passedOn: 'Ich habe dieses Gespräch an unser Team weitergegeben.',
    alreadyKnown: 'Unser Team weiß schon von diesem Gespräch.',
    shortly: 'Gleich ist hier jemand für Sie da.',
    someTime: 'Ein Mensch wird Ihnen hier antworten.',
    backOn: ({ day, time, zone }) =>
      `Unser Team ist am ${day} um ${time} Uhr (${zone}) wieder da und antwortet Ihnen hier.`,
  },
  es: {
    passedOn: 'He pasado esta conversación a nuestro equipo.',
    alreadyKnown: 'Nuestro equipo ya tiene esta conversación.',
    shortly: 'En breve le atenderá alguien aquí.',
    someTime: 'Una persona le responderá aquí.',
    backOn: ({ day, time, zone }) =>
      `Nuestro equipo vuelve el ${day} a las ${time} (${zone}) y le responderá aquí.`,
  },
  fr: {
    passedOn: "J'ai transmis cette conversation à notre équipe.",
    alreadyKnown: 'Notre équipe est déjà au courant de cette conversation.',
    shortly: "Quelqu'un va vous répondre ici dans un instant.",
    someTime: 'Une personne vous répondra ici.',
    backOn: ({ day, time, zone }) =>
      `Notre équipe sera de retour le ${day} à ${time} (${zone}) et vous répondra ici.`,
  },
  it: {
    passedOn: 'Ho passato questa conversazione al nostro team.',
    alreadyKnown: 'Il nostro team è già al corrente di questa conversazione.',
    shortly: 'Tra poco qualcuno Le risponderà qui.',
    someTime: 'Una persona Le risponderà qui.',
    backOn: ({ day, time, zone }) =>
      `Il nostro team torna ${day} alle ore ${time} (${zone}) e Le risponderà qui.`,
  },
  pt: {
    passedOn: 'Passei esta conversa para a nossa equipe.',
    alreadyKnown: 'Nossa equipe já sabe desta conversa.',
    shortly: 'Alguém falará com você aqui em breve.',
    someTime: 'Uma pessoa responderá a você aqui.',
    backOn: ({ day, time, zone }) =>
      `Nossa equipe estará de volta ${day}, às ${time} (${zone}), e responderá a você aqui.`,
  },
  nl: {
    passedOn: 'Ik heb dit gesprek doorgegeven aan ons team.',
    alreadyKnown: 'Ons team weet al van dit gesprek.',
    shortly: 'Er is hier zo iemand voor u.',
    someTime: 'Een medewerker zal u hier antwoorden.',
    backOn: ({ day, time, zone }) => `Ons team is ${day} om ${time} uur (${zone}) terug en antwoordt u hier.`,
  },
  pl: {
    passedOn: 'Przekazałem tę rozmowę naszemu zespołowi.',
    alreadyKnown: 'Nasz zespół już wie o tej rozmowie.',
    shortly: 'Za chwilę ktoś tu odpowie.',
    someTime: 'Odpowie tu człowiek.',
    backOn: ({ day, time, zone }) =>
      `Nasz zespół będzie znów dostępny: ${day}, godz. ${time} (${zone}), i odpowie tutaj.`,
  },
  tr: {
    passedOn: 'Bu görüşmeyi ekibimize ilettim.',
    alreadyKnown: 'Ekibimiz bu görüşmeden zaten haberdar.',
    shortly: 'Birazdan burada sizinle ilgilenecekler.',
    someTime: 'Bir çalışanımız size buradan yanıt verecek.',
    backOn: ({ day, time, zone }) =>
      `Ekibimiz yeniden burada: ${day}, saat ${time} (${zone}). Size buradan yanıt verecek.`,
  },
  ar: {
    passedOn: 'لقد حوّلت هذه المحادثة إلى فريقنا.',
    alreadyKnown: 'فريقنا على علم بهذه المحادثة بالفعل.',
    shortly: 'سيكون أحدهم معك هنا بعد قليل.',
    someTime: 'سيجيبك شخص هنا.',
    backOn: ({ day, time, zone }) => `يعود فريقنا يوم ${day} الساعة ${time} (${zone}) وسيجيبك هنا.`,
  },
  ja: {
    passedOn: 'この会話を担当チームに引き継ぎました。',
    alreadyKnown: 'この会話はすでに担当チームに伝わっています。',
    shortly: 'まもなく担当者がこちらで対応いたします。',
    someTime: '担当者がこちらでお答えします。',
    backOn: ({ day, time, zone }) => `担当チームは${day}の${time}（${zone}）に戻り、こちらでお答えします。`,
  },
  zh: {
    passedOn: '我已将此对话转交给我们的团队。',
    alreadyKnown: '我们的团队已经知道此对话。',
    shortly: '很快会有人在这里为您服务。',
    someTime: '会有人在这里回复您。',
    backOn: ({ day, time, zone }) => `我们的团队将于${day} ${time}（${zone}）恢复服务，并在这里回复您。`,
  },
};

/** Returns the texts for an ISO 639-1 code; English for other languages. */
export function handoverWording(language: string): HandoverWording & { readonly language: string } {
  const found = wordings[language];
  return found === undefined ? { ...english, language: 'en' } : { ...found, language };
}
