import type { VoiceAccount } from './manifest.ts';

/** The texts that are spoken besides answers. */
export interface VoiceTexts {
  readonly greeting: string;
  /** Said while an answer is generated, one after the other. */
  readonly fillers: readonly string[];
  readonly tooLong: string;
  /** The texts after the first and after the second silence. */
  readonly silence: readonly string[];
  readonly notCaught: string;
  /** Said if the answer was lost. */
  readonly lost: string;
  readonly goOn: string;
  readonly sendLink: string;
  readonly linkSent: string;
  readonly anythingElse: string;
  readonly goodbye: string;
  readonly connecting: string;
  readonly nobodyThere: string;
  readonly callBack: string;
  /** Said if the caller withholds their number. */
  readonly callAgain: string;
  /** Said if an agent took over the conversation before this call. */
  readonly withPerson: string;
  readonly passedOn: string;
  /** First line of the SMS with links. */
  readonly linkTitle: string;
  readonly yes: readonly string[];
  readonly no: readonly string[];
  readonly bye: readonly string[];
}

const english: VoiceTexts = {
  greeting: 'Hello! Ask me anything about us, and I will look it up. Press zero to speak with a person.',
  fillers: [
    'One moment, please.',
    'I am still looking.',
    'It takes a little longer, please stay on the line.',
  ],
  tooLong: 'I am sorry, I cannot find it right now. Please ask again, or press zero to speak with a person.',
  silence: [
    'I did not hear anything. What would you like to know?',
    'I still cannot hear you. Please ask your question, or press zero to speak with a person.',
  ],
  notCaught: 'I did not catch that. Could you say it again, please?',
  lost: 'I am sorry, I lost that. Could you ask again, please?',
  goOn: 'Shall I go on?',
  sendLink: 'Shall I send you the link by text message? Say yes, or press nine.',
  linkSent: 'I am sending you the link now. Is there anything else?',
  anythingElse: 'All right. Is there anything else?',
  goodbye: 'Thank you for calling. Goodbye.',
  connecting: 'I am connecting you with a person now. Please hold the line.',
  nobodyThere: 'I am sorry, nobody can take your call right now.',
  callBack: 'Somebody of our team will call you back at this number.',
  callAgain: 'I cannot see your number, so please call again later or leave us a message elsewhere.',
  withPerson: 'A person of our team is looking after your question.',
  passedOn: 'I have passed that on to the person who looks after it.',
  linkTitle: 'You asked for this on the telephone:',
  yes: [
    'yes',
    'yeah',
    'yep',
    'yes please',
    'please',
    'please do',
    'sure',
    'of course',
    'ok',
    'okay',
    'go on',
    'go ahead',
    'continue',
    'do it',
  ],
  no: ['no', 'nope', 'no thanks', 'no thank you', 'not now', 'stop', 'nothing', 'nothing else'],
  bye: [
    'bye',
    'goodbye',
    'good bye',
    'bye bye',
    'thats all',
    'that is all',
    'thats it',
    'thank you goodbye',
    'thanks bye',
    'thank you bye',
  ],
};

const german: VoiceTexts = {
  greeting:
    'Guten Tag! Fragen Sie mich, was Sie wissen möchten, ich suche die Antwort. Drücken Sie die Null, um mit einem Menschen zu sprechen.',
  fillers: ['Einen Moment, bitte.', 'Ich suche noch.', 'Es dauert noch etwas, bitte bleiben Sie dran.'],
  tooLong:
    'Das finde ich gerade leider nicht. Bitte fragen Sie noch einmal, oder drücken Sie die Null, um mit einem Menschen zu sprechen.',
  silence: [
    'Ich habe nichts gehört. Was möchten Sie wissen?',
    'Ich höre Sie noch immer nicht. Stellen Sie bitte Ihre Frage, oder drücken Sie die Null, um mit einem Menschen zu sprechen.',
  ],
  notCaught: 'Das habe ich nicht verstanden. Können Sie es bitte noch einmal sagen?',
  lost: 'Das ist mir leider verloren gegangen. Können Sie bitte noch einmal fragen?',
  goOn: 'Soll ich weiterlesen?',
  sendLink: 'Soll ich Ihnen den Link als SMS schicken? Sagen Sie ja, oder drücken Sie die Neun.',
  linkSent: 'Ich schicke Ihnen den Link. Kann ich sonst noch etwas für Sie tun?',
  anythingElse: 'In Ordnung. Kann ich sonst noch etwas für Sie tun?',
  goodbye: 'Danke für Ihren Anruf. Auf Wiederhören.',
  connecting: 'Ich verbinde Sie mit einem Menschen. Bitte bleiben Sie dran.',
  nobodyThere: 'Leider ist gerade niemand zu erreichen.',
  callBack: 'Jemand von uns ruft Sie unter dieser Nummer zurück.',
  callAgain: 'Ich sehe Ihre Nummer nicht. Bitte rufen Sie später noch einmal an, oder schreiben Sie uns.',
  withPerson: 'Jemand von uns kümmert sich um Ihre Frage.',
  passedOn: 'Ich habe es an den Menschen weitergegeben, der sich darum kümmert.',
  linkTitle: 'Danach haben Sie am Telefon gefragt:',
  yes: [
    'ja',
    'ja bitte',
    'bitte',
    'gerne',
    'ja gerne',
    'gern',
    'ja gern',
    'klar',
    'ok',
    'okay',
    'jawohl',
    'weiter',
    'ja weiter',
    'in ordnung',
    'machen sie das',
  ],
  no: ['nein', 'nein danke', 'nee', 'nö', 'nicht jetzt', 'stopp', 'nichts', 'sonst nichts', 'danke nein'],
  bye: [
    'tschüss',
    'tschüs',
    'auf wiederhören',
    'auf wiedersehen',
    'das wars',
    'das war alles',
    'danke tschüss',
    'danke auf wiederhören',
  ],
};

