import type { SmallTalk } from '../../../../core/answering/small-talk/small-talk.ts';

type Kind = SmallTalk['kind'];

/**
 * Messages of visitors, by language and by their meaning; those in `question` must reach the documents. Separated by
 * `|`.
 */
export const messages: Readonly<
  Record<string, Readonly<Partial<Record<Kind, string>> & { question: string }>>
> = {
  en: {
    greeting: 'Hi|Hello!|hey there|Good morning|Hellooo|Is anyone there?|hi team 👋',
    wellBeing: 'How are you?|Hi, how are you doing?|what’s up',
    thanks:
      'thanks!|Thank you so much|ok thanks, that helped|Thx 🙏|Many thanks for your help.|you helped me a lot',
    praise: 'great|That’s perfect!|awesome|well done',
    goodbye: 'bye|Goodbye!|see you later|thanks, bye|That’s all for now.|bye for now|that will be all',
    okay: 'ok|Yes|yeah|sure|I see|👍|got it',
    no: 'no|nope|never mind|no need',
    bot: 'are you a bot?|Are you human?|Am I talking to a real person?|who are you|hi, are you a robot or a human?|what’s your name?|who made you?',
    abilities:
      'help|what can you do?|How can you help me?|I have a question|can you help me please?|What can I ask you?',
    upset:
      'this is useless|no, that’s wrong|you suck|stupid bot|That doesn’t help|Are you kidding me?!|I am so frustrated|fuck you|Not what I asked.|this bot is terrible|That’s not what I wanted',
    question:
      'Hi, when do you open?|who made this pump|this bot is waterproof|you helped me order the wrong size|thanks to your guarantee, can I return it?|bye-laws|no reply to my order|Hello Kitty mugs|How are you storing my data?|help with a broken pump|yes or no: is it waterproof?|are you human resources?|What can you do about a late parcel?|ok but how do I cancel?|Is the pump useless without power?|good morning blend coffee|who are you owned by?|£5|the wrong answer limit',
  },
  de: {
    greeting: 'Hallo|Guten Tag!|Guten Morgen|moin moin|Grüß Gott|Servus|hallo zusammen',
    wellBeing: 'Wie geht’s?|Hallo, wie geht es Ihnen?|Alles klar bei dir?',
    thanks:
      'Danke|Vielen Dank!|danke schön|Danke, das hat mir sehr geholfen|besten Dank für die schnelle Antwort|Sie haben mir sehr geholfen',
    praise: 'Perfekt|Das ist super!|sehr gut|Klasse, gut gemacht',
    goodbye: 'Tschüss|Auf Wiedersehen!|bis bald|Danke, schönen Tag noch|Das war’s',
    okay: 'ja|Alles klar|ok, verstanden|passt|genau',
    no: 'nein|nee|nicht nötig|egal',
    bot: 'Bist du ein Bot?|Sind Sie ein Mensch?|Spreche ich mit einem Roboter?|Wer bist du?|Wie heißt du?',
    abilities: 'Hilfe|Was kannst du?|Können Sie mir helfen?|Ich habe eine Frage|Was kann ich Sie fragen?',
    upset:
      'Das ist nutzlos|Nein, das ist falsch!|Das stimmt nicht|blöder Bot|Das hilft mir nicht weiter|Du verstehst mich nicht|Ich bin echt sauer|Scheiße',
    question:
      'Hallo, wann haben Sie offen?|Danke-Karten kaufen|Guten Tag, wo ist mein Paket?|nein, ich möchte stornieren|Ja oder nein: ist das wasserdicht?|Was kannst du zur Garantie sagen?|Hilfe bei Rücksendung|Ich habe eine Frage zur Rechnung|Wie geht es weiter mit meiner Bestellung?|Das ist falsch geliefert worden|Wer sind Ihre Lieferanten?|Auf Wiedersehen Reisen|danke für nichts zahlen|Guten Abend Tee',
  },
  es: {
    greeting: 'Hola|¡Buenos días!|buenas tardes|Holaaa|hola a todos|¿Hay alguien ahí?',
    wellBeing: '¿Cómo estás?|Hola, ¿qué tal?|cómo va todo',
    thanks: 'Gracias|¡Muchas gracias!|mil gracias por la ayuda|Vale, gracias|me ha ayudado mucho',
    praise: 'Perfecto|¡Genial!|muy bien|buen trabajo',
    goodbye: 'Adiós|¡Hasta luego!|hasta pronto|Eso es todo|gracias, nos vemos',
    okay: 'Sí|vale|de acuerdo|entendido|claro que sí',
    no: 'ahora no|no hace falta|olvídalo',
    bot: '¿Eres un bot?|¿Eres humano?|¿Estoy hablando con un robot?|¿Quién eres?|¿Cómo te llamas?',
    abilities: 'Ayuda|¿Qué puedes hacer?|¿Me puedes ayudar?|Tengo una pregunta|¿En qué puedes ayudarme?',
    upset:
      'Esto es inútil|No, eso está mal|No me entiendes|Eso no me sirve de nada|¡Qué vergüenza!|Estoy muy enfadado|mierda|respuesta incorrecta',
    question:
      'Hola, ¿cuándo abren?|gracias a la garantía, ¿puedo devolverlo?|sí o no: ¿es impermeable?|no he recibido mi pedido|Tengo una pregunta sobre mi factura|¿Qué puedes decirme de los envíos?|ayuda con la devolución|Buenos días, ¿dónde está mi paquete?|¿Quién es el dueño?|¿Cómo está hecho el jabón?|adiós manchas limpiador|vale de descuento|¿Es inútil sin agua?',
  },
  fr: {
    greeting: 'Bonjour|Salut !|bonsoir|coucou|Bonjour à tous|Il y a quelqu’un ?',
    wellBeing: 'Comment ça va ?|Bonjour, comment allez-vous ?|ça va ?',
    thanks: 'Merci|Merci beaucoup !|merci bien|Merci pour votre aide|ok merci',
    praise: 'Parfait|C’est génial !|très bien|super',
    goodbye: 'Au revoir|À bientôt !|bonne journée|Merci, bonne soirée|c’est tout',
    okay: 'Oui|d’accord|compris|je vois|bien sûr',
    no: 'Non|pas maintenant|laisse tomber|pas la peine',
    bot: 'Es-tu un robot ?|Êtes-vous humain ?|Je parle à un robot ?|Qui es-tu ?|Comment tu t’appelles ?',
    abilities:
      'Aide|Que peux-tu faire ?|Pouvez-vous m’aider ?|J’ai une question|Comment pouvez-vous m’aider ?',
    upset:
      'C’est nul|Non, c’est faux|Tu ne comprends rien|Ça ne m’aide pas|n’importe quoi !|Je suis très déçu|merde|Vous n’avez pas répondu à ma question',
    question:
      'Bonjour, quand ouvrez-vous ?|merci de me dire où est mon colis|Oui ou non : est-ce étanche ?|non reçu|J’ai une question sur ma facture|Que peux-tu dire des retours ?|aide au retour|Salut, où est ma commande ?|Qui êtes-vous pour vendre cela ?|bonne journée offre spéciale|Comment ça marche ?|au revoir rayures|Est-ce nul sans eau ?',
  },
  it: {
    greeting: 'Salve|Buongiorno!|buonasera|Buon pomeriggio|hey|C’è qualcuno?',
    wellBeing: 'Come stai?|Buongiorno, come va?|tutto bene?',
    thanks: 'Grazie|Grazie mille!|molte grazie|Ok, grazie per l’aiuto|mi ha aiutato',
    praise: 'Perfetto|Ottimo!|benissimo|bel lavoro',
    goodbye: 'Arrivederci|a presto!|buona giornata|Grazie, buona serata|è tutto',
    okay: 'Sì|va bene|ho capito|certo|d’accordo',
    no: 'non ora|non importa|lascia stare',
    bot: 'Sei un bot?|Sei umano?|Sto parlando con un robot?|Chi sei?|Come ti chiami?',
    abilities: 'Aiuto|Cosa puoi fare?|Mi puoi aiutare?|Ho una domanda|Come puoi aiutarmi?',
    upset:
      'È inutile|No, è sbagliato|Non capisci niente|Questo non mi aiuta|che schifo!|Sono molto arrabbiato|vaffanculo|Non hai risposto alla mia domanda',
    question:
      'Salve, quando aprite?|grazie alla garanzia posso restituirlo?|sì o no: è impermeabile?|non ho ricevuto il pacco|Ho una domanda sulla fattura|Cosa puoi dirmi della spedizione?|aiuto per il reso|Buongiorno, dov’è il mio ordine?|Chi è il titolare?|Come va montato?|buona giornata offerta|è inutile senza acqua?',
  },
  pt: {
    greeting: 'Olá|Oi!|Bom dia|boa tarde|Oii|Tem alguém aí?',
    wellBeing: 'Tudo bem?|Olá, como está?|como vai você?',
    thanks: 'Obrigado|Muito obrigada!|valeu|Ok, obrigado pela ajuda|ajudou muito',
    praise: 'Perfeito|Ótimo!|muito bom|bom trabalho',
    goodbye: 'Tchau|Até logo!|até mais|Obrigado, tenha um bom dia|é só isso',
    okay: 'Sim|tá bom|entendi|certo|com certeza',
    no: 'Não|agora não|não precisa|deixa pra lá',
    bot: 'Você é um robô?|És humano?|Estou falando com uma pessoa?|Quem é você?|Qual é o seu nome?',
    abilities: 'Ajuda|O que você pode fazer?|Pode me ajudar?|Tenho uma pergunta|Como você pode me ajudar?',
    upset:
      'Isso é inútil|Não, isso está errado|Você não entende nada|Isso não ajuda em nada|que absurdo!|Estou muito irritado|merda|não respondeu à minha pergunta',
    question:
      'Olá, quando abrem?|obrigado a pagar alfândega?|sim ou não: é à prova de água?|não recebi a encomenda|Tenho uma pergunta sobre a fatura|O que você pode dizer do envio?|ajuda com a devolução|Bom dia, onde está o meu pedido?|Quem é o dono?|Como vai a minha encomenda?|bom dia café|é inútil sem água?',
  },
  nl: {
    greeting: 'Hoi|Goedemorgen!|goedendag|Goede avond|Hallo allemaal|Is daar iemand?',
    wellBeing: 'Hoe gaat het?|Hallo, hoe gaat het met u?|alles goed?',
    thanks: 'Bedankt|Dank je wel!|dankjewel|hartelijk dank voor de hulp|Oké, bedankt',
    praise: 'Perfect|Geweldig!|heel goed|goed gedaan',
    goodbye: 'Tot ziens|doei!|tot later|Bedankt, fijne dag nog|dat was alles',
    okay: 'Ja|is goed|ik snap het|klopt|ja graag',
    no: 'Nee|niet nodig|laat maar|nee hoor',
    bot: 'Ben je een bot?|Bent u een mens?|Praat ik met een robot?|Wie ben je?|Hoe heet je?',
    abilities: 'Hulp|Wat kun je?|Kunt u mij helpen?|Ik heb een vraag|Hoe kun je me helpen?',
    upset:
      'Dit is nutteloos|Nee, dat is fout|Dat klopt niet|stomme bot|Dat helpt niet|Je begrijpt me niet|Ik ben heel boos|godverdomme',
    question:
      'Hoi, wanneer zijn jullie open?|dank zij de garantie, mag ik ruilen?|ja of nee: is het waterdicht?|nee, ik wil annuleren|Ik heb een vraag over mijn factuur|Wat kun je zeggen over verzending?|hulp bij retour|Goedemorgen, waar is mijn pakket?|Wie zijn jullie leveranciers?|Hoe gaat het met mijn bestelling?|tot ziens feestpakket|is het nutteloos zonder water?',
  },
  pl: {
    greeting: 'Cześć|Dzień dobry!|hej|Dobry wieczór|Witam wszystkich|Czy jest tu ktoś?',
    wellBeing: 'Co słychać?|Cześć, jak się masz?|jak leci?',
    thanks: 'Dziękuję|Bardzo dziękuję!|dzięki|Dzięki wielkie za pomoc|to mi pomogło',
    praise: 'Świetnie|To jest super!|bardzo dobrze|dobra robota',
    goodbye: 'Do widzenia|na razie!|Dziękuję, miłego dnia|do zobaczenia|to wszystko',
    okay: 'Tak|dobrze|rozumiem|w porządku|jasne',
    no: 'Nie|nie teraz|nieważne|nie trzeba',
    bot: 'Czy jesteś botem?|Jesteś człowiekiem?|Czy rozmawiam z robotem?|Kim jesteś?|Jak się nazywasz?',
    abilities: 'Pomoc|Co potrafisz?|Czy możesz mi pomóc?|Mam pytanie|W czym możesz mi pomóc?',
    upset:
      'To jest bez sensu|Nie, to nieprawda|głupi bot|To mi nie pomaga|Nie rozumiesz mnie|Jestem bardzo zły|kurwa|Nie o to pytałem',
    question:
      'Cześć, kiedy otwieracie?|dzięki gwarancji mogę zwrócić?|tak czy nie: jest wodoodporny?|nie dostałem paczki|Mam pytanie o fakturę|Co możesz powiedzieć o wysyłce?|pomoc przy zwrocie|Dzień dobry, gdzie jest moja paczka?|Kim są wasi dostawcy?|Jak się montuje pompę?|miłego dnia kubek|czy to bez sensu bez wody?',
  },
  tr: {
    greeting: 'Merhaba|Selam!|günaydın|İyi günler|Merhabalar herkese|Kimse var mı?',
    wellBeing: 'Nasılsın?|Merhaba, nasılsınız?|naber',
    thanks: 'Teşekkürler|Çok teşekkür ederim!|sağ ol|Yardımınız için teşekkürler|çok yardımcı oldu',
    praise: 'Harika|Çok güzel!|mükemmel|işe yaradı',
    goodbye: 'Görüşürüz|Hoşça kalın!|güle güle|Teşekkürler, iyi geceler|hepsi bu',
    okay: 'Evet|tamam|anladım|peki|tabii ki',
    no: 'Hayır|şimdi değil|gerek yok|boş ver',
    bot: 'Bot musun?|Sen insan mısın?|Robotla mı konuşuyorum?|Kimsin?|Adın ne?',
    abilities:
      'Yardım|Neler yapabilirsin?|Bana yardım eder misin?|Bir sorum var|Bana nasıl yardımcı olabilirsiniz?',
    upset:
      'Bu çok saçma|Hayır, bu yanlış|aptal bot|Bu işe yaramadı|Beni anlamıyorsun|Çok sinirliyim|siktir|Sorumu cevaplamadın',
    question:
      'Merhaba, ne zaman açılıyorsunuz?|teşekkür kartı var mı?|evet mi hayır mı: su geçirmez mi?|hayır, iptal etmek istiyorum|Faturayla ilgili bir sorum var|Kargo hakkında ne yapabilirsin?|iade için yardım|Günaydın, siparişim nerede?|Tedarikçileriniz kim?|Pompa nasıl takılır?|iyi günler kahvesi|su olmadan işe yaramaz mı?',
  },
  ar: {
    greeting: 'مرحبا|السلام عليكم|صباح الخير!|أهلا وسهلا|مساء الخير|هل من أحد هنا؟',
    wellBeing: 'كيف حالك؟|مرحبا، كيف حالكم؟|كيف الحال',
    thanks: 'شكرا|شكرًا جزيلًا!|شكرا لك على المساعدة|جزاك الله خيرا|هذا مفيد جدا',
    praise: 'ممتاز|رائع!|جيد جدا، أحسنت|هذا رائع',
    goodbye: 'مع السلامة|وداعا!|إلى اللقاء|شكرا، مع السلامة|هذا كل شيء',
    okay: 'نعم|حسنا|تمام|فهمت|بالتأكيد',
    no: 'لا|ليس الآن|لا داعي|لا يهم',
    bot: 'هل أنت روبوت؟|هل أنت إنسان؟|هل أتحدث مع روبوت؟|من أنت؟|ما اسمك؟',
    abilities: 'مساعدة|ماذا يمكنك أن تفعل؟|هل يمكنك مساعدتي؟|لدي سؤال|كيف يمكنك مساعدتي؟',
    upset:
      'هذا عديم الفائدة|لا، هذا خطأ|هذا لا يساعدني|أنت لا تفهم|أنا غاضب جدا|روبوت غبي|تبا لك|لم تجب على سؤالي',
    question:
      'مرحبا، متى تفتحون؟|شكرا هل يمكن إرجاع المنتج؟|نعم أم لا: هل هو مقاوم للماء؟|لا أجد طلبي|لدي سؤال عن الفاتورة|ماذا يمكنك أن تقول عن الشحن؟|مساعدة في الإرجاع|صباح الخير، أين طردي؟|من أنت في الشركة المالكة؟|كيف حال طلبي؟|قهوة صباح الخير|هل هو عديم الفائدة بدون ماء؟',
  },
  ru: {
    greeting: 'Привет|Здравствуйте!|Добрый день|Доброе утро|Есть кто-нибудь?|привет всем',
    wellBeing: 'Как дела?|Здравствуйте, как у вас дела?|как жизнь',
    thanks: 'спасибо|Большое спасибо!|Спасибо за помощь|Вы мне очень помогли|благодарю вас',
    praise: 'отлично|Это супер!|молодец|очень хорошо',
    goodbye: 'пока|До свидания!|всего доброго|Спасибо, хорошего дня|На этом всё',
    okay: 'да|хорошо|понятно|конечно|ладно',
    no: 'нет|не надо|не сейчас|неважно',
    bot: 'Ты бот?|Вы человек?|Я разговариваю с роботом?|Кто вы?|Как вас зовут?',
    abilities: 'Помощь|Что вы умеете?|Вы можете мне помочь?|У меня есть вопрос|Чем вы можете помочь?',
    upset:
      'Это бесполезно|Нет, это неправильно!|тупой бот|Это мне не помогает|Вы меня не понимаете|Я очень зол|чёрт|Вы не ответили на мой вопрос',
    question:
      'Здравствуйте, когда вы открываетесь?|есть ли открытка «спасибо»?|да или нет: он водонепроницаемый?|нет, я хочу отменить заказ|У меня вопрос по счёту|Что вы можете сказать о доставке?|помощь с возвратом|Доброе утро, где мой заказ?|Кто ваши поставщики?|Как дела с моим заказом?|хороший чай|бесполезно ли это без воды?|Это неправильно доставили',
  },
  ja: {
    greeting:
      'こんにちは|おはようございます！|こんばんは|はじめまして|誰かいますか？|お世話になっております。',
    wellBeing: 'お元気ですか？|こんにちは、お元気ですか|元気？',
    thanks:
      'ありがとう|ありがとうございます！|助かりました|ご回答ありがとうございました|とても参考になりました',
    praise: '素晴らしい|完璧です！|いいですね|さすがですね',
    goodbye: 'さようなら|またね！|失礼します。以上です|では、また|おやすみなさい',
    okay: 'はい|わかりました|了解です|なるほど|OKです',
    no: 'いいえ|結構です|特にありません|いいえ、違います',
    bot: 'あなたはロボットですか？|人間ですか？|ロボットと話していますか|あなたは誰ですか？|お名前は何ですか？',
    abilities: 'ヘルプ|何ができますか？|助けてください|質問があります|何を聞けますか？',
    upset:
      '役に立たない|それは違う！|全然わかってない|使えないボット|ふざけるな|怒っています|質問の答えになっていません|もういいです',
    question:
      'こんにちは、何時に開きますか？|ありがとうカードはありますか|はいかいいえ：防水ですか？|いいえ、キャンセルしたいです|請求書について質問があります|配送について何ができますか？|返品のヘルプ|おはようございます、荷物はどこですか？|社長は誰ですか？|元気な苗の選び方|さようならセール|水なしでは役に立たないですか？|okno',
  },
  zh: {
    greeting: '你好|您好！|早上好|哈喽|大家好|有人吗？',
    wellBeing: '你好吗？|你最近怎么样？|你好，最近还好吗',
    thanks: '谢谢|非常感谢！|多谢|谢谢你的帮助|好的，谢谢',
    praise: '太棒了|很好！|真厉害|完美',
    goodbye: '再见|拜拜！|回头见|谢谢，再见|就这样',
    okay: '好的|是的|明白了|可以|知道了',
    no: '不用了|不是|没有|算了',
    bot: '你是机器人吗？|你是真人吗？|我是在和机器人说话吗？|你是谁？|你叫什么名字？',
    abilities: '帮助|你能做什么？|你可以帮我吗？|我有一个问题|我可以问你什么？',
    upset: '这没用|不，这不对|太垃圾了|你听不懂|你没有回答我的问题|我很生气|笨机器人|答非所问',
    question:
      '你好，几点开门？|谢谢卡有卖吗|是不是防水的？|不能登录|我有一个发票问题|你能说说运费吗？|退货帮助|早上好，我的包裹在哪里？|你们的老板是谁？|可以退货吗？|再见特价|没用过的能退吗？|好的，怎么取消？',
  },
};
