import { z } from 'zod';
import { DocumentError } from '../../documents/document-error.ts';
import { codeFrame } from '../../passage.ts';
import { loadMarkdown } from '../load-markdown.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { parseJson } from './load-data.ts';

const textSchema = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]);
const notebookSchema = z.object({
  metadata: z
    .object({ kernelspec: z.object({ language: z.string().optional() }).optional() })
    .optional()
    .catch(undefined),
  cells: z.array(z.object({ cell_type: z.string(), source: textSchema })),
});

/** Reads a Jupyter notebook: its text cells, and its code without what running it printed. Throws a DocumentError. */
export function loadNotebook(text: string, limits: LoadingLimits): LoadedDocument {
  const notebook = notebookSchema.safeParse(parseJson(text));
  if (!notebook.success) throw new DocumentError('corrupt_file', 'This notebook', { cause: notebook.error });
  const { cells, metadata } = notebook.data;
  const language = metadata?.kernelspec?.language ?? '';
  const parts = cells.map(({ cell_type: kind, source }) => {
    if (kind !== 'code') return source;
    const frame = codeFrame(source, { language, title: '' });
    return source.trim() === '' ? '' : frame.open + source + frame.close;
  });
  return loadMarkdown(parts.filter((part) => part.trim() !== '').join('\n\n'), limits);
}
