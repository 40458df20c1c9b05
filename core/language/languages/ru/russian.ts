import type { LanguagePack } from '../../language-pack.ts';
import { spelled } from '../../patterns.ts';
import { smallTalk } from './small-talk.ts';

export const russian: LanguagePack = {
  code: 'ru',
  name: 'Russian',
  script: 'other',
  grammar: {
    stopWords: `кто кого кому что чего чем когда где куда откуда как почему зачем какой какая какое какие
    каком каким какую сколько чей можно могу можете ли это был была было были есть я мой моя и в во на с со
    о об по для у к от из`,
    answerCues: { date: { asks: spelled('когда') }, measure: { asks: spelled('сколько') } },
    openers: ['конечно', 'хороший вопрос'],
    missingPage: 'не найден',
  },
  smallTalk,
  texts: {
    fallback:
      'Я не нашёл ответа на это в имеющихся документах. Попробуйте спросить другими словами или попросите связать вас с человеком.',
    disclosure: {
      machine: 'На вопросы отвечает машина по нашим справочным страницам.',
      person: 'В любой момент можно попросить связать вас с человеком.',
    },
    skillFailure:
      'Сейчас у меня не получилось это сделать. Попробуйте ещё раз чуть позже или попросите связать вас с человеком.',
  },
};
