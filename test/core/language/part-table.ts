import type { LanguagePack } from '../../../core/language/language-pack.ts';

interface PartRow {
  /** The path of the part in a pack; it holds whatever lies below it. */
  readonly path: string;
  readonly title: string;
  /** The behaviour for a language without the part. */
  readonly without: string;
}

const together = 'those of the other languages';

/** The parts in the order of the table. */
export const partRows: readonly PartRow[] = [
  row('grammar.stopWords', 'words that no passage needs to hold', 'every word counts'),
  row('grammar.formWords', 'words of the form of a question', together),
  row('grammar.degrees', '`how long`, left out of a search', together),
  row('glossary', 'glossary into English, for a search without a model', 'the question stays as it is'),
  row('grammar.followUp', 'questions that refer to the one before', 'signs of the question before, or none'),
  row('grammar.personPronouns', 'pronouns for a person', together),
  row('grammar.articles', 'articles', together),
  row('grammar.emptyWords', 'words of a question without a subject', together),
  row('grammar.comparison', '`difference between`', together),
  row('grammar.numbers', 'number words', together),
  row('grammar.units', 'units of numbers', together),
  row('grammar.negation', 'words that deny', 'a dropped `not` is not noticed'),
  row('grammar.abbreviations', 'abbreviations within sentences', together),
  row('grammar.sentenceStarts', 'starts of sentences', together),
  row('grammar.ordinalNouns', 'nouns after an ordinal', together),
  row('grammar.openers', 'empty openings of a model', together),
  row('grammar.claims', 'claims of a model to have acted', together),
  row('grammar.secrets', 'words before a secret that is masked', together),
  row('grammar.missingPage', 'titles of pages that do not exist', together),
  row('facts', 'values, and words around facts', 'values of the others, other words of English'),
  row('smallTalk', 'small talk and its replies', 'searched for like a question'),
  row('ratings', 'words around a rating from 1 to 5', together),
  row('courtesies', 'polite words around requests', 'none'),
  row('personRequests', 'requests for a person', together),
  row('contactRequests', 'requests for a call or an offer', together),
  row('contactWords.refusals', 'refusals of contact details', together),
  row('contactWords.refusedDetails', 'the details that are refused', together),
  row('contactWords.nameCues', '`my name is`', together),
  row('contactWords.greetings', 'polite words before a name', together),
  row('contactWords.notNames', 'words that are no name', together),
  row('contactWords.nameParticles', 'particles within names', together),
  row('contactWords.own', 'own contact details', together),
  row('contactWords.ownVerbs', 'verbs before own contact details', together),
  row('contactWords.otherOwners', 'contact details of others', together),
  row('contactWords.phone', 'words near a phone number', together),
  row('contactWords.numberOwner', '`my number`: the first word', together),
  row('contactWords.numberNoun', '`my number`: the second word', together),
  row('contactWords.otherNumbers', 'words before other numbers', together),
  row('contactWords.questions', 'questions instead of contact details', together),
  row('contactWords.technical', 'words of developers', together),
  row('texts.fallback', 'text: no answer', 'English'),
  row('texts.disclosure', 'text: a machine answers', 'English'),
  row('texts.missingPart', 'text: no answer to one of several', 'English'),
  row('texts.disagreement', 'text: pages disagree', 'English'),
  row('texts.unsure', 'text: before what may be the answer', 'English'),
  row('texts.signIn', 'text: sign in first', 'English'),
  row('texts.skillFailure', 'text: a skill failed', 'English'),
  row('texts.channel', 'texts of channels', 'English'),
  row('texts.handover', 'texts of the handover', 'English'),
  row('texts.lead', 'texts of taking contact details', 'English'),
  row('texts.digest', 'mail to the team', 'English'),
];

function row(path: string, title: string, without: string): PartRow {
  return { path, title, without };
}

/** Members of a pack that describe the language itself. */
const traits = ['code', 'name', 'script', 'capitalisesNouns', 'spaceless', 'listSeparator'];

/** Returns the paths of the parts that a language has, as `partRows` names them; others as they are. */
export function listPaths(language: LanguagePack): readonly string[] {
  const found = pathsIn(language, '').filter((path) => !traits.includes(path));
  return [...new Set(found.map((path) => partRows.find((part) => isWithin(path, part.path))?.path ?? path))];
}

function pathsIn(value: object, before: string): readonly string[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const path = before === '' ? key : `${before}.${key}`;
    return isPlain(member) ? pathsIn(member, path) : [path];
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isWithin(path: string, part: string): boolean {
  return path === part || path.startsWith(`${part}.`);
}

/** Renders the table `part × language` in Markdown. */
export function renderTable(languages: readonly LanguagePack[]): string {
  const paths = languages.map(listPaths);
  const lines = partRows.map(({ path, title, without }) => {
    const cells = paths.map((own) => (own.includes(path) ? '●' : ''));
    return [title, without, ...cells];
  });
  const codes = languages.map(({ code }) => code);
  const ruler = ['---', '---', ...codes.map(() => ':-:')];
  return [['part', 'without it', ...codes], ruler, ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
