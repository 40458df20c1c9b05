const english = 'For that I have to know for sure who you are. Please sign in and ask again.';

const messages: Readonly<Record<string, string>> = {
  en: english,
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

/** In a language (ISO 639-1) where it is one of these, else in English. */
export function signInMessage(language: string): string {
  return messages[language] ?? english;
}
