import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList(
    'こんにちは こんばんは おはようございます はい いいえ すみません すいません お願いします',
  ),
  links: wordList('でも しかし だから なので'),
  closers: wordList('お願いします お願いいたします ありがとう ありがとうございます 至急 今すぐ'),
};

/** The script has no spaces between words, so polite words around a request are part of its pattern. */
const first =
  '(?:すみませんが?|すいませんが?|あの|はい|できれば|やはり|やっぱり|それでは|では|じゃあ|もう|とにかく|私は|直接|今すぐ)*(?:[\\p{L}\\p{N}]{1,20}(?:について|の件で|のことで|に関して))?';
const kind =
  '(?:実際の|人間の|本物の|生身の|別の|有人の|(?:カスタマー)?サポートの|そちらの|御社の|ちゃんとした|誰か)?';
const noun =
  '(?:人間|ヒト|人|担当者|担当の方|担当|オペレーター?|スタッフ|係の方|係員|係の人|カスタマーサポート|サポート担当者?|サポートの方|サポート|有人(?:チャット|対応|サポート)|責任者|誰か)';
const person = `${kind}${noun}(?:の方|さん|様)?`;
const softly = '(?:直接|すぐに|今すぐ|一度|チャットで|電話で)*';
const politely =
  '(?:のですが|んですが|のです|んです|です|と思います|と思っています|んだけど|けど|が|か|よ|ね|な)*';
const please =
  '(?:ください|下さい|くださいませんか|ほしい|欲しい|もらえますか|もらえませんか|もらえる|いただけますか|いただけませんか|頂けますか|くれますか|くれませんか|くれ)';

/** How a person is asked for in Japanese. */
export const personRequests: RequestForms = {
  requests: [
    `${first}${person}(?:と|に)${softly}(?:(?:お話し?|話)(?:を|が)?(?:したい|させて(?:${please}))|話したい|話させて(?:${please})|相談したい|チャットしたい|やり取りしたい)${politely}`,
    `${first}${person}(?:と|に)${softly}(?:話せます|(?:お話し?|相談|チャット)できます|話す(?:こと|の)(?:は|が)(?:でき|可能)(?:ます|です)?)か`,
    `${first}${person}(?:に|へ|と)${softly}(?:つないで|繋いで|代わって|かわって|変わって|替わって|転送して|接続して|引き継いで|取り次いで|切り替えて)(?:${please})${politely}`,
    `${first}${person}(?:を|に|で|の対応を)(?:お願い(?:します|いたします|したい)?|呼んで(?:${please})|出して(?:${please})|代わって|希望(?:します|です)?)${politely}`,
    `${first}${person}(?:に|が)(?:対応|回答|説明)して(?:${please})${politely}`,
  ],
  tails: ['なぜなら'],
  bare: [
    '(?:人間|オペレーター?|担当者|有人チャット|有人対応|有人サポート)(?:を?お願いします|希望|に接続)?',
    `${person}と(?:話す|話したい|チャット)`,
  ],
};
