/** The product's own texts in channels, apart from answers. */
interface ChannelTexts {
  readonly greeting: string;
  readonly help: string;
  /** Reply to a message that contains only files. */
  readonly unreadable: string;
  /** Appended to the answer to a message with both text and files. */
  readonly filesUnread: string;
  /** Before the page that may help, if no answer was found. */
  readonly mayHelp: string;
  /** Sent if no answer could be generated. */
  readonly trouble: string;
  /** Sent if the workspace's quota is used up. */
  readonly unavailable: string;
  /** Sent after a person resolved the conversation. */
  readonly askRating: string;
  readonly rated: string;
}

const english: ChannelTexts = {
  greeting:
    'Hello! Ask me anything, and I will look for the answer. Ask for a person whenever you would rather speak to one.',
  help: 'Write your question in your own words. I answer from our documents and name where the answer is from. Ask for a person whenever you would rather speak to one.',
  unreadable: 'I cannot read pictures, recordings and files yet. Please write your question as text.',
  filesUnread: 'I have not seen what you attached: I cannot read pictures, recordings and files yet.',
  mayHelp: 'This may help',
  trouble: 'I could not make an answer just now. Please try again in a moment, or ask to speak to a person.',
  unavailable: 'I cannot answer questions at the moment. Please ask to speak to a person.',
  askRating: 'How did we do? Answer with a number from 1 (bad) to 5 (very good).',
  rated: 'Thank you for your rating.',
};

