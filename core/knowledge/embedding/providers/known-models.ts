import type { Purpose } from './embedding-api.ts';

/** Properties of a model that its API does not tell. */
export interface ModelTraits {
  /** Texts that the model expects before a question or a passage, unless its API adds them. */
  readonly prefixes?: Readonly<Record<Purpose, string>>;
  /** Characters that the model reads, at three to four characters a token. Longer texts are cut. */
  readonly maxCharacters: number;
  /** Fewer dimensions than its default, for models whose first numbers are a vector of their own. */
  readonly preferredDimensions?: number;
  readonly isMultilingual: boolean;
}

interface KnownModel extends Partial<ModelTraits> {
  /** Matches the last part of the name, in lower case, without a tag: `e5-large-v2` of `intfloat/E5-large-v2:f16`. */
  readonly name: RegExp;
}

const query = (prefix: string, passage = ''): Pick<ModelTraits, 'prefixes'> => ({
  prefixes: { query: prefix, passage },
});
const english = { isMultilingual: false };
const ENGLISH_QUERY = 'Represent this sentence for searching relevant passages: ';

/** The known models, from their model cards. The first entry that matches counts. */
const KNOWN: readonly KnownModel[] = [
  {
    name: /^multilingual-e5-.*instruct/,
    ...query('Instruct: Given a question, retrieve passages that answer it\nQuery: '),
  },
  { name: /^(?:multilingual-)e5-/, ...query('query: ', 'passage: '), maxCharacters: 1_800 },
  { name: /^e5-mistral/, ...query('Instruct: Given a question, retrieve passages that answer it\nQuery: ') },
  { name: /^e5-/, ...query('query: ', 'passage: '), ...english, maxCharacters: 1_800 },
  {
    name: /^nomic-embed-text-v2|^nomic-embed-text.*moe/,
    ...query('search_query: ', 'search_document: '),
    maxCharacters: 1_800,
  },
  { name: /^nomic-embed/, ...query('search_query: ', 'search_document: '), ...english },
  { name: /^mxbai-embed/, ...query(ENGLISH_QUERY), ...english, maxCharacters: 1_800 },
  { name: /^bge-(?:small|base|large)-en/, ...query(ENGLISH_QUERY), ...english, maxCharacters: 1_800 },
  { name: /^bge-(?:large|base|small)$/, ...query(ENGLISH_QUERY), ...english, maxCharacters: 1_800 },
  { name: /^snowflake-arctic-embed2|^snowflake-arctic-embed-[ml]-v2/, ...query('query: ') },
  { name: /^snowflake-arctic-embed/, ...query(ENGLISH_QUERY), ...english, maxCharacters: 1_800 },
  {
    name: /^qwen3-embedding/,
    ...query('Instruct: Given a question, retrieve passages that answer it\nQuery:'),
  },
  {
    name: /^embeddinggemma/,
    ...query('task: search result | query: ', 'title: none | text: '),
    maxCharacters: 6_000,
  },
  {
    name: /^gemini-embedding-2/,
    ...query('task: search result | query: ', 'title: none | text: '),
    preferredDimensions: 1_536,
  },
  { name: /^gemini-embedding/, preferredDimensions: 1_536, maxCharacters: 6_000 },
  { name: /^text-embedding-3-large/, preferredDimensions: 1_536 },
  {
    name: /^all-minilm|^all-mpnet|^gte-(?:small|base|large)$|^gte-.*-en|^granite-embedding.*-english/,
    ...english,
    maxCharacters: 1_500,
  },
  { name: /^embed-english|^jina-embeddings-v2-.*-en$|^voyage-(?:code|law|finance)/, ...english },
  { name: /^amazon\.titan-embed-text-v2/, preferredDimensions: 1_024 },
  { name: /^amazon\.titan-embed-text-v1|^cohere\.embed-english/, ...english },
];

/** Most models read 8,192 tokens or more. */
const DEFAULTS: ModelTraits = { maxCharacters: 24_000, isMultilingual: true };

/** A model that is not known counts as one that reads every language and needs no prefix. */
export function findTraits(model: string): ModelTraits {
  const [name = ''] = (model.split('/').at(-1) ?? model).toLowerCase().split(':', 1);
  const { name: _, ...traits } = KNOWN.find((known) => known.name.test(name)) ?? { name: /^/ };
  return { ...DEFAULTS, ...traits };
}
