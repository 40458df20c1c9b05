import { expect, test } from 'vitest';
import { isHumanRequest } from '../../../../core/answering/skills/escalate-to-human/escalate-to-human.ts';
import { smallTalkReply } from '../../../../core/answering/small-talk/replies.ts';
import { findSmallTalk } from '../../../../core/answering/small-talk/small-talk.ts';

/** The question whether a machine answers, by language. Separated by `|`. */
const wordings: Readonly<Record<string, string>> = {
  en: 'is this a machine?|am i talking to a real person|is this a human or a robot|Are you a real human being or a bot?|Is there a human on the other end?|is this automated|am I chatting with an AI?|are these automatic replies?|Is a bot answering me?|you’re a bot, right?|Hi, is this a real person or a chatbot?',
  de: 'Ist das eine Maschine?|Spreche ich mit einem echten Menschen?|Bist du ein Mensch oder ein Roboter?|Antwortet hier ein Mensch oder eine KI?|Schreibe ich gerade mit einem Bot?|Sitzt da ein echter Mensch?',
  fr: 'Est-ce une machine ?|Est-ce que je parle à une vraie personne ?|Êtes-vous un humain ou un robot ?|C’est un robot qui répond ?',
  es: '¿Esto es una máquina?|¿Estoy hablando con una persona real?|¿Eres un humano o un robot?|¿Me responde un bot?',
  it: 'È una macchina?|Sto parlando con una persona vera?|Sei un umano o un robot?|Mi risponde un bot?',
  pt: 'Isto é uma máquina?|Estou falando com uma pessoa real?|Você é humano ou robô?|Quem responde é um robô?',
  nl: 'Is dit een machine?|Praat ik met een echt persoon?|Ben je een mens of een robot?|Krijg ik antwoord van een robot?',
  pl: 'Czy to jest maszyna?|Czy rozmawiam z prawdziwym człowiekiem?|Jesteś człowiekiem czy robotem?|Czy odpisuje mi bot?',
  tr: 'Bu bir makine mi?|Gerçek bir insanla mı konuşuyorum?|İnsan mısın yoksa robot musun?|Karşımda bir bot mu var?',
  ru: 'Вы бот?|Это робот?|Я разговариваю с живым человеком?|Ты человек или робот?|Мне отвечает машина?',
  ja: 'これは機械ですか？|本物の人間と話していますか？|人間ですか、それともロボットですか？|ボットが答えていますか？',
  zh: '这是机器吗？|我在和真人说话吗？|你是人还是机器人？|是机器人在回复我吗？',
};

const questions = Object.entries(wordings).flatMap(([language, list]) =>
  list.split('|').map((text) => ({ language, text })),
);

test('the table holds at least 40 wordings in 12 languages', () => {
  expect(Object.keys(wordings)).toHaveLength(12);
  expect(questions.length).toBeGreaterThanOrEqual(40);
});

test('each wording is recognised, in its language, whatever language the visitor has', () => {
  const found = questions.map(({ text }) => ({ text, ...findSmallTalk(text, 'ko') }));
  expect(found).toEqual(questions.map(({ text, language }) => ({ text, kind: 'bot', language })));
});

test('no wording is a request for a person, which would hand the conversation over', () => {
  expect(questions.filter(({ text }) => isHumanRequest(text))).toEqual([]);
});

const nearMisses = [
  'Is there a vending machine?',
  'do you sell robots',
  'Is this machine washable?',
  'Is it automatic?',
  'Is it real?',
  'Is the robot vacuum waterproof?',
  'are you a human resources company?',
  'Is this a real leather bag?',
  'Can a bot read my account?',
  'Is a person on site when it is delivered?',
  'how do I block bots on my website',
  'Bot oder App: was ist günstiger?',
  'Ist das eine Waschmaschine?',
  'Vendez-vous des robots ?',
  '¿Es una máquina de café?',
  'È una macchina da cucire?',
  'Вы продаёте роботов?',
  'Bu makine kaç watt?',
  'ロボット掃除機はありますか？',
  '你们卖机器人吗？',
];

test('a question about machines, robots or people reaches the documents', () => {
  expect(nearMisses.length).toBeGreaterThanOrEqual(15);
  expect(nearMisses.filter((text) => findSmallTalk(text, 'en') !== null)).toEqual([]);
});

/** How each language says that a machine answers, and that it can bring in a person. */
const plainWords: Readonly<Record<string, readonly [string, string]>> = {
  en: ['machine', 'bring in a person'],
  de: ['Maschine', 'jemanden aus dem Team'],
  fr: ['machine', 'une personne'],
  es: ['máquina', 'una persona'],
  it: ['macchina', 'una persona'],
  pt: ['máquina', 'uma pessoa'],
  nl: ['machine', 'iemand van het team'],
  pl: ['maszyna', 'kogoś z zespołu'],
  tr: ['makine', 'Ekipten birini'],
  ru: ['машина', 'кого-нибудь из команды'],
  ja: ['機械', '担当者'],
  zh: ['机器', '团队里的同事'],
};

test.each(Object.entries(plainWords))(
  'the reply in %s says that a machine answers and how to reach a person',
  (language, words) => {
    const occasion = { workspaceName: 'Pottle & Sprig', topics: [], offersPerson: true };
    const reply = smallTalkReply({ kind: 'bot', language }, occasion);
    expect(words.filter((word) => !reply.includes(word))).toEqual([]);
  },
);