const texts: Readonly<Record<string, ChannelTexts>> = {
  en: english,
  de: {
    greeting:
      'Hallo! Fragen Sie mich, was Sie möchten, ich suche die Antwort. Fragen Sie nach einem Menschen, wenn Sie lieber mit einem sprechen.',
    help: 'Schreiben Sie Ihre Frage in eigenen Worten. Ich antworte aus unseren Unterlagen und sage, woher die Antwort ist. Fragen Sie nach einem Menschen, wenn Sie lieber mit einem sprechen.',
    unreadable:
      'Bilder, Aufnahmen und Dateien kann ich noch nicht lesen. Bitte schreiben Sie Ihre Frage als Text.',
    filesUnread:
      'Was Sie angehängt haben, habe ich nicht gesehen: Bilder, Aufnahmen und Dateien kann ich noch nicht lesen.',
    mayHelp: 'Das könnte helfen',
    trouble:
      'Ich konnte gerade keine Antwort geben. Bitte versuchen Sie es gleich noch einmal, oder fragen Sie nach einem Menschen.',
    unavailable: 'Ich kann zurzeit keine Fragen beantworten. Bitte fragen Sie nach einem Menschen.',
    askRating: 'Wie zufrieden waren Sie? Antworten Sie mit einer Zahl von 1 (schlecht) bis 5 (sehr gut).',
    rated: 'Vielen Dank für Ihre Bewertung.',
  },
  es: {
    greeting:
      '¡Hola! Pregúnteme lo que quiera y buscaré la respuesta. Si lo prefiere, pida hablar con una persona.',
    help: 'Escriba su pregunta con sus propias palabras. Respondo con nuestros documentos y digo de dónde es la respuesta. Si lo prefiere, pida hablar con una persona.',
    unreadable:
      'Todavía no puedo leer imágenes, grabaciones ni archivos. Escriba su pregunta como texto, por favor.',
    filesUnread: 'No he visto lo que ha adjuntado: todavía no puedo leer imágenes, grabaciones ni archivos.',
    mayHelp: 'Esto puede ayudarle',
    trouble:
      'No he podido responder en este momento. Inténtelo de nuevo dentro de poco o pida hablar con una persona.',
    unavailable: 'En este momento no puedo responder preguntas. Pida hablar con una persona, por favor.',
    askRating: '¿Qué tal lo hemos hecho? Responda con un número del 1 (mal) al 5 (muy bien).',
    rated: 'Gracias por su valoración.',
  },
  fr: {
    greeting:
      'Bonjour ! Posez-moi votre question, je cherche la réponse. Demandez à parler à une personne si vous préférez.',
    help: "Écrivez votre question avec vos propres mots. Je réponds d'après nos documents et j'indique d'où vient la réponse. Demandez à parler à une personne si vous préférez.",
    unreadable:
      'Je ne sais pas encore lire les images, les enregistrements et les fichiers. Écrivez votre question, s’il vous plaît.',
    filesUnread:
      'Je n’ai pas vu ce que vous avez joint : je ne sais pas encore lire les images, les enregistrements et les fichiers.',
    mayHelp: 'Ceci peut vous aider',
    trouble:
      "Je n'ai pas pu répondre à l'instant. Réessayez dans un moment, ou demandez à parler à une personne.",
    unavailable: 'Je ne peux pas répondre aux questions pour le moment. Demandez à parler à une personne.',
    askRating: 'Êtes-vous satisfait de notre aide ? Répondez par un chiffre de 1 (mauvais) à 5 (très bien).',
    rated: 'Merci pour votre note.',
  },
  it: {
    greeting:
      'Salve! Mi chieda quello che vuole e cercherò la risposta. Se preferisce, chieda di parlare con una persona.',
    help: 'Scriva la Sua domanda con parole Sue. Rispondo dai nostri documenti e dico da dove viene la risposta. Se preferisce, chieda di parlare con una persona.',
    unreadable: 'Non so ancora leggere immagini, registrazioni e file. Scriva la Sua domanda, per favore.',
    filesUnread: 'Non ho visto quello che ha allegato: non so ancora leggere immagini, registrazioni e file.',
    mayHelp: 'Questo può aiutare',
    trouble:
      'In questo momento non sono riuscito a rispondere. Riprovi tra poco, o chieda di parlare con una persona.',
    unavailable: 'Al momento non posso rispondere alle domande. Chieda di parlare con una persona.',
    askRating: 'Come siamo andati? Risponda con un numero da 1 (male) a 5 (molto bene).',
    rated: 'Grazie per la Sua valutazione.',
  },
  pt: {
    greeting:
      'Olá! Pergunte o que quiser e eu procuro a resposta. Se preferir, peça para falar com uma pessoa.',
    help: 'Escreva a sua pergunta com as suas palavras. Respondo com base nos nossos documentos e digo de onde vem a resposta. Se preferir, peça para falar com uma pessoa.',
    unreadable: 'Ainda não consigo ler imagens, gravações e arquivos. Escreva a sua pergunta, por favor.',
    filesUnread: 'Não vi o que anexou: ainda não consigo ler imagens, gravações e arquivos.',
    mayHelp: 'Isto pode ajudar',
    trouble:
      'Não consegui responder agora. Tente novamente dentro de momentos ou peça para falar com uma pessoa.',
    unavailable: 'De momento não posso responder a perguntas. Peça para falar com uma pessoa.',
    askRating: 'Como nos saímos? Responda com um número de 1 (mau) a 5 (muito bom).',
    rated: 'Obrigado pela sua avaliação.',
  },
  nl: {
    greeting:
      'Hallo! Vraag me wat u wilt, dan zoek ik het antwoord. Vraag naar een medewerker als u liever met een mens spreekt.',
    help: 'Schrijf uw vraag in uw eigen woorden. Ik antwoord uit onze documenten en zeg waar het antwoord vandaan komt. Vraag naar een medewerker als u liever met een mens spreekt.',
    unreadable: 'Afbeeldingen, opnamen en bestanden kan ik nog niet lezen. Schrijf uw vraag als tekst.',
    filesUnread:
      'Wat u hebt bijgevoegd, heb ik niet gezien: afbeeldingen, opnamen en bestanden kan ik nog niet lezen.',
    mayHelp: 'Dit helpt misschien',
    trouble:
      'Ik kon zojuist geen antwoord geven. Probeer het zo meteen opnieuw, of vraag naar een medewerker.',
    unavailable: 'Ik kan op dit moment geen vragen beantwoorden. Vraag naar een medewerker.',
    askRating: 'Hoe hebben we het gedaan? Antwoord met een cijfer van 1 (slecht) tot 5 (zeer goed).',
    rated: 'Bedankt voor uw beoordeling.',
  },
  pl: {
    greeting:
      'Dzień dobry! Proszę pytać o wszystko, poszukam odpowiedzi. W każdej chwili można poprosić o rozmowę z człowiekiem.',
    help: 'Proszę napisać pytanie własnymi słowami. Odpowiadam na podstawie naszych dokumentów i podaję, skąd pochodzi odpowiedź. W każdej chwili można poprosić o rozmowę z człowiekiem.',
    unreadable: 'Nie umiem jeszcze czytać zdjęć, nagrań i plików. Proszę napisać pytanie jako tekst.',
    filesUnread: 'Nie widzę załączników: nie umiem jeszcze czytać zdjęć, nagrań i plików.',
    mayHelp: 'To może pomóc',
    trouble:
      'Nie udało mi się teraz odpowiedzieć. Proszę spróbować ponownie za chwilę albo poprosić o rozmowę z człowiekiem.',
    unavailable: 'W tej chwili nie mogę odpowiadać na pytania. Proszę poprosić o rozmowę z człowiekiem.',
    askRating:
      'Jak oceniają Państwo naszą pomoc? Proszę odpowiedzieć liczbą od 1 (źle) do 5 (bardzo dobrze).',
    rated: 'Dziękujemy za ocenę.',
  },
  tr: {
    greeting:
      'Merhaba! Bana istediğinizi sorun, yanıtını arayayım. Dilerseniz bir kişiyle görüşmek istediğinizi söyleyin.',
    help: 'Sorunuzu kendi sözlerinizle yazın. Belgelerimizden yanıt verir ve yanıtın nereden geldiğini söylerim. Dilerseniz bir kişiyle görüşmek istediğinizi söyleyin.',
    unreadable: 'Resimleri, kayıtları ve dosyaları henüz okuyamıyorum. Lütfen sorunuzu metin olarak yazın.',
    filesUnread: 'Eklediklerinizi görmedim: resimleri, kayıtları ve dosyaları henüz okuyamıyorum.',
    mayHelp: 'Bu yardımcı olabilir',
    trouble:
      'Şu anda yanıt veremedim. Lütfen birazdan yeniden deneyin ya da bir kişiyle görüşmek istediğinizi söyleyin.',
    unavailable: 'Şu anda soruları yanıtlayamıyorum. Lütfen bir kişiyle görüşmek istediğinizi söyleyin.',
    askRating: 'Sizce nasıldık? 1 (kötü) ile 5 (çok iyi) arasında bir sayıyla yanıtlayın.',
    rated: 'Değerlendirmeniz için teşekkürler.',
  },
  ar: {
    greeting: 'مرحبًا! اسألني ما تشاء وسأبحث عن الإجابة. يمكنك في أي وقت طلب التحدث إلى شخص.',
    help: 'اكتب سؤالك بكلماتك. أجيب من مستنداتنا وأذكر مصدر الإجابة. يمكنك في أي وقت طلب التحدث إلى شخص.',
    unreadable: 'لا أستطيع بعد قراءة الصور والتسجيلات والملفات. يرجى كتابة سؤالك نصًا.',
    filesUnread: 'لم أطّلع على ما أرفقته: لا أستطيع بعد قراءة الصور والتسجيلات والملفات.',
    mayHelp: 'قد يفيدك هذا',
    trouble: 'لم أتمكن من الإجابة الآن. يرجى المحاولة مرة أخرى بعد قليل، أو طلب التحدث إلى شخص.',
    unavailable: 'لا يمكنني الإجابة عن الأسئلة في الوقت الحالي. يرجى طلب التحدث إلى شخص.',
    askRating: 'كيف كانت مساعدتنا؟ أجب برقم من 1 (سيئة) إلى 5 (جيدة جدًا).',
    rated: 'شكرًا على تقييمك.',
  },
  ja: {
    greeting:
      'こんにちは。ご質問をどうぞ。答えをお探しします。担当者との会話をご希望の場合は、いつでもお申し付けください。',
    help: 'ご質問をご自身の言葉でお書きください。当社の資料からお答えし、出典をお示しします。担当者との会話をご希望の場合は、いつでもお申し付けください。',
    unreadable: '画像、録音、ファイルはまだ読み取れません。ご質問を文章でお書きください。',
    filesUnread: '添付されたものは確認できていません。画像、録音、ファイルはまだ読み取れません。',
    mayHelp: '参考になるかもしれません',
    trouble:
      'ただいまお答えできませんでした。しばらくしてからもう一度お試しになるか、担当者との会話をご希望ください。',
    unavailable: '現在、ご質問にお答えできません。担当者との会話をご希望ください。',
    askRating: '対応はいかがでしたか。1（悪い）から5（とても良い）までの数字でお答えください。',
    rated: '評価をありがとうございます。',
  },
  zh: {
    greeting: '您好！请随意提问，我来查找答案。如果您想与人工客服交谈，请随时告诉我。',
    help: '请用您自己的话写下问题。我会根据我们的文档回答，并说明答案的出处。如果您想与人工客服交谈，请随时告诉我。',
    unreadable: '我还无法读取图片、录音和文件。请用文字写下您的问题。',
    filesUnread: '我没有看到您附上的内容：我还无法读取图片、录音和文件。',
    mayHelp: '这些内容可能有帮助',
    trouble: '我刚才没能回答。请稍后再试，或者要求与人工客服交谈。',
    unavailable: '我现在无法回答问题。请要求与人工客服交谈。',
    askRating: '您对我们的服务满意吗？请回复 1（差）到 5（非常好）之间的数字。',
    rated: '感谢您的评价。',
  },
};

/** Returns the texts in a language (ISO 639-1), or in English if there is no translation. */
export function findChannelTexts(language: string): ChannelTexts {
  return texts[language] ?? english;
}
