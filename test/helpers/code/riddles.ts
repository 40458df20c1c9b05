/** Turns of phrase that hide who does what, with the plain form to write instead. */
const riddles: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // A list may contain the codes of languages.
  [/(?<!, )\b(?:he|him|his|himself|she|her|hers)\b(?!, \w\w\b)/i, 'they, them, their'],
  [/\bman\b(?! page)/i, 'the actor, or they'],
  [/(?:^|[.;:!?] )(?:Who|Whoever|Whatever|Nobody|Somebody)\b/, 'the actor: client, visitor, worker, …'],
  [
    /(?:^|[.;:!?] |\b(?:but|because|so that) )who(?:ever)? (?:\w+ )?(?:\w+s|never|once|has|can)\b(?!.*\?)/,
    'the actor',
  ],
  [
    /(?:^|[.;!?] )What (?!is\b.*\?)|(?:; |\b(?:because|so that|but) )what (?!is\b.*\?)/,
    'a noun: the message, …',
  ],
  [/^So (?:many|much|long)\b/, 'the number of …'],
  [/\b(?:[Nn]ull|[Nn]othing|[Nn]one|[Tt]rue|[Ff]alse|[Tt]hrows|[Ff]ails|[Ee]mpty) where\b/, 'null if …'],
  [/\bwhere there (?:is|are) (?:none|no)\b/, 'if there is none'],
  [
    /\bthere is of\b|\bfor who\b|\bto be had\b|\bhears of\b|\ball the same\b|\bcome to nothing\b/,
    'plain words',
  ],
];

/** Returns the plain form for each riddle in a sentence. */
export function findRiddles(sentence: string): readonly string[] {
  return riddles.filter(([pattern]) => pattern.test(sentence)).map(([, instead]) => instead);
}