const spanish: VoiceTexts = {
  greeting: '¡Hola! Pregúnteme lo que quiera y buscaré la respuesta. Pulse cero para hablar con una persona.',
  fillers: ['Un momento, por favor.', 'Sigo buscando.', 'Tarda un poco más, no cuelgue, por favor.'],
  tooLong: 'Lo siento, ahora no lo encuentro. Pregunte otra vez o pulse cero para hablar con una persona.',
  silence: [
    'No he oído nada. ¿Qué desea saber?',
    'Sigo sin oírle. Haga su pregunta o pulse cero para hablar con una persona.',
  ],
  notCaught: 'No le he entendido. ¿Puede repetirlo, por favor?',
  lost: 'Lo siento, lo he perdido. ¿Puede preguntar otra vez, por favor?',
  goOn: '¿Quiere que siga?',
  sendLink: '¿Quiere que le envíe el enlace por SMS? Diga sí o pulse nueve.',
  linkSent: 'Le envío el enlace ahora. ¿Desea algo más?',
  anythingElse: 'De acuerdo. ¿Desea algo más?',
  goodbye: 'Gracias por llamar. Adiós.',
  connecting: 'Le paso con una persona. No cuelgue, por favor.',
  nobodyThere: 'Lo siento, ahora nadie puede atenderle.',
  callBack: 'Alguien de nuestro equipo le llamará a este número.',
  callAgain: 'No veo su número. Llame de nuevo más tarde o escríbanos, por favor.',
  withPerson: 'Una persona de nuestro equipo se ocupa de su pregunta.',
  passedOn: 'Se lo he transmitido a la persona que se ocupa de ello.',
  linkTitle: 'Esto es lo que pidió por teléfono:',
  yes: ['sí', 'si', 'sí por favor', 'por favor', 'claro', 'vale', 'de acuerdo', 'siga', 'continúe'],
  no: ['no', 'no gracias', 'ahora no', 'nada', 'nada más'],
  bye: ['adiós', 'hasta luego', 'eso es todo', 'gracias adiós'],
};

const french: VoiceTexts = {
  greeting:
    'Bonjour ! Posez-moi votre question, je cherche la réponse. Appuyez sur zéro pour parler à une personne.',
  fillers: [
    'Un instant, s’il vous plaît.',
    'Je cherche encore.',
    'Cela prend un peu plus de temps, restez en ligne.',
  ],
  tooLong:
    'Je suis désolé, je ne trouve pas pour le moment. Posez encore votre question, ou appuyez sur zéro pour parler à une personne.',
  silence: [
    'Je n’ai rien entendu. Que voulez-vous savoir ?',
    'Je ne vous entends toujours pas. Posez votre question, ou appuyez sur zéro pour parler à une personne.',
  ],
  notCaught: 'Je n’ai pas compris. Pouvez-vous répéter, s’il vous plaît ?',
  lost: 'Je suis désolé, je l’ai perdu. Pouvez-vous redemander, s’il vous plaît ?',
  goOn: 'Voulez-vous que je continue ?',
  sendLink: 'Voulez-vous recevoir le lien par SMS ? Dites oui, ou appuyez sur neuf.',
  linkSent: 'Je vous envoie le lien. Autre chose ?',
  anythingElse: 'Très bien. Autre chose ?',
  goodbye: 'Merci de votre appel. Au revoir.',
  connecting: 'Je vous mets en relation avec une personne. Restez en ligne.',
  nobodyThere: 'Je suis désolé, personne ne peut prendre votre appel.',
  callBack: 'Quelqu’un de notre équipe vous rappellera à ce numéro.',
  callAgain: 'Je ne vois pas votre numéro. Rappelez plus tard ou écrivez-nous, s’il vous plaît.',
  withPerson: 'Une personne de notre équipe s’occupe de votre question.',
  passedOn: 'Je l’ai transmis à la personne qui s’en occupe.',
  linkTitle: 'Voici ce que vous avez demandé au téléphone :',
  yes: [
    'oui',
    'oui s’il vous plaît',
    's’il vous plaît',
    'volontiers',
    'd’accord',
    'ok',
    'bien sûr',
    'continuez',
  ],
  no: ['non', 'non merci', 'pas maintenant', 'rien', 'rien d’autre'],
  bye: ['au revoir', 'c’est tout', 'merci au revoir'],
};

const byLanguage: Readonly<Record<string, VoiceTexts>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

/** Returns the texts in a language (BCP 47); in English if there is no translation. */
export function voiceTexts(tag: string): VoiceTexts {
  return byLanguage[tag.split('-', 1)[0] ?? ''] ?? english;
}

/** Returns the first sentences of a call. `disclosure` says that a machine answers; it comes first, as callers interrupt. */
export function greetingTexts(
  { settings }: Pick<VoiceAccount, 'settings'>,
  disclosure: string | null,
): readonly string[] {
  const greeting = settings.greeting ?? voiceTexts(settings.language).greeting;
  return disclosure === null ? [greeting] : [disclosure, greeting];
}
