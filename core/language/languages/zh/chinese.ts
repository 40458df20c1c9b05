import type { LanguagePack } from '../../language-pack.ts';
import { courtesies, personRequests } from './requests.ts';
import { smallTalk } from './small-talk.ts';
import { texts } from './texts.ts';

export const chinese: LanguagePack = {
  code: 'zh',
  name: 'Chinese',
  script: /\p{Script=Han}/u,
  spaceless: true,
  listSeparator: '；',
  grammar: {
    stopWords:
      '什么 谁 何时 何 哪 哪里 哪个 哪些 哪儿 怎么 怎样 如何 为什么 为何 多少 几 吗 呢 是 的 了 在 我 我的 请问 多久 多长 和 有',
    openers: ['当然', '当然可以', '好的'],
    missingPage: '未找到|找不到',
  },
  smallTalk,
  courtesies,
  personRequests,
  ratings: {
    thanks: '谢谢 謝謝 多谢 感谢 谢谢您 谢谢你',
    opinions: '很好 好 非常好 不错 满意 差 很差 太慢',
    askingParts:
      '吗 嗎 呢 什么 什麼 怎么 怎麼 如何 多少 几 哪 谁 为何 为什么 能否 可以 可否 请 請 想 需要 要 还没 还是',
    attachedUnits: '颗星|顆星|星|点|點|分',
  },
  texts,
};
