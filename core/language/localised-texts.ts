import { detectLanguage } from './language.ts';

const englishFallback =
  'I could not find an answer to that in the documents I have. Please try other words, or ask to speak to a person.';

const fallbackMessages: Readonly<Record<string, string>> = {
  en: englishFallback,
  de: 'Dazu habe ich in meinen Unterlagen keine Antwort gefunden. Bitte versuchen Sie es mit anderen Worten, oder fragen Sie nach einem Menschen.',
  es: 'No he encontrado una respuesta en los documentos que tengo. Pruebe con otras palabras o pida hablar con una persona.',
  fr: "Je n'ai pas trouvé de réponse dans les documents dont je dispose. Essayez avec d'autres mots, ou demandez à parler à une personne.",
  it: 'Non ho trovato una risposta nei documenti che ho. Provi con altre parole, o chieda di parlare con una persona.',
  pt: 'Não encontrei uma resposta nos documentos que tenho. Tente com outras palavras ou peça para falar com uma pessoa.',
  nl: 'Ik heb daarop geen antwoord gevonden in de documenten die ik heb. Probeer het met andere woorden, of vraag naar een medewerker.',
  pl: 'Nie znalazłem na to odpowiedzi w dokumentach, które mam. Proszę spróbować innymi słowami albo poprosić o rozmowę z człowiekiem.',
  sv: 'Jag hittade inget svar på det i de dokument jag har. Försök med andra ord, eller be att få tala med en person.',
  ro: 'Nu am găsit un răspuns în documentele pe care le am. Încercați cu alte cuvinte sau cereți să vorbiți cu o persoană.',
  tr: 'Elimdeki belgelerde buna bir yanıt bulamadım. Lütfen başka sözcüklerle deneyin ya da bir kişiyle görüşmek istediğinizi söyleyin.',
  vi: 'Tôi không tìm thấy câu trả lời trong các tài liệu hiện có. Vui lòng thử diễn đạt khác, hoặc yêu cầu gặp nhân viên.',
  ru: 'Я не нашёл ответа на это в имеющихся документах. Попробуйте спросить другими словами или попросите связать вас с человеком.',
  uk: 'Я не знайшов відповіді на це в наявних документах. Спробуйте запитати іншими словами або попросіть зʼєднати вас з людиною.',
  el: 'Δεν βρήκα απάντηση στα έγγραφα που έχω. Δοκιμάστε με άλλα λόγια ή ζητήστε να μιλήσετε με έναν άνθρωπο.',
  ar: 'لم أجد إجابة عن ذلك في المستندات المتوفرة لدي. يرجى المحاولة بكلمات أخرى، أو طلب التحدث إلى شخص.',
  he: 'לא מצאתי לכך תשובה במסמכים שברשותי. נסו במילים אחרות, או בקשו לדבר עם נציג.',
  hi: 'मेरे पास मौजूद दस्तावेज़ों में मुझे इसका उत्तर नहीं मिला। कृपया दूसरे शब्दों में पूछें, या किसी व्यक्ति से बात करने के लिए कहें।',
  th: 'ฉันไม่พบคำตอบในเอกสารที่มีอยู่ โปรดลองใช้คำอื่น หรือขอพูดคุยกับเจ้าหน้าที่',
  zh: '我在现有文档中没有找到答案。请换一种说法再试，或者要求与人工客服交谈。',
  ja: '手元の資料には答えが見つかりませんでした。別の言葉でお試しになるか、担当者との会話をご希望ください。',
  ko: '보유한 문서에서 답을 찾지 못했습니다. 다른 표현으로 다시 질문하시거나 상담원 연결을 요청해 주세요.',
};

/**
 * Returns the fallback message in the wanted language (ISO 639-1) if there is a translation, otherwise in the language of
 * the question, otherwise in English.
 */
