import type { WriterPassage } from '../../contract/answer-writer.ts';

export interface Finding {
  /** Of the skill. */
  readonly skill: string;
  readonly text: string;
}

/** What a skill found out, as something that an answer may rest on. It is of no document, and never shown as a source. */
export function findingPassage({ skill, text }: Finding): WriterPassage {
  return {
    chunkId: `finding:${skill}`,
    documentId: '',
    title: skill,
    url: null,
    headings: [],
    text,
    score: 1,
  };
}
