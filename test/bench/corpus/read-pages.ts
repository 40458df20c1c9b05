import { readdir, readFile } from 'node:fs/promises';
import { demoHelpCentre } from '../../../core/demo/open-demo.ts';
import { loadDocument } from '../../../core/knowledge/loaders/load-document.ts';
import { splitSentences } from '../../../core/language/sentences.ts';

/** One page of the demo help centre, as raw material for chunks. */
export interface Page {
  readonly title: string;
  readonly sentences: readonly string[];
}

const shortestSentence = 30;

export async function readPages(): Promise<readonly Page[]> {
  const fileNames = (await readdir(demoHelpCentre)).sort();
  return Promise.all(fileNames.map(readPage));
}

async function readPage(fileName: string): Promise<Page> {
  const bytes = await readFile(new URL(fileName, demoHelpCentre));
  const { title, blocks } = await loadDocument({ bytes, fileName, contentType: null });
  const sentences = blocks.flatMap((block) => splitSentences(block.text));
  return {
    title: title ?? fileName,
    sentences: sentences.filter((sentence) => sentence.length >= shortestSentence),
  };
}