export function fallbackMessage(question: string, locale: string | null = null): string {
  const translated = locale === null ? undefined : fallbackMessages[locale];
  return translated ?? fallbackMessages[detectLanguage(question).code] ?? englishFallback;
}

/** Returns the fallback message in a language (ISO 639-1), or in English if there is no translation. */
export function builtInFallbackMessage(language: string): string {
  return fallbackMessages[language] ?? englishFallback;
}

/** The fallback messages of a workspace's settings, by language and for all languages. */
interface OwnFallbacks {
  readonly fallback_messages?: Readonly<Record<string, string>> | undefined;
  readonly fallback_message?: string | null | undefined;
}

/** Returns the workspace's own fallback message for a language (ISO 639-1), or null if the built-in one counts. */
export function ownFallbackMessage(
  { fallback_messages: own = {}, fallback_message: forAll }: OwnFallbacks,
  language: string,
): string | null {
  const [, text] = Object.entries(own).find(([code]) => code === language) ?? [];
  return text ?? forAll ?? null;
}

const englishMissingPart = 'I found no answer to this in the documents I have.';

const missingPartMessages: Readonly<Record<string, string>> = {
  en: englishMissingPart,
  de: 'Dazu habe ich in meinen Unterlagen keine Antwort gefunden.',
  es: 'No he encontrado una respuesta a esto en los documentos que tengo.',
  fr: "Je n'ai pas trouvé de réponse à cela dans les documents dont je dispose.",
  it: 'Non ho trovato una risposta a questo nei documenti che ho.',
  pt: 'Não encontrei uma resposta a isto nos documentos que tenho.',
  nl: 'Ik heb hierop geen antwoord gevonden in de documenten die ik heb.',
  pl: 'Nie ma na to odpowiedzi w dokumentach, które mam.',
  tr: 'Elimdeki belgelerde buna bir yanıt bulamadım.',
  ar: 'لم أجد إجابة عن هذا في المستندات المتوفرة لدي.',
  ja: 'これについては、手元の資料に答えが見つかりませんでした。',
  zh: '对此我在现有文档中没有找到答案。',
};

/** Returns the message below one of several questions that has no answer, in the language of that question. */
export function missingPartMessage(question: string): string {
  return missingPartMessages[detectLanguage(question).code] ?? englishMissingPart;
}

const englishSignIn = 'For that I have to know for sure who you are. Please sign in and ask again.';

const signInMessages: Readonly<Record<string, string>> = {
  en: englishSignIn,
  de: 'Dafür muss ich sicher wissen, wer Sie sind. Bitte melden Sie sich an und fragen Sie noch einmal.',
  es: 'Para eso necesito saber con certeza quién es usted. Inicie sesión y pregunte de nuevo.',
  fr: "Pour cela, je dois savoir avec certitude qui vous êtes. Connectez-vous et posez la question à nouveau, s'il vous plaît.",
  it: 'Per questo devo sapere con certezza chi è lei. Acceda e chieda di nuovo.',
  pt: 'Para isso preciso de saber com certeza quem é. Inicie sessão e pergunte de novo.',
  nl: 'Daarvoor moet ik zeker weten wie u bent. Meld u aan en vraag het opnieuw.',
  pl: 'Do tego muszę mieć pewność, kim Pan lub Pani jest. Proszę się zalogować i zapytać ponownie.',
  tr: 'Bunun için kim olduğunuzu kesin olarak bilmem gerekiyor. Lütfen oturum açıp yeniden sorun.',
  ar: 'لذلك يجب أن أعرف على وجه اليقين من أنت. يرجى تسجيل الدخول والسؤال مرة أخرى.',
  ja: 'そのためには、ご本人であることを確認する必要があります。ログインしてからもう一度お尋ねください。',
  zh: '为此我需要确认您的身份。请登录后再次提问。',
};

/** Returns the message in a language (ISO 639-1), or in English if there is no translation. */
export function signInMessage(language: string): string {
  return signInMessages[language] ?? englishSignIn;
}
