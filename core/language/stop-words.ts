import { fold, foldCase } from './words.ts';

/** English words without meaning for a search. Single letters are rests of contractions (`don't`, `it's`). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are aren as at be because been before being below between both
  but by can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn has
  hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m me
  more most my myself no nor not now of off on once only or other our ours ourselves out over own re s same shall she
  should shouldn so some such t than that the their theirs them themselves then there these they this those through to
  too under until up upon ve very was wasn we were weren what when where which while who whom whose why will with won
  would wouldn you your yours yourself yourselves`.split(/\s+/u),
);

/**
 * English words that belong to the form of a question rather than its subject. They are ignored if no passage contains
 * them and count like any other word if one does.
 */
export const GENERIC_QUESTION_WORDS: ReadonlySet<string> = new Set(
  `able actually advice allow allowed answer anybody anyone anything ask assist assistance available best cause
  clarify come consist correct describe detail details difference different difficult easily easy elaborate
  exactly example exist explain explanation far fast find get getting give go going good got happen
  happening happens hard have hello help hey hope information involve involved kind kinds know learn let
  like little long look looking lot make making many matter mean means meant much need needed needs often ok
  okay old one option options people person please possible provide question quickly quite receive regarding
  right say see show somebody someone something soon sort start sure take taken takes taking tell thank
  thanks thing things think time trouble try trying type types understand use used useful using want wants
  way ways well wish wonder wondering work works`.split(/\s+/u),
);

const LISTS: Readonly<Record<string, string>> = {
  de: `wer wen wem wessen was wann wo woher wohin wie warum wieso weshalb welche welcher welches welchen welchem viel viele
    lange kann kannst können konnte muss müssen ist sind war waren wird werden wurde wurden hat haben hatte gibt es ich du
    ihr wir sie er man mein meine meinen ihr ihre der die das den dem des ein eine einen einem einer und oder in im an am
    auf für von vom zu zum zur mit bei aus nach als bitte`,
  es: `quién quiénes qué cuándo dónde adónde cómo cuál cuáles cuánto cuánta cuántos cuántas por para puedo puede pueden es
    son fue fueron era eran está están hay se mi mis su sus el la los las lo un una unos unas de del a al en con y o que
    como quien cuando donde cual cuanto`,
  fr: `qui que quoi quand où comment pourquoi quel quelle quels quelles combien est sont était étaient peut peux puis-je
    faut il elle on je vous nous mon ma mes votre vos le la les l un une des de du d à au aux en dans pour par avec et ou
    ce cet cette se qu est-ce y`,
  it: `chi che cosa quando dove come perché quale quali quanto quanta quanti quante è sono era erano può posso si mio mia il
    lo la i gli le un una uno di del della dei a al in nel per con e o da cui`,
  pt: `quem que quê quando onde como por qual quais quanto quanta quantos quantas é são foi foram era pode posso há se meu
    minha o a os as um uma de do da dos das em no na para com e ou ao`,
  nl: `wie wat wanneer waar hoe waarom welke welk hoeveel lang kan kun kunnen moet is zijn was waren wordt worden werd heeft
    hebben ik je jij u jullie mijn de het een van in op voor met en of te naar er`,
  pl: `kto kogo komu co czego kiedy gdzie skąd jak dlaczego czemu który która które którym ile czy mogę może można jest są
    był była było były mój moja moje się i w na do z o za od dla`,
  sv: `vem vilka vilken vilket vad när var vart hur varför många mycket lång länge kan är var blev har hade jag du ni min
    mitt mina en ett den det de och i på för med av till som`,
  ru: `кто кого кому что чего чем когда где куда откуда как почему зачем какой какая какое какие каком каким какую сколько
    чей можно могу можете ли это был была было были есть я мой моя и в во на с со о об по для у к от из`,
  uk: `хто кого кому що чого коли де куди звідки як чому навіщо який яка яке які якого скільки можна можу чи це був була
    було були є я мій моя і в у на з о про для до від`,
  tr: `kim kimin kime ne neyi neden niçin niye nasıl nerede nereden nereye hangi hangisi kaç kadar mı mi mu mü midir nedir
    miyim bir ve ile için bu da de`,
  ro: `cine cui ce care când unde cum de câți câte cât câtă pot poate este sunt era erau a fost au meu mea și în la pe din
    cu pentru un o al ale lui`,
  el: `ποιος ποια ποιο ποιοι ποιες ποιον ποιαν τι πότε πού πως πώς γιατί πόσο πόση πόσα πόσοι πόσες είναι ήταν μπορώ
    μπορεί ο η το οι τα του της των τον την στο στη στην στον στις σε και να με για από`,
  vi: `ai gì nào đâu khi nào bao nhiêu lâu như thế tại sao vì là có không thể được của và các những một cho ở trong đã`,
  ar: `من ما ماذا متى أين كيف لماذا هل كم أي أية هو هي كان كانت يمكن يمكنني في على إلى عن مع التي الذي`,
  hi: `कौन किस किसने किसका किसके किसकी क्या कब कहाँ कहां कैसे क्यों कितना कितनी कितने कौनसा कौनसी है हैं था थी थे में के का की को से ने
    पर और मैं मेरा मेरी`,
  zh: `什么 谁 何时 何 哪 哪里 哪个 哪些 哪儿 怎么 怎样 如何 为什么 为何 多少 几 吗 呢 是 的 了 在 我 我的 请问 多久 多长 和 有`,
  ja: `何 誰 いつ どこ どう どの どれ なぜ いくら いくつ どのくらい は が の に を で と か ます です ですか ある する いる た て し れ さ`,
  th: `ใคร อะไร เมื่อไหร่ เมื่อใด ที่ไหน ใด ไหน อย่างไร ยังไง ทำไม เท่าไหร่ เท่าไร กี่ คือ เป็น ที่ ใน ของ และ ได้ ไหม หรือ มี`,
  ko: `누구 누가 무엇 뭐 언제 어디 어디서 어떻게 왜 어느 어떤 얼마 얼마나 몇 있나요 할 수 있습니까 무엇입니까`,
};
const NONE: ReadonlySet<string> = new Set();
const SETS = new Map(Object.entries(LISTS).map(([code, list]) => [code, foldedSet(list)]));

/**
 * Returns the question words and most frequent function words of a language, folded: a passage that answers `wie lange`
 * contains neither word. Empty for languages without a list and for English, which has `STOP_WORDS`.
 */
export function questionStopWords(languageCode: string): ReadonlySet<string> {
  return SETS.get(languageCode) ?? NONE;
}

function foldedSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u).flatMap((word) => [fold(word), foldCase(word)]));
}
