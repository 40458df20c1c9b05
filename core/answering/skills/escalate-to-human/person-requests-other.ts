import { courtesies } from '../courtesies.ts';
import type { RequestGrammar } from '../request-matcher.ts';

const arabicKind =
  '(?: (?:ال)?(?:حقيقيا?|حقيقيه|بشريا?|بشريه|حي|اخر|فعلي|مختص)| (?:من |في |ل)?(?:ال)?(?:خدمه (?:ال)?عملاء|دعم(?: (?:ال)?فني)?|فريق(?:كم)?(?: الدعم)?))*';
const arabicNoun = '(?:ال)?(?:موظفا?|موظفه|شخصا?|انسانا?|ممثلا?|وكيل|مستشار|مسوولا?|مندوب|بشري)';
const someone = '(?:احد|احدهم)(?: (?:من )?(?:فريقكم|الدعم|فريق الدعم|الموظفين|موظفيكم|ممثليكم))?';
const arabicPerson = `(?:${arabicNoun}${arabicKind}|${someone})`;
const desk = '(?:خدمه العملاء|(?:فريق )?الدعم(?: الفني)?|فريقكم)';
const anybody = `(?:${arabicPerson}|${desk})`;
/** Prepositions. `ل` and `ب` are attached to the next word. */
const to = '(?:(?:مع|الي|علي|عبر) |لل?|ب)?';
const arabicSoftly = '(?: (?:من فضلكم?|لو سمحتم?|الان|مباشره|فقط|رجاء))*';
const arabicTalk =
  '(?:ب?(?:التحدث|الحديث|التكلم|الكلام|التواصل|الدردشه|المحادثه)|اتحدث|اتكلم|اتواصل|احكي|اكلم|احادث|نتحدث)';
const arabicWish =
  'و?(?:اريد|نريد|اود|نود|ارغب(?: في)?|احتاج(?: الي)?|افضل|ابغي|ابغا|اطلب|عايز|عاوز|بدي|يجب|علي|دعني|دعوني)(?: ان)?';
const may = '(?:هل )?(?:يمكنني|يمكننا|استطيع|ممكن|اقدر|بامكاني|من الممكن|لي)(?: ان)?';
const handOver = '(?:حولني|حولوني|حولنا|وصلني|وصلوني|اوصلني|صلني|اوصلوني|احلني|اعطني|اعطوني)';

/** How a person is asked for in Arabic. */
export const arabic: RequestGrammar = {
  ...courtesies.ar,
  requests: [
    `${arabicWish}${arabicSoftly} ${arabicTalk}${arabicSoftly} ${to}${anybody}`,
    `${may}${arabicSoftly} ${arabicTalk}${arabicSoftly} ${to}${arabicPerson}`,
    `${may}${arabicSoftly} ${arabicTalk}${arabicSoftly} (?:مع |الي )${desk}`,
    `${handOver}${arabicSoftly} ${to}${anybody}`,
    `(?:هل )?(?:يمكنكم?|بامكانكم?|تستطيع|تستطيعون|ممكن)(?: ان)?${arabicSoftly} (?:تحويلي|توصيلي|ايصالي|تحولني|توصلني|تحولوني|توصلوني) ${to}${anybody}`,
    `${arabicWish}${arabicSoftly} (?:الي )?مساعده (?:بشريه|من (?:انسان|شخص|موظف))`,
    `${arabicWish}${arabicSoftly} (?:الي )?${arabicNoun}${arabicKind}(?= *$| (?:,|من|لو|الان|حالا|فورا|وليس|ليس)(?: |$))`,
  ],
  tails: ['بخصوص|بشان|حول|عن|لان|لانه|لانني|لكن|ولكن|ليس|وليس|بدلا|بسبب|في|يساعدني|ليساعدني|الذي'],
  bare: [
    `(?:التحدث|التواصل|الحديث|تواصل|تحدث) ${to}${anybody}`,
    '(?:موظف|شخص|انسان|ممثل|موظف بشري)(?: (?:حقيقي|بشري))?',
    '(?:(?:ممثل|موظف) )?خدمه العملاء|الدعم البشري|دعم بشري',
  ],
};

/** The script has no spaces between words, so polite words around a request are part of its pattern. */
const first =
  '(?:すみませんが?|すいませんが?|あの|はい|できれば|やはり|やっぱり|それでは|では|じゃあ|もう|とにかく|私は|直接|今すぐ)*(?:[\\p{L}\\p{N}]{1,20}(?:について|の件で|のことで|に関して))?';
const japaneseKind =
  '(?:実際の|人間の|本物の|生身の|別の|有人の|(?:カスタマー)?サポートの|そちらの|御社の|ちゃんとした|誰か)?';
const japaneseNoun =
  '(?:人間|ヒト|人|担当者|担当の方|担当|オペレーター?|スタッフ|係の方|係員|係の人|カスタマーサポート|サポート担当者?|サポートの方|サポート|有人(?:チャット|対応|サポート)|責任者|誰か)';
