import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList('你好 您好 请 請 好的 好 谢谢 謝謝 麻烦 麻煩 不好意思'),
  links: wordList('但是 所以 因为 因為 还是 還是'),
  closers: wordList('谢谢 謝謝 拜托 拜託 马上 馬上 现在 現在 尽快 盡快 麻烦了 麻煩了'),
};

/** The script has no spaces between words, so polite words around a request are part of its pattern. */
const person =
  '(?:你们的?|你們的?|贵公司的|貴公司的)?(?:一?[个個位名])?(?:真正的|真实的|真實的|活的)?(?:真人客服|人工客服|在线客服|線上客服|客服(?:人员|人員|专员|專員|代表|经理|經理)?|真人|人工|活人|工作人员|工作人員|专员|專員|经理|經理|主管|人类|人類|技术支持人员)';
const politely = '(?:一下|可以吗|可以嗎|好吗|好嗎|行吗|行嗎|吗|嗎|么|吧|呢|啊|谢谢|謝謝)*';
const we = '(?:我们|我們|我|咱们)?(?:只|就|还是|還是|现在|現在|直接)*';
const wish =
  '(?:想要|想|要|需要|希望能?|可以|能不能|可不可以|能否|可否|是否可以|能|必须|必須|宁愿|寧願|更想)(?:直接|马上|馬上|现在|現在)?';
const talk =
  '(?:直接|当面)?(?:通话|通話|说话|說話|说|說|聊天|聊聊|聊|谈谈|談談|谈|談|沟通|溝通|对话|對話|交流|讲话|講話|讲|講|联系|聯繫|聯絡)';
const help = '(?:请|請|麻烦|麻煩|帮我|幫我|帮忙|幫忙|给我|給我|为我|為我|替我)';

/** How a person is asked for in Chinese, simplified and traditional. */
export const personRequests: RequestForms = {
  requests: [
    `${we}${wish}(?:和|跟|与|與|同)${person}${talk}${politely}`,
    `${we}(?:${wish})?(?:${help}|你|您)*(?:转接|轉接|转|轉|接通|接|连接|連接|切换|切換|换|換|叫|找|安排)(?:一下)?(?:到|给|給|至|成)?${person}(?:服务|服務|来|來)?${politely}`,
    `${we}(?:想要|想|要|需要)(?:${person})(?:的)?(?:服务|服務|帮助|幫助|帮忙|幫忙|协助|協助|回答|回复|回覆|来处理|來處理)?${politely}`,
    `${we}(?:${wish})?(?:${help})*(?:联系|聯繫|联络|聯絡)(?:一?[个個位名])?(?:真人客服|人工客服|真人|人工|活人|客服(?:人员|人員))${politely}`,
    '有(?:没有|沒有)?(?:人工|真人)客服(?:吗|嗎)?',
    `有(?:没有|沒有)?(?:${person})(?:可以|能)(?:和我|跟我)?(?:聊|说话|說話|帮我|幫我|谈|談)${politely}`,
  ],
  tails: ['关于|關於|因为|因為|不要|不是|而不是'],
  bare: [
    '(?:转|轉)?(?:人工|真人)(?:客服|服务|服務)?|客服(?:人员|人員)|(?:转|轉)客服|人工客服谢谢|联系(?:人工|真人)客服',
  ],
};
