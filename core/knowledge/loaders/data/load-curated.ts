import { z } from 'zod';
import { DocumentError } from '../../documents/document-error.ts';
import { loadMarkdown } from '../load-markdown.ts';
import type { Block, LoadedDocument, LoadingLimits } from '../loader.ts';

const contentSchema = z.object({
  question: z.string(),
  phrasings: z.array(z.string()),
  answer: z.string().nullable(),
});

/**
 * Reads a curated answer. Its phrasings stand as headings above every passage: there they count for the search, and are no
 * text to quote.
 */
export function loadCurated(text: string, limits: LoadingLimits): LoadedDocument {
  const { question, phrasings, answer } = parseContent(text);
  const blocks: readonly Block[] =
    answer === null
      ? [{ headings: [], kind: 'paragraph', text: question }]
      : loadMarkdown(answer, limits).blocks;
  return {
    title: question,
    url: null,
    blocks: blocks.map((block) => ({ ...block, headings: [...phrasings, ...block.headings] })),
  };
}

function parseContent(text: string): z.output<typeof contentSchema> {
  try {
    return contentSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DocumentError('corrupt_file', 'The curated answer', { cause });
  }
}