const japanesePerson = `${japaneseKind}${japaneseNoun}(?:の方|さん|様)?`;
const japaneseSoftly = '(?:直接|すぐに|今すぐ|一度|チャットで|電話で)*';
const japanesePolitely =
  '(?:のですが|んですが|のです|んです|です|と思います|と思っています|んだけど|けど|が|か|よ|ね|な)*';
const please =
  '(?:ください|下さい|くださいませんか|ほしい|欲しい|もらえますか|もらえませんか|もらえる|いただけますか|いただけませんか|頂けますか|くれますか|くれませんか|くれ)';

/** How a person is asked for in Japanese. */
export const japanese: RequestGrammar = {
  ...courtesies.ja,
  requests: [
    `${first}${japanesePerson}(?:と|に)${japaneseSoftly}(?:(?:お話し?|話)(?:を|が)?(?:したい|させて(?:${please}))|話したい|話させて(?:${please})|相談したい|チャットしたい|やり取りしたい)${japanesePolitely}`,
    `${first}${japanesePerson}(?:と|に)${japaneseSoftly}(?:話せます|(?:お話し?|相談|チャット)できます|話す(?:こと|の)(?:は|が)(?:でき|可能)(?:ます|です)?)か`,
    `${first}${japanesePerson}(?:に|へ|と)${japaneseSoftly}(?:つないで|繋いで|代わって|かわって|変わって|替わって|転送して|接続して|引き継いで|取り次いで|切り替えて)(?:${please})${japanesePolitely}`,
    `${first}${japanesePerson}(?:を|に|で|の対応を)(?:お願い(?:します|いたします|したい)?|呼んで(?:${please})|出して(?:${please})|代わって|希望(?:します|です)?)${japanesePolitely}`,
    `${first}${japanesePerson}(?:に|が)(?:対応|回答|説明)して(?:${please})${japanesePolitely}`,
  ],
  tails: ['なぜなら'],
  bare: [
    '(?:人間|オペレーター?|担当者|有人チャット|有人対応|有人サポート)(?:を?お願いします|希望|に接続)?',
    `${japanesePerson}と(?:話す|話したい|チャット)`,
  ],
};

/** The script has no spaces between words, so polite words around a request are part of its pattern. */
const chinesePerson =
  '(?:你们的?|你們的?|贵公司的|貴公司的)?(?:一?[个個位名])?(?:真正的|真实的|真實的|活的)?(?:真人客服|人工客服|在线客服|線上客服|客服(?:人员|人員|专员|專員|代表|经理|經理)?|真人|人工|活人|工作人员|工作人員|专员|專員|经理|經理|主管|人类|人類|技术支持人员)';
const chinesePolitely = '(?:一下|可以吗|可以嗎|好吗|好嗎|行吗|行嗎|吗|嗎|么|吧|呢|啊|谢谢|謝謝)*';
const we = '(?:我们|我們|我|咱们)?(?:只|就|还是|還是|现在|現在|直接)*';
const chineseWish =
  '(?:想要|想|要|需要|希望能?|可以|能不能|可不可以|能否|可否|是否可以|能|必须|必須|宁愿|寧願|更想)(?:直接|马上|馬上|现在|現在)?';
const chineseTalk =
  '(?:直接|当面)?(?:通话|通話|说话|說話|说|說|聊天|聊聊|聊|谈谈|談談|谈|談|沟通|溝通|对话|對話|交流|讲话|講話|讲|講|联系|聯繫|聯絡)';
const help = '(?:请|請|麻烦|麻煩|帮我|幫我|帮忙|幫忙|给我|給我|为我|為我|替我)';

/** How a person is asked for in Chinese, simplified and traditional. */
export const chinese: RequestGrammar = {
  ...courtesies.zh,
  requests: [
    `${we}${chineseWish}(?:和|跟|与|與|同)${chinesePerson}${chineseTalk}${chinesePolitely}`,
    `${we}(?:${chineseWish})?(?:${help}|你|您)*(?:转接|轉接|转|轉|接通|接|连接|連接|切换|切換|换|換|叫|找|安排)(?:一下)?(?:到|给|給|至|成)?${chinesePerson}(?:服务|服務|来|來)?${chinesePolitely}`,
    `${we}(?:想要|想|要|需要)(?:${chinesePerson})(?:的)?(?:服务|服務|帮助|幫助|帮忙|幫忙|协助|協助|回答|回复|回覆|来处理|來處理)?${chinesePolitely}`,
    `${we}(?:${chineseWish})?(?:${help})*(?:联系|聯繫|联络|聯絡)(?:一?[个個位名])?(?:真人客服|人工客服|真人|人工|活人|客服(?:人员|人員))${chinesePolitely}`,
    '有(?:没有|沒有)?(?:人工|真人)客服(?:吗|嗎)?',
    `有(?:没有|沒有)?(?:${chinesePerson})(?:可以|能)(?:和我|跟我)?(?:聊|说话|說話|帮我|幫我|谈|談)${chinesePolitely}`,
  ],
  tails: ['关于|關於|因为|因為|不要|不是|而不是'],
  bare: [
    '(?:转|轉)?(?:人工|真人)(?:客服|服务|服務)?|客服(?:人员|人員)|(?:转|轉)客服|人工客服谢谢|联系(?:人工|真人)客服',
  ],
};
