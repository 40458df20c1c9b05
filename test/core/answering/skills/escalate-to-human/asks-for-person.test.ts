import { describe, expect, test } from 'vitest';
import { isHumanRequest } from '../../../../../core/answering/skills/escalate-to-human/escalate-to-human.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const requests = `
I want to talk to a human
can I speak to someone please
agent please
human!
get me a real person
connect me with support staff
HUMAN
Agent
I'd like to speak with a representative.
I’d rather talk to a real person about my invoice
Could you please transfer me to a live agent?
Please put me through to your support team.
This doesn't help. Can I talk to someone from your team?
Hi, can I chat with a person, please?
I don't want to talk to a bot, I want a human
Let me speak to a manager
How do I talk to a real person?
How can I get hold of a human here?
I need to speak to a human being right now!!!
Is it possible to talk to a person?
Is there a real person I can talk to?
Can a human help me with this?
please escalate this to a supervisor
Hand me over to one of your colleagues
customer service please
live agent
talk to an agent
speak to a human please
Why can't I talk to a person?
I've tried everything twice and I want to speak to a human.
we need a human
No. I want to talk to somebody in support
Thanks, but I would prefer to talk to a human.
Ich möchte mit einem Menschen sprechen
Kann ich mit einem Mitarbeiter reden?
Ich will einen echten Menschen
Mitarbeiter bitte
Mensch!
Bitte verbinden Sie mich mit einem Mitarbeiter.
Verbinde mich mit dem Support
Können Sie mich bitte mit jemandem verbinden?
Kann ich bitte mit jemandem aus dem Support sprechen?
Ich würde gerne mit einer Person über meine Rechnung sprechen.
Kann ich nicht einfach mit einem Menschen sprechen?
Das hilft mir nicht, ich möchte mit einem Berater telefonieren
Geben Sie mir bitte einen Mitarbeiter
mit einem menschen sprechen
Ich möchte an einen Mitarbeiter weitergeleitet werden
Ich brauche einen Ansprechpartner.
Ist es möglich, mit einem Menschen zu sprechen?
Ich möchte keinen Bot, sondern ich möchte mit einem Menschen reden.
quiero hablar con una persona
agente humano por favor
¿Puedo hablar con un agente?
Necesito hablar con alguien de soporte
¡Humano!
Páseme con un operador, por favor
¿Me puede comunicar con una persona real?
Hola, quisiera hablar con un asesor sobre mi factura
Me gustaría que me atienda una persona
Quiero que me atienda una persona
quiero un humano
Con un agente por favor
Eso no me ayuda. ¿Es posible hablar con alguien?
je veux parler à un conseiller
un humain svp
Puis-je parler à quelqu'un ?
Pouvez-vous me mettre en relation avec un conseiller ?
Je voudrais parler à une vraie personne s'il vous plaît
Passez-moi un responsable
Mettez-moi en contact avec le service client
Est-ce que je peux parler à un humain ?
J’aimerais discuter avec un agent à propos de ma facture
Bonjour, je souhaite être mis en relation avec un conseiller.
parler à un humain
Conseiller s'il vous plaît
Je veux un humain, pas un robot
Vorrei parlare con un operatore
Posso parlare con una persona?
Operatore, per favore
Quero falar com um atendente
Posso falar com uma pessoa?
Ik wil een medewerker spreken
Kan ik met een mens praten?
can i please talk to a human being
Can I please speak with an actual person
I wish to speak to a person
I'm fed up, give me a human
Need a human
need human help
talk to human
speak with agent
I want to speak to your manager
real person please
is there anyone I can talk to?
Could I speak with customer support?
can you connect me to a human agent
Please forward me to your colleague
I need to talk with someone about a refund
I would like to chat with a live person
put me through to a human
transfer me to an agent
I need help from a human
can I get a human please
I want a real human to answer
Would you mind connecting me with a person?
I'd appreciate talking to a human
Please let me talk to a person
I really need to speak to someone urgently
this bot is useless, human please
Ok then let me chat with an agent
Can someone from support contact me here? I want a person
Ich will mit einem echten Menschen reden!
Ich hätte gerne einen Mitarbeiter
Gibt es hier einen Menschen, mit dem ich sprechen kann?
Bitte leiten Sie mich an einen Mitarbeiter weiter
Könnte ich mit jemandem telefonieren?
Ich muss mit jemandem sprechen
ich möchte mit dem Kundenservice sprechen
Einen Menschen bitte
Support-Mitarbeiter bitte
Ich möchte gern mit einem Ansprechpartner sprechen, da meine Rechnung falsch ist.
Können Sie mich mit einem Kollegen verbinden?
Darf ich mit einem Mitarbeiter sprechen
Quisiera hablar con alguien por favor
Quiero hablar con un humano
Pásame con una persona
¿Puedo hablar con una persona real?
Me gustaría hablar con un representante
persona real por favor
necesito un agente
¿Podría hablar con un asesor?
Póngame con un agente
quiero comunicarme con un asesor
Deseo hablar con un supervisor
Hablar con un agente
Je souhaite parler avec un conseiller
Puis-je parler avec un agent s'il vous plaît
Je veux parler à quelqu'un
Un conseiller svp
un agent s'il vous plait
Passez moi un humain
Pouvez-vous me passer un conseiller
J'ai besoin de parler à une personne
Est-il possible de parler à quelqu'un ?
Je préfère parler à un humain
Mettez moi en relation avec un conseiller
humain
Chcę porozmawiać z człowiekiem
Czy mogę porozmawiać z konsultantem?
Proszę o połączenie z konsultantem
Chciałabym rozmawiać z kimś z obsługi klienta
Proszę mnie połączyć z pracownikiem
Poproszę konsultanta
To mi nie pomaga, chcę żywego człowieka
Dzień dobry, chciałbym porozmawiać z doradcą w sprawie faktury
konsultant
Potrzebuję rozmawiać z prawdziwą osobą, nie z botem
Czy może mnie Pan połączyć z konsultantem?
Wolę porozmawiać z żywą osobą
rozmowa z konsultantem
Przełącz mnie do konsultanta
Bir insanla konuşmak istiyorum
Bir temsilciyle görüşebilir miyim?
Beni müşteri temsilcisine bağlar mısınız?
Lütfen beni bir yetkiliye bağlayın
Canlı destek
Müşteri temsilcisi ile görüşmek istiyorum
Gerçek bir insanla konuşmak istiyorum, botla değil
Merhaba, faturam hakkında bir temsilciyle görüşmek istiyorum
Birisiyle konuşmam lazım
Müşteri hizmetlerine bağlanmak istiyorum
insan lütfen
Biriyle konuşabilir miyim?
temsilciye bağla beni, beni temsilciye bağla
أريد التحدث إلى موظف
أود التحدث مع شخص حقيقي من فضلك
هل يمكنني التحدث إلى أحد موظفيكم؟
حولني إلى موظف خدمة العملاء
هل يمكنك تحويلي إلى موظف؟
ممكن أتكلم مع موظف؟
أريد موظفًا بشريًا
مرحبا، أحتاج إلى التحدث مع شخص بخصوص فاتورتي
خدمة العملاء من فضلك
عايز أتكلم مع حد، أريد أن أتحدث مع إنسان
وصلني بموظف
أرغب في التواصل مع ممثل خدمة العملاء
人間と話したいです
担当者と話せますか？
オペレーターにつないでください。
すみません、担当者に代わっていただけますか
スタッフの方とお話ししたいのですが
有人チャットをお願いします
請求書の件で担当者と話がしたいです
人と話したい
オペレーター
ボットではなく、人間に対応してほしい
サポートの人と直接話させてください
カスタマーサポートと話したいんですが
我想和真人客服通话
转人工
请帮我转接人工客服，谢谢
我要找客服
能不能跟真人聊聊？
可以帮我联系一下工作人员吗？我想跟工作人员说话
我需要人工服务
人工客服
轉真人客服
請幫我轉接客服人員
我想跟真人說話，不要機器人
你好，我想和你们的客服人员沟通一下
直接转人工吧
Chciałbym skontaktować się z konsultantem
Połącz mnie z człowiekiem
Czy jest możliwość rozmowy z człowiekiem?
Czy mogę pogadać z kimś?
Chcę rozmawiać z człowiekiem a nie z robotem
Proszę o kontakt z konsultantem
człowiek
Daj mi człowieka
Czy mógłbym porozmawiać z pracownikiem?
Potrzebuję pomocy człowieka
Yetkili biriyle görüşmek istiyorum
Gerçek kişiyle görüşebilir miyim
Operatöre bağla
Müşteri temsilcisine bağlanmak istiyorum
Bana bir insan lazım
Canlı desteğe bağlanmak istiyorum
Birisiyle görüşmek istiyorum lütfen
Temsilci ile görüşmek istiyorum
أريد أن أتكلم مع شخص
اريد التواصل مع خدمة العملاء
هل استطيع التحدث مع ممثل؟
أحتاج إلى مساعدة بشرية
من فضلك حولني إلى شخص حقيقي
أريد التحدث مع الدعم
ممكن تحولني لموظف
أبغى أكلم موظف
موظف
オペレーターと話したい
人と話せますか
担当者をお願いします
人間の担当者につないでほしいです
担当者と直接お話しできますか？
スタッフに代わってください
有人対応に切り替えてください
人に相談したいです
人工
我要人工客服
请转人工
麻烦转一下人工客服
有人工客服吗
我想找人工
可以转人工吗？
给我接人工
我要和经理谈
能否安排人工客服
叫你们经理来
帮我转客服
我要投诉，找你们主管
`;

const nearMisses = `
How do I add an agent to my team?
What does an insurance agent earn?
Can your agents speak German?
Does the human resources module export CSV?
How do I escalate a ticket?
Who is the contact person for invoices?
I don't want to talk to a human
I do not need an agent
No human please
Please don't connect me with an agent.
I would rather not talk to a person
Can my customers talk to a human?
How do visitors reach an agent in the widget?
Are you a human?
Am I talking to a real person?
Is this a bot or a human?
How many people work in support?
When is your support team available?
How can I contact support?
What is the support email address?
Can I add a person to my account?
How do I assign a conversation to an agent?
What happens if I want to talk to a human?
Can I chat with someone in my team?
I need to add someone to my workspace
I want to talk to a human resources expert system via the API
Do you have human support on the Free plan?
What does the button "talk to a human" do?
How do I connect a customer with support staff?
Can I give an agent read access?
I need an agent role for my colleague
Can someone else log in with my account?
How much does a support agent seat cost?
I want a manager role for my account
Is there a person limit per workspace?
Can I transfer my account to another person?
Can you transfer me to another plan?
I talked to a human yesterday and he said it is free.
Which agent answered my ticket?
human readable export
agent settings
the person who bought it left, how do I reset the password?
Can I reach support by phone on Sundays?
Do agents get notified when a chat comes in?
I want to speak to customers in German
Wie lege ich einen Mitarbeiter an?
Was verdient ein Mitarbeiter im Support?
Ich möchte nicht mit einem Menschen sprechen
Ich will keinen Mitarbeiter
Bitte keinen Menschen
Wie viele Mitarbeiter kann ich hinzufügen?
Wer ist der Ansprechpartner für Rechnungen?
Können Mitarbeiter mit Kunden chatten?
Kann ich einem Mitarbeiter Rechte geben?
Bist du ein Mensch?
Spreche ich mit einem Menschen?
Wie erreiche ich den Kundendienst?
Ich möchte einen Mitarbeiter einladen
Kann ich mit meinen Kunden chatten?
Mitarbeiter anlegen
¿Cómo añado un agente a mi equipo?
No quiero hablar con una persona
¿Cuánto gana un agente de seguros?
¿Quién es la persona de contacto para facturas?
¿Eres un humano?
¿Pueden los clientes hablar con un agente?
recursos humanos
¿Cómo puedo añadir una persona al equipo?
¿Cuántos agentes puedo tener?
¿Vuestros agentes hablan alemán?
Sin agente humano
Comment ajouter un agent à mon équipe ?
Je ne veux pas parler à un humain
Combien gagne un conseiller ?
Qui est la personne à contacter pour les factures ?
Êtes-vous un humain ?
Est-ce que je parle à un humain ?
Le module de ressources humaines exporte-t-il en CSV ?
Je ne veux parler à personne
Les clients peuvent-ils parler à un conseiller ?
Combien de personnes puis-je inviter ?
Pas d'humain svp
Comment contacter le support ?
Come aggiungo un operatore?
Non voglio parlare con un operatore
Como adiciono um agente?
Hoe voeg ik een medewerker toe?
Can agents talk to visitors in the inbox?
Where can I see which agent took over?
How long until a human answers?
Do humans read my messages?
Will a person review my application?
What is a support agent?
Can I rename an agent?
The agent told me to reset my password, how?
How do I delete a person from the list?
Can I contact someone else's account?
Who do I talk to about partnerships?
I want to become an agent
I want to remove a person from my plan
Can I see an agent's statistics?
I want to see an agent activity report
Can I have an agent in two teams?
Can I get an agent API token?
I need a person field in my form
Is there an agent available in the API?
Let me see the agent list
How does the bot hand over to a human?
Can the bot transfer me to a human?
connect Slack with support inbox
Talk to data
contact person
human rights policy
agent pricing
support hours
Customer service opening hours
Can I have support in German?
I have to contact support every time, why?
Wann ist der Support erreichbar?
Was kostet ein Agent?
Kann ein Mitarbeiter mehrere Konten haben?
Welcher Mitarbeiter hat mein Ticket?
Wie verbinde ich mich mit dem Support-Portal?
Ich möchte eine Person aus meinem Konto entfernen
Ich brauche keine Hilfe von einem Menschen
Ich möchte einen Mitarbeiter löschen
Kann ich Mitarbeiter importieren?
Ich bin Mitarbeiter bei Acme
Person hinzufügen
Agent konfigurieren
¿Dónde veo qué agente respondió?
agente de seguros
¿Puedo eliminar una persona?
¿Cómo contacto con soporte?
Quiero añadir un agente
No necesito un agente
Necesito un agente de seguros barato para mi coche
¿Hay una persona encargada de facturación?
Je voudrais ajouter un agent
Je n'ai pas besoin d'un conseiller
Quel est le prix par agent ?
Comment parler anglais au support ?
un agent peut-il avoir deux rôles ?
Puis-je supprimer une personne ?
Qui est mon conseiller ?
Puis-je avoir un agent supplémentaire ?
Nie chcę rozmawiać z człowiekiem
Jak dodać konsultanta do zespołu?
Ile zarabia agent ubezpieczeniowy?
Czy jesteś człowiekiem?
Czy rozmawiam z człowiekiem?
Czy klienci mogą rozmawiać z konsultantem?
Kiedy jest dostępna obsługa klienta?
Ilu pracowników mogę dodać?
Jak skontaktować się z obsługą klienta?
Chcę dodać pracownika
Nie potrzebuję konsultanta
Czy mogę usunąć osobę z konta?
Kim jest osoba kontaktowa?
Chcę agenta ubezpieczeniowego
Czy mogę rozmawiać z klientami po polsku?
Bir insanla konuşmak istemiyorum
Müşterilerim bir temsilciyle konuşabilir mi?
Temsilci nasıl eklerim?
Bir insanla mı konuşuyorum?
Sen insan mısın?
Müşteri hizmetleri ne zaman açık?
Kaç temsilci ekleyebilirim?
Takım arkadaşımla konuşmak istiyorum
İnsan kaynakları modülü var mı?
Bir temsilciyi silmek istiyorum
Müşteri hizmetlerine nasıl ulaşırım?
لا أريد التحدث إلى موظف
كيف أضيف موظفًا إلى فريقي؟
هل أنت إنسان؟
هل أتحدث مع إنسان؟
هل يمكن للعملاء التحدث مع موظف؟
أريد إضافة موظف
متى تعمل خدمة العملاء؟
كم عدد الموظفين الذين يمكنني إضافتهم؟
كيف أتواصل مع خدمة العملاء؟
أريد حذف شخص من حسابي
الموارد البشرية
لا أحتاج إلى موظف
人間と話したくない
あなたは人間ですか？
担当者を追加したい
担当者を追加する方法は？
顧客はオペレーターと話せますか？
オペレーターは何人まで追加できますか
サポートの営業時間は？
担当者に連絡したいときはどうすればいいですか
担当者の変更方法を教えてください
人事部の担当者は誰ですか
お客様と話したい
スタッフを削除できますか
我不想和真人聊天
不要转人工
如何添加客服？
你是真人吗？
我在和真人聊天吗？
人工智能是什么？
客服几点上班？
客户可以和客服聊天吗？
如何联系客服？
需要人工审核吗？
我想添加一个客服
可以转账吗？
怎么转接电话？
客服人员的工资是多少？
人工费用多少
我要删除客服
叫什么名字
找不到客服设置
Czy jest możliwość dodania konsultanta?
Potrzebuję pomocy z fakturą
Operatör ekranı nasıl açılır
Bana bir fatura lazım
أحتاج إلى مساعدة في الفاتورة
人間の言葉で説明して
有客服系统吗
`;

const lines = (table: string) => table.trim().split('\n');

describe('isHumanRequest', () => {
  test.each(lines(requests))('matches the request: %s', (words) => {
    expect(isHumanRequest(words)).toBe(true);
  });

  test.each(lines(nearMisses))('does not match: %s', (words) => {
    expect(isHumanRequest(words)).toBe(false);
  });

  test('finds the request in a long message', () => {
    const words = `My order did not arrive.\n${'I have waited for days. '.repeat(50)}\nI want to talk to a person.`;
    expect(isHumanRequest(words)).toBe(true);
  });

  test.each([
    'i want to '.repeat(400),
    'please '.repeat(570),
    ', '.repeat(2_000),
    'please, '.repeat(500),
    `kann ich mit ${'bitte '.repeat(650)}`,
    `ich möchte mit einem menschen über ${'a '.repeat(1_900)}`,
    `can i ${'just '.repeat(790)}`,
    `quiero ${'por favor '.repeat(390)}`,
    `un agente ${'de soporte '.repeat(350)}x`,
    `je veux ${'svp '.repeat(950)}`,
    `un conseiller ${'de votre équipe '.repeat(240)}x`,
    `a ${'real human '.repeat(360)}x`,
    `chcę ${'teraz '.repeat(650)}`,
    `${'bir '.repeat(990)}`,
    `${'faturam hakkında '.repeat(230)}`,
    `أريد موظف ${'من خدمة العملاء '.repeat(260)}س`,
    'について'.repeat(990),
    `もう${'もう'.repeat(1_900)}`,
    `我${'直接'.repeat(1_990)}`,
    `转${'人工吗'.repeat(1_300)}x`,
  ])('reads a message crafted to be slow within a second: %#', async (words) => {
    expect(await processorMs(() => isHumanRequest(words))).toBeLessThan(1_000);
  });
});
