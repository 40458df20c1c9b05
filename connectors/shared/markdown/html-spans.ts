import { escapedHtml } from '../escaped-html.ts';
import type { Span } from './block.ts';
import { linkRuns } from './link-runs.ts';

/** Spans in HTML, with links around those that lead somewhere; `write` knows the tags that a platform has for their looks. */
export function htmlSpans(spans: readonly Span[], write: (span: Span) => string): string {
  return linkRuns(spans)
    .map(({ link, spans: run }) => {
      const inner = run.map(write).join('');
      return link === null ? inner : `<a href="${escapedHtml(link)}">${inner}</a>`;
    })
    .join('');
}
