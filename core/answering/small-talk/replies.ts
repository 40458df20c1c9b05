import type { SmallTalk } from './small-talk.ts';

/** `{name}` is the workspace, `{topics}` a list of documents. */
type Replies = Readonly<Record<SmallTalk['kind'] | 'topics' | 'person', string>>;

const english: Replies = {
  greeting: 'Hello, and welcome to {name}. What would you like to know?',
  wellBeing: 'I am doing well, thank you for asking. What can I do for you?',
  thanks: 'You are welcome. If anything else comes up, just ask.',
  praise: 'I am glad to hear that. If anything else comes up, just ask.',
  goodbye: 'Goodbye, and all the best from {name}.',
  okay: 'All right. What else would you like to know?',
  no: 'All right. If anything else comes up, just ask.',
  bot: 'I am the automated assistant of {name}, not a human being. I answer questions from its documents.',
  abilities:
    'I am the automated assistant of {name}: I answer questions from its documents and name the source. Just write your question in your own words.',
  upset:
    'I am sorry that this is not going well. If you tell me in other words what you need, I will look again.',
  topics: 'You can ask me, for example, about: {topics}.',
  person: 'Would you like me to bring in a person from the team?',
};

const replies: Readonly<Record<string, Replies>> = {
  en: english,
  de: {
    greeting: 'Guten Tag und willkommen bei {name}. Was möchten Sie wissen?',
    wellBeing: 'Danke der Nachfrage, mir geht es gut. Was kann ich für Sie tun?',
    thanks: 'Gern geschehen. Wenn Sie noch etwas wissen möchten, fragen Sie einfach.',
    praise: 'Das freut mich. Wenn Sie noch etwas wissen möchten, fragen Sie einfach.',
    goodbye: 'Auf Wiedersehen und alles Gute von {name}.',
    okay: 'Gut. Was möchten Sie noch wissen?',
    no: 'In Ordnung. Wenn Sie noch etwas wissen möchten, fragen Sie einfach.',
    bot: 'Ich bin der automatische Assistent von {name}, kein Mensch. Ich beantworte Fragen aus den Unterlagen.',
    abilities:
      'Ich bin der automatische Assistent von {name}: Ich beantworte Fragen aus den Unterlagen und nenne die Quelle. Schreiben Sie Ihre Frage einfach in eigenen Worten.',
    upset:
      'Es tut mir leid, dass das gerade nicht gut läuft. Wenn Sie mir mit anderen Worten sagen, was Sie brauchen, suche ich noch einmal.',
    topics: 'Sie können mich zum Beispiel hierzu fragen: {topics}.',
    person: 'Möchten Sie, dass ich jemanden aus dem Team dazuhole?',
  },
  es: {
    greeting: 'Hola, le damos la bienvenida a {name}. ¿Qué le gustaría saber?',
    wellBeing: 'Muy bien, gracias por preguntar. ¿En qué puedo ayudarle?',
    thanks: 'De nada. Si necesita algo más, solo tiene que preguntar.',
    praise: 'Me alegra saberlo. Si necesita algo más, solo tiene que preguntar.',
    goodbye: 'Hasta pronto, y un saludo de {name}.',
    okay: 'De acuerdo. ¿Qué más le gustaría saber?',
    no: 'De acuerdo. Si necesita algo más, solo tiene que preguntar.',
    bot: 'Soy el asistente automático de {name}, no una persona. Respondo a partir de sus documentos.',
    abilities:
      'Soy el asistente automático de {name}: respondo a partir de sus documentos e indico la fuente. Escriba su pregunta con sus propias palabras.',
    upset: 'Siento que esto no vaya bien. Si me dice con otras palabras lo que necesita, volveré a buscar.',
    topics: 'Puede preguntarme, por ejemplo, sobre: {topics}.',
    person: '¿Quiere que avise a una persona del equipo?',
  },
  fr: {
    greeting: 'Bonjour et bienvenue chez {name}. Que souhaitez-vous savoir ?',
    wellBeing: 'Je vais bien, merci de demander. Que puis-je faire pour vous ?',
    thanks: "Je vous en prie. Si vous avez d'autres questions, n'hésitez pas.",
    praise: "J'en suis ravi. Si vous avez d'autres questions, n'hésitez pas.",
    goodbye: 'Au revoir, et à bientôt chez {name}.',
    okay: "D'accord. Que souhaitez-vous savoir d'autre ?",
    no: "D'accord. Si vous avez d'autres questions, n'hésitez pas.",
    bot: "Je suis l'assistant automatique de {name}, pas un être humain. Je réponds à partir de ses documents.",
    abilities:
      "Je suis l'assistant automatique de {name} : je réponds à partir de ses documents et j'indique la source. Écrivez votre question avec vos propres mots.",
    upset:
      'Je suis désolé que cela ne se passe pas bien. Si vous me dites autrement ce dont vous avez besoin, je chercherai encore.',
    topics: "Vous pouvez m'interroger par exemple sur : {topics}.",
    person: "Voulez-vous que je fasse venir une personne de l'équipe ?",
  },
  it: {
    greeting: 'Salve, le diamo il benvenuto da {name}. Che cosa desidera sapere?',
    wellBeing: 'Bene, grazie per averlo chiesto. Che cosa posso fare per Lei?',
    thanks: 'Prego. Se ha altre domande, chieda pure.',
    praise: 'Mi fa piacere. Se ha altre domande, chieda pure.',
    goodbye: 'Arrivederci, e un saluto da {name}.',
    okay: "Va bene. Che cos'altro desidera sapere?",
    no: 'Va bene. Se ha altre domande, chieda pure.',
    bot: "Sono l'assistente automatico di {name}, non una persona. Rispondo in base ai suoi documenti.",
    abilities:
      "Sono l'assistente automatico di {name}: rispondo in base ai suoi documenti e indico la fonte. Scriva la Sua domanda con parole Sue.",
    upset:
      'Mi dispiace che non stia andando bene. Se mi dice con altre parole di che cosa ha bisogno, cerco di nuovo.',
    topics: 'Può chiedermi, per esempio, di: {topics}.',
    person: 'Desidera che chiami una persona del team?',
  },
  pt: {
    greeting: 'Olá, boas-vindas a {name}. O que gostaria de saber?',
    wellBeing: 'Tudo bem, obrigado por perguntar. Em que posso ajudar?',
    thanks: 'De nada. Se tiver mais alguma dúvida, é só perguntar.',
    praise: 'Fico feliz em saber. Se tiver mais alguma dúvida, é só perguntar.',
    goodbye: 'Até breve, e tudo de bom da parte de {name}.',
    okay: 'Certo. O que mais gostaria de saber?',
    no: 'Certo. Se tiver mais alguma dúvida, é só perguntar.',
    bot: 'Sou o assistente automático de {name}, não uma pessoa. Respondo com base nos seus documentos.',
    abilities:
      'Sou o assistente automático de {name}: respondo com base nos seus documentos e indico a fonte. Escreva a sua pergunta com as suas palavras.',
    upset:
      'Lamento que não esteja a correr bem. Se me disser com outras palavras do que precisa, procuro de novo.',
    topics: 'Pode perguntar-me, por exemplo, sobre: {topics}.',
    person: 'Gostaria que eu chamasse uma pessoa da equipe?',
  },
  nl: {
    greeting: 'Goedendag en welkom bij {name}. Wat wilt u weten?',
    wellBeing: 'Goed, bedankt voor het vragen. Wat kan ik voor u doen?',
    thanks: 'Graag gedaan. Als u nog iets wilt weten, vraag het gerust.',
    praise: 'Fijn om te horen. Als u nog iets wilt weten, vraag het gerust.',
    goodbye: 'Tot ziens, en alle goeds van {name}.',
    okay: 'Goed. Wat wilt u nog meer weten?',
    no: 'Goed. Als u nog iets wilt weten, vraag het gerust.',
    bot: 'Ik ben de automatische assistent van {name}, geen mens. Ik beantwoord vragen uit de documenten.',
    abilities:
      'Ik ben de automatische assistent van {name}: ik beantwoord vragen uit de documenten en noem de bron. Schrijf uw vraag in uw eigen woorden.',
    upset:
      'Het spijt me dat dit niet goed gaat. Als u mij met andere woorden zegt wat u nodig hebt, zoek ik opnieuw.',
    topics: 'U kunt mij bijvoorbeeld vragen over: {topics}.',
    person: 'Wilt u dat ik iemand van het team erbij haal?',
  },
  pl: {
    greeting: 'Dzień dobry, tu {name}. W czym mogę pomóc?',
    wellBeing: 'Wszystko dobrze, dziękuję. W czym mogę pomóc?',
    thanks: 'Nie ma za co. W razie dalszych pytań proszę śmiało pytać.',
    praise: 'Cieszę się. W razie dalszych pytań proszę śmiało pytać.',
    goodbye: 'Do widzenia, wszystkiego dobrego od {name}.',
    okay: 'Dobrze. Czego jeszcze można się ode mnie dowiedzieć? Proszę pytać.',
    no: 'Dobrze. W razie dalszych pytań proszę śmiało pytać.',
    bot: 'Jestem automatycznym asystentem {name}, nie człowiekiem. Odpowiadam na podstawie dokumentów.',
    abilities:
      'Jestem automatycznym asystentem {name}: odpowiadam na podstawie dokumentów i podaję źródło. Proszę napisać pytanie własnymi słowami.',
    upset:
      'Przykro mi, że nie idzie to dobrze. Proszę napisać innymi słowami, czego potrzeba, a poszukam jeszcze raz.',
    topics: 'Można mnie zapytać na przykład o: {topics}.',
    person: 'Czy mam poprosić kogoś z zespołu?',
  },
  tr: {
    greeting: 'Merhaba, {name} size hoş geldiniz der. Ne öğrenmek istersiniz?',
    wellBeing: 'İyiyim, sorduğunuz için teşekkür ederim. Size nasıl yardımcı olabilirim?',
    thanks: 'Rica ederim. Başka bir sorunuz olursa sormanız yeterli.',
    praise: 'Bunu duyduğuma sevindim. Başka bir sorunuz olursa sormanız yeterli.',
    goodbye: 'Hoşça kalın, {name} iyi günler diler.',
    okay: 'Tamam. Başka ne öğrenmek istersiniz?',
    no: 'Tamam. Başka bir sorunuz olursa sormanız yeterli.',
    bot: 'Ben {name} için çalışan otomatik bir asistanım, insan değilim. Belgelerden yanıt veririm.',
    abilities:
      'Ben {name} için çalışan otomatik bir asistanım: belgelerden yanıt verir ve kaynağı belirtirim. Sorunuzu kendi sözlerinizle yazın.',
    upset:
      'İşlerin yolunda gitmemesine üzüldüm. Neye ihtiyacınız olduğunu başka sözcüklerle yazarsanız yeniden ararım.',
    topics: 'Bana örneğin şunları sorabilirsiniz: {topics}.',
    person: 'Ekipten birini çağırmamı ister misiniz?',
  },
  ar: {
    greeting: 'مرحبًا بك في {name}. ما الذي تود معرفته؟',
    wellBeing: 'أنا بخير، شكرًا على سؤالك. كيف يمكنني مساعدتك؟',
    thanks: 'على الرحب والسعة. إذا كان لديك سؤال آخر فلا تتردد.',
    praise: 'يسعدني سماع ذلك. إذا كان لديك سؤال آخر فلا تتردد.',
    goodbye: 'إلى اللقاء، مع أطيب التحيات من {name}.',
    okay: 'حسنًا. ما الذي تود معرفته أيضًا؟',
    no: 'حسنًا. إذا كان لديك سؤال آخر فلا تتردد.',
    bot: 'أنا المساعد الآلي لدى {name} ولست إنسانًا. أجيب عن الأسئلة من المستندات.',
    abilities: 'أنا المساعد الآلي لدى {name}: أجيب عن الأسئلة من المستندات وأذكر المصدر. اكتب سؤالك بكلماتك.',
    upset: 'يؤسفني أن الأمور لا تسير على ما يرام. إذا كتبت لي ما تحتاجه بكلمات أخرى فسأبحث من جديد.',
    topics: 'يمكنك أن تسألني مثلًا عن: {topics}.',
    person: 'هل تريد أن أطلب شخصًا من الفريق؟',
  },
  ja: {
    greeting: 'こんにちは。{name}へようこそ。何をお知りになりたいですか。',
    wellBeing: 'お気遣いありがとうございます。元気です。どのようなご用件でしょうか。',
    thanks: 'どういたしまして。ほかにもご質問があれば、いつでもどうぞ。',
    praise: 'それはよかったです。ほかにもご質問があれば、いつでもどうぞ。',
    goodbye: 'ご利用ありがとうございました。{name}でまたお待ちしております。',
    okay: '承知しました。ほかに何をお知りになりたいですか。',
    no: '承知しました。ほかにもご質問があれば、いつでもどうぞ。',
    bot: '私は{name}の自動アシスタントで、人間ではありません。資料をもとにご質問にお答えします。',
    abilities:
      '私は{name}の自動アシスタントです。資料をもとにご質問にお答えし、出典をお示しします。ご質問をご自身の言葉でお書きください。',
    upset:
      'お役に立てず申し訳ありません。お知りになりたいことを別の言葉で書いていただければ、もう一度お探しします。',
    topics: '例えば、次のことをお尋ねいただけます：{topics}。',
    person: '担当者をお呼びしましょうか。',
  },
  zh: {
    greeting: '您好，欢迎来到{name}。您想了解什么？',
    wellBeing: '我很好，谢谢您的关心。有什么可以帮您？',
    thanks: '不客气。如果还有其他问题，请随时提问。',
    praise: '很高兴听到您这么说。如果还有其他问题，请随时提问。',
    goodbye: '再见，{name}祝您一切顺利。',
    okay: '好的。您还想了解什么？',
    no: '好的。如果还有其他问题，请随时提问。',
    bot: '我是{name}的自动助手，不是真人。我根据文档回答问题。',
    abilities: '我是{name}的自动助手：我根据文档回答问题，并注明出处。请用您自己的话写下问题。',
    upset: '很抱歉没能帮上忙。请换一种说法告诉我您需要什么，我再查找一次。',
    topics: '例如，您可以问我：{topics}。',
    person: '需要我请团队里的同事来帮您吗？',
  },
};

