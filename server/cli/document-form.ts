import type { SourceContent } from './sources/source-content.ts';

export interface DocumentLabels {
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly audience: readonly string[];
}

/** A document as the API's form takes it: the fields first, then the file. */
export function documentForm(content: SourceContent, labels: DocumentLabels): FormData {
  const form = new FormData();
  const url = labels.url ?? content.url;
  if (labels.title !== undefined) form.append('title', labels.title);
  if (url !== null) form.append('url', url);
  for (const tag of labels.audience) form.append('audience', tag);
  form.append('file', new Blob([content.bytes], { type: content.contentType ?? '' }), content.fileName);
  return form;
}
