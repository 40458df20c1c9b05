import type { Source } from '../../../core/answering/answer.ts';
import type { UpstreamResult } from './upstream-answer-schema.ts';

/** A passage, as a result of the open NLWeb protocol. A document without an address is named by its id. */
export function presentMatch(source: Source, siteName: string): UpstreamResult {
  const url = source.url ?? `urn:parley:document:${source.documentId}`;
  return {
    url,
    name: source.title,
    site: URL.parse(source.url ?? '')?.hostname ?? siteName,
    score: Math.round(source.score * 100),
    description: source.chunk,
    schema_object: {
      '@context': 'https://schema.org',
      '@type': 'CreativeWork',
      '@id': url,
      ...(source.url === null ? {} : { url }),
      name: source.title,
      text: source.chunk,
    },
  };
}
