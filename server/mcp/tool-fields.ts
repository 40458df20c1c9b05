import { z } from 'zod';

const longest = 4_000;

/** What the tools take and answer in common. */
export const toolFields = {
  query: z.string().trim().min(1).max(longest).describe('The question, in any language.'),
  documentId: z.string().max(200).describe('The id of the document, which fetch takes.'),
  document: {
    name: z.string().describe("The document's title."),
    url: z.string().nullable().describe('Where the document is on the web.'),
    uri: z.string().describe('The resource to read the whole document from.'),
  },
  relevance: z.number().min(0).max(1),
};