interface Occasion {
  readonly workspaceName: string;
  /** The titles of documents that the visitor may read, to be named as topics. */
  readonly topics: readonly string[];
  /** Whether a person can be offered. */
  readonly offersPerson: boolean;
}

const NAMES_TOPICS: readonly SmallTalk['kind'][] = ['greeting', 'abilities'];
const OFFERS_PERSON: readonly SmallTalk['kind'][] = ['upset', 'bot'];

export function namesTopics({ kind }: SmallTalk): boolean {
  return NAMES_TOPICS.includes(kind);
}

/** Returns whether the reply offers a person where there is one. */
export function callsForPerson({ kind }: SmallTalk): boolean {
  return OFFERS_PERSON.includes(kind);
}

/** Returns the reply to small talk: one to three sentences. */
export function smallTalkReply({ kind, language }: SmallTalk, occasion: Occasion): string {
  const texts = replies[language] ?? english;
  const sentences = [
    texts[kind].replace('{name}', () => occasion.workspaceName),
    topicsSentence(occasion.topics, language),
    occasion.offersPerson ? texts.person : '',
  ];
  return joinSentences(sentences, language);
}

/** Names what can be asked. Empty without titles, and in a language that has no such sentence. */
export function topicsSentence(titles: readonly string[], language: string): string {
  const text = replies[language]?.topics;
  if (text === undefined || titles.length === 0) return '';
  const separator = language === 'ja' || language === 'zh' ? '；' : language === 'ar' ? '؛ ' : '; ';
  return text.replace('{topics}', () => titles.join(separator));
}

/** Joins the sentences that are not empty. */
export function joinSentences(sentences: readonly string[], language: string): string {
  const gap = language === 'ja' || language === 'zh' ? '' : ' ';
  return sentences.filter((sentence) => sentence !== '').join(gap);
}
