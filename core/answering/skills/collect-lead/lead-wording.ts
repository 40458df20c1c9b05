/** The texts of the skill. Every request for data and every confirmation states its purpose. */
interface LeadWording {
  readonly askForAll: string;
  /** The visitor's name is known. */
  readonly askForContact: (name: string) => string;
  /** `details` are the visitor's details as written. */
  readonly noted: (details: string) => string;
  /** The visitor's contact details are already known. */
  readonly requestNoted: string;
  readonly askForName: string;
  readonly nameNoted: (name: string) => string;
  readonly declined: string;
  /** The visitor's contact details were stored before. */
  readonly nameDeclined: string;
  /** After the last attempt without contact details. */
  readonly gaveUp: string;
}

const english: LeadWording = {
  askForAll:
    'Please tell me your name and an e-mail address or a phone number, so that our team can get in touch with you.',
  askForContact: (name) =>
    `Thank you, ${name}. Please tell me an e-mail address or a phone number, so that our team can get in touch with you.`,
  noted: (details) =>
    `Thank you. I have noted ${details}, so that our team can get in touch with you. Someone will contact you.`,
  requestNoted:
    'Thank you. I have noted your request. Our team will get in touch with you through the contact details that we have of you.',
  askForName: 'What is your name, so that our team knows whom to ask for?',
  nameNoted: (name) =>
    `Thank you, ${name}. I have noted your name, so that our team can get in touch with you.`,
  declined: 'All right. I have not noted any contact details.',
  nameDeclined: 'All right, without a name then. Our team will get in touch with you.',
  gaveUp:
    'Without an e-mail address or a phone number our team cannot get in touch with you. You can ask me for it again at any time.',
};

