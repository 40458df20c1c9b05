/** The kinds of small talk. If a message is of several kinds, the first of these determines the answer. */
export const saidKinds = [
  'upset',
  'bot',
  'abilities',
  'wellBeing',
  'goodbye',
  'thanks',
  'praise',
  'greeting',
  'no',
  'okay',
] as const;

export type SaidKind = (typeof saidKinds)[number];

/** A `filler` says nothing by itself. */
export const smallTalkKinds = [...saidKinds, 'filler'] as const;

export type SmallTalkKind = (typeof smallTalkKinds)[number];

/**
 * Phrases by kind, separated by `|`. `{a,b,}` stands for one of the alternatives, the last of which is empty. A message is
 * small talk only if it consists of such phrases alone, so no phrase may be a question that documents can answer: `how does
 * this work` is none, `what can you do` is one.
 */
export type SmallTalkPhrases = Readonly<Partial<Record<SmallTalkKind, string>>>;

/** `{name}` is the workspace, `{topics}` a list of documents. */
export type SmallTalkReplies = Readonly<Record<SaidKind | 'topics' | 'person', string>>;

/** Small talk in one language. */
export interface SmallTalkData {
  readonly phrases: SmallTalkPhrases;
  readonly replies: SmallTalkReplies;
}

/** Phrases understood in every language that has small talk. */
export const sharedPhrases: SmallTalkPhrases = {
  greeting: 'hi|hey|hello|yo',
  thanks: 'thx|thanks|thank you',
  praise: 'super|top|cool|bravo|wow',
  goodbye: 'bye|bye bye|ciao',
  okay: 'ok|okay|okey|oki|okidoki|k|kk|yes|yep|haha|hahaha|hehe|lol|hm|hmm|mhm|aha',
  no: 'no|nope',
  bot: 'bot|chatbot|robot|ai',
  upset: 'wtf|omg|ffs',
  filler: 'oh|ah|please|pls|bot|chatbot',
};