const wordings: Readonly<Record<string, LeadWording>> = {
  en: english,
  de: {
    askForAll:
      'Bitte nennen Sie mir Ihren Namen und eine E-Mail-Adresse oder Telefonnummer, damit unser Team sich bei Ihnen melden kann.',
    askForContact: (name) =>
      `Danke, ${name}. Bitte nennen Sie mir eine E-Mail-Adresse oder Telefonnummer, damit unser Team sich bei Ihnen melden kann.`,
    noted: (details) =>
      `Danke. Ich habe ${details} notiert, damit unser Team sich bei Ihnen melden kann. Jemand wird sich bei Ihnen melden.`,
    requestNoted:
      'Danke. Ich habe Ihre Bitte notiert. Unser Team meldet sich bei Ihnen über die Kontaktdaten, die wir von Ihnen haben.',
    askForName: 'Wie heißen Sie, damit unser Team weiß, nach wem es fragen soll?',
    nameNoted: (name) =>
      `Danke, ${name}. Ich habe Ihren Namen notiert, damit unser Team sich bei Ihnen melden kann.`,
    declined: 'In Ordnung. Ich habe keine Kontaktdaten notiert.',
    nameDeclined: 'In Ordnung, dann ohne Namen. Unser Team meldet sich bei Ihnen.',
    gaveUp:
      'Ohne E-Mail-Adresse oder Telefonnummer kann unser Team sich nicht bei Ihnen melden. Sie können mich jederzeit wieder darum bitten.',
  },
  es: {
    askForAll:
      'Dígame su nombre y un correo electrónico o un teléfono, para que nuestro equipo pueda ponerse en contacto con usted.',
    askForContact: (name) =>
      `Gracias, ${name}. Dígame un correo electrónico o un teléfono, para que nuestro equipo pueda ponerse en contacto con usted.`,
    noted: (details) =>
      `Gracias. He anotado ${details}, para que nuestro equipo pueda ponerse en contacto con usted. Alguien le contactará.`,
    requestNoted:
      'Gracias. He anotado su petición. Nuestro equipo se pondrá en contacto con usted por los datos que ya tenemos.',
    askForName: '¿Cómo se llama, para que nuestro equipo sepa por quién preguntar?',
    nameNoted: (name) =>
      `Gracias, ${name}. He anotado su nombre, para que nuestro equipo pueda ponerse en contacto con usted.`,
    declined: 'De acuerdo. No he anotado ningún dato de contacto.',
    nameDeclined: 'De acuerdo, sin nombre entonces. Nuestro equipo se pondrá en contacto con usted.',
    gaveUp:
      'Sin un correo electrónico o un teléfono, nuestro equipo no puede ponerse en contacto con usted. Puede pedírmelo de nuevo cuando quiera.',
  },
  fr: {
    askForAll:
      'Indiquez-moi votre nom et une adresse e-mail ou un numéro de téléphone, afin que notre équipe puisse vous contacter.',
    askForContact: (name) =>
      `Merci, ${name}. Indiquez-moi une adresse e-mail ou un numéro de téléphone, afin que notre équipe puisse vous contacter.`,
    noted: (details) =>
      `Merci. J'ai noté ${details}, afin que notre équipe puisse vous contacter. Quelqu'un vous contactera.`,
    requestNoted:
      "Merci. J'ai noté votre demande. Notre équipe vous contactera par les coordonnées que nous avons de vous.",
    askForName: 'Quel est votre nom, afin que notre équipe sache qui demander ?',
    nameNoted: (name) => `Merci, ${name}. J'ai noté votre nom, afin que notre équipe puisse vous contacter.`,
    declined: "D'accord. Je n'ai noté aucune coordonnée.",
    nameDeclined: "D'accord, sans nom alors. Notre équipe vous contactera.",
    gaveUp:
      'Sans adresse e-mail ni numéro de téléphone, notre équipe ne peut pas vous contacter. Vous pouvez me le redemander à tout moment.',
  },
  it: {
    askForAll:
      'Mi dica il Suo nome e un indirizzo e-mail o un numero di telefono, così il nostro team può mettersi in contatto con Lei.',
    askForContact: (name) =>
      `Grazie, ${name}. Mi dica un indirizzo e-mail o un numero di telefono, così il nostro team può mettersi in contatto con Lei.`,
    noted: (details) =>
      `Grazie. Ho annotato ${details}, così il nostro team può mettersi in contatto con Lei. Qualcuno La contatterà.`,
    requestNoted:
      'Grazie. Ho annotato la Sua richiesta. Il nostro team La contatterà ai recapiti che abbiamo di Lei.',
    askForName: 'Come si chiama, così il nostro team sa di chi chiedere?',
    nameNoted: (name) =>
      `Grazie, ${name}. Ho annotato il Suo nome, così il nostro team può mettersi in contatto con Lei.`,
    declined: "D'accordo. Non ho annotato nessun recapito.",
    nameDeclined: "D'accordo, allora senza nome. Il nostro team La contatterà.",
    gaveUp:
      'Senza un indirizzo e-mail o un numero di telefono il nostro team non può contattarLa. Può chiedermelo di nuovo in qualsiasi momento.',
  },
  pt: {
    askForAll:
      'Diga-me o seu nome e um e-mail ou um telefone, para que a nossa equipe possa entrar em contato com você.',
    askForContact: (name) =>
      `Obrigado, ${name}. Diga-me um e-mail ou um telefone, para que a nossa equipe possa entrar em contato com você.`,
    noted: (details) =>
      `Obrigado. Anotei ${details}, para que a nossa equipe possa entrar em contato com você. Alguém fará contato.`,
    requestNoted:
      'Obrigado. Anotei o seu pedido. A nossa equipe entrará em contato com você pelos dados que já temos.',
    askForName: 'Qual é o seu nome, para que a nossa equipe saiba por quem perguntar?',
    nameNoted: (name) =>
      `Obrigado, ${name}. Anotei o seu nome, para que a nossa equipe possa entrar em contato com você.`,
    declined: 'Tudo bem. Não anotei nenhum dado de contato.',
    nameDeclined: 'Tudo bem, sem nome então. A nossa equipe entrará em contato com você.',
    gaveUp:
      'Sem um e-mail ou um telefone, a nossa equipe não pode entrar em contato com você. Pode pedir de novo quando quiser.',
  },
  nl: {
    askForAll:
      'Wat is uw naam en een e-mailadres of telefoonnummer, zodat ons team contact met u kan opnemen?',
    askForContact: (name) =>
      `Dank u, ${name}. Wat is een e-mailadres of telefoonnummer, zodat ons team contact met u kan opnemen?`,
    noted: (details) =>
      `Dank u. Ik heb ${details} genoteerd, zodat ons team contact met u kan opnemen. Er neemt iemand contact met u op.`,
    requestNoted:
      'Dank u. Ik heb uw verzoek genoteerd. Ons team neemt contact met u op via de gegevens die we van u hebben.',
    askForName: 'Wat is uw naam, zodat ons team weet naar wie het moet vragen?',
    nameNoted: (name) =>
      `Dank u, ${name}. Ik heb uw naam genoteerd, zodat ons team contact met u kan opnemen.`,
    declined: 'Goed. Ik heb geen contactgegevens genoteerd.',
    nameDeclined: 'Goed, dan zonder naam. Ons team neemt contact met u op.',
    gaveUp:
      'Zonder e-mailadres of telefoonnummer kan ons team geen contact met u opnemen. U kunt er altijd opnieuw om vragen.',
  },
  pl: {
    askForAll:
      'Proszę podać imię i nazwisko oraz adres e-mail lub numer telefonu, aby nasz zespół mógł się skontaktować.',
    askForContact: (name) =>
      `Dziękuję, ${name}. Proszę podać adres e-mail lub numer telefonu, aby nasz zespół mógł się skontaktować.`,
    noted: (details) =>
      `Dziękuję. Zapisano: ${details}, aby nasz zespół mógł się skontaktować. Ktoś się odezwie.`,
    requestNoted:
      'Dziękuję. Prośba została zapisana. Nasz zespół skontaktuje się za pomocą danych, które już mamy.',
    askForName: 'Jak się Pan lub Pani nazywa, aby nasz zespół wiedział, o kogo pytać?',
    nameNoted: (name) => `Dziękuję, ${name}. Imię zostało zapisane, aby nasz zespół mógł się skontaktować.`,
    declined: 'W porządku. Żadne dane kontaktowe nie zostały zapisane.',
    nameDeclined: 'W porządku, w takim razie bez imienia. Nasz zespół się skontaktuje.',
    gaveUp:
      'Bez adresu e-mail lub numeru telefonu nasz zespół nie może się skontaktować. W każdej chwili można mnie o to znów poprosić.',
  },
  tr: {
    askForAll:
      'Ekibimizin sizinle iletişime geçebilmesi için lütfen adınızı ve bir e-posta adresi ya da telefon numarası yazın.',
    askForContact: (name) =>
      `Teşekkürler, ${name}. Ekibimizin sizinle iletişime geçebilmesi için lütfen bir e-posta adresi ya da telefon numarası yazın.`,
    noted: (details) =>
      `Teşekkürler. Ekibimizin sizinle iletişime geçebilmesi için şunu not ettim: ${details}. Biri sizinle iletişime geçecek.`,
    requestNoted:
      'Teşekkürler. İsteğinizi not ettim. Ekibimiz, bizde bulunan iletişim bilgilerinizden size ulaşacak.',
    askForName: 'Ekibimizin kimi soracağını bilmesi için adınız nedir?',
    nameNoted: (name) =>
      `Teşekkürler, ${name}. Ekibimizin sizinle iletişime geçebilmesi için adınızı not ettim.`,
    declined: 'Peki. Hiçbir iletişim bilgisi not etmedim.',
    nameDeclined: 'Peki, o hâlde adsız. Ekibimiz sizinle iletişime geçecek.',
    gaveUp:
      'Bir e-posta adresi ya da telefon numarası olmadan ekibimiz size ulaşamaz. Bunu benden istediğiniz zaman yeniden isteyebilirsiniz.',
  },
  ar: {
    askForAll: 'يرجى ذكر اسمك وبريد إلكتروني أو رقم هاتف، كي يتمكن فريقنا من التواصل معك.',
    askForContact: (name) =>
      `شكرًا ${name}. يرجى ذكر بريد إلكتروني أو رقم هاتف، كي يتمكن فريقنا من التواصل معك.`,
    noted: (details) => `شكرًا. سجّلت ${details} كي يتمكن فريقنا من التواصل معك. سيتصل بك أحدهم.`,
    requestNoted: 'شكرًا. سجّلت طلبك. سيتواصل فريقنا معك عبر بيانات الاتصال المتوفرة لدينا.',
    askForName: 'ما اسمك، كي يعرف فريقنا عمّن يسأل؟',
    nameNoted: (name) => `شكرًا ${name}. سجّلت اسمك كي يتمكن فريقنا من التواصل معك.`,
    declined: 'حسنًا. لم أسجّل أي بيانات اتصال.',
    nameDeclined: 'حسنًا، من دون اسم إذن. سيتواصل فريقنا معك.',
    gaveUp:
      'من دون بريد إلكتروني أو رقم هاتف لا يستطيع فريقنا التواصل معك. يمكنك أن تطلب مني ذلك مجددًا في أي وقت.',
  },
  ja: {
    askForAll: '担当チームからご連絡できるよう、お名前と、メールアドレスまたは電話番号をお知らせください。',
    askForContact: (name) =>
      `${name}様、ありがとうございます。担当チームからご連絡できるよう、メールアドレスまたは電話番号をお知らせください。`,
    noted: (details) =>
      `ありがとうございます。担当チームからのご連絡のため、${details} を控えました。担当者がご連絡いたします。`,
    requestNoted:
      'ありがとうございます。ご要望を承りました。すでにお預かりしている連絡先に、担当チームからご連絡いたします。',
    askForName: '担当チームがどなた宛てにご連絡すればよいか、お名前を教えていただけますか。',
    nameNoted: (name) =>
      `${name}様、ありがとうございます。担当チームからのご連絡のため、お名前を控えました。`,
    declined: '承知しました。連絡先は控えておりません。',
    nameDeclined: '承知しました。お名前なしで、担当チームからご連絡いたします。',
    gaveUp:
      'メールアドレスまたは電話番号がないと、担当チームからご連絡できません。いつでも改めてお申し付けください。',
  },
  zh: {
    askForAll: '请告诉我您的姓名以及电子邮箱或电话号码，以便我们的团队与您联系。',
    askForContact: (name) => `谢谢您，${name}。请告诉我电子邮箱或电话号码，以便我们的团队与您联系。`,
    noted: (details) => `谢谢。我已记下 ${details}，以便我们的团队与您联系。会有人联系您。`,
    requestNoted: '谢谢。我已记下您的请求。我们的团队会通过已有的联系方式与您联系。',
    askForName: '请问您怎么称呼，以便我们的团队知道找谁？',
    nameNoted: (name) => `谢谢您，${name}。我已记下您的姓名，以便我们的团队与您联系。`,
    declined: '好的。我没有记下任何联系方式。',
    nameDeclined: '好的，那就不留姓名。我们的团队会与您联系。',
    gaveUp: '没有电子邮箱或电话号码，我们的团队就无法与您联系。您可以随时再向我提出。',
  },
};

/** Returns the texts for an ISO 639-1 code; English for other languages. */
export function leadWording(language: string): LeadWording & { readonly language: string } {
  const found = wordings[language];
  return found === undefined ? { ...english, language: 'en' } : { ...found, language };
}
